"""The limits of endpoints for everything that one process does; knows neither runs nor what other processes do."""

from __future__ import annotations

import threading
from itertools import count

from inkos.config import CallLimits
from inkos.ports import Clock, Permit
from inkos.runs import rates
from inkos.runs.rates import Meter


class ProcessLimiter:
    """Limiter in memory, for all threads and event loops of the process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._meters: dict[str, Meter] = {}
        self._lock = threading.Lock()
        self._numbers = count(1)

    async def enter(
        self, endpoint: str, limits: CallLimits, tokens: int, *, longest: float, patience: float
    ) -> Permit | float:
        until = self._clock.now() + patience
        while True:
            found = self._ask(endpoint, limits, tokens, longest)
            left = until - self._clock.now()
            if isinstance(found, Permit) or left <= 0:
                return found
            await self._clock.sleep(min(found, left))

    def _ask(self, endpoint: str, limits: CallLimits, tokens: int, longest: float) -> Permit | float:
        with self._lock:
            meter, now = self._meters.get(endpoint, Meter()), self._clock.now()
            if (seconds := rates.wait(meter, limits, now)) > 0:
                return seconds
            self._meters[endpoint], permit = rates.begin(
                meter, limits, str(next(self._numbers)), endpoint, tokens, now, longest
            )
            return permit

    async def leave(self, permit: Permit, used: int | None) -> None:
        with self._lock:
            self._meters[permit.endpoint] = rates.leave(self._meters.get(permit.endpoint, Meter()), permit, used)

    async def refused(self, permit: Permit, seconds: float | None) -> None:
        with self._lock:
            meter = self._meters.get(permit.endpoint, Meter())
            self._meters[permit.endpoint] = rates.refused(meter, permit, seconds, self._clock.now())
