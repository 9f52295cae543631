"""One planned beat as phrases that sentence patterns can take; knows the plot's own wording and bears any other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from inkos.adapters.offline.people import Cast, Person
from inkos.kernel.papers import Beat, Outcome
from inkos.messages import Language

_STOPS = " \t.。;；,，!！?？"
_WANTS = re.compile(r"(?:wants|needs|has|means|tries|hopes|asks|sets out) (?:to )?(?P<verb>.+)", re.S)


class Wish(NamedTuple):
    """Who wants, the verb phrase (without `to`), what stands against it, the price."""

    who: str
    want: str
    against: str
    cost: str


class Parsed(NamedTuple):
    wish: Wish
    outcome: Outcome


def wanted(text: str, names: list[str], language: Language) -> tuple[str, str]:
    """The one who wants and the verb phrase, out of a beat's `wants`; the name is empty where none stands first."""
    text = text.strip(_STOPS)
    who = next((name for name in sorted(names, key=len, reverse=True) if name and text.startswith(name)), "")
    rest = text[len(who) :].lstrip(" :：,，")
    if language == "zh":
        return who, re.sub(r"^(?:想要|要想|想|要|得)", "", rest) or rest
    if found := _WANTS.fullmatch(rest):
        return who, found["verb"]
    rest = re.sub(r"^to ", "", rest)
    if who:
        return who, f"have it so that {who} {rest}"
    return who, rest[:1].lower() + rest[1:] if rest.split(" ")[0].islower() else f"have this settled: {rest}"


def wish_of(beat: Beat, cast: Cast, language: Language) -> Wish:
    """A planned beat's phrases with names as prose has them."""
    who, want = wanted(beat.wants, [p.name for p in cast.all], language)
    parts = (cast.short(part.strip(_STOPS)) for part in (want, beat.against, beat.cost))
    want, against, cost = parts
    return Wish(who or cast.pov.name, want, against, cost)


def parse_line(text: str, names: list[str], form: Mapping[str, Any], language: Language) -> Parsed | None:
    """An outline beat of the plot's own form, taken apart again; null for any other sentence."""
    parts = re.split(r"；" if language == "zh" else r"; ", text.strip().rstrip("。."))
    if len(parts) != 3:
        return None
    who, want = wanted(parts[0], names, language)
    if not who:
        return None
    for outcome in ("no_and", "yes_but", "no", "yes"):
        head, _, tail = str(form[outcome]).partition("{C}")
        if (parts[2].startswith(head) and head != parts[2]) or (not tail and parts[2] == head):
            return Parsed(Wish(who, want, parts[1], parts[2][len(head) :].strip()), outcome)
    return None


def partner(beat: Beat, cast: Cast, before: Person | None) -> Person:
    """Whom the viewpoint has to do with in this beat: named against, else in the wish, else the one before."""
    for text in (beat.against, beat.wants, beat.cost):
        if found := cast.in_text(text):
            return found
    return before or cast.others[0]
