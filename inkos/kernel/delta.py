"""What one chapter changes, as a record; does not know how it is judged or applied (reduce) or read (prompts)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.kernel.findings import Waiver
from inkos.kernel.story import (
    SCHEMA_VERSION,
    AuthorTruth,
    Belief,
    Entity,
    Evidence,
    Fact,
    Hook,
    HookType,
    Mode,
    PayoffTiming,
    StoryClock,
    SummaryRow,
    ValueKind,
)
from inkos.records import Record

Scalar = bool | int | float | str


class FactChange(Record):
    """A new value, or (`closes` set, `object` null) the end of an open fact of a many-valued predicate.
    `subject` and `closes` are ids; `handle` is fixed at acceptance."""

    id: str
    handle: str = ""
    subject: str
    predicate: str
    object: Scalar | None = None
    object_kind: ValueKind = "text"
    closes: str | None = None
    evidence: Evidence = Evidence()


class EventItem(Record):
    """`handle` is that of the fact which the event sets by itself (a `learn` makes a `knows`), fixed at acceptance."""

    id: str
    handle: str = ""
    type: str
    subject: str
    object: Scalar | None = None
    evidence: Evidence = Evidence()


class Observation(Record):
    """What the prose shows. Changes nothing; narrated ones are checked against the state."""

    mode: Mode
    source: str | None = None
    subject: str
    predicate: str
    object: Scalar | None = None
    when: str | None = None
    evidence: Evidence = Evidence()


class HookOp(Record):
    """`hook` is a hook's id; for `upsert` of a new one it is the id it will bear and `handle` is fixed at acceptance.
    Empty core, timing, trigger mean: unchanged."""

    op: Literal["upsert", "mention", "resolve", "defer", "abandon"]
    hook: str
    handle: str = ""
    type: HookType = "running"
    core: str = ""
    timing: PayoffTiming | None = None
    due_by: int | None = None
    trigger: str = ""
    depends_on: tuple[str, ...] = ()
    evidence: Evidence = Evidence()


class BeatDone(Record):
    """`beat` is `<outline key>#<n>`, n from 1."""

    beat: str
    evidence: Evidence = Evidence()


class ClockSet(Record):
    clock: StoryClock
    evidence: Evidence = Evidence()


class Adopted(Record):
    """What an author changed in the state's own files: rows by id, null where one was taken out; `beliefs` and `clock`
    as they are to be, null where they stay. Summaries are replaced by chapter."""

    entities: dict[str, Entity | None] = Field(default_factory=dict)
    facts: dict[str, Fact | None] = Field(default_factory=dict)
    truths: dict[str, AuthorTruth | None] = Field(default_factory=dict)
    hooks: dict[str, Hook | None] = Field(default_factory=dict)
    summaries: tuple[SummaryRow, ...] = ()
    beliefs: tuple[Belief, ...] | None = None
    clock: StoryClock | None = None

    @property
    def empty(self) -> bool:
        return self == Adopted()


class Delta(Record):
    """`chapter` is the chapter's id, `position` its position when it was judged. `kind` genesis: position 0, quotes
    from the bible and the brief. `kind` author: adopted by hand, a reason instead of quotes. New ids are
    `<chapter id>.<local handle>` (`c0151.n2`), so neither replay nor insertion can shift them. `adopted` stands in an
    author's delta only."""

    schema_version: int = SCHEMA_VERSION
    kind: Literal["genesis", "chapter", "author"] = "chapter"
    chapter: str
    position: int
    title: str = ""
    outline_key: str = ""
    beats_done: tuple[BeatDone, ...] = ()
    entities: tuple[Entity, ...] = ()
    events: tuple[EventItem, ...] = ()
    facts: tuple[FactChange, ...] = ()
    observations: tuple[Observation, ...] = ()
    hook_ops: tuple[HookOp, ...] = ()
    truths: tuple[AuthorTruth, ...] = ()
    beliefs: tuple[Belief, ...] = ()
    summary: str = ""
    clock: ClockSet | None = None
    waivers: tuple[Waiver, ...] = ()
    text_digest: str = ""
    rules_digest: str = ""
    reason: str = ""
    adopted: Adopted | None = None
