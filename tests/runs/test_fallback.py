"""Another route answers when a role's own has failed; no network."""

from __future__ import annotations

import asyncio

import pytest

from inkos.adapters.limiter import ProcessLimiter
from inkos.config import RunLimits
from inkos.errors import FaultKind, ModelFault
from inkos.ports import Notice, Reply
from inkos.prompts.request import Request
from inkos.runs.drive import drive
from inkos.runs.events import Event, FellBack, Noticed
from inkos.runs.job import Job
from inkos.runs.record import RunRecord
from tests.runs.fakes import FakeClock, MemoryRuns, OneModel, ScriptedModel, ThreeSteps, reply

STEPS = (("audit.1",),)


def job(desk: OneModel, runs: MemoryRuns, events: list[Event]) -> Job:
    machine = ThreeSteps(STEPS)
    record = RunRecord(id="r1", kind="chapter", book="b", started=0, updated=0, machine=machine.dump())
    return Job(
        machine=machine, record=record, runs=runs, models=desk, clock=FakeClock(),
        limiter=ProcessLimiter(FakeClock()), price=lambda usage, model: 0.1,
        limits=RunLimits(attempts=2), commit=lambda machine, want, run: 1, emit=events.append,
    )  # fmt: skip


def failing(kind: FaultKind) -> ScriptedModel:
    def script(asked: Request, count: int) -> Reply:
        raise ModelFault(kind, where="first", detail="no")

    return ScriptedModel(script)


def answering(name: str, **values: object) -> ScriptedModel:
    return ScriptedModel(lambda asked, count: reply("fine", **{"model": name, **values}))


@pytest.mark.parametrize(("kind", "tries"), [("server", 2), ("filtered", 1), ("balance", 1), ("request", 1)])
def test_another_route_answers_after_the_own_one_has_had_its_tries_and_the_ledger_says_who(
    kind: FaultKind, tries: int
) -> None:
    first, second, runs = failing(kind), answering("m2"), MemoryRuns()
    events: list[Event] = []
    ended = asyncio.run(drive(job(OneModel(first, others={"other": second}), runs, events)))
    assert isinstance(ended, ThreeSteps) and ended.heard == ("audit.1=fine",)
    assert len(first.paid) == tries and len(second.paid) == 1
    (fell,) = [e for e in events if isinstance(e, FellBack)]
    assert (fell.route, fell.other, fell.fault) == ("fake", "other", kind)
    assert [line["model"] for line in runs.lines] == [*["fake"] * tries, "m2"]


def test_when_every_route_fails_the_last_fault_is_told_and_each_was_tried() -> None:
    first, second, third = failing("server"), failing("server"), failing("balance")
    desk = OneModel(first, others={"two": second, "three": third})
    with pytest.raises(ModelFault) as caught:
        asyncio.run(drive(job(desk, MemoryRuns(), [])))
    assert caught.value.kind == "balance"
    assert [len(m.paid) for m in (first, second, third)] == [2, 2, 1]


def test_a_filter_everywhere_reaches_the_machine_as_an_answer() -> None:
    desk = OneModel(failing("filtered"), others={"two": failing("filtered")})
    ended = asyncio.run(drive(job(desk, MemoryRuns(), [])))
    assert isinstance(ended, ThreeSteps) and ended.heard == ("audit.1=filtered",)


def test_what_a_model_had_to_learn_is_told_when_it_happens() -> None:
    notice = Notice(code="adapted", values={"where": "p/m", "what": "temperature unsent"})
    events: list[Event] = []
    asyncio.run(drive(job(OneModel(answering("m", notices=[notice.model_dump()])), MemoryRuns(), events)))
    assert [e.values["what"] for e in events if isinstance(e, Noticed)] == ["temperature unsent"]
