"""Which runs of words stand in which chapter first: a rebuildable view in SQLite; knows no language and no book.

    .inkos/shingles.sqlite   runs(run, chapter)  chapters(position, id, digest)

A run is kept with the first chapter that has it. So dropping everything from one position on and adding it again gives
the same rows as building anew, and a look-up costs the same at chapter 10 and at chapter 2,000.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Set
from pathlib import Path

from inkos.adapters.chapter_view import Chapters, ChapterView

NAME = "shingles.sqlite"
_SCHEMA = """
create table if not exists runs (run integer primary key, chapter integer not null) without rowid;
"""
_AT_ONCE = 500  # parameters of one statement
_SIGN = 1 << 63  # SQLite's integers have a sign, the runs' 64 bits have none


class ShingleIndex(ChapterView):
    """The index of one book, in `folder` (its `.inkos`)."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / NAME, _SCHEMA)

    def refresh(self, chapters: Chapters, runs_of: Callable[[str], Set[int]]) -> int:
        """Bring the view up to the book's chapters, each (id, digest of its text) in order; how many had to be read.
        `runs_of` gives the runs of a chapter by its id and is asked only for those."""

        def add(base: sqlite3.Connection, chapter_id: str, position: int) -> None:
            rows = ((run - _SIGN, position) for run in sorted(runs_of(chapter_id)))
            base.executemany("insert or ignore into runs values (?, ?)", rows)

        return self._bring_up(chapters, add)

    def seen(self, runs: Set[int], before: int) -> frozenset[int]:
        """Those of `runs` that stand in a chapter before position `before`."""
        asked = sorted(run - _SIGN for run in runs)
        found: set[int] = set()
        with self._open() as base:
            for at in range(0, len(asked), _AT_ONCE):
                part = asked[at : at + _AT_ONCE]
                marks = ",".join("?" * len(part))
                rows = base.execute(f"select run from runs where run in ({marks}) and chapter < ?", (*part, before))
                found.update(row[0] + _SIGN for row in rows)
        return frozenset(found)

    def _drop(self, base: sqlite3.Connection, after: int) -> None:
        base.execute("delete from runs where chapter > ?", (after,))
