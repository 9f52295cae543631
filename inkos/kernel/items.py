"""Applies one item of a delta that changes something: entity, truth, event, fact; judges no value itself (judge.py)."""

from __future__ import annotations

from inkos.kernel import knowledge
from inkos.kernel.balance import figure, moved_by, moves
from inkos.kernel.delta import EventItem, FactChange, Observation
from inkos.kernel.findings import Severity
from inkos.kernel.judge import Claim, judge
from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.shown import Value, fits, observe, odd_for, read_value, require, unregistered
from inkos.kernel.story import AuthorTruth, Entity, Event, Evidence, Fact, ValueKind
from inkos.kernel.transaction import Transaction
from inkos.kernel.trusted import but, made
from inkos.kernel.values import keyed, odd, plain, same

# -- entities and truths


def apply_entity(tx: Transaction, entity: Entity, path: str) -> None:
    """A new entity, or further names of a known one."""
    fault = odd(entity.name) or next((odd(alias) for alias in entity.aliases if odd(alias)), "")
    if fault or not entity.id or entity.id in tx.hooks or entity.id in tx.truths:
        _structure(tx, "kernel-011" if fault else "kernel-005", path, entity.id, fault or entity.id, entity.evidence)
        return
    if entity.maybe is not None and entity.maybe not in tx.entities:
        _structure(tx, "kernel-006", path, entity.id, entity.maybe, entity.evidence)
        return
    known = tx.entities.get(entity.id)
    if known is not None:
        if known.kind != entity.kind:
            _structure(tx, "kernel-005", path, entity.id, f"{known.kind} / {entity.kind}", entity.evidence)
            return
        names = (*known.aliases, *([entity.name] if entity.name != known.name else []), *entity.aliases)
        aliases = tuple(dict.fromkeys(name for name in names if name != known.name))
        if aliases != known.aliases:
            tx.put_entity(but(known, aliases=aliases))
        return
    bearers = tx.index.bearers(entity.name)
    twin = next((tx.entities[other] for other in bearers if tx.entities[other].kind == entity.kind), None)
    if twin is not None:
        tx.report(
            "kernel-013",
            "warning",
            path,
            about=entity.id,
            expected=twin.name,
            actual=entity.name,
            subject=twin.id,
            new=entity.evidence,
            old=twin.evidence,
        )
    if entity.handle and any(tx.entities[e].handle == entity.handle for e in tx.index.bearers(entity.handle)):
        _structure(tx, "kernel-005", path, entity.id, entity.handle, entity.evidence)
        return
    tx.put_entity(but(entity, introduced_at=tx.position))


def apply_truth(tx: Transaction, truth: AuthorTruth, path: str) -> None:
    if truth.id in tx.truths or truth.id in tx.entities or not truth.id:
        _structure(tx, "kernel-005", path, truth.id, truth.id, truth.evidence)
        return
    missing = next((who for who in truth.known_by if who not in tx.entities), None)
    if missing is not None or odd(truth.question) or odd(truth.truth):
        code = "kernel-006" if missing is not None else "kernel-011"
        _structure(tx, code, path, truth.id, missing or odd(truth.question) or odd(truth.truth), truth.evidence)
        return
    tx.truths = {**tx.truths, truth.id: truth}
    tx.now.__dict__["truths"] = tx.truths


def _structure(tx: Transaction, code: str, path: str, about: str, actual: str, evidence: Evidence) -> None:
    tx.report(code, "blocking", path, about=about, actual=actual, new=evidence, repairable=False)


# -- events


def apply_event(tx: Transaction, item: EventItem, path: str) -> None:
    """Record the event and what it makes true by itself."""
    spec = tx.rules.event(item.type)
    kind = spec.name if spec else item.type
    if not tx.is_known(item.subject) or odd(item.id) or odd(kind):
        _structure(tx, "kernel-006", path, f"{item.subject}.{kind}", item.subject, item.evidence)
        return
    fault = "" if item.object is None else odd(item.object)
    if fault:
        _structure(tx, "kernel-011", path, f"{item.subject}.{kind}", fault, item.evidence)
        return
    if any(event.id == item.id for event in tx.events):
        _structure(tx, "kernel-005", path, item.id, item.id, item.evidence)
        return
    if spec is None:
        unregistered(tx, "kernel-010", kind, path)
    else:
        require(tx, spec.requires, item.subject, item.object, item.evidence, path, f"{kind}")
    tx.events.append(
        made(
        Event,
        id=item.id, type=kind, subject=item.subject, object=item.object, chapter=tx.position, evidence=item.evidence
        )
    )
    if kind == "learn":
        knowledge.early(tx, item.object, path, item.evidence)
    if spec is not None:
        _name(tx, spec, item)
        _settings(tx, spec, item, path)
        _move_balances(tx, spec, item, path)


