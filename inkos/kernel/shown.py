"""Checks what the prose shows against the state: observations and requirements; changes nothing."""

from __future__ import annotations

import re

from inkos.kernel import ability, knowledge, world
from inkos.kernel.balance import figure, moves
from inkos.kernel.delta import Observation
from inkos.kernel.findings import Severity
from inkos.kernel.judge import Claim, judge
from inkos.kernel.predicates import Predicate, Requirement
from inkos.kernel.story import Evidence, Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import FALSE_WORDS, TRUE_WORDS, amount, keyed, number, odd, same

Value = bool | int | float | str
ACT = "acts"  # the predicate of whatever somebody does


# -- values


def read_value(tx: Transaction, predicate: Predicate, raw: object) -> Value | None:
    """The value as the predicate stores it: a number for `number`, an allowed value for its other words; null where it
    cannot be read so."""
    if predicate.value == "number":
        found = figure_in(predicate, raw)
        return None if found is None else int(found) if float(found).is_integer() else found
    if predicate.value == "boolean":
        if isinstance(raw, bool):
            return raw
        word = str(raw).strip().casefold()
        return True if word in TRUE_WORDS else False if word in FALSE_WORDS else None
    if not isinstance(raw, bool | int | float | str):
        return None
    if isinstance(raw, str) and (predicate.allowed or predicate.words):
        return tx.rules.allowed_value(predicate, raw)
    return raw


def figure_in(predicate: Predicate, raw: object) -> float | None:
    """The number a raw value is, bare or with a word for its unit (`30 coins`, `三百两`)."""
    if predicate.birth or predicate.calendar:
        year = re.search(r"\d{3,4}", str(raw)) if isinstance(raw, str) else None
        return float(year[0]) if year else number(raw)
    bare = number(raw)
    measured = amount(raw) if bare is None else None
    if measured is None or len(measured[1].split()) > 2 or len(measured[1]) > 24:
        return bare
    return measured[0]


def odd_for(tx: Transaction, predicate: Predicate, value: object) -> str:
    """Why the predicate cannot hold the value: `odd`'s reasons, `entity` (unknown, or of another kind), `allowed`."""
    if fault := odd(value):
        return fault
    if predicate.value == "entity":
        if not tx.is_known(value):
            return "entity"
        if predicate.kinds and tx.is_entity(value) and tx.entities[str(value)].kind not in predicate.kinds:
            return "entity"
    if predicate.allowed and value not in predicate.allowed:
        return "allowed"
    return "type" if predicate.keyed and predicate.balance and figure(predicate, value) is None else ""


def fits(tx: Transaction, predicate: Predicate, subject: str) -> bool:
    """Whether the subject is of a kind that the predicate speaks of."""
    if not tx.is_known(subject):
        return False
    return not predicate.subject or subject not in tx.entities or tx.entities[subject].kind in predicate.subject


def unregistered(tx: Transaction, code: str, word: str, path: str) -> None:
    """Say once that a word is not in the registry."""
    if word in tx.unknown:
        return
    tx.unknown.add(word)
    tx.report(code, "info", path, about=word, actual=word, predicate=word, repairable=False)


# -- observations


def observe(tx: Transaction, shown: Observation, path: str) -> None:
    """Check what narration shows. The other modes prove nothing and are only held to name what exists."""
    found = tx.resolve(shown.predicate)
    subject: object = shown.subject
    raw: object = shown.object
    if found and found.swapped:
        subject, raw = shown.object, shown.subject
    elif found and found.key and raw is not None:
        raw = f"{found.key}: {raw}"
    if not tx.is_known(subject):
        tx.report("kernel-006", "warning", path, about=str(subject), actual=str(subject), new=shown.evidence)
        return
    predicate = found.predicate if found else _act(tx, shown.predicate)
    if found is None:
        unregistered(tx, "kernel-009", shown.predicate, path)
    if shown.mode != "plan" and predicate.name in ("reveals", "knows"):
        knowledge.early(tx, raw, path, shown.evidence)
    if shown.mode != "narrated":
        return
    if predicate.observed:
        act = tx.name(raw) if shown.predicate == ACT else f"{shown.predicate} {'' if raw is None else tx.name(raw)}"
        if not require(tx, predicate.requires, str(subject), raw, shown.evidence, path, predicate.name, act=act):
            _kept_from(tx, str(subject), act, shown, path)
        _spend(tx, predicate, str(subject), raw, shown, path)
    elif raw is not None:
        require(tx, predicate.requires, str(subject), raw, shown.evidence, path, predicate.name)
        _kept_from(tx, str(subject), f"{shown.predicate} {tx.name(raw)}", shown, path, vows_only=True)
        value = read_value(tx, predicate, raw)
        if value is not None and not odd(value):
            old = tx.current(str(subject), predicate, value)
            judge(tx, Claim(predicate, str(subject), value, shown.evidence.start, shown.evidence, path, old, True))
    rule = world.broken(tx, shown, shown.predicate)
    if rule is not None:
        tx.report(
            "continuity-013",
            "warning",
            path,
            about=f"{subject}.{rule.id}",
            expected=str(rule.object),
            actual=tx.said(shown.predicate, raw),
            subject=subject,
            predicate=predicate.name,
            events=("exception",),
            new=shown.evidence,
            old=rule.evidence,
        )


