"""Laws of a driven run: nothing paid twice but what was in flight, whatever moment it is stopped."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from inkos.adapters.limiter import ProcessLimiter
from inkos.config import RunLimits
from inkos.errors import BudgetSpent, ModelFault
from inkos.ports import Reply, Usage
from inkos.prompts.request import Request
from inkos.runs.drive import drive
from inkos.runs.events import CallFailed, Event
from inkos.runs.job import Job
from inkos.runs.record import RunRecord
from tests.runs.fakes import FakeClock, MemoryRuns, OneModel, ScriptedModel, Stopped, ThreeSteps, reply, request

STEPS = (("plan.1",), ("draft.1",), ("settle.1", "audit.1"), ("revise.1",))


def echo(asked: Request, count: int) -> Reply:
    return reply(asked.messages[-1].text.upper())


def job(runs: MemoryRuns, model: ScriptedModel, events: list[Event] | None = None, clock: FakeClock | None = None,
        **limits: object) -> Job:  # fmt: skip
    """A job over whatever the store holds: a new run, or the one that was stopped."""
    if "r1" in runs.records:
        record = RunRecord.model_validate_json(runs.records["r1"])
        machine = ThreeSteps.load(STEPS, record.machine)
    else:
        machine = ThreeSteps(STEPS)
        record = RunRecord(id="r1", kind="chapter", book="b", started=0, updated=0, machine=machine.dump())

    def commit(machine: object, want: object, run: tuple[str, bytes]) -> int:
        runs.save(*run)
        return 1

    time = clock or FakeClock()
    return Job(
        machine=machine, record=record, runs=runs, models=OneModel(model), clock=time, limiter=ProcessLimiter(time),
        price=lambda usage, model: (usage.input + usage.output) / 1000, limits=RunLimits.model_validate(limits),
        commit=commit, emit=(events if events is not None else []).append,
    )  # fmt: skip


def run(the_job: Job) -> ThreeSteps:
    machine = asyncio.run(drive(the_job))
    assert isinstance(machine, ThreeSteps)
    return machine


def test_a_run_asks_each_question_once_and_ends_completed() -> None:
    runs, model = MemoryRuns(), ScriptedModel(echo)
    assert run(job(runs, model)).committed
    assert sorted(model.paid) == sorted(q for step in STEPS for q in step)
    record = RunRecord.model_validate_json(runs.records["r1"])
    assert record.status == "completed"
    assert record.tokens == 5 * 15


def undisturbed_writes() -> int:
    runs = MemoryRuns()
    run(job(runs, ScriptedModel(echo)))
    return runs.writes


@pytest.mark.parametrize("moment", range(1, undisturbed_writes() + 1))
def test_stopped_at_any_write_a_run_resumes_to_the_same_end_and_pays_at_most_what_was_in_flight(moment: int) -> None:
    runs, model = MemoryRuns(die_at=moment), ScriptedModel(echo)
    with pytest.raises(Stopped):
        run(job(runs, model))
    runs.die_at = None
    done = run(job(runs, model))
    assert done.committed
    assert sorted(done.heard) == sorted(f"{q}={q.upper()}" for step in STEPS for q in step)
    twice = [question for question, times in Counter(model.paid).items() if times > 1]
    assert len(twice) <= 2
    assert max(Counter(model.paid).values()) <= 2
    attempts = {str(line["attempt"]): line for line in runs.lines}
    booked = sum(1 for line in attempts.values() if line["status"] in ("replied", "unknown"))
    assert booked == len(model.paid)


def test_a_passing_fault_is_retried_after_the_time_the_service_named() -> None:
    def script(asked: Request, count: int) -> Reply:
        if count == 1:
            raise ModelFault("rate", retry_after=7)
        return echo(asked, count)

    clock, events = FakeClock(), []
    assert run(job(MemoryRuns(), ScriptedModel(script), events, clock)).committed
    assert sum(clock.slept) >= 7
    assert any(isinstance(e, CallFailed) and e.again_in is not None for e in events)


def test_a_lasting_fault_is_not_retried_and_leaves_a_run_that_resumes() -> None:
    broken = [True]

    def script(asked: Request, count: int) -> Reply:
        if asked.messages[-1].text == "draft.1" and broken[0]:
            raise ModelFault("balance", detail="no money")
        return echo(asked, count)

    runs, model = MemoryRuns(), ScriptedModel(script)
    with pytest.raises(ModelFault):
        run(job(runs, model))
    record = RunRecord.model_validate_json(runs.records["r1"])
    assert record.status == "waiting" and "balance" in record.note
    assert model.paid == ["plan.1", "draft.1"]
    broken[0] = False
    assert run(job(runs, model)).committed
    assert model.paid.count("plan.1") == 1


def test_tries_end_after_the_limit_even_if_every_failure_is_a_passing_one() -> None:
    def script(asked: Request, count: int) -> Reply:
        raise ModelFault("server", detail="500")

    model = ScriptedModel(script)
    with pytest.raises(ModelFault):
        run(job(MemoryRuns(), model, attempts=3))
    assert len(model.paid) == 3


def test_when_one_of_two_calls_fails_the_other_is_kept() -> None:
    broken = [True]

    def script(asked: Request, count: int) -> Reply:
        if asked.messages[-1].text == "audit.1" and broken[0]:
            raise ModelFault("key")
        return echo(asked, count)

    runs, model = MemoryRuns(), ScriptedModel(script)
    with pytest.raises(ModelFault):
        run(job(runs, model))
    broken[0] = False
    assert run(job(runs, model)).committed
    assert model.paid.count("settle.1") == 1


@pytest.mark.parametrize("kind", ["refused", "filtered"])
def test_a_refusal_is_told_to_the_machine_and_not_retried(kind: str) -> None:
    def script(asked: Request, count: int) -> Reply:
        if asked.messages[-1].text == "audit.1":
            raise ModelFault(kind)  # type: ignore[arg-type]
        return echo(asked, count)

    model = ScriptedModel(script)
    done = run(job(MemoryRuns(), model))
    assert f"audit.1={kind}" in done.heard
    assert model.paid.count("audit.1") == 1


def test_a_token_limit_pauses_before_the_call_that_could_cross_it() -> None:
    runs, model = MemoryRuns(), ScriptedModel(echo)
    with pytest.raises(BudgetSpent):
        run(job(runs, model, tokens=130))
    assert model.paid == ["plan.1", "draft.1"]
    assert RunRecord.model_validate_json(runs.records["r1"]).status == "waiting"
    assert run(job(runs, model, tokens=10_000)).committed
    assert model.paid.count("plan.1") == 1


def test_asked_to_stop_it_ends_at_the_next_boundary_and_resumes() -> None:
    runs, model = MemoryRuns(), ScriptedModel(echo)
    stopping = job(runs, model)
    stopping.stopped = lambda: len(model.paid) >= 2
    machine = asyncio.run(drive(stopping))
    assert machine.status == "running"
    assert RunRecord.model_validate_json(runs.records["r1"]).status == "waiting"
    assert run(job(runs, model)).committed
    assert Counter(model.paid).most_common(1)[0][1] == 1


def test_a_stored_reply_is_used_only_for_the_same_messages() -> None:
    """Papers changed while the run waited: what was asked then does not answer what is asked now."""
    runs, model = MemoryRuns(), ScriptedModel(echo)
    first = job(runs, model)
    first.stopped = lambda: len(model.paid) >= 1
    asyncio.run(drive(first))
    record = RunRecord.model_validate_json(runs.records["r1"])
    plan = record.wants["plan.1"]
    of_another = tuple(attempt.model_copy(update={"asked": "another"}) for attempt in plan.attempts)
    runs.records["r1"] = record.model_copy(
        update={"machine": {"at": 0, "heard": [], "committed": False},
                "wants": {"plan.1": plan.model_copy(update={"digest": "another", "attempts": of_another})}}
    ).model_dump_json().encode()  # fmt: skip
    assert run(job(runs, model)).committed
    assert model.paid.count("plan.1") == 2
    paid = {str(line["attempt"]) for line in runs.lines if line["status"] == "replied"}
    assert len(paid) == len(model.paid), "both are booked: neither takes the other's place in the ledger"
    assert RunRecord.model_validate_json(runs.records["r1"]).tokens == 15 * len(model.paid)


def test_an_unknown_price_is_unknown_and_never_zero() -> None:
    the_job = job(MemoryRuns(), ScriptedModel(echo))
    the_job.price = lambda usage, model: None
    run(the_job)
    assert the_job.record.money is None
    assert Usage().input == 0 and request("x").cap == 100
