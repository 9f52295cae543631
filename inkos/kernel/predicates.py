"""The records of the predicate registry: what a predicate and an event type may say; knows no predicate by name."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.kernel.findings import Severity
from inkos.kernel.story import EntityKind, ValueKind
from inkos.records import Record

Words = dict[str, tuple[str, ...]]  # language → words
Texts = dict[str, str]  # language → text


class Requirement(Record):
    """What must hold for an observation or a fact of this predicate: look at the open facts `predicate` of the `of`.

    `equals`: the value must be the other side (`subject` or `object`). `one_of`, `none_of`: the value must be, must not
    be one of these. `without`: none of the values may be the other side. `clear_of`: the other side must not speak of a
    part of the body that such a value names (with `saying`: such a value with one of these words). `beside`: the other
    side must have the same value of this predicate, or one inside the other; asked only while no time has passed since
    the last chapter. Where nothing is recorded nothing is required,
    except with `closed`: then unrecorded means no."""

    predicate: str
    of: Literal["subject", "object"] = "subject"
    equals: Literal["", "subject", "object"] = ""
    one_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    without: Literal["", "subject", "object"] = ""
    clear_of: bool = False
    saying: tuple[str, ...] = ()
    beside: bool = False
    closed: bool = False
    code: str = "continuity-005"
    severity: Severity = "blocking"


class Predicate(Record):
    """One predicate. Empty fields mean: no such rule.

    subject, kinds    what the subject, and an entity as value, may be
    allowed, words    the values it may take; other words for each of them
    many              several open values of one subject at a time
    keyed             values read `key: value`, and there is one open value a key ("left eye: blind")
    mirrored          the same value on the other side (left, right) is a contradiction
    fixed             never changes once set, unless `licensed_by` lets it
    exclusive         a value (an item) belongs to one subject at a time
    inverse           names under which subject and object stand the other way round
    excludes          predicates that cannot hold of the same subject and object at the same time
    absent            words of a many-valued predicate that say: nothing of the kind; they contradict every open value
    absorbing         values that nothing leaves but an event of `released_by`
    order, scale      up_only or down_only, by number or by the rank on a named scale; `released_by` lets it go back
    licensed_by       a change of an open value needs one of these events of the subject at or before it
    up_by, down_by    the events that raise and lower it: the sum of a number must come out; a rank moves that way
    counts            counts heads: an event that names somebody is worth one, whatever the unit
    least, most       bounds of a number
    ages              a number of years that follows the story clock
    names             the value must be a name or an alias of the subject
    symmetric, asymmetric, acyclic   for relations: holds both ways, never both ways, never in a ring
    minutes           gives the travel time in minutes from subject to object, in a unit of the rules' durations
    observed          may only be observed, never a fact (acts, uses, reveals)
    spends            an observed amount that the balance it belongs to must cover
    birth, calendar   the year somebody was born in, the year that it is: with these two goes a number that `ages`
    cycle             days in which the whole `scale` comes round (weekdays, moon phases, seasons)
    hinders           its text may say what keeps the subject from acts (the rules' `prevents`)
    forbids           its text says what the subject may not do: as a sentence ("never to kill") or, `plainly`, bare
    eases             a missing licence only warns when the story clock has moved on since
    """

    name: str
    subject: tuple[EntityKind, ...] = ()
    value: ValueKind = "text"
    kinds: tuple[EntityKind, ...] = ()
    allowed: tuple[str, ...] = ()
    words: Words = Field(default_factory=dict)
    unit: str = ""
    many: bool = False
    keyed: bool = False
    mirrored: bool = False
    fixed: bool = False
    exclusive: bool = False
    inverse: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    absorbing: tuple[str, ...] = ()
    released_by: tuple[str, ...] = ()
    order: Literal["", "up_only", "down_only"] = ""
    scale: str = ""
    licensed_by: tuple[str, ...] = ()
    up_by: tuple[str, ...] = ()
    down_by: tuple[str, ...] = ()
    counts: bool = False
    least: float | None = None
    most: float | None = None
    ages: bool = False
    names: bool = False
    symmetric: bool = False
    asymmetric: bool = False
    acyclic: bool = False
    minutes: bool = False
    observed: bool = False
    spends: bool = False
    birth: bool = False
    calendar: bool = False
    cycle: float = 0
    hinders: bool = False
    forbids: Literal["", "sentence", "plainly"] = ""
    eases: bool = False
    requires: tuple[Requirement, ...] = ()
    severity: Severity = "blocking"
    aliases: Words = Field(default_factory=dict)
    parts: Words = Field(default_factory=dict)
    means: Texts = Field(default_factory=dict)
    asked: bool = True

    @property
    def balance(self) -> bool:
        return bool(self.up_by or self.down_by) and not self.scale

    @property
    def numeric(self) -> bool:
        return self.value == "number"


class Hindrance(Record):
    """What people in a state that is called one of `when` (with `parts`: of one of these) cannot do. `acts` are kinds
    of act (the rules' concepts; none: whatever one does); `paired`: of two, one still serves, so a
    text that names a side ("left eye: blind") hinders nobody."""

    acts: tuple[str, ...]
    when: tuple[str, ...]
    parts: tuple[str, ...] = ()
    paired: bool = False


class Setting(Record):
    """What an event makes true by itself: `predicate` of the `of` becomes the event's subject, its object, or `value`.
    `ends`: the open value equal to it (all of them where the event names none) closes instead. What the event does to
    balances stands with those (`up_by`, `down_by`)."""

    predicate: str
    of: Literal["subject", "object"] = "subject"
    to: Literal["subject", "object", "value"] = "object"
    value: str | bool | int | float = ""
    ends: bool = False


class EventType(Record):
    """One kind of event. `subject`, `object` say in words what stands there; `kinds` is what the subject may be."""

    name: str
    subject: Texts = Field(default_factory=dict)
    object: Texts = Field(default_factory=dict)
    kinds: tuple[EntityKind, ...] = ()
    sets: tuple[Setting, ...] = ()
    requires: tuple[Requirement, ...] = ()
    aliases: Words = Field(default_factory=dict)
    means: Texts = Field(default_factory=dict)
    asked: bool = True
