"""Replies of real users' cases (group A) that no other test of the readers plays as they came."""

from __future__ import annotations

import json

import pytest

from inkos.prompts.readers import read_audit, read_found, read_outline
from inkos.prompts.readers.found import count_faults
from tests.cycle.founding_replies import found, outline, reply
from tests.prompts.reading import PROSE, QUESTIONS, audited, rules


@pytest.mark.parametrize("share", [0.3, 0.5, 0.6, 0.8, 0.95])
def test_a10_an_outline_cut_in_mid_sentence_that_says_it_ended_is_never_a_whole_one(share: float) -> None:
    text = reply(outline("zh"))
    got = read_outline(text[: int(len(text) * share)], chapters=40, rules=rules(), complete=True)
    assert got.fault is not None or (got.value is not None and count_faults(got.value, 40).first() is not None)


def test_a10_chapters_that_are_missing_at_the_end_are_asked_for_although_the_json_is_sound() -> None:
    whole = outline("zh")
    short = read_outline(reply(whole | {"chapters": whole["chapters"][:6]}), chapters=40, rules=rules())
    assert short.value is not None
    fault = count_faults(short.value, 40).first()
    assert fault is not None and fault.keys == ("chapters",), "the rest of the reply stands"


def test_a16_a_reply_without_any_verdict_is_a_named_fault_and_no_pass() -> None:
    text = json.dumps({"answers": [], "notes": "看起来没有问题"}, ensure_ascii=False)
    got = read_audit(text, questions=QUESTIONS, prose=PROSE["zh"], papers="")
    assert got.fault is not None and got.fault.keys == ("answers",)
    assert got.value is None or all(answer.verdict == "cannot_judge" for answer in got.value.answers)


def test_a17_one_object_in_place_of_a_list_and_a_list_of_one_in_place_of_an_object_lose_nothing() -> None:
    sound = audited("en")
    plain = read_audit(json.dumps(sound), questions=QUESTIONS, prose=PROSE["en"], papers="").value
    listed = read_audit(json.dumps([sound]), questions=QUESTIONS, prose=PROSE["en"], papers="").value
    assert plain is not None and listed == plain


def test_a19_a_reply_that_filled_only_its_thinking_is_not_a_finished_one() -> None:
    empty = {key: [] if isinstance(value, list) else value for key, value in outline("zh").items()}
    got = read_outline(reply({"thinking": "long plan …", **empty}), chapters=40, rules=rules())
    assert got.fault is not None or (got.value is not None and count_faults(got.value, 40).first() is not None)
    nobody = read_found(reply({"thinking": "long plan …", **found("zh"), "cast": []}))
    assert nobody.fault is not None and nobody.fault.code == "count"
