"""Laws and cases of setting marks and cleaning prose."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from inkos.messages import Language
from inkos.text.count import count
from inkos.text.segment import paragraphs
from inkos.text.style import SCENE_BREAK, clean_prose, set_marks, unwrap
from tests.text.texts import messy, prose, zh_words

LANGUAGES: tuple[Language, ...] = ("zh", "en")


@given(messy)
def test_setting_marks_twice_is_setting_them_once(text: str) -> None:
    for language in LANGUAGES:
        once = set_marks(text, language)
        assert set_marks(once, language) == once


@given(messy)
def test_setting_marks_changes_nothing_but_straight_marks(text: str) -> None:
    for language in LANGUAGES:
        done = set_marks(text, language)
        assert len(done) == len(text)
        assert all(old == new or old in "\"'＂＇" for old, new in zip(text, done, strict=True))
        assert not re.search("[\"'＂＇]", done)


@given(zh_words, zh_words, zh_words)
def test_chinese_marks_come_out_balanced(first: str, second: str, third: str) -> None:
    assert set_marks(f'{first}"{second}"{third}"{first}"', "zh") == f"{first}“{second}”{third}“{first}”"


@given(messy)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    for language in LANGUAGES:
        once, _ = clean_prose(text, language)
        assert clean_prose(once, language) == (once, [])


@given(messy)
def test_cleaning_keeps_every_word(text: str) -> None:
    for language in LANGUAGES:
        done, _ = clean_prose(text, language)
        assert re.findall(r"[^\W_]", done) == re.findall(r"[^\W_]", text)


@given(prose("zh"))
def test_clean_prose_is_left_alone(text: str) -> None:
    assert clean_prose(text, "zh") == (text, [])
    assert [span.text for span in paragraphs(text)] == text.split("\n\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"I don\'t know," he said. "Go."', "“I don’t know,” he said. “Go.”"),
        ("\"'Tis the '90s,\" she said.", "“’Tis the ’90s,” she said."),
        ('"She said \'home\' once."', "“She said ‘home’ once.”"),
        ("the dogs' bowls", "the dogs’ bowls"),
        ('"Wait--" he said, "--no."', "“Wait--” he said, “--no.”"),
        ('"First.\n\n"Second."', "“First.\n\n“Second.”"),
        ("'Go,' he said.", "‘Go,’ he said."),
        ("“set” already", "“set” already"),
    ],
)
def test_english_marks_are_set_as_a_printer_would(text: str, expected: str) -> None:
    assert set_marks(text, "en") == expected


@pytest.mark.parametrize("mark", ["***", "---", "※", "* * *", "＊　＊　＊", "◇◆◇", "———", "#", "*"])
def test_every_kind_of_scene_break_becomes_the_books(mark: str) -> None:
    for language, text in zip(LANGUAGES, ("雪停了。", "Snow."), strict=True):
        done, notes = clean_prose(f"{text}\n{mark}\n{text}\n", language)
        assert done == f"{text}\n\n{SCENE_BREAK[language]}\n\n{text}"
        assert "paragraphs" in notes


def test_emphasis_goes_in_chinese_and_stays_in_english() -> None:
    assert clean_prose("他**真的**走了，*真的*。", "zh") == ("他真的走了，真的。", ["emphasis"])
    assert clean_prose("He *really* left.", "en") == ("He *really* left.", [])
    assert clean_prose("3*4 是 12，5*6 是 30", "zh")[0] == "3*4 是 12，5*6 是 30"


def test_what_was_done_is_noted() -> None:
    done, notes = clean_prose("\ufeff　　甲。\r\n　　乙。\x00\r\n", "zh")
    assert done == "甲。\n\n乙。"
    assert notes == ["line-ends", "unseen", "indents", "paragraphs"]


def test_lines_of_a_hard_wrapped_paragraph_stay_together() -> None:
    text = "the door\nwas open and\nhe went in.\n\nSnow."
    assert clean_prose(text, "en") == (text, [])
    assert clean_prose("甲来了。\n乙走了。\n\n丙。", "zh")[0] == "甲来了。\n\n乙走了。\n\n丙。"


@pytest.mark.parametrize(
    ("paragraph", "language", "expected"),
    [
        ("他推开门，\n雪已经停了。", "zh", "他推开门，雪已经停了。"),  # case H12
        ("the door\nwas open", "en", "the door was open"),
        ("他用 WeChat\nPay 付了\n钱", "zh", "他用 WeChat Pay 付了钱"),
        ("他等着……\n“走吧。”", "zh", "他等着……“走吧。”"),
        ("He waited…\n“Go.”", "en", "He waited… “Go.”"),
        ("a well-\nknown door—\nopen", "en", "a well-known door—open"),
        ("  one  \n  line  ", "en", "one line"),
        ("", "zh", ""),
    ],
)
def test_hard_wraps_are_joined_as_the_script_wants(paragraph: str, language: Language, expected: str) -> None:
    assert unwrap(paragraph, language) == expected


@given(prose("zh"))
def test_joining_loses_no_character(text: str) -> None:
    joined = unwrap(text, "zh")
    assert "\n" not in joined
    assert count(joined, "zh") <= count(text, "zh")
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_that_steers_a_terminal_is_left_in_a_manuscript(language: Language) -> None:
    steering = "".join(map(chr, (0, 7, 8, 0x1B, 0x7F, 0x90, 0x9B, 0x202E, 0x2066, 0x2069)))
    text, notes = clean_prose(f"He{steering} went home.\tSlowly.", language)
    assert not set(text) & set(steering) and "unseen" in notes
