"""The typographic cover keeps within its frame, whatever the title."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.export.cover import HEIGHT, LEADING, MARGIN, WIDTH, cover_svg, fit, width
from inkos.messages import Language
from tests.export.books import WORDS, book

MIXED = st.sampled_from("青灯街，《》“”…—：（） aAmW1.-&<>")
TITLE = st.text(alphabet=MIXED, min_size=1, max_size=240).filter(str.strip)


@given(TITLE)
def test_lines_fit_their_box_and_lose_nothing_but_blanks(title: str) -> None:
    fitted = fit(title, 210, 44, 1200, 760)
    assert all(width(line) * fitted.size <= 1200 * 1.001 for line in fitted.lines)
    assert len(fitted.lines) * fitted.size * LEADING <= 760
    whole, set_ = "".join(title.split()), "".join("".join(fitted.lines).split())
    assert set_ == whole or (set_.endswith("…") and fitted.size == 44)


@pytest.mark.parametrize(("language", "title"), [("zh", "那条街的灯笼" * 40), ("en", "A Long Title of Words " * 11)])
def test_a_title_of_240_characters_stays_inside_the_frame(language: Language, title: str) -> None:
    picture = ElementTree.fromstring(cover_svg(book(language, title=title[:240].strip()), WORDS[language]))
    lines = [text for text in picture.iter("{http://www.w3.org/2000/svg}text") if text.text]
    assert len(lines) > 3
    for line in lines:
        size = float(line.get("font-size") or 0)
        assert width(line.text or "") * size <= WIDTH - 2 * MARGIN + size
        assert size <= float(line.get("y") or 0) <= HEIGHT - MARGIN


def test_a_line_does_not_begin_with_a_closing_mark_or_end_with_an_opening_one() -> None:
    for title in ("他推开门，雪已经停了。" * 8, "盐《铁》盐《铁》" * 10):
        for line in fit(title, 260, 44, 1200, 760).lines:
            assert line[0] not in "，。》" and line[-1] not in "《"


def test_words_are_not_cut() -> None:
    title = "The Lamplighter's Ledger: Being a True Account of Lantern Street"
    assert " ".join(fit(title, 210, 44, 1200, 760).lines) == title


def test_author_series_and_title_stand_on_the_cover() -> None:
    picture = ElementTree.fromstring(cover_svg(book("zh", series={"name": "临江旧事", "position": 2}), WORDS["zh"]))
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["青灯", "沈青", "临江旧事 · 第二部"]
