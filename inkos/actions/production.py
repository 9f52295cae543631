"""The verbs that make a chapter: the whole cycle, its single steps, resuming; does not know how a chapter is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from inkos.actions.chapter_run import (
    Bench,
    ChapterOutcome,
    begin,
    judge_existing,
    load_run,
    open_bench,
    open_run,
    outcome_of,
    produce,
    resume,
    settle_existing,
)
from inkos.actions.table import Door, action
from inkos.errors import InkosError, UsageFault
from inkos.records import Record, dump
from inkos.runs.drive import Machine
from inkos.runs.machines import ChapterMachine
from inkos.runs.record import RunRecord


class WriteNext(Record):
    """`until` is a position; `length` in the book's counting unit; `tokens` bounds each chapter's run."""

    book: str
    count: int = 1
    until: int | None = None
    steer: str = ""
    length: int | None = None
    tokens: int | None = None
    plan_from: Literal["model", "outline"] = "model"


class Written(Record):
    """`stopped`: why no further chapter was begun: `done`, `needs-review`, `outline-ends`."""

    book: str
    chapters: tuple[ChapterOutcome, ...]
    stopped: str
    notices: tuple[str, ...] = ()


@action("write-next", WriteNext, Written, "pays")
async def write_next(door: Door, command: WriteNext) -> Written:
    """The next chapters, each through the whole cycle, one after the other; an open run is taken up first."""
    if command.count < 1:
        raise UsageFault("count-below-one", where="--count", count=command.count)
    store = door.workspace.store(command.book)
    written: list[ChapterOutcome] = []
    with store.hold("write next"):
        notices = tuple(f"{p.kind}: {p.path}" for p in store.problems())
        while True:
            bench = open_bench(door, command.book, store)
            position = len(bench.book.index.chapters) + 1
            if (command.until is not None and position > command.until) or (
                command.until is None and len(written) >= command.count
            ):
                return Written(book=command.book, chapters=tuple(written), stopped="done", notices=notices)
            record = open_run(bench.runs)
            if record is None and bench.entry is None:
                if written:
                    return Written(book=command.book, chapters=tuple(written), stopped="outline-ends", notices=notices)
                raise InkosError("outline-ends", where=f"{command.book}/outline.md", chapters=position - 1)
            if record is None:
                record = begin(bench, target=command.length, steer=command.steer, plan_from=command.plan_from)
            machine, record = await produce(door, bench, record, tokens=command.tokens)
            written.append(outcome_of(bench, machine, record))
            if machine.status != "completed":
                return Written(book=command.book, chapters=tuple(written), stopped="needs-review", notices=notices)


class Step(Record):
    """One step of the next chapter, or of an accepted one (`audit`, `settle` with a position)."""

    book: str
    step: Literal["plan", "draft", "audit", "settle", "revise"]
    chapter: int | None = None
    steer: str = ""
    length: int | None = None
    plan_from: Literal["model", "outline"] = "model"


def _until(step: str, rounds: int) -> Callable[[Machine], bool]:
    """When a step is done, read off the machine's state."""

    def done(machine: Machine) -> bool:
        assert isinstance(machine, ChapterMachine)
        state = machine.state
        judged = bool(state.versions) and state.stage not in ("plan", "draft", "length", "assess", "again")
        return {
            "plan": state.stage != "plan",
            "draft": state.stage not in ("plan", "draft", "length"),
            "audit": judged,
            "settle": judged,
            "revise": judged and (state.rounds_used > rounds or state.stage != "revise"),
        }[step]

    return done


@action("step", Step, ChapterOutcome, "pays")
async def step(door: Door, command: Step) -> ChapterOutcome:
    """Bring the chapter in production as far as one step, and stop there; `write next` goes on from it."""
    store = door.workspace.store(command.book)
    with store.hold(command.step):
        bench = open_bench(door, command.book, store)
        accepted = len(bench.book.index.chapters)
        if command.chapter is not None and not 1 <= command.chapter <= accepted + 1:
            raise UsageFault("position-unknown", where=command.book, chapter=command.chapter, last=accepted)
        if command.chapter is not None and command.chapter <= accepted:
            if command.step == "audit":
                return await judge_existing(door, bench, store, command.chapter)
            if command.step == "settle" and command.chapter == accepted:
                return await settle_existing(door, bench, store)
            raise UsageFault("chapter-accepted", where=command.book, chapter=command.chapter, step=command.step)
        record = open_run(bench.runs)
        if record is None and bench.entry is None:
            raise InkosError("outline-ends", where=f"{command.book}/outline.md", chapters=accepted)
        if record is None:
            record = begin(bench, target=command.length, steer=command.steer, plan_from=command.plan_from)
        rounds = resume(bench, record).state.rounds_used
        machine, record = await produce(door, bench, record, until=_until(command.step, rounds))
        return outcome_of(bench, machine, record)


class ResumeRun(Record):
    book: str
    run: str


@action("run-resume", ResumeRun, ChapterOutcome, "pays")
async def resume_run(door: Door, command: ResumeRun) -> ChapterOutcome:
    """Go on with the run that is open; one that has ended, or waits for a person, says so."""
    store = door.workspace.store(command.book)
    with store.hold("run resume"):
        bench = open_bench(door, command.book, store)
        record = _open(bench, command.run)
        if record.status == "needs-review":
            raise InkosError("run-needs-review", where=f"{command.book}: {command.run}", book=command.book)
        machine, record = await produce(door, bench, record)
        return outcome_of(bench, machine, record)


class CancelRun(Record):
    book: str
    run: str


@action("run-cancel", CancelRun, ChapterOutcome, "destroys", undo="")
async def cancel_run(door: Door, command: CancelRun) -> ChapterOutcome:
    """Give an open run up. Its papers stay in runs/; the next `write next` begins the chapter anew."""
    store = door.workspace.store(command.book)
    with store.hold("run cancel"):
        bench = open_bench(door, command.book, store)
        record = _open(bench, command.run)
        machine = resume(bench, record)
        record = record.model_copy(update={"status": "cancelled", "revision": record.revision + 1,
                                           "updated": door.workspace.clock.now()})  # fmt: skip
        bench.runs.save(record.id, dump(record))
        return outcome_of(bench, machine, record).model_copy(update={"status": "", "stage": "cancelled"})


def _open(bench: Bench, run: str) -> RunRecord:
    record = open_run(bench.runs)
    if record is None or record.id != run:
        known = load_run(bench.runs, run)  # names a run that is not there
        raise InkosError("run-ended", where=f"{bench.name}: {run}", status=known.status)
    return record
