"""The predicate registry of one book: packs and book.yaml put together; does not judge and reads no files."""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from pydantic import BaseModel, Field, ValidationError

from inkos.config import BookConfig
from inkos.errors import UsageFault
from inkos.kernel import explain
from inkos.kernel.dictionary import Dictionary, Resolved
from inkos.kernel.predicates import EventType, Hindrance, Predicate
from inkos.kernel.values import plain
from inkos.messages import Language
from inkos.records import Record, digest

R = TypeVar("R", bound=BaseModel)
NOTE = "note"  # the outlet: always registered, many-valued, judged by nothing

# What a book's own predicate may say in one word (the founder's contract, design/prompts.md §5.1).
SHORT_RULES = ("none", "exclusive", "absorbing", "up_only", "down_only", "balance", "licensed")
_SHORT_KEYS = {"rule", "means", "many", "unit", "subject", "value", "licensed_by", "allowed", "severity"}
_WORD_KEYS = ("aliases", "parts", "words")


class Pack(Record):
    """One YAML file of rules. `genres` are the words in `book.yaml` that take it in; `general` always is."""

    name: str
    genres: tuple[str, ...] = ()
    scales: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    predicates: dict[str, dict[str, Any]] = Field(default_factory=dict)
    events: dict[str, dict[str, Any]] = Field(default_factory=dict)
    mirrors: tuple[tuple[str, str], ...] = ()
    concepts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    opposites: tuple[tuple[str, str], ...] = ()
    prevents: tuple[Hindrance, ...] = ()
    durations: dict[str, float] = Field(default_factory=dict)
    body: tuple[str, ...] = ()
    words: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    phrases: dict[str, dict[str, str]] = Field(default_factory=dict)
    hook_cap: int | None = None


