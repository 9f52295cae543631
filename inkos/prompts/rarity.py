"""Whether two texts of one book speak of the same thing: by entities and rare words; does not know what for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import NamedTuple

from inkos.kernel.book import Book
from inkos.kernel.story import Entity, StoryState
from inkos.kernel.views import is_open
from inkos.prompts.relevance import entry_text, features, mentioned, mentioned_in, viewpoint, words

# A word is rare that stands in at most this share of the book's papers' lines, and in any case in so few lines.
SHARE, FEW = 0.05, 4
AROUND = 10  # outline entries on either side of this one that are among those papers
TOGETHER = 2  # pieces of evidence that make two texts speak of one thing
# Characters that stand in any Chinese sentence: a pair with one of them says nothing.
EMPTY = frozenset("的了是在不一有和就也都把被他她它这那着过到里上下个来去说又还没只要从给对与人自己么谁什能会可以")


class Evidence(NamedTuple):
    """`points`: one where both name an entity, one a rare word or pair of characters that both have, two for a rare
    pair of words. `weight`: how much they name and how rare all that is."""

    points: int
    weight: float

    @property
    def enough(self) -> bool:
        return self.points >= TOGETHER


class Rarity:
    """How often the book's papers (bible, outline around the entry, open promises) use each word, and what its
    viewpoint is called, which is evidence of nothing."""

    def __init__(self, lines: Iterable[str], state: StoryState, pov: Entity | None) -> None:
        self._lines = [_marks(line) for line in lines]
        self._counts = Counter(mark for line in self._lines for mark in line)
        self._limit = max(FEW, int(SHARE * len(self._lines)))
        self._pov = _marks(" ".join((pov.name, *pov.aliases))) if pov else frozenset()
        self._state, self._viewpoint = state, pov

    def reader(self, wanted: str) -> Reader:
        return Reader(self, wanted)

    def is_rare(self, mark: str) -> bool:
        return mark not in self._pov and self._counts[mark] <= self._limit

    def weight(self, mark: str) -> float:
        return log((len(self._lines) + 2) / (self._counts[mark] + 1))

    def things(self, text: str) -> list[Entity]:
        """Whom the text names beside the viewpoint."""
        return [known for known in mentioned_in(self._state, text) if known is not self._viewpoint]


class Reader:
    """One wanted text, prepared to be compared with many."""

    def __init__(self, rarity: Rarity, wanted: str) -> None:
        self.text = wanted
        self._rarity = rarity
        self._marks = _marks(wanted)
        self._things = rarity.things(wanted)

    def evidence(self, text: str) -> Evidence:
        both = mentioned(self._things, text)
        names = sorted((name for known in both for name in (known.name, *known.aliases)), key=len, reverse=True)
        for name in names:
            text = text.replace(name, "\n")
        rare = [m for m in (self._marks & _marks(text)) - _marks(" ".join(names)) if self._rarity.is_rare(m)]
        # Two words side by side count beside what each of them counts: “nine days” is more than nine and days.
        points = bool(both) + sum(2 if " " in mark else 1 for mark in rare)
        return Evidence(points, len(both) + sum(self._rarity.weight(mark) for mark in rare))


@lru_cache(maxsize=16_384)  # the same papers are compared chapter by chapter
def _marks(text: str) -> frozenset[str]:
    """What texts are compared by: their features, and words side by side."""
    plain = {mark for mark in features(text) if not EMPTY & set(mark)}
    return frozenset(plain | {f"{a} {b}" for a, b in pairwise(words(text)) if a and b})


def rarity_of(book: Book, lines: Sequence[str], key: str) -> Rarity:
    """`lines`: those of the public bible; `key`: of this chapter's outline entry, empty: the outline's end."""
    state, entries = book.state, book.outline.entries
    keys = [one.key for one in entries]
    at = keys.index(key) if key in keys else len(keys)
    around = [line for one in entries[max(0, at - AROUND) : at + AROUND + 1] for line in entry_text(one).splitlines()]
    hooks = [f"{hook.core} {hook.trigger}" for hook in state.hooks.values() if is_open(hook)]
    return Rarity([*lines, *around, *hooks], state, viewpoint(state, book.config.style.pov))
