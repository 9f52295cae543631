"""Turns founding's own handles inside its strings into names (`p6 presses him` → `Qin presses him`); knows no files.

A reply may name people by handle or office before it has named them; pages, prompts and the first state are read by
people and models that have no such handles, or others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from inkos.prompts.contracts import FoundReply, OutlineReply
from inkos.records import Record

R = TypeVar("R", bound=Record)

_HANDLE = re.compile(r"( ?)(?<![A-Za-z0-9_])([A-Za-z]\d{1,3})(?![A-Za-z0-9_])( ?)")
_WIDE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef“”]")
# Fields that hold handles as such, not words.
_REFERENCES = frozenset({"h", "known_by", "from_", "to", "pov", "subject", "depends_on", "predicate", "licensed_by"})


def names_of(found: FoundReply, outline: OutlineReply | None = None) -> dict[str, str]:
    """Handle → name; a secret stands for its question, a promise for what is awaited, both in quotation marks."""
    names = {person.h: person.name for person in found.cast}
    names |= {thing.h: thing.name for thing in (*found.places, *found.items, *found.groups)}
    asked = {secret.h: secret.question for secret in found.secrets}
    asked |= {promise.h: promise.core for promise in outline.promises} if outline is not None else {}
    names |= {handle: f"“{words.strip()}”" for handle, words in asked.items() if words.strip()}
    return {handle: name for handle, name in names.items() if handle and name}


def with_names(record: R, names: Mapping[str, str]) -> R:
    """The record with every known handle that stands as a word in one of its strings replaced by the name. A string
    that is a handle and nothing else is a reference where it is the `object` of a fact, and stays."""
    changed: dict[str, object] = {}
    for field in type(record).model_fields:
        value = getattr(record, field)
        if field in _REFERENCES or (field == "object" and isinstance(value, str) and value.strip() in names):
            continue
        changed[field] = _named(value, names)
    return record.model_copy(update=changed)


def _named(value: object, names: Mapping[str, str]) -> object:
    if isinstance(value, str):
        return _words(value, names)
    if isinstance(value, Record):
        return with_names(value, names)
    return tuple(_named(item, names) for item in value) if isinstance(value, tuple) else value


def _words(text: str, names: Mapping[str, str]) -> str:
    for handle in {found[2] for found in _HANDLE.finditer(text)} & set(names):
        text = _beside_its_name(text, handle, names[handle])

    def put(found: re.Match[str]) -> str:
        name = names.get(found[2])
        if name is None:
            return found[0]
        wide = _WIDE.match(name) is not None
        before, after = found.string[: found.start()][-1:], found.string[found.end() :][:1]
        left = "" if wide and _WIDE.match(before) else found[1]
        right = "" if wide and _WIDE.match(after) else found[3]
        return f"{left}{name}{right}"

    return _HANDLE.sub(put, text)


def _beside_its_name(text: str, handle: str, name: str) -> str:
    """`Qin (p6)`, `p6 (Qin)` and `p6 Qin` as the handle alone."""
    own, word = re.escape(name), rf"(?<![A-Za-z0-9_]){handle}(?![A-Za-z0-9_])"
    text = re.sub(rf"{own}\s*[（(]\s*{word}\s*[）)]", handle, text)
    text = re.sub(rf"{word}\s*[（(]\s*{own}\s*[）)]", handle, text)
    return re.sub(rf"{word}\s*{own}", handle, text)
