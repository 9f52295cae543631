"""Laws and cases of reading figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.text.numerals import number_of, ordinal_of, roman

DIGITS = "零一二三四五六七八九"


def in_chinese(value: int) -> str:
    """The usual reading of 1 to 9999."""
    text, gap = "", False
    for scale, word in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, value = divmod(value, scale)
        if digit:
            text += ("零" if gap and text else "") + DIGITS[digit] + word
        gap = not digit
    return text


@given(st.integers(1, 9999))
def test_a_chinese_figure_is_read_back(value: int) -> None:
    assert number_of(in_chinese(value)) == value
    assert number_of(in_chinese(value).removeprefix("一")) == value or not in_chinese(value).startswith("一十")
    assert number_of("".join(DIGITS[int(digit)] for digit in str(value))) == value


@given(st.integers(0, 10**9))
def test_arabic_figures_are_read_with_and_without_commas(value: int) -> None:
    assert number_of(str(value)) == number_of(f"{value:,}") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("百十九", 119), ("廿三", 23), ("卅", 30), ("壹佰零八", 108), ("两百", 200),
        ("一万二千", 12000), ("４０", 40), ("3.5", 3.5),
        ("forty", 40), ("forty-two", 42), ("twenty-first", 21), ("one hundred and five", 105), ("a hundred", 100),
    ],
)  # fmt: skip
def test_other_figures_are_read(text: str, value: float) -> None:
    assert number_of(text) == value


@pytest.mark.parametrize("text", ["", "几十", "一百二", "十十", "forty people", "two forty", "1,22", "三天", "and"])
def test_what_is_no_single_figure_is_not_guessed(text: str) -> None:
    assert number_of(text) is None


def test_roman_numerals_are_read() -> None:
    assert [roman(text) for text in ("I", "IV", "XLII", "XCIX", "MCMXCIV")] == [1, 4, 42, 99, 1994]
    assert [roman(text) for text in ("", "IIII", "VX", "iv", "DOOR")] == [None] * 5


@pytest.mark.parametrize(
    ("written", "number"),
    [("一百一", 101), ("一百九", 109), ("二百三", 203), ("一千二", 1002), ("一百一十", 110), ("十二", 12)],
)
def test_a_heading_counts_on(written: str, number: int) -> None:
    assert ordinal_of(written) == number
