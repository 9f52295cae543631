"""Reads the values that facts hold: plain words, numbers, amounts, spans of time, `key: value`; knows no predicate."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

TRUE_WORDS = frozenset({"true", "yes", "是", "真", "有"})
FALSE_WORDS = frozenset({"false", "no", "否", "假", "无", "没有"})
LARGEST = 1e15  # a figure beyond this is a slip of the pen, and floats stop being exact

_EN_SMALL = {
    word: number
    for number, word in enumerate(
        re.findall(
            r"\w+",
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
            "seventeen eighteen nineteen",
        )
    )
}
_EN_TENS = {
    word: 10 * number
    for number, word in enumerate(re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety"), 2)
}
_EN_BIG = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_EN_LOOSE = {"a": 1, "an": 1, "no": 0, "none": 0, "half": 0.5, "dozen": 12, "couple": 2}
_ZH_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2, "仨": 3, "半": 0.5}
_ZH_UNITS = {"十": 10, "百": 100, "千": 1_000}
_ZH_BIG = {"万": 10_000, "亿": 100_000_000}
_ZH_NUMBER = "".join((*_ZH_DIGITS, *_ZH_UNITS, *_ZH_BIG))
_MEASURES = "个名人块枚颗两锭文支枝把张件条粒瓶位头匹艘座本卷滴点"

_FIGURE = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


@lru_cache(maxsize=16384)
def plain(text: str) -> str:
    """A name or a promise without what may differ and still be the same: width, case, blanks, punctuation."""
    if text.isascii():
        return "".join(c for c in text.casefold() if c.isalnum())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum())


def _chinese(text: str) -> float | None:
    total: float = 0
    section: float = 0
    digit: float | None = None
    for char in text:
        if char in _ZH_DIGITS:
            digit = _ZH_DIGITS[char] if digit is None else digit * 10 + _ZH_DIGITS[char]
        elif char in _ZH_UNITS:
            section += (1 if digit is None else digit) * _ZH_UNITS[char]
            digit = None
        elif char in _ZH_BIG:
            total = (total + section + (digit or 0)) * _ZH_BIG[char]
            section, digit = 0, None
        else:
            return None
    return total + section + (digit or 0)


def _english(words: list[str]) -> float | None:
    total: float = 0
    part: float = 0
    for word in words:
        if word in _EN_SMALL or word in _EN_TENS:
            part += _EN_SMALL.get(word, 0) or _EN_TENS.get(word, 0)
        elif word in _EN_BIG:
            part = (part or 1) * _EN_BIG[word]
            if _EN_BIG[word] > 100:
                total, part = total + part, 0
        elif word in ("dozen", "couple"):
            part = (part or 1) * _EN_LOOSE[word]
        elif word in _EN_LOOSE:
            part += _EN_LOOSE[word]
        elif word != "and":
            return None
    return total + part


def number(value: object) -> float | None:
    """The number that a value is, figures or words, with nothing beside it; null for anything else, NaN or beyond
    `LARGEST`."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) <= LARGEST and not math.isnan(value) else None
    return _spoken(value) if isinstance(value, str) and len(value) <= 80 else None


@lru_cache(maxsize=4096)
def _spoken(text: str) -> float | None:
    text = unicodedata.normalize("NFKC", text).strip().casefold()
    if _FIGURE.fullmatch(text):
        return number(float(text.replace(",", "")))
    if text and all(c in _ZH_NUMBER for c in text) and not _weighed(text):
        return number(_chinese(text))
    words = text.replace("-", " ").split()
    return number(_english(words)) if words and words != ["and"] else None


def _weighed(text: str) -> bool:
    """Whether the last 两 of a Chinese number is the weight: `三百两` is 300 of it, `两百` has none."""
    return len(text) > 1 and text[-1] == "两"


def amount(value: object) -> tuple[float, str] | None:
    """A number and the words beside it: `50 coins` → (50, "coins"), `五十块灵石` → (50, "灵石"), `+2` → (2, "")."""
    bare = number(value)
    if bare is not None:
        return bare, ""
    if not isinstance(value, str) or len(value) > 200:
        return None
    text = unicodedata.normalize("NFKC", value).strip()
    figure = _FIGURE.match(text)
    if figure:
        return float(figure[0].replace(",", "")), _unit(text[figure.end() :])
    chars = 0
    while chars < len(text) and text[chars] in _ZH_NUMBER:
        chars += 1
    chars -= _weighed(text[:chars])
    if chars:
        return _pair(_chinese(text[:chars]), text[chars:])
    words = text.casefold().replace("-", " ").split()
    for size in range(min(len(words), 8), 0, -1):
        spoken = _english(words[:size])
        if spoken is not None:
            return _pair(spoken, " ".join(words[size:]))
    return None


def _pair(found: float | None, unit: str) -> tuple[float, str] | None:
    return None if found is None else (found, _unit(unit))


def _unit(text: str) -> str:
    text = text.strip()
    if text and text[0] in _MEASURES:
        text = text[1:]
    return text.removeprefix("of ").strip()


def minutes(text: object, durations: Mapping[str, float]) -> float | None:
    """A span of time in minutes: `2 days`, `three hours`, `两天`, `半个时辰`; null where its unit is not known."""
    found = amount(text)
    if found is None:
        return None
    count, unit = found
    words = unit.casefold().replace("'", " ").replace("’", " ").split()
    if words and words[0] in durations:
        return count * durations[words[0]]
    best = max((key for key in durations if unit.startswith(key) or f"个{key}" == unit), key=len, default=None)
    return None if best is None else count * durations[best]


def keyed(value: object) -> tuple[str, str] | None:
    """`left eye: blind` → ("left eye", "blind"); null where there is no key."""
    if not isinstance(value, str):
        return None
    key, mark, rest = value.replace("：", ":", 1).partition(":")
    return (key.strip(), rest.strip()) if mark and key.strip() and rest.strip() else None


def same(one: object, other: object) -> bool:
    """Whether two values say the same: numbers by size, texts without width, case, blanks and punctuation."""
    if isinstance(one, bool) or isinstance(other, bool):
        return str(one).casefold() == str(other).casefold()
    if one == other:
        return True
    first, second = number(one), number(other)
    if first is not None or second is not None:
        return first is not None and second is not None and abs(first - second) < 1e-9 * max(1.0, abs(first))
    return isinstance(one, str) and isinstance(other, str) and plain(one) == plain(other) != ""


def agree(one: object, other: object) -> bool:
    """`same`, or one is the beginning of the other up to a colon (`third` and `third: Chen`)."""
    if same(one, other):
        return True
    if not isinstance(one, str) or not isinstance(other, str):
        return False
    first, second = keyed(one), keyed(other)
    return (first is not None and second is None and same(first[0], other)) or (
        second is not None and first is None and same(second[0], one)
    )


def odd(value: object) -> str:
    """Why a value cannot stand in a state: `empty`, `number`, `control`, `long`; "" where it can."""
    if isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        return "" if number(value) is not None else "number"
    if not isinstance(value, str):
        return "type"
    if not value.strip():
        return "empty"
    if len(value) > 2_000:
        return "long"
    if not value.isprintable() and any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in value):
        return "control"
    return ""
