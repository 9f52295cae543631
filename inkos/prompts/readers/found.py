"""Reads the founder's two replies: people and world, then outline and opening state; does not build the files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from inkos.kernel.rules import Rules
from inkos.prompts.contracts import (
    ChapterReply,
    ExtendReply,
    FoundReply,
    OpeningFactReply,
    OutlineReply,
    PredicateReply,
    VolumeReply,
    keys_of,
)
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.read import Faults, Read
from inkos.prompts.readers.shape import Shape
from inkos.records import Record

R = TypeVar("R", bound=Record)

DETAILED = 10  # chapters that an outline tells in beats
BEATS = (3, 6)
_SENTENCE = re.compile(r"[。！？!?]|\.(?=\s|$)")
_ELLIPSIS = re.compile(
    r"(?:…|\.\.\.)|^[（(\s]*(?:其余|其他|余下|以下|后续|the rest|remaining|and so on|etc)", re.IGNORECASE
)


def read_found(text: str, *, complete: bool = True) -> Read[FoundReply]:
    """People and world as the reply has them, handles and all."""
    read = _read(text, FoundReply, complete)
    if read.value is None:
        return read
    notes, faults = list(read.notes), Faults()
    found = read.value
    if not found.cast:
        faults.add("count", "cast", what="cast 0 (6–10)")
    _unique([(f"cast[{n}]", p.h) for n, p in enumerate(found.cast)], faults)
    _unique([(f"places[{n}]", p.h) for n, p in enumerate(found.places)], faults)
    for n, person in enumerate(found.cast):
        if not person.name:
            faults.add("reply-key", f"cast[{n}].name")
    long = sum(_too_long(value, 3 if key == "truth" else 1) for key, value in strings_of(found))
    if long:
        notes.append(f"{long} strings longer than asked for")
    fault = faults.first()
    return Read(found if fault is None else None, tuple(notes), fault)


def read_outline(text: str, *, chapters: int, rules: Rules, complete: bool = True) -> Read[OutlineReply]:
    """Outline and opening state for a book of `chapters` chapters; predicates that only rename one of `rules` are
    mapped to it, events that are not registered are dropped."""
    read = _read(text, OutlineReply, complete)
    if read.value is None:
        return read
    notes = list(read.notes)
    reply = read.value
    kept = tuple(chapter for chapter in reply.chapters if not _is_ellipsis(chapter))
    if len(kept) < len(reply.chapters):
        notes.append(f"{len(reply.chapters) - len(kept)} lines that stand for chapters not written out: dropped")
    reply = reply.model_copy(
        update={"chapters": kept, "volumes": _closed(reply.volumes, chapters, notes)} | _predicates(reply, rules, notes)
    )
    return Read(reply, tuple(notes), None)


def read_extension(text: str, complete: bool = True) -> Read[ExtendReply]:
    """More entries for an outline, read as those of founding are."""
    read = _read(text, ExtendReply, complete)
    if read.value is None:
        return read
    kept = tuple(chapter for chapter in read.value.chapters if not _is_ellipsis(chapter))
    return Read(read.value.model_copy(update={"chapters": kept}), read.notes, None)


def extension_faults(reply: ExtendReply, ends: Sequence[str]) -> Faults:
    """Beats and kinds of end of more entries; `ends`: the kinds of end of the last entries before them."""
    faults = Faults()
    low, high = BEATS
    kinds = [*ends[-2:], *(chapter.end_kind for chapter in reply.chapters)]
    for n, chapter in enumerate(reply.chapters):
        if not low <= len(chapter.beats) <= high:
            faults.add("count", f"chapters[{n}].beats", what=f"beats ({low}–{high})")
        last = kinds[: len(kinds) - len(reply.chapters) + n + 1][-3:]
        if len(last) == 3 and len(set(last)) == 1:
            faults.add("count", f"chapters[{n}].end_kind", what=f"end_kind {last[0]} 3×")
    return faults


def _read(text: str, contract: type[R], complete: bool) -> Read[R]:
    found = read_object(text, keys_of(contract), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    notes, faults = list(found.notes), Faults()
    reply = Shape(notes, faults).fit(contract, found.object)
    return Read(reply, tuple(notes), faults.first())


def _unique(handles: list[tuple[str, str]], faults: Faults) -> None:
    seen: set[str] = set()
    for where, handle in handles:
        if handle in seen or not handle:
            faults.add("reply-handle", where)
        seen.add(handle)


def strings_of(value: object, key: str = "") -> list[tuple[str, str]]:
    """Every string of a reply with the key it stands under."""
    if isinstance(value, str):
        return [(key, value)] if value else []
    if isinstance(value, Record):
        return [pair for name in type(value).model_fields for pair in strings_of(getattr(value, name), name)]
    if isinstance(value, tuple):
        return [pair for item in value for pair in strings_of(item, key)]
    return []


def placed_strings(value: object, where: str = "") -> list[tuple[str, str]]:
    """Every string of a reply with its place (`cast[3].tie`)."""
    if isinstance(value, str):
        return [(where, value)] if value else []
    if isinstance(value, Record):
        return [
            pair
            for name in type(value).model_fields
            for pair in placed_strings(getattr(value, name), f"{where}.{name}" if where else name)
        ]
    if isinstance(value, tuple):
        return [pair for n, item in enumerate(value) for pair in placed_strings(item, f"{where}[{n}]")]
    return []


def _too_long(text: str, sentences: int) -> bool:
    return len(_SENTENCE.findall(text.strip().rstrip("。！？.!?"))) >= sentences


def _is_ellipsis(chapter: ChapterReply) -> bool:
    """A line such as “……（其余各章照此推进）……” is no chapter (case A21)."""
    return len(chapter.beats) <= 1 and all(_ELLIPSIS.search(text) for text in (chapter.title, *chapter.beats))


def _closed(volumes: tuple[VolumeReply, ...], chapters: int, notes: list[str]) -> tuple[VolumeReply, ...]:
    """The last volume may leave its end open (0): it is the book's."""
    if volumes and volumes[-1].to == 0:
        notes.append("the last volume ends with the book")
        last = volumes[-1].model_copy(update={"to": chapters})
        return (*volumes[:-1], last)
    return volumes


