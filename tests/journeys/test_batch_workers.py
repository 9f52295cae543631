"""Workers that are killed or frozen: every chapter once in its book, no reply paid twice but those in flight."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chance import drawn_seed
from tests.hosts.cli import inkos
from tests.journeys.cassette_server import CassetteServer, serving
from tests.journeys.many import chapters_of, check_whole, many, plan, postgres, reaped, said, start, until
from tests.journeys.taped import taped

pytest.importorskip("dbos", reason="the extra `batch` is not installed")
Tape = tuple[Path, Path, Path]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

# `make soak` has more of each; the moments are random, and the seed is told.
BOOKS, CHAPTERS = int(os.environ.get("BATCH_BOOKS", "3")), int(os.environ.get("BATCH_CHAPTERS", "2"))
KILLS = int(os.environ.get("BATCH_KILLS", "1"))
SEED = drawn_seed()
IN_FLIGHT = 2  # calls of one book at a time: settlement beside audit


@pytest.fixture(autouse=True)
def no_worker_is_left() -> Iterator[None]:
    with reaped():
        yield


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    return taped(tmp_path_factory.mktemp("tape"), CHAPTERS)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def paid_twice(server: CassetteServer) -> int:
    assert server.unknown == [], server.unknown[:2]
    return sum(server.asked.values()) - BOOKS * len(set(server.asked))


def strike(process: subprocess.Popen[bytes], server: CassetteServer, signal_: int, moment: float) -> None:
    """Hit it at work: a moment after one more of its calls."""
    before = sum(server.asked.values())
    until(lambda: sum(server.asked.values()) > before or process.poll() is not None)
    time.sleep(moment)
    if process.poll() is None:
        process.send_signal(signal_)


def test_the_only_process_is_killed_and_two_at_once_finish(tape: Tape, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    with serving(tape[2], delay=0.1) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS)
        for _ in range(KILLS):
            killed = start(folder, "batch", "run", "plan.yaml")
            strike(killed, server, signal.SIGKILL, dice.random())
            killed.wait()
        both = [start(folder, "batch", "run", "plan.yaml"), start(folder, "batch", "worker")]
        assert [worker.wait(240) for worker in both] == [0, 0], (SEED, said(folder))
        asked = sum(server.asked.values())
        again = inkos(folder, "--json", "batch", "run", "plan.yaml")
        assert again.code == 0 and again.json["added"] == [] and sum(server.asked.values()) == asked
        assert [(row["status"], row["done"]) for row in again.json["rows"]] == [("done", CHAPTERS)] * BOOKS
        assert 0 <= paid_twice(server) <= KILLS * BOOKS * IN_FLIGHT, SEED
    check_whole(folder, tape[1], BOOKS)


def test_one_of_two_workers_is_killed(tape: Tape, database: str, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    with serving(tape[2], delay=0.15) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS)
        other = start(folder, "batch", "run", "plan.yaml", "--at-once", "2", url=database)
        until(lambda: sum(server.asked.values()) > 0 or other.poll() is not None)
        for _ in range(KILLS):
            one = start(folder, "batch", "worker", "night", "--at-once", "2", url=database)
            strike(one, server, signal.SIGKILL, 1 + dice.random())
            one.wait()
        assert other.wait(240) == 0, (SEED, said(folder))
        state = inkos(folder, "--json", "batch", "status", "--database-url", database).json
        assert state["status"] == "over" and [row["status"] for row in state["rows"]] == ["done"] * BOOKS
        assert 0 <= paid_twice(server) <= KILLS * BOOKS * IN_FLIGHT, SEED
    check_whole(folder, tape[1], BOOKS)


def test_a_worker_that_was_frozen_and_wakes_late_writes_nothing(tape: Tape, database: str, tmp_path: Path) -> None:
    dice = random.Random(SEED)
    with serving(tape[2], delay=0.15) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS, name="frozen")
        one = start(folder, "batch", "run", "plan.yaml", url=database)
        until(lambda: chapters_of(folder) > 0 or one.poll() is not None)
        strike(one, server, signal.SIGSTOP, dice.random() / 4)
        try:
            other = start(folder, "batch", "worker", "frozen", url=database)
            assert other.wait(240) == 0, (SEED, said(folder))
            check_whole(folder, tape[1], BOOKS)
        finally:
            one.send_signal(signal.SIGCONT)
        one.wait(60)
        assert 0 <= paid_twice(server) <= BOOKS * IN_FLIGHT
        log = inkos(folder, "--json", "batch", "logs", "frozen", "--database-url", database).json["lines"]
    check_whole(folder, tape[1], BOOKS)
    assert sum(line["code"] == "chapter" for line in log) >= BOOKS * CHAPTERS - BOOKS, SEED
