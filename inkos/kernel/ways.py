"""Finds how long the way between two places takes, and how much time a chapter had; judges no journey."""

from __future__ import annotations

from inkos.kernel.transaction import Transaction
from inkos.kernel.values import keyed, minutes


def way(tx: Transaction, start: str, end: str) -> float | None:
    """The least recorded travel time between two places in minutes, in either direction; null when none is recorded."""
    best: float | None = None
    for here, there in ((start, end), (end, start)):
        for fact_id in tx.index.about(here):
            fact = tx.facts[fact_id]
            spec = tx.rules.predicates.get(fact.predicate)
            pair = keyed(fact.object)
            if spec is None or not spec.minutes or pair is None or not _is_called(tx, there, pair[0]):
                continue
            takes = minutes(pair[1], tx.rules.durations)
            if takes is not None and (best is None or takes < best):
                best = takes
    return best


def _is_called(tx: Transaction, entity_id: str, words: str) -> bool:
    entity = tx.entities[entity_id]
    return any(name and words.casefold().startswith(name.casefold()) for name in (entity.name, *entity.aliases))


def elapsed(tx: Transaction) -> float | None:
    """The most minutes that can have passed in this chapter; null when its end is not dated."""
    if tx.delta.clock is None:
        return None
    then, now = tx.before.clock, tx.delta.clock.clock
    until = now.minute if now.minute is not None else 24 * 60 - 1
    return (now.day - then.day) * 24 * 60 + until - (then.minute or 0)
