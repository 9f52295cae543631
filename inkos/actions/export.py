"""The verb that lets a book out: which chapters, which form, what was left out; knows no file format."""

from __future__ import annotations

from typing import Literal

from inkos.actions.chapter_run import open_run
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError
from inkos.export import check as export_check
from inkos.export.epub import to_epub
from inkos.export.manuscript import Manuscript, ManuscriptChapter
from inkos.export.text import to_markdown, to_text
from inkos.kernel.book import Book
from inkos.kernel.findings import Finding
from inkos.ports import BookStore
from inkos.records import Record
from inkos.text.split import heading_and_prose

Format = Literal["epub", "md", "txt"]


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
    why: str


class Exported(Record):
    """`epubcheck` null: not asked for, or not installed."""

    book: str
    file: str
    format: Format
    chapters: int
    bytes: int
    left_out: tuple[LeftOut, ...]
    findings: tuple[Finding, ...]
    epubcheck: tuple[int, int] | None = None
    lines: tuple[str, ...] = ()
