"""The outer judge of EPUB files finds nothing to say about ours, and something about a broken one (H07)."""

from __future__ import annotations

import io
import zipfile

import pytest

from inkos.adapters.epubcheck import EpubReport, check
from inkos.export.epub import to_epub
from inkos.export.manuscript import Cover
from inkos.messages import Language
from tests.export.books import PIXEL, WORDS, full_book, hard_book


def judged(epub: bytes) -> EpubReport:
    report = check(epub)
    if report is None:
        pytest.skip("epubcheck needs Java")
    return report


@pytest.mark.parametrize("language", ["en", "zh"])
def test_epubcheck_has_no_error_and_no_warning(language: Language) -> None:
    """One run a language, since each takes seconds; the book holds every hard case."""
    # The Chinese one has a given cover, the English one the typographic.
    manuscript = full_book(language)
    if language == "zh":
        manuscript = manuscript.model_copy(update={"cover": Cover(content=PIXEL, media_type="image/png")})
    report = judged(to_epub(manuscript, WORDS[language]))
    assert (report.errors, report.warnings, report.lines) == (0, 0, ())


def test_a_broken_file_is_reported_with_code_and_place() -> None:
    whole = to_epub(hard_book("en"), WORDS["en"])
    broken = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as source, zipfile.ZipFile(broken, "w") as target:
        for name in source.namelist():
            if name != "EPUB/chapter-0002.xhtml":
                target.writestr(name, source.read(name))
    report = judged(broken.getvalue())
    assert report.errors > 0
    assert any(message.code.startswith("RSC-") and message.place for message in report.messages)
    assert len(report.lines) == report.errors + report.warnings
