"""Whether the next call may still be paid; does not know prices or who calls."""

from __future__ import annotations

from inkos.config import RunLimits
from inkos.errors import BudgetSpent
from inkos.ports import Usage
from inkos.runs.record import RunRecord


def check(record: RunRecord, limits: RunLimits, coming: Usage, coming_money: float | None, seconds: float) -> None:
    """Raise BudgetSpent when the coming call could cross a limit. `seconds` is the run's working time so far.

    The reply counts at its cap, so a limit is never crossed by surprise. A money limit with an unknown price
    pauses too: unknown is not zero.
    """
    where = f"{record.book}: {record.id}"
    tokens = record.tokens + coming.input + coming.output
    if limits.tokens is not None and tokens > limits.tokens:
        raise BudgetSpent("budget-tokens", where=where, run=record.id, spent=record.tokens, limit=limits.tokens)
    if limits.money is not None:
        spent = record.money
        if spent is None or coming_money is None:
            raise BudgetSpent("budget-price-unknown", where=where, run=record.id, limit=limits.money)
        if spent + coming_money > limits.money:
            raise BudgetSpent("budget-money", where=where, run=record.id, spent=round(spent, 4), limit=limits.money)
    if limits.seconds is not None and seconds > limits.seconds:
        raise BudgetSpent("budget-seconds", where=where, run=record.id, spent=int(seconds), limit=int(limits.seconds))
