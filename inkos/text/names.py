"""Which of many names stand in a text, in time of the text and not of the names; does not know who bears them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

_HEAD = 2  # characters that a name is looked up by; a name of one character is no evidence of anybody
_HAN = re.compile(r"[\u3400-\u9fff]")


class Names:
    """Names, prepared to be found. Latin ones are found as words of their own (`Li` is not in `List`), Han ones
    wherever they stand."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(name for name in names if len(name) >= _HEAD)
        lengths: dict[str, set[int]] = {}
        for name in self._names:
            lengths.setdefault(name[:_HEAD], set()).add(len(name))
        self._lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}

    def places(self, text: str) -> Iterator[tuple[int, str]]:
        """Where each name begins, in order, the longest first; names inside names are found as well."""
        for at in range(len(text) - _HEAD + 1):
            for length in self._lengths.get(text[at : at + _HEAD], ()):
                name = text[at : at + length]
                if name in self._names and stands_alone(text, at, at + length):
                    yield at, name

    def inside(self, text: str) -> set[str]:
        return {name for _, name in self.places(text)}


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether no letter of an alphabet goes on before `start` or behind `end` where the span has one at that edge."""
    before = start > 0 and _is_letter(text[start]) and _is_letter(text[start - 1])
    behind = end < len(text) and _is_letter(text[end - 1]) and _is_letter(text[end])
    return not (before or behind)


def _is_letter(character: str) -> bool:
    return character.isalnum() and not _HAN.match(character)


@lru_cache(maxsize=4)
def names_of(names: tuple[str, ...]) -> Names:
    """Prepared once for a book's names as they are in one chapter."""
    return Names(names)
