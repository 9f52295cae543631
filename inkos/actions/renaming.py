"""The verb that gives an entity another name, in every chapter and in the state; rewrites no file of the author's."""

from __future__ import annotations

from dataclasses import dataclass, field

from inkos.actions.chapters import changing, now
from inkos.actions.history import Change, Moved, carry_out
from inkos.actions.table import Door, action
from inkos.cycle.rename import (
    Left,
    Place,
    bearers,
    places,
    proven,
    quotes_of,
    renamed_delta,
    replaced,
    sentence_at,
    short_forms,
    short_places,
)
from inkos.errors import InkosError, UsageFault
from inkos.kernel.book import Book, ChapterEntry
from inkos.kernel.delta import Delta
from inkos.kernel.story import Entity
from inkos.ports import BookStore
from inkos.records import GENESIS, Record, digest
from inkos.text.count import count
from inkos.text.quotes import find
from inkos.text.segment import sentences
from inkos.text.split import heading_and_prose


class Rename(Record):
    """`old`: a name, an alias or a handle."""

    book: str
    old: str
    new: str
    erratum: str = ""
    dry_run: bool = False


class Renamed(Record):
    """`count`: places changed in the manuscript; `left`: places that were not, each with the reason."""

    book: str
    old: str
    new: str
    dry_run: bool
    count: int
    files: tuple[str, ...]
    left: tuple[Left, ...]
    moved: Moved


@dataclass
class Work:
    """One renaming: what is found and what comes of it, chapter by chapter."""

    book: Book
    entity: Entity
    old: str
    new: str
    others: list[Entity]
    rows: list[ChapterEntry] = field(default_factory=list)
    files: dict[str, bytes | None] = field(default_factory=dict)
    quotes: dict[str, dict[str, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    left: list[Left] = field(default_factory=list)
    count: int = 0

    def look(self, text: str) -> list[Place]:
        return places(text, self.old, self.entity, self.others, self.book.config.language)

    def leave(self, path: str, text: str, found: list[Place]) -> None:
        """Note what is left in a file: places of the name, and of parts of it that may mean the same one."""
        language = self.book.config.language
        left = [(p, self.old) for p in found if p.why]
        for short in short_forms(self.entity, self.old, self.new):
            left += [(p, short) for p in short_places(text, short, self.entity, self.others, language)]
        spans = sentences(text, language) if left else []
        self.left += [Left(path=path, why=p.why, words=sentence_at(text, p, spans), name=n) for p, n in left]

    def kept(self) -> list[str]:
        """Names that still stand in the manuscript or the author's files and mean this one, or may."""
        told = [left.name for left in self.left if left.name == self.old or left.path.startswith("chapters/")]
        theirs = {name for other in self.others for name in (other.name, *other.aliases)}
        return [name for name in dict.fromkeys(told) if name == self.old or name not in theirs]


@action("entity-rename", Rename, Renamed, "writes", undo="chapter undo")
async def rename(door: Door, command: Rename) -> Renamed:
    """Names change where they surely mean this one; every other place is shown and left."""
    with changing(door, command.book, "entity rename") as (store, book, rules):
        work = _begin(command, book)
        for row in book.index.chapters:
            _chapter(work, store, row, locked=row.locked and not command.erratum.strip())
        _own_files(work, store)
        deltas = _deltas(work, store)
        touched = tuple(row.id for row in book.index.chapters if row.file in work.files) or (GENESIS,)
        change = Change(
            what="rename", rows=tuple(work.rows), touched=touched, at=now(door), deltas=deltas, files=work.files,
            reason=command.erratum, rests=False,
        )  # fmt: skip
        moved = carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)
        return Renamed(book=command.book, old=work.old, new=work.new, dry_run=command.dry_run, count=work.count,
                       files=tuple(work.files), left=tuple(work.left), moved=moved)  # fmt: skip


def _begin(command: Rename, book: Book) -> Work:
    new = " ".join(command.new.split())
    found = bearers(book.state, command.old)
    if not found or not new:
        raise UsageFault("name-unknown", where=command.book, name=command.old if not found else command.new)
    if len(found) > 1:
        candidates = ", ".join(f"{entity.handle} {entity.name}" for entity in found)
        raise UsageFault("name-shared", where=command.book, name=command.old, candidates=candidates)
    entity = found[0]
    taken = [other for other in bearers(book.state, new) if other.id != entity.id]
    if taken:
        raise UsageFault("rename-taken", where=command.book, name=new, bearer=taken[0].handle)
    old = entity.name if command.old in (entity.handle, entity.id) else command.old
    others = [other for other in book.state.entities.values() if other.id != entity.id]
    return Work(book, entity, old, new, others)


def _chapter(work: Work, store: BookStore, row: ChapterEntry, *, locked: bool) -> None:
    content = store.file(row.file)
    if content is None:
        raise InkosError("file-missing", where=row.file)
    text = content.decode("utf-8-sig").replace("\r\n", "\n")
    found = [place._replace(why="locked") if locked else place for place in work.look(text)]
    work.leave(row.file, text, found)
    if digest(content) != row.text_digest and any(not place.why for place in found):
        raise InkosError("chapter-unsettled", where=row.file, chapter=work.book.index.position(row.id))
    made = replaced(text, found, work.new)
    if made == text:
        work.rows.append(row)
        return
    work.count += sum(1 for place in found if not place.why)
    work.files[row.file] = made.encode()
    title, _ = heading_and_prose(made)
    prose = store.prose(row.file, made.encode())
    config = work.book.config
    words = count(prose, config.language, punctuation=config.length.count_punctuation)
    work.rows.append(row.model_copy(update={"title": title or row.title, "words": words}))
    work.texts[row.id] = prose
    before = store.prose(row.file, content)
    spots = work.look(before)
    quotes: dict[str, str] = {}
    for delta in (store.delta(row.id), *store.author_deltas(row.id)):
        for quote in quotes_of(delta):
            quotes[quote] = _quote(before, quote, spots, work.new)
    work.quotes[row.id] = quotes


def _quote(text: str, quote: str, spots: list[Place], new: str) -> str:
    """A quote as the text has it afterwards."""
    spans = find(quote, text)
    if not spans:
        return quote
    start, end = spans[0]
    inside = [Place(p.start - start, p.end - start, p.why) for p in spots if start <= p.start and p.end <= end]
    return replaced(text[start:end], inside, new) if inside else quote


def _own_files(work: Work, store: BookStore) -> None:
    """The author's own files are not rewritten; they are named where the old name stands in them."""
    paths = [path for path, _ in work.book.bible]
    for path in [*paths, "outline.md", "intent.md", "focus.md", *store.names("prompts")]:
        text = (store.file(path) or b"").decode("utf-8-sig", errors="replace")
        work.leave(path, text, [place._replace(why="own") for place in work.look(text)])


def _deltas(work: Work, store: BookStore) -> dict[str, Delta]:
    """Every delta that changes with the name: the texts' own, and the one that introduced the entity."""
    kept = work.kept()
    made: dict[str, Delta] = {}
    for chapter in (GENESIS, *(row.id for row in work.book.index.chapters)):
        was = proven(store.delta(chapter)) if chapter == GENESIS else store.delta(chapter)
        quotes = work.quotes.get(chapter, {})
        now = renamed_delta(was, work.entity.id, work.old, work.new, quotes, kept)
        if chapter in work.texts:
            now = now.model_copy(update={"text_digest": digest(work.texts[chapter])})
        if now != was:
            made[chapter] = now
    return made
