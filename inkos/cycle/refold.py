"""A book's history folded anew from a position on, after something before it changed; keeps no files.

What an earlier change makes impossible is suspended, not thrown away: the operation stays in its delta, is left out of
the state, and its chapter is marked stale. What still holds but rests on what changed is marked, too (ripple.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inkos.kernel.book import ChapterEntry, Stale
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.replay import reduced
from inkos.kernel.rules import Rules
from inkos.kernel.story import History, StoryState


class Told(NamedTuple):
    """One chapter as it is kept: its row, its deltas in order (its own, then what its author adopted after it), and the
    prose that they quote."""

    entry: ChapterEntry
    deltas: tuple[Delta, ...]
    text: str


class Folded(NamedTuple):
    """One chapter of a history folded anew. `applied` are its deltas without what was suspended, null for one that is
    suspended as a whole."""

    entry: ChapterEntry
    state: StoryState
    history: History
    suspended: tuple[Finding, ...]
    applied: tuple[Delta | None, ...]


def refold(state: StoryState, chapters: Iterable[Told], rules: Rules) -> list[Folded]:
    """Apply the chapters on `state`, one after the other. Positions are counted anew from it."""
    folded: list[Folded] = []
    for told in chapters:
        made = fold(state, told, rules)
        folded.append(made)
        state = made.state
    return folded


def fold(state: StoryState, told: Told, rules: Rules) -> Folded:
    position = state.last_applied_chapter + 1
    history = History(chapter=position)
    suspended: list[Finding] = []
    applied: list[Delta | None] = []
    for delta in told.deltas:
        done, left_out, kept = reduced(state, delta.model_copy(update={"position": position}), told.text, rules)
        if done.state is None or done.history is None:
            # A chapter's delta always leaves title and summary; an author's is suspended as a whole.
            assert delta.kind == "author", [finding.code for finding in done.findings]
            suspended += [finding for finding in done.findings if finding.blocking]
            applied.append(None)
            continue
        suspended += left_out
        applied.append(kept)
        state = done.state
        history = joined(history, done.history)
    return Folded(told.entry, state, history, tuple(suspended), tuple(applied))


def joined(first: History, then: History) -> History:
    return first.model_copy(
        update={"closed": (*first.closed, *then.closed), "events": (*first.events, *then.events)}
    )


def suspensions(suspended: Sequence[Finding], chapter: str, move: str) -> tuple[Stale, ...]:
    """The marks of what was suspended; `chapter` is the one that changed."""
    return tuple(
        Stale(
            kind="suspended", code=f.code, path=f.path, about=_about(f), expected=f.expected, actual=f.actual,
            quote=f.quotes[0].text if f.quotes else "", chapter=chapter, move=move,
        )
        for f in suspended
    )  # fmt: skip


def _about(finding: Finding) -> str:
    told = [finding.values.get("subject", ""), finding.values.get("predicate", "")]
    return " · ".join(part for part in told if part) or finding.values.get("about", "")
