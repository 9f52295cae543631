"""What a book does again and again: laws, and what is no habit."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.gates.habits import FEWEST, habits
from inkos.messages import Language

PEN = "She clicked her pen three times and looked up."
words = st.lists(st.sampled_from(["he", "she", "took", "the pen", "down", "and", "three"]), max_size=12).map(" ".join)


@given(st.lists(words, max_size=12))
def test_no_habit_has_fewer_chapters_than_it_needs_and_none_more_than_there_are(texts: list[str]) -> None:
    for habit in habits(texts, "en", ""):
        assert FEWEST[habit.kind] <= habit.chapters <= habit.of <= 10


@given(st.lists(words, max_size=12))
def test_only_the_last_ten_chapters_count(texts: list[str]) -> None:
    assert habits(texts, "en", "") == habits(texts[-10:], "en", "")


def test_a_gesture_is_told_once_and_with_its_number() -> None:
    found = habits([f"{PEN} {n} men came." for n in ("One", "Two", "Three", "Four", "Five")], "en", "")
    assert [h.kind for h in found].count("phrase") == 1
    assert next(h for h in found if h.kind == "phrase").chapters == 5
    assert next(h for h in found if h.kind == "opening").words == "she clicked"


def test_what_people_say_what_they_are_called_and_what_every_novel_says_is_no_habit() -> None:
    said = [f"“Mind the step, young man, as always,” said {who}." for who in ("Ann", "Tom", "Sam", "Joe")]
    assert [h for h in habits(said, "en", "") if h.kind == "phrase"] == []
    named = ["Old Tom Dunn of Hale came."] * 4
    usual = "old tom dunn of|tom dunn of hale|dunn of hale came"
    assert [h for h in habits(named, "en", usual) if h.kind == "phrase"] == []
    assert [h for h in habits(named, "en", "", ("Tom Dunn",)) if h.kind == "phrase"] == []


def test_likenesses_and_endings_are_seen_in_both_languages() -> None:
    zh = [f"{n}他像一块石头一样站着。她走了。" for n in ("早上", "中午", "晚上")]
    en = [f"{n} he stood like a wet stone. She had gone." for n in ("Early", "Late", "Again")]
    for texts, language in ((zh, "zh"), (en, "en")):
        kinds = {h.kind for h in habits(texts, as_language(language), "")}
        assert {"simile", "ending"} <= kinds


def as_language(name: str) -> Language:
    return "zh" if name == "zh" else "en"
