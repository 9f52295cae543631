"""How far a writer's chapters run over or under what was asked, and what to ask so that the target comes out.

Models keep their own measure: one writes a third more than it is asked, another a fifth less, and both do so chapter
after chapter. The median of got/asked over the last chapters is that measure; with few chapters only part of it is
believed. Lengths are in the book's counting unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

LATELY = 8  # chapters that are looked at
FEWEST = 2  # below this number nothing is corrected
BELIEF = 1.0  # n chapters are believed by n / (n + BELIEF)
LEAST, MOST = 0.5, 2.0  # of the target: farther than this no asking is moved
SLACK = 0.04  # a writer this near to what was asked is left alone


def bias(lately: Sequence[tuple[int, int]]) -> float:
    """Got over asked, 1 where nothing is known. `lately`: (asked, got) of chapters, newest last."""
    shares = [got / asked for asked, got in lately[-LATELY:] if asked > 0 and got > 0]
    if len(shares) < FEWEST:
        return 1.0
    believed = len(shares) / (len(shares) + BELIEF)
    return math.pow(median(shares), believed)


def to_ask(target: int, lately: Sequence[tuple[int, int]]) -> int:
    """The length to ask for, so that about `target` comes."""
    found = bias(lately)
    if abs(found - 1) <= SLACK:
        return target
    return round(target * min(MOST, max(LEAST, 1 / found)))
