"""The verbs on a run that has not ended: go on with it, on other terms if a person says so, or give it up."""

from __future__ import annotations

from inkos.actions.chapter_run import ChapterOutcome, load_run, outcome_of, reopen, resume, routed
from inkos.actions.redo import go_on
from inkos.actions.table import Door, action
from inkos.config import ROLES, RunLimits
from inkos.cycle.chapter import ChapterState
from inkos.cycle.moves import accept_best
from inkos.errors import InkosError, UsageFault
from inkos.ports import RunStore
from inkos.records import Record, dump
from inkos.runs.booking import close
from inkos.runs.machines import ChapterMachine
from inkos.runs.record import OPEN, RunRecord

FOUNDING = "-founding"  # how the id of a founding's run ends; such runs are the workspace's, not a book's


class ResumeRun(Record):
    """`tokens`, `money`, `seconds`: limits of this run from now on. `routes`: role, or `default` → route. All of these
    stay with the run. `accept_best`: no further call, the best judged version is taken as it stands."""

    book: str
    run: str
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None
    routes: dict[str, str] = {}
    accept_best: bool = False


@action("run-resume", ResumeRun, ChapterOutcome, "pays")
async def resume_run(door: Door, command: ResumeRun) -> ChapterOutcome:
    """Go on with a run that is open; one that has ended, or waits for a person, says so."""
    store = door.workspace.store(command.book)
    with store.hold("run resume"):
        record = _open(door.workspace.runs(command.book), command.book, command.run)
        if record.status == "needs-review":
            raise InkosError("run-needs-review", where=f"{command.book}: {command.run}", book=command.book)
        record = _on_terms(door, command, record)
        bench = reopen(door, command.book, store, record)
        if command.accept_best:
            taken = accept_best(resume(bench, record).state, bench.desk)
            if taken is None:
                raise InkosError("nothing-judged", where=f"{command.book}: {command.run}", run=command.run)
            record = record.model_copy(update={"machine": ChapterMachine(taken, bench.desk).dump()})
        machine, record, _ = await go_on(door, command.book, store, bench, record, insist=True)
        return outcome_of(bench, machine, record)


def _on_terms(door: Door, command: ResumeRun, record: RunRecord) -> RunRecord:
    """The run with what a person chose for it."""
    known = door.workspace.config.routes
    for role, route in command.routes.items():
        if role not in (*ROLES, "default"):
            raise UsageFault("choice", where="--route", given=role, allowed=", ".join((*ROLES, "default")))
        if route not in known:
            raise UsageFault("choice", where="--route", given=route, allowed=", ".join(known))
    told = {"tokens": command.tokens, "money": command.money, "seconds": command.seconds}
    chosen = {key: value for key, value in told.items() if value is not None}
    before = record.limits.model_dump(exclude_unset=True) if record.limits else {}
    limits = RunLimits.model_validate({**before, **chosen}) if before or chosen else None
    return routed(record.model_copy(update={"limits": limits}), command.routes)


class CancelRun(Record):
    """`book` empty: a founding, whose runs lie in the workspace."""

    book: str = ""
    run: str


class CancelledRun(Record):
    """`damaged`: its record could not be read; the bytes were kept beside the new one under this name."""

    book: str
    run: str
    kind: str
    chapter: str = ""
    position: int | None = None
    tokens: int = 0
    money: float | None = None
    damaged: str = ""


@action("run-cancel", CancelRun, CancelledRun, "destroys", undo="")
async def cancel_run(door: Door, command: CancelRun) -> CancelledRun:
    """Give an open run up, whatever its kind, overtaken or damaged too. What was in flight when its process ended is
    booked; its papers stay in runs/; the next `write next` begins the chapter anew."""
    if command.run.endswith(FOUNDING):
        return _cancel(door, "", command.run)
    with door.workspace.store(command.book).hold("run cancel"):
        return _cancel(door, command.book, command.run)


def _cancel(door: Door, book: str, run: str) -> CancelledRun:
    runs, now = door.workspace.runs(book or None), door.workspace.clock.now()
    try:
        record = load_run(runs, run)
    except InkosError as error:
        if error.code == "run-missing":
            raise
        return _bury(runs, book, run, now)
    if record.status not in OPEN:
        raise InkosError("run-ended", where=f"{book or record.book}: {run}", status=record.status)
    record = close(record, runs, door.workspace.price, door.workspace.purse)
    record = record.model_copy(update={"status": "cancelled", "revision": record.revision + 1, "updated": now})
    runs.save(record.id, dump(record))
    position = ChapterState.model_validate(record.machine).position if record.kind == "chapter" else None
    return CancelledRun(book=book or record.book, run=run, kind=record.kind, chapter=record.chapter,
                        position=position, tokens=record.tokens, money=record.money)  # fmt: skip


DAMAGED = "run-damaged.json"


def _bury(runs: RunStore, book: str, run: str, now: float) -> CancelledRun:
    """A record that cannot be read is kept aside, and one that says `cancelled` takes its place."""
    content = runs.get(run, "run.json") or b""
    runs.put(run, DAMAGED, content)
    chapter = f"c{run.rsplit('-c', 1)[1]}" if "-c" in run else ""
    record = RunRecord(id=run, kind="founding" if run.endswith(FOUNDING) else "chapter", book=book, chapter=chapter,
                       status="cancelled", started=now, updated=now, machine={}, note="damaged")  # fmt: skip
    runs.save(run, dump(record))
    return CancelledRun(book=book, run=run, kind=record.kind, chapter=chapter, damaged=DAMAGED)


def _open(runs: RunStore, book: str, run: str) -> RunRecord:
    record = load_run(runs, run)  # names a run that is not there
    if record.status not in OPEN:
        raise InkosError("run-ended", where=f"{book}: {run}", status=record.status)
    return record
