"""Ctrl-C on a real process against a slow server: once ends at the next boundary, twice now; both go on afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.hosts.cli import inkos
from tests.journeys.cassette_server import CassetteServer, serving
from tests.journeys.taped import over_http, taped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals of a POSIX system")
CALLS = 4  # of a chapter that passes at once


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder, _, tape = taped(tmp_path_factory.mktemp("w"), 2)
    return folder, tape


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "inkos", "write", "next", *arguments], cwd=folder, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT), "INKOS_LANG": "en"},
    )  # fmt: skip


def until(there: Callable[[], bool]) -> None:
    for _ in range(3000):
        if there():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


def asked(server: CassetteServer) -> int:
    return sum(server.asked.values())


def test_once_ends_when_the_call_in_flight_has_answered_and_nothing_is_paid_twice(
    book: tuple[Path, Path], tmp_path: Path
) -> None:
    shutil.copytree(book[0], tmp_path / "ws")
    with serving(book[1], delay=1.0) as server:
        over_http(tmp_path / "ws", server)
        process = start(tmp_path / "ws", "--count", "2")
        until(lambda: asked(server) == 1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, (out, err)
        assert "Ctrl-C again" in err and "inkos" in err.splitlines()[-1]
        assert asked(server) == 1, "no further call was begun"
        status = inkos(tmp_path / "ws", "--json", "status").json
        assert status["run"]["status"] == "waiting" and status["spend"]["unknown"] == 0
        server.delay = 0.0
        done = inkos(tmp_path / "ws", "--json", "write", "next")
        assert done.code == 0 and asked(server) == CALLS, "the answer that came after Ctrl-C was used"


def test_twice_ends_now_and_only_the_call_in_flight_is_asked_again(book: tuple[Path, Path], tmp_path: Path) -> None:
    shutil.copytree(book[0], tmp_path / "ws")
    with serving(book[1], delay=30.0) as server:
        over_http(tmp_path / "ws", server)
        server.delay = 0.0
        assert inkos(tmp_path / "ws", "plan").code == 0
        server.delay = 30.0
        process = start(tmp_path / "ws")
        until(lambda: asked(server) == 2)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        out, err = process.communicate(timeout=20)
        assert process.returncode == 130, (out, err)
        status = inkos(tmp_path / "ws", "--json", "status").json
        assert status["run"]["status"] == "waiting" and status["chapters"] == [] and status["holder"] is None
        server.delay = 0.0
        done = inkos(tmp_path / "ws", "--json", "write", "next")
        assert done.code == 0, done
        assert asked(server) == CALLS + 1, "the plan was not asked for again, the draft in flight was"
        assert inkos(tmp_path / "ws", "--json", "status").json["spend"]["unknown"] == 1
        assert inkos(tmp_path / "ws", "state", "check").code == 0


def test_stopped_between_chapters_no_further_one_is_begun(book: tuple[Path, Path], tmp_path: Path) -> None:
    """D06: what was accepted stays and is not paid for again."""
    shutil.copytree(book[0], tmp_path / "ws")
    with serving(book[1], delay=0.4) as server:
        over_http(tmp_path / "ws", server)
        process = start(tmp_path / "ws", "--count", "2")
        until(lambda: asked(server) == CALLS)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode == 130
        first = len(inkos(tmp_path / "ws", "--json", "status").json["chapters"])
        server.delay = 0.0
        assert inkos(tmp_path / "ws", "--json", "write", "next", "--until", "2").code == 0
        assert asked(server) == 2 * CALLS and first in (0, 1)


def test_of_two_that_write_one_book_at_once_one_works_and_the_other_is_told_who(
    book: tuple[Path, Path], tmp_path: Path
) -> None:
    """D04: exactly one new chapter, paid for once; reading goes on meanwhile."""
    shutil.copytree(book[0], tmp_path / "ws")
    with serving(book[1]) as server:
        over_http(tmp_path / "ws", server)
        held, answer = threading.Event(), server.reply_to
        server.reply_to = lambda messages: answer(messages) if held.wait(60) else None  # type: ignore[method-assign]
        both = [start(tmp_path / "ws") for _ in range(2)]
        until(lambda: any(process.poll() is not None for process in both))
        status = inkos(tmp_path / "ws", "--json", "status").json
        held.set()
        ended = [(process, *process.communicate(timeout=60)) for process in both]
        codes = {process.returncode: (process.pid, err) for process, _, err in ended}
        assert sorted(codes) == [0, 5], ended
        assert status["chapters"] == [] and status["holder"]["pid"] == codes[0][0]
        assert f"process {codes[0][0]} on" in codes[5][1] and "write next" in codes[5][1], codes[5]
        assert asked(server) == CALLS
    assert len(inkos(tmp_path / "ws", "--json", "status").json["chapters"]) == 1
    assert inkos(tmp_path / "ws", "state", "check").code == 0


def test_a_founding_that_was_stopped_is_taken_up_by_the_same_command(tmp_path: Path) -> None:
    """Its replies are paid for once, and a second book of the same brief asks anew (D11)."""
    from tests.hosts.cli import BRIEF, workspace

    brief = str(BRIEF / "en.md")
    folder = workspace(tmp_path / "ws")
    create = ("--json", "book", "create", "b", "--brief", brief, "--length", "900")
    first = inkos(folder, *create)
    assert first.code == 0, first
    shutil.rmtree(folder / "books/b")
    run = folder / ".inkos/runs/00001-founding/run.json"
    run.write_text(run.read_text().replace('"note": "made"', '"note": ""').replace('"completed"', '"waiting"'))
    second = inkos(folder, *create)
    assert second.code == 0 and second.json["run"] == first.json["run"], second
    assert len((folder / ".inkos/runs/ledger.jsonl").read_text().splitlines()) == 2, "nothing was asked again"
    assert inkos(folder, "book", "delete", "b", "--yes").code == 0
    third = inkos(folder, *create)
    assert third.code == 0 and third.json["run"] == "00002-founding"
