"""Prose becomes paragraphs and scene breaks; nothing of it is lost, nothing is read as markup (H02, H05b, H12)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.export.prose import Run, blocks
from inkos.messages import Language

PROSE = st.text(alphabet=st.sampled_from("ab 他雪，。“”…—<&>*_#-\n\n\n　1."), max_size=120)
LANGUAGES = st.sampled_from(["en", "zh"])


def texts(prose: str, language: Language) -> list[str]:
    return ["＊" if block.kind == "break" else block.text for block in blocks(prose, language)]


@given(PROSE, LANGUAGES)
def test_no_letter_is_lost_or_invented_or_moved(prose: str, language: Language) -> None:
    def kept(text: str) -> str:
        return "".join(c for c in text if c.isalnum() or c in "<&>，。“”…")

    assert kept("".join(block.text for block in blocks(prose, language))) == kept(prose)


@given(PROSE, LANGUAGES)
def test_a_paragraph_is_one_line_and_never_empty(prose: str, language: Language) -> None:
    for block in blocks(prose, language):
        if block.kind == "paragraph":
            assert block.text.strip() and "\n" not in block.text


@given(PROSE, LANGUAGES)
def test_a_scene_break_stands_between_two_paragraphs(prose: str, language: Language) -> None:
    kinds = [block.kind for block in blocks(prose, language)]
    assert "break" not in {*kinds[:1], *kinds[-1:]}
    assert ("break", "break") not in set(pairwise(kinds))


@given(PROSE)
def test_every_mark_is_literal_in_chinese(prose: str) -> None:
    assert not any(run.emphasis for block in blocks(prose, "zh") for run in block.runs)


def test_a_hard_wrap_leaves_no_blank_between_chinese_and_one_between_english() -> None:
    assert texts("他推开门，\n雪已经停了。", "zh") == ["他推开门，雪已经停了。"]
    assert texts("the door\nwas open", "en") == ["the door was open"]


def test_only_blank_lines_part_paragraphs_where_they_are_the_rule() -> None:
    assert texts("他走了。\n雪停了。\n\n“好……”\n\n“不。”", "zh") == ["他走了。雪停了。", "“好……”", "“不。”"]
    assert texts("He left.\nIt snowed.\n\nShe stayed.", "en") == ["He left. It snowed.", "She stayed."]


def test_a_wrap_beside_latin_words_in_chinese_leaves_no_blank_but_between_two_words_one() -> None:
    assert texts("他用\nWeChat 回了。", "zh") == ["他用WeChat 回了。"]
    assert texts("他说 good\nmorning 就走。", "zh") == ["他说 good morning 就走。"]


def test_lines_are_paragraphs_where_no_blank_line_parts_them() -> None:
    assert texts("他走了。\n“去哪儿？”\n没有人答。", "zh") == ["他走了。", "“去哪儿？”", "没有人答。"]


def test_a_web_serial_with_blank_lines_only_around_its_breaks_keeps_its_paragraphs() -> None:
    scene = "他走了。\n“去哪儿？”\n没有人答。\n雪停了。"
    assert texts(f"{scene}\n\n***\n\n{scene}", "zh") == [*scene.split("\n"), "＊", *scene.split("\n")]


@pytest.mark.parametrize("mark", ["***", "* * *", "---", "※", "＊", "＊　＊　＊", "◇", "⁂", "#"])
def test_ornaments_and_rules_are_scene_breaks(mark: str) -> None:
    assert texts(f"One.\n\n{mark}\n\nTwo.", "en") == ["One.", "＊", "Two."]


@pytest.mark.parametrize("line", ["……", "——", "-", "#1", "* note", "【系统】"])
def test_a_pause_or_a_marked_line_is_a_paragraph(line: str) -> None:
    assert texts(f"一。\n\n{line}\n\n二。", "zh") == ["一。", line, "二。"]


def test_english_emphasis_is_read_from_asterisks_and_underscores() -> None:
    (block,) = blocks("It was *not* shut; _never_, he said.", "en")
    assert block.runs == (
        Run("It was "), Run("not", True), Run(" shut; "), Run("never", True), Run(", he said."),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["5 * 3 * 2", "snake_case_name", "a*b*c", "**bold**", "* a *", "one * alone", "f**k"])
def test_marks_that_are_not_emphasis_stay_as_they_are(text: str) -> None:
    (block,) = blocks(text, "en")
    assert block.runs == (Run(text),)
