"""Validates a whole state at once, however it came to be (loaded, edited by hand, replayed); changes nothing.

What `apply` lets through passes here: the two are held together by a law (tests/laws). What an author allowed by a
waiver shows here again, because a state does not carry its waivers; `state check` puts them to it.
"""

from __future__ import annotations

from collections.abc import Iterable

from inkos.kernel.balance import figure
from inkos.kernel.findings import Finding, Severity
from inkos.kernel.predicates import Predicate
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, Fact, Hook, StoryState
from inkos.kernel.transaction import quote_of
from inkos.kernel.values import keyed, odd
from inkos.kernel.views import hooks_overdue, is_open, name_of, value_text, window


class _Check:
    """The findings of one check, with what every one of them needs."""

    def __init__(self, state: StoryState, rules: Rules) -> None:
        self.state = state
        self.rules = rules
        self.findings: list[Finding] = []

    def report(
        self,
        code: str,
        path: str,
        severity: Severity = "blocking",
        *,
        expected: str = "",
        actual: str = "",
        subject: object = "",
        predicate: str = "",
        evidence: Iterable[Evidence] = (),
        about: str = "",
    ) -> None:
        quotes = tuple(quote for each in evidence if (quote := quote_of(each, -1)))
        values = {
            "about": about or path,
            "subject": name_of(self.state, subject),
            "predicate": predicate,
            "events": "",
            "since": "",
        }
        self.findings.append(
            Finding(
                code=code,
                severity=severity,
                path=path,
                expected=expected,
                actual=actual,
                values=values,
                quotes=quotes,
                repairable=False,
                by="rules",
            )
        )

    def known(self, ref: object) -> bool:
        state = self.state
        return isinstance(ref, str) and (ref in state.entities or ref in state.truths or ref in state.hooks)

    def position(self, path: str, *positions: int | None) -> None:
        """No position lies ahead of the state, none below the genesis."""
        for position in positions:
            if position is not None and not 0 <= position <= self.state.last_applied_chapter:
                self.report(
                    "kernel-015", path, expected=f"0…{self.state.last_applied_chapter}", actual=str(position)[:40]
                )


def check_state(state: StoryState, rules: Rules, *, total_chapters: int | None = None) -> tuple[Finding, ...]:
    """Everything that cannot stand together in one state. `total_chapters` is what the index holds: the state must have
    applied exactly those (null: not asked). Overdue promises are warnings."""
    check = _Check(state, rules)
    if total_chapters is not None and state.last_applied_chapter != total_chapters:
        check.report(
            "kernel-001", "manifest", expected=str(total_chapters), actual=str(state.last_applied_chapter)[:40]
        )
    _tables(check)
    for entity in state.entities.values():
        _entity(check, entity)
    for fact in state.facts.values():
        _fact(check, fact)
    _facts_together(check)
    for hook in state.hooks.values():
        _hook(check, hook)
    _truths(check)
    _summaries(check)
    for hook in hooks_overdue(state, state.last_applied_chapter + 1, rules.chapters):
        check.report(
            "hook-004",
            f"hooks.{hook.id}",
            "warning",
            expected=f"≤ {window(hook, rules.chapters)[1]}",
            actual=hook.status,
            subject=hook.id,
            predicate="hook",
            evidence=(hook.evidence,),
        )
    return tuple(check.findings)


def _tables(check: _Check) -> None:
    """Ids are keys, no id stands in two tables, no handle is given twice."""
    state = check.state
    owners: dict[str, str] = {}
    given: dict[str, str] = {}
    tables = {"entities": state.entities, "facts": state.facts, "truths": state.truths, "hooks": state.hooks}
    for table, items in tables.items():
        for key, item in items.items():  # type: ignore[attr-defined]
            path = f"{table}.{key}"
            if item.id != key or key in owners or not key:
                check.report("kernel-005", path, expected=key, actual=str(item.id))
            owners[key] = table
            if item.handle and given.setdefault(item.handle, key) != key:
                check.report("kernel-005", path, expected=given[item.handle], actual=item.handle)


def _entity(check: _Check, entity: Entity) -> None:
    path = f"entities.{entity.id}"
    check.position(path, entity.introduced_at)
    for name in (entity.name, *entity.aliases):
        if fault := odd(name):
            check.report("kernel-011", path, actual=fault)
    if entity.maybe is not None and entity.maybe not in check.state.entities:
        check.report("kernel-006", path, actual=entity.maybe)


