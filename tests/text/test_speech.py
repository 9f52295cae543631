"""Laws and cases of finding what stands in quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given

from inkos.text.speech import speech
from tests.text.texts import en_words, messy, zh_words


@given(messy)
def test_speech_is_in_order_disjoint_and_inside_the_text(text: str) -> None:
    last = 0
    for start, end in speech(text):
        assert last <= start < end <= len(text)
        last = end


@given(zh_words, zh_words, zh_words)
def test_all_kinds_of_marks_give_the_same_speech(before: str, said: str, after: str) -> None:
    for opening, closing in ("“”", "「」", "『』", '""', "«»", "＂＂"):
        text = f"{before}：{opening}{said}{closing}{after}"
        assert [text[start:end] for start, end in speech(text)] == [said]


@given(en_words, en_words)
def test_english_apostrophes_open_no_speech(first: str, second: str) -> None:
    assert speech(f"{first} the dogs' bowls, the '90s, 'tis rock 'n' roll, {second} o'clock; don't.") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("“I don’t know,” he said. “Go.”", ["I don’t know,", "Go."]),
        ("‘I don’t know,’ he said. ‘The dogs’ bowls are gone.’", ["I don’t know,", "The dogs’ bowls are gone."]),
        ("'I don't know,' he said. 'Go!'", ["I don't know,", "Go!"]),
        ("“She called it ‘home’ once.”", ["She called it ‘home’ once."]),
        ("He was six foot 2\" and said, \"Go.\"", ["Go."]),
        ("“First part of a long speech.\n\n“Second part.” She sat.", ["First part of a long speech.", "Second part."]),
        ("他说：“走吧。\n\n“再不走就晚了。”门开了。", ["走吧。", "再不走就晚了。"]),
        ("「『灯』在哪里？」她问。", ["『灯』在哪里？"]),
        ("“走吧。“他说，“快。“", ["走吧。", "快。"]),
        ('“走吧。"他说，“快。”', ["走吧。", "快。"]),
        ('"走吧。”他说，"快。"', ["走吧。", "快。"]),
        ('“She called it "home" once.”', ['She called it "home" once.']),
        ("„Komm“, sagte er.", ["Komm"]),
        ("Tom's and Ann's.", []),
        ("‘Tis cold.", []),
        ("“”", []),
    ],
)
def test_speech_is_found(text: str, said: list[str]) -> None:
    assert [text[start:end] for start, end in speech(text)] == said
