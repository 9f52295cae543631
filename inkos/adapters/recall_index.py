"""What a book's deltas said, by rare words: a rebuildable view in SQLite FTS5; knows no language and ranks nothing.

    .inkos/recall.sqlite   said(terms; chapter, kind, ref, about, text)  counts(term, rows)
                           chapters(position, id, digest, last)   `last`: the rowid of the chapter's last row

Terms come as they are to be compared (pairs of characters, stems, ids): the tokenizer only splits at blanks. FTS5's own
trigram tokenizer never finds a name of two characters. A common term is not looked up at all, so that a question costs
the same at chapter 10 and at chapter 2,000. A file that cannot be read is thrown away and built again.
"""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path

from inkos.adapters.disk import disk_fault
from inkos.prompts.recall import CANDIDATES, MOST_TERMS, Counted, Said, is_rare

NAME = "recall.sqlite"
_SCHEMA = """
create virtual table if not exists said using
    fts5(terms, chapter unindexed, kind unindexed, ref unindexed, about unindexed, text unindexed, detail = none);
create table if not exists counts (term text primary key, rows integer not null) without rowid;
create table if not exists chapters (
    position integer primary key, id text not null, digest text not null, last integer not null);
"""
Chapters = Sequence[tuple[str, str]]


class RecallIndex:
    """The index of one book, in `folder` (its `.inkos`)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def refresh(self, chapters: Chapters, rows_of: Callable[[str, int], Sequence[Said]]) -> int:
        """Bring the view up to the chapters, each (id, digest of its text) in order; how many had to be read."""
        try:
            return self._refresh(chapters, rows_of)
        except sqlite3.DatabaseError:
            try:
                self.path.unlink(missing_ok=True)
                return self._refresh(chapters, rows_of)
            except (OSError, sqlite3.DatabaseError) as error:  # a folder that takes no file: it is not the view's fault
                fault = error if isinstance(error, OSError) else OSError(errno.EROFS, str(error))
                raise disk_fault(fault, self.path, writing=True) from error

    def ask(self, terms: Set[str], before: int) -> Counted:
        """Rows of chapters before position `before` that have some of the rarest of `terms`, most and rarest first."""
        with self._open() as base:
            marks = ",".join("?" * len(terms))
            known = dict(base.execute(f"select term, rows from counts where term in ({marks})", sorted(terms)))
            total = base.execute("select coalesce(max(rowid), 0) from said").fetchone()[0]
            rare = sorted((count, term) for term, count in known.items() if is_rare(count, total))[:MOST_TERMS]
            query = " OR ".join(f'"{term}"' for _, term in rare)
            found = base.execute(
                "select chapter, kind, ref, about, text from said where said match ? and chapter < ? "
                "order by rank, rowid desc limit ?", (query, before, CANDIDATES)
            ).fetchall() if rare else []  # fmt: skip
        rows = tuple(
            Said(chapter=chapter, kind=kind, ref=ref, about=tuple(about.split()), text=text)
            for chapter, kind, ref, about, text in found
        )
        return Counted(rows, known, total)

    def _refresh(self, chapters: Chapters, rows_of: Callable[[str, int], Sequence[Said]]) -> int:
        with self._open() as base:
            known = base.execute("select id, digest, last from chapters order by position").fetchall()
            same = next((n for n, (a, b) in enumerate(zip(known, chapters, strict=False)) if a[:2] != tuple(b)),
                        min(len(known), len(chapters)))  # fmt: skip
            if same < len(known):
                _forget(base, known[same - 1][2] if same else 0)
                base.execute("delete from chapters where position > ?", (same,))
            for position, (chapter_id, digest) in enumerate(chapters[same:], same + 1):
                _add(base, rows_of(chapter_id, position))
                last = base.execute("select coalesce(max(rowid), 0) from said").fetchone()[0]
                base.execute("insert into chapters values (?, ?, ?, ?)", (position, chapter_id, digest, last))
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


def _count(base: sqlite3.Connection, terms: Counter[str]) -> None:
    base.executemany("insert into counts values (?, ?) on conflict (term) do update set rows = rows + excluded.rows",
                     sorted(terms.items()))  # fmt: skip


def _add(base: sqlite3.Connection, rows: Sequence[Said]) -> None:
    _count(base, Counter(term for row in rows for term in row.terms))
    base.executemany(
        "insert into said (terms, chapter, kind, ref, about, text) values (?, ?, ?, ?, ?, ?)",
        [(" ".join(sorted(row.terms)), row.chapter, row.kind, row.ref, " ".join(row.about), row.text) for row in rows],
    )


def _forget(base: sqlite3.Connection, last: int) -> None:
    """Take out every row behind `last`, and its terms from the counts."""
    gone = [row[0] for row in base.execute("select terms from said where rowid > ?", (last,))]
    _count(base, Counter({term: -n for term, n in Counter(t for terms in gone for t in terms.split()).items()}))
    base.execute("delete from counts where rows <= 0")
    base.execute("delete from said where rowid > ?", (last,))
