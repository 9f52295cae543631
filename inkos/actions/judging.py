"""The verb that measures a judge: how much its scores waver on texts that stay the same; changes no book."""

from __future__ import annotations

from pathlib import PurePath
from typing import Literal

from pydantic import Field

from inkos.actions.chapter_run import Bench, elsewhere, given_chapter, limits, new_record, open_bench
from inkos.actions.table import Door, action
from inkos.cycle import judging
from inkos.cycle.chapter import given
from inkos.cycle.outline_plan import plan_from_text
from inkos.errors import Cancelled, UsageFault
from inkos.gates.calibration import LEAST_REPEATS, LEAST_TEXTS, Calibration, calibrate
from inkos.gates.survey import chapters_of
from inkos.kernel.papers import OutlineEntry
from inkos.ports import BookStore
from inkos.records import Record
from inkos.runs.drive import drive
from inkos.runs.job import Job
from inkos.runs.machines import JudgingMachine

RUN = "judging"


class EvalJudge(Record):
    """`files`: texts to judge, parted at their chapter headings, instead of the book's own chapters. `texts`: how many
    at most, the last ones first; `repeats`: how often each is scored. `tokens`: limit for this run."""

    book: str
    files: tuple[str, ...] = ()
    texts: int = Field(default=6, ge=LEAST_TEXTS, le=100)
    repeats: int = Field(default=4, ge=LEAST_REPEATS, le=50)
    tokens: int | None = Field(default=None, gt=0)


class JudgeMeasured(Record):
    """`before`: what held until now. `margin`: `set` where book.yaml names one of its own, which then goes on holding.
    `money` null: a price is unknown."""

    book: str
    run: str
    route: str
    found: Calibration
    before: Calibration | None
    margin: Literal["measured", "set"]
    calls: int
    tokens: int
    money: float | None


@action("eval-judge", EvalJudge, JudgeMeasured, "pays")
async def eval_judge(door: Door, command: EvalJudge) -> JudgeMeasured:
    """Score the same texts several times, half of them with the questions turned round, and keep for the judge's model
    the margin that two scores of one text exceed at most one time in twenty; the gate uses it from then on."""
    workspace = door.workspace
    store = workspace.store(command.book)
    bench = open_bench(door, command.book, store)
    texts = _benches(door, command, bench, store)
    if len(texts) < LEAST_TEXTS:
        raise UsageFault("judge-too-few", where=command.book, texts=len(texts), least=LEAST_TEXTS)
    models = workspace.models(bench.book.config.roles)
    route = models.route("auditor")
    models.model("auditor")  # a route or a key that is missing is told before the first call
    state = judging.JudgingState(texts=len(texts), repeats=command.repeats)
    job = _job(door, bench, command, JudgingMachine(state, texts))
    machine = await drive(job)
    assert isinstance(machine, JudgingMachine)
    if machine.status == "running":
        raise Cancelled
    scores = machine.state.scores
    unread = sum(score is None for score in scores.values())
    try:
        found = calibrate(judging.judged(scores, len(texts), command.repeats), route.model, unread=unread,
                          language=bench.book.config.language, at=workspace.clock.now())  # fmt: skip
    except ValueError as fault:
        raise UsageFault("judge-unread", where=job.record.id, unread=unread, of=len(scores)) from fault
    attempts = job.record.attempts()
    found = found.model_copy(update={"answered": tuple(sorted({a.model for a in attempts if a.status == "replied"}))})
    before = workspace.calibration(bench.book.config.roles)
    workspace.keep_calibration(route, found)
    own = "margin" in bench.book.config.gate.model_fields_set
    return JudgeMeasured(
        book=command.book, run=job.record.id, route=models.route_name("auditor"), found=found, before=before,
        margin="set" if own else "measured", calls=sum(a.status == "replied" for a in attempts),
        tokens=job.record.tokens, money=job.record.money,
    )  # fmt: skip


def _benches(door: Door, command: EvalJudge, bench: Bench, store: BookStore) -> tuple[judging.Bench, ...]:
    """The texts with what their audits read: the book's last chapters, or others on the book as it stands."""
    if not command.files:
        last = len(bench.book.index.chapters)
        found = []
        for position in range(max(1, last - command.texts + 1), last + 1):
            earlier, state = given_chapter(door, bench.name, store, bench.book, position, "judge")
            found.append(judging.Bench(state, earlier.desk))
        return tuple(found)
    named = [(PurePath(path).stem, door.workspace.read_text(path)) for path in command.files]
    return tuple(_foreign(bench, n, chapter.title, chapter.text)
                 for n, chapter in enumerate(chapters_of(named)[-command.texts :], 1))  # fmt: skip


def _foreign(bench: Bench, number: int, title: str, text: str) -> judging.Bench:
    """A text of elsewhere, with the plan that its own words give."""
    plan = plan_from_text(bench.desk.book, title, text, bench.book.config.length.target)
    entry = bench.entry or OutlineEntry(key=f"{RUN}-{number}", title=title)
    return judging.Bench(given(bench.desk, f"{RUN}-{number}", entry, text, plan, "judge"), bench.desk)


def _job(door: Door, bench: Bench, command: EvalJudge, machine: JudgingMachine) -> Job:
    workspace, config = door.workspace, bench.book.config
    record = new_record(bench, machine.benches[0].state).model_copy(
        update={"kind": "judging", "chapter": "", "started": workspace.clock.now(), "machine": machine.dump()}
    )
    record = record.model_copy(update={"id": f"{record.id.split('-')[0]}-{RUN}"})

    allowed = limits(workspace.config.limits, config.limits, None, command.tokens)
    # Here the same question is asked again on purpose.
    allowed = allowed.model_copy(update={"repeats": allowed.repeats * (command.repeats + 1)})

    def nothing(*_: object) -> int:
        raise AssertionError("a judge commits nothing")

    return Job(
        machine=machine, record=record, runs=bench.runs, models=workspace.models(config.roles), clock=workspace.clock,
        limiter=workspace.limiter, purse=workspace.purse, price=workspace.price,
        limits=allowed, book=config.budget,
        elsewhere=elsewhere(bench.runs, record.id, config.budget) if config.budget else None, commit=nothing,
        emit=door.emit, stopped=door.stopped,
    )  # fmt: skip
