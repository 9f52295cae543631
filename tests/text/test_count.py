"""Laws and cases of the counting unit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.messages import Language
from inkos.text.count import count
from tests.text.texts import MARKS, messy, prose


@given(prose("zh"), prose("zh"))
def test_the_parts_of_a_chinese_text_add_up(first: str, second: str) -> None:
    assert count(first + "\n\n" + second, "zh") == count(first, "zh") + count(second, "zh")


@given(prose("en"), prose("en"))
def test_the_parts_of_an_english_text_add_up(first: str, second: str) -> None:
    assert count(f"{first} {second}", "en") == count(first, "en") + count(second, "en")


@given(messy)
def test_counting_marks_never_makes_a_text_shorter(text: str) -> None:
    assert count(text, "zh", punctuation=True) >= count(text, "zh")


@given(st.integers(0, 300))
def test_a_chinese_text_has_as_many_units_as_characters(length: int) -> None:
    assert count("，".join("雪" * length), "zh") == length


SINGLE_WORDS = ["door", "don’t", "o'clock", "well-known", "1,220", "café", "cafe\u0301"]


@given(st.lists(st.sampled_from(SINGLE_WORDS), max_size=40))
def test_an_english_text_has_as_many_units_as_words(words: list[str]) -> None:
    assert count(" ".join(words), "en") == len(words)


@pytest.mark.parametrize(
    ("text", "language", "units", "with_marks"),
    [
        ("他收到 3 条 WeChat 消息。", "zh", 8, 9),  # case E05
        ("“走吧……”", "zh", 2, 6),
        ("长3.5米，A4纸", "zh", 5, 6),
        ("姓𠮷的㐂记", "zh", 5, 5),
        ("", "zh", 0, 0),
        ("She paid 1,220 crowns--no, more.", "en", 6, 10),
        ("The U.S. at 9 a.m.", "en", 5, 5),
        ("end.Next", "en", 2, 3),
        ("snake_case", "en", 2, 3),
        ("she met 林风", "en", 4, 4),
    ],
)
def test_the_rule_counts_as_documented(text: str, language: Language, units: int, with_marks: int) -> None:
    assert count(text, language) == units
    assert count(text, language, punctuation=True) == with_marks


@given(st.lists(st.sampled_from(MARKS), max_size=20).map("".join))
def test_marks_alone_are_nothing(marks: str) -> None:
    assert count(marks, "zh") == count(marks, "en") == 0
