"""What the words of a labelled case stand for: subjects, predicates, values; knows the registry, and no case by name.

Two conventions hold for cases only, because a case is all the registry its own words have: a predicate that is not
registered is taken as one-valued and changed by any event about its subject (a bare number as a counted stock, an act
without a fact as `acts`), and an event type that is not registered licenses changes of its subject.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.rules import Rules
from inkos.kernel.story import EntityKind
from inkos.kernel.values import amount, number, plain

Row = Mapping[str, Any]
STATE_WORDS = frozenset({"status", "state", "condition", "状态"})
_ROUTE = re.compile(r"\s*(?:->|→|—|–|-|/|\bto\b|到|至)\s*")
_ANCHOR = re.compile(r"@.*$")


def spaced(value: object) -> str:
    """An identifier or phrase as plain words."""
    return str(value).replace("_", " ").strip()


class Vocabulary:
    """The registry as one case speaks it; `kinds` are the kinds of the names seen so far."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kinds: dict[str, set[EntityKind]] = {}

    def meant(self, group: str, word: object) -> str:
        """The name that a pack's `words` give to a word in one group, or ""."""
        flat = plain(spaced(word))
        table = self.rules.words.get(group, {})
        return next((name for name, words in table.items() if flat in {plain(each) for each in words}), "")

    def subject(self, word: object) -> str:
        return self.meant("subjects", word) or str(word).strip()

    def predicate(self, row: Row) -> tuple[Predicate, bool, str]:
        """The predicate of a fact or observation, whether its sides are swapped, and the key its value gets."""
        word, value = spaced(_ANCHOR.sub("", str(row.get("predicate", "")))), row.get("object")
        if plain(word) in STATE_WORDS:
            for spec in self._states(row):
                if self.rules.allowed_value(spec, str(value)) in spec.allowed:
                    return spec, False, ""
        found = self.rules.resolve(word)
        if found is None and number(value) is not None and "stock" in self.rules.predicates:
            return self.rules.predicates["stock"], False, word
        if found is None:
            return self.rules.predicates["acts"], False, ""
        prefix = self._negated(value)
        if prefix and found.predicate.excludes:
            return self.rules.predicates[found.predicate.excludes[0]], False, ""
        return found.predicate, found.swapped, found.key

    def _states(self, row: Row) -> list[Predicate]:
        """Predicates that a bare `status` may mean, those that fit the subject's kind first."""
        kinds = self.kinds.get(self.subject(row.get("subject")), set())
        specs = [spec for spec in self.rules.predicates.values() if spec.allowed]
        specs.sort(key=lambda spec: spec.name != "item_state")
        return sorted(specs, key=lambda spec: not kinds & set(spec.subject))

    def _negated(self, value: object) -> str:
        prefixes = self.rules.words.get("negation", {}).get("prefix", ())
        return next((p for p in prefixes if isinstance(value, str) and value.casefold().startswith(p)), "")

    def _bare_way(self, subject: str) -> str:
        """`the road from A to B` → `A to B`."""
        prefixes = self.rules.words.get("route", {}).get("prefix", ())
        long = sorted((p for p in prefixes if subject.casefold().startswith(p)), key=len, reverse=True)
        rest = subject[len(long[0]) :] if long else subject
        return rest.strip() if long and (rest.startswith(" ") or not rest[:1].isascii()) else subject

    def sides(self, row: Row) -> tuple[str, Predicate, Any]:
        """Subject, predicate and value of a fact or observation, as the registry has them."""
        spec, swapped, key = self.predicate(row)
        subject, value = self.subject(row.get("subject")), row.get("object")
        if spec.excludes and isinstance(value, str):
            value = value[len(self._negated(value)) :].strip()
        route = _ROUTE.split(self._bare_way(subject), maxsplit=1) if spec.keyed and "place" in spec.subject else []
        if len(route) == 2 and all(route):
            subject = route[0]
            value = f"{route[1]}: {_measured(value, row, self.rules)}"
        elif swapped:
            subject, value = self.subject(value), subject
        elif key and value is not None:
            value = f"{key}: {value}"
        if spec.value == "entity" and isinstance(value, str):
            value = self.subject(value)
        return subject, spec, value


def _measured(value: object, row: Row, rules: Rules) -> str:
    """A bare number takes its unit from the predicate's words (`travel_days: 3` → `3 days`)."""
    if number(value) is None:
        return str(value)
    words = re.split(r"[_\s]+", str(row.get("predicate", "")).casefold())
    unit = next((word for word in words if word in rules.durations), "")
    return f"{value} {unit}".strip()


def stored(rules: Rules, spec: Predicate, value: Any) -> bool | int | float | str:
    if spec.value == "number":
        measured = amount(value)
        found = measured[0] if measured else None
        return str(value) if found is None else int(found) if float(found).is_integer() else found
    if isinstance(value, str) and (spec.allowed or spec.words):
        return rules.allowed_value(spec, value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _own(word: str, row: Row, every: tuple[str, ...], rules: Rules) -> Predicate:
    """A predicate that only the case has: a figure is a balance that whatever is no income and no spending may set."""
    found = amount(row.get("object"))
    if found is None or found[1]:
        return Predicate(name=word, licensed_by=every, severity="warning")
    stock = rules.predicates.get("stock")
    up, down = (stock.up_by, stock.down_by) if stock else ((), ())
    sets = tuple(event for event in every if event not in (*up, *down))
    return Predicate(name=word, value="number", least=0, up_by=up, down_by=down, licensed_by=sets, severity="warning")


def extended(rules: Rules, facts: list[Row], events: list[Row], shown: list[Row]) -> Rules:
    """The rules with what only this case speaks of (see the top of the module)."""
    strange = []
    for row in events:
        word = spaced(row.get("type"))
        if word and rules.event(word) is None and word not in strange:
            strange.append(word)
    stated = {
        spaced(_ANCHOR.sub("", str(row.get("predicate", "")))): row
        for row in facts
        if rules.resolve(spaced(_ANCHOR.sub("", str(row.get("predicate", ""))))) is None
    }
    if not strange and not stated:
        return rules
    predicates = {
        name: spec.model_copy(
            update={
                "licensed_by": (*spec.licensed_by, *strange) if spec.licensed_by or spec.balance or spec.fixed else (),
                "released_by": (*spec.released_by, *strange) if spec.released_by else (),
            }
        )
        for name, spec in rules.predicates.items()
    }
    every = (*rules.events, *strange)
    for word, row in stated.items():
        predicates[word] = _own(word, row, every, rules)
    new_events = {**rules.events, **{word: EventType(name=word) for word in strange}}
    return rules.but(predicates=predicates, events=new_events)
