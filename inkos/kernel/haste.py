"""Finds outline entries that leave no time for what the one before says takes long; reads words, not meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from inkos.kernel.papers import OutlineEntry
from inkos.kernel.rules import Rules
from inkos.kernel.values import minutes
from inkos.kernel.wording import stem

DAY = 24 * 60  # minutes: what takes less may happen between two scenes of one evening
_TAKES_EN = re.compile(r"([^.;]*?)\b(?:takes?|needs?|lasts?|requires?)\s+(?:at least |about )?([\w ]{3,40})")
_TAKES_ZH = re.compile(r"([^。；，]*?)(?:需要|需|须|要花|要|得花|耗时|花上?)(?:至少|整整|足足)?([^。；，]{2,12})")
_THING = re.compile(r"[a-z]{4,}")
_COMMON = frozenset(map(stem, re.findall(r"\w+", "that this they with from what when which then does have into must")))


def too_soon(entries: Sequence[OutlineEntry], rules: Rules) -> list[tuple[OutlineEntry, OutlineEntry]]:
    """Pairs of neighbours: the first says that something takes a day or more, the second is about the same thing and
    says in one of the rules' words (`words.at_once`) that no such time has passed."""
    return [
        (one, other)
        for one, other in pairwise(entries)
        if (long := _long(_said(one), rules)) and _at_once(_said(other), rules) and long & _things(_said(other))
    ]


def _said(entry: OutlineEntry) -> str:
    return ". ".join((entry.title, entry.required, *(beat.text for beat in entry.beats))).casefold()


def _long(text: str, rules: Rules) -> set[str]:
    """What is said to take a day or more."""
    found: set[str] = set()
    for takes in (_TAKES_EN, _TAKES_ZH):
        for before, span in takes.findall(text):
            spent = minutes(span, rules.durations)
            if spent is not None and spent >= DAY:
                found |= _things(before) | _things(span)
    return found


def _at_once(text: str, rules: Rules) -> bool:
    return any(word in text for words in rules.words.get("at_once", {}).values() for word in words)


def _things(text: str) -> set[str]:
    words = {stem(word) for word in _THING.findall(text)} - _COMMON
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        words |= {run[n : n + 2] for n in range(len(run) - 1)}
    return words
