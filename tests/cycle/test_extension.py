"""The machine that goes on with an outline: what it takes, what it refuses, what it asks again."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from inkos.cycle.extension import ExtensionDesk, ExtensionState, absorb, wants
from inkos.cycle.wants import Failed, Replied
from inkos.kernel.outline import parse_outline, with_entries
from inkos.messages import Language
from inkos.prompts.context import compose
from tests.prompts import fixture

LANGUAGES: tuple[Language, ...] = get_args(Language)
BEATS = {"en": ("Ida sells the second boat to nobody she knows.", "The buyer wants the oars as well.",
                "A bell rings over the salt pans."),
         "zh": ("程家把第二条船卖给了生人。", "买主连桨也要。", "盐田那边敲起了钟。")}  # fmt: skip


def desk(language: Language) -> ExtensionDesk:
    kit, book = fixture.kit(language), fixture.book(language)
    return ExtensionDesk(kit, book, compose(kit, book, None, fixture.rules(language)))


def reply(language: Language, **changes: Any) -> str:
    volume = desk(language).book.outline.entries[-1].volume
    chapter = {"volume": volume, "title": "Tideless", "function": "x", "beats": list(BEATS[language]), "required": "",
               "end_kind": "arrival"}  # fmt: skip
    return json.dumps({"chapters": [{**chapter, **changes}]}, ensure_ascii=False)


def told(language: Language, *texts: str) -> ExtensionState:
    state, the_desk = ExtensionState(amount=3), desk(language)
    for text in texts:
        (wanted,) = wants(state, the_desk)
        state = absorb(state, Replied(want=wanted.id, text=text), the_desk)
    return state


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_entries_stand_at_the_end_of_their_volume_and_nothing_else_changes(language: Language) -> None:
    state = told(language, reply(language))
    assert state.stage == "done" and state.entries[0].title == "Tideless"
    outline = desk(language).book.outline
    assert state.entries[0].key not in {entry.key for entry in outline.entries}
    text = "# Mine\n\nA note.\n\n## One\n\n### A {#a}\n- x\n\nMy words below.\n\n## Two\n- Goal: y"
    entry = state.entries[0].model_copy(update={"volume": "One"})
    made = with_entries(text, [entry], language)
    at = made.index("### Tideless")
    head, tail = made[:at], made[made.index("## Two") :]
    assert text.startswith(head.rstrip("\n")) and tail.rstrip("\n") == text[text.index("## Two") :]
    assert [e.title for e in parse_outline(made).entries] == ["A", "Tideless"]
    assert parse_outline(made).entries[1].beats == entry.beats


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("change", ["scene", "title", "volume", "none"])
def test_what_does_not_go_with_the_outline_is_asked_again_and_then_refused(language: Language, change: str) -> None:
    outline = desk(language).book.outline
    old = next(entry for entry in outline.entries if entry.beats)
    bad = {
        "scene": reply(language, beats=[*BEATS[language][:2], old.beats[0].text]),
        "title": reply(language, title=old.title),
        "volume": reply(language, volume="No such volume"),
        "none": '{"chapters": []}',
    }[change]
    state = told(language, bad)
    assert state.stage == "ask" and state.call.fault is not None
    (wanted,) = wants(state, desk(language))
    assert wanted.id == "extend.1.ask" and len(wanted.request.messages) == 4
    assert told(language, bad, reply(language)).stage == "done"
    failed = told(language, bad, bad)
    assert failed.stage == "failed" and failed.entries == () and failed.detail


def test_too_few_beats_are_asked_again_and_then_taken() -> None:
    bad = reply("en", beats=list(BEATS["en"][:1]))
    assert told("en", bad).call.fault is not None
    assert told("en", bad, bad).stage == "done"


def test_a_service_that_fails_and_outcomes_of_nothing_asked() -> None:
    state, the_desk = ExtensionState(amount=3), desk("en")
    assert absorb(state, Replied(want="plan.1", text="{}"), the_desk) == state
    failed = absorb(state, Failed(want="extend.1", fault="refused", detail="no"), the_desk)
    assert (failed.stage, failed.fault, failed.detail) == ("failed", "refused", "no")
    assert wants(failed, the_desk) == ()
