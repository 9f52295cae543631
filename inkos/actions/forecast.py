"""What the next chapters will take, before they are begun: from the book's own records, else by plan; calls nothing."""

from __future__ import annotations

from collections.abc import Sequence

from inkos.actions.chapter_run import load_run
from inkos.actions.table import Door, action
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry
from inkos.ports import RunStore, Usage
from inkos.records import Record
from inkos.runs.costs import Forecast, Range, forecast

MAKERS = ("planner", "writer", "settler", "auditor", "reviser")  # the roles that make a chapter
LATELY = 10  # chapters that a forecast looks back on


class AskForecast(Record):
    """As `write next`: `count` chapters, or those up to position `until`; `length` null: the book's target."""

    book: str
    count: int = 1
    until: int | None = None
    length: int | None = None


class Foreseen(Record):
    book: str
    currency: str
    forecast: Forecast


@action("forecast", AskForecast, Foreseen, "reads")
async def foresee(door: Door, command: AskForecast) -> Foreseen:
    """Tokens, money and time that the next chapters are likely to take, as a range."""
    workspace = door.workspace
    store = workspace.store(command.book)
    config, chapters = store.config(), store.index().chapters
    runs = workspace.runs(command.book)
    count = command.count if command.until is None else max(0, command.until - len(chapters))
    found = forecast(
        runs.ledger(), [entry.id for entry in chapters], seconds_of(runs, chapters), count,
        command.length or config.length.target, price_range(door, config.roles),
    )  # fmt: skip
    return Foreseen(book=command.book, currency=workspace.config.currency, forecast=found)


def seconds_of(runs: RunStore, chapters: Sequence[ChapterEntry]) -> dict[str, float]:
    """Working seconds of the last chapters' runs, by chapter id; a run whose record is gone or damaged says nothing."""
    found: dict[str, float] = {}
    for entry in chapters[-LATELY:]:
        if not entry.run:
            continue
        try:
            found[entry.id] = load_run(runs, entry.run).working_seconds
        except InkosError:
            continue
    return found


def time_left(seconds: Sequence[float], chapters: int) -> float | None:
    """Seconds that so many chapters take, by the middle of what earlier ones took; null: nothing to go by."""
    ordered = sorted(seconds)
    return ordered[len(ordered) // 2] * chapters if ordered else None


def price_range(door: Door, book_roles: dict[str, str]) -> Range:
    """Money per 1,000,000 tokens between the cheapest input and the dearest output of the routes that make chapters."""
    million = 1_000_000
    low: list[float | None] = []
    high: list[float | None] = []
    models = door.workspace.models(book_roles)
    for role in MAKERS:
        try:
            model = models.route(role).model
        except InkosError:
            return Range(low=None, high=None)
        low.append(door.workspace.price(Usage(input=million), model))
        high.append(door.workspace.price(Usage(output=million), model))
    known_low, known_high = [p for p in low if p is not None], [p for p in high if p is not None]
    if len(known_low) < len(low) or len(known_high) < len(high):
        return Range(low=None, high=None)
    return Range(low=min(known_low), high=max(known_high))
