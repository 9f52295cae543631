"""Makes happen what a machine wants, durably: intent, effect, stored reply, outcome; does not know what is being made.

Order of one call (design/durability.md): the intent with its reserved artefact name is saved, the call is made, its
reply is stored under that name, the ledger gets its line, and only then is the reply looked at and run.json saved.
Whatever moment the process dies, a resumed run finds a stored reply and uses it, or an attempt whose outcome is
unknown: that is booked at its estimate and made again.
"""

from __future__ import annotations

import asyncio

from inkos.cycle.wants import Committed, CommitWant, Failed, ModelWant, Outcome, Replied, Want
from inkos.errors import InkosError, ModelFault
from inkos.ports import Reply, Usage
from inkos.records import digest, dump
from inkos.runs import budget, retry
from inkos.runs.booking import close, enter, priced
from inkos.runs.events import (
    CallEnded,
    CallFailed,
    CallStarted,
    FellBack,
    Noticed,
    StageReached,
    TextCame,
)
from inkos.runs.frames import Frames, left_behind, partial_name
from inkos.runs.job import WATCH_SECONDS, Job, Machine, Until
from inkos.runs.permits import take_permit
from inkos.runs.record import Artefact, Attempt, Pause, RunStatus, WantRecord, estimate, request_digest

# An answer about the text, not a failure of the line: the machine hears of it (design/chapter.md).
HEARD: frozenset[str] = frozenset({"refused", "filtered", "truncated", "unreadable"})

async def drive(job: Job, until: Until = lambda machine: False) -> Machine:
    """Advance until the machine wants nothing, `until` says so, or a person stops it; the machine as it then stands.

    Raises ModelFault, BudgetSpent or another InkosError after the run has been saved as waiting: it can be resumed.
    """
    job.began, job.worked = job.clock.now(), job.record.working_seconds
    left = list(left_behind(job.record, job.runs))
    job.record = close(job.record, job.runs, job.price, job.purse)
    job.save(status="running", paused=None)
    for notice in left:
        job.emit(notice)
    tasks: dict[str, asyncio.Task[Outcome]] = {}
    trouble: InkosError | None = None
    try:
        while True:
            ended = trouble is not None or job.stopped() or until(job.machine)
            for want in () if ended else job.machine.wants():
                if want.id not in tasks:
                    tasks[want.id] = asyncio.ensure_future(perform(job, want))
            if not tasks:
                break
            done, _ = await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            for want_id in [w for w, task in tasks.items() if task in done]:
                try:
                    hear(job, tasks.pop(want_id).result())
                except InkosError as error:
                    # The other calls in flight are paid for: they are awaited and kept before the trouble is told.
                    trouble = trouble or error
    finally:
        for task in tasks.values():
            task.cancel()
        if job.record.status == "running" or trouble is not None:  # else a commit has carried the record of the end
            job.save(status=_status(job, trouble), note=str(trouble) if trouble else "", paused=_pause(trouble))
    if trouble is not None and not (job.stopped() and isinstance(trouble, ModelFault)):
        raise trouble
    return job.machine


def _pause(trouble: InkosError | None) -> Pause | None:
    if trouble is None:
        return None
    values = {key: str(value) for key, value in trouble.values.items()}
    return Pause(code=trouble.code, values={"where": trouble.where, **values})


def _status(job: Job, trouble: InkosError | None) -> RunStatus:
    return "waiting" if trouble is not None or job.machine.status == "running" else job.machine.status


def hear(job: Job, outcome: Outcome) -> None:
    """Take one outcome: advance the machine, save, then tell."""
    before = job.machine.stage
    job.machine = job.machine.advance(outcome)
    if isinstance(outcome, Committed):
        return  # the commit carried the record that holds after it
    job.save()
    if job.machine.stage != before:
        job.emit(StageReached(run=job.record.id, stage=job.machine.stage, machine=job.machine.dump()))


async def perform(job: Job, want: Want) -> Outcome:
    if isinstance(want, CommitWant):
        return commit(job, want)
    return await call(job, want)


