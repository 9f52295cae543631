"""The system's clock as the Clock port; knows nothing of who waits or why."""

from __future__ import annotations

import asyncio
import time


class SystemClock:
    """Wall clock in seconds since the epoch, and sleep that lets other tasks go on."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, seconds))
