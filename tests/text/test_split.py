"""Headings (row 20 of design/bars.md, cases G05, G07, G08) and the splitting of whole texts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.text.split import chapter_file, heading_and_prose, parse_heading, split
from tests.data import shared
from tests.text.texts import messy, prose

HEADING_LINES = [
    *("第一章 夜航", "第二章　渡口", "楔子", "Chapter IV: Salt", "第一卷 风起", "3.旧友", "十二"),
    *("I", "II", "* * *", "## Ashes"),
]
whole_texts = st.lists(st.sampled_from(HEADING_LINES) | messy, max_size=12).map("\n".join)


@given(whole_texts)
def test_front_and_pieces_put_together_are_the_text(text: str) -> None:
    parted = split(text)
    assert parted.front + "".join(text[piece.start : piece.end] for piece in parted.pieces) == text
    assert all(piece.start < piece.body <= piece.end for piece in parted.pieces)


@given(prose("zh") | prose("en"))
def test_prose_without_headings_is_all_front(text: str) -> None:
    assert split(text).front == text


@given(st.lists(prose("zh"), min_size=1, max_size=5))
def test_numbered_chapters_are_parted_with_their_prose(bodies: list[str]) -> None:
    parted = split("".join(f"第{n}章 灯\n\n{body}\n\n" for n, body in enumerate(bodies, 1)))
    assert [piece.heading.number for piece in parted.pieces] == list(range(1, len(bodies) + 1))
    assert [parted.prose(piece).strip() for piece in parted.pieces] == bodies


@given(st.text(alphabet="雪灯ab -'“”.", max_size=20), prose("zh") | prose("en"))
def test_a_chapter_file_is_read_back(title: str, text: str) -> None:
    assert heading_and_prose(chapter_file(title, text)) == (" ".join(title.split()), text)


def test_a_file_without_a_heading_is_all_prose() -> None:
    assert heading_and_prose("雪停了。\n") == ("", "雪停了。")
    assert heading_and_prose("#雪\n") == ("", "#雪")
    assert heading_and_prose("\ufeff# 雪 \r\n\r\n甲。\r\n乙。\r\n") == ("雪", "甲。\n乙。")


@pytest.mark.reads_data
def test_the_zoo_of_headings_is_read_and_no_prose_taken() -> None:
    lines = shared("headings-zoo/headings.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    right = wrong = missed = 0
    for case in cases:
        got = parse_heading(case["line"])
        if case["kind"] == "prose":
            assert got is None, case["line"]
            continue
        wanted = (case["kind"], case["number"], case["title"], case.get("volume"), case.get("part"))
        if got is not None and tuple(got[:5]) == wanted:
            right += 1
        else:
            wrong += got is not None
            missed += 1
    assert len(cases) > 70
    assert 2 * right / (2 * right + wrong + missed) >= 0.97


@pytest.mark.reads_data
@pytest.mark.parametrize(
    ("path", "chapters"),
    [
        ("pd-novels-zh/hongloumeng.raw.txt", 120),
        ("pd-novels-zh/hulanhezhuan.txt", 7),
        ("pd-novels-en/austen_pride-and-prejudice.txt", 61),
        ("pd-novels-en/burroughs_princess-of-mars.txt", 28),
        ("pd-novels-en/christie_mysterious-affair-at-styles.txt", 13),
        ("pd-novels-en/dickens_great-expectations.txt", 59),
        ("pd-novels-en/wodehouse_love-among-the-chickens.txt", 23),
    ],
)
def test_whole_novels_part_into_their_chapters(path: str, chapters: int) -> None:
    text = shared(path).read_text(encoding="utf-8-sig")
    numbers = [piece.heading.number for piece in split(text).pieces if piece.heading.kind == "chapter"]
    assert numbers == list(range(1, chapters + 1))


@pytest.mark.parametrize(
    ("line", "kind", "number", "title"),
    [
        ("第 1 章 起风", "chapter", 1, "起风"),  # case G05 from here
        ("＃ 第２章 渡口", "chapter", 2, "渡口"),
        ("【第三章】旧友", "chapter", 3, "旧友"),
        ("第廿一章 灯", "chapter", 21, "灯"),
        ("第壹佰零八章 归", "chapter", 108, "归"),
        ("Chapter IV: Salt", "chapter", 4, "Salt"),
        ("番外 第1章 年夜饭", "special", 1, "年夜饭"),
        ("番外一 雪夜", "special", 1, "雪夜"),
        ("楔子", "special", None, "楔子"),
        ("终章 归航", "special", None, "归航"),
        ("三十章 空城", "chapter", 30, "空城"),
        ("第12章雾里", "chapter", 12, "雾里"),
        ("  第十三章　潮", "chapter", 13, "潮"),  # to here
        ("第三話「転校生」", "chapter", 3, "転校生"),
        ("**第三章 归来**", "chapter", 3, "归来"),
        ("第三章 你好，旧时光", "chapter", 3, "你好，旧时光"),
        ("第一部分 童年", "volume", 1, "童年"),
        ("上卷 风起", "volume", 1, "风起"),
        ("CHAPTER THE FIRST", "chapter", 1, None),
        ("Chapter Twenty-One — “Who Goes There?”", "chapter", 21, "Who Goes There?"),
        ("Chapter 4 The Long Night", "chapter", 4, "The Long Night"),
        ("Volume 2, Chapter 3: Ashes", "chapter", 3, "Ashes"),
        ("BOOK THE SECOND", "volume", 2, None),
        ("Epilogue: Home", "special", None, "Home"),
        ("プロローグ", "special", None, "プロローグ"),
        ("作者有话要说：", "notice", None, None),
        ("* * *", "scene_break", None, None),
    ],
)
def test_a_heading_is_read(line: str, kind: str, number: float | None, title: str | None) -> None:
    heading = parse_heading(line)
    assert heading is not None
    assert (heading.kind, heading.number, heading.title) == (kind, number, title)


@pytest.mark.parametrize(
    "line",
    [
        "第三章的手稿他烧过两次，第三次才舍得寄出。",  # case G07 from here
        "40多岁的男人",
        "3：2，终场哨响",  # to here
        "第七章里那封没寄出的信",
        "第三回合结束了",
        "第一节课",
        "第二集团军",
        "第一回见到她",
        "第三章、第四章都丢了",
        "第三章 完",
        "12 岁那年他离开",
        "12:30",
        "2008年",
        "尾声渐远",
        "……",
        "Part one of the plan was done.",
        "Chapter 12 was missing.",
        "Season 3 was bad",
        "3 days later",
        "C. S. Lewis",
        "V for Vendetta",
        "The End",
        "",
    ],
)
def test_prose_is_not_a_heading(line: str) -> None:
    assert parse_heading(line) is None


def test_a_printed_list_of_contents_is_front_matter() -> None:  # case G08
    names = ["夜航", "渡口", "旧友", "灯", "空城", "潮"]
    numbers = "一二三一二三"
    lines = [f"第{number}章 {name}" for number, name in zip(numbers, names, strict=True)]
    contents = ["目录", "第一卷 风起", *lines[:3], "第二卷 归航", *lines[3:]]
    bodies = [f"{line}\n\n雪停了。\n" for line in lines]
    text = "\n".join([*contents, "", "第一卷 风起", *bodies[:3], "第二卷 归航", *bodies[3:]])
    pieces = split(text).pieces
    assert [piece.heading.kind for piece in pieces] == ["volume", *["chapter"] * 3, "volume", *["chapter"] * 3]
    assert [piece.heading.title for piece in pieces if piece.heading.kind == "chapter"] == names
    assert split(text).front.strip() == "\n".join(contents)


def test_unsure_headings_count_only_in_company() -> None:
    text = "一\n\n雪停了。\n\n二\n\n灯灭了。\n\n三\n\n门开了。\n"
    assert [piece.heading.number for piece in split(text).pieces] == [1, 2, 3]
    assert len(split("第一章 雪\n\n" + text).pieces) == 1
    assert split("雪停了。\n\n十二\n\n灯灭了。").pieces == []
    roman = "I\n\nSnow.\n\nII\n\nI\n\nwas late.\n\nIII\n\nRain."
    assert [piece.heading.number for piece in split(roman).pieces] == [1, 2, 3]


def test_a_heading_printed_twice_is_one() -> None:
    parted = split("第一章 雪\n第一章 雪\n\n雪停了。\n\n第一章雪\n\n灯灭了。\n第二章 灯\n\n门开了。")
    assert [piece.heading.number for piece in parted.pieces] == [1, 2]
    assert "灯灭了" in parted.prose(parted.pieces[0])
