"""outline.md as authors write it."""

from __future__ import annotations

from inkos.kernel.outline import entries_left, entries_passed, next_entry, parse_outline, render_outline

ZH = """# 大纲

- 末图：空船靠岸

## 第一卷 通惠闸
- 目标：把粮送进仓
- 失去：父亲的船

### 第1章 第七斗 {#qi-dou}
- 功能：立规矩
- 章末：result
- 程满仓要排前，赵把头压号
* 他要看斗，书办不许

### 第2章：复量
1. 第七斗少了三升
2、押半年工钱复量

## 第二卷 北上
"""


def test_volumes_chapters_beats_and_labels_are_read_in_chinese() -> None:
    outline = parse_outline(ZH)
    assert [(v.title, v.goal, v.loss) for v in outline.volumes] == [
        ("通惠闸", "把粮送进仓", "父亲的船"),
        ("北上", "", ""),
    ]
    first, second = outline.entries
    assert (first.key, first.title, first.function, first.end_kind) == ("qi-dou", "第七斗", "立规矩", "result")
    assert [b.text for b in first.beats] == ["程满仓要排前，赵把头压号", "他要看斗，书办不许"]
    assert [b.key for b in second.beats] == ["通惠闸/第2章：复量#1", "通惠闸/第2章：复量#2"]
    assert outline.last_image == "空船靠岸"


def test_a_flat_list_of_chapters_needs_no_volume() -> None:
    outline = parse_outline("## Meter\n- Nell wants in\n\n## Ashes\n- Duffy wants a form\n")
    assert [(e.title, e.volume) for e in outline.entries] == [("Meter", ""), ("Ashes", "")]
    assert outline.volumes == ()


def test_the_next_entry_is_the_first_that_is_not_consumed_whatever_numbers_the_titles_bear() -> None:
    outline = parse_outline("## Vol\n### Chapter 80: The last battle {#a}\n- x\n### Chapter 3 {#b}\n- y\n")
    assert [e.title for e in outline.entries] == ["The last battle", "Chapter 3"]
    this, following = next_entry(outline, ["a"])
    assert this is not None and this.key == "b" and following is None
    assert next_entry(outline, ["a", "b"]) == (None, None)


def test_an_entry_whose_chapter_was_taken_out_does_not_come_again_unless_it_was_the_last() -> None:
    outline = parse_outline("### A {#a}\n- x\n### B {#b}\n- y\n### C {#c}\n- z\n")
    assert [entry.key for entry in entries_left(outline, ["b"])] == ["c"]
    assert [entry.key for entry in entries_passed(outline, ["b"])] == ["a"]
    assert [entry.key for entry in entries_left(outline, ["a"])] == ["b", "c"] and entries_passed(outline, ["a"]) == ()


def test_the_same_heading_twice_gives_two_keys() -> None:
    outline = parse_outline("## V\n### Night\n- a\n### Night\n- b\n")
    assert [e.key for e in outline.entries] == ["V/Night", "V/Night~2"]


def test_a_chapters_own_viewpoint_and_person_are_read_in_both_languages() -> None:
    zh = parse_outline("## 卷一\n### 第1章 闸口\n- 视角：赵把头\n- 人称：第一人称\n- 过闸\n")
    en = parse_outline("## One\n### Chapter 1: The lock\n- POV: Duffy\n- Person: first\n- through the lock\n")
    assert [(e.pov, e.person, len(e.beats)) for e in (*zh.entries, *en.entries)] == [
        ("赵把头", "第一人称", 1), ("Duffy", "first", 1),
    ]  # fmt: skip
    assert parse_outline(render_outline(zh, "zh")) == zh and parse_outline(render_outline(en, "en")) == en
