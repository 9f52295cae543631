"""The part of the wiring that is about batches: the board, the engine, and the workspace as a worker sees it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from inkos.adapters.batch.lease import BookLease
    from inkos.adapters.workspace import WorkspaceFolder
    from inkos.batch_ports import Board, Engine

URL = "INKOS_DATABASE_URL"
LEASE = "INKOS_LEASE_SECONDS"  # how long a silent worker keeps its books


class BatchBench:
    """Methods of the Workspace port; `Workshop` (wire.py) brings what they stand on."""

    _folder: WorkspaceFolder
    _environment: Mapping[str, str]

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

        assert isinstance(board, DatabaseBoard)
        seconds = float(self._environment.get(LEASE) or LEASE_SECONDS)
        return DbosEngine(board.database, Workers(board.database, seconds))


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
