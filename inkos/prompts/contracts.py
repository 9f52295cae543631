"""The reply contracts of design/prompts.md §5 as records; does not know how a reply is read or what it is used for.

Field names are the keys of the contract (an alias where a key is a Python word). A field without a default is a key
whose absence is a fault; lists and nullable keys fall back to empty and null. Handles stand as the model wrote them.
"""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from inkos.kernel.papers import EndKind, Outcome
from inkos.kernel.story import HookType, Mode, PayoffTiming
from inkos.records import Record

Scalar = bool | int | float | str
AnyValue = object
BY_NAME = ConfigDict(
    populate_by_name=True
)  # for keys that are Python words: `from` in replies, `from_` in our own files


# ── found ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class EngineReply(Record):
    want: str
    opposition: str
    locked_in: str
    each_win_worsens: str


class RungReply(Record):
    arena: str
    opponent: str = ""
    price: str = ""
    breaks: str = ""


class SecretReply(Record):
    h: str
    question: str
    truth: str
    known_by: tuple[str, ...] = ()
    surface: str = ""
    clues: tuple[str, ...] = ()
    out_from: int | None = None
    out_by: int | None = None


class PersonReply(Record):
    h: str
    function: str = ""
    want: str
    limit: str = ""
    believes: str = ""
    tie: str = ""
    lines: tuple[str, ...] = ()
    offstage: str = ""
    name: str
    aliases: tuple[str, ...] = ()


class RuleReply(Record):
    can: str = ""
    cannot: str = ""
    price: str = ""
    enforcer: str = ""


class CalendarReply(Record):
    day: int = 1
    label: str = ""
    season: str = ""


class ThingReply(Record):
    h: str
    name: str
    note: str = ""


class RouteReply(Record):
    model_config = BY_NAME

    from_: str = Field(alias="from")
    to: str
    by: str = ""
    takes: str = ""


class StyleReply(Record):
    person: Literal["first", "third"] = "third"
    pov: str = ""
    tense: Literal["past", "present"] | None = None
    wants: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()


class FoundReply(Record):
    engine: EngineReply
    ladder: tuple[RungReply, ...] = ()
    ceiling: str = ""
    secrets: tuple[SecretReply, ...] = ()
    cast: tuple[PersonReply, ...] = ()
    rules: tuple[RuleReply, ...] = ()
    units: tuple[str, ...] = ()
    calendar: CalendarReply = CalendarReply()
    places: tuple[ThingReply, ...] = ()
    items: tuple[ThingReply, ...] = ()
    groups: tuple[ThingReply, ...] = ()
    routes: tuple[RouteReply, ...] = ()
    style: StyleReply = StyleReply()


# ── outline ───────────────────────────────────────────────────────────────────────────────────────────────────────


class PromiseReply(Record):
    h: str
    type: HookType
    core: str
    timing: PayoffTiming
    trigger: str = ""
    depends_on: tuple[str, ...] = ()


class VolumeReply(Record):
    model_config = BY_NAME

    title: str
    from_: int = Field(alias="from")
    to: int
    goal: str = ""
    loss: str = ""


class ChapterReply(Record):
    title: str
    function: str = ""
    beats: tuple[str, ...] = ()
    required: str = ""
    end_kind: EndKind


class PredicateReply(Record):
    name: str
    subject: Literal["person", "place", "item", "group"]
    value: Literal["entity", "text", "number", "boolean"]
    many: bool = False
    unit: str | None = None
    rule: Literal["none", "exclusive", "absorbing", "up_only", "down_only", "balance", "licensed"] = "none"
    licensed_by: tuple[str, ...] = ()
    means: str = ""


class OpeningFactReply(Record):
    subject: str
    predicate: str
    object: Scalar
    quote: str


class OpeningClockReply(Record):
    day: int = 1
    time: str | None = None
    label: str = ""


class OpeningReply(Record):
    facts: tuple[OpeningFactReply, ...] = ()
    clock: OpeningClockReply = OpeningClockReply()


class OutlineReply(Record):
    promises: tuple[PromiseReply, ...] = ()
    volumes: tuple[VolumeReply, ...] = ()
    chapters: tuple[ChapterReply, ...] = ()
    last_image: str = ""
    title: str = ""
    intent: str
    focus: str
    predicates: tuple[PredicateReply, ...] = ()
    state: OpeningReply = OpeningReply()


class NextChapterReply(ChapterReply):
    volume: str = ""


class ExtendReply(Record):
    """More entries of an outline that runs out."""

    chapters: tuple[NextChapterReply, ...] = ()


