"""What two views of a book's chapters in SQLite have in common: rebuilt where they stand apart; knows no contents.

A view holds which chapters it has seen, in order, with the digests of their texts. From the first that differs on it is
dropped and added again. Nothing in it is worth keeping: a file that cannot be read is thrown away and built anew.
"""

from __future__ import annotations

import contextlib
import errno
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from inkos.adapters.disk import disk_fault

Chapters = Sequence[tuple[str, str]]  # id, digest of the text
Add = Callable[[sqlite3.Connection, str, int], None]  # chapter id, position
_CHAPTERS = """
create table if not exists chapters (position integer primary key, id text not null, digest text not null);
"""


class ChapterView(ABC):
    """A view in the file `path`, whose own tables `schema` makes."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._schema = schema + _CHAPTERS

    @abstractmethod
    def _drop(self, base: sqlite3.Connection, after: int) -> None:
        """Take out what chapters behind position `after` have brought in."""

    def _bring_up(self, chapters: Chapters, add: Add) -> int:
        """Bring the view up to the book's chapters; how many had to be read. `add` is asked only for those."""
        try:
            return self._brought_up(chapters, add)
        except sqlite3.DatabaseError:
            try:
                self.path.unlink(missing_ok=True)
                return self._brought_up(chapters, add)
            except (OSError, sqlite3.DatabaseError) as error:  # a folder that takes no file: it is not the view's fault
                fault = error if isinstance(error, OSError) else OSError(errno.EROFS, str(error))
                raise disk_fault(fault, self.path, writing=True) from error

    def _brought_up(self, chapters: Chapters, add: Add) -> int:
        with self._open() as base:
            known = base.execute("select id, digest from chapters order by position").fetchall()
            same = next((n for n, (a, b) in enumerate(zip(known, chapters, strict=False)) if a != tuple(b)),
                        min(len(known), len(chapters)))  # fmt: skip
            if same < len(known):
                self._drop(base, same)
                base.execute("delete from chapters where position > ?", (same,))
            for position, (chapter_id, digest) in enumerate(chapters[same:], same + 1):
                add(base, chapter_id, position)
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
            base.executescript(self._schema)
            yield base
