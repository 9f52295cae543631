"""Panels and documents: what is recognised, what is left in place, which figures are read."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from inkos.text.blocks import blocks, entries, told

ZH = "他睁开眼。\n\n【姓名：林渡】\n【等级：12】\n\n【灵石：1,300/2,000】\n\n他叹了口气。"
EN = "He looked up.\n\n[Level: 12]\n[Strength: 40 → 45]\n[HP: 120/150]\n\nHe sighed [softly] and left."
FENCED = "Text.\n\n::: system\nLevel: 3\n力量：9\n:::\n\nMore."


@given(st.text(alphabet="【】[]:：\n> 1a字。", max_size=80))
def test_what_is_told_keeps_every_place_and_every_line(text: str) -> None:
    plain = told(text)
    assert len(plain) == len(text)
    assert [i for i, c in enumerate(plain) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert all(a == b or a == " " for a, b in zip(plain, text, strict=True))


@given(st.text(alphabet="【】[]:：\n> 1a字。", max_size=80))
def test_blocks_are_disjoint_and_in_order(text: str) -> None:
    found = blocks(text)
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))


def test_a_run_of_bracket_lines_is_one_panel() -> None:
    for text in (ZH, EN, FENCED):
        (block,) = blocks(text)
        assert block.kind == "system"
    assert told(ZH).split() == ["他睁开眼。", "他叹了口气。"]
    assert "[softly]" in told(EN)


def test_a_quoted_document_is_left_alone_too() -> None:
    (block,) = blocks("She read:\n\n> Dear sir,\n> come at once.\n\nShe went.")
    assert block.kind == "document"


def test_figures_are_read_with_their_labels_and_of_a_change_the_later_one() -> None:
    assert [(e.label, e.figure, e.most) for e in entries(ZH)] == [("等级", 12, None), ("灵石", 1300, 2000)]
    read = [(e.label, e.figure, e.most) for e in entries(EN)]
    assert read == [("Level", 12, None), ("Strength", 45, None), ("HP", 120, 150)]
    assert [(e.label, e.figure) for e in entries(FENCED)] == [("Level", 3), ("力量", 9)]


def test_prose_in_brackets_inside_a_sentence_is_no_panel() -> None:
    assert blocks("He said [nothing] at 【noon】 and left: 3 men.") == []
