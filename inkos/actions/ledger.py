"""The verb that adds up: what a book has cost, cut in several ways, all from its one ledger; or what each book has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from inkos.actions.chapter_run import load_run
from inkos.actions.complaint_file import complaints
from inkos.actions.table import Door, action
from inkos.errors import InkosError
from inkos.kernel.book import Index
from inkos.ports import RunStore
from inkos.records import Record
from inkos.runs.costs import hit_rate, per_thousand, sums
from inkos.runs.ledger import Row, Spent, add_up, latest

By = Literal["chapter", "role", "task", "model", "day", "run", "book"]


class AskStats(Record):
    """`by` book: every book of the workspace, `book` is empty then."""

    book: str
    by: By = "chapter"


class StatRow(Record):
    """`key`: a position (or `@id` of a chapter that is not in the book), a role, a task, a model, a day in UTC, a run,
    a book. `words` only by chapter and book; `misses`: what readers found that the checks had let pass, likewise."""

    key: str
    title: str = ""
    words: int = 0
    spent: Spent
    misses: int = 0


class Stats(Record):
    """`total` is the sum of the rows, and what `inkos status` shows. `founding`: what founding it has cost, which
    stands in the workspace's ledger. `per_thousand`: money per 1,000 accepted words (`words`), everything ever paid
    for the book and its founding included; null where a price is unknown or nothing accepted. `hit_rate`: the share of
    the prompts that came from a service's cache."""

    book: str
    by: By
    currency: str
    rows: tuple[StatRow, ...]
    total: Spent
    founding: Spent = Spent()
    words: int
    per_thousand: float | None
    hit_rate: float | None
    misses: int


@action("stats", AskStats, Stats, "reads")
async def stats(door: Door, command: AskStats) -> Stats:
    if command.by == "book":
        return _of_all(door)
    store = door.workspace.store(command.book)
    index = store.index()
    rows = latest(door.workspace.runs(command.book).ledger())
    told = complaints(store)
    if command.by == "chapter":
        groups: dict[str, list[Row]] = {}
        for row in rows:
            groups.setdefault(str(row.get("chapter", "")), []).append(row)
        shown = _by_chapter(index, groups, {c.chapter: sum(1 for o in told if o.chapter == c.chapter) for c in told})
    else:
        shown = [StatRow(key=key, spent=spent) for key, spent in sorted(sums(rows, command.by).items())]
    founding = _foundings(door.workspace.runs(None)).get(store.config().id, [])
    return _stats(door, command, shown, rows, founding, sum(entry.words for entry in index.chapters), len(told))


def _of_all(door: Door) -> Stats:
    """Each book with what founding it has cost; foundings that became no book have a row of their own, `@`."""
    workspace = door.workspace
    foundings = _foundings(workspace.runs(None))
    shown: list[StatRow] = []
    everything: list[Row] = []
    for name in workspace.books():
        store = workspace.store(name)
        config, index = store.config(), store.index()
        rows = [*latest(workspace.runs(name).ledger()), *foundings.pop(config.id, [])]
        everything += rows
        shown.append(StatRow(key=name, title=config.title, words=sum(entry.words for entry in index.chapters),
                             spent=add_up(rows), misses=len(complaints(store))))  # fmt: skip
    if left := [row for rows in foundings.values() for row in rows]:
        everything += left
        shown.append(StatRow(key="@", spent=add_up(left)))
    words, misses = sum(row.words for row in shown), sum(row.misses for row in shown)
    return _stats(door, AskStats(book="", by="book"), shown, everything, [], words, misses)


def _foundings(runs: RunStore) -> dict[str, list[Row]]:
    """Rows of the workspace's own ledger, by the id of the book that was to be; a run that cannot be read has none."""
    found: dict[str, list[Row]] = {}
    books: dict[str, str] = {}
    for row in latest(runs.ledger()):
        run = str(row.get("run", ""))
        if run not in books:
            try:
                books[run] = load_run(runs, run).book
            except (InkosError, ValueError):
                books[run] = ""
        found.setdefault(books[run], []).append(row)
    return found


def _stats(
    door: Door, command: AskStats, shown: list[StatRow], rows: list[Row], founding: list[Row], words: int, misses: int
) -> Stats:
    paid = [*rows, *founding]
    return Stats(
        book=command.book, by=command.by, currency=door.workspace.config.currency, rows=tuple(shown),
        total=add_up(rows), founding=add_up(founding), words=words, per_thousand=per_thousand(paid, words),
        hit_rate=hit_rate(add_up(paid)), misses=misses,
    )  # fmt: skip


def _by_chapter(index: Index, groups: Mapping[str, list[Row]], misses: Mapping[str, int]) -> list[StatRow]:
    shown = [
        StatRow(key=str(position), title=entry.title, words=entry.words, spent=add_up(groups.get(entry.id, ())),
                misses=misses.get(entry.id, 0))
        for position, entry in enumerate(index.chapters, 1)
    ]  # fmt: skip
    known = {entry.id for entry in index.chapters}
    return [*shown, *(StatRow(key=f"@{key}", spent=add_up(group), misses=misses.get(key, 0))
                      for key, group in groups.items() if key not in known)]  # fmt: skip
