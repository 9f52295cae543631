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
    """What changed: (subject, predicate) of facts, ids of promises, ids of entities and truths that came or went."""

    facts: frozenset[tuple[str, str]]
    hooks: frozenset[str]
    things: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.facts or self.hooks or self.things)


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
    facts = frozenset((subject, predicate) for subject, predicate, *_ in old_facts ^ new_facts)
    return Touched(facts, frozenset(hook for hook, *_ in hooks), frozenset(things))


def _says(fact: Fact) -> tuple[str, str, str, object]:
    return (fact.subject, fact.predicate, type(fact.object).__name__, fact.object)


def resting(
    touched: Touched, chapters: Sequence[Told], since: int, state: StoryState, rules: Rules, language: Language
) -> list[Rest]:
    """The places in `chapters` (the first stands at `since`) that rest on what was touched. A fact that a chapter sets
    anew rests on the old value; what comes after it rests on the new one."""
    facts, found = set(touched.facts), []
    for position, told in enumerate(chapters, since):
        replaced: set[tuple[str, str]] = set()
        for delta in told.deltas:
            for kind, about, quote in _places(delta, facts, touched, state, rules, replaced):
                found.append(
                    Rest(position=position, title=told.entry.title, chapter=told.entry.id, kind=kind, about=about,
                         quote=quote, sentence=_sentence(told.text, quote, language))
                )  # fmt: skip
        facts -= replaced
    return found


def _places(
    delta: Delta, facts: set[tuple[str, str]], touched: Touched, state: StoryState, rules: Rules,
    replaced: set[tuple[str, str]],
) -> Iterable[tuple[str, str, str]]:  # fmt: skip
    for change in delta.facts:
        key = (change.subject, _name(rules, change.predicate))
        if key in facts or {change.subject, change.object} & touched.things:
            yield "fact", _said(state, change.subject, change.predicate, change.object), change.evidence.quote
            replaced.add(key)
    for shown in delta.observations:
        key = (shown.subject, _name(rules, shown.predicate))
        if key in facts or {shown.subject, shown.object} & touched.things:
            yield "sentence", _said(state, shown.subject, shown.predicate, shown.object), shown.evidence.quote
    for event in delta.events:
        spec = rules.event(event.type)
        sets = {(event.subject, setting.predicate) for setting in (spec.sets if spec else ())}
        if sets & facts or {event.subject, event.object} & touched.things:
            yield "fact", _said(state, event.subject, event.type, event.object), event.evidence.quote
            replaced |= sets
    for op in delta.hook_ops:
        if op.hook in touched.hooks or set(op.depends_on) & touched.hooks:
            yield "promise", name_of(state, op.hook) or op.core, op.evidence.quote


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
