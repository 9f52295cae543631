"""The verbs on what readers have: publish a range on a site, withdraw it, list what differs; sends nothing anywhere."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from inkos.actions.chapters import now, row_at
from inkos.actions.history import Change, carry_out
from inkos.actions.published import ERRATA, differences, published_path
from inkos.actions.table import Door, action
from inkos.errors import InkosError, UsageFault
from inkos.export.errata import Change as Difference
from inkos.export.errata import changes, errata_page
from inkos.kernel.book import Book, ChapterEntry, Publication
from inkos.ports import BookStore, FileSet
from inkos.records import Record, digest

SITE = re.compile(r"[\w-]{1,40}")


class Publish(Record):
    """Positions from `first` to `last`. `at`: the day, empty for today; it may lie ahead. `withdraw`: they are not on
    the site after all."""

    book: str
    first: int
    last: int
    site: str
    at: str = ""
    withdraw: bool = False


class Published(Record):
    book: str
    site: str
    at: str
    first: int
    last: int
    withdrawn: bool = False


@action("chapter-publish", Publish, Published, "writes", undo="chapter publish --withdraw")
async def publish(door: Door, command: Publish) -> Published:
    """Keep the text that readers have and lock the chapter; another time keeps the text as it is by then."""
    if not SITE.fullmatch(command.site):
        raise UsageFault("site-name", where="--on", given=command.site)
    at = _day(command.at) or today(door).isoformat()
    store = door.workspace.store(command.book)
    with store.hold("chapter publish"):
        book = store.read(recent=0)
        if command.last < command.first:
            raise UsageFault("export-range", where=command.book, given=f"{command.first}-{command.last}",
                             last=len(book.index.chapters))  # fmt: skip
        for position in (command.first, command.last):
            row_at(book, command.book, position)
        chosen = book.index.chapters[command.first - 1 : command.last]
        change = _withdrawn(door, command, book, chosen) if command.withdraw else _kept(
            door, command, store, book, chosen, at)  # fmt: skip
        carry_out(command.book, store, book, door.workspace.rules(book.config), change)
    return Published(book=command.book, site=command.site, at=at, first=command.first, last=command.last,
                     withdrawn=command.withdraw)  # fmt: skip


def today(door: Door) -> date:
    return datetime.fromtimestamp(door.workspace.clock.now(), UTC).date()


def _day(told: str) -> str:
    if not told:
        return ""
    try:
        return date.fromisoformat(told).isoformat()
    except ValueError:
        raise UsageFault("day", where="--at", given=told) from None


def _kept(
    door: Door, command: Publish, store: BookStore, book: Book, chosen: tuple[ChapterEntry, ...], at: str
) -> Change:
    files: dict[str, bytes | None] = {}
    update: dict[str, ChapterEntry] = {}
    for row in chosen:
        content = store.file(row.file)
        if content is None:
            raise InkosError("file-missing", where=row.file)
        files[published_path(command.site, row.id)] = content
        others = tuple(each for each in row.published if each.site != command.site)
        mark = Publication(site=command.site, at=at, digest=digest(content))
        update[row.id] = row.model_copy(update={"locked": True, "published": (*others, mark)})
    rows = tuple(update.get(row.id, row) for row in book.index.chapters)
    return Change(what="publish", rows=rows, touched=tuple(update), at=now(door), files=files, rests=False)


def _withdrawn(door: Door, command: Publish, book: Book, chosen: tuple[ChapterEntry, ...]) -> Change:
    update: dict[str, ChapterEntry] = {}
    for row in chosen:
        left = tuple(each for each in row.published if each.site != command.site)
        if left != row.published:
            update[row.id] = row.model_copy(update={"published": left, "locked": bool(left)})
    if not update:
        raise UsageFault("not-published", where=command.book, site=command.site, first=command.first, last=command.last)
    rows = tuple(update.get(row.id, row) for row in book.index.chapters)
    files: dict[str, bytes | None] = {published_path(command.site, chapter): None for chapter in update}
    return Change(what="withdraw", rows=rows, touched=tuple(update), at=now(door), files=files, rests=False)


class OfErrata(Record):
    book: str


class Erred(Record):
    site: str
    position: int
    title: str
    changes: tuple[Difference, ...]


class Errata(Record):
    """`file` empty: nothing differs."""

    book: str
    file: str
    chapters: tuple[Erred, ...]


@action("chapter-errata", OfErrata, Errata, "writes")
async def errata(door: Door, command: OfErrata) -> Errata:
    """errata.md anew: what differs from the published text, changes by hand included."""
    store = door.workspace.store(command.book)
    with store.hold("chapter errata"):
        book = store.read(recent=0)
        rows = book.index.chapters
        found = list(differences(store, rows, rows, {}))
        page = errata_page(book.config.title, found)
        there = store.file(ERRATA)
        if (page.encode() if page else None) != there:
            store.commit(FileSet(files={ERRATA: page.encode() if page else None}))
    return Errata(
        book=command.book, file=f"{door.workspace.book_folder(command.book)}/{ERRATA}" if page else "",
        chapters=tuple(
            Erred(site=each.site, position=each.position, title=each.title,
                  changes=tuple(changes(each.before, each.after or "")))
            for each in found
        ),
    )  # fmt: skip
