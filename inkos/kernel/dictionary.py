"""What words stand for in a registry: predicates, event types and allowed values in whatever form; does not judge."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.values import plain
from inkos.kernel.wording import bare, core, denied, shorter, stands, stems, turned

# A phrase with one of these does not say what its other words say.
_DENIALS = frozenset({"no", "not", "never", "nearly", "almost", "half", "without", "if", "may", "might", "soon"})


class Resolved(NamedTuple):
    """What a word stands for: a predicate; `swapped` when subject and object change places; `key` for a keyed value."""

    predicate: Predicate
    swapped: bool = False
    key: str = ""


class Dictionary:
    """Tables of the words of one registry, each built when it is first asked for.

    A word itself is looked for first, then as a part word of a keyed predicate, then its other forms: number, person,
    tense, and what stands around it."""

    def __init__(self, predicates: Mapping[str, Predicate], events: Mapping[str, EventType]) -> None:
        self._predicates = predicates
        self._events = events

    @cached_property
    def _words(self) -> dict[str, Resolved]:
        table: dict[str, Resolved] = {}
        for predicate in self._predicates.values():
            for word in (name for words in predicate.aliases.values() for name in words):
                table.setdefault(plain(word), Resolved(predicate))
            for word in predicate.inverse:
                table.setdefault(plain(word), Resolved(predicate, swapped=True))
        # A predicate's own name always wins over another's alias.
        for predicate in self._predicates.values():
            table[plain(predicate.name)] = Resolved(predicate)
        return table

    @cached_property
    def _forms(self) -> dict[tuple[str, ...], Resolved]:
        """Predicates by the stems of their English words."""
        table: dict[tuple[str, ...], Resolved] = {}
        for predicate in self._predicates.values():
            for word in (predicate.name, *predicate.aliases.get("en", ())):
                table.setdefault(core(_spaced(word)), Resolved(predicate))
            for word in predicate.inverse:
                table.setdefault(core(_spaced(word)), Resolved(predicate, swapped=True))
        table.pop((), None)
        return table

    @cached_property
    def _event_words(self) -> dict[str, EventType]:
        table: dict[str, EventType] = {}
        for event in self._events.values():
            for word in (name for words in event.aliases.values() for name in words):
                table.setdefault(plain(word), event)
        for event in self._events.values():
            table[plain(event.name)] = event
        return table

    @cached_property
    def _event_forms(self) -> dict[tuple[str, ...], EventType]:
        table: dict[tuple[str, ...], EventType] = {}
        for event in self._events.values():
            for word in (event.name, *event.aliases.get("en", ())):
                table.setdefault(core(_spaced(word)), event)
        table.pop((), None)
        return table

    def predicate(self, word: str) -> Resolved | None:
        """`left eye` is a part word of a keyed predicate: the value then bears it as its key."""
        return self._words.get(plain(word)) or self._by_part(word) or self._by_form(word)

    def _by_part(self, word: str) -> Resolved | None:
        flat = f" {_spaced(word.casefold())} "
        key = flat.strip().removesuffix(" left").removesuffix(" remaining")
        for predicate in self._predicates.values():
            for language, parts in predicate.parts.items():
                if any((part in flat) if language == "zh" else (f" {part} " in flat) for part in parts):
                    return Resolved(predicate, key=key)
        return None

    def _by_form(self, word: str) -> Resolved | None:
        for form in bare(word) if not word.isascii() and not denied(word) else ():
            if found := self._words.get(form):
                return found
        words = core(_spaced(word))
        found = self._forms.get(words) or self._forms.get(shorter(words))
        if found is None and (without := turned(words)):
            # "of" and "by" change sides where a relation has two.
            found = self._forms.get(without)
            found = None if found and found.predicate.inverse else found
        return found

    def event(self, word: str) -> EventType | None:
        found = self._event_words.get(plain(word))
        if found is None and not word.isascii():
            found = next((self._event_words[form] for form in bare(word) if form in self._event_words), None)
        words = core(_spaced(word))
        return found or self._event_forms.get(words) or self._event_forms.get(shorter(words))

    def names(self, word: str) -> bool:
        """Whether a predicate is registered under just this word."""
        return plain(word) in self._words

    def spells(self, word: str) -> bool:
        """Whether an event type is registered under just this word."""
        return plain(word) in self._event_words

    def value(self, predicate: Predicate, value: str) -> str:
        """The allowed value that a word or a short phrase (`killed in battle`) stands for, or the word itself."""
        flats = {plain(value), *(bare(value) if not value.isascii() and not denied(value) else ())}
        for allowed in (*predicate.allowed, *predicate.words):
            if not flats.isdisjoint(plain(word) for word in (allowed, *predicate.words.get(allowed, ()))):
                return allowed
        row = stems(value)
        if len(row) > 6 or len(value) > 60 or denied(value) or _DENIALS & set(row):
            return value
        found = {
            allowed
            for allowed in predicate.allowed
            for word in (allowed, *predicate.words.get(allowed, ()))
            if (stands(stems(_spaced(word)), row) if word.isascii() else _ends(word, value))
        }
        return found.pop() if len(found) == 1 else value


def _ends(word: str, value: str) -> bool:
    """Whether a Chinese word stands in a phrase; one of a single character only as its end (`战死`)."""
    return word in value if len(word) > 1 else len(value) < 4 and value.endswith(word)


def _spaced(word: str) -> str:
    return word.replace("_", " ").replace("-", " ")
