"""The planner's reply: the contract in both languages, and the reader's rows of its table (design/prompts.md §5.2)."""

from __future__ import annotations

from typing import Any

import pytest

from inkos.kernel.papers import Plan
from inkos.prompts.readers import Read, read_plan
from tests.prompts.reading import book, entry, planned, text_of


def read(language: Any = "en", raw: str = "", **changes: Any) -> Read[Plan]:
    return read_plan(raw or text_of(planned(language, **changes)), book=book(language), entry=entry(), target=2000)


def plan(language: Any = "en", **changes: Any) -> Plan:
    got = read(language, **changes)
    assert got.value is not None, got.fault
    return got.value


def beats(count: int, **changes: Any) -> list[dict[str, Any]]:
    one = planned("en")["beats"][1]
    return [one | {"h": f"b{n}"} | changes for n in range(1, count + 1)]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reply_as_the_contract_has_it_becomes_a_plan_with_ids(language: Any) -> None:
    made = plan(language)
    assert (made.pov, made.places, made.outline_key) == ("genesis.p1", ("genesis.l1", "genesis.l2"), "c1")
    assert made.cast[1].who == ("小满" if language == "zh" else "Tib")  # new: stays a name
    assert [b.outline for b in made.beats] == [("c1#1",), ("c1#2",), ("c1#3",), ("c1#3",)]
    assert made.beats[0].link is None and made.target == 2000
    assert made.promises[0].hook == "genesis.h1"


def test_a_known_name_is_that_thing() -> None:
    assert plan(pov="Nell", places=["the Office"]).pov == "genesis.p1"
    assert plan(places=["the Office"]).places == ("genesis.l2",)


@pytest.mark.parametrize(
    ("changes", "code", "where"),
    [
        ({"pov": "p99"}, "reply-handle", "pov"),
        ({"cast": [{"who": "Master", "wants": "x", "unsaid": ""}]}, "reply-handle", "cast[0].who"),  # two bear it
        ({"promises": [{"hook": "h7", "do": "advance", "how": "x"}]}, "reply-handle", "promises[0].hook"),
        ({"end_kind": "cliffhanger"}, "reply-value", "end_kind"),
        ({"beats": beats(4, outcome="perhaps")}, "reply-value", "beats[0].outcome"),
        ({"beats": []}, "beats", "beats"),
    ],
)
def test_what_does_not_fit_is_one_named_fault(changes: dict[str, Any], code: str, where: str) -> None:
    got = read(**changes)
    assert got.fault is not None and (got.fault.code, got.fault.where[0]) == (code, where)


def test_a_missing_key_is_asked_for_with_its_top_key() -> None:
    raw = planned("en")
    del raw["end"], raw["beats"][0]["wants"]
    got = read(raw=text_of(raw))
    assert got.fault is not None and got.fault.code == "reply-key"
    assert set(got.fault.where) == {"beats[0].wants", "end"} and set(got.fault.keys) == {"beats", "end"}


def test_an_outline_handle_that_is_not_there_is_dropped() -> None:
    got = read(beats=beats(4, outline=["o9", "o2"]))
    assert got.value is not None and got.value.beats[0].outline == ("c1#2",)
    assert any("o9" in note for note in got.notes)


def test_three_or_nine_beats_are_read_for_gates_to_judge() -> None:
    assert len(plan(beats=beats(3)).beats) == 3
    assert len(plan(beats=beats(9)).beats) == 9


def test_beats_without_words_share_the_target() -> None:
    made = plan(beats=beats(3, words=0))
    assert sum(b.words for b in made.beats) == 2000


def test_words_as_text_are_read() -> None:
    assert plan(beats=beats(4, words="五百")).beats[0].words == 500


@pytest.mark.parametrize("thing", ["", "a feeling of dread", "sadness"])
def test_a_thing_that_cannot_be_handled_is_taken_with_a_note(thing: str) -> None:
    got = read(beats=beats(4, thing=thing))
    assert got.value is not None and any("thing" in note for note in got.notes)


def test_of_several_lines_to_keep_the_first_stays_with_who_says_it() -> None:
    kept = plan(keep="Nell to Pym: “The lamp is mine.” Pym to Nell: “Not tonight.”").keep
    assert kept == "Nell to Pym: “The lamp is mine.”"
    assert plan(keep="Nell to Pym: “The lamp is mine.”").keep == "Nell to Pym: “The lamp is mine.”"


def test_strings_over_their_length_are_taken_and_counted() -> None:
    got = read(beats=beats(4, cost="word " * 20))
    assert got.value is not None and any("over the length" in note for note in got.notes)


def test_other_words_for_values_are_read() -> None:
    made = plan(
        "zh", beats=beats(4, outcome="成了，可是", link="可是"), end_kind="倒计时",
        promises=[{"hook": "h1", "do": "推进", "how": "x"}],
    )  # fmt: skip
    assert (made.beats[1].outcome, made.beats[1].link, made.end_kind) == ("yes_but", "but", "countdown")
    assert made.promises[0].do == "advance"


def test_one_string_stands_for_a_list_and_nothing_for_none() -> None:
    made = plan(knows="one thing", asks=["", "null", "a question?"], open=None)
    assert (made.knows, made.asks, made.open) == (("one thing",), ("a question?",), ())


def test_a_new_promise_keeps_its_words() -> None:
    assert plan(promises=[{"hook": "who pays Tib", "do": "plant", "how": "x"}]).promises[0].hook == "who pays Tib"


def test_unknown_keys_are_dropped_and_counted() -> None:
    got = read(mood="grim")
    assert got.value is not None and any("unknown key dropped: mood" in note for note in got.notes)


def test_an_unknown_promise_costs_the_plan_that_promise_only() -> None:
    moved = {"hook": "h1", "do": "advance", "how": "x"}
    got = read(promises=[moved, moved | {"hook": "h77"}])
    assert got.fault is not None and (got.fault.code, got.fault.where) == ("reply-handle", ("promises[1].hook",))
    assert got.value is not None and [p.hook for p in got.value.promises] == ["genesis.h1"]
    assert any("promises[1]" in note for note in got.notes)


def test_an_unknown_viewpoint_leaves_no_plan() -> None:
    got = read(pov="p77", promises=[{"hook": "h77", "do": "advance", "how": "x"}])
    assert got.fault is not None and got.value is None
