"""Reads the settler's reply into a Delta, and its second look at one entry; does not know what the state allows."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from inkos.kernel.book import Book
from inkos.kernel.delta import BeatDone, ClockSet, Delta
from inkos.kernel.papers import OutlineEntry, Plan, SecondLook
from inkos.kernel.rules import Rules
from inkos.kernel.story import Evidence, StoryClock
from inkos.prompts.contracts import AgainReply, ClockReply, SettleReply, keys_of
from inkos.prompts.readers.entries import Entries
from inkos.prompts.readers.handles import Names
from inkos.prompts.readers.hooks import Hooks
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.quoting import Quoting
from inkos.prompts.readers.read import Faults, Read
from inkos.prompts.readers.shape import Shape
from inkos.records import digest

SUMMARY = {"zh": 120, "en": 80}  # characters, words (design/prompts.md §5.4)
MANY_FACTS = 15
# Faults that the reply survives without the entry they are in, when the re-ask does not mend them.
COSTS_ITS_ENTRY = frozenset({"reply-quote", "beat"})
ENTRIES = ("entities", "events", "facts", "observations", "hook_ops", "beats_done")
MOST_LOST = 1 / 2  # of the entries: a settlement of which more rests on nothing is none
_TIME = re.compile(r"\s*([01]?\d|2[0-4])\s*[:：.时点h]\s*([0-5]\d)?\s*(?:分)?\s*")
_STOP = re.compile(r"[。！？.!?](?:[”’\"」』])?")


class Chapter(NamedTuple):
    """Which chapter is read; `next_entry` lends its first beat as a decoy that nothing should claim."""

    id: str
    position: int
    entry: OutlineEntry
    next_entry: OutlineEntry | None
    plan: Plan | None
    prose: str


def read_settle(
    text: str,
    *,
    book: Book,
    entry: OutlineEntry,
    rules: Rules,
    prose: str,
    chapter_id: str,
    position: int,
    plan: Plan | None = None,
    next_entry: OutlineEntry | None = None,
    complete: bool = True,
) -> Read[Delta]:
    """The delta that the reply proposes, with ids instead of handles and every quote located in `prose`.

    New things get `<chapter id>.n1`, facts `.f1`, events `.e1`; beats come out as outline keys. What it cannot place
    is a fault; what the table of design/prompts.md §5.4 drops, maps or cuts is in the notes. Where only quotes are at
    fault there is a delta all the same, without the entries that rest on them."""
    found = read_object(text, keys_of(SettleReply), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    notes, faults = list(found.notes), Faults()
    reply = Shape(notes, faults).fit(SettleReply, found.object)
    if reply is None:
        return Read(None, tuple(notes), faults.first())
    chapter = Chapter(chapter_id, position, entry, next_entry, plan, prose)
    delta = _delta(reply, chapter, Names(book.state), rules, notes, faults)
    delta = delta.model_copy(
        update={
            "summary": cut_summary(reply.summary, book.config.language, notes),
            "clock": _clock(reply.clock, book.state.clock, Quoting(prose, faults, notes)),
        }
    )
    if len(reply.facts) > MANY_FACTS:
        notes.append(f"{len(reply.facts)} facts: moods and repeats are likely among them")
    fault = faults.first()
    if fault is None:
        return Read(delta, tuple(notes), None)
    kept = _without_unquoted(delta, frozenset(book.state.entities), notes)
    usable = faults.codes() <= COSTS_ITS_ENTRY and _entries(kept) >= MOST_LOST * _entries(delta)
    return Read(kept if usable else None, tuple(notes), fault)


def _entries(delta: Delta) -> int:
    return sum(len(getattr(delta, name)) for name in ENTRIES)


def _without_unquoted(delta: Delta, known: frozenset[str], notes: list[str]) -> Delta:
    """The delta without the entries whose words stand nowhere in the text, and without what speaks of a new thing that
    only such an entry introduces; a note for each."""
    gone = {item.id for item in delta.entities if _unquoted(item.evidence) and item.id not in known}
    kept: dict[str, object] = {}
    for name in ENTRIES:
        items: tuple[Any, ...] = getattr(delta, name)
        rest = []
        for item in items:
            about = {getattr(item, key, None) for key in ("subject", "object", "source")}
            if _unquoted(item.evidence) or about & gone:
                why = "quote not in the text" if _unquoted(item.evidence) else "speaks of what was left out"
                notes.append(f"{name}: {why}, left out: {item.evidence.quote[:40]}")
            else:
                rest.append(item.model_copy(update={"maybe": None}) if getattr(item, "maybe", None) in gone else item)
        kept[name] = tuple(rest)
    if delta.clock is not None and _unquoted(delta.clock.evidence):
        notes.append("clock: quote not in the text: the last day stays")
        kept["clock"] = None
    return delta.model_copy(update=kept)


def _unquoted(evidence: Evidence) -> bool:
    return bool(evidence.quote) and evidence.start < 0


def _delta(
    reply: SettleReply, chapter: Chapter, names: Names, rules: Rules, notes: list[str], faults: Faults, mark: str = ""
) -> Delta:
    """Everything of a delta but summary and clock. `mark` sets the ids of a second look apart from the first ones."""
    quoting = Quoting(chapter.prose, faults, notes)
    entries = Entries(f"{chapter.id}.{mark}", names, rules, quoting)
    entities = entries.entities(reply)
    hooks = Hooks(f"{chapter.id}.{mark}", names, quoting, chapter.plan)
    hook_ops = hooks.operations(reply)
    facts, events, observations = entries.statements(reply)
    return Delta(
        chapter=chapter.id,
        position=chapter.position,
        title=chapter.plan.title if chapter.plan else chapter.entry.title,
        outline_key=chapter.entry.key,
        beats_done=_beats(reply, chapter, quoting),
        entities=entities,
        events=events,
        facts=facts,
        observations=observations,
        hook_ops=hook_ops,
        text_digest=digest(chapter.prose),
        rules_digest=rules.digest,
    )


def _beats(reply: SettleReply, chapter: Chapter, quoting: Quoting) -> tuple[BeatDone, ...]:
    keys = {beat.handle: beat.key for beat in chapter.entry.beats} | {b.key: b.key for b in chapter.entry.beats}
    if chapter.next_entry is not None and chapter.next_entry.beats:
        keys.setdefault(f"o{len(chapter.entry.beats) + 1}", chapter.next_entry.beats[0].key)
    done: dict[str, BeatDone] = {}
    for n, beat in enumerate(reply.beats_done):
        key = keys.get(beat.beat.strip()) or keys.get(beat.beat.strip().lower())
        if key is None:
            quoting.notes.append(f"outline beat {beat.beat[:20]} was not handed in: dropped")
        elif not beat.quote:
            quoting.faults.add("beat", f"beats_done[{n}]")
        else:
            done.setdefault(key, BeatDone(beat=key, evidence=quoting.evidence(beat.quote, f"beats_done[{n}].quote")))
    return tuple(done.values())


def _clock(reply: ClockReply | None, last: StoryClock, quoting: Quoting) -> ClockSet | None:
    """The story clock at the end; without a word for it in the text the last day stays."""
    if reply is None or not reply.quote:
        quoting.notes.append("clock without words for it: the last day stays")
        return None
    evidence = quoting.evidence(reply.quote, "clock.quote")
    minute = minute_of(reply.time)
    if reply.time is not None and minute is None:
        quoting.notes.append(f"clock.time {reply.time[:20]} is not HH:MM: no minute")
    day = last.day if reply.day is None else reply.day
    return ClockSet(clock=StoryClock(day=day, minute=minute, label=reply.label), evidence=evidence)


def minute_of(time: str | None) -> int | None:
    """HH:MM as minutes after midnight."""
    found = _TIME.fullmatch(time) if time else None
    if found is None:
        return None
    return (int(found.group(1)) % 24) * 60 + int(found.group(2) or 0)


def cut_summary(summary: str, language: str, notes: list[str]) -> str:
    """The summary within its limit, ending at its last full stop there."""
    limit = SUMMARY[language]
    if language == "zh":
        if len(summary) <= limit:
            return summary
        head = summary[:limit]
    else:
        words = list(re.finditer(r"\S+", summary))
        if len(words) <= limit:
            return summary
        head = summary[: words[limit - 1].end()]
    notes.append("summary cut to its limit")
    stops = list(_STOP.finditer(head))
    return head[: stops[-1].end()].strip() if stops else head.strip()


def read_again(
    text: str,
    *,
    book: Book,
    entry: OutlineEntry,
    rules: Rules,
    prose: str,
    delta: Delta,
    number: int = 1,
    plan: Plan | None = None,
    next_entry: OutlineEntry | None = None,
    complete: bool = True,
) -> Read[SecondLook]:
    """The second look at one entry of `delta`. `number` is that of the disputed entry: new ids are `<chapter id>.a1f1`
    …

    A quote that is not in the text counts as cause `text`; so does a cause that needs a fix and has none.
    """
    found = read_object(text, keys_of(AgainReply), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    notes, faults = list(found.notes), Faults()
    reply = Shape(notes, faults).fit(AgainReply, found.object)
    if reply is None:
        return Read(None, tuple(notes), faults.first())
    here = Evidence()
    if reply.quote:
        here = Quoting(prose, Faults(), notes).evidence(reply.quote, "quote")
    if reply.cause == "text" or reply.fix is None or here.start < 0:
        if reply.cause != "text":
            notes.append(f"cause {reply.cause} without a quote in the text or without a fix: text")
        return Read(SecondLook(cause="text", quote=reply.quote), tuple(notes), None)
    names = Names(book.state, {item.id.rsplit(".", 1)[-1]: item.id for item in delta.entities})
    for item in delta.entities:
        names.name(item.name, item.id)
    names.hooks.update({op.hook.rsplit(".", 1)[-1]: op.hook for op in delta.hook_ops if "." in op.hook})
    chapter = Chapter(delta.chapter, delta.position, entry, next_entry, plan, prose)
    fix = _delta(reply.fix, chapter, names, rules, notes, faults, f"a{number}")
    fault = faults.first(("fix",))
    return Read(
        SecondLook(cause=reply.cause, quote=reply.quote, fix=fix) if fault is None else None, tuple(notes), fault
    )