def _act(tx: Transaction, word: str) -> Predicate:
    """A word that is not registered is taken for an act, unless it says what is done to somebody."""
    passive = tx.rules.words.get("passive", {}).get("prefix", ())
    acts = tx.rules.predicates.get(ACT)
    if acts is None or any(word.casefold().startswith(each) for each in passive):
        return Predicate(name=word, many=True, observed=True)
    # What the word means is not known, so nothing it collides with refuses a chapter.
    needs = tuple(need.model_copy(update={"severity": "warning"}) for need in acts.requires)
    return acts.model_copy(update={"name": word, "requires": needs})


def _kept_from(
    tx: Transaction, subject: str, act: str, shown: Observation, path: str, *, vows_only: bool = False
) -> None:
    """Report an act that the doer's own state or word forbids."""
    start = shown.evidence.start
    code, old = "continuity-016", None if vows_only else ability.hindrance(tx, subject, act, start)
    if old is None:
        code, old = "continuity-013", ability.forbidden(tx, subject, act, start)
    if old is None:
        return
    spec = tx.rules.predicates.get(old.predicate)
    tx.report(
        code,
        "warning",
        path,
        about=f"{subject}.{old.id}",
        expected=tx.said(old.predicate, old.object),
        actual=act.strip(),
        subject=subject,
        predicate=old.predicate,
        events=spec.licensed_by if spec else (),
        new=shown.evidence,
        old=old.evidence,
    )


def _spend(tx: Transaction, predicate: Predicate, subject: str, raw: object, shown: Observation, path: str) -> None:
    """An amount that is shown to be spent must be there, unless the same spending is recorded as an event."""
    measured = amount(raw) if predicate.spends else None
    held = _held(tx, subject, measured[1]) if measured else None
    if measured is None or held is None:
        return
    spec, fact = held
    if any(size is not None and abs(size) == measured[0] for _, _, size in moves(tx, spec, subject, fact)):
        return
    if tx.licence(spec.licensed_by, subject, shown.evidence.start) == "yes":
        return
    before = figure(spec, fact.object)
    if before is not None and spec.least is not None and before - measured[0] < spec.least:
        tx.report(
            "continuity-007",
            spec.severity,
            path,
            about=f"{subject}.{spec.name}",
            expected=tx.said(spec.name, fact.object),
            actual=tx.said(predicate.name, raw),
            subject=subject,
            predicate=spec.name,
            events=spec.up_by,
            new=shown.evidence,
            old=fact.evidence,
        )


def _held(tx: Transaction, subject: str, unit: str) -> tuple[Predicate, Fact] | None:
    """The one balance of the subject that an amount of this unit belongs to."""
    found = []
    target = tx.resolve(unit) if unit else None
    balances = [spec for spec in tx.rules.predicates.values() if spec.balance and not spec.counts]
    for spec, fact in ((each, fact) for each in balances for fact in tx.open(subject, each.name)):
        key = keyed(fact.object) if spec.keyed else None
        named = target is not None and target.predicate.name == spec.name
        if not unit or (key is None and named) or (key is not None and (same(key[0], unit) or key[0] in unit)):
            found.append((spec, fact))
    return found[0] if len(found) == 1 else None


# -- shared


def require(
    tx: Transaction,
    needs: tuple[Requirement, ...],
    subject: str,
    value: object,
    evidence: Evidence,
    path: str,
    name: str,
    act: str = "",
) -> bool:
    """Report the first requirement that does not hold; whether there was one. `act`: what is done, in words."""
    for need in needs:
        side, other = (subject, value) if need.of == "subject" else (value, subject)
        if not tx.is_entity(side):
            continue
        fault = _unmet(tx, need, str(side), other, act or tx.name(other), evidence)
        if fault is None:
            continue
        severity, old, expected = fault
        tx.report(
            need.code,
            severity,
            path,
            about=f"{side}.{need.predicate}",
            expected=expected,
            actual=tx.said(name, value),
            subject=subject,
            predicate=need.predicate,
            events=tx.rules.predicates[need.predicate].licensed_by,
            new=evidence,
            old=old,
        )
        return True
    return False


