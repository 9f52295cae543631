"""Openings in pairs: a judge's taste for a side cancels, the better share goes on, nobody is judged by nobody."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from inkos.cycle.openings import Duel, pairs, ranked
from inkos.prompts.duel import DuelVerdict, read_duel

BOOKS = st.integers(1, 12).map(lambda count: [f"b{n}" for n in range(count)])


def duels(books: list[str], better: dict[str, float], bias: int = 0) -> list[Duel]:
    """Both orders of each pair by true worth; `bias`: what the first place is worth to this judge."""
    made = []
    for one, two in pairs(books):
        for first, second in ((one, two), (two, one)):
            lead = better[first] - better[second] + bias
            side = "first" if lead > 0 else "second" if lead < 0 else "even"
            made.append(Duel(first=first, second=second, verdict=DuelVerdict.model_validate(
                {"better": side, "margin": min(3, round(abs(lead))), "why": f"{first} {second}"})))  # fmt: skip
    return made


@given(BOOKS)
def test_everybody_meets_others_equally_often_and_nobody_himself(books: list[str]) -> None:
    met = Counter(book for pair in pairs(books) for book in pair)
    assert all(one != two for one, two in pairs(books))
    assert len(set(met.values())) <= 1
    assert all(count <= 6 for count in met.values())


@given(BOOKS, st.sampled_from([0.25, 0.5, 0.75]))
def test_some_go_on_some_stop_and_every_book_has_its_place(books: list[str], keep: float) -> None:
    placed = ranked(books, duels(books, dict.fromkeys(books, 0)), keep)
    assert sorted(p.book for p in placed) == sorted(books)
    on = [p for p in placed if p.goes_on]
    assert len(on) >= 1 and (len(books) == 1 or len(on) < len(books))
    assert abs(sum(p.points for p in placed)) < 1e-9


@given(st.integers(2, 7))
def test_a_judge_who_likes_whatever_comes_first_changes_nothing(count: int) -> None:
    books = [f"b{n}" for n in range(count)]
    assert all(p.points == 0 for p in ranked(books, duels(books, dict.fromkeys(books, 0), bias=1), 0.5))
    worth = {book: float(n) for n, book in enumerate(books)}
    order = [p.book for p in ranked(books, duels(books, worth), 0.5)]
    assert order == books[::-1]
    last = ranked(books, duels(books, worth), 0.5)[-1]
    assert last.beaten_by and last.why


def test_a_verdict_is_believed_for_a_place_in_the_text_that_it_prefers() -> None:
    first, second = "The lamp went out at four.", "It was a night like any other."
    said = '{"better": "A", "margin": 2, "quote": "went out at four", "why": "trouble at once"}'
    assert read_duel(said, first=first, second=second) == DuelVerdict(
        better="first", margin=2, quote="went out at four", why="trouble at once")  # fmt: skip
    elsewhere = said.replace('"A"', '"B"')
    assert read_duel(elsewhere, first=first, second=second).better == "even"  # type: ignore[union-attr]
    assert read_duel("I like A more.", first=first, second=second) is None
    zh = '{"better": "乙", "margin": 3, "quote": "like any other", "why": "钩子"}'
    assert read_duel(zh, first=first, second=second).better == "second"  # type: ignore[union-attr]
    for odd in ('{"better": "C"}', '{"better": ["A"], "margin": "x"}', "[]"):
        verdict = read_duel(odd, first=first, second=second)
        assert verdict is None or verdict.better == "even"
