"""Judges one claim about a value against the state at that point: the kinds of rule; knows no predicate by name.

A claim is what a fact sets or what narration shows. The checks stand in order of how much they explain: the first that
has something to say ends the judging of that claim, so one slip gives one finding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from inkos.kernel import calendar
from inkos.kernel.balance import figure, moves
from inkos.kernel.findings import Severity
from inkos.kernel.index import index_of
from inkos.kernel.predicates import Predicate
from inkos.kernel.story import Evidence, Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import agree, number, same
from inkos.kernel.ways import elapsed, way


class Claim(NamedTuple):
    """`old` is the open fact whose place `value` would take; `observed`: shown, not set."""

    predicate: Predicate
    subject: str
    value: object
    start: int
    evidence: Evidence
    path: str
    old: Fact | None
    observed: bool


def judge(tx: Transaction, claim: Claim) -> bool:
    """Report what is wrong with the claim, at most one thing; whether anything was."""
    before = len(tx.findings)
    for check in _checks(tx, claim.predicate):
        if check(tx, claim):
            break
    return len(tx.findings) > before


def _report(tx: Transaction, claim: Claim, code: str, severity: Severity | None = None, **more: object) -> bool:
    old = more.pop("old", claim.old)
    name = claim.predicate.name
    expected = more.pop("expected", tx.said(name, old.object) if isinstance(old, Fact) else name)
    tx.report(
        code,
        severity or claim.predicate.severity,
        claim.path,
        about=f"{claim.subject}.{name}",
        expected=str(expected),
        actual=tx.said(name, claim.value),
        subject=claim.subject,
        predicate=name,
        events=claim.predicate.licensed_by,
        new=claim.evidence,
        old=old.evidence if isinstance(old, Fact) else None,
    )
    return True


def place(tx: Transaction, predicate: Predicate, value: object) -> float | None:
    """Where a value stands in the predicate's order: the rank on its scale, or the number."""
    if predicate.scale:
        rank = tx.rules.rank(predicate.scale, value)
        return None if rank is None else float(rank)
    return figure(predicate, value)


def _names(tx: Transaction, claim: Claim) -> bool:
    if not claim.predicate.names:
        return False
    entity = tx.entities[claim.subject]
    if any(same(name, claim.value) for name in (entity.name, *entity.aliases)):
        return True
    if tx.relates(claim.subject, claim.value):
        return True
    expected = " / ".join((entity.name, *entity.aliases))
    return _report(tx, claim, "continuity-011", expected=expected)


def _bounds(tx: Transaction, claim: Claim) -> bool:
    found = figure(claim.predicate, claim.value)
    least, most = claim.predicate.least, claim.predicate.most
    if found is None or ((least is None or found >= least) and (most is None or found <= most)):
        return False
    return _report(tx, claim, "continuity-007", expected=f"{least if least is not None else ''}…{most or ''}")


def _years(tx: Transaction, claim: Claim) -> bool:
    """An age against the year of birth and the year that it is."""
    slip = calendar.age_slip(tx, claim.predicate, claim.subject, claim.value)
    return slip is not None and _report(tx, claim, "continuity-012", expected=slip.expected, old=slip.fact)


def _round(tx: Transaction, claim: Claim) -> bool:
    """What comes round (weekdays, seasons) against the days that have passed."""
    if not claim.predicate.cycle or claim.old is None:
        return False
    slip = calendar.round_slip(tx, claim.predicate, claim.old, claim.value)
    if slip is None:
        return True
    if tx.licence(claim.predicate.licensed_by, claim.subject, claim.start) == "yes":
        return True
    return _report(tx, claim, "continuity-012", expected=slip.expected)


def _age(tx: Transaction, claim: Claim) -> bool:
    if not claim.predicate.ages or claim.old is None:
        return False
    then, now = number(claim.old.object), number(claim.value)
    if then is None or now is None:
        return False
    grown = then + calendar.since(tx, claim.old) / calendar.YEAR
    if abs(now - grown) <= calendar.SLACK:
        return True
    return _report(tx, claim, "continuity-012", expected=tx.said(claim.predicate.name, round(grown)))


def _unchanged(tx: Transaction, claim: Claim) -> bool:
    """Nothing more to ask of a value that is the open one."""
    return claim.old is not None and agree(claim.old.object, claim.value)


def _absorbing(tx: Transaction, claim: Claim) -> bool:
    old, predicate = claim.old, claim.predicate
    if old is None or str(old.object) not in predicate.absorbing:
        return False
    licence = tx.licence(predicate.released_by, claim.subject, claim.start)
    if licence == "late":
        return _report(tx, claim, "continuity-019", "warning")
    return True if licence == "yes" else _report(tx, claim, "continuity-001")


