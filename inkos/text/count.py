"""How long a text is, in the one unit that every part of the program uses; knows nothing of targets.

The rule, as authors are told it:
- zh: a Han character (or kana) is 1; a run of Latin letters and digits is 1; punctuation and blanks are 0.
- en: words; an apostrophe or hyphen inside a word does not split it; a Han character is 1.
- with `punctuation` every mark outside a word is 1 as well, as some platforms count.
A figure such as `1,220` or `3.5` and initials such as `U.S.` are one word.
"""

from __future__ import annotations

import re
import unicodedata

from inkos.messages import Language
from inkos.text.characters import HAN, KANA, LETTER

_CHARACTER = f"[{HAN}{KANA}]"
_FIGURE = r"\d+(?:[.,]\d+)+"
_INITIALS = r"(?:[A-Za-z]\.){2,}"
_RUN = rf"{LETTER}+(?:['’‐‑-]{LETTER}+)*"
# Combining marks belong to the letter before them.
_RUN = _RUN.replace(f"{LETTER}+", f"(?:{LETTER}[\u0300-\u036f]*)+")
_UNIT = re.compile(f"{_CHARACTER}|{_FIGURE}|{_INITIALS}|{_RUN}")
_MARK = re.compile(r"[^\w\s]|_")


def units(text: str) -> list[str]:
    """The counted units in order: words, runs, single Han characters."""
    return _UNIT.findall(text)


def count(text: str, language: Language, *, punctuation: bool = False) -> int:
    """Length of `text` in the unit of `language`: characters for zh, words for en.

    Both languages share one table of units, since a Han character is no part of an English word and a Latin run
    is one unit in Chinese; `language` stays in the call because a unit is named by it.
    """
    total = len(_UNIT.findall(text))
    if punctuation:
        rest = _UNIT.sub(" ", text)
        total += sum(1 for mark in _MARK.findall(rest) if unicodedata.category(mark)[0] in "PS")
    return total
