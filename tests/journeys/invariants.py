"""What must hold of a book whenever nobody is writing it: index = files = snapshots, replay = state, ledger = stats."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from inkos.actions import ACTIONS, Door
from inkos.actions.chapter_run import load_run
from inkos.errors import InkosError
from inkos.hosts import wire
from inkos.runs.ledger import latest


def asked(folder: Path, action: str, **values: Any) -> Any:
    """What a reading action answers about the book."""
    door = Door(wire.open_workspace(folder, {}), lambda event: None, lambda: False)
    return asyncio.run(ACTIONS[action].run(door, ACTIONS[action].command.model_validate(values)))


def check_whole(folder: Path, book: str = "b", *, edited: bool = False) -> None:
    """AssertionError names what does not hold. `edited`: chapter files may be changed, missing or extra."""
    store = wire.open_workspace(folder, {}).store(book)
    read, rows = store.read(recent=0), store.index().chapters
    problems = [p for p in store.problems(deep=True) if not (edited and p.path.startswith("chapters/"))]
    assert problems == [], problems
    assert read.state.last_applied_chapter == len(rows) == len(read.state.summaries), len(rows)
    assert len({row.id for row in rows}) == len({row.file for row in rows}) == len(rows), rows
    if not edited:
        assert sorted(row.file for row in rows) == sorted(store.names("chapters"))
    for position, row in enumerate(rows, 1):
        assert store.snapshot(row.id).last_applied_chapter == position, row.id
    if not edited:
        assert asked(folder, "state-replay", book=book).equal
    check_ledger(folder, book)


def check_ledger(folder: Path, book: str) -> None:
    """Each attempt that ended has one booking that says the same, and the sums that are shown are the ledger's."""
    runs = wire.open_workspace(folder, {}).runs(book)
    booked = {str(row["attempt"]): row for row in latest(runs.ledger())}
    for run in runs.list():
        try:
            record = load_run(runs, run)
        except InkosError:
            continue
        for attempt in record.attempts():
            row = booked.get(f"{run}/{attempt.id}")
            if attempt.status == "open":
                assert record.status in ("running", "waiting"), (run, attempt.id, record.status)
                continue
            assert row is not None, (run, attempt.id)
            assert (row["status"], row["input"], row["output"]) == (
                attempt.status, attempt.usage.input, attempt.usage.output), (run, attempt)  # fmt: skip
    status, stats = asked(folder, "status", book=book), asked(folder, "stats", book=book)
    told = (status.spend.calls, status.spend.unknown, status.spend.input, status.spend.output, status.spend.money)
    total = stats.total
    assert told == (total.calls, total.unknown, total.input, total.output, total.money)
    assert sum(row.spent.tokens for row in stats.rows) == total.tokens
