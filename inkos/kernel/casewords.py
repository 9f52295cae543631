"""What the words of a labelled case stand for: subjects, predicates, values; knows the registry, and no case by name.

Conventions hold for cases only, because a case is all the registry its own words have: a predicate that is not
registered is taken as one-valued and changed by any event about its subject (a bare number as a counted stock, an act
without a fact as `acts`, with a known thing as `uses`), and an event type that is not registered under just its word
licenses changes of its subject.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from inkos.kernel.dictionary import Resolved
from inkos.kernel.predicates import EventType, Predicate
from inkos.kernel.rules import Rules
from inkos.kernel.story import EntityKind
from inkos.kernel.values import FALSE_WORDS, TRUE_WORDS, amount, minutes, number, plain
from inkos.kernel.world import ban

Row = Mapping[str, Any]
STATE_WORDS = frozenset({"status", "state", "condition", "状态"})
_ROUTE = re.compile(r"\s*(?:->|→|—|–|-|/|\bto\b|到|至)\s*")
_ANCHOR = re.compile(r"@.*$")
_NUMBERED = re.compile(r"[\d一二三四五六七八九十百千第]+")
_OTHER = " (other)"  # after the name of a predicate whose value is none of the allowed ones
_THAN = re.compile(r"(?:\w+er|more \w+|less \w+) than$|[高大小早晚强弱重长矮胖瘦老轻快慢]于$")
_CAN = re.compile(r"^(?:can|could|able to|is able to|knows how to|has|is|does|speaks|will|会|能|能够|懂|有|可)\s*")
_CANNOT = re.compile(
    r"^(?:is |was |are |has )?(?:(?:does not|doesn't|do not|did not|cannot|can not|can't|could not|never|has no|"
    r"has not|have no|no|not to|not|without|unable to|lacks|sworn off|swore off|gave up|given up|renounced|"
    r"abstains from|forswore|refuses to|banned from|barred from|prohibited from|forbidden to|forbidden)\b|"
    r"不会|不能|无法|没有|从不|不懂|不识|不可|从未|没|戒除|戒|发誓不|立誓不|禁止|不得)\s*(?=\S|$)"
)


def spaced(value: object) -> str:
    """An identifier or phrase as plain words."""
    return str(value).replace("_", " ").strip()


_STATE_LIKE = re.compile(r"(?:\b(?:status|state|condition)|状态|状况|情况)$")


def _yes(row: Row) -> bool | None:
    """Whether a row's value says yes or no; null where it says something else."""
    value = row.get("object")
    word = str(value).strip().casefold()
    return True if value is True or word in TRUE_WORDS else False if value is False or word in FALSE_WORDS else None


