"""The verbs on the author's outline: show, check, extend; knows not how entries are asked for or how a file lies."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.actions.chapter_run import Bench, elsewhere, limits, open_bench, run_name
from inkos.actions.table import Door, action
from inkos.cycle.extension import ExtensionDesk, ExtensionState, shared
from inkos.errors import Cancelled, InkosError, ModelFault, UsageFault
from inkos.kernel.book import Book
from inkos.kernel.haste import too_soon
from inkos.kernel.outline import entries_left, entries_passed, repeated_keys, with_entries
from inkos.kernel.papers import OutlineEntry
from inkos.ports import BookStore, FileSet
from inkos.prompts.relevance import features
from inkos.records import Record, digest, dump
from inkos.runs.drive import drive
from inkos.runs.job import Job
from inkos.runs.machines import ExtensionMachine
from inkos.runs.record import OPEN, RunRecord

FILE = "outline.md"
AT_ONCE = 10  # entries of one extension, as in a founding
FEWEST, HELD = 3, 0.75  # words of a beat, and the share of them that a beat just before has when it tells it too
ADDED = "added"  # the note of a run whose entries stand in the file: it is never used again


class OfOutline(Record):
    book: str


class OutlineRow(Record):
    """`state`: `written` as the chapter at `position`; `next`; `ahead`; `passed`: it has no chapter and stands before
    one that has."""

    key: str
    volume: str
    title: str
    beats: tuple[str, ...]
    state: Literal["written", "next", "ahead", "passed"]
    position: int | None = None


class OutlineShown(Record):
    """`planned`: chapters of the whole book as book.yaml has them."""

    book: str
    volumes: tuple[str, ...]
    rows: tuple[OutlineRow, ...]
    left: int
    planned: int
    last_image: str


@action("outline-show", OfOutline, OutlineShown, "reads")
async def show(door: Door, command: OfOutline) -> OutlineShown:
    book = door.workspace.store(command.book).read(recent=0)
    outline = book.outline
    return OutlineShown(
        book=command.book, volumes=tuple(volume.title for volume in outline.volumes), rows=tuple(_rows(book)),
        left=len(entries_left(outline, _consumed(book))), planned=book.config.chapters, last_image=outline.last_image,
    )  # fmt: skip


def _consumed(book: Book) -> list[str]:
    return [row.outline_key for row in book.index.chapters]


def _rows(book: Book) -> list[OutlineRow]:
    at = {row.outline_key: position for position, row in enumerate(book.index.chapters, 1)}
    left = [entry.key for entry in entries_left(book.outline, _consumed(book))]
    rows = []
    for entry in book.outline.entries:
        state: Literal["written", "next", "ahead", "passed"] = "written" if entry.key in at else "passed"
        if entry.key in left:
            state = "next" if entry.key == left[0] else "ahead"
        rows.append(OutlineRow(key=entry.key, volume=entry.volume, title=entry.title, state=state,
                               beats=tuple(beat.text for beat in entry.beats), position=at.get(entry.key)))  # fmt: skip
    return rows


class OutlineProblem(Record):
    """`kind`: `key-twice` (`line` is the second one), `key-gone` (a chapter was written from an entry that is not there
    any more), `passed`, `no-beats`, `scene-twice` (`other` tells it already), `too-soon` (`other`
    says that something takes longer), `ends` (no entry is left). The first stops `write next`, the others do not."""

    kind: Literal["key-twice", "key-gone", "passed", "no-beats", "scene-twice", "too-soon", "ends"]
    title: str = ""
    key: str = ""
    other: str = ""
    line: int = 0


class OutlineChecked(Record):
    book: str
    entries: int
    left: int
    problems: tuple[OutlineProblem, ...]


@action("outline-check", OfOutline, OutlineChecked, "reads")
async def check(door: Door, command: OfOutline) -> OutlineChecked:
    """What of the outline would stop or mislead the next chapters; only entries that are still to come are compared."""
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    outline, consumed = book.outline, _consumed(book)
    left, keys = entries_left(outline, consumed), {entry.key for entry in outline.entries}
    problems = [OutlineProblem(kind="key-twice", key=key, line=line) for key, line in repeated_keys(_text(store))]
    # A chapter put between others by hand never had an entry.
    gone = [row for row in book.index.chapters if row.outline_key and not row.outline_key.startswith("inserted/")
            and row.outline_key not in keys]  # fmt: skip
    problems += [OutlineProblem(kind="key-gone", key=row.outline_key, title=row.title) for row in gone]
    problems += [OutlineProblem(kind="passed", key=e.key, title=e.title) for e in entries_passed(outline, consumed)]
    problems += [OutlineProblem(kind="no-beats", key=e.key, title=e.title) for e in left if not e.beats]
    problems += _told_twice(outline.entries[: len(outline.entries) - len(left)], left)
    soon = too_soon(left, door.workspace.rules(book.config))
    problems += [OutlineProblem(kind="too-soon", key=e.key, title=e.title, other=before.title) for before, e in soon]
    if not left:
        problems.append(OutlineProblem(kind="ends"))
    return OutlineChecked(book=command.book, entries=len(outline.entries), left=len(left), problems=tuple(problems))


def _told_twice(before: tuple[OutlineEntry, ...], left: tuple[OutlineEntry, ...]) -> list[OutlineProblem]:
    told = [(entry.title, features(beat.text)) for entry in before for beat in entry.beats]
    found = []
    last = len(before[-1].beats) if before else 0  # beats of the entry just before
    for entry in left:
        other = next(filter(None, (shared(beat.text, told) for beat in entry.beats)), "")
        other = other or next((told[-n][0] for n in range(1, last + 1) if _holds(told[-n][1], entry)), "")
        if other:
            found.append(OutlineProblem(kind="scene-twice", key=entry.key, title=entry.title, other=other))
        told += [(entry.title, features(beat.text)) for beat in entry.beats]
        last = len(entry.beats)
    return found


def _holds(told: frozenset[str], entry: OutlineEntry) -> bool:
    """Whether a beat of the entry just before has a whole beat of this one in it ("finds it and hands it over")."""
    return any(
        len(mine) >= FEWEST and len(mine & told) >= HELD * len(mine)
        for beat in entry.beats
        if (mine := features(beat.text))
    )


def _text(store: BookStore) -> str:
    return (store.file(FILE) or b"").decode("utf-8-sig", errors="replace")


class ExtendOutline(Record):
    """`count` null: ten, or as many as are left of the chapters that the book is planned to have. `dry_run`: the
    entries are asked for and shown; the same command without it takes them without asking again."""

    book: str
    count: int | None = Field(default=None, ge=1, le=20)
    tokens: int | None = Field(default=None, gt=0)
    dry_run: bool = False


class OutlineExtended(Record):
    book: str
    run: str
    dry_run: bool
    entries: tuple[OutlineEntry, ...]
    left: int
    calls: int
    tokens: int
    money: float | None


@action("outline-extend", ExtendOutline, OutlineExtended, "pays")
async def extend(door: Door, command: ExtendOutline) -> OutlineExtended:
    """Ask the planner for the next entries and put them into outline.md; what stands there stays byte for byte."""
    store = door.workspace.store(command.book)
    with store.hold("outline extend"):
        bench = open_bench(door, command.book, store)
        book, text = bench.book, _text(store)
        amount = command.count or min(AT_ONCE, book.config.chapters - len(book.outline.entries))
        if amount < 1:
            raise UsageFault("outline-full", where=f"{command.book}/{FILE}", chapters=book.config.chapters)
        base = digest(f"{book.revision}\n{text}".encode())
        desk = ExtensionDesk(bench.desk.kit, book, bench.desk.context)
        record, state = _begun(door, bench, ExtensionState(amount=amount, base=base))
        job = _job(door, command, bench, record, ExtensionMachine(state, desk))
        machine = await drive(job)
        assert isinstance(machine, ExtensionMachine)
        state, record = machine.state, job.record
        if state.stage == "ask":
            raise Cancelled
        where = f"{command.book}/runs/{record.id}"
        if state.stage == "failed" and state.fault in ("refused", "filtered", "truncated"):
            raise ModelFault(state.fault, where=where, detail=state.detail)  # type: ignore[arg-type]
        if state.stage == "failed":
            raise InkosError("outline-unextended", where=where, detail=state.detail or state.fault)
        if not command.dry_run:
            note = record.model_copy(update={"note": ADDED, "revision": record.revision + 1})
            content = with_entries(text, state.entries, book.config.language).encode()
            expect = {FILE: digest(store.file(FILE) or b"")} if store.file(FILE) is not None else {FILE: ""}
            files: dict[str, bytes | None] = {FILE: content, f"runs/{record.id}/run.json": dump(note)}
            store.commit(FileSet(files=files, expect=expect))
        return OutlineExtended(
            book=command.book, run=record.id, dry_run=command.dry_run, entries=state.entries,
            left=len(entries_left(book.outline, _consumed(book))) + len(state.entries),
            calls=sum(a.status == "replied" for a in record.attempts()), tokens=record.tokens, money=record.money,
        )  # fmt: skip


def _begun(door: Door, bench: Bench, fresh: ExtensionState) -> tuple[RunRecord, ExtensionState]:
    """A run that asked the same of the same book and was stopped or only shown: its replies are paid for. Else a new
    one."""
    for run in reversed(list(bench.runs.list())):
        if not run.endswith("-outline"):
            continue
        record = RunRecord.model_validate_json(bench.runs.load(run))
        state = ExtensionState.model_validate(record.machine)
        same = (state.amount, state.base) == (fresh.amount, fresh.base)
        if same and (record.status in OPEN or (record.status == "completed" and record.note != ADDED)):
            return record, state
        break
    now = door.workspace.clock.now()
    return RunRecord(id=run_name(bench.runs, "outline"), kind="outline", book=bench.name, started=now, updated=now,
                     base_revision=bench.book.revision, machine=fresh.model_dump(mode="json")), fresh  # fmt: skip


def _job(door: Door, command: ExtendOutline, bench: Bench, record: RunRecord, machine: ExtensionMachine) -> Job:
    workspace, config = door.workspace, bench.book.config

    def nothing(*_: object) -> int:
        raise AssertionError("an extension commits nothing by itself")

    return Job(
        machine=machine, record=record, runs=bench.runs, models=workspace.models(config.roles), clock=workspace.clock,
        limiter=workspace.limiter, purse=workspace.purse, price=workspace.price,
        limits=limits(workspace.config.limits, config.limits, None, command.tokens), book=config.budget,
        elsewhere=elsewhere(bench.runs, record.id, config.budget) if config.budget else None, commit=nothing,
        emit=door.emit, stopped=door.stopped,
    )  # fmt: skip