def _order(tx: Transaction, claim: Claim) -> bool:
    """A move against the order of the scale, or by an event that moves the other way."""
    predicate, old = claim.predicate, claim.old
    if old is None or not (predicate.order or predicate.scale):
        return False
    before, after = place(tx, predicate, old.object), place(tx, predicate, claim.value)
    if before is None or after is None or before == after:
        return False
    up = after > before
    if predicate.order == ("down_only" if up else "up_only"):
        licence = tx.licence(predicate.released_by, claim.subject, claim.start)
        return True if licence == "yes" else _report(tx, claim, "continuity-006")
    needed = predicate.up_by if up else predicate.down_by
    if predicate.scale and needed and tx.licence(needed, claim.subject, claim.start) == "no":
        return _report(tx, claim, "continuity-006")
    return False


def _licensed(tx: Transaction, claim: Claim) -> bool:
    """A change without an event that allows it."""
    predicate, old = claim.predicate, claim.old
    if old is None or predicate.balance or not (predicate.licensed_by or predicate.fixed):
        return False
    licence = tx.licence(predicate.licensed_by, claim.subject, claim.start, claim.value, predicate.kinds)
    if licence == "no" and predicate.eases and _together(tx, claim):
        licence = "yes"
    if licence == "yes" or (licence == "other" and predicate.eases and not claim.observed):
        return _journey(tx, claim)
    if licence == "late":
        return _report(tx, claim, "continuity-019", "warning")
    code = "continuity-009" if predicate.fixed else "continuity-003"
    # Time that has passed may hold what the prose did not tell.
    moved_on = predicate.eases and tx.day() > tx.before.clock.day
    return _report(tx, claim, code, "warning" if moved_on or licence == "other" else None)


def _together(tx: Transaction, claim: Claim) -> bool:
    """Somebody else's journey to the same place from the same place: people travel in company, and the prose names one
    of them. Who set out from elsewhere was no companion."""
    return any(
        event.type in claim.predicate.licensed_by
        and event.start <= claim.start
        and same(event.object, claim.value)
        and (claim.old is None or _set_out(tx, claim, event.subject) in (None, claim.old.object))
        for event in tx.happened
    )


def _set_out(tx: Transaction, claim: Claim, who: str) -> object | None:
    """Where somebody was when the chapter began; null when that is not recorded."""
    ids = index_of(tx.before).slot(who, claim.predicate.name)
    return tx.before.facts[ids[0]].object if ids else None


def _journey(tx: Transaction, claim: Claim) -> bool:
    """Less time between two places than the way takes. The chapter's whole time is the most that a journey had."""
    old = claim.old
    if old is None or not claim.predicate.eases or not tx.is_entity(old.object) or not tx.is_entity(claim.value):
        return False
    needed = way(tx, str(old.object), str(claim.value))
    had = elapsed(tx)
    if needed is None or had is None or had >= needed:
        return False
    return _report(tx, claim, "time-003", "warning", expected=f"≥ {needed:g} min")


def _balance(tx: Transaction, claim: Claim) -> bool:
    predicate, old = claim.predicate, claim.old
    if not predicate.balance or old is None:
        return False
    before, after = figure(predicate, old.object), figure(predicate, claim.value)
    if before is None or after is None:
        return False
    if abs(before - after) < 1e-9:
        return True
    movers = moves(tx, predicate, claim.subject, old)
    if any(size is None for _, _, size in movers):
        return True
    later = [(name, size) for name, start, size in movers if start > claim.start and name not in tx.counted]
    if later and abs(before + sum(size or 0 for _, size in later) - after) < 1e-9:
        if not claim.observed:
            tx.counted.update(name for name, _ in later)
        return True
    if tx.licence(predicate.licensed_by, claim.subject, claim.start) == "yes":
        return True
    return _report(tx, claim, "continuity-008")


def _mirror(tx: Transaction, claim: Claim) -> bool:
    """The same mark on the other side."""
    if not claim.predicate.mirrored or claim.old is not None or not isinstance(claim.value, str):
        return False
    for one, other in tx.rules.mirrors:
        for here, there in ((one, other), (other, one)):
            if here not in claim.value:
                continue
            swapped = claim.value.replace(here, there)
            if fact := tx.holds(claim.subject, claim.predicate.name, swapped):
                return _report(tx, claim, "continuity-014", old=fact)
    return False


