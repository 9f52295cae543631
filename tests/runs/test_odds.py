"""A forecast's odds: laws of sums, and what is unknown stays so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.runs.costs import Range
from inkos.runs.odds import Odds, from_plan, from_records, odds

SEEN = st.lists(st.floats(0, 1e6), min_size=1, max_size=10)


@given(SEEN, st.integers(1, 200))
def test_nine_of_ten_is_never_below_the_middle(seen: list[float], chapters: int) -> None:
    found = odds([from_records(seen, chapters)])
    assert found.p50 is not None and found.p90 is not None and found.p50 <= found.p90
    assert found.p50 == pytest.approx(chapters * sum(seen) / len(seen))


@given(st.lists(st.tuples(SEEN, st.integers(1, 50)), min_size=1, max_size=6))
def test_books_together_are_surer_than_each_alone(books: list[tuple[list[float], int]]) -> None:
    parts = [from_records(seen, chapters) for seen, chapters in books]
    whole, alone = odds(parts), [odds([part]) for part in parts]
    assert whole.p50 == pytest.approx(sum(o.p50 or 0 for o in alone))
    assert (whole.p90 or 0) <= sum(o.p90 or 0 for o in alone) * (1 + 1e-9) + 1e-6


def test_what_is_only_planned_adds_up_edge_by_edge() -> None:
    part = from_plan(Range(low=100, high=300))
    assert odds([part]) == Odds(p50=200, p90=300)
    assert odds([part, part]) == Odds(p50=400, p90=600)


def test_one_unknown_makes_the_sum_unknown() -> None:
    assert from_records([1.0, None], 3) is None and from_records([], 3) is None
    assert odds([from_records([1.0], 3), None]) == Odds(p50=None, p90=None)
    assert from_plan(Range(low=None, high=3)) is None


def test_known_figures() -> None:
    """Three chapters of 10, 20, 30: mean 20, variance 100; six more: 120, and 6·100 + 36·100/3 = 1800."""
    found = odds([from_records([10.0, 20.0, 30.0], 6)])
    assert found.p50 == 120 and found.p90 == pytest.approx(120 + 1.2816 * 1800**0.5)
