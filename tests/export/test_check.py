"""Every coded export check has a manuscript that trips it and one that does not."""

from __future__ import annotations

import pytest

from inkos.export.check import check
from inkos.export.manuscript import ManuscriptChapter
from inkos.messages import Language
from tests.export.books import WORDS, book, hard_book


def test_a_sound_manuscript_has_no_findings() -> None:
    assert check(book("en")) == check(book("zh")) == ()


def test_a_manuscript_without_chapters_blocks() -> None:
    (finding,) = check(book("en").model_copy(update={"chapters": ()}))
    assert (finding.code, finding.severity, finding.path) == ("export-001", "blocking", "book")


def test_a_missing_book_title_is_named() -> None:
    assert [f.code for f in check(book("en", title=" \x00"))] == ["export-002", "export-005"]


def test_an_empty_chapter_is_named_by_its_place_and_title() -> None:
    (finding,) = check(book("zh", ManuscriptChapter(title="灯", text="x"), ManuscriptChapter(title="渡", text=" \n　")))
    assert (finding.code, finding.path) == ("export-003", "chapters[2]")
    assert finding.values == {"chapter": "2", "title": "渡"}


def test_a_chapter_without_any_heading_is_named() -> None:
    (finding,) = check(book("en", ManuscriptChapter(title=" ", text="x")))
    assert (finding.code, finding.path) == ("export-004", "chapters[1]")


def test_removed_characters_are_counted_by_chapter() -> None:
    chapters = ManuscriptChapter(title="A\x08", text="a\x0bb\x00c\uffff"), ManuscriptChapter(title="B", text="b")
    (finding,) = check(book("en", *chapters))
    assert (finding.code, finding.severity, finding.path) == ("export-005", "info", "chapters[1]")
    assert finding.values == {"count": "4", "title": "A"}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_finding_can_be_said(language: Language) -> None:
    found = (*check(hard_book(language)), *check(book(language, ManuscriptChapter(text=""), title="")))
    assert {f.code for f in found} == {"export-002", "export-003", "export-004", "export-005"}
    for finding in found:
        for part in ("wrong", "settle"):
            assert WORDS[language].say(f"findings.{finding.code}.{part}", **finding.values)
