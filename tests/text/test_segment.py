"""Laws and cases of paragraphs and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given

from inkos.messages import Language
from inkos.text.segment import Span, paragraphs, sentences
from tests.text.texts import messy, prose


def covers(spans: list[Span], text: str) -> bool:
    """Whether the spans are in order, disjoint, verbatim and leave out nothing but blanks."""
    done = 0
    for start, end, words in spans:
        if text[start:end] != words or words != words.strip() or text[done:start].strip() or start < done:
            return False
        done = end
    return not text[done:].strip()


@given(messy)
def test_paragraphs_cover_the_text(text: str) -> None:
    assert covers(paragraphs(text), text)


@given(messy)
def test_sentences_cover_the_text(text: str) -> None:
    assert covers(sentences(text, "zh"), text)
    assert covers(sentences(text, "en"), text)


@given(prose("zh"))
def test_chinese_prose_has_as_many_sentences_as_stops(text: str) -> None:
    assert len(sentences(text, "zh")) == sum(text.count(stop) for stop in "。！？")


def test_blank_lines_part_paragraphs_and_line_ends_only_where_there_are_none() -> None:
    assert [p.text for p in paragraphs("　　甲\n　　乙\n")] == ["甲", "乙"]
    assert [p.text for p in paragraphs("甲，\n乙\n \n丙\n")] == ["甲，\n乙", "丙"]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("“你来了。”他说。灯灭了！？", "zh", ["“你来了。”", "他说。", "灯灭了！？"]),
        ("他……走了。她没有……", "zh", ["他……走了。", "她没有……"]),
        ("“等等……”门开了", "zh", ["“等等……”", "门开了"]),
        ("“Stop!” he said. “Go.” Mr. J. R. Ash left.", "en", ["“Stop!” he said.", "“Go.”", "Mr. J. R. Ash left."]),
        ("It cost 3.50. Then... nothing. Ok?", "en", ["It cost 3.50.", "Then... nothing.", "Ok?"]),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text: str, language: Language, expected: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text, language)] == expected
