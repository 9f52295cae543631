"""What many chapters together will take, with odds: arithmetic on what single ones took; knows no book and no ledger.

A sum of n chapters that each take m on average, with a spread s seen in k of them, takes n·m, give or take: each
chapter's own luck, which evens out (n·s²), and not knowing m well, which does not (n²·s²/k). P90 adds 1.28 standard
deviations, as of a normal distribution. Books are independent: their means and variances add up. What is only planned
is not: there the upper edge is what the plan of calls says, and the edges are added up as they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from inkos.records import Record
from inkos.runs.costs import Range

Z90 = 1.2816  # standard deviations above the mean that nine of ten fall below


class Odds(Record):
    """`p50`: as likely above as below; `p90`: nine of ten times it is less. Null: unknown."""

    p50: float | None
    p90: float | None


class Part(Record):
    """One book's share: its mean, and its variance or, where it is only planned, the surplus of the upper edge."""

    mean: float
    variance: float = 0.0
    surplus: float = 0.0


def from_records(seen: Sequence[float | None], chapters: int) -> Part | None:
    """`chapters` more like those that were seen; null when one of them is unknown, or none was seen."""
    known = [value for value in seen if value is not None]
    if not known or len(known) < len(seen):
        return None
    count = len(known)
    mean = sum(known) / count
    spread = sum((value - mean) ** 2 for value in known) / max(count - 1, 1)
    return Part(mean=chapters * mean, variance=spread * (chapters + chapters * chapters / count))


def from_plan(span: Range) -> Part | None:
    """Between the edges of what a plan of calls takes."""
    if span.low is None or span.high is None:
        return None
    middle = (span.low + span.high) / 2
    return Part(mean=middle, surplus=span.high - middle)


def odds(parts: Iterable[Part | None]) -> Odds:
    """All together; unknown when one part is."""
    known = list(parts)
    if None in known:
        return Odds(p50=None, p90=None)
    there = [part for part in known if part is not None]
    mean = sum(part.mean for part in there)
    deviation = math.sqrt(sum(part.variance for part in there))
    return Odds(p50=mean, p90=mean + Z90 * deviation + sum(part.surplus for part in there))
