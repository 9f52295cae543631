"""Who works on a database: names that stay, a heartbeat, and who is dead; knows no engine and no book."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from inkos.adapters.batch.database import Database
from inkos.adapters.batch.lease import BookLease, LeaseRow
from inkos.adapters.batch.limiter import DatabaseLimiter
from inkos.adapters.disk import Files
from inkos.adapters.lease import alive
from inkos.batch_ports import WorkerRow
from inkos.config import CallLimits
from inkos.errors import InkosError
from inkos.runs.rates import Meter

LEASE_SECONDS = 30.0  # how long a silent worker keeps its books; a heartbeat comes four times in it
MOST_WORKERS = 1000


class Workers:
    """The workers of one database. `seconds`: of a lease."""

    def __init__(self, database: Database, seconds: float = LEASE_SECONDS) -> None:
        self._database, self.seconds, self.name = database, seconds, ""
        self._leases: dict[int, BookLease] = {}
        self._beating = threading.Lock()

    def rows(self) -> list[WorkerRow]:
        return [WorkerRow.model_validate_json(body) for body in self._database.all("worker")]

    @contextlib.contextmanager
    def as_worker(self, each_beat: Callable[[], None]) -> Iterator[str]:
        """This process as a worker, until it leaves; `each_beat` is called with every heartbeat."""
        self.name = self._claim()
        self._free(self.name)
        stop = threading.Event()
        beat = threading.Thread(target=self._beat, args=(stop, each_beat), name="inkos-heartbeat", daemon=True)
        beat.start()
        try:
            yield self.name
        finally:
            stop.set()
            beat.join()
            with contextlib.suppress(InkosError):
                self._say(gone=True)

    def _claim(self) -> str:
        """The first name of this host that no living process bears: a worker that comes back is found under its own."""
        host = socket.gethostname()
        for number in range(1, MOST_WORKERS):
            name, mine = f"{host}-{number}", False

            def claim(body: str, now: float, name: str = name) -> str:
                nonlocal mine
                row = WorkerRow.model_validate_json(body) if body else None
                mine = row is None or row.gone or self.dead(row, now)
                fresh = WorkerRow(name=name, host=host, pid=os.getpid(), seen=now)
                return fresh.model_dump_json() if mine else body

            self._database.change("worker", name, claim)
            if mine:
                return name
        raise InkosError("batch-database", where=self._database.where, detail=f"{MOST_WORKERS} workers")

    def dead(self, row: WorkerRow, now: float) -> bool:
        """Silent for longer than a lease; on this host also: its process is gone."""
        here = row.host == socket.gethostname()
        return now - row.seen > self.seconds or (here and not alive(row.pid))

    def _say(self, *, gone: bool = False) -> None:
        def say(body: str, now: float) -> str:
            row = WorkerRow.model_validate_json(body)
            mine = row.pid == os.getpid() and row.host == socket.gethostname()
            return row.model_copy(update={"seen": now, "gone": gone}).model_dump_json() if mine else body

        self._database.change("worker", self.name, say)

    def _beat(self, stop: threading.Event, each_beat: Callable[[], None]) -> None:
        while not stop.wait(min(self.seconds / 4, 1.0)):
            # A database that cannot be reached is no reason to stop: the leases run out, and their holders see it.
            with contextlib.suppress(InkosError):
                self._say()
                for lease in list(self._leases.values()):
                    lease.renew()
                each_beat()

    def reap(self) -> list[str]:
        """The workers that died since the last look: their books and places are free again. Their names."""
        found = []
        now = self._database.now()
        for row in self.rows():
            if row.name != self.name and not row.gone and self.dead(row, now):
                self._database.change("worker", row.name, lambda body, now: self._buried(body, now))
                self._free(row.name)
                found.append(row.name)
        return found

    def _buried(self, body: str, now: float) -> str:
        row = WorkerRow.model_validate_json(body)
        return row.model_copy(update={"gone": True}).model_dump_json() if self.dead(row, now) else body

    def _free(self, worker: str) -> None:
        """Whose holder is dead is nobody's: leases end now, places at endpoints are given back."""
        for body in self._database.all("lease"):
            row = LeaseRow.model_validate_json(body)
            if row.worker == worker and row.until:
                self._database.change("lease", row.book, lambda body, now: _ended(body, worker))
        for endpoint in self._database.keys("meter"):
            self._database.change("meter", endpoint, lambda body, now: _without(body, worker))

    # --- what a turn is handed

    def lease(self, private: Path, files: Files, book: str) -> BookLease:
        return BookLease(private, files, self._database, self.name, book, self.seconds, self.renewing)

    def limiter(self, narrower: Mapping[str, CallLimits]) -> DatabaseLimiter:
        return DatabaseLimiter(self._database, self.name, narrower)

    @contextlib.contextmanager
    def renewing(self, lease: BookLease) -> Iterator[None]:
        """The heartbeat keeps this lease meanwhile."""
        self._leases[id(lease)] = lease
        try:
            yield
        finally:
            self._leases.pop(id(lease), None)


def _ended(body: str, worker: str) -> str:
    row = LeaseRow.model_validate_json(body)
    return row.model_copy(update={"until": 0.0}).model_dump_json() if row.worker == worker else body


def _without(body: str, worker: str) -> str:
    meter = Meter.model_validate_json(body) if body else Meter()
    kept = {permit: until for permit, until in meter.running.items() if not permit.startswith(f"{worker}/")}
    return meter.model_copy(update={"running": kept}).model_dump_json()
