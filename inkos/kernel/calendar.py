"""Judges values that follow the story clock: ages against years of birth, and what comes round in a cycle."""

from __future__ import annotations

from typing import NamedTuple

from inkos.kernel.predicates import Predicate
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import number

YEAR = 365.25  # days
SLACK = 1.5  # years: a birthday may lie on either side, and people round


class Slip(NamedTuple):
    """What should stand there, and the fact that says so."""

    expected: str
    fact: Fact


def age_slip(tx: Transaction, predicate: Predicate, subject: str, value: object) -> Slip | None:
    """An age that does not go with the year of birth and the year that it is, or such a year with the known age."""
    now, said = year(tx), number(value)
    if now is None or said is None or not (predicate.ages or predicate.birth):
        return None
    for name in tx.index.predicates(subject):
        spec = tx.rules.predicates.get(name)
        if spec is None or not (spec.birth if predicate.ages else spec.ages):
            continue
        for fact in tx.open(subject, name):
            held = number(fact.object)
            if held is None:
                continue
            due = now - (held if spec.birth else held + since(tx, fact) / YEAR)
            if abs(due - said) > SLACK:
                return Slip(tx.said(predicate.name, round(due)), fact)
    return None


def year(tx: Transaction) -> float | None:
    """The year that it is; null when none is recorded."""
    for fact_id in tx.index.years:
        fact = tx.facts[fact_id]
        found = number(fact.object)
        if found is not None:
            return found + since(tx, fact) // YEAR
    return None


def since(tx: Transaction, fact: Fact) -> float:
    """Days since the fact began."""
    return tx.day() - tx.day(fact.valid_from_chapter)


def round_slip(tx: Transaction, predicate: Predicate, old: Fact | None, value: object) -> Slip | None:
    """A step of a cycle that the days since the last one do not lead to."""
    if old is None or not predicate.cycle or not predicate.scale:
        return None
    before, after = tx.rules.rank(predicate.scale, old.object), tx.rules.rank(predicate.scale, value)
    steps = tx.rules.scales[predicate.scale]
    if before is None or after is None:
        return None
    gone = since(tx, old) / predicate.cycle * len(steps)
    off = abs((before + gone - after + len(steps) / 2) % len(steps) - len(steps) / 2)
    # A step that lasts longer than a day may just have begun, or be just over.
    if off <= (0.5 if len(steps) >= predicate.cycle else 1.0):
        return None
    due = steps[round(before + gone) % len(steps)].split("/")[0]
    return Slip(tx.said(predicate.name, due), old)
