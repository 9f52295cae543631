"""What of later chapters rests on something that changed earlier, read off the evidence they keep; decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inkos.cycle.refold import Told
from inkos.kernel.book import Stale
from inkos.kernel.delta import Delta
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact, StoryState
from inkos.kernel.views import name_of
from inkos.messages import Language
from inkos.records import Record
from inkos.text.quotes import find
from inkos.text.segment import sentences


class Touched(NamedTuple):
    """What changed: facts as (subject, predicate, value), ids of promises, ids of entities and truths that came or
    went."""

    facts: frozenset[tuple[str, str, object]]
    hooks: frozenset[str]
    things: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.facts or self.hooks or self.things)

    def and_also(self, other: Touched) -> Touched:
        return Touched(self.facts | other.facts, self.hooks | other.hooks, self.things | other.things)


class Rest(Record):
    """One place that rests on what changed: the chapter's position and title, what kind of thing it is, the thing in
    words, the chapter's own words for it, and the sentence in which they stand."""

    position: int
    title: str = ""
    chapter: str
    kind: str
    about: str
    quote: str
    sentence: str = ""


def difference(old: StoryState, new: StoryState) -> Touched:
    """What is otherwise in `new` than in `old`, positions aside."""
    old_facts = {_says(fact) for fact in old.facts.values()}
    new_facts = {_says(fact) for fact in new.facts.values()}
    hooks = {(h.id, h.status, h.core) for h in old.hooks.values()} ^ {
        (h.id, h.status, h.core) for h in new.hooks.values()
    }
    things = (old.entities.keys() ^ new.entities.keys()) | (old.truths.keys() ^ new.truths.keys())
    facts = frozenset((subject, predicate, value) for subject, predicate, _, value in old_facts ^ new_facts)
    return Touched(facts, frozenset(hook for hook, *_ in hooks), frozenset(things))


def _says(fact: Fact) -> tuple[str, str, str, object]:
    return (fact.subject, fact.predicate, type(fact.object).__name__, fact.object)


def resting(
    touched: Touched, chapters: Sequence[Told], since: int, state: StoryState, rules: Rules, language: Language
) -> list[Rest]:
    """The places in `chapters` (the first stands at `since`) that rest on what was touched. What a chapter sets anew
    rests on nothing before it, and what comes after it rests on that."""
    touched, found = touched._replace(facts=frozenset(touched.facts)), []
    for position, told in enumerate(chapters, since):
        for delta in told.deltas:
            for kind, about, quote in _places(delta, touched, state, rules):
                found.append(
                    Rest(position=position, title=told.entry.title, chapter=told.entry.id, kind=kind, about=about,
                         quote=quote, sentence=_sentence(told.text, quote, language))
                )  # fmt: skip
            replaced = _set_anew(delta, rules)
            touched = touched._replace(facts=frozenset(f for f in touched.facts if f[:2] not in replaced))
    return found


def _set_anew(delta: Delta, rules: Rules) -> set[tuple[str, str]]:
    """(subject, predicate) of the one-valued facts that a delta sets."""
    anew = {(change.subject, _name(rules, change.predicate)) for change in delta.facts}
    for event in delta.events:
        spec = rules.event(event.type)
        anew |= {(event.subject, setting.predicate) for setting in (spec.sets if spec else ()) if not setting.ends}
    return {(subject, predicate) for subject, predicate in anew if not _many(rules, predicate)}


def _places(delta: Delta, touched: Touched, state: StoryState, rules: Rules) -> Iterable[tuple[str, str, str]]:
    for change in delta.facts:
        resolved = rules.resolve(change.predicate)
        counts = resolved is not None and bool(resolved.predicate.balance or resolved.predicate.order)
        rests = counts and _touches(touched, rules, change.subject, change.predicate, change.object)
        if rests or {change.subject, change.object} & touched.things:
            yield "fact", _said(state, change.subject, change.predicate, change.object), change.evidence.quote
    for shown in delta.observations:
        rests = _touches(touched, rules, shown.subject, shown.predicate, shown.object)
        if rests or {shown.subject, shown.object} & touched.things:
            yield "sentence", _said(state, shown.subject, shown.predicate, shown.object), shown.evidence.quote
    for event in delta.events:
        spec = rules.event(event.type)
        needs = {setting.predicate for setting in (spec.sets if spec else ()) if setting.ends}
        needs |= {required.predicate for required in (spec.requires if spec else ())}
        rests = any(_touches(touched, rules, event.subject, need, event.object) for need in needs)
        if rests or {event.subject, event.object} & touched.things:
            yield "fact", _said(state, event.subject, event.type, event.object), event.evidence.quote
    for op in delta.hook_ops:
        if op.hook in touched.hooks or set(op.depends_on) & touched.hooks:
            yield "promise", name_of(state, op.hook) or op.core, op.evidence.quote


def _touches(touched: Touched, rules: Rules, subject: str, predicate: str, value: object) -> bool:
    """Whether a statement is about a fact that changed: of a many-valued predicate, about that very value."""
    name = _name(rules, predicate)
    if _many(rules, name):
        return (subject, name, value) in touched.facts
    return any(fact[:2] == (subject, name) for fact in touched.facts)


def _many(rules: Rules, predicate: str) -> bool:
    known = rules.predicates.get(predicate)
    return known is None or known.many


def _name(rules: Rules, word: str) -> str:
    resolved = rules.resolve(word)
    return resolved.predicate.name if resolved else word


def _said(state: StoryState, subject: str, predicate: str, value: object) -> str:
    return " · ".join(part for part in (name_of(state, subject), predicate, name_of(state, value)) if part)


def _sentence(text: str, quote: str, language: Language) -> str:
    """The sentence in which a quote begins, where the quote is not a whole one itself."""
    at = text.find(quote) if quote else -1
    if at < 0:
        return ""
    return next((span.text for span in sentences(text, language) if span.start <= at < span.end), "")


def marks(found: Iterable[Rest], chapter: str, move: str) -> dict[str, tuple[Stale, ...]]:
    """The stale marks of what was found, by chapter id; `chapter` is the one that changed."""
    made: dict[str, tuple[Stale, ...]] = {}
    for rest in found:
        mark = Stale(kind="rests", about=rest.about, quote=rest.quote, chapter=chapter, move=move)
        made[rest.chapter] = (*made.get(rest.chapter, ()), mark)
    return made


def unproven(told: Told) -> list[tuple[str, str]]:
    """Items of a chapter's delta whose words do not stand in its text any more, as (what, quote)."""
    lost: list[tuple[str, str]] = []
    for delta in told.deltas:
        for name in ("entities", "events", "facts", "observations", "hook_ops"):
            for item in getattr(delta, name):
                quote = item.evidence.quote
                if quote and item.evidence.source == "text" and quote not in told.text and not find(quote, told.text):
                    lost.append((name, quote))
    return lost