def _fact(check: _Check, fact: Fact) -> None:
    path = f"facts.{fact.id}"
    check.position(path, fact.valid_from_chapter, fact.source_chapter)
    if fact.valid_until_chapter is not None:
        check.report("kernel-015", path, expected="open", actual=str(fact.valid_until_chapter)[:40])
    if not check.known(fact.subject):
        check.report("kernel-006", path, actual=fact.subject, predicate=fact.predicate, evidence=(fact.evidence,))
    fault = odd(fact.object)
    if fault:
        check.report("kernel-011", path, actual=fault, predicate=fact.predicate)
        return
    if fact.object_kind == "entity" and not check.known(fact.object):
        check.report("kernel-006", path, actual=str(fact.object), predicate=fact.predicate, evidence=(fact.evidence,))
    spec = check.rules.predicates.get(fact.predicate)
    if spec is None:
        return
    if spec.allowed and fact.object not in spec.allowed:
        _value(check, "continuity-017", path, fact, " / ".join(spec.allowed))
    number = figure(spec, fact.object)
    if number is not None and ((spec.least is not None and number < spec.least) or number > _most(spec)):
        _value(check, "continuity-007", path, fact, f"{spec.least if spec.least is not None else ''}…{spec.most or ''}")


def _most(spec: Predicate) -> float:
    return float("inf") if spec.most is None else spec.most


def _value(check: _Check, code: str, path: str, fact: Fact, expected: str) -> None:
    check.report(
        code,
        path,
        expected=expected,
        actual=f"{fact.predicate}: {name_of(check.state, fact.object)}",
        subject=fact.subject,
        predicate=fact.predicate,
        evidence=(fact.evidence,),
        about=f"{fact.subject}.{fact.predicate}",
    )


def _facts_together(check: _Check) -> None:
    """What single facts cannot show: two values of a one-valued predicate, one thing with two, pairs that exclude."""
    slots: dict[tuple[str, str, str], Fact] = {}
    holders: dict[tuple[str, str], Fact] = {}
    said: dict[tuple[str, str, str], Fact] = {
        (fact.subject, fact.predicate, value_text(fact.object)): fact for fact in check.state.facts.values()
    }
    for fact in check.state.facts.values():
        spec = check.rules.predicates.get(fact.predicate)
        if spec is None:
            continue
        pair = keyed(fact.object) if spec.keyed else None
        if not spec.many or pair:
            slot = (fact.subject, fact.predicate, pair[0].casefold() if pair else "")
            _pair(check, "continuity-021", slots.setdefault(slot, fact), fact)
        if spec.exclusive and isinstance(fact.object, str):
            _pair(check, "continuity-004", holders.setdefault((fact.predicate, fact.object), fact), fact)
        for other in spec.excludes:
            twin = said.get((fact.subject, other, value_text(fact.object)))
            if twin is not None and fact.predicate < other:
                _pair(check, "continuity-016", fact, twin)


def _pair(check: _Check, code: str, one: Fact, other: Fact) -> None:
    if one.id == other.id:
        return
    check.report(
        code,
        f"facts.{other.id}",
        expected=f"{name_of(check.state, one.subject)} · {one.predicate}: {name_of(check.state, one.object)}",
        actual=f"{name_of(check.state, other.subject)} · {other.predicate}: {name_of(check.state, other.object)}",
        subject=other.subject,
        predicate=other.predicate,
        evidence=(other.evidence, one.evidence),
        about=f"{other.subject}.{other.predicate}",
    )


def _hook(check: _Check, hook: Hook) -> None:
    path = f"hooks.{hook.id}"
    check.position(path, hook.start_chapter, hook.last_advanced_chapter)
    if hook.last_advanced_chapter < hook.start_chapter:
        check.report(
            "kernel-015", path, expected=f"≥ {hook.start_chapter}", actual=str(hook.last_advanced_chapter)[:40]
        )
    if fault := odd(hook.core):
        check.report("kernel-011", path, actual=fault)
    for other in hook.depends_on:
        if other not in check.state.hooks:
            check.report("hook-008", path, expected=other, subject=hook.id, predicate="hook")
        elif other == hook.id and is_open(hook):
            check.report("hook-008", path, "warning", expected=other, subject=hook.id, predicate="hook")


def _truths(check: _Check) -> None:
    for truth in check.state.truths.values():
        for who in truth.known_by:
            if who not in check.state.entities:
                check.report("kernel-006", f"truths.{truth.id}", actual=who)
    for number, belief in enumerate(check.state.beliefs):
        if belief.holder not in check.state.entities:
            check.report("kernel-006", f"beliefs[{number}]", actual=belief.holder)


def _summaries(check: _Check) -> None:
    """One row a chapter, in order, none missing."""
    for number, row in enumerate(check.state.summaries, 1):
        if row.chapter != number:
            check.report("kernel-007", f"summaries[{number - 1}]", expected=str(number), actual=str(row.chapter)[:40])
            return
    if len(check.state.summaries) != check.state.last_applied_chapter:
        check.report(
            "kernel-007",
            "summaries",
            expected=str(check.state.last_applied_chapter)[:40],
            actual=str(len(check.state.summaries)),
        )
