"""The table over many chapters: its laws, and where chapters begin."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.adapters.package_data import gate_tables
from inkos.gates.across import Volume, shared_between
from inkos.gates.check import HouseLists
from inkos.gates.survey import Chapter, chapters_of, language_of_all, sparkline, survey
from tests.hosts.surveyed_texts import MODEL_EN, PLAIN_EN, novel

EN = HouseLists.build(gate_tables()["en"])
sentences = st.sampled_from([*PLAIN_EN.split("\n\n"), *MODEL_EN.split("\n\n"), "“Go,” he said.", "[Level: 3]"])
texts = st.lists(sentences, min_size=1, max_size=6).map("\n\n".join)


@given(st.lists(texts, min_size=1, max_size=4))
def test_what_stands_before_judges_a_chapter_and_nothing_after_it_does(chapters: list[str]) -> None:
    whole = survey([Chapter(str(n), text) for n, text in enumerate(chapters)], "en", EN)
    first = survey([Chapter("0", chapters[0])], "en", EN)
    assert whole.chapters[0] == first.chapters[0]
    assert len(whole.chapters) == len(chapters)
    assert all(len(values) == len(chapters) for values in whole.trend.values())


@given(st.lists(texts, min_size=1, max_size=3))
def test_the_worst_passages_stand_in_their_chapters(chapters: list[str]) -> None:
    found = survey([Chapter(str(n), text) for n, text in enumerate(chapters)], "en", EN)
    assert all(passage.quote in chapters[passage.chapter - 1] for passage in found.worst)


@given(st.lists(st.floats(0, 1e6), max_size=300), st.integers(1, 80))
def test_a_sparkline_is_never_wider_than_asked(values: list[float], width: int) -> None:
    line = sparkline(values, width)
    assert len(line) <= width
    assert bool(line) == bool(values)


def test_a_text_is_parted_at_its_headings_and_one_without_them_is_one_chapter() -> None:
    assert [c.title for c in chapters_of([("n", novel(PLAIN_EN, MODEL_EN))])] == ["Chapter 1", "Chapter 2"]
    assert [c.title for c in chapters_of([("a", PLAIN_EN), ("b", "# Rain\n\nIt rained.")])] == ["a", "Rain"]


def test_the_language_is_that_of_most_of_the_text() -> None:
    assert language_of_all([Chapter("", "他收到三条消息。"), Chapter("", PLAIN_EN)]) == "en"
    assert language_of_all([Chapter("", "他收到三条消息，又看了一遍，没有回。")]) == "zh"


def test_a_panel_that_comes_again_is_no_repetition() -> None:
    panel = "\n".join(f"[Stat number {n} of the brave little miller is now: {n}]" for n in range(40))
    chapters = [Chapter(str(n), f"{part}\n\n{panel}") for n, part in enumerate(PLAIN_EN.split("\n\n")[:2])]
    assert survey(chapters, "en", EN).codes == ()


def test_books_share_names_titles_openings_and_passages_but_a_series_may_share_its_names() -> None:
    one = Volume("one", "en", ("Tom Dunn",), (("Rain", PLAIN_EN),))
    two = Volume("two", "en", ("Tom Dunn",), (("rain", PLAIN_EN),))
    assert {item.kind for item in shared_between([one, two])} == {"name", "title", "opening", "passage"}
    series = [volume._replace(series="Mill") for volume in (one, two)]
    assert "name" not in {item.kind for item in shared_between(series)}
    assert not list(shared_between([one, Volume("three", "en", ("Ann",), (("Sun", MODEL_EN),))]))


def test_a_chapter_file_of_our_own_is_read_without_its_heading() -> None:
    text = "# The Notice\n\n" + "Ada walked behind the cart as far as the trough. " * 60
    (only,) = chapters_of([("0001", text)])
    assert only.title == "The Notice" and not only.text.startswith("#")
