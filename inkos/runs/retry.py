"""When a failed call may be tried again; does not sleep and does not call."""

from __future__ import annotations

from inkos.errors import ModelFault

BASE_SECONDS = 2.0  # first pause; doubles with each failure (common practice: exponential back-off)
CAP_SECONDS = 300.0  # a service that names a longer time is not waited for in the foreground: the run pauses


def pause(fault: ModelFault, failures: int, share: float) -> float | None:
    """Seconds to wait before the next try after `failures` failures in a row, or null: do not try again now.

    `share` in [0, 1) spreads starts of parallel jobs (full jitter over the upper half of the pause). The service's own
    word (`retry_after`) is a lower bound.
    """
    if not fault.transient:
        return None
    own: float = min(BASE_SECONDS * 2 ** (failures - 1), CAP_SECONDS) * (0.5 + share / 2)
    if fault.retry_after is None:
        return own
    if fault.retry_after > CAP_SECONDS:
        return None
    return fault.retry_after + share * BASE_SECONDS