def _unmet(
    tx: Transaction, need: Requirement, side: str, other: object, act: str, evidence: Evidence
) -> tuple[Severity, Evidence | None, str] | None:
    """How a requirement fails: severity, the earlier words, what was expected; null when it holds."""
    predicate = tx.rules.predicates[need.predicate]
    held = tx.open(side, need.predicate)
    if need.equals and predicate.many:
        unknown = knowledge.lacks(tx, need, side, other)
        return (unknown[0], unknown[1], f"{tx.name(side)} · {predicate.name}: —") if unknown else None
    if need.beside:
        return _apart(tx, need, side, other)
    if not held:
        return (need.severity, None, f"{predicate.name}: {tx.name(other)}") if need.closed else None
    for fact in held:
        said = f"{tx.name(side)} · {tx.said(predicate.name, fact.object)}"
        if need.none_of and str(fact.object) in need.none_of and not _left(tx, predicate, fact, evidence.start):
            return need.severity, fact.evidence, said
        if need.without and same(fact.object, other):
            return need.severity, fact.evidence, said
        if need.clear_of and need.saying and not any(word in str(fact.object).casefold() for word in need.saying):
            continue
        if need.clear_of and _part(tx, str(fact.object)) & _part(tx, act):
            return need.severity, fact.evidence, said
    first = held[0]
    said = f"{tx.name(side)} · {tx.said(predicate.name, first.object)}"
    if need.one_of and not any(str(fact.object) in need.one_of for fact in held):
        return need.severity, first.evidence, said
    if need.equals and not any(_reaches(tx, fact.object, other) for fact in held) and not tx.relates(side, other):
        return need.severity, first.evidence, said
    return None


def _left(tx: Transaction, predicate: Predicate, fact: Fact, start: int) -> bool:
    """Whether an event of this chapter lets the subject leave a state that it was in before."""
    value = str(fact.object)
    if fact.valid_from_chapter == tx.position:
        return False
    types = predicate.released_by if value in predicate.absorbing else predicate.licensed_by
    makes = {
        event.name
        for event in (tx.rules.events[name] for name in types if name in tx.rules.events)
        if any(setting.predicate == predicate.name and setting.value == fact.object for setting in event.sets)
    }
    lifting = tuple(name for name in types if name not in makes)
    return bool(lifting) and tx.licence(lifting, fact.subject, start) == "yes"


def _apart(
    tx: Transaction, need: Requirement, side: str, other: object
) -> tuple[Severity, Evidence | None, str] | None:
    """Whether both are known to be elsewhere than the other. Time that has passed may hold the way."""
    if not tx.is_entity(other) or tx.day() > tx.before.clock.day:
        return None
    mine, theirs = tx.open(side, need.predicate), tx.open(str(other), need.predicate)
    if not mine or not theirs or within(tx, mine[0].object, theirs[0].object):
        return None
    said = f"{tx.name(side)} · {tx.said(need.predicate, mine[0].object)}"
    return need.severity, mine[0].evidence, f"{said}; {tx.name(other)} · {tx.said(need.predicate, theirs[0].object)}"


def within(tx: Transaction, one: object, other: object) -> bool:
    """Whether two places are the same, or one lies inside the other."""
    for inner, outer in ((one, other), (other, one)):
        here: object = inner
        for _ in range(20):
            if same(here, outer):
                return True
            above = tx.open(str(here), "part_of")
            if not above:
                break
            here = above[0].object
    return False


def _part(tx: Transaction, text: str) -> set[str]:
    """The parts of the body that a text names; with their side, where it names one."""
    folded = f" {text.casefold().replace(':', ' ').replace('_', ' ')} "
    parts = {word for word in tx.rules.body if (word in folded if not word.isascii() else f" {word} " in folded)}
    sides = {side for pair in tx.rules.mirrors for side in pair if side in folded}
    return {f"{side} {part}" for side in sides for part in parts} if sides else parts


def _reaches(tx: Transaction, holder: object, who: object) -> bool:
    """Whether what `holder` has is at hand for `who`: themselves, a group of theirs, or a place where it lies."""
    if same(holder, who):
        return True
    if not tx.is_entity(holder) or not tx.is_entity(who):
        return False
    kind = tx.entities[str(holder)].kind
    if kind == "place":
        return True
    return kind == "group" and any(fact.object == holder for fact in tx.open(str(who), "member_of"))
