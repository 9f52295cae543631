"""The verbs that make books and list them; does not know how a founder is asked or how a book lies on disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from inkos.actions.table import Door, action
from inkos.config import BookConfig, LengthConfig
from inkos.cycle.foundation import FoundationState, FoundingDesk, start
from inkos.cycle.own_files import from_files
from inkos.errors import Cancelled, InkosError, ModelFault, UsageFault
from inkos.kernel.findings import Finding
from inkos.kernel.ids import mint
from inkos.kernel.outline import parse_outline
from inkos.kernel.papers import Founded
from inkos.kernel.reduce import apply
from inkos.kernel.story import Entity, StoryState
from inkos.messages import Language
from inkos.ports import RunStore
from inkos.records import Record, dump
from inkos.runs.drive import drive
from inkos.runs.job import Job
from inkos.runs.machines import FoundationMachine
from inkos.runs.record import OPEN, RunRecord
from inkos.text.lang import language_of

BOOK_FILE = "book.yaml"
OWN_FILES = frozenset({"intent.md", "focus.md", "outline.md", "genesis.json"})
LEAST, MOST = 200, 20_000  # characters of a brief
TARGETS: dict[Language, int] = {"zh": 2500, "en": 2200}  # a chapter as serials publish it (design/craft.md §1)


class CreateBook(Record):
    """`name`: folder name, empty: made from the title. `brief` is its text, or `files` the author's own (path → text)
    from `folder`.
    `language` empty: told from the text. `routes`: role → route, where they are not the workspace's.
    `tag`: keeps the runs of books apart that are founded at the same time. `settings`: the author's own book.yaml, read
    from `files` where it lies among them."""

    name: str = ""
    brief: str = ""
    brief_file: str = ""
    files: dict[str, str] = {}
    folder: str = ""
    title: str = ""
    language: Literal["", "en", "zh"] = ""
    genre: str = "general"
    chapters: int = Field(default=100, ge=1, le=100_000)
    length: int | None = Field(default=None, ge=100, le=50_000)
    author: str = ""
    form: Literal["serial", "standalone"] = "serial"
    routes: dict[str, str] = {}
    tag: str = ""
    settings: BookConfig | None = None


class Created(Record):
    book: str
    folder: str
    title: str
    language: Language
    rehearsal: bool
    cast: int
    facts: int
    hooks: int
    entries: int
    findings: tuple[Finding, ...]
    suggestions: tuple[str, ...]
    run: str = ""


@action("book-create", CreateBook, Created, "pays", undo="book delete")
async def create(door: Door, command: CreateBook) -> Created:
    """Found a book. Nothing of it exists before it is whole; replies are kept in the workspace's runs."""
    workspace = door.workspace
    command = _with_settings(door, command)
    if command.files:
        _check_files(command)
    else:
        characters = len(command.brief.strip())
        if not LEAST <= characters <= MOST:
            raise UsageFault("brief-length", where=command.brief_file, characters=characters)
    text = command.brief or "\n".join(command.files.values())
    language: Language = command.language or ("zh" if language_of(text) == "zh" else "en")
    told = language_of(text)
    if command.brief and told not in (language, "other"):
        raise UsageFault("brief-language", where=command.brief_file, told=told, language=language)
    title = command.title or (heading(command.brief) if command.brief else command.name)
    name = command.name or workspace.free_name(title)
    workspace.check_new(name)
    config = BookConfig(
        id=name, title=title or name, author=command.author, language=language, genre=command.genre, form=command.form,
        chapters=command.chapters, length=LengthConfig(target=command.length or TARGETS[language]),
    )  # fmt: skip
    if command.settings is not None:  # the author's own file, and over it what the command says
        config = command.settings.model_copy(update={key: getattr(config, key) for key in (
            "id", "title", "author", "language", "genre", "form", "chapters")})  # fmt: skip
        config = config.model_copy(
            update={"length": config.length.model_copy(update={"target": command.length})} if command.length else {}
        )
    workspace.rules(config)  # an unknown genre is told before anybody is asked
    if command.files:
        founded, run = from_files(command.files, config=config, packs=workspace.packs(config.genre)), ""
    else:
        founded, run = await _asked(door, command, config)
    config = config.model_copy(update={"rehearsal": workspace.rehearses()})
    created = _make(door, name, config, founded, run)
    if run:
        _made(workspace.runs(None), run)
    return created


