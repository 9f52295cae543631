"""Laws and cases of finding what stands in quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.text.speech import speech, spoken
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


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("赵砚对林渡：封条不到十五不揭，林先生要看，请隔着看。", "封条不到十五不揭，林先生要看，请隔着看。"),
        ("赵砚对林渡：“请隔着看。”", "请隔着看。"),
        ("Wren to the widow, before the queue: “Without scales I can't tell.”", "Without scales I can't tell."),
        ("Nell to Duffy: I had a hat.", "I had a hat."),
        ("请隔着看。", "请隔着看。"),
        (f"{'他从来没有说过的'*3}事：不卖。", f"{'他从来没有说过的'*3}事：不卖。"),
        ("There are three things that nobody ever told her: salt, iron, rope.",
         "There are three things that nobody ever told her: salt, iron, rope."),
        ("：只有后半", "：只有后半"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_words_to_be_spoken_are_found_in_a_line_that_says_who_speaks(line: str, words: str) -> None:
    assert spoken(line) == words


@given(st.text(max_size=60))
def test_the_words_to_be_spoken_are_words_of_the_line(line: str) -> None:
    assert spoken(line) in line
