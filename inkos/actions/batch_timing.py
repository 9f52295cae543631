"""The lines for cron and systemd that start a batch by the clock; installs nothing, and there is no daemon of ours."""

from __future__ import annotations

import shlex

from inkos.actions.table import Door, action
from inkos.cycle.batch_plan import Serial, seconds_of, window_of
from inkos.errors import UsageFault
from inkos.records import Record

MINUTE, HOUR, DAY = 60, 3600, 86_400


class ScheduleBatch(Record):
    """`program`: the words that start inkos on this machine."""

    plan: str
    program: tuple[str, ...]
    between: str = ""
    every: str = ""
    chapters: int | None = None
    stock: int | None = None


class Schedule(Record):
    """`cron`: one line of a crontab. `service`, `timer`: two units of systemd."""

    cron: str
    service: str
    timer: str


@action("batch-schedule", ScheduleBatch, Schedule, "reads")
async def schedule(door: Door, command: ScheduleBatch) -> Schedule:
    """What a person puts into the system's own clock."""
    plan, _ = door.workspace.read_plan(command.plan)
    try:
        between = command.between or plan.between
        begin = window_of(between)[0] if between else 3 * 60
        every = seconds_of(command.every or (plan.serial or Serial()).every)
    except ValueError as error:
        raise UsageFault("option-value", where="--between, --every", given=f"{command.between} {command.every}".strip(),
                         detail=str(error)) from error  # fmt: skip
    words = [*command.program, "batch", "run", command.plan]
    for name, value in (("--between", command.between), ("--every", command.every), ("--chapters", command.chapters),
                        ("--stock", command.stock)):  # fmt: skip
        if value:
            words += [name, str(value)]
    root = door.workspace.root
    shell = f"cd {shlex.quote(root)} && {shlex.join(words)} >> .inkos/batch.log 2>&1".replace("%", "\\%")
    minutes, hours, days = _fields(begin, every)
    calendar = f"*-*-{'*' if days == '*' else '01' + days[1:]} {_hour(hours)}:{_minute(minutes)}:00"
    unit = " ".join(_unit_word(word) for word in words)
    head = f"[Unit]\nDescription=inkos {plan.name}\n\n"
    service = f"{head}[Service]\nType=exec\nWorkingDirectory={root}\nExecStart={unit}\n"
    timer = f"{head}[Timer]\nOnCalendar={calendar}\nPersistent=true\n\n" \
            "[Install]\nWantedBy=timers.target\n"  # fmt: skip
    return Schedule(cron=f"{minutes} {hours} {days} * * {shell}", service=service, timer=timer)


def _fields(begin: int, every: float) -> tuple[str, str, str]:
    """Minute, hour and day of a crontab. What does not divide a day comes as often as the next shorter period that
    does: a run that finds nothing due ends at once."""
    minute, hour = str(begin % 60), str(begin // 60)
    if every >= DAY:
        days = int(every // DAY)
        return minute, hour, "*" if days == 1 else f"*/{min(days, 28)}"
    if every >= HOUR:
        step = max(h for h in (1, 2, 3, 4, 6, 8, 12) if h * HOUR <= every)
        return minute, f"*/{step}", "*"
    step = max(m for m in (1, 2, 3, 5, 6, 10, 12, 15, 20, 30) if m * MINUTE <= every)
    return f"*/{step}", "*", "*"


def _hour(field: str) -> str:
    return field if field == "*" else "00" + field[1:] if field.startswith("*/") else f"{int(field):02d}"


def _minute(field: str) -> str:
    return "00" + field[1:] if field.startswith("*/") else f"{int(field):02d}"


def _unit_word(word: str) -> str:
    """A word of ExecStart: quoted, and nothing in it means anything to systemd."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if set(plain) & set(" \"'\\;") else plain
