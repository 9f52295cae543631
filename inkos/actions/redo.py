"""The verbs that tell an accepted chapter anew: redo, insert, settle, takes, pick; knows not how a text is made."""

from __future__ import annotations

from pathlib import PurePosixPath

from pydantic import Field

from inkos.actions.bin import moves
from inkos.actions.chapter_run import (
    Bench,
    ChapterOutcome,
    before,
    given_chapter,
    load_run,
    new_record,
    next_chapter_id,
    open_bench,
    open_run,
    outcome_of,
    produce,
    reopen,
)
from inkos.actions.chapters import no_open_run, row_at
from inkos.actions.compare import resting_on
from inkos.actions.history import FileTouched, Later, Moved, stale_rows
from inkos.actions.published import held
from inkos.actions.retell import free_file
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState, given, start
from inkos.cycle.moves import begin as begin_state
from inkos.cycle.moves import gate_of
from inkos.cycle.outline_plan import plan_from_text
from inkos.cycle.ripple import marks
from inkos.errors import InkosError, UsageFault
from inkos.gates.verdict import better
from inkos.kernel.book import Book, ChapterEntry
from inkos.kernel.papers import OutlineBeat, OutlineEntry, Plan
from inkos.kernel.reduce import apply
from inkos.ports import BookStore, FileSet
from inkos.records import Record, digest, dump
from inkos.runs.machines import ChapterMachine
from inkos.runs.record import RunRecord
from inkos.text.split import heading_and_prose


class Retold(Record):
    """What came of telling a chapter anew. `moved` is what it did to the book (null while the chapter waits for a
    person, and where nothing was made)."""

    book: str
    outcome: ChapterOutcome | None = None
    moved: Moved | None = None
    takes: tuple[int, ...] = ()


class Redo(Record):
    """`takes`: how many samples of one plan to draw; the best becomes canon, all are kept. `length` in the book's
    counting unit. `plan_from`: `model`, `outline`, or `kept` for the plan that the chapter was written by."""

    book: str
    chapter: int
    takes: int = 1
    steer: str = ""
    length: int | None = Field(default=None, ge=100, le=50_000)
    tokens: int | None = None
    plan_from: str = "model"
    erratum: str = ""
    dry_run: bool = False


@action("write-redo", Redo, Retold, "pays", undo="chapter undo")
async def redo(door: Door, command: Redo) -> Retold:
    """Write an accepted chapter again, on the state before it. The old one goes to the bin, later ones stay."""
    if command.takes < 1:
        raise UsageFault("count-below-one", where="--takes", count=command.takes)
    store = door.workspace.store(command.book)
    with store.hold("write redo"):
        book = store.read()
        row = row_at(book, command.book, command.chapter)
        check_lock(row, command.chapter, command.erratum)
        if command.dry_run:
            return Retold(book=command.book, moved=preview(door, store, book, command.book, command.chapter, "redo"))
        record = open_run(door.workspace.runs(command.book))
        if record is not None and record.chapter == row.id and record.status != "needs-review":
            bench = reopen(door, command.book, store, record)
        else:
            no_open_run(door, command.book)
            bench, record = _begin_again(door, command, store, book, row)
        machine, record, takes = await go_on(door, command.book, store, bench, record, tokens=command.tokens)
        notes = {f"take {number}" for number in takes}  # each take had a run of its own, which cost something
        runs = [load_run(bench.runs, run) for run in bench.runs.list() if takes and run.endswith(f"-{row.id}")]
        outcome = outcome_of(bench, machine, record, [run for run in runs if run.note in notes and run.id != record.id])
        return retold(store, command.book, outcome).model_copy(update={"takes": takes})


def check_lock(row: ChapterEntry, position: int, erratum: str) -> None:
    """Before anything is paid for."""
    if row.locked and not erratum.strip():
        raise held(row, position)


