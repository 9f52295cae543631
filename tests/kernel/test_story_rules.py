"""Each kind of story rule: what trips it and its clean twin."""

from __future__ import annotations

import pytest

from inkos.kernel.delta import ClockSet
from inkos.kernel.story import StoryClock
from tests.kernel.packs import ALL, GENERAL, codes, event, fact, founded, hook, run, said, shown


def test_a_dead_man_may_speak_before_he_dies_but_not_after() -> None:
    state = founded(("luo", "status", "alive"))
    speaks, dies = shown(1, "luo", "acts", "speaks"), event(2, "death", "luo")
    assert codes(run(state, observations=(speaks,), events=(dies,))) == []
    late = shown(3, "luo", "acts", "speaks")
    assert codes(run(state, observations=(late,), events=(dies,))) == ["continuity-002"]


@pytest.mark.parametrize("mode", ["dialogue", "flashback", "dream", "letter", "rumour", "plan"])
def test_only_narration_proves_anything(mode: str) -> None:
    state = founded(("luo", "status", "dead"))
    assert codes(run(state, observations=(shown(1, "luo", "acts", "speaks", mode),))) == []
    assert codes(run(state, observations=(shown(1, "luo", "acts", "speaks"),))) == ["continuity-002"]


def test_a_move_needs_travel_before_it() -> None:
    state = founded(("mira", "location", "harbor"))
    moved = fact(5, "mira", "location", "citadel")
    assert codes(run(state, facts=(moved,))) == ["continuity-003"]
    assert codes(run(state, facts=(moved,), events=(event(4, "travel", "mira", "citadel"),))) == []
    late = run(state, facts=(moved,), events=(event(6, "travel", "mira", "citadel"),))
    assert codes(late) == ["continuity-019"]
    assert late.state is not None


def test_an_event_makes_its_fact_by_itself() -> None:
    state = founded(("mira", "location", "harbor"))
    done = run(state, events=(event(4, "travel", "mira", "citadel"), event(5, "learn", "mira", "the tide turned")))
    assert done.state is not None and done.history is not None
    open_facts = {(f.subject, f.predicate, f.object) for f in done.state.facts.values()}
    assert open_facts == {("mira", "location", "citadel"), ("mira", "knows", "the tide turned")}
    assert [f.object for f in done.history.closed] == ["harbor"]


def test_only_the_holder_uses_the_thing() -> None:
    state = founded(("seal", "holder", "wen"))
    uses = shown(3, "shen", "uses", "seal")
    found = run(state, observations=(uses,))
    assert codes(found) == ["continuity-005"]
    assert found.state is None
    assert [q.source for q in found.findings[0].quotes] == ["text", "bible/cast.md"]
    assert codes(run(state, observations=(uses,), events=(event(2, "transfer", "seal", "shen"),))) == []


def test_a_balance_covers_what_is_spent_and_the_sum_comes_out() -> None:
    state = founded(("mira", "money", 30))
    spends = shown(5, "mira", "spends", "50 coins")
    assert codes(run(state, observations=(spends,))) == ["continuity-007"]
    earns = event(4, "income", "mira", "40 coins")
    assert codes(run(state, observations=(spends,), events=(earns,))) == []
    assert codes(run(state, events=(earns,), facts=(fact(6, "mira", "money", 70),))) == []
    assert codes(run(state, events=(earns,), facts=(fact(6, "mira", "money", 75),))) == ["continuity-008"]
    assert codes(run(state, events=(event(4, "spending", "mira", 50),))) == ["continuity-007"]


def test_counted_things_are_balances_by_their_own_name() -> None:
    state = founded(("shen", "arrows", 12), ("shen", "rations", 3))
    shot = event(2, "spending", "shen", "2 arrows")
    done = run(state, events=(shot,), facts=(fact(3, "shen", "arrows", 10),))
    assert codes(done) == [] and done.state is not None
    assert {f.object for f in done.state.facts.values()} == {"arrows: 10", "rations: 3"}
    assert codes(run(state, observations=(shown(3, "shen", "arrows", 20),))) == ["continuity-008"]


def test_marks_stay_on_their_side() -> None:
    state = founded(("luo", "left eye", "blind"))
    assert codes(run(state, observations=(shown(1, "luo", "left eye", "blind"),))) == []
    assert codes(run(state, observations=(shown(1, "luo", "right eye", "blind"),))) == ["continuity-014"]
    assert codes(run(state, observations=(shown(1, "luo", "left eye", "clear"),))) == ["continuity-009"]


def test_a_wound_stays_until_it_heals() -> None:
    state = founded(("luo", "injury", "left arm: broken"))
    whole = shown(5, "luo", "injury", "left arm: whole")
    assert codes(run(state, observations=(whole,))) == ["continuity-003"]
    done = run(state, events=(event(4, "heal", "luo", "left arm"),), observations=(whole,))
    assert codes(done) == [] and done.state is not None and not done.state.facts


