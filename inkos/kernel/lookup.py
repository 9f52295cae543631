"""What people ask of states: differences, a subject's facts, promises and their windows, who knows; judges nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Literal

from inkos.kernel.index import index_of
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact, StoryState
from inkos.kernel.values import plain
from inkos.kernel.views import fact_line, hooks_due, hooks_overdue, is_open, name_of, window
from inkos.records import Record


class Change(Record):
    """One row that is there in only one of two states (`gone`, `new`), or that says something else (`changed`: `line`
    is the new wording, `before` the old)."""

    kind: Literal["new", "gone", "changed"]
    table: Literal["entities", "facts", "truths", "hooks", "summaries", "clock"]
    line: str
    before: str = ""


class PromiseRow(Record):
    """`opens`, `closes`: the positions between which it should be paid. `state`: `overdue` past it without news,
    `due` inside it, `waits` for another promise, `open` before it, `ended`."""

    handle: str
    core: str
    status: str
    state: Literal["overdue", "due", "waits", "open", "ended"]
    since: int
    last: int
    opens: int
    closes: int
    waits_for: tuple[str, ...] = ()


class Knower(Record):
    """`since` null: from the start, the author said so."""

    name: str
    since: int | None = None
    quote: str = ""


class Known(Record):
    """`reader`: the position from which a chapter may let the reader know (null: undecided, or no author truth)."""

    about: str
    truth: str = ""
    reader: int | None = None
    knowers: tuple[Knower, ...] = ()
    unaware: tuple[str, ...] = ()
    mistaken: tuple[str, ...] = ()


def resolve(state: StoryState, word: str) -> list[str]:
    """Ids of everything that bears this handle, name, alias, question or id."""
    for table in (state.entities, state.truths, state.hooks):
        if word in table:
            return [word]
    found = list(index_of(state).bearers(word))
    flat = plain(word)
    found += [truth.id for truth in state.truths.values() if flat in (plain(truth.handle), plain(truth.question))]
    found += [hook.id for hook in state.hooks.values() if flat in (plain(hook.handle), plain(hook.core))]
    return list(dict.fromkeys(found))


def compared(before: StoryState, after: StoryState, rules: Rules) -> list[Change]:
    """What is new, gone or otherwise, table by table, in the words of the book's language."""
    changes: list[Change] = []
    facts = partial(fact_line, rules=rules)
    tables: dict[str, Any] = {"entities": _entity, "facts": facts, "truths": _truth, "hooks": _hook}
    for table, say in tables.items():
        changes += _rows(before, after, getattr(before, table), getattr(after, table), table, say)
    old, new = ({row.chapter: row for row in state.summaries} for state in (before, after))
    changes += _rows(before, after, old, new, "summaries", lambda row, state: f"{row.chapter} {row.title}: {row.text}")
    if before.clock != after.clock:
        changes.append(Change(kind="changed", table="clock", line=_clock(after), before=_clock(before)))
    return changes


def _rows(
    before: StoryState, after: StoryState, old: Mapping[Any, Any], new: Mapping[Any, Any], table: Any, say: Any
) -> Iterable[Change]:
    for key, row in new.items():
        was = old.get(key)
        if was is None:
            yield Change(kind="new", table=table, line=say(row, after))
        elif was is not row and was != row and say(was, before) != say(row, after):
            yield Change(kind="changed", table=table, line=say(row, after), before=say(was, before))
    for key, row in old.items():
        if key not in new:
            yield Change(kind="gone", table=table, line=say(row, before))


def _entity(row: Any, state: StoryState) -> str:
    return f"{row.handle} {' / '.join((row.name, *row.aliases))} ({row.kind})".strip()


def _truth(row: Any, state: StoryState) -> str:
    reader = "" if row.reader_knows_from is None else f" [{row.reader_knows_from}]"
    known = ", ".join(name_of(state, who) for who in row.known_by)
    return f"{row.handle} {row.question} — {row.truth}{reader} {{{known}}}".strip()


def _hook(row: Any, state: StoryState) -> str:
    due = "" if row.due_by is None else f" ≤ {row.due_by}"
    return f"{row.handle} ({row.status}, {row.payoff_timing}{due}) {row.core}".strip()


def _clock(state: StoryState) -> str:
    minute = "" if state.clock.minute is None else f" {state.clock.minute // 60:02d}:{state.clock.minute % 60:02d}"
    return f"{state.clock.day}{minute} {state.clock.label}".strip()


def facts_about(state: StoryState, closed: Iterable[Fact], who: str) -> list[Fact]:
    """Open facts and `closed` ones about somebody, as subject or object ("": all), by when they began."""
    found = [fact for fact in (*closed, *state.facts.values()) if not who or who in (fact.subject, fact.object)]
    until = {id(fact): fact.valid_until_chapter for fact in found}
    return sorted(found, key=lambda fact: (fact.valid_from_chapter, until[id(fact)] is None, until[id(fact)] or 0))


def promises(state: StoryState, position: int, chapters: int) -> list[PromiseRow]:
    """Every promise, the most pressing first."""
    overdue = {hook.id for hook in hooks_overdue(state, position, chapters)}
    due = {hook.id for hook in hooks_due(state, position, chapters)}
    rank = {"overdue": 0, "due": 1, "waits": 2, "open": 3, "ended": 4}
    rows = []
    for hook in state.hooks.values():
        waits = [other for other in hook.depends_on if other in state.hooks and is_open(state.hooks[other])]
        kind = "overdue" if hook.id in overdue else "due" if hook.id in due else "waits" if waits else "open"
        opens, closes = window(hook, chapters)
        rows.append(
            PromiseRow(
                handle=hook.handle,
                core=hook.core,
                status=hook.status,
                state=kind if is_open(hook) else "ended",  # type: ignore[arg-type]
                since=hook.start_chapter,
                last=hook.last_advanced_chapter,
                opens=opens,
                closes=closes,
                waits_for=tuple(name_of(state, other) for other in waits),
            )
        )
    return sorted(rows, key=lambda row: (rank[row.state], row.closes, row.since))


def known_by(state: StoryState, word: str) -> Known | None:
    """Who knows an author truth, or anything else that somebody is recorded as knowing; null when nothing is."""
    truth = next((state.truths[each] for each in resolve(state, word) if each in state.truths), None)
    truth = truth or next((each for each in state.truths.values() if plain(each.truth) == plain(word)), None)
    wanted = {plain(word)} if truth is None else {plain(truth.id), plain(truth.truth), plain(truth.question)}
    knowers = [Knower(name=name_of(state, who)) for who in (truth.known_by if truth else ())]
    unaware = []
    for fact in state.facts.values():
        said = {plain(str(fact.object)), plain(name_of(state, fact.object))}
        if fact.predicate not in ("knows", "unaware") or not said & wanted:
            continue
        name = name_of(state, fact.subject)
        if fact.predicate == "unaware":
            unaware.append(name)
        elif all(name != each.name for each in knowers):
            knowers.append(Knower(name=name, since=fact.valid_from_chapter, quote=fact.evidence.quote))
    if truth is None and not knowers and not unaware:
        return None
    return Known(
        about=truth.question if truth else word,
        truth=truth.truth if truth else "",
        reader=truth.reader_knows_from if truth else None,
        knowers=tuple(knowers),
        unaware=tuple(unaware),
        mistaken=tuple(f"{name_of(state, b.holder)}: {b.text}" for b in state.beliefs) if truth else (),
    )