def _name(tx: Transaction, spec: EventType, item: EventItem) -> None:
    """An `alias` event registers a further name."""
    known = tx.entities.get(item.subject)
    if spec.name != "alias" or known is None or not isinstance(item.object, str) or tx.is_known(item.object):
        return
    if item.object not in (known.name, *known.aliases):
        tx.put_entity(but(known, aliases=(*known.aliases, item.object)))


def _settings(tx: Transaction, spec: EventType, item: EventItem, path: str) -> None:
    made = 0
    for setting in sorted(spec.sets, key=lambda each: not each.ends):  # what ends makes room first
        predicate = tx.rules.predicates[setting.predicate]
        target = item.subject if setting.of == "subject" else item.object
        value = {"subject": item.subject, "object": item.object, "value": setting.value}[setting.to]
        if not isinstance(target, str) or not fits(tx, predicate, target):
            continue
        if setting.ends:
            for fact in _ended(tx, predicate, target, value):
                tx.close(fact)
            continue
        stored = read_value(tx, predicate, value) if value not in (None, "") else None
        if stored is None or odd_for(tx, predicate, stored) or predicate.balance:
            continue
        old = tx.current(target, predicate, stored)
        if old is not None and same(old.object, stored):
            continue
        claim = Claim(predicate, target, stored, item.evidence.start, item.evidence, path, old, False)
        if judge(tx, claim) and tx.delta.kind == "genesis":
            continue
        handle = f"{item.handle}{chr(ord('a') + made) if made else ''}" if item.handle else ""
        made += 1
        put_value(tx, claim, f"{item.id}.{predicate.name}{'' if setting.of == 'subject' else '.object'}", handle)


def _ended(tx: Transaction, predicate: Predicate, target: str, value: object) -> list[Fact]:
    if value in (None, "", target):
        return tx.open(target, predicate.name)
    exact = tx.holds(target, predicate.name, value)
    if exact is not None or not isinstance(value, str) or not predicate.keyed:
        return [exact] if exact else []
    held = tx.open(target, predicate.name)
    # "heal · left arm" ends "left arm: broken".
    return [fact for fact in held if (pair := keyed(fact.object)) and plain(pair[0]) in plain(value)]


def _move_balances(tx: Transaction, spec: EventType, item: EventItem, path: str) -> None:
    """An event with an amount moves the balances it belongs to; where two could be meant, none is."""
    rows = moved_by(tx, spec.name, item.object)
    if not rows or item.id in tx.counted:
        return
    moved = []
    for predicate, _ in rows:
        for target in {item.subject, item.object if tx.is_entity(item.object) else item.subject}:
            for fact in tx.open(str(target), predicate.name):
                size = next((s for name, _, s in moves(tx, predicate, str(target), fact) if name == item.id), None)
                if size is not None:
                    moved.append((predicate, str(target), fact, size))
    if len(moved) != 1:
        return
    predicate, target, fact, size = moved[0]
    before = figure(predicate, fact.object)
    if before is None or size == 0:
        return
    total = before + size
    figure_now = int(total) if float(total).is_integer() else total
    pair = keyed(fact.object) if predicate.keyed else None
    value: int | float | str = f"{pair[0]}: {figure_now}" if pair else figure_now
    claim = Claim(predicate, target, value, item.evidence.start, item.evidence, path, None, False)
    judge(tx, claim)
    tx.counted.add(item.id)
    put_value(tx, claim._replace(old=fact), f"{item.id}.{predicate.name}", item.handle)


# -- facts


def apply_fact(tx: Transaction, change: FactChange, path: str) -> None:
    """A new value, or the end of an open fact."""
    if change.object is None:
        _end(tx, change, path)
        return
    claim = _claim(tx, change, path)
    if claim is None:
        return
    predicate, subject, value = claim.predicate, claim.subject, claim.value
    if predicate.observed:
        # Filed as a fact by mistake: what only shows is checked, and changes nothing.
        shown = Observation(mode="narrated", subject=subject, predicate=predicate.name, object=change.object)
        observe(tx, but(shown, evidence=change.evidence), path)
        return
    knowledge.early(tx, value, path, change.evidence)
    require(tx, predicate.requires, subject, value, change.evidence, path, predicate.name)
    old = tx.current(subject, predicate, value)
    if change.closes is not None and old is None and predicate.many:
        old = _closing(tx, change, path)
    claim = claim._replace(old=old)
    wrong = judge(tx, claim)
    if wrong and tx.delta.kind == "genesis":
        return  # left out with its finding: one slip does not undo a whole founding
    if old is None or not same(old.object, value):
        put_value(tx, claim, change.id, change.handle, change.object_kind)


