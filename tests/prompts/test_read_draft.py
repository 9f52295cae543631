"""The drafter's reply: edges come off, the prose stays, and what is no prose is a fault (design/prompts.md §5.3)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.prompts.readers import Read, read_draft
from tests.prompts.reading import PROSE, plan


def read(text: str, language: Any = "zh") -> Read[str]:
    return read_draft(text, language=language, plan=plan(language))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_clean_prose_comes_out_as_it_went_in(language: Any) -> None:
    got = read(PROSE[language], language)
    assert (got.value, got.fault) == (PROSE[language], None)


EDGES = {
    "zh": [
        ("好的，以下是本章正文：\n\n", ""),
        ("# 第十二章 油票\n\n", ""),
        ("第3章 油票\n\n", ""),
        ("《油票》\n\n", ""),
        ("油票\n\n", ""),
        ("**油票**\n\n", ""),
        ("```\n", "\n```"),
        ("```markdown\n# 油票\n", "\n```\n"),
        ("", "\n\n（本章完）"),
        ("", "\n\n（全文约2400字）"),
        ("", "\n\n字数：2412"),
        ("", "\n\n---\n如果需要，我可以继续写下一章。"),
        ("<think>先写灯</think>\n", ""),
        ("---\n", "\n---\n"),
        ("好的。\n\n下面是重写后的章节：\n", "\n\n希望您喜欢。"),
        ("先想一想。\n</think>\n\n", ""),
    ],
    "en": [
        ("Here is the chapter:\n\n", ""),
        ("Sure! Here's the rewritten draft of the chapter.\n\n", ""),
        ("# The Slip\n\n", ""),
        ("Chapter 12: The Slip\n\n", ""),
        ("The Slip\n\n", ""),
        ("```\n", "\n```"),
        ("", "\n\n(End of chapter)"),
        ("", "\n\nThe End"),
        ("", "\n\nWord count: 2,212"),
        ("", "\n\n*Word count: approximately 2200 words*"),
        ("", "\n\n[2,150 words]"),
        ("", "\n\nLet me know if you would like any changes."),
        ("<thinking>lamp first</thinking>", ""),
    ],
}


@pytest.mark.parametrize(("language", "edge"), [(lang, edge) for lang, edges in EDGES.items() for edge in edges])
def test_what_stands_around_the_prose_is_taken_off_and_recorded(language: Any, edge: tuple[str, str]) -> None:
    before, after = edge
    got = read(before + PROSE[language] + after, language)
    assert got.value == PROSE[language]
    assert got.notes


@pytest.mark.parametrize(
    "first",
    [
        "Here is the thing about Pym: he lies.",
        "“Sure,” said Pym, and shut the book.",
        "Okay was not a word that Pym used.",
        "I can’t, she thought, and went in.",
        "The end of the quay was dark.",
        "Chapter and verse, he had it by heart.",
        "1. That was the number on the door, and nobody else’s.",
    ],
)
def test_prose_that_begins_like_a_remark_stays(first: str) -> None:
    text = f"{first}\n\n{PROSE['en']}"
    assert read(text, "en").value == text


@pytest.mark.parametrize(
    "first", ["好的，叶三更说，那就写上。", "下面是船，上面是灯。", "第二天，灯灭了。", "希望这东西，他早就不信了。"]
)
def test_chinese_prose_that_begins_like_a_remark_stays(first: str) -> None:
    text = f"{first}\n\n{PROSE['zh']}"
    assert read(text).value == text


def test_tags_inside_the_story_stay() -> None:  # case A14
    text = f"The screen said <think>waiting</think> and went dark.\n\n{PROSE['en']}"
    got = read(text, "en")
    assert got.value is not None and "<think>waiting</think>" in got.value


@pytest.mark.parametrize("line", ["b2", "**b2（600）**", "## b2 要油票", "Beat 2", "第二拍", "## 要油票", "**要油票**"])
def test_the_plans_beats_as_headings_are_taken_off(line: str) -> None:
    first, *rest = PROSE["zh"].split("\n\n")
    got = read("\n\n".join([first, line, *rest]))
    assert got.value == PROSE["zh"]
    assert any("beat heading" in note for note in got.notes)


@pytest.mark.parametrize("mark", ["***", "---", "※", "* * *"])
def test_scene_breaks_are_set_as_the_book_has_them(mark: str) -> None:
    first, *rest = PROSE["zh"].split("\n\n")
    got = read("\n\n".join([first, mark, *rest]))
    assert got.value is not None and "＊" in got.value and mark not in got.value.splitlines()


def test_emphasis_is_taken_off_in_chinese_and_kept_in_english() -> None:
    zh = read(PROSE["zh"].replace("铜灯", "**铜灯**", 1))
    assert zh.value == PROSE["zh"]
    en = read(PROSE["en"].replace("brass lamp", "*brass lamp*", 1), "en")
    assert en.value is not None and "brass lamp" in en.value


def test_straight_marks_are_set() -> None:
    got = read(PROSE["en"].replace("“", '"').replace("”", '"').replace("’", "'"), "en")
    assert got.value == PROSE["en"]


@pytest.mark.parametrize(
    ("text", "language", "code", "kind"),
    [
        ("", "zh", "prose", "empty"),
        (" \n ", "zh", "prose", "empty"),
        ("<think>雨还在下，他把信折好。", "zh", "prose", "empty"),  # case A13
        ("# 油票\n\n（本章完）", "zh", "prose", "empty"),
        ("- 叶三更到渡口\n- 账房拦住他\n- 他得到油票\n", "zh", "prose", "outline"),
        ("1. Nell goes in.\n2. Pym says no.\n3. She gets the slip.\nEnd.", "en", "prose", "outline"),
        ("抱歉，我无法协助完成这个请求。", "zh", "refused", ""),
        ("I'm sorry, but I can't help with that request.", "en", "refused", ""),
        (PROSE["en"], "zh", "language", ""),  # case C17
        (PROSE["zh"], "en", "language", ""),
    ],
)
def test_what_is_no_prose_is_a_fault(text: str, language: Any, code: str, kind: str) -> None:
    got = read(text, language)
    assert got.value is None and got.fault is not None
    assert (got.fault.code, got.fault.values.get("kind", "")) == (code, kind)


def test_a_wrong_language_names_the_right_one() -> None:
    got = read(PROSE["en"])
    assert got.fault is not None and got.fault.values == {"language": "中文"}


def test_prose_wrapped_in_json_is_taken_out() -> None:
    import json

    got = read(json.dumps({"chapter": PROSE["en"]}, ensure_ascii=False), "en")
    assert got.value == PROSE["en"]
    assert any("JSON" in note for note in got.notes)


@given(st.text(max_size=300), st.sampled_from(["zh", "en"]))
def test_any_text_is_read_without_an_exception(text: str, language: Any) -> None:
    got = read(text, language)
    assert (got.value is None) == (got.fault is not None)


@given(
    st.lists(
        st.sampled_from(["叶三更走了。", "“灯呢？”他问。", "＊", "她没有抬头。", "钱友德翻了一页账。"]),
        min_size=3,
        max_size=12,
    )
)
def test_reading_is_idempotent(lines: list[str]) -> None:
    once = read("\n\n".join(lines)).value
    if once is not None:
        assert read(once).value == once
