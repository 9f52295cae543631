"""Sentence patterns with choices and slots, and drawing them so that they wear out late; knows no words.

A pattern: text, `[a|b|c]` choices (nested), `{slot}`, `{slot^}` capitalised, `<list>` an item of a list (`a / b`: a,
and `<list:2>` its b), `¶` a new paragraph. Patterns of a pool are taken in one shuffled order for the whole book; each
chapter begins where the one before it would have ended. When the order is through, the next round takes the next
option of every choice, so a pattern used again shares little but names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

SLOT = re.compile(r"\{(\w+)(\^?)\}")
LIST = re.compile(r"<(\w+)(:2)?>")


def options(pattern: str) -> list[str | list[str]]:
    """A pattern as plain stretches and lists of options (an option may hold choices again)."""
    parts: list[str | list[str]] = []
    at = start = 0
    while at < len(pattern):
        if pattern[at] != "[":
            at += 1
            continue
        parts.append(pattern[start:at])
        depth, begin, found = 1, at + 1, []
        at += 1
        while depth:
            mark = pattern[at]
            if mark == "|" and depth == 1:
                found.append(pattern[begin:at])
                begin = at + 1
            depth += (mark == "[") - (mark == "]")
            at += 1
        found.append(pattern[begin : at - 1])
        parts.append(found)
        start = at
    parts.append(pattern[start:])
    return parts


def expand(pattern: str, turn: int) -> str:
    """The pattern with its choices made. Options that stand in the same column of several choices go together: turn 0
    takes the first column, turn 1 the second … When the columns are through, each further round mixes them."""
    widest = max((len(part) for part in options(pattern) if not isinstance(part, str)), default=1)
    column, mixed = turn % widest, turn // widest
    made, number = [], 0
    for part in options(pattern):
        if isinstance(part, str):
            made.append(part)
            continue
        made.append(expand(part[(column + number * mixed) % len(part)], turn))
        number += 1
    return "".join(made)


def fill(text: str, slots: Mapping[str, str]) -> str:
    """Slots filled in. Inside quotation marks A and W take the spoken forms B and V (I, you)."""

    def one(found: re.Match[str]) -> str:
        name = found.group(1)
        before = text[: found.start()]
        if name in ("A", "W") and before.count("“") > before.count("”"):
            name = {"A": "B", "W": "V"}[name]
        value = slots[name]
        return value[:1].upper() + value[1:] if found.group(2) else value

    return SLOT.sub(one, text)


class Bank:
    """One book's patterns in one chapter. `key` seeds the order (the same for every chapter of a book); `quotas` say
    how many patterns of a pool a chapter may take: the next chapter begins behind them."""

    def __init__(self, pools: Mapping[str, Sequence[str]], key: str, position: int, quotas: Mapping[str, int]) -> None:
        self._pools, self._key, self._position, self._quotas = pools, key, position, quotas
        self._used: dict[str, int] = {}
        self._orders: dict[str, list[int]] = {}
        self._answers: dict[str, str] = {}

    def left(self, pool: str) -> bool:
        """May this chapter still take from the pool?"""
        return self._used.get(pool, 0) < self._quotas.get(pool, 1)

    def draw(self, pool: str) -> str:
        """The next pattern of a pool with its choices made and its lists (`<name>`) drawn, slots still open."""
        patterns = self._pools[pool]
        if pool not in self._orders:
            order = list(range(len(patterns)))
            random.Random(f"{self._key}|{pool}").shuffle(order)
            self._orders[pool] = order
        made = self._next(pool)
        for _ in patterns:
            if self._lists_left(made):
                break
            made = self._next(pool)
        return LIST.sub(self._item, made)

    def _item(self, found: re.Match[str]) -> str:
        """An item of a list; of a pair `a / b` first a, and where `:2` stands b of the same pair."""
        name, second = found.group(1), found.group(2)
        if not second:
            first, _, self._answers[name] = self.draw(name).partition(" / ")
            return first
        return self._answers[name]

    def _next(self, pool: str) -> str:
        patterns = self._pools[pool]
        used = self._used.get(pool, 0)
        self._used[pool] = used + 1
        turn = self._position * self._quotas.get(pool, 1) + used
        return expand(patterns[self._orders[pool][turn % len(patterns)]], turn // len(patterns))

    def _lists_left(self, text: str) -> bool:
        """Has no list of the pattern been used up by this chapter that must not come back soon?"""
        return all(self.left(name) for name, _ in LIST.findall(text) if name == "outside")