def commit(job: Job, want: CommitWant) -> Committed:
    """Make the result visible in one set with the run record as it holds afterwards."""
    outcome = Committed(want=want.id, revision=job.record.base_revision + 1)
    after = job.machine.advance(outcome)
    now = job.clock.now()
    record = job.record.model_copy(
        update={
            "revision": job.record.revision + 1,
            "updated": now,
            "working_seconds": job.worked + (now - job.began),
            "machine": after.dump(),
            "stage": after.stage,
            "status": after.status,
            "note": "",
            "base_revision": outcome.revision,
        }
    )
    job.commit(job.machine, want, (record.id, dump(record)))
    job.record = record
    job.emit(StageReached(run=record.id, stage=after.stage, machine=after.dump()))
    return outcome


async def call(job: Job, want: ModelWant) -> Outcome:
    """One want until it has a reply, or fails for good. Tries of this process count anew: a person asked to resume."""
    asked = request_digest(want.request)
    known = job.record.wants.get(want.id)
    if known is None or known.digest != asked:
        characters = sum(len(m.text) for m in want.request.messages)
        # What was paid for other messages under this id stays booked; it answers nothing any more.
        before = known.attempts if known else ()
        known = WantRecord(id=want.id, task=want.request.task, digest=asked, characters=characters, attempts=before)
        job.put(known)
    stored = _stored(job, known)
    if stored is not None:
        return Replied(want=want.id, text=stored.text, complete=stored.finish != "length")
    if job.insist:
        job.forgiven.setdefault(asked, len(budget.same_question(job.record, known)))
    failures, ways = 0, [job.models.route_name(want.request.role)]
    while True:
        await _wait(job, want)
        try:
            reply = await with_permit(job, want, ways[-1])
        except ModelFault as fault:
            failures += 1
            tried_enough = failures >= job.limits.attempts or job.stopped()
            wait = None if tried_enough else retry.pause(fault, failures, job.share)
            if wait is None and (other := _other_way(job, want, fault, ways)):
                ways.append(other)
                failures = 0
                continue
            if fault.kind in HEARD:
                return Failed(want=want.id, fault=fault.kind, detail=fault.detail)
            later = fault.retry_after if wait is None else wait
            job.postpone(want.id, later)
            job.emit(CallFailed(want=want.id, task=want.request.task, fault=fault.kind, detail=fault.detail,
                                again_in=wait))  # fmt: skip
            if wait is None:
                raise
        else:
            if reply.finish == "filtered":
                return Failed(want=want.id, fault="filtered", detail="")
            return Replied(want=want.id, text=reply.text, complete=reply.finish != "length")


def _other_way(job: Job, want: ModelWant, fault: ModelFault, tried: list[str]) -> str | None:
    """The next route that may answer in place of those that have failed, told to whoever watches; null: there is none.
    Its tries count anew."""
    role = want.request.role
    other = None if job.stopped() else next((n for n in job.models.fallbacks(role, fault) if n not in tried), None)
    if other is not None:
        known = job.record.wants[want.id]
        job.forgiven[known.digest] = len(budget.same_question(job.record, known))
        job.put(known.model_copy(update={"not_before": 0.0}))
        job.emit(FellBack(want=want.id, task=want.request.task, fault=fault.kind, detail=fault.detail,
                          route=tried[-1], other=other))  # fmt: skip
    return other


async def _wait(job: Job, want: ModelWant) -> None:
    """Until the next try may start, or a person asks to stop."""
    while (due := job.record.wants[want.id].not_before - job.clock.now()) > 0:
        if job.stopped():
            raise ModelFault("rate", where=want.id, detail="stopped while waiting", retry_after=due)
        await job.clock.sleep(min(due, WATCH_SECONDS))


async def with_permit(job: Job, want: ModelWant, way: str) -> Reply:
    """One try on one route when the endpoint's limits allow it."""
    permit = await take_permit(job, want, way)
    used: int | None = None
    refused: ModelFault | None = None
    try:
        reply = await attempt(job, want, way)
        used = None if reply.usage.estimated else reply.usage.input + reply.usage.output
        return reply
    except ModelFault as fault:
        refused = fault if fault.kind == "rate" else None
        raise
    finally:
        if refused is not None:
            await job.limiter.refused(permit, refused.retry_after)
        else:
            await job.limiter.leave(permit, used)


