"""Says the rules in words, from the phrases that the packs carry; does not judge."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from inkos.kernel.predicates import EventType, Predicate
from inkos.messages import Language

if TYPE_CHECKING:
    from inkos.kernel.rules import Rules


def _say(rules: Rules, language: Language, phrase: str, **values: str) -> str:
    return rules.phrases[phrase][language].format_map(values)


def _any_of(rules: Rules, language: Language, words: tuple[str, ...]) -> str:
    return _say(rules, language, "or").join(words)


def _value(rules: Rules, predicate: Predicate) -> str:
    if predicate.allowed:
        return "|".join(predicate.allowed)
    if predicate.value == "entity":
        return "|".join(predicate.kinds) or "entity"
    unit = f" ({predicate.unit})" if predicate.unit else ""
    scale = (
        f" [{' < '.join(level.split('/')[0] for level in rules.scales[predicate.scale])}]" if predicate.scale else ""
    )
    return f"{predicate.value}{unit}{scale}"


def registry_lines(rules: Rules, language: Language, kinds: set[str] | None, own: Collection[str] = ()) -> list[str]:
    lines = []
    for predicate in rules.predicates.values():
        fits = kinds is None or not predicate.subject or bool(kinds & set(predicate.subject))
        if predicate.name not in ("note", *own) and not (predicate.asked and fits):
            continue
        parts = [predicate.name, "|".join(predicate.subject) or "any", _value(rules, predicate)]
        if predicate.observed:
            parts.append(_say(rules, language, "line_observed"))
        else:
            parts.append(_say(rules, language, "line_many" if predicate.many else "line_one"))
        events = (*predicate.licensed_by, *predicate.up_by, *predicate.down_by)
        needed = (event for event in events if rules.events[event].asked)
        if names := tuple(dict.fromkeys(needed)):
            parts.append(_say(rules, language, "line_needs", events="|".join(names)))
        if meaning := predicate.means.get(language):
            parts.append(meaning)
        lines.append(" · ".join(parts))
    shown = [event for event in rules.events.values() if event.asked]
    lines.append(_say(rules, language, "line_events", events=", ".join(_event(event, language) for event in shown)))
    return lines


def _event(event: EventType, language: Language) -> str:
    subject, value = event.subject.get(language, ""), event.object.get(language, "")
    inside = " → ".join(part for part in (subject, value) if part)
    return f"{event.name} ({inside})" if inside else event.name


def rule_lines(rules: Rules, language: Language) -> list[str]:
    """One line a predicate: its label and its name (as book.yaml has it), then each of its rules as a clause."""
    lines = []
    for predicate in rules.predicates.values():
        clauses = [_say(rules, language, phrase, **values) for phrase, values in _clauses(rules, language, predicate)]
        meaning = predicate.means.get(language)
        label = rules.label(predicate.name, language)
        name = predicate.name if label == predicate.name else f"{label} {predicate.name}"
        head = f"{name} ({meaning})" if meaning else name
        lines.append(f"{head}: " + _say(rules, language, "and").join(clauses))
    return lines


def _clauses(rules: Rules, language: Language, predicate: Predicate) -> list[tuple[str, dict[str, str]]]:
    def events(names: tuple[str, ...]) -> dict[str, str]:
        return {"events": labels(names)}

    def labels(names: tuple[str, ...]) -> str:
        return _any_of(rules, language, tuple(rules.event_label(name, language) for name in names)) or "—"

    def values(words: tuple[str, ...]) -> str:
        return ", ".join(rules.value_label(predicate.name, word, language) or word for word in words)

    others = ", ".join(rules.label(each, language) for each in predicate.excludes)
    simple: list[tuple[bool, str, Callable[[], dict[str, str]]]] = [
        (predicate.observed, "observed", dict),
        (predicate.many and not predicate.observed, "many", dict),
        (not predicate.many and not predicate.keyed and not predicate.observed, "one", dict),
        (predicate.keyed, "keyed", dict),
        (bool(predicate.allowed), "allowed", lambda: {"values": values(predicate.allowed)}),
        (predicate.exclusive, "exclusive", dict),
        (predicate.mirrored, "mirrored", dict),
        (predicate.fixed and not predicate.licensed_by, "fixed", dict),
        (bool(predicate.licensed_by), "licensed", lambda: events(predicate.licensed_by)),
        (
            bool(predicate.absorbing),
            "absorbing" if predicate.released_by else "final",
            lambda: {"values": values(predicate.absorbing), **events(predicate.released_by)},
        ),
        (predicate.order == "up_only", "up_only", dict),
        (predicate.order == "down_only", "down_only", dict),
        (bool(predicate.scale), "scale", lambda: {"scale": rules.levels(predicate.scale, language)}),
        (predicate.balance, "balance", lambda: {"up": labels(predicate.up_by), "down": labels(predicate.down_by)}),
        (predicate.least is not None, "least", lambda: {"least": f"{predicate.least:g}"}),
        (predicate.most is not None, "most", lambda: {"most": f"{predicate.most:g}"}),
        (bool(predicate.excludes), "excludes", lambda: {"others": others}),
        (predicate.ages, "ages", dict),
        (predicate.cycle > 0, "cycle", lambda: {"days": f"{predicate.cycle:g}"}),
        (bool(predicate.forbids), "forbids", dict),
        (predicate.hinders, "hinders", dict),
        (predicate.names, "names", dict),
        (predicate.minutes, "minutes", dict),
        (predicate.symmetric, "symmetric", dict),
        (predicate.asymmetric or predicate.acyclic, "asymmetric", dict),
    ]
    return [(phrase, said()) for holds, phrase, said in simple if holds] + _needs(rules, language, predicate)


def _needs(rules: Rules, language: Language, predicate: Predicate) -> list[tuple[str, dict[str, str]]]:
    return [
        ("requires", {"predicate": rules.label(need.predicate, language), "of": _say(rules, language, need.of)})
        for need in predicate.requires
    ]