class Rules(Record):
    """Everything that stories are judged by. `concepts` are words for kinds of acts and times in world rules and vows,
    `opposites` pairs of them that undo each other, `prevents` what keeps people from acts, `mirrors` pairs of opposite
    sides, `durations` minutes by unit word, `body` parts that can be hurt, `words` what labelled cases call things
    (kernel/casewords.py), `hook_cap` how many promises may be open."""

    packs: tuple[str, ...] = ()
    predicates: dict[str, Predicate]
    events: dict[str, EventType]
    scales: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    mirrors: tuple[tuple[str, str], ...] = ()
    concepts: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    opposites: tuple[tuple[str, str], ...] = ()
    prevents: tuple[Hindrance, ...] = ()
    durations: dict[str, float] = Field(default_factory=dict)
    body: tuple[str, ...] = ()
    words: dict[str, dict[str, tuple[str, ...]]] = Field(default_factory=dict)
    phrases: dict[str, dict[str, str]] = Field(default_factory=dict)
    hook_cap: int = 80
    chapters: int = 100

    @staticmethod
    def build(packs: Sequence[Mapping[str, Any]], book: BookConfig) -> Rules:
        """Packs in order (general first, whatever their order here), then the book's own `predicates` and `events`,
        each laid over what is there key by key. UsageFault names the file, the key and the nearest known key."""
        read = [_read(Pack, pack, f"rules/{pack.get('name', '?')}.yaml") for pack in packs]
        wanted = {plain(word) for word in _genres(book.genre)}
        chosen = [pack for pack in read if pack.name == "general"]
        chosen += [
            pack
            for pack in read
            if pack.name != "general" and ("all" in wanted or wanted & {plain(g) for g in (pack.name, *pack.genres)})
        ]
        predicates: dict[str, dict[str, Any]] = {NOTE: {"many": True, "value": "text"}}
        events: dict[str, dict[str, Any]] = {}
        for pack in chosen:
            _lay(predicates, pack.predicates)
            _lay(events, pack.events)
        _lay(predicates, {name: _long(name, spec) for name, spec in book.predicates.items()})
        _lay(events, book.events)
        caps = [pack.hook_cap for pack in chosen if pack.hook_cap is not None]
        return Rules(
            packs=tuple(pack.name for pack in chosen),
            predicates={name: _predicate(name, spec) for name, spec in predicates.items()},
            events={name: _event(name, spec) for name, spec in events.items()},
            scales=_merged(pack.scales for pack in chosen),
            mirrors=tuple(pair for pack in chosen for pair in pack.mirrors),
            concepts=_merged(pack.concepts for pack in chosen),
            opposites=tuple(pair for pack in chosen for pair in pack.opposites),
            prevents=tuple(each for pack in chosen for each in pack.prevents),
            durations=_merged(pack.durations for pack in chosen),
            body=tuple(word for pack in chosen for word in pack.body),
            words=_merged(pack.words for pack in chosen),
            phrases=_merged(pack.phrases for pack in chosen),
            hook_cap=caps[-1] if caps else 80,
            chapters=book.chapters,
        ).checked()

    def checked(self) -> Rules:
        """Itself, when every name that one rule uses of another exists; else UsageFault."""
        for predicate in self.predicates.values():
            where = f"predicates.{predicate.name}"
            for event in (*predicate.licensed_by, *predicate.released_by, *predicate.up_by, *predicate.down_by):
                _known(event, self.events, where)
            for other in (*predicate.excludes, *(need.predicate for need in predicate.requires)):
                _known(other, self.predicates, where)
            if predicate.scale:
                _known(predicate.scale, self.scales, where)
        for kind in (*(act for each in self.prevents for act in each.acts), *(k for p in self.opposites for k in p)):
            _known(kind, self.concepts, "prevents, opposites")
        for event_type in self.events.values():
            names = [setting.predicate for setting in event_type.sets]
            for other in (*names, *(need.predicate for need in event_type.requires)):
                _known(other, self.predicates, f"events.{event_type.name}")
        return self

    def but(self, **update: Any) -> Rules:
        """A copy with other tables; what was worked out from the old ones is worked out anew."""
        copy = self.model_copy(update=update)
        for name in ("digest", "balances", "dictionary", "hindering", "forbidding", "bans", "checks"):
            copy.__dict__.pop(name, None)
        return copy

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all rules; stored in each delta as what it was judged under."""
        return digest(json.dumps(self.model_dump(mode="json"), ensure_ascii=False, sort_keys=True))

    @cached_property
    def dictionary(self) -> Dictionary:
        """What words stand for."""
        return Dictionary(self.predicates, self.events)

    def resolve(self, word: str) -> Resolved | None:
        """The predicate that a name or word stands for; null when it is not registered."""
        known = self.predicates.get(word)
        return Resolved(known) if known is not None else self.dictionary.predicate(word)

    def event(self, word: str) -> EventType | None:
        """The event type that a name or word, in whatever form, stands for; null when it is not registered."""
        return self.events.get(word) or self.dictionary.event(word)

    def allowed_value(self, predicate: Predicate, value: str) -> str:
        """The allowed value that a word stands for (`died` → `dead`), or the word itself."""
        return value if value in predicate.allowed else self.dictionary.value(predicate, value)

    def label(self, name: str, language: Language) -> str:
        """What people read for a predicate: its first word in their language; in English its name."""
        return _first_word(self.predicates.get(name), name, language)

    def event_label(self, name: str, language: Language) -> str:
        """The same for an event type."""
        return _first_word(self.events.get(name), name, language)

    def levels(self, scale: str, language: Language) -> str:
        """A scale in words, from its lowest level."""
        rows = [level.split("/") for level in self.scales[scale]]
        return " < ".join(next((n for n in row if n.isascii() == (language == "en")), row[0]) for row in rows)

    def value_label(self, name: str, value: object, language: Language) -> str:
        """What people read for an allowed value: its first word in their language; "" for the value as it is."""
        spec = self.predicates.get(name)
        if language == "en" or spec is None or value not in spec.allowed:
            return ""
        return next((word for word in spec.words.get(str(value), ()) if not word.isascii()), "")

    def predicate(self, word: str) -> str | None:
        """The registered name for a word, or null."""
        found = self.resolve(word)
        return found.predicate.name if found and not found.swapped and not found.key else None

    @cached_property
    def hindering(self) -> frozenset[str]:
        """Predicates whose text may keep their subject from acts."""
        return frozenset(name for name, spec in self.predicates.items() if spec.hinders)

    @cached_property
    def forbidding(self) -> tuple[Predicate, ...]:
        """Predicates whose text says what their subject may not do."""
        return tuple(spec for spec in self.predicates.values() if spec.forbids)

    @cached_property
    def bans(self) -> dict[str, Any]:
        """Room for sentences that world.py and ability.py have taken apart, so that each is read once."""
        return {}

    @cached_property
    def checks(self) -> dict[str, Any]:
        """Room for what judge.py asks of each predicate."""
        return {}

    @cached_property
    def balances(self) -> dict[str, tuple[tuple[Predicate, int], ...]]:
        """By event type: the balances that it moves, and in which direction (+1, −1)."""
        table: dict[str, list[tuple[Predicate, int]]] = {}
        for predicate in self.predicates.values():
            for events, sign in ((predicate.up_by, 1), (predicate.down_by, -1)):
                for event in events:
                    table.setdefault(event, []).append((predicate, sign))
        return {event: tuple(rows) for event, rows in table.items()}

    def rank(self, scale: str, value: object) -> int | None:
        """The place of a value on a named scale, from 0; null when the scale does not have it. A level of the scale may
        bear several names, separated by `/`; the longest level whose name the value contains is meant."""
        flat = plain(str(value))
        best: tuple[int, int] | None = None
        for place, level in enumerate(self.scales.get(scale, ())):
            for name in level.split("/"):
                word = plain(name)
                if word and word in flat and (best is None or len(word) > best[0]):
                    best = (len(word), place)
        return best[1] if best else None

    def registry_lines(
        self, language: Language, kinds: set[str] | None = None, own: Collection[str] = ()
    ) -> list[str]:
        """What the settler chooses from, one predicate a line, the event types last; `kinds` are the entity kinds at
        hand (null: all), `own` predicates that are shown whatever they are about."""
        return explain.registry_lines(self, language, kinds, own)

    def explain(self, language: Language) -> list[str]:
        """Each rule in words, for people."""
        return explain.rule_lines(self, language)


def _first_word(spec: Predicate | EventType | None, name: str, language: Language) -> str:
    words = spec.aliases.get(language, ()) if spec and language != "en" else ()
    return words[0] if words else name


def _genres(genre: str) -> list[str]:
    for mark in ",，+/、&":
        genre = genre.replace(mark, "\n")
    return [word.strip() for word in genre.split("\n") if word.strip()]


def _merged(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    merged: dict[str, Any] = {}
    for table in tables:
        for key, value in table.items():
            held = merged.get(key)
            merged[key] = {**held, **value} if isinstance(held, dict) and isinstance(value, dict) else value
    return merged


def _lay(base: dict[str, dict[str, Any]], over: Mapping[str, Mapping[str, Any]]) -> None:
    for name, spec in over.items():
        base[name] = {**base.get(name, {}), **dict(spec)}


def _long(name: str, spec: Mapping[str, Any]) -> dict[str, Any]:
    """A book's predicate in the registry's own form: the short `rule` is spelled out."""
    long = {key: value for key, value in spec.items() if key != "rule" and value is not None}
    rule = spec.get("rule", "none")
    where = f"book.yaml predicates.{name}"
    if not isinstance(rule, str) or rule not in SHORT_RULES:
        raise UsageFault("rules-value", where=where, key="rule", value=str(rule), allowed=", ".join(SHORT_RULES))
    if rule == "exclusive":
        long["exclusive"] = True
    elif rule == "absorbing":
        long["fixed"] = True
    elif rule in ("up_only", "down_only"):
        long["order"] = rule
    elif rule == "balance":
        long.update({"value": "number", "least": long.get("least", 0), "up_by": ("income",), "down_by": ("spending",)})
        long["licensed_by"] = ()
    return long


def _predicate(name: str, spec: Mapping[str, Any]) -> Predicate:
    return _read(Predicate, {"name": name, **_tidied(spec)}, f"predicates.{name}")


def _event(name: str, spec: Mapping[str, Any]) -> EventType:
    return _read(EventType, {"name": name, **_tidied(spec)}, f"events.{name}")


def _tidied(spec: Mapping[str, Any]) -> dict[str, Any]:
    """People write one word where a list may stand, and one text where there may be one a language."""
    tidy = dict(spec)
    for key in (
        "subject",
        "kinds",
        "licensed_by",
        "absorbing",
        "released_by",
        "up_by",
        "down_by",
        "excludes",
        "inverse",
    ):
        if isinstance(tidy.get(key), str):
            tidy[key] = tuple(word for word in tidy[key].split("|") if word and word != "any")
    if isinstance(tidy.get("means"), str):
        tidy["means"] = {"en": tidy["means"], "zh": tidy["means"]}
    for key in _WORD_KEYS:
        if isinstance(tidy.get(key), list):
            tidy[key] = {"en": tidy[key]}
    return tidy


def _known(name: str, table: Mapping[str, object], where: str) -> None:
    if name not in table:
        near = difflib.get_close_matches(name, list(table), 1)
        raise UsageFault("rules-name", where=where, name=name, nearest=near[0] if near else "—")


def _read(kind: type[R], data: Mapping[str, Any], where: str) -> R:
    known = list(kind.model_fields)
    for key in data:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, 1)
            raise UsageFault("rules-key", where=where, key=str(key), nearest=near[0] if near else ", ".join(known))
    try:
        return kind.model_validate(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageFault(
            "rules-value", where=where, key=place, value=str(first["input"])[:80], allowed=str(first["msg"])
        ) from fault
