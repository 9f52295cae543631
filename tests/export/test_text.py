"""Markdown and plain text leave every character of the prose where it is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.export.manuscript import ManuscriptChapter
from inkos.export.text import to_markdown, to_text
from tests.export.books import EN_PROSE, WORDS, ZH_PROSE, book, hard_book


@given(st.text(alphabet=st.sampled_from("a雪 #*_<&>　\n"), max_size=80))
def test_prose_is_byte_equal_in_both_formats(prose: str) -> None:
    manuscript = book("en", ManuscriptChapter(title="One", text=prose), ManuscriptChapter(title="Two", text="end"))
    for write in (to_markdown, to_text):
        written = write(manuscript, WORDS["en"])
        assert prose.strip("\n") in written and written.endswith("end\n")


def test_markdown_nests_volumes_and_marks_drafts() -> None:
    lines = to_markdown(hard_book("zh"), WORDS["zh"]).split("\n")
    headings = [line for line in lines if line.startswith("#")]
    assert headings == [
        "# 盐 & 铁 <上卷>",
        "### 序章　& <gate>",
        "## I <上>",
        "### 01",
        "### 第 2 章：风?",
        "## II & 下",
        "### 第三章　Cafe\u0301",
        "### 第四章（草稿）",
    ]
    assert WORDS["zh"].say("export.draft") in lines and WORDS["zh"].say("export.rehearsal") in lines


def test_a_flat_book_has_one_level_of_chapter_headings() -> None:
    headings = [line for line in to_markdown(book("en"), WORDS["en"]).split("\n") if line.startswith("#")]
    assert headings == ["# Lantern Street", "## One", "## One"]


def test_plain_text_has_no_marks_of_its_own() -> None:
    written = to_text(book("zh"), WORDS["zh"])
    assert written == f"青灯\n\n沈青\n\n一\n\n{ZH_PROSE}\n\n一\n\n{ZH_PROSE}\n"
    assert "#" not in to_text(book("en"), WORDS["en"]) and EN_PROSE in to_text(book("en"), WORDS["en"])
