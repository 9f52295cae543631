"""One comparable form for texts that differ only in how they are set; keeps the way back to the original offsets.

Folded away: white space (kept as one blank between two words of a script that sets blanks), full and half width,
kinds of quotation marks, dashes and ellipses, traditional and simplified characters, decomposed accents, characters
that never show. Words, their order, their case and the other marks stay: two different wordings never become alike.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from inkos.text.characters import LETTER, UNSEEN
from inkos.text.variants import SIMPLIFIED, TRADITIONAL

_QUOTES = "\"'`´“”„‟‘’‚‛「」『』﹁﹂﹃﹄〝〞〟«»‹›＂＇′″"
_DASHES = "-‐‑‒–—―─━−⸺⸻－﹣"


def _table() -> dict[int, str]:
    other_width = (*range(0xFF01, 0xFFEF), *range(0xF900, 0xFB00))
    forms = {code: unicodedata.normalize("NFKC", chr(code)) for code in other_width}
    table = {code: form for code, form in forms.items() if len(form) == 1}
    table.update(zip(map(ord, TRADITIONAL), SIMPLIFIED, strict=True))
    table.update(dict.fromkeys(map(ord, _QUOTES), '"'))
    table.update(dict.fromkeys(map(ord, _DASHES), "-"))
    table.update(dict.fromkeys(map(ord, "⋯‥"), "…"))
    table.update({ord("。"): ".", ord("｡"): ".", ord("〜"): "~", ord("‧"): "·", ord("・"): "·", ord("•"): "·"})
    return table


_FOLDED = _table()
_BETWEEN = f"(?<={LETTER}) (?={LETTER})"
# What becomes shorter: blanks other than a single one between two words, runs of dashes, of dots, what never shows.
_SHRINKS = rf"(?!{_BETWEEN})[\s{UNSEEN}]+|-(?:\s*-)+|[.…](?:\s*[.…])+"
_SHRINK = re.compile(_SHRINKS)
_MARKS = "\u0300-\u036f\u3099\u309a"
_MARK = re.compile(f"[{_MARKS}]")
_SHRINK_OR_COMPOSE = re.compile(rf"{_SHRINKS}|[^\s][{_MARKS}]+")
_IS_LETTER = re.compile(LETTER)


class Folded(NamedTuple):
    """`text` folded; `starts[i]` is where its i-th character begins in the original, `ends` where it ends there if
    that is not one character on."""

    text: str
    starts: list[int]
    ends: dict[int, int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the folded characters from `start` up to `end` stand in the original."""
        last = end - 1
        return self.starts[start], self.ends.get(last, self.starts[last] + 1)


def fold(text: str) -> Folded:
    """Fold `text`, with offsets."""
    plain = text.translate(_FOLDED)  # one character each, so offsets still hold
    pattern = _SHRINK_OR_COMPOSE if _MARK.search(plain) else _SHRINK
    pieces: list[str] = []
    starts: list[int] = []
    ends: dict[int, int] = {}
    done = 0
    for match in pattern.finditer(plain):
        start, end = match.span()
        pieces.append(plain[done:start])
        starts.extend(range(done, start))
        kept = _shrunk(match.group(), plain, start, end)
        for _ in kept:
            ends[len(starts)] = end
            starts.append(start)
        pieces.append(kept)
        done = end
    pieces.append(plain[done:])
    starts.extend(range(done, len(plain)))
    return Folded("".join(pieces), starts, ends)


def _shrunk(run: str, plain: str, start: int, end: int) -> str:
    first = run[0]
    if first == "-":
        return "-"
    if first in ".…":
        return "…"
    if len(run) > 1 and _MARK.match(run[1]):
        return unicodedata.normalize("NFC", run).translate(_FOLDED)
    if not any(character.isspace() for character in run):
        return ""
    inner = start > 0 and end < len(plain) and _IS_LETTER.match(plain, start - 1) and _IS_LETTER.match(plain, end)
    return " " if inner else ""
