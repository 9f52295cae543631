"""Folds deltas from nothing to a state; does not know where they are kept.

Each delta is judged under the waivers stored with it. An operation that is refused now, because something before it was
changed, is suspended: it is left out with its finding, and the rest of its chapter applies, so that nothing is thrown
away and a person sees which chapters have become stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.reduce import Reduced, apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import History, StoryState
from inkos.messages import Language

_PLACE = re.compile(r"^(entities|truths|events|facts|observations|hook_ops)\[(\d+)\]$")


class Replayed(NamedTuple):
    """`stale` are the positions of chapters of which an operation was suspended."""

    state: StoryState
    histories: list[History]
    findings: list[Finding]
    stale: list[int]


def empty(book_id: str, language: Language) -> StoryState:
    """The state before the genesis."""
    return StoryState(book_id=book_id, language=language)


def _without(delta: Delta, findings: tuple[Finding, ...]) -> Delta | None:
    """The delta without what is blocked; null when that cannot be told apart from the rest."""
    out: dict[str, set[int]] = {}
    update: dict[str, object] = {}
    for finding in findings:
        if not finding.blocking:
            continue
        place = _PLACE.match(finding.path)
        if place:
            out.setdefault(place[1], set()).add(int(place[2]))
        elif finding.path == "clock":
            update["clock"] = None
        else:
            return None
    for name, numbers in out.items():
        update[name] = tuple(item for n, item in enumerate(getattr(delta, name)) if n not in numbers)
    return delta.model_copy(update=update)


def step(
    state: StoryState, delta: Delta, text: str, rules: Rules, sources: Mapping[str, str] | None = None
) -> tuple[Reduced, list[Finding]]:
    """Apply a delta, leaving out what is refused: item by item, and where that cannot be told apart, all but title and
    summary of a chapter. The findings that suspended something come second. Refused as a whole: `state` null."""
    done, suspended, _ = reduced(state, delta, text, rules, sources)
    return done, suspended


def reduced(
    state: StoryState, delta: Delta, text: str, rules: Rules, sources: Mapping[str, str] | None = None
) -> tuple[Reduced, list[Finding], Delta]:
    """`step`, and the delta as it is without what was suspended. The findings' paths are places in the whole delta."""
    suspended: list[Finding] = []
    whole, bare = delta, _bare(delta)
    while True:
        done = apply(state, delta, text, rules, sources=sources)
        if done.state is not None:
            return done, suspended, delta
        suspended += [_in_whole(finding, delta, whole) for finding in done.findings if finding.blocking]
        rest = _without(delta, done.findings)
        if rest is None or rest == delta:
            rest = bare
        if rest == delta or (delta.kind != "chapter" and rest == bare):
            return done, [], delta
        delta = rest


def _bare(delta: Delta) -> Delta:
    return Delta(
        kind=delta.kind, chapter=delta.chapter, position=delta.position, title=delta.title, summary=delta.summary,
        outline_key=delta.outline_key, reason=delta.reason,
    )  # fmt: skip


def _in_whole(finding: Finding, part: Delta, whole: Delta) -> Finding:
    """The finding with its path in the whole delta, of which `part` has lost items."""
    place = _PLACE.match(finding.path)
    if not place:
        return finding
    item = getattr(part, place[1])[int(place[2])]
    number = next(n for n, other in enumerate(getattr(whole, place[1])) if other is item)
    return finding.model_copy(update={"path": f"{place[1]}[{number}]"})


def _of(finding: Finding, position: int) -> Finding:
    """The finding with the chapter that it was found in."""
    return finding.model_copy(update={"values": {**finding.values, "chapter": str(position)}})


def refold(
    book_id: str,
    language: Language,
    genesis: Delta,
    chapters: Iterable[tuple[Delta, str]],
    rules: Rules,
    sources: Mapping[str, str] | None = None,
) -> Replayed:
    """All deltas in order, author's deltas in their places. Positions are counted anew, so an insertion or removal
    before a chapter does not refuse it. A delta that is refused as a whole ends it, with its findings; an author's is
    suspended as a whole."""
    replayed = Replayed(empty(book_id, language), [], [], [])
    for delta, text in [(genesis, ""), *chapters]:
        last = replayed.state.last_applied_chapter
        position = {"genesis": 0, "chapter": last + 1, "author": last}[delta.kind]
        delta = delta if delta.position == position else delta.model_copy(update={"position": position})
        done, suspended = step(replayed.state, delta, text, rules, sources)
        findings = [*replayed.findings, *(_of(finding, position) for finding in (*suspended, *done.findings))]
        stale = [*replayed.stale, position] if suspended or done.state is None else replayed.stale
        if done.state is None and delta.kind == "author":
            replayed = replayed._replace(findings=findings, stale=stale)
            continue
        if done.state is None or done.history is None:
            return replayed._replace(findings=findings, stale=stale)
        replayed = Replayed(done.state, [*replayed.histories, done.history], findings, stale)
    return replayed


def replay(
    book_id: str,
    language: Language,
    genesis: Delta,
    chapters: Iterable[tuple[Delta, str]],
    rules: Rules,
    sources: Mapping[str, str] | None = None,
) -> tuple[StoryState, list[History], list[Finding]]:
    """`refold` without the stale positions: the state, one history a delta, all findings."""
    replayed = refold(book_id, language, genesis, chapters, rules, sources)
    return replayed.state, replayed.histories, replayed.findings
