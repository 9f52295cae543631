"""Questions that people and prompts ask of a state; changes nothing and does not judge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from inkos.kernel.index import index_of
from inkos.kernel.story import AuthorTruth, Entity, Fact, Hook, PayoffTiming, StoryState

if TYPE_CHECKING:
    from inkos.kernel.rules import Rules

# When a promise should be paid, in chapters after it was planted: (shares of the book's length, least, most) for the
# first and for the last chapter of its window. Trade judgement (design/craft.md: wins every 3–5 chapters, new
# information every 8–12); `endgame` counts from the end of the book.
WINDOWS: dict[PayoffTiming, tuple[tuple[float, int, int], tuple[float, int, int]]] = {
    "immediate": ((0.0, 1, 1), (0.0, 2, 2)),
    "near-term": ((0.0, 3, 3), (0.05, 6, 10)),
    "mid-arc": ((0.05, 6, 20), (0.15, 12, 60)),
    "slow-burn": ((0.15, 12, 60), (0.5, 30, 400)),
    "endgame": ((0.9, 1, 100_000), (1.0, 1, 100_000)),
}
QUIET = 10  # chapters that an overdue promise may go without new information (design/craft.md: 8–12)


def _share(window: tuple[float, int, int], chapters: int) -> int:
    share, least, most = window
    return max(least, min(most, round(share * chapters)))


def window(hook: Hook, chapters: int) -> tuple[int, int]:
    """First and last position at which the promise should be paid, in a book of `chapters` chapters."""
    first, last = WINDOWS[hook.payoff_timing]
    base = 0 if hook.payoff_timing == "endgame" else hook.start_chapter
    opens, closes = base + _share(first, chapters), base + _share(last, chapters)
    if hook.due_by is not None:
        opens, closes = min(opens, hook.due_by), hook.due_by
    return opens, max(opens, closes)


def is_open(hook: Hook) -> bool:
    return hook.status not in ("resolved", "abandoned")


def hooks_due(state: StoryState, position: int, chapters: int) -> list[Hook]:
    """Open promises due or overdue at `position`, the longest overdue first; one that waits for another open one is
    not due before it."""
    due = []
    for hook in state.hooks.values():
        if not is_open(hook) or hook.start_chapter >= position:
            continue
        if any(other in state.hooks and is_open(state.hooks[other]) for other in hook.depends_on):
            continue
        opens, closes = window(hook, chapters)
        if position >= opens:
            due.append((closes, hook.start_chapter, hook.id, hook))
    return [hook for *_, hook in sorted(due, key=lambda row: row[:3])]


def hooks_overdue(state: StoryState, position: int, chapters: int) -> list[Hook]:
    """Promises past their window that have had nothing new for `QUIET` chapters either."""
    return [
        hook
        for hook in hooks_due(state, position, chapters)
        if position > window(hook, chapters)[1] and position - hook.last_advanced_chapter > QUIET
    ]


def entity(state: StoryState, ref: str) -> Entity | None:
    """By id, handle, exact name or alias; null when nobody or more than one bears it."""
    if ref in state.entities:
        return state.entities[ref]
    ids = index_of(state).bearers(ref)
    return state.entities[ids[0]] if len(ids) == 1 else None


def handles(state: StoryState) -> dict[str, str]:
    """Handle → id of everything that has one: entities, open facts, hooks, truths."""
    found: dict[str, str] = {}
    for table in (state.entities, state.facts, state.hooks, state.truths):
        for item in table.values():
            if item.handle:
                found[item.handle] = item.id
    return found


def facts_of(state: StoryState, ids: Iterable[str]) -> list[Fact]:
    """Open facts about any of `ids`, as subject or as object, oldest first."""
    index = index_of(state)
    found: dict[str, Fact] = {}
    for who in ids:
        for fact_id in (*index.about(who), *index.pointing(who)):
            found[fact_id] = state.facts[fact_id]
    return sorted(found.values(), key=lambda fact: (fact.valid_from_chapter, fact.id))


def name_of(state: StoryState, ref: object) -> str:
    """What `ref` is called: an entity's name, a truth's question, a hook's core, or the value itself."""
    if isinstance(ref, str):
        if ref in state.entities:
            return state.entities[ref].name
        if ref in state.truths:
            return state.truths[ref].question
        if ref in state.hooks:
            return state.hooks[ref].core
    return value_text(ref)


def value_text(value: object) -> str:
    """A scalar as it is shown: numbers without needless `.0`, booleans as yes/no marks of JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)


def fact_line(fact: Fact, state: StoryState, rules: Rules | None = None) -> str:
    """`f12 name · predicate · object`, without the handle where the fact has none; with `rules` in the words that the
    book's language has for predicate and value."""
    word, value = fact.predicate, ""
    if rules is not None:
        word = rules.label(fact.predicate, state.language)
        value = rules.value_label(fact.predicate, fact.object, state.language)
    line = f"{name_of(state, fact.subject)} · {word} · {value or name_of(state, fact.object)}"
    return f"{fact.handle} {line}" if fact.handle else line


def who_knows(state: StoryState, secret_id: str) -> list[str]:
    """Ids of those who know a secret: named by the author, or having learned it, oldest first."""
    truth = state.truths.get(secret_id)
    known = list(truth.known_by) if truth else []
    for fact_id in index_of(state).pointing(secret_id):
        fact = state.facts[fact_id]
        if fact.predicate == "knows" and fact.subject not in known:
            known.append(fact.subject)
    return known


def last_seen(state: StoryState, entity_id: str) -> int | None:
    """The last position at which the state records anything about the entity; null when it knows no such entity."""
    if entity_id not in state.entities:
        return None
    seen = [state.entities[entity_id].introduced_at]
    seen += [fact.valid_from_chapter for fact in facts_of(state, [entity_id])]
    return max(seen)


def secrets_not_due(state: StoryState, position: int) -> list[AuthorTruth]:
    """Truths that a chapter at `position` must keep from its readers."""
    return [
        truth
        for truth in state.truths.values()
        if truth.reader_knows_from is None or truth.reader_knows_from > position
    ]
