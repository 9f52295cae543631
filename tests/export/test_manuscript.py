"""Illegal characters, numbering and grouping of chapters (H03, H06)."""

from __future__ import annotations

import re
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.errors import InkosError
from inkos.export.manuscript import (
    ManuscriptChapter,
    by_volume,
    chinese_number,
    cover_of,
    heading,
    identifier_for,
    normalise,
    numbered,
    series_line,
)
from tests.export.books import PIXEL, WORDS, book

ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=80)
XML_CHARACTER = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


def chapter(title: str = "", **fields: object) -> ManuscriptChapter:
    return ManuscriptChapter.model_validate({"title": title, "text": "x", **fields})


@given(ANY)
def test_what_is_left_can_stand_in_any_xml_file(text: str) -> None:
    clean, _ = normalise(text)
    assert XML_CHARACTER.fullmatch(clean) and "\r" not in clean
    clean.encode()


@given(ANY)
def test_normalising_twice_removes_nothing_more(text: str) -> None:
    clean, removed = normalise(text)
    assert normalise(clean) == (clean, 0)
    newlines = len(re.findall("\r\n", text))
    assert len(clean) == len(text) - removed - newlines


def test_control_characters_are_counted_and_all_else_stays() -> None:
    assert normalise("a\x00b\x0bc\uffffd\x08") == ("abcd", 4)
    assert normalise("é 雪 \t e\u0301 👩\u200d🚀") == ("é 雪 \t e\u0301 👩\u200d🚀", 0)


@given(st.integers(1, 99_999_999))
def test_chinese_numbers_are_read_back_as_the_same_number(number: int) -> None:
    def value(text: str) -> int:
        total, digit = 0, 0
        for c in text:
            if c in "十百千":
                total, digit = total + max(digit, 1) * {"十": 10, "百": 100, "千": 1000}[c], 0
            elif c != "零":
                digit = "一二三四五六七八九".index(c) + 1
        return total + digit

    high, _, low = chinese_number(number).rpartition("万")
    assert value(high) * 10_000 + value(low) == number


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "一"), (10, "十"), (12, "十二"), (20, "二十"), (101, "一百零一"), (110, "一百一十"), (10_001, "一万零一")],
)
def test_chinese_numbers_read_as_people_write_them(number: int, text: str) -> None:
    assert chinese_number(number) == text


def test_chapters_are_numbered_and_those_that_name_themselves_keep_their_words() -> None:
    chapters = [chapter("雪夜", label="序章"), chapter("灯"), chapter("第 2 章：风?"), chapter("渡"), chapter("尾声")]
    entries = [heading(c, n, WORDS["zh"]) for n, c in enumerate(numbered(chapters, WORDS["zh"]), 1)]
    assert entries == ["序章　雪夜", "第一章　灯", "第 2 章：风?", "第三章　渡", "尾声"]
    english = [chapter("Prologue"), chapter("Ash"), chapter("01"), chapter("")]
    entries = [heading(c, n, WORDS["en"]) for n, c in enumerate(numbered(english, WORDS["en"]), 1)]
    assert entries == ["Prologue", "Chapter 1: Ash", "01", "Chapter 3"]


def test_a_draft_is_marked_in_the_contents() -> None:
    assert heading(chapter("Ash", draft=True), 1, WORDS["en"]) == "Ash (draft)"
    assert heading(chapter("灯", draft=True), 1, WORDS["zh"]) == "灯（草稿）"


def test_volumes_are_runs_of_chapters_in_order() -> None:
    volumes = [chapter("a"), chapter("b", volume="I"), chapter("c", volume="I"), chapter("d", volume="II")]
    grouped = [(volume, [(n, c.title) for n, c in chapters]) for volume, chapters in by_volume(volumes)]
    assert grouped == [("", [(1, "a")]), ("I", [(2, "b"), (3, "c")]), ("II", [(4, "d")])]


def test_an_identifier_is_a_lasting_uuid() -> None:
    name = identifier_for("qingdeng", "沈青")
    assert name == identifier_for("qingdeng", "沈青") != identifier_for("qingdeng", "")
    assert str(uuid.UUID(name.removeprefix("urn:uuid:"))) == name.removeprefix("urn:uuid:")


def test_a_cover_is_known_by_its_bytes_and_not_by_its_name() -> None:
    assert cover_of(PIXEL, "cover.jpg").media_type == "image/png"
    assert cover_of(b"\xff\xd8\xff\xe0", "cover.png").media_type == "image/jpeg"
    with pytest.raises(InkosError) as refused:
        cover_of(b"<svg/>", "cover.svg")
    assert refused.value.code == "export-cover" and refused.value.where == "cover.svg"


def test_a_series_place_is_written_in_the_books_language() -> None:
    whole = {"name": "临江旧事", "position": 2}
    half = {"name": "Harbour", "position": 1.5}
    assert series_line(book("zh", series=whole), WORDS["zh"]) == "临江旧事 · 第二部"
    assert series_line(book("en", series=half), WORDS["en"]) == "Harbour, book 1.5"
    assert series_line(book("en"), WORDS["en"]) == ""
