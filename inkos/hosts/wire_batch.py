"""The part of the wiring that is about batches: the board, the engine, and the workspace as a worker sees it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from inkos.adapters.batch.lease import BookLease
    from inkos.adapters.workspace import WorkspaceFolder
    from inkos.batch_ports import Board, Deed, Engine
    from inkos.config import WorkspaceConfig
    from inkos.cycle.batch_plan import BatchPlan

URL = "INKOS_DATABASE_URL"
MOST_BRIEF = 1024 * 1024  # bytes
LEASE = "INKOS_LEASE_SECONDS"  # how long a silent worker keeps its books


class BatchBench:
    """Methods of the Workspace port; `Workshop` (wire.py) brings what they stand on."""

    _folder: WorkspaceFolder
    _environment: Mapping[str, str]
    config: WorkspaceConfig

    def board(self, url: str = "") -> Board:
        from inkos.errors import InkosError

        self._folder.require()
        try:
            from inkos.adapters.batch.board import DatabaseBoard
            from inkos.adapters.batch.database import Database
        except ImportError as error:
            raise InkosError("batch-extra", where="inkos[batch]", detail=str(error)) from error
        return DatabaseBoard(Database(url or self._environment.get(URL, ""), self._folder.root / ".inkos"))

    def engine(self, board: Board) -> Engine:
        from inkos.adapters.batch.board import DatabaseBoard
        from inkos.adapters.batch.engine import DbosEngine
        from inkos.adapters.batch.workers import LEASE_SECONDS, Workers
        from inkos.adapters.models.protocols import prepare

        assert isinstance(board, DatabaseBoard)
        prepare([provider.protocol for provider in self.config.providers.values()])
        seconds = float(self._environment.get(LEASE) or LEASE_SECONDS)
        return DbosEngine(board.database, Workers(board.database, seconds))


    def notify(self, deed: Deed) -> Sequence[str]:
        from inkos.adapters import notify
        from inkos.adapters.models.desk import from_keyring

        told = self.config.notify
        body = deed.model_dump(mode="json", include={"id", "at", "batch", "book", "what", "values"})
        faults = []
        if told.webhook:
            secret = self._environment.get(told.secret_env) or from_keyring(told.secret_env) if told.secret_env else ""
            if told.secret_env and not secret:
                faults.append(told.secret_env)
            else:
                faults.append(notify.post(told.webhook, secret or "", deed.id, body))
        if told.command:
            faults.append(notify.run(told.command, body))
        return [fault for fault in faults if fault]

    def read_plan(self, path: str) -> tuple[BatchPlan, Mapping[str, str]]:
        from pathlib import Path

        from inkos.adapters.plan_files import load_plan

        return load_plan(Path(path), MOST_BRIEF)


class Leases:
    """One lease for each book that a worker opens, whatever reads and writes it."""

    def __init__(self, engine: Engine, folder: WorkspaceFolder) -> None:
        self._engine, self._folder = engine, folder
        self._made: dict[str, BookLease] = {}

    def of(self, place: Path) -> BookLease:
        from inkos.adapters.batch.engine import DbosEngine
        from inkos.adapters.file_set import PRIVATE

        assert isinstance(self._engine, DbosEngine)
        name = os.path.basename(place)
        if name not in self._made:
            self._made[name] = self._engine.workers.lease(place / PRIVATE, self._folder.files, name)
        return self._made[name]

    def check(self, place: Path) -> None:
        """Before each write of a run: raises `lease-lost` when this worker was silent for too long."""
        lease = self.of(place)
        if lease.mine is not None:
            lease.check_time()
