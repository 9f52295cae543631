"""Whether the next call may still be paid; does not know prices or who calls."""

from __future__ import annotations

from typing import NamedTuple

from inkos.config import BookLimits, RunLimits
from inkos.errors import BudgetSpent
from inkos.ports import Usage
from inkos.runs.record import Attempt, RunRecord, WantRecord


class Elsewhere(NamedTuple):
    """What the book's other runs have spent; `money` null: a price is unknown."""

    tokens: int = 0
    money: float | None = 0.0
    seconds: float = 0.0


def check(
    record: RunRecord, limits: RunLimits, coming: Usage, coming_money: float | None, seconds: float,
    book: BookLimits | None = None, elsewhere: Elsewhere | None = None,
) -> None:  # fmt: skip
    """Raise BudgetSpent when the coming call could cross a limit of its run or of its book. `seconds` is the run's
    working time so far.

    The reply counts at its cap, so a limit is never crossed by surprise. A money limit with an unknown price
    pauses too: unknown is not zero.
    """
    _check(record, limits, coming, coming_money, Elsewhere(record.tokens, record.money, seconds), "budget")
    if book is not None and elsewhere is not None:
        money = None if record.money is None or elsewhere.money is None else record.money + elsewhere.money
        spent = Elsewhere(record.tokens + elsewhere.tokens, money, seconds + elsewhere.seconds)
        _check(record, book, coming, coming_money, spent, "budget-book")


def _check(
    record: RunRecord, limits: RunLimits | BookLimits, coming: Usage, coming_money: float | None, spent: Elsewhere,
    code: str,
) -> None:  # fmt: skip
    where = f"{record.book}: {record.id}"
    known = {"where": where, "run": record.id, "book": record.book}
    if limits.tokens is not None and spent.tokens + coming.input + coming.output > limits.tokens:
        raise BudgetSpent(f"{code}-tokens", **known, spent=spent.tokens, limit=limits.tokens)
    if limits.money is not None:
        if spent.money is None or coming_money is None:
            raise BudgetSpent("budget-price-unknown", **known, limit=limits.money)
        if spent.money + coming_money > limits.money:
            raise BudgetSpent(f"{code}-money", **known, spent=round(spent.money, 4), limit=limits.money)
    if limits.seconds is not None and spent.seconds > limits.seconds:
        raise BudgetSpent(f"{code}-seconds", **known, spent=int(spent.seconds), limit=int(limits.seconds))


def check_progress(record: RunRecord, want: WantRecord, limits: RunLimits, known: int) -> None:
    """Raise BudgetSpent `no-progress` when the same question has come to nothing in the same way too often.

    Counted are the attempts at the same messages, whatever want they were made for: failures with the same fault (in
    rounds of `limits.attempts`), and replies that nobody could use. `known`: those up to which a person said go on.
    """
    tried = same_question(record, want)
    fault = tried[-1].fault if tried and tried[-1].status == "failed" else None
    if fault is not None:
        alike = sum(1 for attempt in tried[known:] if attempt.fault == fault)
        most = limits.repeats * limits.attempts
    else:
        alike, most = sum(1 for attempt in tried[known:] if attempt.status == "replied"), limits.repeats
    if alike >= most:
        spent = record.money
        raise BudgetSpent(
            "no-progress", where=f"{record.book}: {record.id}", run=record.id, book=record.book, task=want.task,
            count=alike, fault=fault or "unreadable", tokens=sum(a.usage.input + a.usage.output for a in tried),
            money="?" if spent is None else round(spent, 4),
        )  # fmt: skip


def same_question(record: RunRecord, want: WantRecord) -> list[Attempt]:
    """All attempts at the same messages, oldest first. The wider second try of a cut reply is a question of its own."""
    others = [w for w in record.wants.values() if _wide(w.id) == _wide(want.id)]
    alike = [attempt for other in others for attempt in other.attempts if attempt.asked == want.digest]
    return sorted(alike, key=lambda attempt: attempt.at)


def _wide(want_id: str) -> bool:
    return ".wide" in want_id
