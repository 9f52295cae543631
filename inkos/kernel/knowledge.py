"""Who may know what, and when the reader may: author truths, secrets, what was learned; not how it is told."""

from __future__ import annotations

from inkos.kernel.findings import Severity
from inkos.kernel.predicates import Predicate, Requirement
from inkos.kernel.story import Evidence
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import same


def truth_of(tx: Transaction, value: object) -> str | None:
    """The id of the author truth that a value names, by id or by its own words."""
    if not isinstance(value, str) or not tx.truths:
        return None
    if value in tx.truths:
        return value
    return next((truth.id for truth in tx.truths.values() if same(truth.truth, value)), None)


def early(tx: Transaction, value: object, path: str, evidence: Evidence) -> None:
    """Report a chapter that lets the reader know an author truth before its time."""
    truth_id = truth_of(tx, value) if tx.delta.kind == "chapter" else None
    if truth_id is None:
        return
    truth = tx.truths[truth_id]
    if truth.reader_knows_from is not None and tx.position >= truth.reader_knows_from:
        return
    if any(f.code == "knowledge-002" and f.values["about"] == truth_id for f in tx.findings):
        return
    tx.report(
        "knowledge-002",
        "blocking",
        path,
        about=truth_id,
        expected=truth.question,
        actual=evidence.quote,
        subject=truth_id,
        predicate="knows",
        new=evidence,
        old=truth.evidence,
    )


def lacks(tx: Transaction, need: Requirement, who: str, what: object) -> tuple[Severity, Evidence | None] | None:
    """Whether `who` cannot know `what`: how sure that is, and the words that say so; null when they may know.

    Sure: recorded as unaware, or an author truth without their name. Likely: somebody else is recorded as knowing it.
    Where nobody is recorded as knowing it, nothing can be said."""
    predicate: Predicate = tx.rules.predicates[need.predicate]
    if tx.holds(who, predicate.name, what) or tx.relates(who, what):
        return None
    truth_id = truth_of(tx, what)
    if truth_id is not None:
        truth = tx.truths[truth_id]
        known = who in truth.known_by or tx.holds(who, predicate.name, truth_id)
        return None if known else (need.severity, truth.evidence)
    for other in predicate.excludes:
        if fact := tx.holds(who, other, what):
            return need.severity, fact.evidence
    others = tx.index.pointing(what) if isinstance(what, str) else ()
    for fact_id in others:
        if tx.facts[fact_id].predicate == predicate.name:
            return "warning", tx.facts[fact_id].evidence
    return None
