"""Runs labelled cases: one small situation (facts, events, observations) given by names, judged by the reducer itself.

A case names entities and predicates in words; what these stand for is casewords.py's business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inkos.kernel.casewords import STATE_WORDS, Row, Vocabulary, extended, spaced, stored
from inkos.kernel.delta import ClockSet, Delta, EventItem, HookOp, Observation
from inkos.kernel.findings import Finding
from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import (
    AuthorTruth,
    Entity,
    EntityKind,
    Evidence,
    Fact,
    Hook,
    Mode,
    StoryClock,
    StoryState,
    SummaryRow,
)
from inkos.kernel.values import amount, minutes, number, plain
from inkos.kernel.views import hooks_overdue, is_open, window

_ENDS = {"resolve": "resolved", "abandon": "abandoned", "defer": "deferred"}
_PROMISE = re.compile(r"(?i)(hook|promise|foreshadow|(?:plot )?thread|mystery|setup|伏笔|悬念|铺垫|承诺)")
MODES: frozenset[str] = frozenset({"narrated", "dialogue", "flashback", "dream", "letter", "rumour", "plan"})


MOST_CHAPTERS = 10_000  # beyond any serial: a case takes a row for each chapter before the one that is judged


def check_case(case: Row, rules: Rules) -> tuple[Finding, ...]:
    """What the rules find in one case, from warnings on. `case` has `chapter`, `facts` (subject, predicate, object,
    valid_from, valid_to), `events` (type, subject, object, chapter), `observations` (subject, predicate, object, mode,
    at), `quote`, `fact_quote`, `event_quote`; what is missing counts as empty."""
    return _Case(case, rules).findings()


def _rows(case: Row, name: str) -> list[Row]:
    rows = case.get(name) or []
    if not isinstance(rows, Sequence):
        return []
    return [{str(key): _plain(value) for key, value in row.items()} for row in rows if isinstance(row, Mapping)]


def _plain(value: object) -> bool | int | float | str | None:
    """A value as records take it; what is none, or no finite number, counts as missing."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str) else None


