"""Which of several openings go on, from comparisons in pairs; knows neither who compares nor what a text says.

Each pair is judged twice, with the sides changed: a judge who prefers what comes first (or last) says opposite things
then, and the two verdicts cancel. What is left is added up as points; the better share goes on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from inkos.prompts.duel import DuelVerdict
from inkos.records import Record

MOST_RIVALS = 6  # each opening meets at most so many others: beyond, the cost would grow with the square


class Duel(Record):
    """One comparison as it was put: `first` stood before `second`. Verdict null: none could be read."""

    first: str
    second: str
    verdict: DuelVerdict | None


class Placed(Record):
    """`points`: the margins won less those lost, both orders of a pair together; `beaten_by`: who won more against it
    than it did, with the reason given."""

    book: str
    points: float
    goes_on: bool
    beaten_by: str = ""
    why: str = ""


def pairs(books: Sequence[str]) -> list[tuple[str, str]]:
    """Who meets whom: everybody everybody, or in a larger field each the same number of neighbours around a circle."""
    count = len(books)
    reach = min(count // 2, MOST_RIVALS // 2) if count - 1 > MOST_RIVALS else count // 2
    met = {
        (min(at, other), max(at, other))
        for at in range(count) for step in range(1, reach + 1) if (other := (at + step) % count) != at
    }  # fmt: skip
    return [(books[a], books[b]) for a, b in sorted(met)]


def ranked(books: Sequence[str], duels: Sequence[Duel], keep: float) -> list[Placed]:
    """Best first; who comes first in `books` wins a tie. At least one goes on, and at least one stops where there are
    two."""
    lead: dict[tuple[str, str], float] = {}
    why: dict[tuple[str, str], str] = {}
    for duel in duels:
        sign = {"first": 1, "second": -1, "even": 0}[duel.verdict.better] if duel.verdict else 0
        gained = sign * duel.verdict.margin / 2 if duel.verdict else 0.0
        lead[duel.first, duel.second] = lead.get((duel.first, duel.second), 0.0) + gained
        lead[duel.second, duel.first] = lead.get((duel.second, duel.first), 0.0) - gained
        if sign and duel.verdict:
            winner, loser = (duel.first, duel.second) if sign > 0 else (duel.second, duel.first)
            why.setdefault((winner, loser), duel.verdict.why)
    points = {book: sum(gain for (one, _), gain in lead.items() if one == book) for book in books}
    order = sorted(books, key=lambda book: (-points[book], books.index(book)))
    kept = max(1, min(math.ceil(len(books) * keep), len(books) - 1)) if len(books) > 1 else 1
    placed = []
    for place, book in enumerate(order):
        worst = max(books, key=lambda other: lead.get((other, book), 0.0))
        beaten = worst if lead.get((worst, book), 0.0) > 0 else ""
        placed.append(Placed(book=book, points=points[book], goes_on=place < kept, beaten_by=beaten,
                             why=why.get((beaten, book), "")))  # fmt: skip
    return placed
