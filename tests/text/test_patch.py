"""Laws and cases of patches."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.text.patch import Edit, apply
from inkos.text.quotes import find
from tests.text.texts import messy, prose

edits_of_anything = st.lists(st.builds(Edit, messy, messy), max_size=4)


@given(st.data(), prose("zh") | prose("en"))
def test_nothing_outside_the_applied_passages_changes(data: st.DataObject, text: str) -> None:
    places = data.draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(1, 12)), max_size=5))
    edits = [Edit(text[at : at + size].strip(), data.draw(messy)) for at, size in places]
    done = apply(text, edits)
    expected = text
    for (start, end), new in sorted(((find(edits[i].old, text)[0], edits[i].new) for i in done.applied), reverse=True):
        expected = expected[:start] + new + expected[end:]
    assert done.text == expected


@given(messy, edits_of_anything)
def test_every_edit_is_applied_or_refused_once(text: str, edits: list[Edit]) -> None:
    done = apply(text, edits)
    assert sorted([*done.applied, *(refusal.index for refusal in done.refused)]) == list(range(len(edits)))
    if not done.applied:
        assert done.text == text


@given(messy, edits_of_anything)
def test_only_passages_that_stand_once_are_applied(text: str, edits: list[Edit]) -> None:
    done = apply(text, edits)
    assert all(len(find(edits[index].old, text)) == 1 for index in done.applied)
    for refusal in done.refused:
        places = len(find(edits[refusal.index].old, text))
        right = {"absent": places == 0, "empty": places == 0, "ambiguous": places > 1, "overlap": places == 1}
        assert right[refusal.reason]


CHAPTER = "雪停了。老周把三十两银子放在桌上。\n\n“走吧，”他说。灯灭了。\n\n她没有动。灯灭了。"


def test_a_passage_that_is_absent_is_refused_with_the_nearest_sentences() -> None:
    done = apply(CHAPTER, [Edit("老周把四十两银子搁在桌上。", "")])
    assert done.text == CHAPTER
    assert (done.refused[0].reason, done.refused[0].candidates[0]) == ("absent", "老周把三十两银子放在桌上。")


def test_a_passage_that_stands_twice_is_refused_with_both_places() -> None:
    done = apply(CHAPTER, [Edit("灯灭了。", "灯亮了。")])
    assert done.text == CHAPTER
    assert done.refused[0].reason == "ambiguous"
    assert done.refused[0].candidates == ["“走吧，”他说。灯灭了。", "她没有动。灯灭了。"]


def test_a_passage_that_differs_only_in_its_marks_is_replaced() -> None:
    assert apply(CHAPTER, [Edit('"走吧,"他说.', "“走。”")]).text == CHAPTER.replace("“走吧，”他说。", "“走。”")


def test_of_two_that_overlap_the_first_given_is_made() -> None:
    done = apply(CHAPTER, [Edit("三十两银子", "四十两"), Edit("老周把三十两", "x"), Edit("雪停了。", "")])
    assert done.applied == [0, 2]
    assert [(refusal.index, refusal.reason) for refusal in done.refused] == [(1, "overlap")]
    assert done.text.startswith("老周把四十两放在桌上。")


def test_neighbours_do_not_overlap() -> None:
    assert apply("雪停了。灯灭了。", [Edit("灯灭了。", "乙"), Edit("雪停了。", "甲")]).text == "甲乙"


def test_blanks_around_a_passage_are_not_doubled() -> None:
    assert apply("One. Two. Three.", [Edit(" Two. ", " 2. ")]).text == "One. 2. Three."
