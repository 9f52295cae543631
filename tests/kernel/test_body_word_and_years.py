"""What keeps people from acts, what they vowed, what follows the calendar; and the words people read for all that."""

from __future__ import annotations

import pytest

from inkos.kernel.delta import ClockSet
from inkos.kernel.story import StoryClock
from tests.kernel.packs import GENERAL, codes, event, fact, founded, run, shown


@pytest.mark.parametrize(
    ("held", "act"),
    [
        (("trait", "eyes: blind"), ("acts", "reads the letter")),
        (("injury", "left ankle: broken"), ("acts", "runs down the stairs")),
        (("oath", "never to kill again"), ("kills", None)),
        (("oath", "戒酒"), ("acts", "饮下一碗酒")),
        (("oath", "to protect the Harbor"), ("betrays", "harbor")),
        (("lacks", "swim"), ("acts", "swims across the bay")),
    ],
)
def test_an_act_that_a_state_or_a_vow_rules_out_warns_and_never_refuses(held, act) -> None:  # type: ignore[no-untyped-def]
    done = run(founded(("luo", *held)), observations=(shown(3, "luo", *act),))
    assert done.state is not None and set(codes(done)) <= {"continuity-016", "continuity-013"} and codes(done)
    dreamt = run(founded(("luo", *held)), observations=(shown(3, "luo", *act, mode="dream"),))
    assert codes(dreamt) == []


def test_an_event_frees_from_a_vow_and_only_from_its_place_on() -> None:
    state = founded(("luo", "oath", "never to kill again"))
    act = (shown(3, "luo", "kills", None),)
    assert codes(run(state, events=(event(2, "oath_breaking", "luo"),), observations=act)) == []
    assert codes(run(state, events=(event(9, "oath_breaking", "luo"),), observations=act)) == ["continuity-013"]


def test_ages_go_by_the_year_of_birth_and_the_year_that_it_is() -> None:
    state = founded(("luo", "born", 1890), ("world", "year", 1915))
    assert codes(run(state, facts=(fact(2, "luo", "age", 25),))) == []
    assert codes(run(state, facts=(fact(2, "luo", "age", 40),))) == ["continuity-012"]
    later = ClockSet(clock=StoryClock(day=3_700))  # ten years on
    assert codes(run(state, facts=(fact(2, "luo", "age", 35),), clock=later)) == []


def test_what_comes_round_comes_as_the_days_go() -> None:
    state = founded(("world", "weekday", "Monday"), clock=ClockSet(clock=StoryClock(day=1)))
    said = (shown(2, "world", "weekday", "Thursday"),)
    assert codes(run(state, observations=said, clock=ClockSet(clock=StoryClock(day=4)))) == []
    assert codes(run(state, observations=said, clock=ClockSet(clock=StoryClock(day=5)))) == ["continuity-012"]


def test_a_word_that_is_not_registered_is_an_act_unless_it_is_done_to_somebody() -> None:
    state = founded(("luo", "status", "dead"))
    done = run(state, observations=(shown(2, "luo", "tiptoes", "away"),))
    assert done.state is not None and codes(done) == ["continuity-002"]
    assert codes(run(state, observations=(shown(2, "luo", "is buried", None),))) == []


def test_chinese_readers_read_no_english_names() -> None:
    state = founded(("luo", "status", "dead")).model_copy(update={"language": "zh"})
    found = run(state, observations=(shown(2, "luo", "acts", "说话"),)).findings[0]
    assert found.expected == "Luo · 生死: 死" and found.actual.startswith("行动")
    for name, spec in GENERAL.predicates.items():
        assert GENERAL.label(name, "en") == name
        assert not GENERAL.label(name, "zh").isascii(), name
        assert all(GENERAL.value_label(name, value, "zh") for value in spec.allowed), name
    for name in GENERAL.events:
        assert not GENERAL.event_label(name, "zh").isascii(), name
