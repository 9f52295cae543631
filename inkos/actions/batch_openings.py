"""Openings that compete: when all have their first chapters, they are compared in pairs and the weaker ones stop."""

from __future__ import annotations

from collections.abc import Sequence

from inkos.actions.table import Door
from inkos.batch_ports import Batch, Board, Engine
from inkos.cycle.batch import Item


def judge_openings(door: Door, board: Board, engine: Engine, batch: Batch, items: Sequence[Item]) -> bool:
    """Whether something was decided."""
    return False
