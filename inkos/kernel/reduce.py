"""The reducer: a state and a delta give the next state or a refusal with all findings; knows neither files nor authors.

Never both, never an exception, never a change of what it was given.

Items apply in the order of their evidence in the text (events before facts before observations before hook operations
where two quote the same place), each judged against the state at that point. The cost follows the delta, not the book:
tables are copied shallowly, look-ups go through kernel/index.py, and nothing is validated twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from inkos.kernel.adoption import faults, lay
from inkos.kernel.delta import Delta
from inkos.kernel.evidence import Sources, each_evidence
from inkos.kernel.findings import Finding, Waiver
from inkos.kernel.hooks import apply_hook, check_cap
from inkos.kernel.items import apply_entity, apply_event, apply_fact, apply_truth
from inkos.kernel.rules import Rules
from inkos.kernel.shown import observe
from inkos.kernel.story import Evidence, History, StoryState, SummaryRow
from inkos.kernel.transaction import Happened, Transaction
from inkos.kernel.trusted import but, made
from inkos.kernel.values import LARGEST, odd
from inkos.records import Record

T = TypeVar("T", bound=Record)
DAY = 24 * 60  # minutes
# The families of codes that the kernel gives: only waivers of these can be unused here.
FAMILIES = ("continuity-", "knowledge-", "time-", "hook-", "kernel-")


class Reduced(Record):
    """`state` and `history` are null when the delta is refused: a blocking finding that is not waived. A waived finding
    is listed as `info` with the waiver's reason in `note`."""

    state: StoryState | None = None
    history: History | None = None
    findings: tuple[Finding, ...] = ()


class Item(NamedTuple):
    """One item with its place: offset in the text, rank among items of one quote, its own name as the last resort."""

    start: int
    rank: int
    name: str
    path: str
    apply: Callable[[str], None]


def apply(
    state: StoryState, delta: Delta, text: str, rules: Rules, *, sources: Mapping[str, str] | None = None
) -> Reduced:
    """Judge and apply one delta. `sources` are the author's files by path, which a genesis quotes."""
    found = Sources(text, sources or {}, genesis=delta.kind == "genesis")
    tx = Transaction(state, delta, rules, found)
    if _in_place(tx):
        _check_digest(tx, text)
        located = each_evidence(_named(delta), lambda evidence: found.located(evidence, delta.position))
        tx.delta = located
        _apply_items(tx, located)
        _set_clock(tx, located)
        check_cap(tx)
        if located.adopted is not None:
            lay(tx, located.adopted)
    after, history = tx.result(_summary(tx))
    if delta.adopted is not None and not any(finding.blocking for finding in tx.findings):
        tx.findings += faults(state, after, rules)
    findings = _waived(tx)
    if any(finding.blocking for finding in findings):
        return made(Reduced, state=None, history=None, findings=findings)
    return made(Reduced, state=after, history=history, findings=findings)


def _in_place(tx: Transaction) -> bool:
    """The monotonic guard: the next chapter only; a genesis on nothing; an author's delta on what stands."""
    delta, last = tx.delta, tx.before.last_applied_chapter
    expected = {"genesis": 0, "chapter": last + 1, "author": last}[delta.kind]
    empty = not (tx.entities or tx.facts or tx.hooks or tx.truths or tx.summaries)
    if delta.position != expected or (delta.kind == "genesis" and not (empty and last == 0)):
        tx.report(
            "kernel-001",
            "blocking",
            "position",
            expected=str(expected),
            actual=str(delta.position)[:40],
            repairable=False,
        )
        return False
    if delta.adopted is not None and delta.kind != "author":
        tx.report("kernel-011", "blocking", "adopted", actual=delta.kind, repairable=False)
        return False
    if odd(delta.chapter):
        tx.report("kernel-011", "blocking", "chapter", actual=odd(delta.chapter), repairable=False)
        return False
    if tx.summaries and delta.kind == "chapter" and tx.summaries[-1].chapter >= delta.position:
        tx.report("kernel-007", "blocking", "summary", actual=str(delta.position), repairable=False)
        return False
    return True


