"""One text, three instruments, one assessment; does not know what is done with it."""

from __future__ import annotations

from typing import Literal

from inkos.config import StyleConfig
from inkos.cycle.chapter import ChapterState, Desk
from inkos.cycle.story_view import story_view
from inkos.gates import audit as audit_gate
from inkos.gates import checks
from inkos.gates.check import CheckContext
from inkos.gates.waivers import waive
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.papers import Assessment, OutlineEntry, SecondLook, Version
from inkos.kernel.reduce import apply
from inkos.kernel.story import Entity, StoryState
from inkos.text.blocks import told
from inkos.text.count import count
from inkos.text.repeat import sampled, shingles


def check_context(
    desk: Desk, state: ChapterState, text: str, delta: Delta | None = None, after: StoryState | None = None
) -> CheckContext:
    """What the deterministic checks compare a text with. Where an index of the whole book is at hand, it says which of
    the text's runs of words stand earlier; without one the last chapters are compared."""
    config = desk.book.config
    runs = shingles(told(text), config.language)
    seen = desk.seen(sampled(runs)) if desk.seen else None
    return CheckContext(
        language=config.language,
        target=state.target,
        lists=desk.lists,
        length=config.length,
        style=told_in(config.style, state.entry),
        title=state.plan.title if state.plan else "",
        plan=state.plan,
        names=known_names(desk.book.state.entities),
        earlier=() if desk.seen else tuple(frozenset(shingles(told(t), config.language)) for t in desk.book.recent),
        seen=seen,
        recent=desk.book.recent,
        beats_done=tuple(done.beat for done in delta.beats_done) if delta else None,
        entry=state.entry,
        next_entry=state.next_entry,
        story=story_view(desk, state, text, delta, after),
    )


PERSONS: dict[str, Literal["first", "third"]] = {"first": "first", "第一": "first", "third": "third", "第三": "third"}


def told_in(style: StyleConfig, entry: OutlineEntry) -> StyleConfig:
    """How this chapter is told: as the book is, unless its outline entry names another person."""
    said = entry.person.casefold()
    person = next((person for word, person in PERSONS.items() if word in said), style.person)
    return style.model_copy(update={"person": person})


def known_names(entities: dict[str, Entity]) -> tuple[str, ...]:
    return tuple(name for entity in entities.values() for name in (entity.name, *entity.aliases))


def length_of(desk: Desk, text: str) -> int:
    config = desk.book.config
    return count(text, config.language, punctuation=config.length.count_punctuation)


def measured(
    desk: Desk, state: ChapterState, text: str, delta: Delta | None = None, after: StoryState | None = None
) -> tuple[Finding, ...]:
    """The deterministic checks alone."""
    return checks.run(text, check_context(desk, state, text, delta, after))


def assessed(desk: Desk, state: ChapterState, version: Version) -> Assessment:
    """Put together what code measured, what the dry application of the delta refused, and what the audit answered."""
    reduced = apply(desk.book.state, state.settled, version.text, desk.rules) if state.settled else None
    findings = list(measured(desk, state, version.text, state.settled, reduced.state if reduced else None))
    findings += reduced.findings if reduced else ()
    if state.audited is not None:
        findings += audit_gate.findings_of(state.audited, version.text, state.settled)
    kept, _ = waive(tuple(findings), state.waivers)
    return Assessment(
        length=length_of(desk, version.text),
        findings=kept,
        delta=state.settled,
        audit=state.audited,
        unreadable=state.unreadable,
    )


def second_looked(desk: Desk, state: ChapterState, text: str) -> Delta:
    """The delta after the settler has looked again at each disputed entry: a fix is put in place of its entry, unless
    it brings a new contradiction; cause `text` leaves the entry as it is."""
    assert state.settled is not None
    delta = state.settled
    for number, finding in enumerate(state.disputed, 1):
        look = state.looks.get(f"again.{state.current}-{number}")
        if look is None or look.cause == "text" or look.fix is None:
            continue
        tried = replaced(delta, finding.path, look)
        if _blocked(desk, tried, text) < _blocked(desk, delta, text):
            delta = tried
    return delta


def _blocked(desk: Desk, delta: Delta, text: str) -> int:
    return sum(f.blocking for f in apply(desk.book.state, delta, text, desk.rules).findings)


LISTS = ("entities", "events", "facts", "observations", "hook_ops")


def replaced(delta: Delta, path: str, look: SecondLook) -> Delta:
    """`delta` with the entry at `path` (`facts[2]`) taken out and the fix's entries put in."""
    assert look.fix is not None
    changes: dict[str, object] = {}
    for name in LISTS:
        kept = tuple(item for n, item in enumerate(getattr(delta, name)) if path != f"{name}[{n}]")
        added = getattr(look.fix, name)
        changes[name] = (*kept, *added)
    return delta.model_copy(update=changes)
