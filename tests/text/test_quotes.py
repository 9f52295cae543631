"""Laws and cases of looking up quotes."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inkos.text.fold import fold
from inkos.text.quotes import Haystack, find, nearest
from inkos.text.variants import SIMPLIFIED, TRADITIONAL
from tests.text.texts import EN_WORDS, ZH_WORDS, messy, prose


@given(messy, messy)
def test_what_is_found_is_the_quote_but_for_its_setting(quote: str, text: str) -> None:
    for start, end in find(quote, text):
        assert 0 <= start < end <= len(text)
        assert fold(text[start:end]).text == fold(quote).text


@given(st.data(), prose("zh"))
def test_every_stretch_of_a_chinese_text_is_found_where_it_stands(data: st.DataObject, text: str) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 60)))
    quote = text[start:end]
    assume(quote.strip() and not re.search(r"^[A-Za-z0-9]|[A-Za-z0-9]$", quote))
    assert any(start <= a and b <= end for a, b in find(quote, text))


@given(st.data(), st.lists(st.sampled_from(EN_WORDS), min_size=1, max_size=30))
def test_every_run_of_english_words_is_found_where_it_stands(data: st.DataObject, words: list[str]) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    text = " ".join(words)
    at = len(" ".join([*words[:start], ""]))
    quote = " ".join(words[start:end])
    assert (at, at + len(quote)) in find(quote, text)


@given(prose("zh"), st.lists(st.sampled_from(ZH_WORDS), min_size=2, max_size=8), st.data())
def test_setting_does_not_hide_a_quote(before: str, words: list[str], data: st.DataObject) -> None:
    text = f"{before}\n\n{''.join(words)}——“真的……”她说：「不」。"
    other = "".join(words) + '--"真的..."她说:“不”.'
    spread = data.draw(st.sampled_from(["", " ", "\n\n", "\u3000"])).join(["", *re.findall(r"[A-Za-z0-9]+|.", other)])
    assert (len(before) + 2, len(text)) in find(spread, text)


@given(prose("en"), st.integers(0, 200))
def test_a_dropped_word_is_never_bridged(text: str, at: int) -> None:
    words = text.split()
    assume(len(words) >= 3)
    middle = 1 + at % (len(words) - 2)
    assert find(" ".join([*words[:middle], *words[middle + 1 :]]), text) == [] or words[middle] in (
        words[middle - 1],
        words[middle + 1],
    )


@given(prose("zh"), prose("en"))
def test_an_added_word_is_never_bridged(chinese: str, english: str) -> None:
    assert find(chinese[:5] + "绝不" + chinese[5:], chinese) == []
    head, _, tail = english.partition(" ")
    assert find(f"{head} never {tail}", english) == []


@given(messy, st.lists(messy, max_size=4))
def test_one_prepared_text_answers_as_many_single_look_ups(text: str, quotes: list[str]) -> None:
    haystack = Haystack(text)
    assert [haystack.find(quote) for quote in quotes] == [find(quote, text) for quote in quotes]


@given(st.text(alphabet=" \n\u3000\t\u200b\ufeff", max_size=5), messy)
def test_an_empty_quote_is_found_nowhere(quote: str, text: str) -> None:
    assert find(quote, text) == []


@given(messy)
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@given(messy)
def test_folding_keeps_the_way_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts)
    assert folded.starts == sorted(folded.starts)
    assert all(0 <= start < len(text) for start in folded.starts)


def test_every_traditional_form_is_found_by_its_simplified_one_and_back() -> None:
    assert len(TRADITIONAL) == len(SIMPLIFIED) == len(set(TRADITIONAL))
    assert not set(TRADITIONAL) & set(SIMPLIFIED)
    assert find(SIMPLIFIED, f"x{TRADITIONAL}x") == [(1, 1 + len(TRADITIONAL))]
    assert find(TRADITIONAL, f"x{SIMPLIFIED}x") == [(1, 1 + len(SIMPLIFIED))]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("他說：「走吧」。", "他说：“走吧”。"),
        ("He can't have gone.", "He can’t have\ngone."),
        ("雪停了。他推开门", "雪停了。\n\n　　他推开门"),
        ("收到3条WeChat消息", "收到 ３ 条 WeChat 消息"),
        ("wait . . . no -- never", "wait… no—never"),
        ("等等。。。好吧", "等等……好吧"),
        ("the café", "the cafe\u0301"),
        ("forty-two", "forty‑two"),
        ("不", "不"),
    ],
)
def test_the_same_words_are_found_in_another_setting(quote: str, text: str) -> None:
    assert find(quote, text) == [(0, len(text))]
    assert find(text, quote) == [(0, len(quote))]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("the cat", "the cathedral"),
        ("He owed forty", "He owed forty-two."),
        ("I can", "I can’t."),
        ("paid 1", "paid 1,220"),
        ("rapist", "therapist"),
        ("no where", "nowhere"),
        ("nowhere", "no where"),
        ("他来了…就走", "他来了，坐下就走"),
        ("他没有走", "他没走"),
        ("he came", "He came"),
    ],
)
def test_other_words_are_not_found(quote: str, text: str) -> None:
    assert find(quote, text) == []


def test_every_place_is_found_also_where_they_overlap() -> None:
    assert find("哈哈", "哈哈哈") == [(0, 2), (1, 3)]
    assert find("he said", "he said, he said") == [(0, 7), (9, 16)]


def test_the_nearest_sentences_come_best_first_and_are_verbatim() -> None:
    text = "灯灭了。老周把三十两银子放在桌上。雪停了，街上没有人。"
    assert nearest("老周将三十两银子搁在桌上", text, limit=1) == ["老周把三十两银子放在桌上。"]
    assert nearest("", text) == []
    assert nearest("zebra", text) == []
