"""How much of a layer fits: pure selections over rows by size in characters; does not know what the rows say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Kept(NamedTuple):
    """What stays of some rows, how many were left out, and why (empty: nothing was left out)."""

    rows: tuple[str, ...]
    dropped: int = 0
    reason: str = ""


def size(rows: Sequence[str]) -> int:
    """Characters of rows joined by line breaks."""
    return sum(len(row) for row in rows) + max(0, len(rows) - 1)


def halved(rows: Sequence[str], budget: int) -> Kept:
    """The newest rows. A full layer loses its older half in one step, so that what is left out changes once in many
    chapters and the prefix of prompts stays the same in between.

    A fold over the rows from the first: the same rows always give the same cut, whoever composed before. The newest row
    always stays."""
    start, held, halvings = 0, 0, 0
    for end, row in enumerate(rows, 1):
        held += len(row) + 1
        if held - 1 > budget and end - start > 1:
            halvings += 1
            while held - 1 > budget // 2 and end - start > 1:
                held -= len(rows[start]) + 1
                start += 1
    reason = f"halved {halvings}×, {start} rows left out, budget {budget}" if start else ""
    return Kept(tuple(rows[start:]), start, reason)


def first_fitting(rows: Sequence[str], budget: int) -> Kept:
    """Rows in the order given, most needed first; one that does not fit is left out, a shorter one after it may fit."""
    kept: list[str] = []
    left = budget
    for row in rows:
        if len(row) <= left:
            kept.append(row)
            left -= len(row) + 1
    dropped = len(rows) - len(kept)
    return Kept(tuple(kept), dropped, f"{dropped} rows over the budget of {budget}" if dropped else "")


def last_fitting(paragraphs: Sequence[str], budget: int) -> Kept:
    """Whole paragraphs at the end, with a blank line between them; the last always stays."""
    start, held = len(paragraphs), 0
    while start and (start == len(paragraphs) or held + len(paragraphs[start - 1]) <= budget):
        start -= 1
        held += len(paragraphs[start]) + 2
    return Kept(tuple(paragraphs[start:]), start)


def fair_shares(wanted: Sequence[int], budget: int) -> list[int]:
    """Divide a budget among parts: a part that needs less than its share leaves the rest to the others."""
    shares = [0] * len(wanted)
    left = budget
    order = sorted(range(len(wanted)), key=lambda n: (wanted[n], n))
    for place, n in enumerate(order):
        shares[n] = min(wanted[n], max(0, left // (len(order) - place)))
        left -= shares[n]
    return shares