class _Case(Vocabulary):
    """One case on its way from words to a state and a delta."""

    def __init__(self, case: Row, rules: Rules) -> None:
        self.case = case
        self.chapter = max(1, min(int(number(case.get("chapter")) or 1), MOST_CHAPTERS))
        self.facts = [row for row in _rows(case, "facts") if not self._over(row)]
        rules = extended(rules, self.facts, _rows(case, "events"), _rows(case, "observations"))
        super().__init__(rules)
        self.hooks: dict[str, Hook] = {}
        self.late: list[HookOp] = []  # operations on promises that have ended
        self.truths: dict[str, AuthorTruth] = {}
        self.day: float = 1
        self.quote = str(case.get("quote") or "…")
        self.event_quote = str(case.get("event_quote") or "…")
        self.text = f"{self.event_quote}\n{self.quote}"

    def _over(self, row: Row) -> bool:
        until = number(row.get("valid_to"))
        return until is not None and until <= self.chapter

    def said(self, *, event: bool = False) -> Evidence:
        start = 0 if event else len(self.event_quote) + 1
        quote = self.event_quote if event else self.quote
        return Evidence(quote=quote, chapter=self.chapter, start=start, end=start + len(quote))

    # -- building

    def findings(self) -> tuple[Finding, ...]:
        self._special_facts()
        self._guess_kinds()
        facts = self._facts()
        events = self._events()
        observations, operations, clock = self._observations()
        state = self._state(facts)
        delta = Delta(
            chapter="case",
            position=self.chapter,
            events=tuple(events),
            observations=tuple(observations),
            hook_ops=(*self.late, *operations),
            clock=clock,
        )
        done = apply(state, delta, self.text, self.rules)
        found = [f for f in done.findings if f.severity != "info" and not f.code.startswith("kernel-")]
        hooks = done.state.hooks if done.state else state.hooks
        return (*found, *self._overdue(state.model_copy(update={"hooks": hooks})))

    def _special_facts(self) -> None:
        """Facts about promises, the clock and author truths leave the table of entity facts."""
        left = []
        for row in self.facts:
            subject, word = str(row.get("subject", "")), row.get("predicate")
            unit = self.meant("clock", word)
            if unit and number(row.get("object")) is not None:
                self.day = 1 + (number(row.get("object")) or 0) * self.rules.durations[unit] / 1440
            elif self.meant("truth", word) and self._is_truth(subject):
                self._truth(subject, self.meant("truth", word), row)
            elif self._is_hook(subject) and self.meant("hook", word):
                self._hook(subject, self.meant("hook", word), row)
            else:
                left.append(row)
        self.facts = left

    def _is_hook(self, subject: str) -> bool:
        rows = [row for row in _rows(self.case, "facts") if row.get("subject") == subject]
        named = _PROMISE.match(subject) is not None
        return named or any(self.meant("hook", row.get("predicate")) == "due_by" for row in rows)

    def _is_truth(self, subject: str) -> bool:
        rows = [row for row in _rows(self.case, "facts") if row.get("subject") == subject]
        return any(self.meant("truth", row.get("predicate")) == "reader_knows_from" for row in rows)

    def _hook(self, subject: str, what: str, row: Row) -> None:
        since = max(0, min(int(number(row.get("valid_from")) or 0), self.chapter - 1))
        hook = self.hooks.get(subject) or Hook(
            id=subject, start_chapter=since, last_advanced_chapter=since, core=subject, payoff_timing="endgame"
        )
        value = row.get("object")
        update: dict[str, Any] = {}
        if what == "due_by" and number(value) is not None:
            update["due_by"] = int(number(value) or 0)
        elif what == "status":
            verb = self.meant("hook", value)
            update["status"] = _ENDS.get(verb, "open")
        elif what == "depends_on":
            update["depends_on"] = (*hook.depends_on, str(value))
        self.hooks[subject] = hook.model_copy(update=update)

    def _truth(self, subject: str, what: str, row: Row) -> None:
        truth = self.truths.get(subject) or AuthorTruth(id=subject, question=subject, truth=subject)
        value = row.get("object")
        update: dict[str, Any] = {}
        if what == "reader_knows_from":
            found = number(value)
            update["reader_knows_from"] = None if found is None else int(found)
        elif what == "known_by":
            names = re.split(r"\s*[,，、;]\s*|\s+and\s+", str(value))
            update["known_by"] = (*truth.known_by, *names)
        else:
            update["truth"] = str(value)
        self.truths[subject] = truth.model_copy(update=update)

    def _guess_kinds(self) -> None:
        """Each name gets the kind that most of its predicates and events ask for; sure ones are asked first."""
        for again in (False, True):
            for row in (*self.facts, *_rows(self.case, "observations")):
                word = spaced(row.get("predicate"))
                if not again and (plain(word) in STATE_WORDS or self.state(word, row) is not None):
                    continue  # whose state decides what it means, so that is asked last
                subject, spec, value = self.sides(row)
                self._vote(subject, spec.subject)
                if spec.value == "entity":
                    self._vote(value, spec.kinds)
            for row in _rows(self.case, "events"):
                event = self.rules.event(spaced(row.get("type")))
                self._vote(self.subject(row.get("subject")), self._changes(event) if event else ())
                for setting in event.sets if event and amount(row.get("object")) is None else ():
                    spec = self.rules.predicates[setting.predicate]
                    if spec.value == "entity" and setting.to == "object" and row.get("object") is not None:
                        self._vote(self.subject(row.get("object")), spec.kinds)
        for truth in self.truths.values():
            for who in truth.known_by:
                self._vote(who, ("person",))

    def _changes(self, event: EventType) -> tuple[EntityKind, ...]:
        """The kinds that an event is about: its own, or those of the predicates that it lets change."""
        specs = self.rules.predicates.values()
        moved = [spec for spec in specs if event.name in (*spec.licensed_by, *spec.released_by)]
        return event.kinds or tuple(kind for spec in moved for kind in spec.subject)

    def _vote(self, name: object, kinds: Iterable[EntityKind]) -> None:
        if not isinstance(name, str) or not name or name in self.truths or name in self.hooks:
            return
        asked = set(kinds)
        held = self.kinds.setdefault(name, set())
        both = held & asked
        self.kinds[name] = both or held or asked

    def _entities(self) -> dict[str, Entity]:
        named: dict[str, list[str]] = {}
        for row in self.facts:
            subject, spec, value = self.sides(row)
            if spec.names and isinstance(value, str):
                first = plain(spaced(row.get("predicate"))) == plain(spec.name)
                named.setdefault(subject, []).insert(0 if first else len(named[subject]), value)
        order: tuple[EntityKind, ...] = ("person", "item", "place", "group", "concept", "secret")
        entities = {}
        for name, kinds in self.kinds.items():
            kind = next((k for k in order if k in kinds), "concept" if name in ("book", "world") else "person")
            called, *others = named.get(name, [name])
            entities[name] = Entity(id=name, kind=kind, name=called, aliases=tuple(others))
        return entities

    def _since(self, row: Row) -> int:
        return max(0, min(int(number(row.get("valid_from")) or 0), self.chapter - 1))

    def _facts(self) -> dict[str, Fact]:
        quote = str(self.case.get("fact_quote") or "")
        facts = {}
        for n, row in enumerate(self.facts):
            subject, spec, value = self.sides(row)
            if spec.observed or spec.names or value is None:
                continue
            since = self._since(row)
            worth = stored(self.rules, spec, value)
            evidence = Evidence(quote=quote, chapter=since)
            kind = "entity" if spec.value == "entity" else spec.value
            facts[f"f{n}"] = Fact(
                id=f"f{n}",
                subject=subject,
                predicate=spec.name,
                object=worth,
                object_kind=kind,
                valid_from_chapter=since,
                source_chapter=since,
                evidence=evidence,
            )
        return facts

    def _events(self) -> list[EventItem]:
        events = []
        for n, row in enumerate(_rows(self.case, "events")):
            subject, value = self.subject(row.get("subject")), row.get("object")
            at = number(row.get("chapter"))
            if at is not None and (at > self.chapter or at < self._known_since(subject)):
                continue  # not yet, or before what is known: it explains nothing
            if subject in self.hooks:
                self._advance(subject, row, int(at or self.chapter))
                continue
            if isinstance(value, str) and value in self.kinds:
                value = self.subject(value)
                known = self.rules.event(spaced(row.get("type")))
                if known and known.kinds and self._turned(set(known.kinds), subject, value):
                    subject, value = value, subject
            scalar = value if isinstance(value, bool | int | float | str) else None
            event = self.rules.event(spaced(row.get("type")))
            name = event.name if event else spaced(row.get("type"))
            events.append(
                EventItem(id=f"e{n}", type=name, subject=subject, object=scalar, evidence=self.said(event=True))
            )
        return events

    def _turned(self, kinds: set[EntityKind], subject: str, value: str) -> bool:
        """Whether an event stands the other way round ("Ivo inherits the farm"), by the kinds it takes."""
        return not kinds & self.kinds.get(subject, kinds) and bool(kinds & self.kinds.get(value, set()))

    def _known_since(self, subject: str) -> int:
        return max((self._since(row) for row in self.facts if self.sides(row)[0] == subject), default=0)

    def _advance(self, subject: str, row: Row, at: int) -> None:
        hook = self.hooks[subject]
        verb = self.meant("hook", row.get("type")) or "upsert"
        if not is_open(hook):
            self.late.append(HookOp(op=verb, hook=subject, evidence=self.said(event=True)))  # type: ignore[arg-type]
            return
        status = _ENDS.get(verb, "progressing")
        update: dict[str, Any] = {"status": status, "last_advanced_chapter": max(hook.last_advanced_chapter, at)}
        later = number(row.get("object")) if verb == "defer" else None
        if later is not None:
            update["due_by"] = int(later)
        self.hooks[subject] = hook.model_copy(update=update)

    def _observations(self) -> tuple[list[Observation], list[HookOp], ClockSet | None]:
        shown, operations, clock = [], [], None
        for row in _rows(self.case, "observations"):
            mode = str(row.get("mode") or "narrated")
            unit = self.meant("clock", row.get("predicate"))
            if str(row.get("subject")) in self.hooks:
                operations += self._operation(row, mode)
                continue
            if unit and number(row.get("object")) is not None:
                if mode == "narrated":
                    clock = self._clock((number(row.get("object")) or 0) * self.rules.durations[unit], fresh=True)
                continue
            subject, spec, value = self.sides(row)
            when = row.get("at") or row.get("when")
            passed = self._passed(when)
            if passed is not None and mode == "narrated":
                clock = self._clock(passed)
            word = str(row.get("predicate"))
            known: Mode = mode if mode in MODES else "rumour"  # type: ignore[assignment]
            scalar = value if isinstance(value, bool | int | float | str) else None
            shown.append(
                Observation(
                    mode=known,
                    subject=subject,
                    predicate=self._shown_word(spaced(word), spec),
                    object=scalar,
                    when=None if when is None else str(when),
                    evidence=self.said(),
                )
            )
        return shown, operations, clock

    def _shown_word(self, word: str, spec: Predicate) -> str:
        """The row's own word, where the reducer takes it for the same predicate or for an act."""
        found = self.rules.resolve(word)
        if found is None and spec.name == "uses":
            aliases = {**spec.aliases, "": (*spec.aliases.get("", ()), word)}
            self.rules = self.rules.but(
                predicates={**self.rules.predicates, spec.name: spec.model_copy(update={"aliases": aliases})}
            )
            return word
        same_one = found is not None and found.predicate.name == spec.name and not found.swapped and not found.key
        return word if same_one or (found is None and spec.name == "acts") else spec.name

    def _operation(self, row: Row, mode: str) -> list[HookOp]:
        verb = self.meant("hook", row.get("object")) or self.meant("hook", row.get("predicate"))
        if mode != "narrated" or verb not in ("upsert", "resolve", "defer", "abandon"):
            return []
        if self.hooks[str(row["subject"])].status == _ENDS.get(verb):
            return []  # says what is so already
        return [HookOp(op=verb, hook=str(row["subject"]), evidence=self.said())]  # type: ignore[arg-type]

    def _passed(self, when: object) -> float | None:
        """Minutes that a word of time says have passed; null when it says nothing of the kind."""
        if not isinstance(when, str):
            return None
        text = when.casefold().strip()
        spoken = minutes(text, self.rules.durations)
        if spoken is not None:
            return spoken
        for span, words in self.rules.words.get("when", {}).items():
            if any(text.startswith(word) for word in words):
                return float(span)
        return None

    def _clock(self, passed: float, *, fresh: bool = False) -> ClockSet:
        """The clock after `passed` minutes since the facts, or (`fresh`) since the story's first day."""
        total = passed + (0 if fresh else (self.day - 1) * 1440)
        clock = StoryClock(day=int(total // 1440) + 1, minute=None if fresh else int(total % 1440))
        return ClockSet(clock=clock, evidence=self.said())

    def _state(self, facts: dict[str, Fact]) -> StoryState:
        # The clock's facts say how far the story has come; what is older stands at its first day.
        rows = tuple(SummaryRow.model_construct(chapter=n, title="", day=1, text="") for n in range(1, self.chapter))
        return StoryState(
            book_id="case",
            language="zh" if self.case.get("lang") == "zh" else "en",
            last_applied_chapter=self.chapter - 1,
            clock=StoryClock(day=int(self.day), minute=0 if self._timed() else None),
            entities=self._entities(),
            facts=facts,
            truths=self.truths,
            hooks=self.hooks,
            summaries=rows,
        )

    def _timed(self) -> bool:
        return any(row.get("at") or row.get("when") for row in _rows(self.case, "observations"))

    def _overdue(self, state: StoryState) -> list[Finding]:
        chapters = max(self.rules.chapters, self.chapter)
        return [
            Finding(
                code="hook-004",
                severity="warning",
                path=f"hooks.{hook.id}",
                expected=f"≤ {window(hook, chapters)[1]}",
                actual=hook.status,
                by="rules",
            )
            for hook in hooks_overdue(state, self.chapter, chapters)
            if is_open(hook) and hook.due_by is not None
        ]