def _predicates(reply: OutlineReply, rules: Rules, notes: list[str]) -> dict[str, object]:
    renamed: dict[str, str] = {}
    kept: list[PredicateReply] = []
    for predicate in reply.predicates:
        known = rules.predicate(predicate.name)
        if known is not None:
            renamed[predicate.name] = known
            notes.append(f"predicate {predicate.name} is {known} of the table")
            continue
        events = tuple(event.name for word in predicate.licensed_by if (event := rules.event(word)))
        if len(events) < len(predicate.licensed_by):
            notes.append(f"predicate {predicate.name}: events that are not in the table dropped")
        rule = predicate.rule if predicate.rule != "licensed" or events else "none"
        kept.append(predicate.model_copy(update={"licensed_by": events, "rule": rule}))
    facts: list[OpeningFactReply] = [
        fact.model_copy(update={"predicate": renamed.get(fact.predicate, fact.predicate)}) for fact in reply.state.facts
    ]
    state = reply.state.model_copy(update={"facts": tuple(facts)})
    return {"predicates": tuple(kept), "state": state}


def count_faults(reply: OutlineReply, chapters: int) -> Faults:
    """Chapters, beats, kinds of end and volumes against what was asked for (case A10, A21: gaps)."""
    faults = Faults()
    asked = min(DETAILED, chapters)
    if len(reply.chapters) != asked:
        faults.add("count", "chapters", what=f"chapters {len(reply.chapters)} ({asked})")
    low, high = BEATS
    for n, chapter in enumerate(reply.chapters):
        if not low <= len(chapter.beats) <= high:
            faults.add("count", f"chapters[{n}].beats", what=f"beats ({low}–{high})")
    for n in range(2, len(reply.chapters)):
        kinds = {chapter.end_kind for chapter in reply.chapters[n - 2 : n + 1]}
        if len(kinds) == 1:
            faults.add("count", f"chapters[{n}].end_kind", what=f"end_kind {kinds.pop()} 3×")
    end = 0
    for n, volume in enumerate(reply.volumes):
        if volume.from_ != end + 1 or volume.to < volume.from_:
            faults.add("count", f"volumes[{n}]", what=f"volumes ({end + 1}–{chapters})")
        end = max(end, volume.to)
    if not reply.volumes or end != chapters:
        faults.add("count", "volumes", what=f"volumes 1–{end} (1–{chapters})")
    return faults
