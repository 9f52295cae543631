"""A book's lease in the database, for workers on many machines; knows nothing of what is written.

The file lock of adapters/lease.py is not to be trusted across hosts, and a process that is frozen keeps it. Here the
database says who writes: a worker holds the book until a time that its heartbeat moves on, and each holder gets a
higher fencing token, which every commit record bears. Who wakes late finds its time over by its own clock, or its token
overtaken, and writes nothing. The file lock is taken as well where it can be had, for people who use the command line.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from inkos.adapters.batch.database import Database
from inkos.adapters.disk import Files
from inkos.adapters.lease import Lease, holder_of
from inkos.errors import BookBusy, InkosError
from inkos.ports import Holder
from inkos.records import Record

# The heartbeat that keeps a lease while its book is held.
Keep = Callable[["BookLease"], contextlib.AbstractContextManager[None]]


class LeaseRow(Record):
    """Who writes a book: `until` seconds since the epoch by the database's clock; 0: nobody."""

    book: str = ""
    worker: str = ""
    token: int = 0
    until: float = 0.0
    file_token: int = 0  # what the holder wrote into holder.json; a lock that is left with it is a frozen holder's


class BookLease(Lease):
    """See Lease; `seconds`: how long the book is held without a heartbeat, which `keep` lets beat."""

    def __init__(
        self, private: Path, files: Files, database: Database, worker: str, book: str, seconds: float, keep: Keep
    ) -> None:
        super().__init__(private, files)
        self._keep = keep
        self._database, self._worker, self._book, self._seconds = database, worker, book, seconds
        self._token = 0
        self._good_until = 0.0  # by the monotonic clock, which goes on while a process is frozen

    @contextlib.contextmanager
    def hold(self, doing: str, *, least_token: int = 0, take_over: bool = False) -> Iterator[Holder]:
        """BookBusy `book-busy` when another worker holds the book, or somebody on this machine outside the batch."""
        if self._holder is not None:
            with super().hold(doing, least_token=least_token, take_over=take_over) as holder:
                yield holder
            return
        before = self._take(least_token)
        try:
            with self._keep(self), self._file_lock(before):
                known = self._record()
                dead = holder_of(known) if known is not None and not known.released else None
                self._holder = Holder(pid=os.getpid(), host=self._host, since=self._now(), doing=doing,
                                      token=self._token, took_over=dead)  # fmt: skip
                self._write(self._holder, released=False)
                try:
                    yield self._holder
                finally:
                    holder, self._holder = self._holder, None
                    with contextlib.suppress(InkosError):
                        self._release(holder)
        finally:
            self._give_back()

    def _take(self, least_token: int) -> LeaseRow:
        """Enter this worker as the holder; what stood there before."""
        known = self._record()
        began = time.monotonic()
        found: list[LeaseRow] = []

        def take(body: str, now: float) -> str:
            row = LeaseRow.model_validate_json(body) if body else LeaseRow()
            if row.until > now:
                raise BookBusy("book-busy", where=str(self._private.parent), pid="?", host=row.worker, since="?",
                               doing="batch", file="")  # fmt: skip
            found.append(row)
            self._token = max(row.token, least_token, known.token if known else 0) + 1
            return LeaseRow(book=self._book, worker=self._worker, token=self._token, until=now + self._seconds,
                            file_token=self._token).model_dump_json()  # fmt: skip

        self._database.change("lease", self._book, take)
        self._good_until = began + self._seconds
        return found[-1]

    @contextlib.contextmanager
    def _file_lock(self, before: LeaseRow) -> Iterator[None]:
        """The lock of this machine. One that a worker left whose lease has run out is that of a frozen process: the
        database decided against it, so it holds nobody up."""
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(self._lock())
            except BookBusy:
                record = self._record()
                if record is None or record.token != before.file_token or not before.file_token:
                    raise
            yield

    def renew(self) -> None:
        """The heartbeat: move the time on, unless another worker has the book by now."""
        began = time.monotonic()
        kept: list[bool] = []

        def renew(body: str, now: float) -> str:
            row = LeaseRow.model_validate_json(body) if body else LeaseRow()
            kept.append(row.token == self._token and row.until > 0)  # not one that was given back this moment
            return row.model_copy(update={"until": now + self._seconds}).model_dump_json() if kept[-1] else body

        self._database.change("lease", self._book, renew)
        self._good_until = began + self._seconds if kept[-1] else 0.0

    def _give_back(self) -> None:
        def give(body: str, now: float) -> str:
            row = LeaseRow.model_validate_json(body) if body else LeaseRow()
            return row.model_copy(update={"until": 0.0}).model_dump_json() if row.token == self._token else body

        with contextlib.suppress(InkosError):  # it runs out by itself
            self._database.change("lease", self._book, give)
        self._good_until = 0.0

    def check_time(self) -> None:
        """Raises `lease-lost` when this process has not been heard of for so long that another may have the book."""
        if time.monotonic() >= self._good_until:
            raise InkosError("lease-lost", where=str(self._private.parent))

    def check(self) -> None:
        """Raises `lease-lost` unless the database and the book's folder still name this holder."""
        self.check_time()
        body = self._database.read("lease", self._book)
        if body is None or LeaseRow.model_validate_json(body).token != self._token:
            raise InkosError("lease-lost", where=str(self._private.parent))
        super().check()

