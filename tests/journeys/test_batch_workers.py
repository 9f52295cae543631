"""Workers that are killed or frozen: every chapter once in its book, no reply paid twice but those in flight."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hosts.cli import inkos
from tests.journeys.cassette_server import CassetteServer, serving
from tests.journeys.many import chapters_of, check_whole, many, plan, postgres, said, start, until
from tests.journeys.taped import taped

pytest.importorskip("dbos", reason="the extra `batch` is not installed")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

BOOKS, CHAPTERS = 3, 2
IN_FLIGHT = 2  # calls of one book at a time: settlement beside audit


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    return taped(tmp_path_factory.mktemp("tape"), CHAPTERS)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def paid_twice(server: CassetteServer) -> int:
    assert server.unknown == [], server.unknown[:2]
    return sum(server.asked.values()) - BOOKS * len(set(server.asked))


def test_the_only_process_is_killed_and_the_same_command_finishes(
    tape: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    with serving(tape[2], delay=0.1) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS)
        killed = start(folder, "batch", "run", "plan.yaml")
        until(lambda: chapters_of(folder) > 1 or killed.poll() is not None)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        ended = inkos(folder, "--json", "batch", "run", "plan.yaml")
        assert ended.code == 0, (ended, said(folder))
        assert [(row["status"], row["done"]) for row in ended.json["rows"]] == [("done", CHAPTERS)] * BOOKS
        assert ended.json["added"] == []
        assert 0 <= paid_twice(server) <= BOOKS * IN_FLIGHT
        asked = sum(server.asked.values())
        again = inkos(folder, "--json", "batch", "run", "plan.yaml")
        assert again.json["done"] == BOOKS * CHAPTERS and sum(server.asked.values()) == asked
    check_whole(folder, tape[1], BOOKS)


def test_one_of_two_workers_is_killed(tape: tuple[Path, Path, Path], database: str, tmp_path: Path) -> None:
    with serving(tape[2], delay=0.15) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS)
        one = start(folder, "batch", "run", "plan.yaml", "--at-once", "2", url=database)
        until(lambda: sum(server.asked.values()) > 0 or one.poll() is not None)
        other = start(folder, "batch", "worker", "night", "--at-once", "2", url=database)
        until(lambda: chapters_of(folder) > 1)
        one.send_signal(signal.SIGKILL)
        one.wait()
        assert other.wait(90) == 0, said(folder)
        state = inkos(folder, "--json", "batch", "status", "--database-url", database).json
        assert state["status"] == "over" and [row["status"] for row in state["rows"]] == ["done"] * BOOKS
        assert 0 <= paid_twice(server) <= BOOKS * IN_FLIGHT
    check_whole(folder, tape[1], BOOKS)


def test_a_worker_that_was_frozen_and_wakes_late_writes_nothing(
    tape: tuple[Path, Path, Path], database: str, tmp_path: Path
) -> None:
    with serving(tape[2], delay=0.15) as server:
        folder = many(tape, tmp_path / "ws", server, BOOKS)
        plan(folder, BOOKS, CHAPTERS, name="frozen")
        one = start(folder, "batch", "run", "plan.yaml", url=database)
        until(lambda: chapters_of(folder) > 0 or one.poll() is not None)
        one.send_signal(signal.SIGSTOP)
        try:
            other = start(folder, "batch", "worker", "frozen", url=database)
            assert other.wait(90) == 0, said(folder)
            check_whole(folder, tape[1], BOOKS)
        finally:
            one.send_signal(signal.SIGCONT)
        one.wait(60)
        assert 0 <= paid_twice(server) <= BOOKS * IN_FLIGHT
        log = inkos(folder, "--json", "batch", "logs", "frozen", "--database-url", database).json["lines"]
    check_whole(folder, tape[1], BOOKS)
    assert sum(line["code"] == "chapter" for line in log) >= BOOKS * CHAPTERS - 1