def _claim(tx: Transaction, change: FactChange, path: str) -> Claim | None:
    """The fact as the registry has it; null, with a finding, when it cannot be kept as that."""
    found = tx.resolve(change.predicate)
    predicate = found.predicate if found else Predicate(name=change.predicate, many=True)
    subject, raw = change.subject, change.object
    if found and found.swapped:
        subject, raw = str(change.object), change.subject
    elif found and found.key:
        raw = f"{found.key}: {change.object}"
    about = f"{subject}.{predicate.name}"
    if not tx.is_known(subject):
        _structure(tx, "kernel-006", path, about, subject, change.evidence)
        return None
    if found is None:
        unregistered(tx, "kernel-009", change.predicate, path)
    value = read_value(tx, predicate, raw)
    fault = "type" if value is None else odd_for(tx, predicate, value) or odd(predicate.name)
    if fault:
        code = {"allowed": "continuity-017", "entity": "kernel-006"}.get(fault, "kernel-011")
        _misfit(tx, code, "blocking", _claimed(predicate, subject, raw, change, path))
        return None
    if change.id in tx.facts or any(fact.id == change.id for fact in tx.closed) or not change.id:
        _structure(tx, "kernel-005", path, change.id or about, change.id, change.evidence)
        return None
    claim = _claimed(predicate, subject, value, change, path)
    if not fits(tx, predicate, subject):
        _misfit(tx, "continuity-018", "warning", claim)
    return claim


def _claimed(predicate: Predicate, subject: str, value: object, item: FactChange, path: str) -> Claim:
    return Claim(predicate, subject, value, item.evidence.start, item.evidence, path, None, False)


def _misfit(tx: Transaction, code: str, severity: Severity, claim: Claim) -> None:
    """The predicate does not speak of such a subject, or does not take such a value."""
    predicate = claim.predicate
    kinds = "|".join(predicate.subject)
    tx.report(
        code,
        severity,
        claim.path,
        about=f"{claim.subject}.{predicate.name}",
        expected=kinds if code == "continuity-018" else " / ".join(predicate.allowed) or predicate.value,
        actual=tx.said(predicate.name, claim.value),
        subject=claim.subject,
        predicate=predicate.name,
        new=claim.evidence,
    )


def _closing(tx: Transaction, change: FactChange, path: str) -> Fact | None:
    """The open fact that `closes` names, when it is one of the subject's. Null where it has ended: without a word when
    this chapter ended it (an event may have), else with a warning; what is another's or never was is refused."""
    name = change.closes or ""
    fact = tx.facts.get(name) or next((each for each in tx.closed if each.id == name), None)
    if fact is not None and fact.subject == change.subject:
        return fact if fact.id in tx.facts else None
    wrong = fact is not None or not name or name.startswith(f"{tx.delta.chapter}.")
    about = f"{change.subject}.{change.predicate}"
    tx.report("kernel-016", "blocking" if wrong else "warning", path, about=about, actual=name, new=change.evidence,
              repairable=False)  # fmt: skip
    return None


def _end(tx: Transaction, change: FactChange, path: str) -> None:
    fact = _closing(tx, change, path)
    if fact is None:
        return
    spec = tx.rules.predicates.get(fact.predicate)
    if spec is not None and (spec.licensed_by or spec.fixed):
        licence = tx.licence(spec.licensed_by, fact.subject, change.evidence.start)
        if licence in ("no", "late"):
            tx.report(
                "continuity-019" if licence == "late" else "continuity-009" if spec.fixed else "continuity-003",
                "warning" if licence == "late" else spec.severity,
                path,
                about=f"{fact.subject}.{fact.predicate}",
                expected=tx.said(fact.predicate, fact.object),
                actual=f"{fact.predicate}: —",
                subject=fact.subject,
                predicate=fact.predicate,
                events=spec.licensed_by,
                new=change.evidence,
                old=fact.evidence,
            )
    tx.close(fact)


def put_value(tx: Transaction, claim: Claim, fact_id: str, handle: str, kind: ValueKind | None = None) -> None:
    """Open the claim's fact here; the one whose place it takes closes."""
    if claim.old is not None:
        tx.close(claim.old)
    value: Value = claim.value  # type: ignore[assignment]
    stored_kind = claim.predicate.value if claim.predicate.name in tx.rules.predicates else kind or "text"
    if tx.is_known(value):
        stored_kind = "entity"
    tx.add_fact(
        made(
        Fact,
        id=fact_id,
            handle=handle,
            subject=claim.subject,
            predicate=claim.predicate.name,
            object=value,
            object_kind=stored_kind,
            valid_from_chapter=tx.position,
            valid_until_chapter=None,
            source_chapter=tx.position,
            evidence=claim.evidence,
        )
    )