def _exclusive(tx: Transaction, claim: Claim) -> bool:
    if not claim.predicate.exclusive or not isinstance(claim.value, str):
        return False
    for fact_id in tx.index.pointing(claim.value):
        fact = tx.facts[fact_id]
        if fact.predicate != claim.predicate.name or fact.subject == claim.subject:
            continue
        types = claim.predicate.licensed_by or ("transfer",)
        if "yes" in (tx.licence(types, claim.value, claim.start), tx.licence(types, claim.subject, claim.start)):
            if not claim.observed:
                tx.close(fact)
            continue
        expected = f"{tx.name(fact.subject)} · {tx.said(fact.predicate, fact.object)}"
        return _report(tx, claim, "continuity-004", old=fact, expected=expected)
    return False


def _excluded(tx: Transaction, claim: Claim) -> bool:
    for other in claim.predicate.excludes:
        fact = tx.holds(claim.subject, other, claim.value)
        if fact:
            return _report(tx, claim, "continuity-016", old=fact, expected=tx.said(other, fact.object))
    return False


def _relation(tx: Transaction, claim: Claim) -> bool:
    predicate = claim.predicate
    if not tx.is_entity(claim.value) or not (predicate.asymmetric or predicate.acyclic or predicate.symmetric):
        return False
    value = str(claim.value)
    if value == claim.subject:
        return _report(tx, claim, "continuity-020", expected="≠")
    if predicate.symmetric and not predicate.many:
        taken = tx.current(value, predicate)
        if taken and taken.object != claim.subject and tx.licence(predicate.licensed_by, value, claim.start) == "no":
            return _report(tx, claim, "continuity-020", old=taken)
    if not (predicate.asymmetric or predicate.acyclic):
        return False
    ring = _leads_back(tx, predicate, value, claim.subject)
    if ring is None:
        return False
    expected = f"{tx.name(ring.subject)} · {tx.said(ring.predicate, ring.object)}"
    return _report(tx, claim, "continuity-020", old=ring, expected=expected)


def _leads_back(tx: Transaction, predicate: Predicate, start: str, goal: str) -> Fact | None:
    """The last link of a chain of this relation from `start` to `goal`; one link only where it is merely asymmetric."""
    reach, seen = [start], {start}
    while reach and len(seen) <= 1_000:
        here = reach.pop()
        for fact in tx.open(here, predicate.name):
            if fact.object == goal:
                return fact
            if predicate.acyclic and isinstance(fact.object, str) and fact.object not in seen:
                seen.add(fact.object)
                reach.append(fact.object)
    return None


def _shown_otherwise(tx: Transaction, claim: Claim) -> bool:
    """Narration shows another value than the open one, and no rule of change has spoken."""
    if not claim.observed or claim.predicate.many:
        return False
    if claim.old is not None:
        spec = claim.predicate
        ruled = spec.licensed_by or spec.fixed or spec.balance or spec.order or spec.cycle
        return False if ruled else _report(tx, claim, "continuity-010", "warning")
    held = tx.seen.get((claim.subject, claim.predicate.name))
    types = claim.predicate.licensed_by
    moved = held is not None and types and not same(held[0], claim.value)
    if held and moved and tx.licence(types, claim.subject, claim.start) == "no":
        return _report(tx, claim, "time-002", "warning", expected=tx.said(claim.predicate.name, held[0]))
    tx.seen[claim.subject, claim.predicate.name] = (claim.value, None)
    return False


Check = Callable[[Transaction, Claim], bool]
# Each with the predicates that it is asked of.
CHECKS: tuple[tuple[Check, Callable[[Predicate], bool]], ...] = (
    (_names, lambda spec: spec.names),
    (_bounds, lambda spec: spec.least is not None or spec.most is not None),
    (_years, lambda spec: spec.ages or spec.birth),
    (_age, lambda spec: spec.ages),
    (_round, lambda spec: spec.cycle > 0),
    (_unchanged, lambda spec: True),
    (_absorbing, lambda spec: bool(spec.absorbing)),
    (_order, lambda spec: bool(spec.order or spec.scale)),
    (_balance, lambda spec: spec.balance),
    (_licensed, lambda spec: bool(spec.licensed_by or spec.fixed)),
    (_exclusive, lambda spec: spec.exclusive),
    (_excluded, lambda spec: bool(spec.excludes)),
    (_relation, lambda spec: spec.asymmetric or spec.acyclic or spec.symmetric),
    (_mirror, lambda spec: spec.mirrored),
    (_shown_otherwise, lambda spec: True),
)


def _checks(tx: Transaction, predicate: Predicate) -> tuple[Check, ...]:
    held: tuple[Check, ...] | None = tx.rules.checks.get(predicate.name)
    if held is None:
        held = tuple(check for check, asked in CHECKS if asked(predicate))
        if predicate.name in tx.rules.predicates:
            tx.rules.checks[predicate.name] = held
    return held