def _begin_again(
    door: Door, command: Redo, store: BookStore, book: Book, row: ChapterEntry
) -> tuple[Bench, RunRecord]:
    bench = open_bench(door, command.book, store, before(door, store, book, command.chapter))
    entry, following = _entries(book, row)
    plan_from = "outline" if command.plan_from == "outline" else "model"
    state = start(bench.desk, row.id, entry, following, target=command.length, steer=command.steer,
                  plan_from=plan_from)  # type: ignore[arg-type]  # fmt: skip
    state = begin_state(state, bench.desk)
    if command.plan_from == "kept":
        state = state.but(plan=kept_plan(store, row, state.target), stage="draft")
    first = len(take_numbers(store, row.id)) + 1
    state = state.but(place="again", erratum=command.erratum, take=first if command.takes > 1 else 0,
                      takes=first + command.takes - 1 if command.takes > 1 else 0)  # fmt: skip
    return bench, new_record(bench, state)


def kept_plan(store: BookStore, row: ChapterEntry, target: int) -> Plan:
    paper = store.chapter_file(row.id, "plan.json")
    if paper is None:
        raise InkosError("plan-missing", where=f"story/chapters/{row.id}/plan.json", chapter=row.id)
    return Plan.model_validate_json(paper).model_copy(update={"target": target})


def _entries(book: Book, row: ChapterEntry) -> tuple[OutlineEntry, OutlineEntry | None]:
    """The chapter's outline entry, or one made of its title, and the entry behind it."""
    entries = book.outline.entries
    for number, entry in enumerate(entries):
        if entry.key == row.outline_key:
            return entry, entries[number + 1] if number + 1 < len(entries) else None
    return OutlineEntry(key=row.outline_key, title=row.title), None


def preview(door: Door, store: BookStore, book: Book, name: str, position: int, what: str) -> Moved:
    """What telling a chapter anew would reach, as far as it can be known before there is a text."""
    row = book.index.chapters[position - 1]
    found = marks(resting_on(door, store, book, position), row.id, "")
    later = [
        Later(position=number, title=other.title, chapter=other.id, locked=other.locked, stale=found[other.id])
        for number, other in enumerate(book.index.chapters, 1)
        if other.id in found
    ]
    return Moved(
        book=name, what=what, dry_run=True, position=position, title=row.title, later=tuple(later),
        files=(FileTouched(path=row.file, how="changed"),), untouched=len(book.index.chapters) - position - len(later),
    )  # fmt: skip


def retold(store: BookStore, name: str, outcome: ChapterOutcome) -> Retold:
    """The outcome with what the move did to later chapters, read off the index."""
    index = store.index()
    if outcome.stage != "accepted":
        return Retold(book=name, outcome=outcome)
    last = moves(store)[-1]
    position = index.position(outcome.chapter)
    later = stale_rows(index.chapters, position + 1)
    files = tuple(FileTouched(path=path, how="added" if path in last.added else "changed") for path in last.digests)
    moved = Moved(book=name, what=last.what, dry_run=False, move=last.id, position=position, title=outcome.title,
                  files=files, later=later, untouched=len(index.chapters) - position - len(later))  # fmt: skip
    return Retold(book=name, outcome=outcome, moved=moved)


# ── takes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def take_numbers(store: BookStore, chapter: str) -> list[int]:
    names = [PurePosixPath(path) for path in store.names(f"story/chapters/{chapter}/takes")]
    return sorted(int(path.stem) for path in names if path.suffix == ".json" and path.stem.isdecimal())


def load_take(store: BookStore, chapter: str, number: int) -> ChapterState:
    path = f"story/chapters/{chapter}/takes/{number}.json"
    content = store.file(path)
    if content is None:
        known = ", ".join(map(str, take_numbers(store, chapter))) or "–"
        raise UsageFault("choice", where="TAKE", given=number, allowed=known)
    try:
        return ChapterState.model_validate_json(content)
    except ValueError as fault:
        raise InkosError("file-damaged", where=path, detail=str(fault)[:200]) from fault


