"""Laws and cases of measuring repetition."""

from __future__ import annotations

import pytest
from hypothesis import given

from inkos.messages import Language
from inkos.text.repeat import loop_start, repeated_paragraphs, repeated_sentences, reused, shingles
from inkos.text.split import split
from tests.data import shared
from tests.text.texts import prose


@given(prose("zh"), prose("zh"))
def test_the_share_is_between_nothing_and_all(text: str, other: str) -> None:
    assert 0.0 <= reused(text, [shingles(other, "zh")], "zh") <= 1.0


@given(prose("zh"))
def test_a_chapter_told_again_is_reused_whole(text: str) -> None:
    own = shingles(text, "zh")
    assert reused(text, [own], "zh") == (1.0 if own else 0.0)
    assert reused(text, [], "zh") == 0.0


@given(prose("en"))
def test_setting_and_case_do_not_matter(text: str) -> None:
    assert shingles(text.upper().replace("'", "’").replace(".", "!"), "en") == shingles(text, "en")


def test_shingles_are_the_same_in_every_process() -> None:
    assert shingles("雪停了街上没有一个行人走", "zh") == {13889889957344191897}
    assert shingles("The snow had stopped; nobody came.", "en") == {9307690795483679323}


def test_the_unit_is_twelve_characters_or_six_words() -> None:
    assert len(shingles("一二三四五六七八九十甲乙", "zh")) == 1
    assert shingles("一二三四五六七八九十甲", "zh") == set()
    assert len(shingles("one two three four five six", "en")) == 1
    assert shingles("one two three four five", "en") == set()


SCENE = "他把三十两银子放在桌上，一枚一枚数过去，数到第二十七枚时停了手。"


def test_a_paragraph_told_twice_is_found_also_nearly_word_for_word() -> None:
    again = SCENE.replace("停了手", "收了手")
    text = f"{SCENE}\n\n“是。”\n\n门外有人咳了一声，没有进来，脚步又慢慢远了。\n\n“是。”\n\n{again}"
    assert [span.text for span in repeated_paragraphs(text)] == [again]


def test_a_sentence_told_twice_is_found_in_other_setting_too() -> None:
    text = f"{SCENE}雪停了。{SCENE.replace('，', ',')}雪停了。"
    assert [span.start for span in repeated_sentences(text, "zh")] == [len(SCENE) + 4]
    assert repeated_sentences("He nodded. She left. He nodded.", "en") == []


@pytest.mark.reads_data
def test_a_published_novel_hardly_repeats_itself() -> None:
    novel = split(shared("pd-novels-en/wodehouse_love-among-the-chickens.txt").read_text(encoding="utf-8"))
    chapters = [novel.prose(piece) for piece in novel.pieces]
    earlier: list[set[int]] = []
    shares = []
    for chapter in chapters:
        shares.append(reused(chapter, earlier, "en"))
        earlier.append(shingles(chapter, "en"))
    assert len(chapters) > 20
    assert max(shares) < 0.01
    assert not any(repeated_paragraphs(chapter) for chapter in chapters)


@given(prose("zh"), prose("en"))
def test_what_a_draft_says_only_once_is_no_loop(zh: str, en: str) -> None:
    texts: tuple[tuple[str, Language], ...] = ((zh, "zh"), (en, "en"))
    for text, language in texts:
        start = loop_start(text, language)
        assert start is None or (0 <= start < len(text) and len(text[start:]) > 200)


@pytest.mark.parametrize("turns", [8, 40])
def test_a_draft_that_goes_round_ends_where_it_begins_to(turns: int) -> None:
    story = " ".join(f"{who} sold {what} at the {where}." for who, what, where in STALLS)
    round_ = "The journey was far from over, and she knew that the road ahead would be long and full of choices. "
    start = loop_start(f"{story} {round_ * turns}", "en")
    assert start is not None and len(story) <= start <= len(story) + 2 * len(round_)
    assert loop_start(story, "en") is None


STALLS = [
    (who, what, where)
    for who, where in (("Ada", "mill"), ("Tom", "ferry"), ("Hale", "inn"), ("Mrs. Dunn", "lock"), ("Cobb", "fair"))
    for what in ("eels", "two ropes", "a lame mule", "salt by weight", "the last candles", "nails", "her best coat")
]


@pytest.mark.reads_data
def test_no_published_chapter_is_a_loop() -> None:
    books: tuple[tuple[Language, str], ...] = (("en", "dickens_great-expectations.txt"), ("zh", "luxun_nahan.txt"))
    for language, name in books:
        text = shared(f"pd-novels-{language}/{name}").read_text("utf-8-sig")
        parted = split(text)
        assert all(loop_start(parted.prose(piece), language) is None for piece in parted.pieces[:30])