def _check_digest(tx: Transaction, text: str) -> None:
    expected = tx.delta.text_digest
    if not expected or tx.delta.kind == "genesis":
        return
    actual = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if actual != expected:
        tx.report("kernel-008", "warning", "text_digest", expected=expected[:12], actual=actual[:12], repairable=False)


def _named(delta: Delta) -> Delta:
    """An entity, truth or promise without a quote of its own is proven by its name or wording, where that stands."""
    entities = tuple(_proven_by(item, item.name) for item in delta.entities)
    truths = tuple(_proven_by(item, item.truth) for item in delta.truths)
    hook_ops = delta.hook_ops
    if delta.kind == "genesis":
        hook_ops = tuple(_proven_by(op, op.core) for op in hook_ops)
    return but(delta, entities=entities, truths=truths, hook_ops=hook_ops)


def _proven_by(item: T, words: str) -> T:
    evidence: Evidence = item.evidence  # type: ignore[attr-defined]
    if evidence.quote or evidence.reason or not words:
        return item
    return but(item, evidence=but(evidence, quote=words))


def _apply_items(tx: Transaction, delta: Delta) -> None:
    for number, entity in enumerate(delta.entities):
        if _proven(tx, entity.evidence, f"entities[{number}]", entity.id):
            apply_entity(tx, entity, f"entities[{number}]")
    for number, truth in enumerate(delta.truths):
        if _proven(tx, truth.evidence, f"truths[{number}]", truth.id):
            apply_truth(tx, truth, f"truths[{number}]")
    beliefs = tuple(belief for belief in delta.beliefs if belief.holder in tx.entities)
    if beliefs:
        tx.beliefs = (*tx.beliefs, *beliefs)
    for number, beat in enumerate(delta.beats_done):
        _proven(tx, beat.evidence, f"beats_done[{number}]", beat.beat, shown_only=True)
    _note_events(tx, delta)
    for item in sorted(_items(tx, delta), key=lambda item: item[:3]):
        item.apply(item.path)


def _at(delta: Delta, evidence: Evidence) -> int:
    """The offset that orders an item; a genesis and an author's delta tell no story, so there all stand at once."""
    return evidence.start if delta.kind == "chapter" else -1


def _note_events(tx: Transaction, delta: Delta) -> None:
    """All events first, in the order of the text: a licence is looked for among them."""
    noted = []
    for event in delta.events:
        spec = tx.rules.event(event.type)
        kind = spec.name if spec else event.type
        noted.append(Happened(event.id, _at(delta, event.evidence), kind, event.subject, event.object, event.evidence))
    tx.happened = sorted(noted, key=lambda event: (event.start, event.id))


def _items(tx: Transaction, delta: Delta) -> list[Item]:
    items: list[Item] = []

    def add(
        rank: int, name: str, path: str, evidence: Evidence, run: Callable[[str], None], shown: bool = False
    ) -> None:
        if _proven(tx, evidence, path, name, shown_only=shown):
            items.append(Item(_at(delta, evidence), rank, name, path, run))

    for n, event in enumerate(delta.events):
        add(0, event.id, f"events[{n}]", event.evidence, partial(apply_event, tx, event))
    for n, fact in enumerate(delta.facts):
        add(1, fact.id, f"facts[{n}]", fact.evidence, partial(apply_fact, tx, fact))
    for n, shown in enumerate(delta.observations):
        name = f"{shown.subject} {shown.predicate} {shown.object!r}"
        add(2, name, f"observations[{n}]", shown.evidence, partial(observe, tx, shown), True)
    for n, op in enumerate(delta.hook_ops):
        add(3, f"{op.hook} {op.op}", f"hook_ops[{n}]", op.evidence, partial(apply_hook, tx, op))
    return items


