"""The verb that adds up: what a book has cost, by chapter, role, model or day, all from its one ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Literal

from inkos.actions.complaint_file import complaints
from inkos.actions.table import Door, action
from inkos.kernel.book import Index
from inkos.records import Record
from inkos.runs.ledger import Row, Spent, add_up, latest

By = Literal["chapter", "role", "model", "day"]


class AskStats(Record):
    book: str
    by: By = "chapter"


class StatRow(Record):
    """`key`: a position (or `@id` of a chapter that is not in the book), a role, a model, a day in UTC. `misses`: what
    readers found that the checks had let pass (only by chapter)."""

    key: str
    title: str = ""
    words: int = 0
    spent: Spent
    misses: int = 0


class Stats(Record):
    """`total` is the sum of the rows, and what `inkos status` shows."""

    book: str
    by: By
    currency: str
    rows: tuple[StatRow, ...]
    total: Spent
    misses: int


@action("stats", AskStats, Stats, "reads")
async def stats(door: Door, command: AskStats) -> Stats:
    store = door.workspace.store(command.book)
    index = store.index()
    rows = latest(door.workspace.runs(command.book).ledger())
    told = complaints(store)
    groups: dict[str, list[Row]] = {}
    key_of = _KEYS[command.by]
    for row in rows:
        groups.setdefault(key_of(row), []).append(row)
    if command.by == "chapter":
        shown = _by_chapter(index, groups, {c.chapter: sum(1 for o in told if o.chapter == c.chapter) for c in told})
    else:
        shown = [StatRow(key=key, spent=add_up(group)) for key, group in sorted(groups.items())]
    return Stats(book=command.book, by=command.by, currency=door.workspace.config.currency, rows=tuple(shown),
                 total=add_up(rows), misses=len(told))  # fmt: skip


def _day(row: Row) -> str:
    at = row.get("at")
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d") if isinstance(at, int | float) else ""


_KEYS: dict[By, Callable[[Row], str]] = {
    "chapter": lambda row: str(row.get("chapter", "")),
    "role": lambda row: str(row.get("role", "")),
    "model": lambda row: str(row.get("model", "")),
    "day": _day,
}


def _by_chapter(index: Index, groups: Mapping[str, list[Row]], misses: Mapping[str, int]) -> list[StatRow]:
    shown = [
        StatRow(key=str(position), title=entry.title, words=entry.words, spent=add_up(groups.get(entry.id, ())),
                misses=misses.get(entry.id, 0))
        for position, entry in enumerate(index.chapters, 1)
    ]  # fmt: skip
    known = {entry.id for entry in index.chapters}
    return [*shown, *(StatRow(key=f"@{key}", spent=add_up(group), misses=misses.get(key, 0))
                      for key, group in groups.items() if key not in known)]  # fmt: skip
