"""The limits of endpoints for all workers of one database; the arithmetic is in inkos/runs/rates.py."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping

from inkos.adapters.batch.database import Database
from inkos.config import CallLimits
from inkos.ports import Permit
from inkos.runs import rates
from inkos.runs.rates import Meter

FREE = "free"  # the id of a turn that takes nobody's place
LEAST_SECONDS = 0.2  # between two looks at the database while a place is waited for


class DatabaseLimiter:
    """The Limiter port. `narrower`: limits of a plan by provider; the tighter of both holds. The ids of permits begin
    with the worker's name, so that those of a dead one can be given back."""

    def __init__(self, database: Database, worker: str, narrower: Mapping[str, CallLimits] | None = None) -> None:
        self._database, self._worker, self._narrower = database, worker, narrower or {}

    async def enter(
        self, endpoint: str, limits: CallLimits, tokens: int, *, longest: float, patience: float
    ) -> Permit | float:
        both = tighter(limits, self._narrower.get(endpoint))
        waited = 0.0
        while True:
            found = self._ask(endpoint, both, tokens, longest)
            if isinstance(found, Permit) or waited >= patience:
                return found
            pause = min(max(found, LEAST_SECONDS), max(patience - waited, LEAST_SECONDS))
            await asyncio.sleep(pause)
            waited += pause

    def _ask(self, endpoint: str, limits: CallLimits, tokens: int, longest: float) -> Permit | float:
        found: list[Permit | float] = []

        def ask(body: str, now: float) -> str:
            meter = _meter(body)
            seconds = rates.wait(meter, limits, now)
            if seconds > 0:
                found.append(seconds)
                return body
            permit_id = f"{self._worker}/{uuid.uuid4().hex}"
            meter, permit = rates.begin(meter, limits, permit_id, endpoint, tokens, now, longest)
            found.append(permit)
            return meter.model_dump_json()

        self._database.change("meter", endpoint, ask)
        return found[-1]

    async def leave(self, permit: Permit, used: int | None) -> None:
        self._change(permit.endpoint, lambda meter, now: rates.leave(meter, permit, used))

    async def refused(self, permit: Permit, seconds: float | None) -> None:
        self._change(permit.endpoint, lambda meter, now: rates.refused(meter, permit, seconds, now))

    def _change(self, endpoint: str, change: Callable[[Meter, float], Meter]) -> None:
        self._database.change("meter", endpoint, lambda body, now: change(_meter(body), now).model_dump_json())


def _meter(body: str) -> Meter:
    return Meter.model_validate_json(body) if body else Meter()


def tighter(one: CallLimits, other: CallLimits | None) -> CallLimits:
    """Of each limit the smaller; what only one of them limits is limited by that."""
    if other is None:
        return one
    both = {name: [v for v in (getattr(one, name), getattr(other, name)) if v is not None]
            for name in CallLimits.model_fields}  # fmt: skip
    return CallLimits.model_validate({name: min(values) if values else None for name, values in both.items()})