async def attempt(job: Job, want: ModelWant, way: str) -> Reply:
    """One try on one route: budget, intent, call, stored reply, ledger."""
    coming = estimate(want.request)
    route = job.models.route_of(way)
    asked = job.record.wants[want.id].digest
    budget.check_progress(job.record, job.record.wants[want.id], job.limits, job.forgiven.get(asked, 0))
    budget.check(job.record, job.limits, coming, job.price(coming, route.model),
                 job.worked + job.clock.now() - job.began, job.book, job.elsewhere)  # fmt: skip
    number = len(job.record.wants[want.id].attempts) + 1
    tried = Attempt(id=f"{want.id}#{number}", asked=asked, artefact=f"{want.id}-{number}.json", at=job.clock.now(),
                    usage=coming, money=job.price(coming, route.model), model=route.model)  # fmt: skip
    if job.purse is not None:
        await job.purse.reserve(f"{job.record.id}/{tried.id}", coming.input + coming.output, tried.money)
    job.attempt(want.id, tried)
    job.save()
    job.emit(CallStarted(want=want.id, task=want.request.task, attempt=number, model=route.model))
    came, aside = 0, partial_name(want.id, tried)
    frames = Frames(job.runs, job.record.id, aside, job.clock)

    def on_text(piece: str) -> None:
        nonlocal came
        came += len(piece)
        frames.take(piece)
        job.emit(TextCame(want=want.id, task=want.request.task, piece=piece, characters=came))

    try:
        reply = await job.models.model_of(way).complete(want.request, on_text)
    except ModelFault as fault:
        # What a failed try cost is not known unless something came; then it is booked by its length.
        used = Usage() if not fault.partial else coming.model_copy(update={"output": len(fault.partial)})
        failed = tried.model_copy(
            update={"status": "failed", "fault": fault.kind, "detail": fault.detail, "usage": used,
                    "money": job.price(used, route.model) if fault.partial else 0.0}
        )  # fmt: skip
        _settle(job, want, failed)
        if fault.partial:
            _keep(job, aside, fault.partial.encode())
        raise
    money = priced(job.price, reply, route.model)
    settled = tried.model_copy(
        update={"status": "replied", "usage": reply.usage, "money": money, "model": reply.model or route.model,
                "seconds": reply.seconds}
    )  # fmt: skip
    _keep(job, tried.artefact, dump(reply))
    _settle(job, want, settled)
    job.emit(CallEnded(want=want.id, task=want.request.task, usage=reply.usage, money=money, seconds=reply.seconds))
    for notice in reply.notices:
        job.emit(Noticed(code=notice.code, values=notice.values))
    return reply


def _keep(job: Job, name: str, content: bytes) -> None:
    """Store an artefact before anything is derived from it."""
    job.runs.put(job.record.id, name, content)
    known = {**job.record.artefacts, name: Artefact(sha256=digest(content), size=len(content))}
    job.record = job.record.model_copy(update={"artefacts": known})


def _settle(job: Job, want: ModelWant, attempt: Attempt) -> None:
    """Book one attempt. run.json holds it with the next save, which comes with the outcome: should the process die
    before, the stored reply and the ledger's line say the same (the ledger's reader takes an attempt's last line)."""
    enter(job.record, job.runs, job.purse, want.request.role, want.request.task, attempt)
    job.attempt(want.id, attempt)


def _stored(job: Job, want: WantRecord) -> Reply | None:
    """The reply of an earlier attempt at the same messages, if one was stored, even unsettled."""
    for attempt in reversed(want.attempts):
        if attempt.status == "failed" or attempt.asked != want.digest:
            continue
        content = job.runs.get(job.record.id, attempt.artefact)
        if content is not None:
            return Reply.model_validate_json(content)
    return None