def test_ranks_move_only_by_events() -> None:
    state = founded(("luo", "rank", "captain"))
    lower = shown(3, "luo", "rank", "private")
    assert codes(run(state, observations=(lower,))) == ["continuity-003"]
    assert codes(run(state, observations=(lower,), events=(event(2, "demotion", "luo", "private"),))) == []
    assert codes(run(state, observations=(lower,), events=(event(2, "promotion", "luo", "major"),))) == [
        "continuity-003"
    ]


def test_groups_grow_by_joining() -> None:
    state = founded(("crew", "size", 7))
    nine = shown(3, "crew", "size", 9)
    assert codes(run(state, observations=(nine,))) == ["continuity-008"]
    assert codes(run(state, observations=(nine,), events=(event(2, "join", "crew", "+2"),))) == []
    two = (event(1, "join", "mira", "crew"), event(2, "join", "shen", "crew"))
    assert codes(run(state, observations=(nine,), events=two)) == []


def test_a_new_name_needs_an_alias() -> None:
    state = founded()
    assert codes(run(state, observations=(shown(3, "luo", "name", "Lou"),))) == ["continuity-011"]
    assert (
        codes(run(state, observations=(shown(3, "luo", "name", "Lou"),), events=(event(2, "alias", "luo", "Lou"),)))
        == []
    )


def test_a_world_rule_holds_unless_an_exception_is_recorded() -> None:
    state = founded(("world", "rule", "no magic after sunset"))
    casts = shown(3, "luo", "casts", "fire", when="midnight")
    assert codes(run(state, observations=(casts,))) == ["continuity-013"]
    assert codes(run(state, observations=(shown(3, "luo", "casts", "fire", when="noon"),))) == []
    assert codes(run(state, observations=(casts,), events=(event(2, "exception", "world", "eclipse"),))) == []


def test_time_does_not_run_back() -> None:
    state = founded(clock=ClockSet(clock=StoryClock(day=5)))
    assert codes(run(state, clock=ClockSet(clock=StoryClock(day=4), evidence=said(1)))) == ["time-001"]
    assert codes(run(state, clock=ClockSet(clock=StoryClock(day=6), evidence=said(1)))) == []


def test_a_journey_takes_its_time() -> None:
    state = founded(
        ("mira", "location", "harbor"),
        ("harbor", "travel_time", "Citadel: 2 days"),
        clock=ClockSet(clock=StoryClock(day=5, minute=600)),
    )
    rides = event(2, "travel", "mira", "citadel")
    soon = ClockSet(clock=StoryClock(day=5, minute=1200), evidence=said(9))
    then = ClockSet(clock=StoryClock(day=7, minute=1200), evidence=said(9))
    assert codes(run(state, events=(rides,), clock=soon)) == ["time-003"]
    assert codes(run(state, events=(rides,), clock=then)) == []


def test_hooks_that_are_unknown_over_or_doubled_are_named() -> None:
    done = run(founded(), hook_ops=(hook(1, "upsert", "c0001.h1", "Who sent the seventh measure?"),))
    assert done.state is not None
    again = run(
        done.state,
        position=2,
        hook_ops=(
            hook(1, "resolve", "nowhere"),
            hook(2, "resolve", "c0001.h1"),
            hook(3, "resolve", "c0001.h1"),
        ),
    )
    assert codes(again) == ["hook-001", "hook-002"]
    twin = run(done.state, position=2, hook_ops=(hook(1, "upsert", "c0002.h1", "who sent the seventh measure"),))
    assert codes(twin) == ["hook-003"]


def test_a_hundred_promises_of_like_wording_stay_a_hundred() -> None:
    state = founded()
    ops = tuple(
        hook(
            n % 50 + 1,
            "upsert",
            f"c0001.h{n}",
            f"Will the lamp in window {n} of Lantern Street be lit again before spring?",
        )
        for n in range(100)
    )
    done = run(state, hook_ops=ops)
    assert done.state is not None and len(done.state.hooks) == 100
    assert codes(done) == ["hook-005"]


def test_the_same_promise_about_the_same_person_by_another_name_is_one() -> None:
    state = founded()
    first = run(
        state,
        events=(event(1, "alias", "luo", "Old Luo"),),
        hook_ops=(hook(2, "upsert", "c0001.h1", "Luo owes a life."),),
    )
    assert first.state is not None
    assert codes(run(first.state, position=2, hook_ops=(hook(2, "upsert", "c0002.h1", "Old Luo owes a life"),))) == [
        "hook-003"
    ]
    assert codes(run(first.state, position=2, hook_ops=(hook(2, "upsert", "c0002.h1", "Mira owes a life"),))) == []


def test_every_pack_builds() -> None:
    assert GENERAL.packs == ("general",)
    assert len(ALL.packs) == 8
