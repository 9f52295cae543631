"""A value's beginning and its end: what is new needs no licence, and ending what has ended is no contradiction."""

from __future__ import annotations

import pytest

from inkos.kernel.delta import FactChange
from inkos.kernel.story import Entity
from tests.kernel.packs import GENERAL, codes, event, fact, founded, run, said, shown


def ends(place: int, subject: str, predicate: str, closes: str, position: int = 1) -> FactChange:
    name = f"c{position:04}.f{place}"
    return FactChange(id=name, subject=subject, predicate=predicate, closes=closes, evidence=said(place))


@pytest.mark.parametrize("place", [3, 7])
def test_what_an_event_of_the_chapter_has_ended_may_be_ended_again(place: int) -> None:
    state = founded(("harbor", "stock", "weighed sacks: 32"))
    spent = event(5, "spending", "harbor", "8 weighed sacks")
    done = run(state, events=(spent,), facts=(ends(place, "harbor", "stock", "genesis.f1"),))
    assert done.state is not None and codes(done, least="info") == []


def test_what_an_earlier_chapter_ended_is_only_warned_about() -> None:
    state = founded(("luo", "injury", "left arm: broken"))
    healed = run(state, events=(event(2, "heal", "luo", "left arm"),)).state
    assert healed is not None
    again = run(healed, position=2, facts=(ends(4, "luo", "injury", "genesis.f1", 2),))
    assert codes(again) == ["kernel-016"] and again.state is not None


def test_an_entry_may_not_end_what_is_somebody_elses() -> None:
    state = founded(("luo", "injury", "left arm: broken"))
    assert run(state, facts=(ends(4, "mira", "injury", "genesis.f1"),)).state is None
    gone = run(state, events=(event(2, "heal", "luo", "left arm"),), facts=(ends(4, "mira", "injury", "genesis.f1"),))
    assert gone.state is None


def test_a_chapter_may_not_end_what_it_never_began() -> None:
    assert run(founded(), facts=(ends(4, "mira", "injury", "c0001.f9"),)).state is None


def test_a_new_value_beside_an_ending_that_the_event_brought_stands() -> None:
    state = founded(("harbor", "stock", "weighed sacks: 32"))
    spent = event(5, "spending", "harbor", "8 weighed sacks")
    left = fact(7, "harbor", "stock", "weighed sacks: 24", closes="genesis.f1")
    done = run(state, events=(spent,), facts=(left,))
    assert done.state is not None and codes(done) == []
    assert [f.object for f in done.state.facts.values()] == ["weighed sacks: 24"]


def test_a_new_thing_has_its_first_holder_place_and_condition_without_an_event() -> None:
    news = (
        Entity(id="c0001.n1", kind="item", name="ledger", evidence=said(1)),
        Entity(id="c0001.n2", kind="person", name="Ann", evidence=said(1)),
    )
    firsts = (
        fact(2, "c0001.n1", "holder", "mira"),
        fact(3, "c0001.n1", "location", "harbor"),
        fact(4, "c0001.n1", "item_state", "damaged"),
        fact(5, "c0001.n2", "location", "citadel"),
        fact(6, "c0001.n2", "status", "captive"),
        fact(7, "c0001.n2", "role", "clerk"),
        fact(8, "c0001.n2", "injury", "left arm: broken"),
        fact(9, "c0001.n2", "rank", "captain"),
    )
    done = run(founded(), entities=news, facts=firsts)
    assert codes(done) == [] and done.state is not None
    later = run(done.state, position=2, facts=(fact(2, "c0001.n1", "holder", "wen", position=2),))
    assert codes(later) == ["continuity-003"]


def test_a_thing_that_changes_hands_may_be_where_its_new_holder_is() -> None:
    state = founded(("seal", "location", "harbor"), ("seal", "holder", "wen"), use=GENERAL)
    handed = event(3, "transfer", "seal", "shen")
    assert codes(run(state, events=(handed,), observations=(shown(4, "seal", "location", "citadel"),))) == []
    moved = fact(4, "seal", "location", "citadel")
    assert codes(run(state, events=(handed,), facts=(moved,))) == []
    assert codes(run(state, observations=(shown(4, "seal", "location", "citadel"),))) == ["continuity-003"]
