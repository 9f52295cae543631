"""What an author changed by hand in the state, as an author's delta, and its laying over a state; knows no files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from inkos.kernel.delta import Adopted, Delta
from inkos.kernel.findings import Finding
from inkos.kernel.ids import Counter
from inkos.kernel.index import build
from inkos.kernel.invariants import check_state
from inkos.kernel.rules import Rules
from inkos.kernel.story import AuthorTruth, Evidence, Fact, StoryState
from inkos.kernel.transaction import Transaction
from inkos.records import Record

R = TypeVar("R", bound=Record)
TABLES = ("entities", "facts", "truths", "hooks")


def difference(
    before: StoryState, after: StoryState, *, chapter: str, reason: str, minted: Mapping[str, int]
) -> tuple[Delta, dict[str, int]]:
    """The author's delta that makes `after` of `before`, and the counts of handles (`Index.minted`).

    A fact that says something else than before is a new one: the old one closes here, so that its history stays. New
    rows get handles where they have none, and what has no quote of its own the author's reason as evidence. `after`
    must have passed `faults`."""
    count = Counter(minted)
    _seen(count, before)
    _seen(count, after)
    said = Evidence(reason=reason, source="author")
    position = before.last_applied_chapter
    facts: dict[str, Fact | None] = {}
    for key, row in _changed(before.facts, after.facts).items():
        old = before.facts.get(key)
        if row is None or (old is not None and _says(old) == _says(row)):
            facts[key] = row
            continue
        evidence = said if old is not None or not row.evidence.quote else row.evidence
        if old is not None:
            facts[key] = None
            new = f"{chapter}.f{len(facts)}"
            row = row.model_copy(
                update={"id": new, "handle": "", "valid_from_chapter": position, "source_chapter": position}
            )
        handle = count.give("fact", row.handle)
        facts[row.id] = row.model_copy(update={"evidence": evidence, "handle": handle})
    adopted = Adopted(
        facts=facts,
        entities=_given(before.entities, after.entities, count, lambda row: row.kind, said),
        truths=_given(before.truths, after.truths, count, lambda row: "secret", said),
        hooks=_given(before.hooks, after.hooks, count, lambda row: "hook", said),
        summaries=tuple(row for row in after.summaries if row not in before.summaries),
        beliefs=None if before.beliefs == after.beliefs else after.beliefs,
        clock=None if before.clock == after.clock else after.clock,
    )
    delta = Delta(kind="author", chapter=chapter, position=position, reason=reason, adopted=adopted)
    return delta, count.minted


def _seen(count: Counter, state: StoryState) -> None:
    for table in TABLES:
        for row in getattr(state, table).values():
            letter, digits = row.handle[:1], row.handle[1:]
            if letter and digits.isdecimal():
                count.minted[letter] = max(count.minted.get(letter, 0), int(digits))


def _changed(before: Mapping[str, R], after: Mapping[str, R]) -> dict[str, R | None]:
    changed: dict[str, R | None] = {key: row for key, row in after.items() if before.get(key) != row}
    return changed | {key: None for key in before if key not in after}


def _says(fact: Fact) -> tuple[object, ...]:
    return (fact.subject, fact.predicate, type(fact.object), fact.object)


def _given(
    before: Mapping[str, R], after: Mapping[str, R], count: Counter, kind: Callable[[R], str], said: Evidence
) -> dict[str, R | None]:
    """The changed rows, each with a handle; a new one without a quote has the reason as its evidence."""
    rows = _changed(before, after)
    for key, row in rows.items():
        if row is None:
            continue
        update: dict[str, object] = {"handle": count.give(kind(row), row.handle)}  # type: ignore[attr-defined]
        if key not in before and not row.evidence.quote:  # type: ignore[attr-defined]
            update["evidence"] = said
        rows[key] = row.model_copy(update=update)
    return rows


def faults(
    before: StoryState | None, after: StoryState, rules: Rules, *, total_chapters: int | None = None
) -> tuple[Finding, ...]:
    """What cannot stand in a state edited by hand, but for what stood in it before (an author may have allowed it)."""
    old = {(f.code, f.path) for f in check_state(before, rules)} if before is not None else set()
    found = check_state(after, rules, total_chapters=total_chapters)
    return tuple(f for f in found if f.blocking and (f.code, f.path) not in old)


def lay(tx: Transaction, adopted: Adopted) -> None:
    """Lay the author's rows over the working tables. What a fact no longer says goes to the history."""
    for key, fact in adopted.facts.items():
        old = tx.facts.get(key)
        if old is not None and (fact is None or _says(old) != _says(fact)):
            tx.close(old)
        if fact is not None:
            tx.facts[key] = fact
    _over(tx.entities, adopted.entities)
    _over(tx.hooks, adopted.hooks)
    truths: dict[str, AuthorTruth] = dict(tx.truths)
    _over(truths, adopted.truths)
    tx.truths = truths
    if adopted.beliefs is not None:
        tx.beliefs = adopted.beliefs
    if adopted.clock is not None:
        tx.clock = adopted.clock
    if adopted.summaries:
        mine = {row.chapter: row for row in adopted.summaries}
        tx.summaries = tuple(mine.get(row.chapter, row) for row in tx.summaries)
    tx.index = build(tx.facts, tx.entities, tx.hooks)


def _over(table: dict[str, R], rows: Mapping[str, R | None]) -> None:
    for key, row in rows.items():
        if row is None:
            table.pop(key, None)
        else:
            table[key] = row


def untold(before: StoryState, after: StoryState) -> Sequence[str]:
    """Parts of a state that only chapters make, as paths, where the edited one has them otherwise."""
    paths = [
        f"manifest.{name}"
        for name in ("book_id", "language", "last_applied_chapter")
        if getattr(before, name) != getattr(after, name)
    ]
    if len(before.summaries) != len(after.summaries):
        paths.append("summaries")
    return paths
