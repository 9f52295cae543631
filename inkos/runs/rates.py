"""When the next call of an endpoint may begin, as arithmetic on one small record; knows no clock and who shares it.

Calls begin evenly spaced: after each, the next waits for as long as the first one's share of a minute, the larger of
its share of the requests and of the tokens. So no sixty seconds, wherever they begin, hold more requests than allowed,
nor more tokens than allowed but for the last call's; and a hundred calls that are ready at once are a row, not a storm.
(A bucket that fills up lets twice the limit through in a service's first minute.)

Where a service says "too many" all the same, everybody is held back until the time that it named (where it names none:
a second, and twice as long after each try that is refused again), and from then on the pace is slower: doubled by a
refusal after calls that went well, shortened by each call that does. Refusals of calls that began before the last one
was heard are the same event and change nothing further.
"""

from __future__ import annotations

from inkos.config import CallLimits
from inkos.ports import Permit
from inkos.records import Record

MINUTE = 60.5  # seconds: a little more than one, because not every call takes equally long to arrive
FIRST_PACE, SLOWEST_PACE = 1.0, 60.0  # seconds between two calls after the first refusal, and at most
EASING = 0.98  # of the pace after each good call: some 35 of them undo one refusal
NO_PACE = 0.02  # seconds: a pace below is none
FULL = 0.05  # seconds after which to ask again where as many calls run as may


class Meter(Record):
    """What is known of one endpoint. `request_due`, `token_due`, `held`: nothing begins before (seconds since the
    epoch): by the number of requests, by their tokens, by the service's word. `pace`: seconds between two calls, learnt
    from refusals, the last of which was heard at `refused_at`; `back`: seconds that it held back for where the service
    named none, 0 once a call has gone well since. `running`: permit → when it counts as given back."""

    request_due: float = 0.0
    token_due: float = 0.0
    held: float = 0.0
    pace: float = 0.0
    back: float = 0.0
    refused_at: float = 0.0
    running: dict[str, float] = {}


def wait(meter: Meter, limits: CallLimits, now: float) -> float:
    """Seconds until a call may begin; 0: now."""
    due = max(meter.request_due, meter.token_due, meter.held)
    if due > now:
        return due - now
    alive = sum(1 for until in meter.running.values() if until > now)
    return FULL if limits.concurrent is not None and alive >= limits.concurrent else 0.0


def begin(
    meter: Meter, limits: CallLimits, permit_id: str, endpoint: str, tokens: int, now: float, longest: float
) -> tuple[Meter, Permit]:
    """The meter after a call of `tokens` has begun, and its permit. `longest`: seconds after which it cannot be running
    any more. Only where `wait` is 0."""
    spacing = max(MINUTE / limits.requests_per_minute if limits.requests_per_minute else 0.0, meter.pace)
    share = tokens * MINUTE / limits.tokens_per_minute if limits.tokens_per_minute else 0.0
    running = {known: until for known, until in meter.running.items() if until > now}
    if limits.concurrent is not None:
        running[permit_id] = now + longest
    after = meter.model_copy(update={"request_due": now + spacing, "token_due": now + share, "running": running})
    return after, Permit(id=permit_id, endpoint=endpoint, started=now, tokens=tokens, share=share)


def leave(meter: Meter, permit: Permit, used: int | None) -> Meter:
    """The meter after a call has ended well, or for a reason that is none of the endpoint's limits."""
    spared = 1 - used / permit.tokens if used is not None and permit.tokens else 0.0
    pace = meter.pace * EASING
    return _given_back(meter, permit).model_copy(
        update={
            "token_due": meter.token_due - permit.share * spared,  # below 0: it took more than it was counted as
            "pace": pace if pace > NO_PACE else 0.0,
            "back": 0.0 if permit.started > meter.refused_at else meter.back,
        }
    )


def refused(meter: Meter, permit: Permit, seconds: float | None, now: float) -> Meter:
    """The meter after the service has refused a call as one too many; `seconds` that it asked to wait."""
    pace, back, heard = meter.pace, meter.back, meter.refused_at
    if permit.started > meter.refused_at:
        if not back:
            pace = min(max(pace * 2, FIRST_PACE), SLOWEST_PACE)
        back, heard = min(max(back * 2, FIRST_PACE), SLOWEST_PACE), now
    held = now + (back if seconds is None else seconds)
    return _given_back(meter, permit).model_copy(
        update={"held": max(meter.held, held), "pace": pace, "back": back, "refused_at": heard}
    )


def _given_back(meter: Meter, permit: Permit) -> Meter:
    return meter.model_copy(update={"running": {k: until for k, until in meter.running.items() if k != permit.id}})