# ── plan ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class CastReply(Record):
    who: str
    wants: str = ""
    unsaid: str = ""


class TimeReply(Record):
    day: int = 0
    label: str = ""


class BeatReply(Record):
    h: str = ""
    outline: tuple[str, ...] = ()
    link: Literal["so", "but"] | None = None
    wants: str
    against: str = ""
    outcome: Outcome
    cost: str = ""
    thing: str = ""
    words: int = 0


class PlannedPromiseReply(Record):
    hook: str
    do: Literal["advance", "resolve", "plant"]
    how: str = ""


class PlanReply(Record):
    title: str
    pov: str
    cast: tuple[CastReply, ...] = ()
    places: tuple[str, ...] = ()
    starts: TimeReply = TimeReply()
    ends: TimeReply = TimeReply()
    change: str = ""
    knows: tuple[str, ...] = ()
    believes: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    beats: tuple[BeatReply, ...] = ()
    promises: tuple[PlannedPromiseReply, ...] = ()
    keep: str = ""
    avoid: tuple[str, ...] = ()
    end: str
    end_kind: EndKind
    open: tuple[str, ...] = ()


# ── settle, again ─────────────────────────────────────────────────────────────────────────────────────────────────


class NewEntityReply(Record):
    h: str
    kind: Literal["person", "place", "item", "group", "secret"]
    name: str = ""
    aliases: tuple[str, ...] = ()
    maybe: str | None = None
    quote: str


class EventReply(Record):
    type: str
    subject: str
    object: Scalar | None = None
    quote: str


class FactReply(Record):
    subject: str
    predicate: str
    object: Scalar | None = None
    closes: str | None = None
    quote: str


class ObservationReply(Record):
    mode: Mode
    source: str | None = None
    subject: str
    predicate: str
    object: Scalar | None = None
    when: str | None = None
    quote: str


class HookOpReply(Record):
    op: Literal["upsert", "mention", "resolve", "defer", "abandon"]
    hook: str
    core: str = ""
    timing: PayoffTiming | None = None
    trigger: str = ""
    quote: str


class BeatDoneReply(Record):
    beat: str
    quote: str


class ClockReply(Record):
    day: int | None = None
    time: str | None = None
    label: str = ""
    quote: str = ""


class SettleReply(Record):
    entities: tuple[NewEntityReply, ...] = ()
    events: tuple[EventReply, ...] = ()
    facts: tuple[FactReply, ...] = ()
    observations: tuple[ObservationReply, ...] = ()
    hook_ops: tuple[HookOpReply, ...] = ()
    beats_done: tuple[BeatDoneReply, ...] = ()
    summary: str
    clock: ClockReply | None = None


class FixReply(SettleReply):
    """The corrected entries of `again`: the keys of the settlement, only those that replace something."""

    summary: str = ""


class AgainReply(Record):
    cause: Literal["text", "event", "mode", "who", "slip"]
    quote: str = ""
    fix: FixReply | None = None


# ── audit ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class QuoteReply(Record):
    model_config = BY_NAME

    from_: Literal["text", "papers"] = Field(alias="from")
    quote: str = ""


class AnswerReply(Record):
    id: str
    quotes: tuple[QuoteReply, ...] = ()
    verdict: Literal["yes", "no", "cannot_judge"]
    why: str = ""


class BesideReply(Record):
    quotes: tuple[QuoteReply, ...] = ()
    why: str = ""


class AuditReply(Record):
    """`score` is read by hand: five figures, one sum, or something that cannot be judged."""

    answers: tuple[AnswerReply, ...] = ()
    beside: tuple[BesideReply, ...] = ()
    score: AnyValue = None


# ── revise, length ────────────────────────────────────────────────────────────────────────────────────────────────


class PatchReply(Record):
    finding: str = ""
    also: tuple[str, ...] = ()
    old: str
    new: str = ""


class NotByPatchReply(Record):
    finding: str = ""
    why: str = ""


class ReviseReply(Record):
    patches: tuple[PatchReply, ...] = ()
    not_by_patch: tuple[NotByPatchReply, ...] = ()


CONTRACTS: tuple[type[Record], ...] = (
    FoundReply, OutlineReply, ExtendReply, PlanReply, SettleReply, AuditReply, ReviseReply, AgainReply,
)  # fmt: skip


def keys_of(contract: type[Record]) -> frozenset[str]:
    """The top-level keys of a contract, as they stand in the reply."""
    return frozenset(field.alias or name for name, field in contract.model_fields.items())


ALL_KEYS: frozenset[str] = frozenset().union(*(keys_of(contract) for contract in CONTRACTS))