async def go_on(
    door: Door, name: str, store: BookStore, bench: Bench, record: RunRecord, *, tokens: int | None = None,
    insist: bool = False,
) -> tuple[ChapterMachine, RunRecord, tuple[int, ...]]:  # fmt: skip
    """Drive a run to its end. One that draws takes has them drawn, judged and kept one after the other, and the best
    taken; their numbers come last. Each take is kept together with the run that follows it, so that whoever goes on
    after a stop draws none of them again."""
    while (state := ChapterState.model_validate(record.machine)).takes:
        machine, record = await produce(
            door, bench, record, tokens=tokens, insist=insist, until=lambda m: m.stage in ("commit", "hold")
        )
        state = machine.state
        drawn = (*state.drawn, state.take)
        if state.take < state.takes:
            following = start(bench.desk, state.chapter, state.entry, state.next_entry, target=state.target)
            following = following.but(
                plan=state.plan, stage="draft", place="again", erratum=state.erratum, steer=state.steer,
                take=state.take + 1, takes=state.takes, drawn=drawn,
            )  # fmt: skip
        else:
            kept = [load_take(store, state.chapter, number) for number in drawn[:-1]]
            following = _taking(bench, _best(bench, [*kept, state])).but(drawn=drawn)
        record = _keep_take(door, store, bench, state, record, following)
    machine, record = await produce(door, bench, record, tokens=tokens, insist=insist)
    return machine, record, state.drawn


def _keep_take(
    door: Door, store: BookStore, bench: Bench, state: ChapterState, record: RunRecord, following: ChapterState
) -> RunRecord:
    """Keep a take, end its run and begin the next, in one step; the next one's record."""
    folder = f"story/chapters/{state.chapter}/takes"
    update = {"status": "completed", "note": f"take {state.take}", "revision": record.revision + 1}
    ended = record.model_copy(update={**update, "updated": door.workspace.clock.now()})
    begun = new_record(bench, following)
    text = state.version(state.best).text
    store.commit(
        FileSet(files={f"{folder}/{state.take}.json": dump(state), f"{folder}/{state.take}.md": f"{text}\n".encode(),
                       f"runs/{record.id}/run.json": dump(ended), f"runs/{begun.id}/run.json": dump(begun)})
    )  # fmt: skip
    return begun


def _best(bench: Bench, states: list[ChapterState]) -> ChapterState:
    config = bench.book.config
    best = states[0]
    for other in states[1:]:
        one, two = best.version(best.best), other.version(other.best)
        if better(one, two, gate_of(bench.desk).margin, target=best.target, hard=config.length.hard) is two:
            best = other
    return best


def _taking(bench: Bench, state: ChapterState) -> ChapterState:
    """A kept take on its way to canon. What it was judged on may have changed: then it is settled again first."""
    best = state.version(state.best)
    delta = best.assessment.delta if best.assessment else None
    here = bench.book.state.last_applied_chapter + 1
    state = state.but(position=here, takes=0)
    if delta is not None:
        delta = delta.model_copy(update={"position": here, "waivers": state.waivers})
    if delta is None or apply(bench.desk.book.state, delta, best.text, bench.desk.rules).state is None:
        assert state.plan is not None
        again = given(bench.desk, state.chapter, state.entry, best.text, state.plan, "settle")
        state = again.but(erratum=state.erratum, take=state.take)
    return state


class OfTakes(Record):
    book: str
    chapter: int


class TakeRow(Record):
    """`chosen`: its text is the chapter's now."""

    number: int
    score: float | None
    words: int
    blocking: int
    findings: int
    file: str
    chosen: bool


class Takes(Record):
    book: str
    chapter: int
    takes: tuple[TakeRow, ...]


@action("chapter-takes", OfTakes, Takes, "reads")
async def list_takes(door: Door, command: OfTakes) -> Takes:
    store = door.workspace.store(command.book)
    row = row_at(store.read(recent=0), command.book, command.chapter)
    text = store.text(row.id)
    rows = []
    for number in take_numbers(store, row.id):
        state = load_take(store, row.id, number)
        best = state.version(state.best)
        judged = best.assessment
        rows.append(
            TakeRow(number=number, score=judged.score if judged else None, words=judged.length if judged else 0,
                    blocking=len(judged.blocking) if judged else 0, findings=len(judged.findings) if judged else 0,
                    file=f"story/chapters/{row.id}/takes/{number}.md", chosen=best.text.strip() == text.strip())
        )  # fmt: skip
    return Takes(book=command.book, chapter=command.chapter, takes=tuple(rows))


class Pick(Record):
    book: str
    chapter: int
    take: int
    erratum: str = ""
    dry_run: bool = False


