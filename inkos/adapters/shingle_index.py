"""Which runs of words stand in which chapter first: a rebuildable view in SQLite; knows no language and no book.

    .inkos/shingles.sqlite   runs(run, chapter)  chapters(position, id, digest)

A run is kept with the first chapter that has it. So dropping everything from one position on and adding it again gives
the same rows as building anew, and a look-up costs the same at chapter 10 and at chapter 2,000. Nothing here is worth
keeping: a file that cannot be read is thrown away and built again from the chapters.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path

from inkos.adapters.disk import disk_fault

NAME = "shingles.sqlite"
_SCHEMA = """
create table if not exists runs (run integer primary key, chapter integer not null) without rowid;
create table if not exists chapters (position integer primary key, id text not null, digest text not null);
"""
_AT_ONCE = 500  # parameters of one statement
_SIGN = 1 << 63  # SQLite's integers have a sign, the runs' 64 bits have none
Chapters = Sequence[tuple[str, str]]


class ShingleIndex:
    """The index of one book, in `folder` (its `.inkos`)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def refresh(self, chapters: Chapters, runs_of: Callable[[str], Set[int]]) -> int:
        """Bring the view up to the book's chapters, each (id, digest of its text) in order; how many had to be read.
        `runs_of` gives the runs of a chapter by its id and is asked only for those."""
        try:
            return self._refresh(chapters, runs_of)
        except sqlite3.DatabaseError:
            self.forget()
            return self._refresh(chapters, runs_of)

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

    def forget(self) -> None:
        """Throw the view away."""
        self.path.unlink(missing_ok=True)

    def _refresh(self, chapters: Chapters, runs_of: Callable[[str], Set[int]]) -> int:
        with self._open() as base:
            known = [(row[0], row[1]) for row in base.execute("select id, digest from chapters order by position")]
            same = next((n for n, (a, b) in enumerate(zip(known, chapters, strict=False)) if a != tuple(b)),
                        min(len(known), len(chapters)))  # fmt: skip
            if same < len(known):
                base.execute("delete from runs where chapter > ?", (same,))
                base.execute("delete from chapters where position > ?", (same,))
            for position, (chapter_id, digest) in enumerate(chapters[same:], same + 1):
                rows = ((run - _SIGN, position) for run in sorted(runs_of(chapter_id)))
                base.executemany("insert or ignore into runs values (?, ?)", rows)
                base.execute("insert into chapters values (?, ?, ?)", (position, chapter_id, digest))
        return len(chapters) - same

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            base = sqlite3.connect(self.path, timeout=30)
        except OSError as error:
            raise disk_fault(error, self.path, writing=True) from error
        with contextlib.closing(base), base:
            base.execute("pragma synchronous = off")  # a torn view is built again
            base.executescript(_SCHEMA)
            yield base
