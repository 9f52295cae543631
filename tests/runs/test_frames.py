"""What has come of a reply when its process dies: kept aside, told to whoever goes on, never taken for the reply."""

from __future__ import annotations

import asyncio

import pytest

from inkos.errors import ModelFault
from inkos.ports import OnText, Reply
from inkos.prompts.request import Request
from inkos.runs.events import Event, Noticed
from inkos.runs.frames import FRAME_SECONDS, MOST, Frames
from inkos.runs.record import RunRecord
from tests.runs.fakes import FakeClock, MemoryRuns, OneModel, ScriptedModel, Stopped, reply
from tests.runs.test_drive import echo, job, run

PIECES = ("The ferry left ", "at noon. ", "Nobody saw it go. ", "The bell")


class Dying:
    """Streams a piece every six seconds; before the last one the process is gone."""

    def __init__(self, runs: MemoryRuns, clock: FakeClock) -> None:
        self.runs, self.clock = runs, clock

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        if request.messages[-1].text != "draft.1":
            return reply("fine")
        assert on_text is not None
        for piece in PIECES[:-1]:
            self.clock.time += 6
            on_text(piece)
        self.runs.die_at = self.runs.writes + 1
        raise Stopped


def died(runs: MemoryRuns, clock: FakeClock) -> None:
    the_job = job(runs, ScriptedModel(echo), clock=clock)
    the_job.models = OneModel(Dying(runs, clock))  # type: ignore[arg-type]
    with pytest.raises(Stopped):
        run(the_job)
    runs.die_at = None


def test_what_had_come_is_kept_told_once_and_asked_for_anew() -> None:
    runs, clock, events = MemoryRuns(), FakeClock(), list[Event]()
    died(runs, clock)
    assert runs.artefacts["r1/draft.1-1.partial.txt"].decode() == "".join(PIECES[:2]), "the frame before the last piece"
    model = ScriptedModel(echo)
    done = run(job(runs, model, events, clock))
    told = [event.values for event in events if isinstance(event, Noticed)]
    assert told == [{"path": "runs/r1/draft.1-1.partial.txt", "characters": str(len("".join(PIECES[:2])))}]
    assert "draft.1" in model.paid and not any("ferry" in heard for heard in done.heard)
    again: list[Event] = []
    run(job(runs, ScriptedModel(echo), again, clock))
    assert not [event for event in again if isinstance(event, Noticed)]


def test_frames_are_few_and_bounded() -> None:
    runs, clock = MemoryRuns(), FakeClock()
    frames = Frames(runs, "r1", "x.partial.txt", clock)
    for _ in range(1_000):
        clock.time += 0.1
        frames.take("x" * 1_000)
    assert runs.writes <= 100 / FRAME_SECONDS + 1
    assert len(runs.artefacts["r1/x.partial.txt"]) <= MOST


def test_half_a_character_is_no_reason_to_lose_the_call() -> None:
    runs, clock = MemoryRuns(), FakeClock()
    frames = Frames(runs, "r1", "x.partial.txt", clock)
    clock.time += FRAME_SECONDS
    frames.take("ok \ud83d")
    assert runs.artefacts["r1/x.partial.txt"].decode().startswith("ok ")


def test_a_failed_call_keeps_its_text_under_the_same_name() -> None:
    def script(asked: Request, count: int) -> Reply:
        raise ModelFault("incomplete", partial="The ferry")

    runs = MemoryRuns()
    with pytest.raises(ModelFault):
        asyncio.run(_driven(runs, ScriptedModel(script)))
    assert runs.artefacts["r1/plan.1-1.partial.txt"] == b"The ferry"
    kept = RunRecord.model_validate_json(runs.records["r1"])
    assert "plan.1-1.partial.txt" in kept.artefacts


async def _driven(runs: MemoryRuns, model: ScriptedModel) -> None:
    from inkos.runs.drive import drive

    await drive(job(runs, model, attempts=1))
