"""The verbs on accepted chapters that need no model: delete, move, lock, keep, undo; works nothing out itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from inkos.actions.bin import BIN, Binned, changed_since, find, moves
from inkos.actions.chapter_run import iso, open_run
from inkos.actions.history import Change, Moved, carry_out
from inkos.actions.published import held
from inkos.actions.retell import free_file
from inkos.actions.table import Door, action
from inkos.actions.telling import Anew, state_before, told_chapters
from inkos.cycle.refold import refold
from inkos.errors import InkosError, UsageFault
from inkos.kernel.book import Book, ChapterEntry
from inkos.kernel.rules import Rules
from inkos.ports import BookStore
from inkos.records import GENESIS, Record


def row_at(book: Book, name: str, position: int) -> ChapterEntry:
    """An accepted chapter by its position. UsageFault where there is none."""
    rows = book.index.chapters
    if not 1 <= position <= len(rows):
        raise UsageFault("position-unknown", where=name, chapter=position, last=len(rows))
    return rows[position - 1]


def no_open_run(door: Door, name: str, *, but: str = "") -> None:
    """A chapter in work was planned on the book as it is: it is finished or given up before the book changes. `but`:
    the purpose of a run that may be open. The ways on differ: one that waits for a person goes on by their decision."""
    record = open_run(door.workspace.runs(name))
    if record is None or (but and record.machine.get("purpose") == but):
        return
    code = "run-open-review" if record.status == "needs-review" else "run-open"
    raise InkosError(code, where=f"{name}: {record.id}", run=record.id, book=name, status=record.status)


@contextmanager
def changing(door: Door, name: str, doing: str) -> Iterator[tuple[BookStore, Book, Rules]]:
    """A book held for a change of its history, with no chapter in work, and the rules it is folded by."""
    store = door.workspace.store(name)
    with store.hold(doing):
        no_open_run(door, name)
        book = store.read(recent=0)
        yield store, book, door.workspace.rules(book.config)


def now(door: Door) -> str:
    return iso(door.workspace.clock.now())


class OfChapter(Record):
    """`erratum`: why a locked chapter changes. `dry_run`: show what would happen and write nothing."""

    book: str
    chapter: int
    erratum: str = ""
    dry_run: bool = False


@action("chapter-delete", OfChapter, Moved, "destroys", undo="chapter undo")
async def delete(door: Door, command: OfChapter) -> Moved:
    """Take a chapter out. Its file and papers go to the bin; later ones keep their files and are folded anew."""
    with changing(door, command.book, "chapter delete") as (store, book, rules):
        row = row_at(book, command.book, command.chapter)
        files: dict[str, bytes | None] = dict.fromkeys(papers_of_chapter(store, row.id))
        change = Change(
            what="delete", rows=tuple(each for each in book.index.chapters if each.id != row.id), touched=(row.id,),
            at=now(door), files={**files, row.file: None}, reason=command.erratum,
        )  # fmt: skip
        return carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)


def papers_of_chapter(store: BookStore, chapter: str) -> list[str]:
    folder = f"story/chapters/{chapter}"
    return [path for sub in ("", "/review", "/takes") for path in store.names(folder + sub)]


class MoveChapter(OfChapter):
    to: int


@action("chapter-move", MoveChapter, Moved, "writes", undo="chapter undo")
async def move(door: Door, command: MoveChapter) -> Moved:
    """Put a chapter at another position. No file is renamed; the order stands in the index."""
    with changing(door, command.book, "chapter move") as (store, book, rules):
        row = row_at(book, command.book, command.chapter)
        row_at(book, command.book, command.to)
        rows = [each for each in book.index.chapters if each.id != row.id]
        rows.insert(command.to - 1, row)
        if tuple(rows) == book.index.chapters:
            raise UsageFault("move-nowhere", where=command.book, chapter=command.chapter)
        change = Change(what="move", rows=tuple(rows), touched=(row.id,), at=now(door), reason=command.erratum)
        return carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)


class LockChapter(OfChapter):
    locked: bool


@action("chapter-lock", LockChapter, Moved, "writes", undo="chapter unlock")
async def lock(door: Door, command: LockChapter) -> Moved:
    """Mark a chapter as published, or take the mark off."""
    store = door.workspace.store(command.book)
    with store.hold("chapter lock"):
        book = store.read(recent=0)
        row = row_at(book, command.book, command.chapter)
        if row.published and not command.locked:
            raise held(row, command.chapter)
        rows = tuple(
            each.model_copy(update={"locked": command.locked}) if each.id == row.id else each
            for each in book.index.chapters
        )
        change = Change(what="lock" if command.locked else "unlock", rows=rows, touched=(row.id,), at=now(door),
                        rests=False)  # fmt: skip
        rules = door.workspace.rules(book.config)
        return carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)


@action("chapter-keep", OfChapter, Moved, "writes", undo="chapter undo")
async def keep(door: Door, command: OfChapter) -> Moved:
    """A stale chapter stands as it is: its marks go, and what was suspended is left out of its delta for good."""
    with changing(door, command.book, "chapter keep") as (store, book, rules):
        row = row_at(book, command.book, command.chapter)
        base = state_before(store, book, command.chapter, rules)
        told = told_chapters(store, [row], book.index.chapters, Anew({}, {}))
        folded = refold(base, told, rules)[0]
        if not row.stale and not folded.suspended:
            raise UsageFault("not-stale", where=command.book, chapter=command.chapter)
        rows = tuple(
            each.model_copy(update={"stale": ()}) if each.id == row.id else each for each in book.index.chapters
        )
        # An author's delta that does not hold any more goes to the bin; those behind it move up.
        paths = [f"story/chapters/{row.id}/author-{n}.json" for n in range(1, len(folded.applied))]
        held = [store.file(path) for path, delta in zip(paths, folded.applied[1:], strict=True) if delta is not None]
        files = dict(zip(paths, [*held, *[None] * (len(paths) - len(held))], strict=True))
        own = folded.applied[0]
        assert own is not None, "a chapter's own delta always leaves title and summary"
        change = Change(
            what="keep", rows=rows, touched=(row.id,), at=now(door), files=files, rests=False,
            deltas={row.id: own} if folded.suspended else {}, reason=command.erratum,
        )  # fmt: skip
        return carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)


class Undo(Record):
    """`move`: its id in the bin; empty: the newest that is not undone."""

    book: str
    move: str = ""
    erratum: str = ""
    dry_run: bool = False


@action("chapter-undo", Undo, Moved, "writes", undo="chapter undo")
async def undo(door: Door, command: Undo) -> Moved:
    """Take a move back: files and rows as they were before it, and everything behind folded anew."""
    with changing(door, command.book, "chapter undo") as (store, book, rules):
        binned = find(store, command.move)
        changed = changed_since(store, binned)
        if changed:
            raise InkosError("undo-changed", where=changed[0], move=binned.id, count=len(changed))
        change = undoing(store, book, binned, now(door), command.erratum)
        return carry_out(command.book, store, book, rules, change, dry_run=command.dry_run)


def undoing(store: BookStore, book: Book, binned: Binned, at: str, erratum: str) -> Change:
    """The change that takes a move back."""
    old = {row.id: row for row in book.index.chapters}
    mine = [each.chapter for each in binned.rows]
    rows = [row for row in book.index.chapters if row.id not in mine or _stays(binned, row.id)]
    files: dict[str, bytes | None] = dict.fromkeys(binned.added)
    files |= {path: store.file(f"{BIN}/{binned.id}/{path}") for path in binned.kept}
    for before in binned.rows:
        if before.chapter == GENESIS:  # a change of names that stand in no chapter yet: its delta is among the files
            continue
        if before.entry is None:
            files |= dict.fromkeys(papers_of_chapter(store, before.chapter))
            continue
        entry = _row_again(before.entry, old.get(before.chapter))
        if _stays(binned, before.chapter):
            rows = [entry if row.id == entry.id else row for row in rows]
            continue
        place = next((n for n, row in enumerate(rows, 1) if row.id == before.after), 0)
        if before.after and not place:  # the one before it is gone, too
            place = min(binned.position - 1, len(rows))
        taken = {row.file for row in rows}
        if entry.file in taken or (store.file(entry.file) is not None and entry.id not in old):
            content = files.pop(entry.file, None)
            entry = entry.model_copy(update={"file": free_file(store, rows, place)})
            files[entry.file] = content
        rows.insert(place, entry)
    return Change(
        what="undo", rows=tuple(rows), touched=tuple(mine), at=at, files=files, reason=erratum, undoes=binned.id,
        rests=binned.what not in ("rename", "keep"),
    )  # fmt: skip


def _stays(binned: Binned, chapter: str) -> bool:
    """Whether the move left the chapter where it was in the order."""
    came_or_went = {"insert", "delete", "move", "undo"}
    return binned.what not in came_or_went and any(r.chapter == chapter and r.entry for r in binned.rows)


def _row_again(entry: ChapterEntry, now: ChapterEntry | None) -> ChapterEntry:
    """The row as it was; whether it is published by now is not undone."""
    return entry if now is None else entry.model_copy(update={"locked": now.locked, "errata": now.errata,
                                                                    "published": now.published})  # fmt: skip


class OfBin(Record):
    book: str


class BinShown(Record):
    book: str
    moves: tuple[Binned, ...]


@action("chapter-bin", OfBin, BinShown, "reads")
async def show_bin(door: Door, command: OfBin) -> BinShown:
    return BinShown(book=command.book, moves=tuple(moves(door.workspace.store(command.book))))