def _with_settings(door: Door, command: CreateBook) -> CreateBook:
    """The command with the book.yaml among the author's files; what the command itself says stands over it."""
    text = command.files.get(BOOK_FILE)
    if text is None:
        return command
    settings = door.workspace.book_settings(text, f"{command.folder}/{BOOK_FILE}".lstrip("/"))
    plain = CreateBook()
    own = {key: getattr(settings, key) for key in ("title", "author", "language", "genre", "form", "chapters")
           if getattr(command, key) == getattr(plain, key)}  # fmt: skip
    files = {path: text for path, text in command.files.items() if path != BOOK_FILE}
    return command.model_copy(update={**own, "files": files, "settings": settings})


def _check_files(command: CreateBook) -> None:
    """UsageFault where nothing of a book is among the author's files."""
    if not any(path in OWN_FILES or path.startswith("bible/") for path in command.files):
        raise UsageFault("found-files", where=command.folder, count=len(command.files))


def heading(text: str) -> str:
    """The first line as a title, when it is one: a Markdown heading, or a short line of its own."""
    first = text.strip().split("\n", 1)[0].strip()
    if first.startswith("#"):
        return first.lstrip("#").strip()
    return first.strip("《》") if len(first) <= 40 and not first.endswith(("。", ".", "，", ",")) else ""


async def _asked(door: Door, command: CreateBook, config: BookConfig) -> tuple[Founded, str]:
    """Ask the founder, in a run of the workspace."""
    workspace = door.workspace
    runs = workspace.runs(None)
    words = workspace.messages(config.language)
    desk = FoundingDesk(workspace.kit(config.language, {}), words, workspace.packs(config.genre))
    names = [entity.name for book in workspace.books() for entity in _people(door, book)]
    machine = FoundationMachine(start(command.brief, config, title_fixed=bool(command.title), taken_names=names), desk)
    record, machine = _taken_up(runs, machine) or (_new_record(door, runs, machine, command.tag), machine)
    job = Job(
        machine=machine, record=record, runs=runs, models=workspace.models(command.routes), clock=workspace.clock,
        limiter=workspace.limiter, purse=workspace.purse, price=workspace.price,
        limits=workspace.config.limits, commit=_nothing, emit=door.emit, stopped=door.stopped,
    )  # fmt: skip
    done = await drive(job)
    assert isinstance(done, FoundationMachine)
    state: FoundationState = done.state
    where = f"{workspace.root}/.inkos/runs/{record.id}"
    if state.founded is not None:
        return state.founded, record.id
    if state.stage == "failed" and state.fault in ("refused", "filtered", "truncated"):
        raise ModelFault(state.fault, where=where, detail=state.detail)  # type: ignore[arg-type]
    if state.stage == "failed":
        raise InkosError("founding-failed", where=where, detail="; ".join((state.fault, *state.notes[-3:])))
    raise Cancelled


def _new_record(door: Door, runs: RunStore, machine: FoundationMachine, tag: str) -> RunRecord:
    number = max([int(run.split("-", 1)[0]) for run in runs.list()], default=0) + 1
    now = door.workspace.clock.now()
    return RunRecord(id="-".join((f"{number:05d}", *filter(None, [tag]), "founding")), kind="founding",
                     book=machine.state.config.id, started=now, updated=now, machine=machine.dump())  # fmt: skip


MADE = "made"  # the note of a founding whose book exists: it is never used again


