"""Reads whole figures written in digits or in words, Chinese and English; knows no units and nothing of grammar.

A text that is not one unambiguous figure from end to end gives None: nothing is guessed.
"""

from __future__ import annotations

import re

_DIGITS = {"〇": 0, "○": 0, "两": 2, **{digit: value for value, digit in enumerate("零一二三四五六七八九")}}
_FORMAL = str.maketrans("壹贰貳弍叁叄参參肆伍陆陸柒捌玖拾佰仟萬兩", "一二二二三三三三四五六六七八九十百千万两")
_TENS = {"廿": "二十", "卅": "三十", "卌": "四十"}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_ARABIC = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

# fmt: off
_ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]
_ORDINALS = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", *(f"{word}th" for word in _ONES[13:]),
]
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
# fmt: on
_EN: dict[str, int] = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: value for value, word in enumerate(_ORDINALS)},
    **{word: 10 * value for value, word in enumerate(_EN_TENS, start=2)},
    **{word[:-1] + "ieth": 10 * value for value, word in enumerate(_EN_TENS, start=2)},
}

EN_NUMBER_WORDS = ("hundred", "and", *_EN)


def number_of(text: str) -> int | float | None:
    """The figure that `text` is: `1,220`, `3.5`, `４０`, `四十`, `一二三` (123), `廿三`, `forty-two`, `first`."""
    text = text.strip()
    if _ARABIC.fullmatch(text):
        value = float(text.replace(",", ""))
        return int(value) if value.is_integer() and "." not in text else value
    chinese = _chinese(text)
    return chinese if chinese is not None else _english(text)


def ordinal_of(text: str) -> int | float | None:
    """The figure of a heading. Where counting goes on one by one, `一百一` can only be what comes after 一百: 101."""
    number = number_of(text)
    ones = text.strip()[-1:]
    if number is None and ones in _DIGITS and text.strip()[-2:-1] in ("百", "千"):
        before = number_of(text.strip()[:-1])
        return None if before is None else before + _DIGITS[ones]
    return number


def _chinese(text: str) -> int | None:
    text = text.translate(_FORMAL)
    for short, full in _TENS.items():
        text = text.replace(short, full)
    if not text or not set(text) <= {*_DIGITS, *_SCALES, "万"}:
        return None
    if not set(text) & {*_SCALES, "万"}:
        return int("".join(str(_DIGITS[digit]) for digit in text))  # by position: 一二〇 is 120
    thousands, wan, rest = text.partition("万")
    if not wan:
        return _below_ten_thousand(thousands)
    high, low = _below_ten_thousand(thousands), _below_ten_thousand(rest) if rest else 0
    return None if high is None or low is None else high * 10_000 + low


def _below_ten_thousand(text: str) -> int | None:
    """`百十九` without 一 is 119; `一百二` (120 in speech, 102 to some) is left unread."""
    total, digit, last = 0, None, 10_000
    for character in text:
        if character in _SCALES:
            scale = _SCALES[character]
            if scale >= last or digit == 0:
                return None
            total, digit, last = total + (1 if digit is None else digit) * scale, None, scale
        elif digit not in (None, 0):
            return None
        else:
            digit = _DIGITS[character]
    spoken = digit and last in (100, 1000) and text[-2] not in "零〇○"
    return None if spoken or not text else total + (digit or 0)


def _english(text: str) -> int | None:
    """Up to 999: `forty-two`, `one hundred and five`, `twenty-first`."""
    words = [word for word in re.split(r"[\s-]+", text.lower()) if word != "and"]
    hundreds = 0
    if len(words) > 1 and words[1] == "hundred":
        if words[0] not in (*_ONES[1:10], "a"):
            return None
        hundreds = 100 if words[0] == "a" else 100 * _EN[words[0]]
        words = words[2:]
    if not words:
        return hundreds or None
    values = [_EN.get(word) for word in words]
    match values:
        case [int(value)]:
            return hundreds + value
        case [int(tens), int(ones)] if tens >= 20 and tens % 10 == 0 and 0 < ones < 10 and not words[0].endswith("th"):
            return hundreds + tens + ones
    return None


def roman(text: str) -> int | None:
    """The value of a well-formed capital Roman numeral up to 3,999."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[letter] for letter in text]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
