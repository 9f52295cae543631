"""Prose becomes paragraphs, breaks, panels, tables, notes; nothing is lost, no mark read by chance (H02, H05b, H12)."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.export.markup import Run, unclosed
from inkos.export.prose import Block, prose
from inkos.messages import Language

PROSE = st.text(alphabet=st.sampled_from("ab 他雪，。“”…—<&>*_#-\n\n\n　1."), max_size=120)
LANGUAGES = st.sampled_from(["en", "zh"])


def texts(text: str, language: Language) -> list[str]:
    return ["＊" if block.kind == "break" else block.text for block in blocks(text, language)]


def blocks(text: str, language: Language) -> tuple[Block, ...]:
    return prose(text, language).blocks


@given(PROSE, LANGUAGES)
def test_no_letter_is_lost_or_invented_or_moved(prose: str, language: Language) -> None:
    def kept(text: str) -> str:
        return "".join(c for c in text if c.isalnum() or c in "<&，。“”…")

    assert kept("".join(block.text for block in blocks(prose, language))) == kept(prose)


MARKED = st.text(alphabet=st.sampled_from("ab 他雪{}|《》[]^:1>【】-\n\n"), max_size=80)


@given(MARKED, LANGUAGES)
def test_no_letter_is_lost_whatever_marks_meet(text: str, language: Language) -> None:
    told = prose(text, language)
    lines = [line for block in told.blocks for line in (*block.lines, *(cell for row in block.rows for cell in row))]
    runs = [run for line in (*lines, *told.notes) for run in line]
    letters = [c for run in runs if not run.note for c in run.text + run.ruby if c in "ab他雪"]
    assert sorted(letters) == sorted(c for c in text if c in "ab他雪" and not _is_label(text, told.notes != (), c))


def _is_label(text: str, notes: bool, letter: str) -> bool:
    """Letters may name a note, and a name is not shown: such texts prove nothing here."""
    return notes and bool(re.search(r"\[\^[^\]]*" + letter, text))


@given(PROSE, LANGUAGES)
def test_a_paragraph_is_one_line_and_never_empty(prose: str, language: Language) -> None:
    for block in blocks(prose, language):
        if block.kind == "paragraph":
            assert block.text.strip() and "\n" not in block.text
        assert block.kind == "break" or block.text.strip()


@given(PROSE, LANGUAGES)
def test_a_scene_break_stands_between_two_paragraphs(prose: str, language: Language) -> None:
    kinds = [block.kind for block in blocks(prose, language)]
    assert "break" not in {*kinds[:1], *kinds[-1:]}
    assert ("break", "break") not in set(pairwise(kinds))


@given(PROSE)
def test_every_mark_is_literal_in_chinese(prose: str) -> None:
    assert not any(run.emphasis for block in blocks(prose, "zh") for line in block.lines for run in line)


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
    assert block.lines[0] == (
        Run("It was "), Run("not", True), Run(" shut; "), Run("never", True), Run(", he said."),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["5 * 3 * 2", "snake_case_name", "a*b*c", "**bold**", "* a *", "one * alone", "f**k"])
def test_marks_that_are_not_emphasis_stay_as_they_are(text: str) -> None:
    (block,) = blocks(text, "en")
    assert block.lines == ((Run(text),),)


# ── marks ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_ruby_dots_and_notes_are_read() -> None:
    told = prose("她叫{月读|つくよみ}，《《不要》》回头。[^1]\n\n[^1]: 旧名。\n\n“走。”", "zh")
    assert told.blocks[0].lines[0] == (
        Run("她叫"), Run("月读", ruby="つくよみ"), Run("，"), Run("不要", dots=True), Run("回头。"),
        Run("[^1]", note=1),
    )  # fmt: skip
    assert told.notes == ((Run("旧名。"),),)
    assert [block.text for block in told.blocks] == ["她叫月读，不要回头。", "“走。”"]


def test_ruby_may_stand_over_latin_and_marks_inside_emphasis() -> None:
    (block,) = blocks("The *{Railgun|超电磁炮} came*.", "en")
    assert block.lines[0] == (Run("The "), Run("Railgun", True, ruby="超电磁炮"), Run(" came", True), Run("."))


def test_notes_are_numbered_by_the_order_of_the_text_and_may_be_said_anywhere() -> None:
    told = prose("[^b]: Second.\n\nOne.[^a] Two.[^b] One again.[^a]\n\n[^a]: First.", "en")
    assert [run.note for run in told.blocks[0].lines[0] if run.note] == [1, 2, 1]
    assert [note[0].text for note in told.notes] == ["First.", "Second."]


def test_a_wrapped_note_goes_on_to_the_blank_line() -> None:
    told = prose("Wrapped,\nas it is.[^n]\n\n[^n]: A note,\nwrapped too.\n\nThe end.", "en")
    assert told.notes == ((Run("A note, wrapped too."),),) and told.blocks[-1].text == "The end."


@pytest.mark.parametrize(
    "text",
    [
        "他读《《史记》研究》。", "写了{a|b}两行代码。", "{ 雪|ゆき }", "{雪|}", "{雪}", "她说[^1]是什么？",
        "[^1]: 没有人提到它。", "《《", "》》", "《《没有完", "a|b|c", "| 一行 |",
        "::: system\n没有合上", "x > y", "5<6|7>8", "[他]笑了。",
    ],
)  # fmt: skip
def test_what_looks_like_a_mark_by_chance_is_prose(text: str) -> None:
    told = prose(text, "zh")
    assert told.notes == () and {block.kind for block in told.blocks} == {"paragraph"}
    assert "".join(block.text for block in told.blocks) == text.replace("\n", "")
    assert all(run == Run(run.text) for block in told.blocks for line in block.lines for run in line)


def test_a_panel_stands_in_a_fence_or_in_brackets() -> None:
    for text in ("::: system 升级\n等级：12\n力量：40\n:::", "【升级】\n【等级：12】"):
        (box, after) = blocks(f"{text}\n\n他愣住了。", "zh")
        assert (box.kind, after.kind) == ("box", "paragraph") and "等级：12" in box.text


def test_a_table_stands_in_a_panel_or_under_a_line_of_dashes() -> None:
    bare = "| Skill | Rank |\n|---|:-:|\n| *Bash* | 3 |\n| Dash |"
    for text in (f"Before.\n\n{bare}\n\nAfter.", f"Before.\n\n::: system\n{bare}\n:::\n\nAfter."):
        _, table, _ = blocks(text, "en")
        assert (table.kind, table.head, len(table.rows)) == ("table", True, 3)
        assert table.rows[1] == ((Run("Bash", True),), (Run("3"),)) and table.rows[2][1] == ()
    plain, _ = blocks("::: stats\n| HP | 40 |\n| MP | 7 |\n:::\n\nHe ran.", "en")
    assert not plain.head and plain.text == "HP\t40\nMP\t7"


def test_a_document_is_quoted() -> None:
    quote, after = blocks("> Dear Ash,\n>\n> come home.\n\nShe folded it.", "en")
    assert (quote.kind, quote.text, after.text) == ("quote", "Dear Ash,\ncome home.", "She folded it.")


def test_half_marks_are_named() -> None:
    text = "他说《《不要。\n{雪|ゆき 停了。\n《《史记》研究》 {a|b\n《《好》》{雪|ゆき}"
    assert unclosed(text) == ["{雪|ゆき 停了。", "《《不要。"]
