"""Where a name stands in a text, and which of those places surely mean one entity; guesses nothing.

A place is left, and shown, when
    namesake    another entity bears the same name
    longer      a longer known name contains it (Ann in Ann Lee, 青灯 in 青灯客栈), or a capitalised word follows it
    word        the same word stands in small letters elsewhere, and here it begins a sentence (Rose, Will)
    single      the name is one Han character: it stands inside other words
    short       only a part of the old name stands there (Ada of Ada Pell, 青灯 of 沈青灯): perhaps the same one
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from inkos.kernel.delta import Delta
from inkos.kernel.story import Entity, Evidence, StoryState
from inkos.messages import Language
from inkos.records import Record
from inkos.text.segment import Span, sentences

Why = Literal["", "namesake", "longer", "word", "single", "short", "locked", "own"]
AROUND = 60  # characters of a sentence that are shown before and behind a place
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_CAPITAL = re.compile(r"\s+[A-Z\u00c0-\u00de][\w'’-]*")


class Place(NamedTuple):
    """A stretch where the name stands; `why` it is left, "" where it is sure."""

    start: int
    end: int
    why: Why


class Left(Record):
    """A place that was left: in which file, why, which name stands there, and the words around it."""

    path: str
    why: Why
    words: str
    name: str = ""


def bearers(state: StoryState, name: str) -> list[Entity]:
    """Those who bear exactly this name or alias, or this handle or id."""
    held = [entity for entity in state.entities.values() if name in (entity.handle, entity.id)]
    return held or [e for e in state.entities.values() if name in (e.name, *e.aliases)]


def places(text: str, old: str, entity: Entity, others: Iterable[Entity], language: Language) -> list[Place]:
    """Every place of the name in the text."""
    shared, longer = False, {name for name in (entity.name, *entity.aliases) if old in name and name != old}
    for other in others:
        names = (other.name, *other.aliases)
        shared = shared or old in names
        longer |= {name for name in names if old in name and name != old}
    inside = [span.span() for name in longer for span in re.finditer(re.escape(name), text)]
    common = language == "en" and re.search(rf"(?<!\w){re.escape(old.lower())}(?!\w)", text) is not None
    starts = {span.start + _lead(span.text) for span in sentences(text, language)}
    found = []
    for match in re.finditer(_pattern(old), text):
        start, end = match.span()
        why: Why = ""
        if shared:
            why = "namesake"
        elif any(a <= start and end <= b for a, b in inside) or (not _HAN.search(old) and _CAPITAL.match(text, end)):
            why = "longer"
        elif common and old != old.lower() and start in starts:
            why = "word"
        elif len(old) == 1:
            why = "single"
        found.append(Place(start, end, why))
    return found


def short_forms(entity: Entity, old: str, new: str) -> list[str]:
    """What else the bearer of the old name may be called by a part of it, and is not by the new one: aliases inside it,
    single words, a Han name without its family name."""
    parts = [alias for alias in entity.aliases if alias in old]
    if _HAN.search(old):
        parts += [old[family:] for family in (1, 2) if len(old) - family >= 2]
    else:
        parts += [word for word in re.split(r"[\s·-]+", old) if len(word) > 1 and word[:1].isupper()]
    return [part for part in dict.fromkeys(parts) if part != old and not re.search(_pattern(part), new)]


def short_places(text: str, short: str, entity: Entity, others: Iterable[Entity], language: Language) -> list[Place]:
    """Where a part of the name stands alone and may mean its bearer."""
    found = places(text, short, entity, others, language)
    return [place._replace(why="short") for place in found if place.why in ("", "namesake")]


def _pattern(name: str) -> str:
    """The name as a whole word where its script has words."""
    before = r"(?<!\w)" if not _HAN.match(name[0]) else ""
    behind = r"(?!\w)" if not _HAN.match(name[-1]) else ""
    return before + re.escape(name) + behind


def _lead(sentence: str) -> int:
    """How many marks a sentence opens with."""
    return len(sentence) - len(sentence.lstrip("\"'“‘«(—– "))


def replaced(text: str, found: Iterable[Place], new: str) -> str:
    """The text with the new name at the sure places."""
    parts, at = [], 0
    for place in found:
        if not place.why:
            parts += [text[at : place.start], new]
            at = place.end
    return "".join([*parts, text[at:]])


def sentence_at(text: str, place: Place, spans: Sequence[Span]) -> str:
    """The sentence of a place on one line; of a long one what stands around the place. `spans` are the text's."""
    start, end = next(((s.start, s.end) for s in spans if s.start <= place.start < s.end), (place.start, place.end))
    first, last = max(start, place.start - AROUND), min(end, place.end + AROUND)
    words = " ".join(text[first:last].split())
    return ("…" if first > start else "") + words + ("…" if last < end else "")


