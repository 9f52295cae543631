"""Random moves on one book by a process that is killed with SIGKILL again and again: `KILLS=200` in `make soak`.

After each kill a reader finds a whole book, before anybody has recovered anything; the next process goes on with other
moves. SEED=7 walks the same walk again, as far as the moments of the kills allow.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from inkos.errors import InkosError
from inkos.hosts import wire
from tests.chance import drawn_seed
from tests.journeys.invariants import check_whole
from tests.journeys.killing import BUG, perform, rows, started, walk
from tests.journeys.moves import Yard

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

KILLS = int(os.environ.get("KILLS", "3"))
LONGEST = 1.0  # seconds that a process works before it is killed


def test_whatever_is_done_and_whenever_it_is_killed_the_book_is_whole(tmp_path: Path) -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    folder = tmp_path / "ws"
    Yard(tmp_path / "yard").before("redo", folder)
    made, left = Counter[str](), Counter[str]()
    for kill in range(KILLS):
        working = started(walk, folder, f"{seed} {kill}")
        time.sleep(LONGEST * dice.random())
        working.kill()
        working.join()
        assert not (folder / BUG).exists(), (folder / BUG).read_text(encoding="utf-8")
        left["recorded"] += (folder / "books/b/.inkos/pending.json").exists()
        left["staged"] += (folder / "books/b/.inkos/stage").exists()
        try:
            check_whole(folder)
        except (AssertionError, InkosError) as fault:
            raise AssertionError(f"SEED={seed}, after kill {kill}") from fault
    made.update(move.what for move in perform(folder, "chapter-bin", book="b").moves)
    heal(folder)
    check_whole(folder)
    exported = perform(folder, "export", book="b", format="txt")
    assert exported.chapters == len(rows(folder)), seed
    assert perform(folder, "write-next", book="b").chapters[0].stage in ("accepted", "review"), seed
    print(f"seed {seed}: {KILLS} kills, left behind {dict(left)}, moves {dict(made)}")


def heal(folder: Path) -> None:
    """What a person does in the end: the open run is ended, stale chapters are kept as they stand."""
    run = perform(folder, "status", book="b").run
    if run is not None:
        perform(folder, "run-cancel", book="b", run=run.id)
    for position, row in enumerate(rows(folder), 1):
        if row.stale:
            perform(folder, "chapter-keep", book="b", chapter=position)
    for position, row in enumerate(wire.open_workspace(folder, {}).store("b").index().chapters, 1):
        assert not row.stale, position
