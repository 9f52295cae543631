"""Finds acts that their doer is kept from: by a state of the body, or by a vow or lack of their own."""

from __future__ import annotations

from collections.abc import Iterator

from inkos.kernel import world
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import FALSE_WORDS, keyed

_ROOM = 20_000  # wordings that are kept; then all are read anew


def hindrance(tx: Transaction, subject: str, act: str, start: int) -> Fact | None:
    """What is recorded of the subject that makes the act impossible, unless an event of this chapter lifts it."""
    if not tx.rules.prevents:
        return None
    found: list[Fact] = []
    for name in tx.index.predicates(subject):
        if name in tx.rules.hindering or name not in tx.rules.predicates:
            found += tx.open(subject, name)
    for fact in found:
        for acts in _hinders(tx.rules, fact):
            if (not acts or not acts.isdisjoint(world.kinds(tx.rules, act))) and not _lifted(tx, fact, start):
                return fact
    return None


def _hinders(rules: Rules, fact: Fact) -> tuple[frozenset[str], ...]:
    """The kinds of act that a fact keeps its subject from; read once for each wording, for facts stay open for long."""
    key = f"={fact.predicate} {fact.object}"
    held = rules.bans.get(key)
    if held is None:
        if len(rules.bans) > _ROOM:
            rules.bans.clear()
        held = rules.bans[key] = tuple(_read(rules, fact))
    return held


def _read(rules: Rules, fact: Fact) -> Iterator[frozenset[str]]:
    pair = keyed(fact.object)
    if str(pair[1] if pair else fact.object).casefold() in FALSE_WORDS:
        return
    text = f"{fact.predicate.replace('_', ' ')} {fact.object}"
    for each in rules.prevents:
        if not world.speaks_of(text, each.when) or (each.parts and not world.speaks_of(text, each.parts)):
            continue
        if not (each.paired and any(side in text for pair in rules.mirrors for side in pair)):
            yield frozenset(each.acts)


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