def _no_person(name: object) -> bool:
    """Whether a name is a common noun: English names of people begin large."""
    word = str(name).removeprefix("the ")
    return word.isascii() and word[:1].islower()


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
        name = str(word).strip()
        return self.meant("subjects", word) or self.meant("subjects", _NUMBERED.sub("", name).strip()) or name

    def predicate(self, row: Row) -> tuple[Predicate, bool, str]:
        """The predicate of a fact or observation, whether its sides are swapped, and the key its value gets."""
        word, value = spaced(_ANCHOR.sub("", str(row.get("predicate", "")))), row.get("object")
        found = self.rules.resolve(word)
        named = found is not None and not found.predicate.allowed and _yes(row) is None
        if not named and (spec := self.state(word, row)):
            return spec, False, ""
        if other := self.rules.predicates.get(f"{word}{_OTHER}"):
            return other, False, ""
        if found and number(value) is not None and found.predicate.value != "number" and not found.key:
            found = self._also(word, lambda spec: spec.numeric) or found
        elif found and found.predicate.subject == ("person",) and _no_person(row.get("subject")):
            found = self._also(word, lambda spec: "item" in spec.subject) or found
        if found is None and "mode" not in row:
            found = self.told(word, row)
        if found is None and number(value) is not None and "stock" in self.rules.predicates:
            return self.rules.predicates["stock"], False, word
        if self.denial(row) is not None:
            return self.rules.predicates["rule" if self._lays_down(row) else "lacks"], False, ""
        if (found is None or found.predicate.observed) and self._spent(row):
            return self.rules.predicates["spends"], False, ""
        if found is None:
            return self.rules.predicates["uses" if self._is_thing(value) else "acts"], False, ""
        prefix = self._negated(value)
        if prefix and found.predicate.excludes:
            return self.rules.predicates[found.predicate.excludes[0]], False, ""
        return found.predicate, found.swapped, found.key

    def state(self, word: str, row: Row) -> Predicate | None:
        """The predicate that a bare `status` with this value means, or a word that is itself such a value."""
        speaks = plain(word) in STATE_WORDS or _STATE_LIKE.search(word) or _yes(row) is not None
        known = self.rules.resolve(word)
        if known and not speaks and not known.predicate.allowed:
            return None
        value = self.state_value(row)
        if not speaks and known is None and plain(value) != plain(str(row.get("object"))):
            return None  # under a strange word only a state's own name is one
        return next((spec for spec in self._states(row) if value in spec.allowed), None)

    def state_value(self, row: Row) -> str:
        """The value of a row that may speak of a state: `dead: true` is `dead`, `alive: false` is not `alive`."""
        word, value = spaced(row.get("predicate", "")), row.get("object")
        yes = _yes(row)
        for spec in self._states(row):
            if yes is None:
                said = self.rules.allowed_value(spec, str(value))
            else:
                said = self.rules.allowed_value(spec, _CAN.sub("", word))
                if not yes and said in spec.allowed:
                    said = spec.allowed[0] if said in spec.absorbing else (*spec.absorbing, said)[0]
            if said in spec.allowed:
                return said
        return str(value)

    def _also(self, word: str, fits: Callable[[Predicate], bool]) -> Resolved | None:
        """Another predicate that bears the word too."""
        flat = plain(word)
        for spec in self.rules.predicates.values():
            if fits(spec) and flat in {plain(each) for names in spec.aliases.values() for each in names}:
                return Resolved(spec)
        return None

    def told(self, word: str, row: Row) -> Resolved | None:
        """What a fact under a strange word says all the same."""
        return self._route(word, row) or self._brought(word, row)

    def _route(self, word: str, row: Row) -> Resolved | None:
        """What is said of a way from one place to another, in a measure of time, is how long it takes."""
        way = _ROUTE.split(self._bare_way(self.subject(row.get("subject"))), maxsplit=1)
        timed = minutes(_measured(row.get("object"), row, self.rules), self.rules.durations) is not None
        spec = next((each for each in self.rules.predicates.values() if each.minutes), None)
        return Resolved(spec) if spec and timed and len(way) == 2 and all(way) else None

    def _brought(self, word: str, row: Row) -> Resolved | None:
        """A fact told as the event that brought it about: `stolen: Ivo` is who holds it now."""
        event = self.rules.event(word)
        settings = [each for each in event.sets if each.to == "object" and not each.ends] if event else []
        if len(settings) != 1 or not isinstance(row.get("object"), str):
            return None
        return Resolved(self.rules.predicates[settings[0].predicate])

    def denial(self, row: Row) -> str | None:
        """What a row says is not, cannot or must not be: `cannot: swim`, `can_swim: false`, `telephones: none`; null
        where it says no such thing, or a registered predicate says it."""
        word, value = spaced(_ANCHOR.sub("", str(row.get("predicate", "")))), row.get("object")
        if self._lays_down(row) and self.rules.resolve(word) is None and ban(self.rules, str(value)):
            return str(value)
        without = _CANNOT.sub("", word)
        if self.rules.dictionary.names(word) or (without == word and self.rules.resolve(word) is not None):
            return None
        yes = _yes(row)
        if without != word:
            if yes is False:
                return None
            return without if yes or value is None else f"{without} {value}".strip()
        if yes is False:
            return _CAN.sub("", word)
        bare = _CANNOT.sub("", str(value)) if isinstance(value, str) else value
        return str(bare) if bare != value else None

    def _lays_down(self, row: Row) -> bool:
        return self.subject(row.get("subject")) in self.rules.words.get("subjects", {})

    def _is_thing(self, value: object) -> bool:
        """Whether a name is that of a thing for certain, as the facts speak of it."""
        return isinstance(value, str) and self.kinds.get(self.subject(value)) == {"item"}

    def _spent(self, row: Row) -> bool:
        """Whether an act is about an amount of what can be counted, and does not say that it comes in."""
        event, stock = self.rules.event(spaced(row.get("predicate"))), self.rules.predicates.get("stock")
        if event and stock and event.name in stock.up_by:
            return False
        measured = amount(row.get("object"))
        found = self.rules.resolve(measured[1]) if measured and measured[1] else None
        return found is not None and (found.predicate.balance or bool(found.key))

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
        if spec.allowed and spec.value == "text":
            value = self.state_value(row)
        if spec.name in ("lacks", "rule") and (denied := self.denial(row)) is not None:
            if spec.name == "rule" and not ban(self.rules, denied):
                denied = f"no {denied}" if denied.isascii() else f"不得{denied}"
            value = denied
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
    if _THAN.search(word):
        return Predicate(name=word, value="entity", many=True, asymmetric=True, acyclic=True, severity="warning")
    found = amount(row.get("object"))
    if found is None or found[1]:
        return Predicate(name=word, licensed_by=every, hinders=True, forbids="sentence", severity="warning")
    stock = rules.predicates.get("stock")
    up, down = (stock.up_by, stock.down_by) if stock else ((), ())
    sets = tuple(event for event in every if event not in (*up, *down))
    return Predicate(name=word, value="number", least=0, up_by=up, down_by=down, licensed_by=sets, severity="warning")


