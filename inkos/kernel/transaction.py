"""The working copy of a state while one delta is applied: tables, look-ups, what happened, findings; knows no rule."""

from __future__ import annotations

from typing import Literal, NamedTuple

from inkos.kernel.delta import Delta
from inkos.kernel.dictionary import Resolved
from inkos.kernel.evidence import Sources
from inkos.kernel.findings import Finding, Quote, Severity
from inkos.kernel.index import CLOSED, Index, attach, index_of
from inkos.kernel.predicates import Predicate
from inkos.kernel.rules import Rules
from inkos.kernel.story import (
    AuthorTruth,
    Belief,
    Entity,
    EntityKind,
    Event,
    Evidence,
    Fact,
    History,
    Hook,
    StoryClock,
    StoryState,
    SummaryRow,
)
from inkos.kernel.trusted import but, made
from inkos.kernel.values import keyed, plain, same
from inkos.kernel.views import name_of, value_text


class Happened(NamedTuple):
    """An event of the delta under judgement: where in the text, its registered type, whom and what it is about."""

    id: str
    start: int
    type: str
    subject: str
    object: object
    evidence: Evidence


Licence = Literal["yes", "late", "other", "no"]


class Transaction:
    """Copies of the state's tables that one `apply` may change; the state itself is never touched."""

    def __init__(self, state: StoryState, delta: Delta, rules: Rules, sources: Sources) -> None:
        self.before = state
        self.delta = delta
        self.rules = rules
        self.sources = sources
        self.position = delta.position
        self.entities: dict[str, Entity] = state.entities.copy()
        self.facts: dict[str, Fact] = state.facts.copy()
        self.hooks: dict[str, Hook] = state.hooks.copy()
        self.truths: dict[str, AuthorTruth] = state.truths
        self.beliefs: tuple[Belief, ...] = state.beliefs
        self.clock: StoryClock = state.clock
        self.summaries: tuple[SummaryRow, ...] = state.summaries
        self.index: Index = index_of(state).copy()
        self.index.entities, self.index.hooks, self.index.facts = self.entities, self.hooks, self.facts
        self.closed: list[Fact] = []
        self.events: list[Event] = []
        self.happened: list[Happened] = []
        self.findings: list[Finding] = []
        self.seen: dict[tuple[str, str], tuple[object, str | None]] = {}
        self.unknown: set[str] = set()
        self.counted: set[str] = set()  # events whose amount a balance already has
        # The state as the views see it, on the working tables.
        self.now = made(
        StoryState,
        book_id=state.book_id,
            language=state.language,
            entities=self.entities,
            facts=self.facts,
            hooks=self.hooks,
            truths=self.truths,
        )
        attach(self.now, self.index)

    # -- looking up

    def open(self, subject: str, predicate: str) -> list[Fact]:
        """Open facts of this subject and predicate."""
        return [self.facts[fact_id] for fact_id in self.index.slot(subject, predicate)]

    def holds(self, subject: str, predicate: str, value: object) -> Fact | None:
        """The open fact that says just this."""
        ids = self.index.saying(subject, predicate, value)
        return self.facts[ids[0]] if ids else None

    def current(self, subject: str, predicate: Predicate, value: object = None) -> Fact | None:
        """The open fact that a new `value` would take the place of: the only one, or the one with the same key."""
        if predicate.absent and isinstance(value, str) and _absent(predicate, value):
            part = keyed(value)
            slot = self.index.slot
            ids = self.index.under(subject, predicate.name, part[0]) if part else slot(subject, predicate.name)
            return self.facts[ids[0]] if ids else None
        if predicate.keyed and (pair := keyed(value)):
            ids = self.index.under(subject, predicate.name, pair[0])
            return self.facts[ids[0]] if ids else None
        if predicate.keyed or predicate.many:
            return self.holds(subject, predicate.name, value)
        held = self.index.slot(subject, predicate.name)
        return self.facts[held[0]] if held else None

    def is_entity(self, value: object) -> bool:
        return isinstance(value, str) and value in self.entities

    def day(self, chapter: int | None = None) -> int:
        """The story day at the end of a chapter; of the chapter under judgement without one."""
        if chapter is None or chapter >= self.position:
            return self.delta.clock.clock.day if self.delta.clock else self.clock.day
        row = self.summaries[chapter - 1] if 0 < chapter <= len(self.summaries) else None
        return row.day if row is not None and row.chapter == chapter and row.day else 1

    def is_known(self, value: object) -> bool:
        """An entity, a truth or a hook."""
        return isinstance(value, str) and (value in self.entities or value in self.truths or value in self.hooks)

    def name(self, ref: object) -> str:
        return name_of(self.now, ref)

    def resolve(self, word: str) -> Resolved | None:
        """The registered predicate of a word."""
        return self.rules.resolve(word)

    def licence(
        self,
        types: tuple[str, ...],
        subject: str,
        start: int,
        value: object = None,
        kinds: tuple[EntityKind, ...] = (),
    ) -> Licence:
        """Whether the delta has an event of one of `types` about `subject`: `yes` at or before `start` (an offset in
        the text), `late` only after it, `other` when it names another value than `value`. An event's object of none of
        `kinds` names no value at all: a new holder does not say where the thing now lies."""
        best: Licence = "no"
        for event in self.happened:
            if event.type not in types or subject not in (event.subject, event.object):
                continue
            names_other = (
                value is not None
                and event.subject == subject
                and self.is_entity(event.object) == self.is_entity(value)
                and (not kinds or not self.is_entity(event.object) or self.entities[str(event.object)].kind in kinds)
                and event.object is not None
                and not _names(event.object, value)
            )
            if names_other:
                best = "other" if best == "no" else best
            elif event.start <= start or start < 0:
                return "yes"
            else:
                best = "late"
        return best

    def relates(self, one: str, other: object) -> bool:
        """Whether the chapter has an event between just these two whose effect no rule knows: it may account for what
        they now have to do with each other."""
        return any(
            one in (event.subject, event.object)
            and (same(event.object, other) or event.subject == other)
            and ((spec := self.rules.events.get(event.type)) is None or not spec.sets)
            for event in self.happened
        )

    # -- changing

    def add_fact(self, fact: Fact) -> None:
        self.facts[fact.id] = fact
        self.index.add_fact(fact)

    def close(self, fact: Fact) -> None:
        """End an open fact here; it goes to the chapter's history."""
        del self.facts[fact.id]
        self.index.drop_fact(fact)
        self.closed.append(but(fact, valid_until_chapter=self.position))

    def put_entity(self, entity: Entity) -> None:
        self.entities[entity.id] = entity
        self.index.add_entity(entity)

    def put_hook(self, hook: Hook) -> None:
        known = hook.id in self.hooks
        self.hooks[hook.id] = hook
        if known:
            self.index.change_hook(hook)
        elif hook.status not in CLOSED:
            self.index.add_hook(hook)

    # -- reporting

    def report(
        self,
        code: str,
        severity: Severity,
        path: str,
        *,
        about: str = "",
        expected: str = "",
        actual: str = "",
        subject: object = "",
        predicate: str = "",
        events: tuple[str, ...] = (),
        new: Evidence | None = None,
        old: Evidence | None = None,
        repairable: bool = True,
    ) -> None:
        """A finding, with the words that prove both sides. Every code gets the same values, so texts may use any.

        In a founding what would refuse a chapter leaves out the item and warns: the rest of the book stands."""
        if self.delta.kind == "genesis" and severity == "blocking" and code != "kernel-001":
            severity = "warning"
        quotes = tuple(quote for evidence in (new, old) if evidence and (quote := quote_of(evidence, self.position)))
        self.findings.append(
            made(
        Finding,
        code=code,
                severity=severity,
                path=path,
                metric="",
                expected=expected,
                actual=actual,
                values={
                    "about": about or path,
                    "subject": self.name(subject),
                    "predicate": self.rules.label(predicate, self.before.language),
                    "events": ", ".join(self.rules.event_label(event, self.before.language) for event in events),
                    "since": value_text(old.chapter if old else None),
                },
                quotes=quotes,
                repairable=repairable,
                structural=False,
                by="rules",
                note="",
            )
        )

    def said(self, predicate: str, value: object) -> str:
        """`status: dead`, with names for ids, in the words of the book's language."""
        language = self.before.language
        label = self.rules.label(predicate, language)
        if value in (None, ""):
            return label
        return f"{label}: {self.rules.value_label(predicate, value, language) or self.name(value)}"

    # -- ending

    def result(self, summary: SummaryRow | None) -> tuple[StoryState, History]:
        """The new state with its index, and what the chapter laid to rest."""
        state = made(
        StoryState,
        schema_version=self.before.schema_version,
            book_id=self.before.book_id,
            language=self.before.language,
            last_applied_chapter=self.position,
            clock=self.clock,
            entities=self.entities,
            facts=self.facts,
            truths=self.truths,
            beliefs=self.beliefs,
            hooks=self.hooks,
            summaries=(*self.summaries, summary) if summary else self.summaries,
        )
        attach(state, self.index)
        history = made(
        History,
        schema_version=self.before.schema_version,
            chapter=self.position,
            closed=tuple(self.closed),
            events=tuple(self.events),
        )
        return state, history


def _absent(predicate: Predicate, value: str) -> bool:
    """Whether a value says that there is nothing of the kind, of one part or at all."""
    pair = keyed(value)
    return plain(pair[1] if pair else value) in {plain(word) for word in predicate.absent}


def _names(said: object, value: object) -> bool:
    """Whether an event's object is the value, or in words a part of it (`red` of `hair: red`)."""
    if same(said, value):
        return True
    return isinstance(said, str) and isinstance(value, str) and plain(said) != "" and plain(said) in plain(value)


def quote_of(evidence: Evidence, position: int) -> Quote | None:
    """The evidence as a finding's quote: `text` when it is of the chapter at `position`, else `chapter` or the file."""
    if not evidence.quote:
        return None
    source = evidence.source
    if source == "text" and evidence.chapter is not None and evidence.chapter != position:
        source = "chapter"
    return made(
        Quote,
        text=evidence.quote,
        source=source,
        chapter=evidence.chapter if source == "chapter" else None,
        start=evidence.start,
        end=evidence.end,
        places=max(evidence.places, 1),
    )
