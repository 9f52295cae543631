"""What trying finds out about a model, what is kept of it, and what it is used for afterwards."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from inkos.adapters.models import ServiceModel, reach
from inkos.adapters.models.canary import canary
from inkos.adapters.models.memory import Memory
from inkos.adapters.models.probe import probe
from inkos.adapters.models.reach import MARK, REALISTIC, marked_request
from inkos.config import Provider, Route
from inkos.errors import ModelFault
from inkos.ports import Probed
from tests.adapters.model_server import Answer, ModelServer, refusal, serving
from tests.adapters.playing_model import Playing


def model(server: ModelServer, memory: Memory | None = None, **route: object) -> ServiceModel:
    settings = Route.model_validate({"provider": "p", "model": "m-1", **route})
    return ServiceModel(settings, Provider(base_url=server.base_url), "key-of-these-tests", memory)


def tried(playing: Playing, memory: Memory, largest: int = REALISTIC) -> tuple[dict[str, tuple[str, str]], ModelServer]:
    with serving(by=playing) as server:
        found: Probed = asyncio.run(probe(model(server, memory), "main", largest=largest))
    return {check.name: (check.state, check.detail) for check in found.checks}, server


def test_a_sound_model_passes_every_check_and_its_json_mode_is_used_from_then_on(tmp_path: Path) -> None:
    found, server = tried(Playing(), Memory(tmp_path))
    assert {name: state for name, (state, _) in found.items()} == dict.fromkeys(
        ("reachable", "key", "window", "stream", "json", "tools", "reasoning", "parameters"), "good"
    )
    assert found["window"][1] == f"≥ {REALISTIC}" and found["reasoning"][1] == "none" and len(server.seen) == 4
    learned = Memory(tmp_path).of(server.base_url, "m-1")
    assert learned.quirks.json_mode is True and learned.quirks.tools is True and learned.quirks.context is None
    assert learned.probe["tools"] == "good "


def test_a_prompt_cut_in_silence_shows_by_its_mark_and_the_window_that_was_found_is_used() -> None:
    memory = Memory()
    found, server = tried(Playing(window=3000), memory)
    assert found["window"] == ("bad", "2000")
    assert memory.of(server.base_url, "m-1").quirks.context == 2000
    with pytest.raises(ModelFault) as caught:
        asyncio.run(model(server, memory).complete(marked_request(2500)))
    assert caught.value.kind == "context" and "2000" in caught.value.detail, "not sent: the server is gone by now"


def test_a_refusal_that_names_the_window_is_believed_and_a_larger_one_is_looked_for_only_when_asked() -> None:
    memory = Memory()
    found, server = tried(Playing(window=6000, refuses=True), memory)
    assert found["window"] == ("bad", "6000") and memory.of(server.base_url, "m-1").quirks.context == 6000
    found, server = tried(Playing(window=30_000), memory, largest=40_000)
    assert found["window"] == ("good", "16000")
    assert len(server.seen) == 6, "8,000, 16,000, 32,000; stream, JSON, tools"


def test_what_a_model_lacks_is_said_and_kept_and_no_fault() -> None:
    memory = Memory()
    found, server = tried(Playing(json=False, tools=False, tags=True), memory)
    assert found["json"][0] == found["tools"][0] == "unknown" and found["reasoning"] == ("good", "tags")
    quirks = memory.of(server.base_url, "m-1").quirks
    assert (quirks.json_mode, quirks.tools, quirks.reasoning) == (False, False, "tags")


def test_a_service_that_never_answers_about_tools_does_not_hang_the_test() -> None:
    sound = Playing()
    with serving(by=lambda seen: Answer(hang=True) if seen.body.get("tools") else sound(seen)) as server:
        waiting = model(server, timeouts={"first_event": 5, "silence": 5, "total": 1})
        found = asyncio.run(probe(waiting, "main"))
    assert {check.name: check.state for check in found.checks}["tools"] == "unknown"


def test_a_wrong_key_and_a_dead_line_are_two_things() -> None:
    found, _ = tried(Playing(key="another"), Memory())
    assert found["reachable"][0] == "good" and found["key"][0] == "bad" and set(found) == {"reachable", "key"}
    with serving(by=Playing()) as server:
        port = model(server)
    dead = asyncio.run(probe(port, "main"))
    assert [(check.name, check.state) for check in dead.checks] == [("reachable", "bad")]


def test_refused_parameters_are_learnt_on_the_way() -> None:
    playing = Playing()

    def strict(seen):  # type: ignore[no-untyped-def]
        told = {"error": {"message": "invalid temperature: only 1 is allowed for this model"}}
        return refusal(400, told) if "temperature" in seen.body else playing(seen)

    memory = Memory()
    with serving(by=strict) as server:
        found = asyncio.run(probe(model(server, memory), "main"))
    assert next(c.detail for c in found.checks if c.name == "parameters") == "temperature unsent"
    assert memory.of(server.base_url, "m-1").quirks.temperature == "unsent"


def test_b15_doctors_call_is_of_real_size_and_finds_a_service_that_answers_only_short_prompts() -> None:
    with serving(by=Playing(window=6000, refuses=True)) as server, pytest.raises(ModelFault) as caught:
        asyncio.run(reach(model(server)))
    assert caught.value.kind == "context" and "6000" in caught.value.detail
    with serving(by=Playing(window=6000)) as server, pytest.raises(ModelFault) as caught:
        asyncio.run(reach(model(server)))
    assert caught.value.kind == "context" and "lost" in caught.value.detail
    assert MARK in marked_request(500).messages[-1].text[:60]


def test_a_canary_tells_a_bad_day_from_the_last_and_a_first_time_compares_with_nothing(tmp_path: Path) -> None:
    def day(playing: Playing, base: str = "") -> dict[tuple[str, str], bool]:
        with serving(by=playing) as server:
            port = model(server, Memory(tmp_path))
            port.provider = Provider(base_url=server.base_url)
            known = Memory(tmp_path)
            if base:  # the same endpoint on another day
                known.keep(server.base_url, "m-1", known.of(base, "m-1"))
            rows = asyncio.run(canary(ServiceModel(port.route, port.provider, "k", Memory(tmp_path)), 1.0))
        bases.append(server.base_url)
        return {(row.question, row.measure): row.worse for row in rows if row.measure != "speed"}

    bases: list[str] = []
    first = day(Playing())
    assert first and not any(first.values())
    good = day(Playing(), bases[-1])
    assert not any(good.values())
    bad = day(Playing(dull=True), bases[-1])
    assert [key for key, worse in bad.items() if worse] == [("quote-en", "quote")]