def _proven(tx: Transaction, evidence: Evidence, path: str, about: str, *, shown_only: bool = False) -> bool:
    """Whether the words are really there. Without words, what only shows is left out, what would change the state is
    refused, and a founding's item is left out, so that one slip does not undo a whole book."""
    kind = tx.delta.kind
    if kind == "author" and not evidence.quote and (evidence.reason or tx.delta.reason):
        return True
    at_home = evidence.source in tx.sources and (kind != "chapter" or evidence.source == "text")
    if evidence.quote and evidence.start >= 0 and (at_home or kind == "genesis"):
        if evidence.places > 1:
            tx.report(
                "kernel-004", "info", path, about=about, actual=str(evidence.places), new=evidence, repairable=False
            )
        elif kind == "genesis" and not tx.sources.spans(evidence.quote, evidence.source):
            tx.report("kernel-008", "info", path, about=about, actual=evidence.source, new=evidence, repairable=False)
        return True
    elsewhere = bool(evidence.quote) and not at_home and not (kind == "genesis" and evidence.source == "text")
    tx.report(
        "kernel-003" if elsewhere else "kernel-002",
        "warning" if shown_only else "blocking",
        path,
        about=about,
        expected=evidence.source,
        actual=evidence.quote,
        repairable=False,
    )
    return False


def _set_clock(tx: Transaction, delta: Delta) -> None:
    """The story clock at the end of the chapter; it never runs back."""
    if delta.clock is None:
        return
    new, old = delta.clock.clock, tx.clock
    minute = new.minute
    if abs(new.day) > LARGEST or (minute is not None and not 0 <= minute < DAY) or (new.label and odd(new.label)):
        tx.report("kernel-011", "blocking", "clock", actual=f"{str(new.day)[:20]} {str(minute)[:20]}", repairable=False)
        return
    evidence = delta.clock.evidence
    if delta.kind == "chapter" and evidence.quote and evidence.start < 0:
        tx.report("kernel-002", "warning", "clock", actual=evidence.quote, repairable=False)
    earlier_day = new.day < old.day
    same_day_earlier = new.day == old.day and minute is not None and old.minute is not None and minute < old.minute
    if delta.kind == "chapter" and (earlier_day or same_day_earlier):
        tx.report(
            "time-001",
            "blocking" if earlier_day else "warning",
            "clock",
            about="clock",
            expected=f"≥ {old.day} {old.label}".strip(),
            actual=f"{new.day} {new.label}".strip(),
            new=evidence,
        )
        if same_day_earlier:
            return
    tx.clock = new


def _summary(tx: Transaction) -> SummaryRow | None:
    if tx.delta.kind != "chapter":
        return None
    return made(
        SummaryRow,
        chapter=tx.position, title=tx.delta.title, day=tx.clock.day, text=tx.delta.summary.strip()
    )


def _waived(tx: Transaction) -> tuple[Finding, ...]:
    """The findings with the author's waivers put to them; a waiver without reason, or not needed, is one too."""
    waivers = tx.delta.waivers
    if not waivers:
        return tuple(tx.findings)
    used: set[int] = set()
    findings = []
    for finding in tx.findings:
        number = next((n for n, waiver in enumerate(waivers) if _allows(waiver, finding)), None)
        if number is not None:
            used.add(number)
            finding = but(finding, severity="info", note=waivers[number].reason)
        findings.append(finding)
    tx.findings = findings
    for number, waiver in enumerate(waivers):
        path = f"waivers[{number}]"
        if not waiver.reason.strip():
            tx.report("kernel-014", "warning", path, about=waiver.code, actual=waiver.code, repairable=False)
        elif number not in used and waiver.code.startswith(FAMILIES):
            tx.report("kernel-012", "warning", path, about=waiver.code, actual=waiver.code, repairable=False)
    return tuple(tx.findings)


def _allows(waiver: Waiver, finding: Finding) -> bool:
    # The order of chapters is no matter of taste: nothing waives it.
    if not waiver.reason.strip() or waiver.code != finding.code or finding.code in ("kernel-001", "kernel-007"):
        return False
    return waiver.place == "*" or waiver.place in (finding.place[1], finding.path)
