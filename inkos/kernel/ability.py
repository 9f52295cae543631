"""Finds acts that their doer is kept from: by a state of the body, or by a vow or lack of their own."""

from __future__ import annotations

from inkos.kernel import world
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import FALSE_WORDS, keyed


def hindrance(tx: Transaction, subject: str, act: str, start: int) -> Fact | None:
    """What is recorded of the subject that makes the act impossible, unless an event of this chapter lifts it."""
    if not tx.rules.prevents:
        return None
    found: list[Fact] = []
    for name in tx.index.predicates(subject):
        if name in tx.rules.hindering or name not in tx.rules.predicates:
            found += tx.open(subject, name)
    if not found:
        return None
    kinds = world.kinds(tx.rules, act)
    for fact in found:
        pair = keyed(fact.object)
        if str(pair[1] if pair else fact.object).casefold() in FALSE_WORDS:
            continue
        text = f"{fact.predicate.replace('_', ' ')} {fact.object}"
        for each in tx.rules.prevents:
            if each.acts and not kinds & set(each.acts):
                continue
            if not world.speaks_of(text, each.when) or (each.parts and not world.speaks_of(text, each.parts)):
                continue
            if each.paired and any(side in text for pair in tx.rules.mirrors for side in pair):
                continue
            if not _lifted(tx, fact, start):
                return fact
    return None


def forbidden(tx: Transaction, subject: str, act: str, start: int) -> Fact | None:
    """A vow that the act breaks, or something recorded as beyond the subject; null when this chapter lifts it."""
    for spec in tx.rules.forbidding:
        for fact in tx.open(subject, spec.name):
            rule = world.own_ban(tx.rules, str(fact.object), plainly=spec.forbids == "plainly")
            broken = rule and world.breaks_own(tx.rules, rule, act)
            if broken and not _lifted(tx, fact, start):
                return fact
    return None


def _lifted(tx: Transaction, fact: Fact, start: int) -> bool:
    spec = tx.rules.predicates.get(fact.predicate)
    types = (*spec.licensed_by, *spec.released_by) if spec else tuple(event.type for event in tx.happened)
    return tx.licence(types, fact.subject, start) == "yes"
