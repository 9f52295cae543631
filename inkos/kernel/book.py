"""A book as one value: its index, the author's papers, the state; does not know the folder it came from."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import SerializerFunctionWrapHandler, model_serializer

from inkos.config import BookConfig
from inkos.kernel.papers import Outline
from inkos.kernel.story import SCHEMA_VERSION, StoryState
from inkos.records import Record

ChapterStatus = Literal["accepted", "flagged"]


class Stale(Record):
    """Why a chapter may no longer hold. `suspended`: an operation of its delta was refused when an earlier chapter
    changed and is left out of the state, as finding `code` at `path` says. `rests`: it stands on something of an
    earlier chapter that was changed. `about` is the thing in words, `quote` the chapter's own words, `chapter` the id
    of the chapter that changed, `move` the change in the bin."""

    kind: Literal["suspended", "rests"]
    code: str = ""
    path: str = ""
    about: str = ""
    expected: str = ""
    actual: str = ""
    quote: str = ""
    chapter: str = ""
    move: str = ""


class Erratum(Record):
    """A change of a locked chapter: when (as `accepted_at`) and why."""

    at: str
    reason: str


class Publication(Record):
    """Where a chapter stands before readers: the site's name, the day (`2026-12-01`, may lie ahead), and the SHA-256 of
    the file as published, which is kept in story/published/<site>/<chapter id>.md."""

    site: str
    at: str
    digest: str


class ChapterEntry(Record):
    """One canon chapter. `file` is its path inside the book, `text_digest` the SHA-256 of the file as accepted.
    `outline_key` is the entry that it consumed, `words` its length in the book's counting unit, `accepted_at` an
    ISO 8601 time in UTC (`2026-11-30T19:45:00Z`). A `locked` chapter (it is published) changes with an
    erratum only. `asked`, `drafted`: the length that the writer was asked for and wrote at first, 0 where it was no
    model's draft."""

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
    asked: int = 0
    drafted: int = 0
    locked: bool = False
    errata: tuple[Erratum, ...] = ()
    published: tuple[Publication, ...] = ()
    stale: tuple[Stale, ...] = ()

    @model_serializer(mode="wrap")
    def _without_empty_marks(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Marks that few chapters bear are left out of the rows of all others."""
        row: dict[str, Any] = handler(self)
        few = ("locked", "errata", "published", "stale")
        return {key: value for key, value in row.items() if value or key not in few}


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
