"""What a reply's object becomes under the predicate registry: an id, a figure, an allowed word; does not judge."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from inkos.kernel.delta import Scalar
from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.rules import NOTE, Rules
from inkos.kernel.story import ValueKind
from inkos.prompts.readers.handles import Names, is_handle
from inkos.prompts.readers.words import FALSE, TRUE, number_of, plain


class Value(NamedTuple):
    """`object` is null when `fault` names the code of what is wrong; `allowed` goes with `reply-value`."""

    object: Scalar | None
    kind: ValueKind = "text"
    fault: str = ""
    allowed: str = ""


class Triple(NamedTuple):
    subject: str
    predicate: str
    value: Value
    note: str = ""


def triple(rules: Rules, names: Names, subject: str, word: str, raw: object, *, strict: bool) -> Triple:
    """Subject (an id), predicate word and object as the registry has them.

    A word that is not registered becomes a `note` that keeps it. `strict`: an object must fit the predicate; otherwise
    (what somebody merely says) it may stay as the words it is."""
    resolved = rules.resolve(word)
    if resolved is None:
        text = f"{word}: {_shown(raw)}"
        return Triple(subject, NOTE, Value(text, "text"), f"predicate {word[:30]} is not in the table: note")
    predicate = resolved.predicate
    note = "" if predicate.name == word else f"predicate {word[:30]} read as {predicate.name}"
    if resolved.swapped:
        other = names.thing(str(raw)) if isinstance(raw, str) else None
        if other is None:
            return Triple(subject, predicate.name, Value(None, fault="reply-handle"), note)
        return Triple(other, predicate.name, Value(subject, "entity"), note)
    if resolved.key and isinstance(raw, str) and not re.search(r"[:：]", raw):
        raw = f"{resolved.key}: {raw}"
    value = value_under(rules, predicate, raw, names)
    if value.fault and not strict:
        value = Value(_shown(raw), "text")
    return Triple(subject, predicate.name, value, note)


def value_under(rules: Rules, predicate: Predicate, raw: object, names: Names) -> Value:
    if predicate.value == "entity":
        return _entity(raw, names)
    if predicate.value == "number":
        figure = figure_of(raw, predicate.unit)
        return Value(None, fault="number") if figure is None else Value(figure, "number")
    if predicate.value == "boolean":
        return _flag(raw)
    return _text(rules, predicate, raw, names)


def _entity(raw: object, names: Names) -> Value:
    found = names.thing(raw) if isinstance(raw, str) else None
    return Value(found, "entity") if found is not None else Value(None, fault="reply-handle")


def _flag(raw: object) -> Value:
    if isinstance(raw, bool):
        return Value(raw, "boolean")
    word = plain(str(raw))
    if word in TRUE or word in FALSE:
        return Value(word in TRUE, "boolean")
    return Value(None, fault="reply-value", allowed="true | false")


def _text(rules: Rules, predicate: Predicate, raw: object, names: Names) -> Value:
    if isinstance(raw, str) and not predicate.allowed:
        found = names.thing(raw)
        if found is not None:
            return Value(found, "entity")  # a text predicate may be said of a known thing (knows · s1)
        if is_handle(raw) and re.match(r"[plgis]\d", raw.strip()):
            return Value(None, fault="reply-handle")
    text = _shown(raw)
    if not predicate.allowed:
        return Value(text, "text")
    allowed = rules.allowed_value(predicate, text)
    if allowed in predicate.allowed:
        return Value(allowed, "text")
    return Value(None, fault="reply-value", allowed=" | ".join(predicate.allowed))


def event_object(rules: Rules, event: EventType, raw: object, names: Names) -> Scalar | None:
    """An event's object: a known thing by id, an amount as a figure, else the words it is."""
    if raw is None or isinstance(raw, bool | int | float):
        return raw
    text = str(raw).strip()
    if any(event.name in (*predicate.up_by, *predicate.down_by) for predicate in rules.predicates.values()):
        figure = figure_of(text, "")
        if figure is not None:
            return figure
    return names.thing(text) or text


def figure_of(raw: object, unit: str) -> int | float | None:
    """A figure, given as one or as text; a unit in the text must be the predicate's."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int | float):
        return int(raw) if isinstance(raw, float) and raw.is_integer() else raw
    text = unicodedata.normalize("NFKC", str(raw)).strip()
    figure = number_of(text)
    if figure is None and unit:
        for name in (unit, unit + "s", unit + "es"):
            if text.casefold().endswith(name.casefold()):
                return number_of(text[: -len(name)].strip())
            if text.casefold().startswith(name.casefold()):
                return number_of(text[len(name) :].strip())
    return figure


def _shown(raw: object) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return str(raw)
