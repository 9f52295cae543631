"""The truth of a story as one value, StoryState; does not know files, digests or how a change is judged."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.messages import Language
from inkos.records import ChapterAt, Record

SCHEMA_VERSION = 1

EntityKind = Literal["person", "place", "item", "group", "secret", "concept"]
ValueKind = Literal["entity", "text", "number", "boolean"]
HookStatus = Literal["open", "progressing", "deferred", "resolved", "abandoned"]
HookType = Literal["book", "volume", "running"]
PayoffTiming = Literal["immediate", "near-term", "mid-arc", "slow-burn", "endgame"]
Mode = Literal["narrated", "dialogue", "flashback", "dream", "letter", "rumour", "plan"]

HANDLE_LETTERS: dict[str, str] = {
    "person": "p", "place": "l", "item": "i", "group": "g", "secret": "s", "concept": "k", "hook": "h", "fact": "f",
}  # fmt: skip


class Evidence(Record):
    """A verbatim quote. `source` is `text` (the chapter `chapter`) or an author's file (`bible/cast.md`, `brief`).
    `start`/`end` are offsets in characters in that source's text; -1 means: looked for and not found, or not yet
    looked for. `places` counts how often the quote stands there. `reason` replaces the quote in an author's delta."""

    quote: str = ""
    source: str = "text"
    chapter: ChapterAt | None = None
    start: int = -1
    end: int = -1
    places: int = 1
    reason: str = ""


class Entity(Record):
    """`handle` (p3, l1 …) is the short name in prompts: given once, kept for the life of the book."""

    id: str
    handle: str = ""
    kind: EntityKind
    name: str
    aliases: tuple[str, ...] = ()
    introduced_at: ChapterAt = 0
    note: str = ""
    maybe: str | None = None
    evidence: Evidence = Evidence()


class Fact(Record):
    """subject · predicate · object over the half-open interval [valid_from_chapter, valid_until_chapter)."""

    id: str
    handle: str = ""
    subject: str
    predicate: str
    object: bool | int | float | str
    object_kind: ValueKind = "text"
    valid_from_chapter: ChapterAt
    valid_until_chapter: ChapterAt | None = None
    source_chapter: ChapterAt
    evidence: Evidence = Evidence()


class Event(Record):
    """A recorded cause that changes state or licenses a change (travel, transfer, heal, learn, death …)."""

    id: str
    type: str
    subject: str
    object: bool | int | float | str | None = None
    chapter: ChapterAt
    evidence: Evidence = Evidence()


class HookNote(Record):
    """An earlier wording of a hook, or what moved it, kept when a newer one takes its place."""

    chapter: ChapterAt
    status: HookStatus
    core: str
    quote: str = ""


class Hook(Record):
    """A promise to the reader (shown as promise / 伏笔). `due_by`: the author's own last position for it, in place of
    the window that follows from `payoff_timing`."""

    id: str
    handle: str = ""
    type: HookType = "running"
    status: HookStatus = "open"
    start_chapter: ChapterAt
    last_advanced_chapter: ChapterAt
    core: str
    expected_payoff: str = ""
    payoff_timing: PayoffTiming = "mid-arc"
    due_by: int | None = None
    trigger: str = ""
    depends_on: tuple[str, ...] = ()
    notes: str = ""
    history: tuple[HookNote, ...] = ()
    evidence: Evidence = Evidence()


class SummaryRow(Record):
    chapter: ChapterAt
    title: str = ""
    day: int = 0
    text: str = ""


class StoryClock(Record):
    """`day` counts from the calendar's day 1; `minute` is minutes after midnight, or unknown."""

    day: int = 1
    minute: int | None = None
    label: str = ""


class Belief(Record):
    """What somebody wrongly takes for true; it travels with the truths, never in the shared layers."""

    holder: str
    text: str


class AuthorTruth(Record):
    """A secret that the author laid down. `reader_knows_from` is the first position at which a chapter may reveal it
    (null: not yet decided), `out_by` the last. `question` gives nothing away and is its name in prompts."""

    id: str
    handle: str = ""
    question: str
    truth: str
    known_by: tuple[str, ...] = ()
    surface: str = ""
    clues: tuple[str, ...] = ()
    reader_knows_from: int | None = None
    out_by: int | None = None
    evidence: Evidence = Evidence()


class StoryState(Record):
    """The state after chapter `last_applied_chapter` (0: genesis). `facts` holds the open ones; what closed, and the
    events, are in the history pieces that the store keeps by chapter. Dictionaries are by id and are never mutated."""

    schema_version: int = SCHEMA_VERSION
    book_id: str
    language: Language
    last_applied_chapter: ChapterAt = 0
    clock: StoryClock = StoryClock()
    entities: dict[str, Entity] = Field(default_factory=dict)
    facts: dict[str, Fact] = Field(default_factory=dict)
    truths: dict[str, AuthorTruth] = Field(default_factory=dict)
    beliefs: tuple[Belief, ...] = ()
    hooks: dict[str, Hook] = Field(default_factory=dict)
    summaries: tuple[SummaryRow, ...] = ()


class History(Record):
    """What one chapter laid to rest: the facts it closed and the events it recorded. One immutable piece a chapter."""

    schema_version: int = SCHEMA_VERSION
    chapter: ChapterAt
    closed: tuple[Fact, ...] = ()
    events: tuple[Event, ...] = ()
