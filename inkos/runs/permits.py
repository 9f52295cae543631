"""A run's place among all that call the same endpoint; does not know the limits' arithmetic nor who else is there."""

from __future__ import annotations

from inkos.cycle.wants import ModelWant
from inkos.errors import ModelFault
from inkos.ports import Permit
from inkos.runs import retry
from inkos.runs.events import CallWaits
from inkos.runs.job import WATCH_SECONDS, Job
from inkos.runs.record import estimate

LONG_WAIT = 5.0  # seconds from which a wait for an endpoint's limits is kept in run.json, so that it survives a restart


async def take_permit(job: Job, want: ModelWant, way: str) -> Permit:
    """Leave to call. ModelFault `rate`, never sent, where that takes longer than anybody waits in the foreground."""
    route, limits, coming = job.models.route_of(way), job.models.limits_of(way), estimate(want.request)
    told = False
    while True:
        found = await job.limiter.enter(route.provider, limits, coming.input + coming.output,
                                        longest=route.timeouts.total, patience=WATCH_SECONDS)  # fmt: skip
        if isinstance(found, Permit):
            return found
        if found > retry.CAP_SECONDS or job.stopped():
            raise ModelFault("rate", where=route.provider, detail="not sent", retry_after=found)
        if not told and found > LONG_WAIT:
            job.postpone(want.id, found)
        if not told:
            job.emit(CallWaits(want=want.id, task=want.request.task, endpoint=route.provider, seconds=found))
        told = True
