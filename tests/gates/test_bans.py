"""The author's bans: exact, and never a way to make the program run for ever."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.config import StyleConfig
from inkos.errors import UsageFault
from inkos.gates.bans import compile_ban, patterns, title_ban, words
from inkos.gates.check import CheckContext, HouseLists
from inkos.messages import Language


def context(language: Language = "en", **style: Any) -> CheckContext:
    return CheckContext(language=language, target=100, lists=HouseLists(), style=StyleConfig(**style))


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b", "(a*)*", "(?:ab?)*c", "(a|a)+b", r"(\w+\s?){1,9}x", "((ab){1,3}){2}", "x*", "a?" * 17, "[", "(",
        ".*.*.*x", "x" * 201, "(?P<a>b+)+", "a{2,1}", "",
    ],
)  # fmt: skip
def test_a_pattern_that_cannot_be_used_is_a_usage_fault(pattern: str) -> None:
    with pytest.raises(UsageFault) as caught:
        compile_ban(pattern, "books/x/book.yaml")
    assert caught.value.code == "ban-pattern" and caught.value.where == "books/x/book.yaml"
    assert set(caught.value.values) == {"pattern", "detail"}


@pytest.mark.parametrize(
    "pattern",
    ["不是[^，。]{1,12}，而是", "不是.*而是", r"\bnot (?:just |only )?\w+ but\b", r"[*+?]x", r"a\*b\+", "(ab)?c",
     "x{2}y", "(?<!不)是的", "[^]]+x", "(?i:thing)s?", "a{,}b", r"^The \w+ of \w+$"],
)  # fmt: skip
def test_common_patterns_compile(pattern: str) -> None:
    assert compile_ban(pattern).pattern == pattern


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(st.text("ab(|)*+?{1,2}[^].\\", max_size=14))
def test_whatever_compiles_is_bounded(pattern: str) -> None:
    try:
        compiled = compile_ban(pattern)
    except UsageFault:
        return
    compiled.search("ab" * 12)
    assert re.compile(pattern)


@pytest.mark.parametrize(
    ("language", "ban", "text", "times"),
    [
        ("en", "suddenly", "Suddenly it stopped. SUDDENLY.", 2),
        ("en", "art", "The start of the party.", 0),
        ("en", "couldn't help", "She couldn’t help it.", 1),
        ("en", "couldn’t help", "She couldn't\nhelp it.", 1),
        ("en", "a.b", "aXb a.b", 1),
        ("zh", "突然", "他突然站住，突然又走。", 2),
        ("zh", "AI", "他用AI写，不写MAIL。", 1),
    ],
)
def test_words_are_found_exactly(language: Language, ban: str, text: str, times: int) -> None:
    found = words(text, context(language, bans=(ban,)))
    assert [f.actual for f in found] == ([str(times)] if times else [])
    assert all(f.blocking for f in found)


def test_each_ban_is_a_finding_of_its_own() -> None:
    found = words("He suddenly smiled.", context(bans=("suddenly", "smiled", "wept", "suddenly", " ")))
    assert [f.place for f in found] == [("prose-001", "suddenly"), ("prose-001", "smiled")]


def test_a_pattern_is_matched_inside_a_paragraph_only() -> None:
    found = patterns("不是锁。\n\n而是门闩。", context("zh", ban_patterns=("不是.*而是",)))
    assert found == []


def test_a_very_long_paragraph_is_matched_sentence_by_sentence() -> None:
    long = "他走了过去。" * 500 + "不是锁，而是门闩。"
    (finding,) = patterns(long, context("zh", ban_patterns=("不是[^。]{1,9}而是",)))
    assert [long[q.start : q.end] for q in finding.quotes] == ["不是锁，而是"]


def test_titles() -> None:
    assert title_ban("灯塔与旧潮", ("^.+与.+$",)) == "^.+与.+$"
    assert title_ban("旧潮", ("^.+与.+$",)) == ""


def test_no_bans_no_findings() -> None:
    assert words("anything", context()) == [] and patterns("anything", context()) == []
