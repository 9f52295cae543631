"""One writer a folder: the lock, who holds it, and the fencing token; knows nothing of what is written.

The lock is the operating system's (filelock): it goes when its holder dies. Beside it lies `.inkos/holder.json`, for
people and for the token. A lock cannot be trusted across hosts (network drives, synced folders), so a record of another
host that was not given back is not taken over by itself: a person who knows that machine decides.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import ValidationError

from inkos.adapters.disk import Files, disk_fault, make_folders, parse_json, put_file, read_bytes
from inkos.errors import BookBusy, InkosError
from inkos.ports import Holder
from inkos.records import Record, dump

# A reader's probe never takes the lock, so this only covers a holder that is just leaving.
WAIT_SECONDS = 0.3


class HolderFile(Record):
    """`released` is set when the holder left in order; the record stays, for the token's sake."""

    schema_version: int = 1
    pid: int
    host: str
    since: float
    doing: str
    token: int
    released: bool = False


def alive(pid: int) -> bool:
    """Whether a process of this host lives. On Windows a signal 0 would end it, so there the record is believed."""
    if os.name == "nt":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


class Lease:
    """The lease of one folder. Within one object it can be taken again by who has it already."""

    def __init__(
        self,
        private: Path,
        files: Files | None = None,
        *,
        now: Callable[[], float] = time.time,
        host: str | None = None,
    ) -> None:
        self._private = private
        self._files = files or Files()
        self._now = now
        self._host = host or socket.gethostname()
        self._holder: Holder | None = None
        self._depth = 0

    @property
    def mine(self) -> Holder | None:
        return self._holder

    @contextlib.contextmanager
    def hold(self, doing: str, *, least_token: int = 0, take_over: bool = False) -> Iterator[Holder]:
        """Become the holder, or BookBusy (`book-busy`, `book-held-elsewhere`). `least_token` is the highest token that
        the folder's own files know of. `take_over` is a person's word that the other host's holder is gone."""
        if self._holder is not None:
            self._depth += 1
            try:
                yield self._holder
            finally:
                self._depth -= 1
            return
        with self._lock():
            before = self._record()
            if before and not before.released and before.host != self._host and not take_over:
                raise self._busy("book-held-elsewhere", before)
            token = max(before.token if before else 0, least_token) + 1
            dead = holder_of(before) if before and not before.released else None
            holder = Holder(
                pid=os.getpid(), host=self._host, since=self._now(), doing=doing, token=token, took_over=dead
            )
            self._write(holder, released=False)
            self._holder = holder
            try:
                yield holder
            finally:
                self._holder = None
                # What was done is done; a record that could not be rewritten is read as that of a dead holder.
                with contextlib.suppress(InkosError):
                    self._release(holder)

    @contextlib.contextmanager
    def _lock(self) -> Iterator[None]:
        make_folders(self._files, self._private)
        path = self._private / "lock"
        # The name is kept: between removing it and making it again, two processes could lock two different files.
        lock = FileLock(path, timeout=WAIT_SECONDS, thread_local=False, preserve_lock_file=True)
        try:
            lock.acquire()
        except Timeout:
            record = self._record()
            raise self._busy("book-busy", record) from None
        except NotImplementedError as error:
            raise InkosError("lock-unsupported", where=str(path)) from error
        except OSError as error:
            raise disk_fault(error, path, writing=True) from error
        try:
            yield
        finally:
            lock.release()

    def _busy(self, code: str, record: HolderFile | None) -> BookBusy:
        where = str(self._private.parent)
        if record is None:
            return BookBusy(code, where=where, pid="?", host=self._host, since="?", doing="?", file="")
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(record.since))
        file = str(self._private / "holder.json")
        return BookBusy(code, where=where, pid=record.pid, host=record.host, since=since, doing=record.doing, file=file)

    def check(self) -> None:
        """Raises `lease-lost` unless the record still names this holder."""
        record = self._record()
        if self._holder is None or record is None or record.token != self._holder.token or record.released:
            raise InkosError("lease-lost", where=str(self._private.parent))

    def holder(self) -> Holder | None:
        """Who holds the folder now, as far as can be told without touching the lock."""
        record = self._record()
        if record is None or record.released or (record.host == self._host and not alive(record.pid)):
            return None
        return holder_of(record)

    def _record(self) -> HolderFile | None:
        path = self._private / "holder.json"
        try:
            return HolderFile.model_validate(parse_json(read_bytes(path), path))
        except (InkosError, ValidationError):
            # It is a note beside the lock, not the lock: a note that cannot be read holds nobody up.
            return None

    def _write(self, holder: Holder, *, released: bool) -> None:
        record = HolderFile(
            pid=holder.pid,
            host=holder.host,
            since=holder.since,
            doing=holder.doing,
            token=holder.token,
            released=released,
        )
        put_file(self._files, self._private / "holder.json", dump(record), self._private / "holder.new")

    def _release(self, holder: Holder) -> None:
        record = self._record()
        if record is not None and record.token == holder.token:
            self._write(holder, released=True)


def holder_of(record: HolderFile) -> Holder:
    return Holder(pid=record.pid, host=record.host, since=record.since, doing=record.doing, token=record.token)
