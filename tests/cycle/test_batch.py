"""Which book comes next, fairly; when a book, a route or a call stops; laws first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from inkos.cycle.batch import (
    EARLY,
    Item,
    Outcome,
    RouteState,
    Scene,
    Spend,
    Terms,
    Why,
    admit,
    after,
    choose,
    in_season,
    is_due,
    next_due,
    rungs,
    share,
    strike,
    terms,
)
from inkos.cycle.batch_plan import BatchPlan, Cap, Rung, Serial, StopRules, seconds_of, wait_for_window, window_of

RULES = StopRules()


def item(order: int = 0, **changes: object) -> Item:
    return Item(batch="n", book=f"b{order}", order=order, until=5).but(**changes)


def scene(items: list[Item], at_once: int = 4, now: float = 0.0, paused: frozenset[str] = frozenset()) -> Scene:
    return Scene(items, {i.book: frozenset({"main"}) for i in items}, paused, at_once, now)


ITEMS = st.lists(
    st.tuples(
        st.sampled_from(["waiting", "running", "review", "done", "failed"]), st.integers(0, 2), st.integers(0, 9),
        st.integers(0, 6), st.floats(0, 100),
    ),
    max_size=12,
).map(lambda rows: [item(n, status=s, priority=p, turn=t, done=d, not_before=f)
                    for n, (s, p, t, d, f) in enumerate(rows)])  # fmt: skip


@given(ITEMS, st.integers(1, 8), st.floats(0, 120))
def test_never_more_than_are_free_never_a_book_twice_never_one_that_is_not_due(
    items: list[Item], at_once: int, now: float
) -> None:
    now_scene = scene(items, at_once, now)
    chosen = choose(now_scene)
    running = sum(i.status == "running" for i in items)
    assert len(chosen) <= max(0, at_once - running)
    assert len({i.book for i in chosen}) == len(chosen)
    assert all(is_due(i, now_scene) for i in chosen)
    left_out = [i for i in items if is_due(i, now_scene) and i not in chosen]
    if left_out and chosen:  # nobody of higher priority, and none with fewer turns of the same, was passed over
        assert min((c.priority, -c.turn) for c in chosen) >= max((i.priority, -i.turn) for i in left_out)
        assert len(chosen) == at_once - running


@given(st.integers(1, 9), st.integers(1, 4))
def test_books_whose_turns_take_equally_long_stay_side_by_side(books: int, at_once: int) -> None:
    items = {f"b{n}": item(n, until=6) for n in range(books)}
    running: list[str] = []
    while any(i.status != "done" for i in items.values()):
        for chosen in choose(scene(list(items.values()), at_once)):
            items[chosen.book] = chosen.but(status="running")
            running.append(chosen.book)
        book = items[running.pop(0)]
        items[book.book] = after(book, Outcome(kind="chapter", status="accepted", done=book.done + 1), RULES, 0)
        turns = [i.turn for i in items.values()]
        assert max(turns) - min(turns) <= 1
    assert all(i.done == 6 for i in items.values())


def test_a_paused_route_stops_its_books_and_only_those() -> None:
    items = [item(0), item(1)]
    needs = {"b0": frozenset({"main"}), "b1": frozenset({"other"})}
    blocked = Scene(items, needs, frozenset({"main"}), 4, 0.0)
    assert [i.book for i in choose(blocked)] == ["b1"]
    assert next_due(Scene([items[0]], needs, frozenset({"main"}), 4, 0.0)) is None


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome(kind="chapter", status="accepted", done=5), "done"),
        (Outcome(kind="chapter", status="flagged", done=2), "waiting"),
        (Outcome(kind="founded"), "waiting"),
        (Outcome(kind="review", why=Why(code="review")), "review"),
        (Outcome(kind="outline-ends", why=Why(code="outline-ends")), "ended"),
        (Outcome(kind="budget", why=Why(code="batch-cap-book")), "ended"),
        (Outcome(kind="error", why=Why(code="disk-full")), "failed"),
        (Outcome(kind="fault", fault="balance", why=Why(code="model-balance")), "waiting"),
        (Outcome(kind="busy"), "waiting"),
        (Outcome(kind="stopped"), "waiting"),
    ],
)
def test_what_a_turn_means_for_its_book(outcome: Outcome, status: str) -> None:
    made = after(item(status="running", done=1), outcome, RULES, 100.0)
    assert (made.status, made.turn) == (status, 1)


def test_a_failing_book_waits_longer_each_time_and_then_stops() -> None:
    book, waits = item(), []
    fault = Outcome(kind="fault", fault="server", why=Why(code="model-server"))
    while book.status == "waiting" and len(waits) < 9:
        book = after(book, fault, RULES, 0.0)
        waits.append(book.not_before)
    assert waits == [60, 120, 0] and book.status == "failed" and book.fails == RULES.failures
    asked = after(item(), fault.model_copy(update={"wait": 500.0}), RULES, 0.0)
    assert asked.not_before == 500  # never before the service said
    good = Outcome(kind="chapter", status="accepted", done=1)
    assert after(item(fails=2), good, RULES, 0.0).fails == 0


def test_a_bad_day_of_a_model_is_one_event() -> None:
    route, flagged = RouteState(name="main"), Outcome(kind="chapter", status="flagged", route="main")
    for _ in range(2):
        route = strike(route, flagged, RULES)
    assert strike(route, Outcome(kind="chapter", status="accepted", route="main"), RULES).strikes == 0
    assert strike(route, Outcome(kind="chapter", status="flagged", route="other"), RULES) == route
    route = strike(route, Outcome(kind="review", route="main"), RULES)
    assert route.paused is not None and route.paused.code == "strikes"
    assert strike(route, flagged, RULES) == route
    empty = strike(RouteState(name="main"), Outcome(kind="fault", fault="balance", route="main",
                                                   why=Why(code="model-balance")), RULES)  # fmt: skip
    assert empty.paused == Why(code="model-balance")
    far = Outcome(kind="fault", fault="rate", route="main", wait=365 * 86_400.0, why=Why(code="model-rate"))
    assert strike(RouteState(name="main"), far, RULES).paused is not None


AMOUNTS = st.integers(0, 1000)


@given(st.lists(st.tuples(st.integers(1, 200), st.integers(0, 200)), max_size=30), st.integers(1, 1000))
def test_a_cap_is_never_crossed_however_calls_overlap(calls: list[tuple[int, int]], cap: int) -> None:
    """Each call may cost `most` and costs at most that; those in flight end in any order."""
    spent, in_flight = 0, []
    for most, cost in calls:
        if admit(Cap(tokens=cap), Spend(tokens=spent, open_tokens=sum(m for m, _ in in_flight)), most, None) == "go":
            in_flight.append((most, min(cost, most)))
        elif in_flight:
            spent += in_flight.pop(0)[1]
        assert spent + sum(m for m, _ in in_flight) <= cap
    assert spent + sum(c for _, c in in_flight) <= cap


@given(AMOUNTS, AMOUNTS, AMOUNTS, st.integers(1, 1000))
def test_a_call_waits_only_for_calls_in_flight(spent: int, in_flight: int, coming: int, cap: int) -> None:
    answer = admit(Cap(tokens=cap), Spend(tokens=spent, open_tokens=in_flight), coming, 0.0)
    alone = admit(Cap(tokens=cap), Spend(tokens=spent), coming, 0.0)
    assert (answer == "stop") == (alone == "stop")
    assert answer != "later" or in_flight > 0


def test_unknown_money_is_not_nothing() -> None:
    assert admit(Cap(money=1), Spend(money=None), 1, 0.1) == "unknown"
    assert admit(Cap(money=1), Spend(), 1, None) == "unknown"
    assert admit(Cap(tokens=9), Spend(money=None), 1, None) == "go"
    assert admit(None, Spend(tokens=10**9), 10**9, None) == "go"


LADDER = (Rung(at=0.5, rounds=0), Rung(at=0.7, route="cheap"), Rung(at=0.9, length=0.7), Rung(at=1.0, stop=True))


@given(st.lists(st.floats(0, 1), max_size=10))
def test_steps_of_the_ladder_are_taken_in_order_and_never_taken_back(shares: list[float]) -> None:
    taken = 0
    for spent in shares:
        before, taken = taken, rungs(LADDER, taken, spent)
        assert before <= taken <= len(LADDER)
        assert all(rung.at <= max(shares) for rung in LADDER[:taken])


def test_steps_add_up() -> None:
    assert terms(LADDER[:0]) == Terms()
    assert terms(LADDER[:3]) == Terms(rounds=0, route="cheap", length=0.7)
    assert terms(LADDER).stop
    assert share(Cap(tokens=100, money=10), Spend(tokens=50, money=8.0)) == 0.8
    assert share(None, Spend(tokens=50)) == 0


@given(st.integers(0, 23), st.integers(0, 59), st.integers(1, 1439), st.floats(0, 1439.99))
def test_hours_wait_until_they_begin_and_not_within(hour: int, minute: int, length: int, now: float) -> None:
    begin = hour * 60 + minute
    end = (begin + length) % 1440
    text = f"{hour:02d}:{minute:02d}-{end // 60:02d}:{end % 60:02d}"
    assert window_of(text) == (begin, end)
    wait = wait_for_window(text, now)
    assert 0 <= wait <= 86_400
    assert wait_for_window(text, begin) == 0 and wait_for_window(text, end) > 0
    if wait and abs((now + wait / 60) % 1440 - begin) < 1e-6:
        assert True
    else:
        assert wait == 0


def test_hours_and_periods_of_no_meaning_are_refused() -> None:
    for text in ("22-07", "25:00-07:00", "07:00-07:00", "22:61-07:00", "24:00-00:00"):
        with pytest.raises(ValueError):
            window_of(text)
    for text in ("24", "1s", "0h", "-2h", "1w"):
        with pytest.raises(ValueError):
            seconds_of(text)
    assert (seconds_of("24h"), seconds_of("90m"), seconds_of("7d")) == (86_400, 5_400, 604_800)


def serial(**changes: object) -> BatchPlan:
    return BatchPlan.model_validate({"name": "s", "chapters": 100, "books": [{"book": "b0"}],
                                     "serial": Serial(every="24h", chapters=2).model_dump() | changes})  # fmt: skip


def test_a_serial_gets_its_chapters_each_period_and_no_more() -> None:
    day, plan, book, written = 86_400.0, serial(), item(until=100), 0
    for hour in range(0, 24 * 3):
        now = hour * 3600.0
        book = in_season(book.but(status="waiting"), plan, 0.0, now)
        while is_due(book, scene([book], now=now)) and written < 50:
            outcome = Outcome(kind="chapter", status="accepted", done=book.done + 1)
            book = in_season(after(book, outcome, RULES, now), plan, 0.0, now)
            written += 1
    assert written == 6
    early = in_season(item(until=9, in_period=2), plan, 0.0, day * (1 - EARLY / 2))  # a timer that fires too early
    assert early.period == 1 and early.in_period == 0
    full = in_season(item(until=9, stock=5), serial(stock=5), 0.0, 0.0)
    assert full.not_before > 0


def test_a_plan_that_cannot_be_carried_out_is_refused() -> None:
    good = {"name": "n", "books": [{"book": "a", "chapters": 1}]}
    BatchPlan.model_validate(good)
    for wrong in (
        {"books": [{"book": "a"}]},
        {"books": [{"book": "a", "chapters": 1}] * 2},
        {"books": []},
        {"name": "../n"},
        {"ladder": [{"at": 0.5}]},
        {"ladder": [{"at": 0.9, "rounds": 0}, {"at": 0.5, "stop": True}]},
        {"ladder": [{"at": 0.5, "rounds": 0, "stop": True}]},
        {"between": "late"},
        {"serial": {"every": "often"}},
    ):
        with pytest.raises(ValidationError):
            BatchPlan.model_validate({**good, **wrong})
