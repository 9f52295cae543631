"""Many runs that share an endpoint's limits, against a service that counts; time is virtual, nothing is waited for."""

from __future__ import annotations

import asyncio
import selectors
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest

from inkos.adapters.limiter import ProcessLimiter
from inkos.config import CallLimits, RunLimits
from inkos.errors import ModelFault
from inkos.ports import OnText, Reply, Usage
from inkos.prompts.request import Request
from inkos.runs.drive import drive
from inkos.runs.events import CallWaits, Event
from inkos.runs.job import Job
from inkos.runs.record import RunRecord
from tests.runs.fakes import FakeClock, MemoryRuns, OneModel, ScriptedModel, ThreeSteps, reply

STEPS = (("plan",), ("draft",), ("settle", "audit"))  # four calls, three of them in sequence


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer instead of waiting for it."""

    def __init__(self) -> None:
        self.at = 1000.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.at


class _Jumping(selectors.DefaultSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self.loop = loop

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing left to wait for"
        self.loop.at += max(timeout, 0)
        return super().select(0)


class LoopClock:
    """The Clock port over the running loop's own time."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def in_virtual_time(work: Coroutine[Any, Any, float]) -> float:
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


@dataclass
class Counting:
    """ModelPort of a service that takes a second, and refuses what is beyond `a_minute` in any sixty seconds or beyond
    `at_once`; it says how long to wait, or not (`silent`)."""

    a_minute: int
    at_once: int = 10**6
    silent: bool = False
    recent: deque[float] = field(default_factory=deque)
    answered: int = 0
    refused: int = 0
    running: int = 0

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        now = asyncio.get_running_loop().time()
        while self.recent and self.recent[0] <= now - 60 + 1e-6:
            self.recent.popleft()
        if len(self.recent) >= self.a_minute or self.running >= self.at_once:
            self.refused += 1
            await asyncio.sleep(0.1)
            wait = self.recent[0] + 60 - now if len(self.recent) >= self.a_minute else 1.0
            raise ModelFault("rate", retry_after=None if self.silent else wait)
        self.recent.append(now)
        self.running += 1
        await asyncio.sleep(1)
        self.running -= 1
        self.answered += 1
        return Reply(text="x", usage=Usage(input=10, output=5), model="fake")


def job(number: int, desk: OneModel, limiter: ProcessLimiter, events: list[Event], **limits: object) -> Job:
    machine = ThreeSteps(STEPS)
    record = RunRecord(id=f"r{number}", kind="chapter", book="b", started=0, updated=0, machine=machine.dump())
    return Job(
        machine=machine, record=record, runs=MemoryRuns(), models=desk, clock=LoopClock(), limiter=limiter,
        price=lambda usage, model: 0.0, limits=RunLimits.model_validate({"attempts": 30, "repeats": 30, **limits}),
        commit=lambda machine, want, run: 1, emit=events.append, share=number / 64,
    )  # fmt: skip


def produced(service: Counting, limits: CallLimits, jobs: int = 64) -> float:
    """Virtual seconds that so many productions take side by side."""
    desk = OneModel(service, limits=limits)  # type: ignore[arg-type]

    async def all_of_them() -> float:
        limiter = ProcessLimiter(LoopClock())
        began = asyncio.get_running_loop().time()
        await asyncio.gather(*(drive(job(number, desk, limiter, [])) for number in range(jobs)))
        return asyncio.get_running_loop().time() - began

    took = in_virtual_time(all_of_them())
    assert service.answered == 4 * jobs
    return took


def test_64_productions_at_60_requests_a_minute_are_never_refused_and_lose_no_time() -> None:
    service = Counting(a_minute=60)
    took = produced(service, CallLimits(requests_per_minute=60))
    assert service.refused == 0
    assert took <= 1.05 * (4 * 64 - 1)  # a call a second


def test_so_many_at_once_as_allowed_and_no_slot_lies_idle() -> None:
    service = Counting(a_minute=10**6, at_once=8)
    took = produced(service, CallLimits(concurrent=8))
    assert service.refused == 0
    assert took <= 1.1 * 4 * 64 / 8


@pytest.mark.parametrize("silent", [False, True])
def test_a_limit_that_nobody_named_is_found_out_without_a_storm(silent: bool) -> None:
    service = Counting(a_minute=20, silent=silent)
    took = produced(service, CallLimits(), jobs=24)
    assert service.refused <= 24 + 4 * 24 * 0.25, service.refused  # the first wave is out before anybody knows
    assert took <= 1.6 * 4 * 24 * 3


def test_a_wait_is_told_once_kept_in_the_run_and_ends_when_a_person_stops_it() -> None:
    clock, events = FakeClock(), list[Event]()
    limiter = ProcessLimiter(clock)
    desk = OneModel(ScriptedModel(lambda asked, count: reply("x")), limits=CallLimits(requests_per_minute=1))
    the_job = job(1, desk, limiter, events)
    the_job.clock = clock
    the_job.stopped = lambda: clock.time > 1030
    asyncio.run(drive(the_job))
    waits = [event for event in events if isinstance(event, CallWaits)]
    assert [wait.endpoint for wait in waits] == ["fake"]
    kept = RunRecord.model_validate_json(the_job.runs.load("r1"))
    assert kept.status == "waiting" and kept.wants["draft"].not_before > 1030
    assert desk.port.paid == ["plan"]


def test_a_service_that_says_come_back_in_an_hour_is_not_called_by_anybody_else_and_not_waited_for() -> None:
    clock = FakeClock()
    limiter = ProcessLimiter(clock)

    def closed(asked: Request, count: int) -> Reply:
        raise ModelFault("rate", retry_after=3600)

    desk = OneModel(ScriptedModel(closed))
    for number in (1, 2):
        the_job = job(number, desk, limiter, [])
        the_job.clock = clock
        with pytest.raises(ModelFault) as caught:
            asyncio.run(drive(the_job))
        assert caught.value.kind == "rate" and caught.value.retry_after == pytest.approx(3600, abs=5)
    assert desk.port.paid == ["plan"]  # the second run has heard of it


def test_a_turn_is_given_back_when_its_call_is_cancelled() -> None:
    clock = FakeClock()
    limiter, limits = ProcessLimiter(clock), CallLimits(concurrent=1)

    class Hanging:
        async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
            await asyncio.Event().wait()
            raise AssertionError

    async def cancelled() -> None:
        the_job = job(1, OneModel(Hanging(), limits=limits), limiter, [])  # type: ignore[arg-type]
        the_job.clock = clock
        task = asyncio.ensure_future(drive(the_job))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        assert not isinstance(await limiter.enter("fake", limits, 0, longest=1, patience=0), float)

    asyncio.run(cancelled())