@action("chapter-pick", Pick, Retold, "pays", undo="chapter undo")
async def pick(door: Door, command: Pick) -> Retold:
    """Make another take the chapter. No call, unless the state before the chapter has changed since it was judged."""
    store = door.workspace.store(command.book)
    with store.hold("chapter pick"):
        no_open_run(door, command.book)
        book = store.read()
        row = row_at(book, command.book, command.chapter)
        check_lock(row, command.chapter, command.erratum)
        state = load_take(store, row.id, command.take)
        if command.dry_run:
            return Retold(book=command.book, moved=preview(door, store, book, command.book, command.chapter, "pick"))
        bench = open_bench(door, command.book, store, before(door, store, book, command.chapter))
        stage = "hold" if state.status == "needs-review" else "commit"
        state = _taking(bench, state.but(erratum=command.erratum, stage=stage))
        machine, record = await produce(door, bench, new_record(bench, state))
        return retold(store, command.book, outcome_of(bench, machine, record))


# ── insert, settle ───────────────────────────────────────────────────────────────────────────────────────────────────


class Insert(Record):
    """`after`: the position behind which the new chapter stands, 0 for the beginning. `text`: the author's own, as a
    chapter file; empty: it is written, from `title` and `steer`."""

    book: str
    after: int
    title: str = ""
    steer: str = ""
    text: str = ""
    length: int | None = Field(default=None, ge=100, le=50_000)
    tokens: int | None = None
    dry_run: bool = False


@action("chapter-insert", Insert, Retold, "pays", undo="chapter undo")
async def insert(door: Door, command: Insert) -> Retold:
    """A new chapter between others. No file is renamed; the new one is named after the one before it."""
    store = door.workspace.store(command.book)
    with store.hold("chapter insert"):
        book = store.read()
        rows = list(book.index.chapters)
        if not 0 <= command.after <= len(rows):
            raise UsageFault("position-unknown", where=command.book, chapter=command.after, last=len(rows))
        for position, row in enumerate(rows[command.after :], command.after + 1):
            if row.published:  # readers know it by its number
                raise InkosError("published-behind", where=row.file, chapter=position, title=row.title)
        heading, prose = heading_and_prose(command.text)
        title = command.title or heading
        if not (title or command.steer):
            raise UsageFault("insert-what", where=command.book)
        file = free_file(store, rows, command.after)
        if command.dry_run:
            moved = Moved(
                book=command.book, what="insert", dry_run=True, position=command.after + 1, title=title,
                files=(FileTouched(path=file, how="added"),), untouched=len(rows) - command.after,
            )  # fmt: skip
            return Retold(book=command.book, moved=moved)
        no_open_run(door, command.book)
        bench, record = _begin_between(door, command, store, book, title, prose.strip(), file)
        machine, record = await produce(door, bench, record, tokens=command.tokens)
        return retold(store, command.book, outcome_of(bench, machine, record))


def _begin_between(
    door: Door, command: Insert, store: BookStore, book: Book, title: str, prose: str, file: str
) -> tuple[Bench, RunRecord]:
    bench = open_bench(door, command.book, store, before(door, store, book, command.after + 1))
    chapter = next_chapter_id(bench)
    beat = command.steer or title
    key = f"inserted/{chapter}"
    entry = OutlineEntry(key=key, title=title or beat, beats=(OutlineBeat(key=f"{key}#1", handle="o1", text=beat),))
    if prose:
        plan = plan_from_text(bench.book, title, prose, command.length or book.config.length.target)
        state = given(bench.desk, chapter, entry.model_copy(update={"beats": ()}), prose, plan, "settle")
    else:
        state = start(bench.desk, chapter, entry, None, target=command.length, steer=command.steer)
    return bench, new_record(bench, state.but(place="insert", file=file))


async def settle_existing(
    door: Door, name: str, store: BookStore, book: Book, position: int, erratum: str = ""
) -> ChapterOutcome:
    """Settle an accepted chapter again from its file as it stands now, edited by hand or not."""
    no_open_run(door, name)
    row = book.index.chapters[position - 1]
    if digest(store.file(row.file) or b"") != row.text_digest:  # the published text would change
        check_lock(row, position, erratum)
    earlier, state = given_chapter(door, name, store, book, position, "settle")
    machine, record = await produce(door, earlier, new_record(earlier, state.but(erratum=erratum)))
    return outcome_of(earlier, machine, record)

