"""What work has cost and will cost, from a ledger: sums by kind, per accepted words, forecasts; writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from inkos.records import Record
from inkos.runs.ledger import Row, Spent, add_up, latest

By = Literal["chapter", "role", "model", "day", "task", "run"]
LEAST_CHAPTERS = 3  # accepted chapters from which a book's own records say more than the plan of calls
# A clean chapter of 2,500 zh words takes about 39,000 characters of prompts in 4 calls and gives about 7,000 tokens
# (design/prompts.md §3); revision and a second settlement come to about as much again.
PLANNED_INPUT, PLANNED_OUTPUT, PLANNED_WORST = 39_000, 7_000, 2.5
PLANNED_LENGTH = 2_500


class Range(Record):
    """`low` and `high` bound what is likely; null: a price, or the time, is not known."""

    low: float | None
    high: float | None


class Forecast(Record):
    """Of `chapters` chapters to come. `basis`: `records` (accepted chapters of this book, counted in `seen`), or `plan`
    (the calls that a chapter is planned to take, before there are records)."""

    chapters: int
    basis: Literal["records", "plan"]
    seen: int
    tokens: Range
    money: Range
    seconds: Range


def sums(rows: Iterable[Row], by: By) -> dict[str, Spent]:
    """Spend by chapter id, role, model, task, run or day (UTC), in the order of first appearance."""
    groups: dict[str, list[Row]] = {}
    for row in latest(rows):
        groups.setdefault(_key(row, by), []).append(row)
    return {key: add_up(group) for key, group in groups.items()}


def _key(row: Row, by: By) -> str:
    if by != "day":
        return str(row.get(by) or "")
    at = row.get("at")
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if isinstance(at, int | float) else ""


def hit_rate(spent: Spent) -> float | None:
    """Share of the input that came from a service's cache; null where nothing was sent."""
    return None if not spent.input else spent.cached / spent.input


def per_thousand(rows: Iterable[Row], accepted_words: int) -> float | None:
    """Money per 1,000 accepted words: everything ever paid for the book, discarded takes, failed calls and founding
    included. Null where a price is unknown or nothing is accepted."""
    money = add_up(latest(rows)).money
    return None if money is None or accepted_words <= 0 else money / accepted_words * 1000


def forecast(
    rows: Iterable[Row], accepted: Sequence[str], seconds: Mapping[str, float], chapters: int, target: int,
    price: Range,
) -> Forecast:
    """What `chapters` more chapters will take.

    `accepted`: ids of accepted chapters, oldest first. `seconds`: working time by chapter id. `target`: length of a
    chapter, in the book's unit. `price`: money per 1,000,000 tokens between the cheapest and the dearest a call can be,
    used while the book has no records of its own. With records the range goes from the cheapest to the dearest of the
    last ten chapters, and takes were counted with the chapter they were made for."""
    spent = sums(rows, "chapter")
    seen = [spent[chapter] for chapter in accepted[-10:] if chapter in spent and spent[chapter].calls]
    if len(seen) < LEAST_CHAPTERS:
        share = target / PLANNED_LENGTH
        low = (PLANNED_INPUT + PLANNED_OUTPUT) * share * chapters
        high = low * PLANNED_WORST
        paid = Range(low=_times(price.low, low / 1e6), high=_times(price.high, high / 1e6))
        return Forecast(chapters=chapters, basis="plan", seen=len(seen), tokens=Range(low=low, high=high), money=paid,
                        seconds=Range(low=None, high=None))  # fmt: skip
    times = [seconds[chapter] for chapter in accepted[-10:] if seconds.get(chapter)]
    return Forecast(
        chapters=chapters, basis="records", seen=len(seen), tokens=_span([s.tokens for s in seen], chapters),
        money=_span([s.money for s in seen], chapters), seconds=_span(times, chapters),
    )  # fmt: skip


def _times(price: float | None, amount: float) -> float | None:
    return None if price is None else price * amount


def _span(values: Sequence[float | None], chapters: int) -> Range:
    """The least and the most of `values`, each times `chapters`; unknown when one of them is."""
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return Range(low=None, high=None)
    return Range(low=min(known) * chapters, high=max(known) * chapters)
