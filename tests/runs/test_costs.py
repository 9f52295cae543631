"""Sums and forecasts from a ledger; laws before examples."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.runs.costs import Range, forecast, hit_rate, per_thousand, sums
from inkos.runs.ledger import Row, add_up, latest

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC).timestamp()
UNPRICED = Range(low=None, high=None)


def row(attempt: str, **values: object) -> Row:
    return {
        "run": "1", "chapter": "c0001", "attempt": attempt, "role": "writer", "task": "draft", "model": "m",
        "at": NOON, "status": "replied", "money": 0.5, "input": 800, "output": 200, "cached": 400, **values,
    }  # fmt: skip


ROWS = st.lists(
    st.builds(
        lambda n, chapter, role, model, money, tokens: row(
            f"r/{n}", chapter=chapter, role=role, model=model, money=money, input=tokens
        ),
        st.integers(0, 30), st.sampled_from(["c1", "c2", ""]), st.sampled_from(["writer", "auditor"]),
        st.sampled_from(["a", "b"]), st.one_of(st.none(), st.integers(0, 9).map(float)), st.integers(0, 10**6),
    ),
    max_size=40,
)  # fmt: skip


@given(ROWS, st.sampled_from(["chapter", "role", "model", "day", "task", "run"]))
def test_whatever_it_is_cut_by_the_parts_make_the_whole(rows: list[Row], by: str) -> None:
    whole, parts = add_up(latest(rows)), sums(rows, by).values()  # type: ignore[arg-type]
    assert sum(p.tokens for p in parts) == whole.tokens and sum(p.calls for p in parts) == whole.calls
    if whole.money is None:
        assert any(p.money is None for p in parts)
    else:
        assert sum(p.money or 0 for p in parts) == pytest.approx(whole.money)


def test_a_line_written_twice_after_a_stop_is_one_and_a_day_is_a_day() -> None:
    rows = [row("r/1", status="unknown", money=0.9), row("r/1"), row("r/2", at=NOON + 86400)]
    days = sums(rows, "day")
    assert list(days) == ["2026-11-02", "2026-11-03"] and days["2026-11-02"].money == 0.5


def test_the_hit_rate_is_a_share_of_the_input_and_nothing_sent_has_none() -> None:
    assert hit_rate(add_up([row("a")])) == 0.5 and hit_rate(add_up([])) is None


def test_the_price_of_accepted_words_holds_what_was_thrown_away_and_unknown_stays_unknown() -> None:
    rows = [row("a"), row("b", status="failed"), row("c", chapter="", role="founder")]
    assert per_thousand(rows, 3000) == pytest.approx(0.5)
    assert per_thousand([*rows, row("d", money=None)], 3000) is None and per_thousand(rows, 0) is None


def test_a_forecast_without_records_goes_by_the_plan_and_says_so() -> None:
    found = forecast([], [], {}, 10, 2500, Range(low=1.0, high=4.0))
    assert found.basis == "plan" and found.seen == 0 and found.seconds.low is None
    assert found.tokens.low is not None and found.tokens.high is not None and found.tokens.low < found.tokens.high
    assert found.money.low == pytest.approx(found.tokens.low / 1e6)
    assert forecast([], [], {}, 10, 2500, UNPRICED).money == UNPRICED


def test_a_forecast_from_records_lies_between_the_cheapest_and_the_dearest_chapter() -> None:
    rows = [row(f"{c}/{n}", chapter=c) for c, count in (("c1", 4), ("c2", 8), ("c3", 5)) for n in range(count)]
    found = forecast(rows, ["c1", "c2", "c3"], {"c1": 60.0, "c2": 120.0, "c3": 80.0}, 10, 2500, UNPRICED)
    assert found.basis == "records" and found.seen == 3
    assert found.tokens == Range(low=40_000, high=80_000) and found.money == Range(low=20, high=40)
    assert found.seconds == Range(low=600, high=1200)


def test_one_unknown_price_makes_the_forecast_of_money_unknown_and_leaves_the_tokens() -> None:
    rows = [row(f"{c}/1", chapter=c, money=None if c == "c2" else 0.5) for c in ("c1", "c2", "c3")]
    found = forecast(rows, ["c1", "c2", "c3"], {}, 2, 2500, UNPRICED)
    assert found.money == UNPRICED and found.tokens.low == 2000
