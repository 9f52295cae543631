"""When the next call of an endpoint may begin: laws of the arithmetic, and of who waits for it; time is a number."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.adapters.limiter import ProcessLimiter
from inkos.config import CallLimits
from inkos.ports import Permit
from inkos.runs import rates
from inkos.runs.rates import MINUTE, Meter
from tests.runs.fakes import FakeClock

LIMITS = st.builds(
    CallLimits,
    requests_per_minute=st.none() | st.integers(1, 200),
    tokens_per_minute=st.none() | st.integers(1_000, 500_000),
    concurrent=st.none() | st.integers(1, 5),
)
# What a call is counted as, what it takes, how long it runs, and when the next is ready after it was asked for.
CALLS = st.lists(st.tuples(st.integers(1, 900), st.integers(0, 900), st.floats(0, 30), st.floats(0, 5)), max_size=60)


def played(limits: CallLimits, calls: list[tuple[int, int, float, float]]) -> Iterator[tuple[float, int, int]]:
    """Start, tokens and calls running (this one included) of each call, one asking after the other."""
    meter, now, ends = Meter(), 1000.0, list[tuple[float, Permit, int]]()
    for number, (tokens, used, lasts, idle) in enumerate(calls):
        now += idle
        while (seconds := rates.wait(meter, limits, now)) > 0:
            now += max(seconds, 1e-6)
            for ended in [e for e in ends if e[0] <= now]:
                ends.remove(ended)
                meter = rates.leave(meter, ended[1], ended[2])
        meter, permit = rates.begin(meter, limits, str(number), "e", tokens, now, 1e6)
        ends.append((now + lasts, permit, min(used, tokens)))
        yield now, tokens, sum(1 for end in ends if end[0] > now or end[1] is permit)


@given(LIMITS, CALLS)
def test_no_minute_holds_more_requests_than_allowed_and_never_more_run_at_once(
    limits: CallLimits, calls: list[tuple[int, int, float, float]]
) -> None:
    starts = list(played(limits, calls))
    for start, _, running in starts:
        begun = sum(1 for other, _, _ in starts if start <= other < start + MINUTE - 1e-3)
        assert begun <= (limits.requests_per_minute or len(starts))
        assert running <= (limits.concurrent or len(starts))


@given(st.integers(1_000, 50_000), CALLS)
def test_no_minute_holds_more_tokens_than_allowed_but_for_its_last_call(
    allowed: int, calls: list[tuple[int, int, float, float]]
) -> None:
    exact = [(tokens, tokens, lasts, idle) for tokens, _, lasts, idle in calls]
    starts = list(played(CallLimits(tokens_per_minute=allowed), exact))
    for start, _, _ in starts:
        minute = [tokens for other, tokens, _ in starts if start <= other < start + MINUTE - 1e-3]
        assert sum(minute[:-1]) <= allowed


@given(LIMITS.filter(lambda limits: limits.concurrent is None), CALLS)
def test_who_waits_as_long_as_told_may_begin(limits: CallLimits, calls: list[tuple[int, int, float, float]]) -> None:
    meter, now = Meter(), 1000.0
    for number, (tokens, *_) in enumerate(calls):
        now += rates.wait(meter, limits, now)
        assert rates.wait(meter, limits, now) == 0 or rates.wait(meter, limits, now + 1e-6) == 0
        meter, _ = rates.begin(meter, limits, str(number), "e", tokens, now, 100)


def test_without_limits_nobody_waits_and_nothing_is_kept() -> None:
    meter, permit = rates.begin(Meter(), CallLimits(), "1", "e", 10_000, 5.0, 100)
    assert rates.wait(meter, CallLimits(), 5.0) == 0 and meter.running == {}
    assert rates.leave(meter, permit, 7) == meter


def test_what_a_call_did_not_take_is_given_back() -> None:
    limits = CallLimits(tokens_per_minute=6_000)
    meter, permit = rates.begin(Meter(), limits, "1", "e", 3_000, 100.0, 60)
    assert rates.wait(meter, limits, 100.0) == pytest.approx(MINUTE / 2)
    assert rates.wait(rates.leave(meter, permit, 1_000), limits, 100.0) == pytest.approx(MINUTE / 6)
    assert rates.wait(rates.leave(meter, permit, None), limits, 100.0) == pytest.approx(MINUTE / 2)


def test_a_turn_that_is_never_given_back_does_not_block_for_ever() -> None:
    limits = CallLimits(concurrent=1)
    meter, _ = rates.begin(Meter(), limits, "dead", "e", 0, 100.0, 60)
    assert rates.wait(meter, limits, 159.0) > 0 == rates.wait(meter, limits, 161.0)


def test_one_refusal_holds_everybody_back_and_a_hundred_at_once_are_one() -> None:
    meter, permits = Meter(), []
    for number in range(100):
        meter, permit = rates.begin(meter, CallLimits(), str(number), "e", 0, 100.0, 60)
        permits.append(permit)
    for permit in permits:
        meter = rates.refused(meter, permit, 20, 101.0)
    assert rates.wait(meter, CallLimits(), 101.0) == pytest.approx(20)
    assert meter.pace == rates.FIRST_PACE
    after, _ = rates.begin(meter, CallLimits(), "next", "e", 0, 121.0, 60)
    assert rates.wait(after, CallLimits(), 121.0) == pytest.approx(rates.FIRST_PACE)  # one by one afterwards


def called(meter: Meter, now: float, *, refused: bool) -> Meter:
    """One call without a limit that is known, and its end a second later."""
    meter, permit = rates.begin(meter, CallLimits(), str(now), "e", 0, now, 60)
    return rates.refused(meter, permit, None, now + 1) if refused else rates.leave(meter, permit, None)


def test_tries_that_are_refused_again_wait_longer_and_longer_but_slow_nothing_further() -> None:
    meter, now, waits = Meter(), 0.0, []
    for _ in range(8):
        now += 100
        meter = called(meter, now, refused=True)
        waits.append(rates.wait(meter, CallLimits(), now + 1))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert meter.pace == rates.FIRST_PACE


def test_the_pace_doubles_with_each_refusal_after_good_calls_and_is_forgotten_when_all_goes_well() -> None:
    meter, now = Meter(), 0.0
    for refused in (True, False) * 10:
        now += 100
        meter = called(meter, now, refused=refused)
    assert rates.SLOWEST_PACE * rates.EASING <= meter.pace <= rates.SLOWEST_PACE
    for _ in range(500):
        now += 100
        meter = called(meter, now, refused=False)
    assert meter.pace == 0


def test_who_has_no_patience_left_is_told_how_long_it_will_take() -> None:
    clock = FakeClock(time=0.0)
    limiter, limits = ProcessLimiter(clock), CallLimits(requests_per_minute=1)

    async def twice() -> None:
        first = await limiter.enter("e", limits, 0, longest=60, patience=1)
        assert isinstance(first, Permit)
        assert await limiter.enter("e", limits, 0, longest=60, patience=10) == pytest.approx(MINUTE - 10)
        assert isinstance(await limiter.enter("other", limits, 0, longest=60, patience=0), Permit)
        assert isinstance(await limiter.enter("e", limits, 0, longest=60, patience=MINUTE), Permit)

    asyncio.run(twice())
    assert clock.slept == [10, MINUTE - 10]
