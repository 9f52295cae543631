"""Handles that a founder writes into its strings become names before anything is made of the reply."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.cycle.founding import forbidden
from inkos.cycle.named import names_of, with_names
from inkos.prompts.contracts import FoundReply, OutlineReply, RungReply
from tests.cycle.founding_replies import found, outline

NAMES = {"p6": "秦守文", "p7": "鲁大川", "l2": "磨坊", "p3": "Jem Starling", "s1": "“谁灭了灯？”"}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("赵砚一步不让，p6 天天催他画押，p7 等他倒了", "赵砚一步不让，秦守文天天催他画押，鲁大川等他倒了"),
        ("管税档的书办 p6", "管税档的书办秦守文"),
        ("问p6要档", "问秦守文要档"),
        ("the debt to p3, unpaid", "the debt to Jem Starling, unpaid"),
        ("p3's boat", "Jem Starling's boat"),
        ("秦守文（p6）递来认状", "秦守文递来认状"),
        ("p6 秦守文和 p7（鲁大川）", "秦守文和鲁大川"),
        ("他得知 s1 的答案", "他得知“谁灭了灯？”的答案"),
        ("xp6 p66 p6x up3 3p6 P6", "xp6 p66 p6x up3 3p6 P6"),
        ("p9 nobody knows", "p9 nobody knows"),
    ],
)
def test_a_handle_that_stands_as_a_word_becomes_the_name(text: str, named: str) -> None:
    assert with_names(RungReply(arena=text), NAMES).arena == named


@given(st.text(alphabet="ps63 ，（）秦守文x", max_size=30))
def test_naming_twice_is_naming_once(text: str) -> None:
    names = {"p6": "秦守文", "p3": "Jem"}
    once = with_names(RungReply(arena=text), names).arena
    assert with_names(RungReply(arena=once), names).arena == once
    assert re.search(r"(?<![A-Za-z0-9_])p[63](?![A-Za-z0-9_])", once) is None


def test_references_stay_handles() -> None:
    people = FoundReply.model_validate(found("zh"))
    made = OutlineReply.model_validate(outline("zh"))
    names = names_of(people, made)
    assert with_names(people, names).secrets[0].known_by == ("p2",)
    assert [person.h for person in with_names(people, names).cast] == [person.h for person in people.cast]
    kept = with_names(made, names)
    assert [fact.subject for fact in kept.state.facts] == [fact.subject for fact in made.state.facts]
    assert kept.promises[1].depends_on == made.promises[1].depends_on
    fact = made.state.facts[0].model_copy(update={"object": "l1"})
    assert with_names(fact, names).object == "l1"
    assert with_names(fact.model_copy(update={"object": "l1: 2 天"}), {"l1": "渡口"}).object == "渡口: 2 天"


@pytest.mark.parametrize(
    ("ban", "thing"),
    [
        ("不抒情", "抒情"),
        ("不要讲道理。", "讲道理"),
        ("别用典", "用典"),
        ("不用“突然”", "突然"),
        ("抒情", "抒情"),
        ("No speeches.", "speeches"),
        ("never use the word suddenly", "suddenly"),
        ("Don't moralise", "moralise"),
        ("notes", "notes"),
        ("nobles", "nobles"),
    ],
)
def test_a_ban_names_the_thing_itself(ban: str, thing: str) -> None:
    assert forbidden(ban) == thing