def _own_name(row: Row, rules: Rules) -> str:
    """The name of the predicate that only the case has; "" where the registry has one."""
    word, spoken = spaced(_ANCHOR.sub("", str(row.get("predicate", "")))), Vocabulary(rules)
    found = rules.resolve(word)
    if spoken.state(word, row) is not None or spoken.denial(row) is not None:
        return ""
    if found is None:
        return "" if spoken.told(word, row) else word
    return f"{word}{_OTHER}" if found.predicate.allowed else ""


def extended(rules: Rules, facts: list[Row], events: list[Row], shown: list[Row]) -> Rules:
    """The rules with what only this case speaks of (see the top of the module)."""
    strange = []
    for row in events:
        word = spaced(row.get("type"))
        if not word or rules.dictionary.spells(word):
            continue
        near = rules.event(word)  # under another form: what it does is known, what it may account for is not
        if (name := near.name if near else word) not in strange:
            strange.append(name)
    stated = {name: row for row in facts if (name := _own_name(row, rules))}
    if not strange and not stated:
        return rules
    predicates = {
        name: spec.model_copy(
            update={
                "licensed_by": (*spec.licensed_by, *strange) if spec.licensed_by or spec.balance or spec.fixed else (),
                "released_by": (*spec.released_by, *strange) if spec.released_by else (),
                **({"up_by": (*spec.up_by, *strange), "down_by": (*spec.down_by, *strange)} if spec.scale else {}),
            }
        )
        for name, spec in rules.predicates.items()
    }
    every = tuple(dict.fromkeys((*rules.events, *strange)))
    for word, row in stated.items():
        predicates[word] = _own(word, row, every, rules)
    new_events = {**{word: EventType(name=word) for word in strange}, **rules.events}
    return rules.but(predicates=predicates, events=new_events)
