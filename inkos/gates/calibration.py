"""What is known of a judge: how far its scores of one text lie apart, and where a score stands among its others.

Scores of one call cannot rank two versions of one chapter (design/bars.md). So the judge is asked about the same texts
again and again, with its questions in turned order every second time, and the margin is the difference that two scores
of one text exceed at most one time in twenty. Knows no model and asks none.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import NormalDist, fmean
from typing import NamedTuple

from inkos.records import Record

DIFFERENT = 0.05  # share of pairs of scores of one text that may come out different
LEAST_TEXTS, LEAST_REPEATS = 3, 3
STEP = 0.5  # scores are whole numbers: a judge who never wavers still has a margin of half a step


class Judged(NamedTuple):
    """Scores of one text as it stands: asked in order, asked with the questions turned round; and of its damaged twin,
    null where it was not read."""

    plain: tuple[float, ...]
    turned: tuple[float, ...]
    twin: float | None = None


class Calibration(Record):
    """`margin`: what two scores must differ by to mean anything; `deviation` of a single score; `shift`: how much
    higher scores are with the questions turned round; `told`: damaged twins that scored lower by more than the margin,
    of `twins`; `unread`: replies without a usable score; `scores`: all of them, sorted; `answered`: the names under
    which the service said that the model answered."""

    schema_version: int = 1
    model: str
    language: str = ""
    at: float = 0.0
    texts: int
    repeats: int
    margin: float
    deviation: float
    shift: float
    told: int
    twins: int
    unread: int = 0
    scores: tuple[float, ...]
    answered: tuple[str, ...] = ()


def calibrate(
    texts: Sequence[Judged], model: str, *, language: str = "", at: float = 0.0, unread: int = 0
) -> Calibration:
    """From at least LEAST_TEXTS texts with LEAST_REPEATS usable scores each; ValueError from fewer."""
    groups = [text.plain + text.turned for text in texts if len(text.plain + text.turned) >= LEAST_REPEATS]
    if len(groups) < LEAST_TEXTS:
        raise ValueError(f"{len(groups)} texts with {LEAST_REPEATS} scores or more; {LEAST_TEXTS} are needed")
    freedom = sum(len(group) - 1 for group in groups)
    squares = sum((score - fmean(group)) ** 2 for group in groups for score in group)
    deviation = math.sqrt(squares / freedom)
    margin = max(STEP, students_t(1 - DIFFERENT / 2, freedom) * math.sqrt(2) * deviation)
    twins = [(fmean(t.plain + t.turned), t.twin) for t in texts if t.twin is not None and t.plain + t.turned]
    both = [t for t in texts if t.plain and t.turned]
    return Calibration(
        model=model, language=language, at=at, texts=len(groups), repeats=max(len(group) for group in groups),
        margin=math.ceil(margin * 10) / 10, deviation=round(deviation, 2),
        shift=round(fmean(fmean(t.turned) - fmean(t.plain) for t in both), 2) if both else 0.0,
        told=sum(twin < whole - margin for whole, twin in twins), twins=len(twins), unread=unread,
        scores=tuple(sorted(score for group in groups for score in group)),
    )  # fmt: skip


def students_t(share: float, freedom: int) -> float:
    """The quantile of Student's distribution, by the expansion of Cornish and Fisher; 1 % off at 3 degrees."""
    z = NormalDist().inv_cdf(share)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


def percentile(score: float, scores: Sequence[float]) -> int:
    """The share of a judge's scores that lie below this one, equal ones by half, in whole per cent. `scores` sorted."""
    if not scores:
        return 50
    return round(100 * (bisect_left(scores, score) + bisect_right(scores, score)) / 2 / len(scores))


def percentile_of(judge: Calibration | None, score: float | None) -> int | None:
    """The percentile of a score for its judge; null where either is not known."""
    return None if judge is None or score is None else percentile(score, judge.scores)
