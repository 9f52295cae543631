"""Entities, events, facts, observations of a settler's reply as items of a delta; does not judge them."""

from __future__ import annotations

from typing import NamedTuple

from inkos.kernel.delta import EventItem, FactChange, Observation, Scalar
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, ValueKind
from inkos.prompts.contracts import EventReply, FactReply, NewEntityReply, ObservationReply, SettleReply
from inkos.prompts.readers.handles import HANDLE, Names, is_handle, plain_name
from inkos.prompts.readers.quoting import Quoting
from inkos.prompts.readers.values import event_object, triple
from inkos.prompts.readers.words import UNKNOWN_SOURCE, is_nothing, plain
from inkos.prompts.relevance import features, overlap

ALIKE = 0.5  # of a fact's wording, from which on an event's object says the same
SPOKEN = frozenset({"dialogue", "letter"})  # modes that must say whose words they are


class _Statement(NamedTuple):
    """A fact of the reply with what it stands for, before it is filed."""

    number: int
    subject: str
    predicate: str
    object: Scalar | None
    kind: ValueKind
    closes: str | None
    evidence: Evidence


class Entries:
    """One reading. `prefix` begins the ids of what is new (`c0151.`)."""

    def __init__(self, prefix: str, names: Names, rules: Rules, quoting: Quoting) -> None:
        self.prefix = prefix
        self.names = names
        self.rules = rules
        self.quoting = quoting
        self.faults = quoting.faults
        self.notes = quoting.notes

    # ── entities ──────────────────────────────────────────────────────────────────────────────────────────────────

    def entities(self, reply: SettleReply) -> tuple[Entity, ...]:
        made: dict[str, Entity] = {}
        for n, item in enumerate(reply.entities):
            known = self._known(item, reply)
            place = f"entities[{n}]"
            evidence = self.quoting.evidence(item.quote, f"{place}.quote")
            entity = self._new(item, n, evidence) if known is None else self._again(item, known, evidence)
            if entity is None:
                continue
            if entity.id in made:
                entity = entity.model_copy(update={"aliases": _joined(made[entity.id].aliases, entity.aliases)})
            made[entity.id] = entity
        return tuple(self._maybe(item, made) for item in made.values())

    def _known(self, item: NewEntityReply, reply: SettleReply) -> str | None:
        """The id of the known thing that an entry of `entities` is about, or null: it is new."""
        if not item.h.strip().lower().startswith("n"):
            found = self.names.thing(item.h)
            if found is not None:
                return found
        bearers = [
            who for who in self.names.bearers(item.name)
            if who in self.names.state.entities and self.names.state.entities[who].kind == item.kind
        ]  # fmt: skip
        if len(bearers) == 1:
            self.notes.append(f"{item.h} {item.name[:30]} is known: merged")
            return bearers[0]
        for event in reply.events:
            resolved = self.rules.event(event.type)
            if resolved is None or resolved.name != "disguise" or item.kind != "person" or not item.name:
                continue
            wearer = self.names.thing(event.subject)
            worn = plain_name(str(event.object)) if event.object is not None else ""
            if wearer is not None and worn in (plain_name(item.name), plain_name(item.h)):
                self.notes.append(f"{item.h} {item.name[:30]} is a disguise of a known person: merged")
                return wearer
        return None

    def _again(self, item: NewEntityReply, known: str, evidence: Evidence) -> Entity | None:
        """More names of a known thing; null where there is nothing new about it."""
        self.names.new[item.h.strip()] = known
        entity = self.names.state.entities.get(known)
        if entity is None:
            return None
        held = {plain_name(name) for name in (entity.name, *entity.aliases)}
        fresh = tuple(
            name for name in dict.fromkeys((item.name, *item.aliases)) if name and plain_name(name) not in held
        )
        for name in fresh:
            self.names.name(name, known)
        if not fresh:
            return None
        return entity.model_copy(update={"aliases": fresh, "evidence": evidence, "maybe": None})

    def _new(self, item: NewEntityReply, n: int, evidence: Evidence) -> Entity | None:
        if not item.name:
            self.faults.add("reply-key", f"entities[{n}].name")
            return None
        handle = item.h.strip().lower()
        if not HANDLE.fullmatch(handle):
            handle = f"n{n + 1}0"
        if not handle.startswith("n"):
            self.notes.append(f"{handle} is known to nobody: new")
        entity_id = self.prefix + handle
        self.names.new[handle] = self.names.new[item.h.strip()] = entity_id
        for name in (item.name, *item.aliases):
            self.names.name(name, entity_id)
        return Entity(
            id=entity_id,
            handle=handle if handle.startswith("n") else "",
            kind=item.kind,
            name=item.name,
            aliases=tuple(alias for alias in dict.fromkeys(item.aliases) if alias != item.name),
            maybe=item.maybe,
            evidence=evidence,
        )

    def _maybe(self, entity: Entity, made: dict[str, Entity]) -> Entity:
        if entity.maybe is None:
            return entity
        found = self.names.thing(entity.maybe)
        if found is None or found == entity.id:
            self.notes.append(f"maybe {entity.maybe[:20]} stands for nobody known: left out")
        return entity.model_copy(update={"maybe": None if found == entity.id else found})

    # ── events, facts, observations ───────────────────────────────────────────────────────────────────────────────

    def statements(
        self, reply: SettleReply
    ) -> tuple[tuple[FactChange, ...], tuple[EventItem, ...], tuple[Observation, ...]]:
        observations = [made for n, item in enumerate(reply.observations) if (made := self._observation(item, n))]
        events = [event for n, item in enumerate(reply.events) if (event := self._event(item, n))]
        facts: list[FactChange] = []
        for n, item in enumerate(reply.facts):
            stated = self._statement(item, n)
            if stated is not None:
                self._file(stated, facts, events, observations)
        return tuple(facts), tuple(events), tuple(observations)

    def _subject(self, ref: str, where: str) -> str | None:
        found = self.names.thing(ref)
        if found is None:
            self.faults.add("reply-handle", where)
        return found

    def _event(self, item: EventReply, n: int) -> EventItem | None:
        event = self.rules.event(item.type)
        if event is None:
            self.faults.add("predicate", f"events[{n}]")
        subject = self._subject(item.subject, f"events[{n}].subject")
        evidence = self.quoting.evidence(item.quote, f"events[{n}].quote")
        if event is None or subject is None:
            return None
        value = None if is_nothing(item.object) else event_object(self.rules, event, item.object, self.names)
        if isinstance(value, str) and is_handle(value) and self.names.thing(value) is None:
            self.faults.add("reply-handle", f"events[{n}].object")
        return EventItem(id=f"{self.prefix}e{n + 1}", type=event.name, subject=subject, object=value, evidence=evidence)

    def _observation(self, item: ObservationReply, n: int) -> Observation | None:
        place = f"observations[{n}]"
        subject = self._subject(item.subject, f"{place}.subject")
        evidence = self.quoting.evidence(item.quote, f"{place}.quote")
        source = self._source(item, place)
        if subject is None:
            return None
        narrated = item.mode == "narrated"
        made = triple(self.rules, self.names, subject, item.predicate, item.object, strict=narrated)
        self._told(made.note, place)
        if made.value.fault:
            self.faults.add(made.value.fault, place, **_allowed(made.value.allowed))
        return Observation(
            mode=item.mode,
            source=source,
            subject=made.subject,
            predicate=made.predicate,
            object=made.value.object,
            when=item.when,
            evidence=evidence,
        )

    def _source(self, item: ObservationReply, place: str) -> str | None:
        if item.source is None:
            if item.mode in SPOKEN:
                self.faults.add("source", place)
            return None
        if plain(item.source) in UNKNOWN_SOURCE:
            return item.source
        found = self.names.thing(item.source)
        if found is None and is_handle(item.source):
            self.faults.add("reply-handle", f"{place}.source")
        return found or item.source

    def _statement(self, item: FactReply, n: int) -> _Statement | None:
        place = f"facts[{n}]"
        subject = self._subject(item.subject, f"{place}.subject")
        evidence = self.quoting.evidence(item.quote, f"{place}.quote")
        closes = self._closes(item, place)
        if subject is None:
            return None
        if is_nothing(item.object) and closes is not None:
            resolved = self.rules.resolve(item.predicate)
            name = resolved.predicate.name if resolved else self.names.state.facts[closes].predicate
            return _Statement(n, subject, name, None, "text", closes, evidence)
        if is_nothing(item.object):
            if item.closes is None:
                self.faults.add("reply-key", f"{place}.object")
            return None
        made = triple(self.rules, self.names, subject, item.predicate, item.object, strict=True)
        self._told(made.note, place)
        if made.value.fault:
            self.faults.add(made.value.fault, place, **_allowed(made.value.allowed))
            return None
        value: Scalar | None = made.value.object
        if closes is not None:
            old = self.names.state.facts[closes]
            if old.object == value:
                self.notes.append(f"{place}: closes with the old value: read as its end")
                value = None
            elif not self.rules.predicates[made.predicate].many:
                closes = None  # a one-valued fact gives way by itself
        return _Statement(n, made.subject, made.predicate, value, made.value.kind, closes, evidence)

    def _closes(self, item: FactReply, place: str) -> str | None:
        if item.closes is None:
            return None
        found = self.names.fact(item.closes)
        resolved = self.rules.resolve(item.predicate)
        if found is None and (resolved is None or resolved.predicate.many or is_nothing(item.object)):
            self.faults.add("reply-handle", f"{place}.closes")
        return found

    def _file(
        self,
        stated: _Statement,
        facts: list[FactChange],
        events: list[EventItem],
        observations: list[Observation],
    ) -> None:
        """A fact goes where it belongs: among the facts, to its `learn`, among the observations, or nowhere."""
        place = f"facts[{stated.number}]"
        if self._told_only(stated, observations):
            self.notes.append(
                f"{place} misfiled: its words are speech, hearsay, letter, flashback, dream or plan: dropped"
            )
        elif stated.predicate == "knows" and stated.object is not None:
            self._learnt(stated, events)
        elif (at := self._set_by(stated, events)) is not None:
            self.notes.append(f"{place}: {events[at].type} sets it by itself: one fact of both, in the fact's words")
            events[at] = events[at].model_copy(update={"object": stated.object})
        elif self._unchanged(stated) or self.rules.predicates[stated.predicate].observed:
            self.notes.append(f"{place} changes nothing: made a narrated observation")
            observations.append(
                Observation(
                    mode="narrated", subject=stated.subject, predicate=stated.predicate, object=stated.object,
                    evidence=stated.evidence,
                )
            )  # fmt: skip
        else:
            facts.append(
                FactChange(
                    id=f"{self.prefix}f{stated.number + 1}", subject=stated.subject, predicate=stated.predicate,
                    object=stated.object, object_kind=stated.kind, closes=stated.closes, evidence=stated.evidence,
                )
            )  # fmt: skip

    def _set_by(self, stated: _Statement, events: list[EventItem]) -> int | None:
        """The event that makes this fact of a many-valued predicate by itself: the same object, the same quoted words,
        or wording of which half is the same. A one-valued one is set once, however often it is said."""
        if stated.object is None or stated.closes is not None or not self.rules.predicates[stated.predicate].many:
            return None
        for n, event in enumerate(events):
            spec = self.rules.events.get(event.type)
            sets = spec is not None and any(
                each.predicate == stated.predicate and each.of == "subject" and each.to == "object" and not each.ends
                for each in spec.sets
            )
            if sets and event.subject == stated.subject and _same(stated, event):
                return n
        return None

    def _told_only(self, stated: _Statement, observations: list[Observation]) -> bool:
        span = (stated.evidence.start, stated.evidence.end)
        return span[0] >= 0 and any(
            item.mode != "narrated" and (item.evidence.start, item.evidence.end) == span for item in observations
        )

    def _learnt(self, stated: _Statement, events: list[EventItem]) -> None:
        learn = self.rules.event("learn")
        for event in events:
            same = learn is not None and event.type == learn.name and event.subject == stated.subject
            if same and (event.object == stated.object or event.evidence.start == stated.evidence.start):
                return
        self.notes.append(f"facts[{stated.number}]: knows without a learn event: the event added")
        events.append(
            EventItem(
                id=f"{self.prefix}e{len(events) + 1}k", type=learn.name if learn else "learn", subject=stated.subject,
                object=stated.object, evidence=stated.evidence,
            )
        )  # fmt: skip

    def _unchanged(self, stated: _Statement) -> bool:
        return stated.closes is None and stated.object is not None and any(
            fact.subject == stated.subject and fact.predicate == stated.predicate and fact.object == stated.object
            for fact in self.names.state.facts.values()
        )  # fmt: skip

    def _told(self, note: str, place: str) -> None:
        if note:
            self.notes.append(f"{place}: {note}")


def _same(stated: _Statement, event: EventItem) -> bool:
    if event.object == stated.object:
        return True
    if stated.kind != "text" or not isinstance(event.object, str):
        return False
    one, other = stated.evidence, event.evidence
    quoted = 0 <= one.start < other.end and other.start < one.end
    return quoted or overlap(str(stated.object), features(event.object)) >= ALIKE


def _allowed(allowed: str) -> dict[str, str]:
    return {"allowed": allowed} if allowed else {}


def _joined(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))
