"""Figures and names that one text has and another has not; does not know which of them matter."""

from __future__ import annotations

import re
import unicodedata

from inkos.messages import Language
from inkos.prompts.readers.words import HAN_RUN, number_of

_ARABIC = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_HAN = re.compile(HAN_RUN)
_WORDS = re.compile(
    r"\b(?:(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million)(?:[\s-]+(?:and\s+)?|\b))+",
    re.IGNORECASE,
)
# Numerals that are parts of common words and count nothing, or are guesses (三五个).
_IDLE = re.compile(r"(?<![零一二三四五六七八九十百千万两])(?:万一|十分|千万(?=[不别要])|一一|千百|百千)")
_GUESSES = frozenset(("两三", "三两", "三五", "七八", "五六", "四五", "六七", "八九", "一二", "百", "千", "万", "十"))
_SMALL = 12  # figures up to here are written in passing (“two steps”, 三步): not a figure of the story
_CAPITAL = re.compile(r"(?<![.!?…:“\"‘'\n—-])(?<!^)\s+([A-Z][a-z]{2,})\b")


def figures(text: str, language: Language, *, least: int = 0) -> dict[float, str]:
    """Every figure in a text as a number, with its words; those up to `least` are left out unless written in digits."""
    flat = unicodedata.normalize("NFKC", text)
    found: dict[float, str] = {}
    for match in _ARABIC.finditer(flat):
        _add(found, match.group(), -1)
    if language == "zh":
        for match in _HAN.finditer(_IDLE.sub(" ", flat)):
            if match.group() not in _GUESSES:
                _add(found, match.group(), least)
    else:
        for match in _WORDS.finditer(flat):
            _add(found, match.group().strip(), least)
    return found


def _add(found: dict[float, str], words: str, least: int) -> None:
    value = number_of(words)
    if value is not None and value > least:
        found.setdefault(float(value), words)


def unknown_figures(new: str, held: str, language: Language) -> list[str]:
    """Figures of `new`, small ones in words apart, that `held` has in no form."""
    known = figures(held, language)
    return [words for value, words in figures(new, language, least=_SMALL).items() if value not in known]


def new_names(new: str, held: str, language: Language) -> list[str]:
    """Capitalised words within sentences of `new` that `held` lacks; none in Chinese, which does not mark names."""
    if language == "zh":
        return []
    return [name for name in dict.fromkeys(_CAPITAL.findall(new)) if not re.search(rf"\b{re.escape(name)}\b", held)]
