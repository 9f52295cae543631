"""Whether words really stand in a text, and where; knows nothing of what they prove.

A quote is found where the text has the same words in one stretch. Differences of setting are bridged (fold.py), also
over paragraph breaks; a quote is never searched by parts, and half a word is not the word (`the cat` is not in
`the cathedral`, nor `forty` in `forty-two`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from inkos.text.characters import LETTER
from inkos.text.fold import Folded, fold
from inkos.text.segment import Span, sentences
from inkos.text.speech import speech

__all__ = ["Haystack", "find", "nearest", "speech"]

_WORD = re.compile(LETTER)
# What holds a word together: an apostrophe or hyphen between letters, a point or comma between digits.
_WORD_GOES_ON = re.compile(rf"{LETTER}|['’‐‑-]{LETTER}|(?<=\d)[.,]\d")
_WORD_CAME_BEFORE = re.compile(rf"{LETTER}['’‐‑-]?$|\d[.,]$")


@lru_cache(maxsize=8)
def _folded(text: str) -> Folded:
    """A chapter is searched by settlement, audit, revision and the rules in turn."""
    return fold(text)


class Haystack:
    """One text made ready for many look-ups."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = _folded(text)

    def find(self, quote: str) -> list[tuple[int, int]]:
        """All spans (start, end) in the original text, overlapping ones too, in order; of an empty quote none."""
        needle = fold(quote).text
        if not needle:
            return []
        spans: list[tuple[int, int]] = []
        at = self._folded.text.find(needle)
        while at >= 0:
            span = self._folded.span(at, at + len(needle))
            if self._whole_words(*span):
                spans.append(span)
            at = self._folded.text.find(needle, at + 1)
        return spans

    def _whole_words(self, start: int, end: int) -> bool:
        text = self.text
        if _WORD.match(text, end - 1) and _WORD_GOES_ON.match(text, end):
            return False
        return not (_WORD.match(text, start) and _WORD_CAME_BEFORE.search(text, max(0, start - 2), start))


def find(quote: str, text: str) -> list[tuple[int, int]]:
    """All spans of `quote` in `text` as offsets of the original; an empty quote has none."""
    return Haystack(text).find(quote)


def nearest(quote: str, text: str, limit: int = 3) -> list[str]:
    """The sentences of `text` most like `quote`, best first, for people to choose from; never a match by itself."""
    from rapidfuzz import fuzz, process

    wanted = fold(quote).text
    spans = _candidates(text)
    if not wanted or not spans:
        return []
    best = process.extract(
        wanted, [fold(span.text).text for span in spans], scorer=fuzz.ratio, limit=limit, score_cutoff=_ALIKE
    )
    return [spans[index].text for _, _, index in best]


# Below this likeness (0–100) a sentence shares little more than common characters with the quote.
_ALIKE = 40


def _candidates(text: str) -> list[Span]:
    from inkos.text.lang import language_of

    return sentences(text, "zh" if language_of(text) == "zh" else "en")
