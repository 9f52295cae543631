"""Sums over the ledger: the one place where spend is added up; does not know where the ledger lies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from inkos.records import Record


class Spent(Record):
    """`money` null: at least one price is unknown. `unknown` counts attempts without an outcome, at their estimate."""

    calls: int = 0
    failed: int = 0
    unknown: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    money: float | None = 0.0

    @property
    def tokens(self) -> int:
        return self.input + self.output


Row = Mapping[str, object]
LATEST = 253_402_300_800  # the end of the year 9999, in seconds since the epoch: no row is younger


def latest(rows: Iterable[Row]) -> list[Row]:
    """The last row of each attempt, in the order of first appearance: a line written twice after a stop is one. A row
    that names no attempt, or no time that can be, is none of ours and counts for nothing."""
    last: dict[str, Row] = {}
    for row in rows:
        at = row.get("at", 0)
        if isinstance(row.get("attempt"), str) and isinstance(at, int | float) and 0 <= at < LATEST:
            last[str(row["attempt"])] = row
    return list(last.values())


def number(row: Row, key: str) -> int:
    value = row.get(key)
    return int(value) if isinstance(value, int | float) and isfinite(value) else 0


def add_up(rows: Iterable[Row]) -> Spent:
    """The sum of rows as `latest` gives them."""
    kept = list(rows)
    money: float | None = 0.0
    for row in kept:
        paid = row.get("money")
        if not isinstance(paid, int | float):
            money = money if number(row, "input") + number(row, "output") == 0 else None
        elif money is not None:
            money += paid

    def count(status: str) -> int:
        return sum(1 for row in kept if row.get("status") == status)

    return Spent(
        calls=count("replied"), failed=count("failed"), unknown=count("unknown"),
        input=sum(number(row, "input") for row in kept), output=sum(number(row, "output") for row in kept),
        cached=sum(number(row, "cached") for row in kept),
        reasoning=sum(number(row, "reasoning") for row in kept), money=None if money is None else round(money, 6),
    )  # fmt: skip