def renamed_entity(entity: Entity, old: str, new: str, kept: Sequence[str]) -> Entity:
    """The entity under its new name (or alias). `kept`: names that still stand in the manuscript, as aliases."""
    name = new if entity.name == old else entity.name
    names = [new if alias == old else alias for alias in entity.aliases]
    aliases = dict.fromkeys([*names, *kept])
    return entity.model_copy(update={"name": name, "aliases": tuple(a for a in aliases if a != name)})


def proven(genesis: Delta) -> Delta:
    """A founding's delta in which what was proven by its own wording quotes that wording, so that it may change."""

    def quoting(item: Any, words: str) -> Any:
        evidence: Evidence = item.evidence
        if evidence.quote or evidence.reason or not words:
            return item
        # It stood in the author's file at the founding; a span says so (kernel/evidence.py).
        return item.model_copy(
            update={"evidence": evidence.model_copy(update={"quote": words, "start": 0, "end": len(words)})}
        )

    return genesis.model_copy(
        update={
            "entities": tuple(quoting(item, item.name) for item in genesis.entities),
            "truths": tuple(quoting(item, item.truth) for item in genesis.truths),
            "hook_ops": tuple(quoting(item, item.core) for item in genesis.hook_ops),
        }
    )


def renamed_delta(
    delta: Delta, entity_id: str, old: str, new: str, quotes: Mapping[str, str], kept: Sequence[str]
) -> Delta:
    """The delta under the new name: the entity where it is introduced or named, quotes as the text now has them, and
    the words that are the program's own (title, summary, cores of promises, texts)."""
    data: dict[str, Any] = delta.model_dump(mode="json")
    made = Delta.model_validate(_walked(data, old, new, quotes))
    entities = tuple(
        renamed_entity(was, old, new, kept) if was.id == entity_id else now
        for was, now in zip(delta.entities, made.entities, strict=True)
    )
    entities = tuple(
        entity.model_copy(update={"evidence": now.evidence})
        for entity, now in zip(entities, made.entities, strict=True)
    )
    return made.model_copy(update={"entities": entities})


# Fields whose words are told by the program, not quoted: the name is replaced in them as a whole word.
_TOLD = frozenset(
    {"title", "summary", "core", "trigger", "notes", "text", "note", "label", "truth", "question", "surface"}
)


def _walked(value: Any, old: str, new: str, quotes: Mapping[str, str], key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _walked(item, old, new, quotes, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_walked(item, old, new, quotes, key) for item in value]
    if isinstance(value, str) and key == "quote":
        return quotes.get(value, value)
    if isinstance(value, str) and (key in _TOLD or (key == "object" and " " in value)):
        return re.sub(_pattern(old), lambda _: new, value)
    return value


def quotes_of(delta: Delta) -> list[str]:
    """Every quote of a delta."""
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            found.extend([value["quote"]] if value.get("quote") else [])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(delta.model_dump(mode="json"))
    return list(dict.fromkeys(found))
