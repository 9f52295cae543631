"""A book as one value: its index, the author's papers, the state; does not know the folder it came from."""

from __future__ import annotations

from typing import Literal

from inkos.config import BookConfig
from inkos.kernel.papers import Outline
from inkos.kernel.story import SCHEMA_VERSION, StoryState
from inkos.records import Record

ChapterStatus = Literal["accepted", "flagged"]


class ChapterEntry(Record):
    """One canon chapter. `file` is its path inside the book, `text_digest` the SHA-256 of the file as accepted.
    `outline_key` is the entry that it consumed, `words` its length in the book's counting unit, `accepted_at` an
    ISO 8601 time in UTC (`2026-11-30T19:45:00Z`)."""

    id: str
    title: str
    label: str = ""
    status: ChapterStatus
    file: str
    text_digest: str
    words: int
    score: float | None = None
    outline_key: str = ""
    run: str = ""
    accepted_at: str = ""


class Index(Record):
    """story/index.json: the only place that holds the order. A chapter's position is its place in `chapters`, from 1.
    `minted` counts chapter ids and handles ever given (`chapter`, `p`, `l` … `f`), so that none is given twice."""

    schema_version: int = SCHEMA_VERSION
    book_id: str
    chapters: tuple[ChapterEntry, ...] = ()
    minted: dict[str, int] = {}

    def position(self, chapter_id: str) -> int:
        """The position of a chapter id; KeyError when the index does not have it."""
        for number, entry in enumerate(self.chapters, 1):
            if entry.id == chapter_id:
                return number
        raise KeyError(chapter_id)


class Book(Record):
    """Everything that composing and judging the next chapter needs, as read at one revision of the store.
    `bible` holds (path, text) in reading order; `recent` the texts of the last accepted chapters, newest last."""

    revision: int
    config: BookConfig
    index: Index
    state: StoryState
    outline: Outline
    intent: str = ""
    focus: str = ""
    bible: tuple[tuple[str, str], ...] = ()
    voices: dict[str, tuple[str, ...]] = {}
    recent: tuple[str, ...] = ()
    prompts: dict[str, str] = {}

    @property
    def next_position(self) -> int:
        return len(self.index.chapters) + 1
