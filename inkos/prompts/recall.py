"""What a book said long ago and a text needs again: rows of its deltas, found by rare words and ranked; reads no file.

A row is a quoted item of a delta or a chapter's summary. An index (inkos/ports.py RecallIndex) finds candidates by
terms: pairs of Han characters, stemmed words, and the ids of what a row is about; here they are ranked. Score of a row:
the rarity of each rare term that it shares with a line of the text, one point for each planned thing or promise that it
is about, and up to one for being recent. A row that shares a single rare term only is no evidence of anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from math import log
from typing import Literal, NamedTuple

from inkos.kernel.delta import Delta
from inkos.kernel.papers import Plan
from inkos.kernel.story import StoryState
from inkos.prompts.rarity import EMPTY
from inkos.prompts.relevance import features, plan_text, planned
from inkos.records import Record

MOST_TERMS = 32  # the rarest of a text that an index is asked for
RARE = 60  # rows that a term may stand in to be asked for in any case; in a long book a share of all, up to a limit
SHARE, LIMIT = 0.02, 1_500
CANDIDATES = 200  # rows that an index hands over, those that share most and rarest first
TOGETHER = 2  # terms or things that a row must share with the text


class Said(Record):
    """One row. `about`: ids of what it speaks of; `text`: what was said, as it may be shown."""

    chapter: int
    kind: Literal["fact", "event", "promise", "shown", "summary"]
    ref: str
    about: tuple[str, ...]
    text: str

    @property
    def terms(self) -> frozenset[str]:
        return words_of(self.text) | {mark_of(ref) for ref in self.about}


class Recalled(NamedTuple):
    """A row, what it shares with the text by rarity, and what else speaks for it."""

    said: Said
    shared: Mapping[str, float]
    more: float

    @property
    def score(self) -> float:
        return sum(self.shared.values()) + self.more


def is_rare(count: int, total: int) -> bool:
    """Whether a term that stands in `count` of `total` rows says anything about one of them."""
    return count <= max(RARE, min(LIMIT, SHARE * total))


class Counted(NamedTuple):
    """What an index answers: candidates, how many rows each asked term stands in, and how many rows there are."""

    rows: tuple[Said, ...]
    counts: Mapping[str, int]
    total: int


Ask = Callable[[Set[str]], Counted]


def words_of(text: str) -> frozenset[str]:
    """Pairs of characters that say something, and stemmed words."""
    return frozenset(mark for mark in features(text) if not EMPTY & set(mark))


def mark_of(ref: str) -> str:
    """An id as a term: no word of a text is like it."""
    return "id" + "".join(mark for mark in ref.casefold() if mark.isalnum())


def said_in(delta: Delta, position: int) -> list[Said]:
    """The rows of one chapter's delta, in its order."""
    rows: list[tuple[str, str, tuple[object, ...], str]] = []
    rows += [("fact", f.id, (f.subject, f.object), f.evidence.quote) for f in delta.facts]
    rows += [("event", e.id, (e.subject, e.object), e.evidence.quote) for e in delta.events]
    rows += [("fact", e.id, (e.id,), e.evidence.quote) for e in delta.entities]
    rows += [("promise", h.hook, (h.hook,), h.evidence.quote) for h in delta.hook_ops]
    rows += [("shown", f"{delta.chapter}.o{n}", (o.subject, o.object), o.evidence.quote)
             for n, o in enumerate(delta.observations, 1)]  # fmt: skip
    rows.append(("summary", f"{delta.chapter}.summary", (), delta.summary))
    found: dict[str, Said] = {}
    for kind, ref, about, text in rows:
        ids = tuple(dict.fromkeys(one for one in about if isinstance(one, str) and "." in one))
        if text.strip():
            known = found.get(text)
            ids = tuple(dict.fromkeys((*(known.about if known else ()), *ids)))
            found[text] = Said.model_validate(
                {"chapter": position, "kind": known.kind if known else kind, "ref": known.ref if known else ref,
                 "about": ids, "text": text}
            )  # fmt: skip
    return list(found.values())


def recalled(state: StoryState, plan: Plan, ask: Ask) -> list[Recalled]:
    """What was said that the plan needs, the most needed first."""
    known = planned(state, plan)
    things = {mark_of(one.id) for one in known}
    promises = {mark_of(promise.hook) for promise in plan.promises}
    cores = [state.hooks[promise.hook].core for promise in plan.promises if promise.hook in state.hooks]
    text = "\n".join([plan_text(plan), *cores])
    # Who is meant is said by the ids; the words of a name would bring up everything on the same road.
    for name in sorted((name for one in known for name in (one.name, *one.aliases)), key=len, reverse=True):
        text = text.replace(name, " ")
    return of_lines(text.splitlines(), things, promises, state, ask)


def of_lines(
    lines: Iterable[str], things: Set[str], promises: Set[str], state: StoryState, ask: Ask
) -> list[Recalled]:
    """`things` and `promises` as marks. A row is held against each line, since a line is about one thing, and counts
    by the one that it shares most with. What is about a secret is not for whoever drafts."""
    before = state.last_applied_chapter + 1
    hidden = {*state.truths, *(known.id for known in state.entities.values() if known.kind == "secret")}
    wanted = [words for line in lines if (words := words_of(line))] or [frozenset()]
    found = ask(frozenset().union(*wanted) | things | promises)
    rare = {term: log((found.total + 1) / (count + 1)) for term, count in found.counts.items()
            if is_rare(count, found.total)}  # fmt: skip
    ranked = []
    for row in found.rows:
        if any(ref in hidden for ref in row.about):
            continue
        terms = row.terms
        marks = terms & (things | promises)
        shared = max(({t: rare[t] for t in sorted(terms & line) if t in rare} for line in wanted),
                     key=lambda one: sum(one.values()))  # fmt: skip
        shared |= {mark: rare[mark] for mark in sorted(marks) if mark in rare}
        if len(shared) >= TOGETHER or marks & promises:
            ranked.append(Recalled(row, shared, len(marks) + row.chapter / before))
    return sorted(ranked, key=lambda one: (-one.score, -one.said.chapter, one.said.ref))


def distinct(rows: Iterable[Recalled], shown: str, most: int) -> list[Recalled]:
    """Up to `most` rows without what the prompt has already. What a chosen row shares counts half for the next: twelve
    rows on one road would leave out what was buried at its end."""
    left = {row.said.text.strip(): row for row in reversed(list(rows)) if row.said.text.strip() not in shown}
    covered: Counter[str] = Counter()
    kept: list[Recalled] = []

    def worth(row: Recalled) -> float:
        return sum(rarity * 0.5 ** covered[term] for term, rarity in row.shared.items()) + row.more

    waiting = list(left.values())[::-1]
    while waiting and len(kept) < most:
        best = max(waiting, key=worth)
        waiting.remove(best)
        kept.append(best)
        covered.update(best.shared)
    return kept