def _taken_up(runs: RunStore, fresh: FoundationMachine) -> tuple[RunRecord, FoundationMachine] | None:
    """A founding of the same book from the same brief that was stopped before the book was there: its replies are paid
    for. A record that cannot be read is passed over."""
    wanted = fresh.state
    for run in reversed(list(runs.list())):
        try:
            record = RunRecord.model_validate_json(runs.load(run))
            state = FoundationState.model_validate(record.machine)
        except (InkosError, ValueError):
            continue
        going = record.status in OPEN or (record.status == "completed" and record.note != MADE)
        same = (state.brief, state.config, state.title_fixed) == (wanted.brief, wanted.config, wanted.title_fixed)
        if going and same:  # names that other books took meanwhile do not make what was paid for worthless
            return record, FoundationMachine(state, fresh.desk)
    return None


def _made(runs: RunStore, run: str) -> None:
    record = RunRecord.model_validate_json(runs.load(run))
    runs.save(run, dump(record.model_copy(update={"note": MADE, "revision": record.revision + 1})))


def _nothing(*_: object) -> int:
    raise AssertionError("a founding commits nothing by itself")


def _people(door: Door, book: str) -> list[Entity]:
    """People of another book; a book that cannot be read has none to avoid."""
    try:
        state = door.workspace.store(book).read(recent=0).state
    except InkosError:
        return []
    return [entity for entity in state.entities.values() if entity.kind == "person"]


def _make(door: Door, name: str, config: BookConfig, founded: Founded, run: str) -> Created:
    workspace = door.workspace
    config = config.model_copy(
        update={"title": founded.title or config.title, "style": founded.style or config.style,
                "predicates": {**config.predicates, **founded.predicates}}
    )  # fmt: skip
    rules = workspace.rules(config)
    genesis, minted = mint(founded.genesis, {})
    genesis = genesis.model_copy(update={"rules_digest": rules.digest})
    bible = {path: text for path, text in founded.files.items() if path.startswith("bible/")}
    empty = StoryState(book_id=config.id, language=config.language)
    reduced = apply(empty, genesis, "", rules, sources=bible)
    if reduced.state is None or reduced.history is None:
        told = ", ".join(f"{f.code} {f.path}" for f in reduced.findings if f.blocking)
        raise InkosError("founding-failed", where=name, detail=told)
    workspace.create(name, config, founded.files, genesis, reduced.state, reduced.history, minted)
    return Created(
        book=name, folder=workspace.book_folder(name), title=config.title, language=config.language,
        rehearsal=config.rehearsal,
        cast=sum(1 for e in reduced.state.entities.values() if e.kind == "person"),
        facts=len(reduced.state.facts), hooks=len(reduced.state.hooks),
        entries=len(parse_outline(founded.files.get("outline.md", "")).entries),
        findings=founded.findings, suggestions=founded.suggestions, run=run,
    )  # fmt: skip


class WorkspaceMade(Record):
    root: str


class ListBooks(Record):
    pass


class BookRow(Record):
    book: str
    title: str
    language: Language
    chapters: int
    words: int


class OpenFounding(Record):
    """A founding that was stopped: its replies are paid, and the same `book create` takes it up."""

    run: str
    book: str
    stage: str


class Books(Record):
    """`broken`: books that cannot be read; they are listed all the same."""

    books: tuple[BookRow, ...]
    broken: tuple[str, ...]
    foundings: tuple[OpenFounding, ...] = ()


@action("book-list", ListBooks, Books, "reads")
async def list_books(door: Door, command: ListBooks) -> Books:
    rows, broken = [], []
    for name in door.workspace.books():
        try:
            book = door.workspace.store(name).read(recent=0)
        except InkosError:
            broken.append(name)
            continue
        words = sum(c.words for c in book.index.chapters)
        rows.append(BookRow(book=name, title=book.config.title, language=book.config.language,
                            chapters=len(book.index.chapters), words=words))  # fmt: skip
    return Books(books=tuple(rows), broken=tuple(broken), foundings=tuple(_open_foundings(door)))


def _open_foundings(door: Door) -> Iterator[OpenFounding]:
    """The foundings of the workspace that have not ended; a record that cannot be read is passed over."""
    runs = door.workspace.runs(None)
    for run in runs.list():
        try:
            record = RunRecord.model_validate_json(runs.load(run))
        except (InkosError, ValueError):
            continue
        if record.kind == "founding" and record.status in OPEN:
            yield OpenFounding(run=run, book=record.book, stage=record.stage)
