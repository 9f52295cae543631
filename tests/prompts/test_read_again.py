"""The settler's second look at one entry (design/prompts.md §5.7)."""

from __future__ import annotations

from typing import Any

import pytest

from inkos.prompts.readers import read_again
from tests.prompts.reading import PROSE, book, entry, plan, rules, text_of
from tests.prompts.settling import delta, fact, seen


def again(answer: Any, number: int = 1) -> Any:
    return read_again(
        text_of(answer),
        book=book("en"),
        entry=entry(),
        rules=rules(),
        prose=PROSE["en"],
        delta=delta(),
        number=number,
        plan=plan("en"),
    )


def test_a_second_look_brings_a_fix_with_ids_of_its_own() -> None:
    fix = {"observations": [seen("dialogue", subject="n1")]}
    got = again({"cause": "mode", "quote": "Nell owes two hundred", "fix": fix}).value
    assert (got.cause, got.fix.observations[0].subject) == ("mode", "c0001.n1")
    moved = {"facts": [fact("p1", "location", "l2")]}
    assert again({"cause": "slip", "quote": "Pym nodded", "fix": moved}, 2).value.fix.facts[0].id == "c0001.a2f1"


@pytest.mark.parametrize(
    "answer",
    [
        {"cause": "text", "quote": "Pym nodded", "fix": None},
        {"cause": "event", "quote": "words that are nowhere", "fix": {"events": []}},
        {"cause": "who", "quote": "Pym nodded", "fix": None},
    ],
)
def test_without_words_in_the_text_or_a_fix_the_fault_is_the_texts(answer: Any) -> None:
    got = again(answer).value
    assert (got.cause, got.fix) == ("text", None)


def test_a_fix_that_does_not_fit_is_asked_for_again() -> None:
    got = again({"cause": "slip", "quote": "Pym nodded", "fix": {"facts": [fact("p77", "location", "l2")]}})
    assert (got.fault.code, got.fault.keys) == ("reply-handle", ("fix",))
