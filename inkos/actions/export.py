"""The verb that lets a book out: which chapters, which form, what was left out; knows no file format."""

from __future__ import annotations

import re
from typing import Literal

from inkos.actions.chapter_run import open_run
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError, UsageFault
from inkos.export import check as coded
from inkos.export.manuscript import Manuscript, ManuscriptChapter, cover_of, identifier_for, numbered
from inkos.export.text import to_markdown, to_text
from inkos.kernel.book import Book
from inkos.kernel.findings import Finding
from inkos.messages import Messages
from inkos.ports import BookStore
from inkos.records import Record

Format = Literal["epub", "md", "txt"]
EPOCH = "2000-01-01T00:00:00Z"  # of a book without an accepted chapter: drafts only


class Export(Record):
    """`output` empty: exports/<book>.<format> inside the book. `approved`: leave flagged chapters out."""

    book: str
    format: Format = "epub"
    output: str = ""
    drafts: bool = False
    approved: bool = False
    check: bool = False


class LeftOut(Record):
    title: str
    position: int
    why: Literal["waiting", "flagged"]


class Exported(Record):
    """`epubcheck` (errors, warnings) null: not asked for, or not installed."""

    book: str
    file: str
    format: Format
    chapters: int
    bytes: int
    left_out: tuple[LeftOut, ...]
    findings: tuple[Finding, ...]
    epubcheck: tuple[int, int] | None = None
    lines: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.epubcheck is not None and any(self.epubcheck)


@action("export", Export, Exported, "writes")
async def export(door: Door, command: Export) -> Exported:
    """Canon in its order; what is left out is named. The same book gives the same bytes."""
    workspace = door.workspace
    if command.output == "-":  # standard output carries the report
        raise UsageFault("export-stdout", where="--output")
    store = workspace.store(command.book)
    book = store.read(recent=0)
    messages = workspace.messages(book.config.language)
    gone = ("missing", "empty", "unreadable")
    missing = [p.path for p in store.problems() if p.kind in gone and "chapters/" in p.path]
    if missing:
        raise InkosError("export-incomplete", where=missing[0], book=command.book, count=len(missing))
    waiting = _waiting(door, command.book)
    chapters, left = _chosen(command, numbered(_chapters(store, book, waiting), messages), book)
    if not chapters:
        raise InkosError("export-nothing", where=command.book, left_out=len(left))
    manuscript = _manuscript(door, command.book, book, tuple(chapters))
    content = _bytes(command.format, manuscript, messages)
    file = command.output or f"{workspace.book_folder(command.book)}/exports/{command.book}.{command.format}"
    workspace.write_file(file, content)
    report = workspace.epubcheck(content) if command.check and command.format == "epub" else None
    return Exported(
        book=command.book, file=file, format=command.format, chapters=len(chapters), bytes=len(content),
        left_out=tuple(left), findings=coded.check(manuscript),
        epubcheck=(report.errors, report.warnings) if report else None, lines=report.lines if report else (),
    )  # fmt: skip


def _bytes(format: Format, manuscript: Manuscript, messages: Messages) -> bytes:
    if format == "md":
        return to_markdown(manuscript, messages).encode()
    if format == "txt":
        return to_text(manuscript, messages).encode()
    from inkos.export.epub import to_epub  # EbookLib is loaded only when a book is packed

    return to_epub(manuscript, messages)


def _waiting(door: Door, name: str) -> ChapterState | None:
    """A chapter kept for review: a draft to readers of the book."""
    record = open_run(door.workspace.runs(name))
    if record is None or record.status != "needs-review":
        return None
    return ChapterState.model_validate(record.machine)


def _chapters(store: BookStore, book: Book, waiting: ChapterState | None) -> list[ManuscriptChapter]:
    """Canon in order, and behind it the chapter that waits, marked as a draft."""
    volumes = {entry.key: entry.volume for entry in book.outline.entries}
    chapters = [
        ManuscriptChapter(
            label=entry.label, title=entry.title, text=store.text(entry.id), volume=volumes.get(entry.outline_key, "")
        )
        for entry in book.index.chapters
    ]
    if waiting is not None and waiting.position == len(chapters) + 1:
        title = waiting.plan.title if waiting.plan else waiting.entry.title
        text = waiting.version(waiting.best).text
        chapters.append(ManuscriptChapter(title=title, text=text, volume=waiting.entry.volume, draft=True))
    return chapters


def _chosen(
    command: Export, chapters: tuple[ManuscriptChapter, ...], book: Book
) -> tuple[list[ManuscriptChapter], list[LeftOut]]:
    """What goes out and what is left out; chapters keep the labels that they bear in the whole book."""
    kept: list[ManuscriptChapter] = []
    left: list[LeftOut] = []
    for position, chapter in enumerate(chapters, 1):
        flagged = position <= len(book.index.chapters) and book.index.chapters[position - 1].status == "flagged"
        if chapter.draft and not command.drafts:
            left.append(LeftOut(title=chapter.title, position=position, why="waiting"))
        elif flagged and command.approved:
            left.append(LeftOut(title=chapter.title, position=position, why="flagged"))
        else:
            kept.append(chapter)
    return kept, left


def _manuscript(door: Door, name: str, book: Book, chapters: tuple[ManuscriptChapter, ...]) -> Manuscript:
    config = book.config
    cover = None
    if config.cover:
        cover = cover_of(door.workspace.read_book_file(name, config.cover), config.cover)
    dates = [c.accepted_at for c in book.index.chapters if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}Z", c.accepted_at)]
    return Manuscript(
        title=config.title, author=config.author, language=config.language,
        identifier=identifier_for(config.id, config.author), modified=max(dates, default=EPOCH), series=config.series,
        rehearsal=config.rehearsal, cover=cover, chapters=chapters,
    )  # fmt: skip
