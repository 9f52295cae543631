"""Finds what moves a counted stock: which events, by how much and which way; judges no sum."""

from __future__ import annotations

from inkos.kernel.predicates import Predicate
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import amount, keyed, number, same


def figure(predicate: Predicate, value: object) -> float | None:
    """The number in a value: after its key where the predicate is keyed."""
    if predicate.keyed:
        pair = keyed(value)
        found = amount(pair[1]) if pair else None
        return found[0] if found else None
    return number(value)


def moved_by(tx: Transaction, event_type: str, value: object) -> tuple[tuple[Predicate, int], ...]:
    """The balances that an event moves, and which way: those of its type, and the one that its amount names."""
    rows = tx.rules.balances.get(event_type, ())
    if isinstance(value, str) and value[:1] in ("+", "-"):
        # "+2": heads that come or go, whatever the event is called.
        known = {spec.name for spec, _ in rows}
        heads = [spec for spec in tx.rules.predicates.values() if spec.counts and spec.name not in known]
        rows = (*rows, *((spec, 1 if value[0] == "+" else -1) for spec in heads))
    measured = amount(value) if rows and isinstance(value, str) and not tx.is_entity(value) else None
    named = tx.resolve(measured[1]) if measured and measured[1] else None
    if named is None or not named.predicate.balance or any(spec.name == named.predicate.name for spec, _ in rows):
        return rows
    return (*rows, (named.predicate, rows[0][1]))


def moves(tx: Transaction, predicate: Predicate, subject: str, fact: Fact) -> list[tuple[str, int, float | None]]:
    """The events of the delta that move this balance: (event id, its start, signed amount or null)."""
    found = []
    key = keyed(fact.object) if predicate.keyed else None
    for event in tx.happened:
        for moved, sign in moved_by(tx, event.type, event.object):
            if moved.name != predicate.name or subject not in (event.subject, event.object):
                continue
            counted = 1.0 if predicate.counts and tx.is_entity(event.object) else None
            measured = amount(event.object) if not tx.is_entity(event.object) else None
            if measured and not _is_unit(tx, predicate, measured[1], key[0] if key else ""):
                continue
            size = abs(measured[0]) if measured else counted
            found.append((event.id, event.start, None if size is None else sign * size))
    return found


def _is_unit(tx: Transaction, predicate: Predicate, unit: str, key: str) -> bool:
    """Whether an amount of `unit` belongs to this balance; without a unit, or counting heads, it does."""
    if not unit or predicate.counts or (predicate.unit and same(unit, predicate.unit)):
        return not (not unit and key)
    if key and (same(unit, key) or key.casefold() in unit.casefold()):
        return True
    found = tx.resolve(unit)
    return found is not None and found.predicate.name == predicate.name and not key
