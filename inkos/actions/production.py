"""The verbs that make a chapter: the whole cycle and its single steps; does not know how a chapter is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import Field

from inkos.actions.chapter_run import (
    ChapterOutcome,
    begin,
    judge_existing,
    open_bench,
    open_run,
    outcome_of,
    produce,
    reopen,
    resume,
    routed,
)
from inkos.actions.forecast import LATELY, seconds_of, time_left
from inkos.actions.ground import check_ground, tell_edits
from inkos.actions.redo import go_on, settle_existing
from inkos.actions.table import Door, action
from inkos.errors import Cancelled, InkosError, UsageFault
from inkos.records import Record
from inkos.runs.events import ChapterBegun
from inkos.runs.job import Machine
from inkos.runs.machines import ChapterMachine


class WriteNext(Record):
    """`until` is a position; `length` in the book's counting unit; `tokens` bounds each chapter's run. `rounds` of
    revision and `routes` (role, or `default` → route) where they are not the book's."""

    book: str
    count: int = 1
    until: int | None = None
    steer: str = ""
    length: int | None = Field(default=None, ge=100, le=50_000)
    tokens: int | None = None
    plan_from: Literal["model", "outline"] = "model"
    rounds: int | None = Field(default=None, ge=0, le=10)
    routes: dict[str, str] = {}


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
        bench = open_bench(door, command.book, store)
        notices = tell_edits(door, bench)
        took = list(seconds_of(bench.runs, bench.book.index.chapters).values())
        while True:
            position = len(bench.book.index.chapters) + 1
            if (command.until is not None and position > command.until) or (
                command.until is None and len(written) >= command.count
            ):
                return Written(book=command.book, chapters=tuple(written), stopped="done", notices=notices)
            if door.stopped():
                raise Cancelled
            record = open_run(bench.runs)
            if record is None and bench.entry is None:
                if written:
                    return Written(book=command.book, chapters=tuple(written), stopped="outline-ends", notices=notices)
                raise InkosError("outline-ends", where=f"{command.book}/outline.md", chapters=position - 1)
            if record is None:
                check_ground(bench)
                record = begin(bench, target=command.length, steer=command.steer, plan_from=command.plan_from,
                               rounds=command.rounds)  # fmt: skip
            elif record.machine.get("purpose") != "write" or record.machine.get("place", "next") != "next":
                bench = reopen(door, command.book, store, record)
            if command.routes:
                record = routed(record, command.routes)
            _announce(door, command, len(written), position, took)
            machine, record, _ = await go_on(door, command.book, store, bench, record, tokens=command.tokens)
            written.append(outcome_of(bench, machine, record))
            if machine.status != "completed":
                return Written(book=command.book, chapters=tuple(written), stopped="needs-review", notices=notices)
            took = [*took, record.working_seconds][-LATELY:]
            bench = open_bench(door, command.book, store, last=bench)


def _announce(door: Door, command: WriteNext, done: int, position: int, took: Sequence[float]) -> None:
    """Say which chapter of how many is begun, and how long all that are left are likely to take; `took`: seconds that
    earlier ones took."""
    of = command.count if command.until is None else done + command.until - position + 1
    door.emit(ChapterBegun(position=position, number=done + 1, of=of, left=time_left(took, of - done)))


class Step(Record):
    """One step of the next chapter, or of an accepted one (`audit`, `settle` with a position). `erratum`: why
    the edited text of a locked chapter is settled."""

    book: str
    step: Literal["plan", "draft", "audit", "settle", "revise"]
    chapter: int | None = None
    steer: str = ""
    length: int | None = Field(default=None, ge=100, le=50_000)
    plan_from: Literal["model", "outline"] = "model"
    erratum: str = ""


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
            if command.step == "settle":
                erratum = command.erratum
                return await settle_existing(door, command.book, store, bench.book, command.chapter, erratum)
            raise UsageFault("chapter-accepted", where=command.book, chapter=command.chapter, step=command.step)
        record = open_run(bench.runs)
        if record is None and bench.entry is None:
            raise InkosError("outline-ends", where=f"{command.book}/outline.md", chapters=accepted)
        if record is None:
            tell_edits(door, bench)
            check_ground(bench)
            record = begin(bench, target=command.length, steer=command.steer, plan_from=command.plan_from)
        rounds = resume(bench, record).state.rounds_used
        machine, record = await produce(door, bench, record, until=_until(command.step, rounds))
        return outcome_of(bench, machine, record)


