"""What a book's deltas said, by rare words: a rebuildable view in SQLite FTS5; knows no language and ranks nothing.

    .inkos/recall.sqlite   said(terms; chapter, kind, ref, about, text)  counts(term, rows)
                           ends(position, last)   `last`: the rowid of the chapter's last row

Terms come as they are to be compared (pairs of characters, stems, ids): the tokenizer only splits at blanks. FTS5's own
trigram tokenizer never finds a name of two characters. A common term is not looked up at all, so that a question costs
the same at chapter 10 and at chapter 2,000.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence, Set
from pathlib import Path

from inkos.adapters.chapter_view import Chapters, ChapterView
from inkos.prompts.recall import CANDIDATES, MOST_TERMS, Counted, Said, is_rare

NAME = "recall.sqlite"
_SCHEMA = """
create virtual table if not exists said using
    fts5(terms, chapter unindexed, kind unindexed, ref unindexed, about unindexed, text unindexed, detail = none);
create table if not exists counts (term text primary key, rows integer not null) without rowid;
create table if not exists ends (position integer primary key, last integer not null);
"""


class RecallIndex(ChapterView):
    """The index of one book, in `folder` (its `.inkos`)."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / NAME, _SCHEMA)

    def refresh(self, chapters: Chapters, rows_of: Callable[[str, int], Sequence[Said]]) -> int:
        """Bring the view up to the chapters, each (id, digest of its text) in order; how many had to be read."""

        def add(base: sqlite3.Connection, chapter_id: str, position: int) -> None:
            _add(base, rows_of(chapter_id, position))
            base.execute("insert into ends select ?, coalesce(max(rowid), 0) from said", (position,))

        return self._bring_up(chapters, add)

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

    def _drop(self, base: sqlite3.Connection, after: int) -> None:
        """Every row of later chapters, and its terms from the counts."""
        last = base.execute("select coalesce(max(last), 0) from ends where position <= ?", (after,)).fetchone()[0]
        gone = [row[0] for row in base.execute("select terms from said where rowid > ?", (last,))]
        _count(base, Counter({term: -n for term, n in Counter(t for terms in gone for t in terms.split()).items()}))
        base.execute("delete from counts where rows <= 0")
        base.execute("delete from said where rowid > ?", (last,))
        base.execute("delete from ends where position > ?", (after,))


def _count(base: sqlite3.Connection, terms: Counter[str]) -> None:
    base.executemany("insert into counts values (?, ?) on conflict (term) do update set rows = rows + excluded.rows",
                     sorted(terms.items()))  # fmt: skip


def _add(base: sqlite3.Connection, rows: Sequence[Said]) -> None:
    _count(base, Counter(term for row in rows for term in row.terms))
    base.executemany(
        "insert into said (terms, chapter, kind, ref, about, text) values (?, ?, ?, ?, ?, ?)",
        [(" ".join(sorted(row.terms)), row.chapter, row.kind, row.ref, " ".join(row.about), row.text) for row in rows],
    )
