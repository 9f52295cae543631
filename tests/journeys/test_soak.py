"""A real process killed with SIGKILL at random moments while it writes over HTTP: `KILLS=200` in `make soak`.

A book has as many chapters as the offline author can write without repeating itself; when it is written, another one is
begun, until the kills are made. Each kill hits a process at work, some moment after a call of its own.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

import pytest

from tests.chance import drawn_seed
from tests.hosts.cli import inkos
from tests.journeys.cassette_server import CassetteServer, serving
from tests.journeys.invariants import check_whole
from tests.journeys.killing import started, write
from tests.journeys.taped import over_http, taped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

KILLS = int(os.environ.get("KILLS", "4"))
CHAPTERS = 18 if KILLS > 20 else 3
LATEST = 0.12  # seconds after a call at which a process is killed


def test_killed_at_random_moments_it_goes_on_and_pays_twice_only_what_was_in_flight(tmp_path: Path) -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    founded, whole, tape = taped(tmp_path, CHAPTERS)
    kills, books, twice = 0, 0, 0
    while kills < KILLS:
        books += 1
        folder = tmp_path / f"book{books}"
        shutil.copytree(founded, folder)
        with serving(tape) as server:
            over_http(folder, server)
            here = killed(folder, server, KILLS - kills, dice)
            assert here, (seed, "no process was at work")
            ended = inkos(folder, "--json", "write", "next", "--until", str(CHAPTERS))
            assert ended.code == 0, (seed, ended)
            assert server.unknown == [], (seed, server.unknown[:2])
            paid, needed = sum(server.asked.values()), len(set(server.asked))
        assert paid <= needed + 2 * here, (seed, here)
        check_end(folder, whole, seed)
        kills, twice = kills + here, twice + paid - needed
    print(f"seed {seed}: {kills} kills, {books} books of {CHAPTERS} chapters, {twice} replies paid twice")


def killed(folder: Path, server: CassetteServer, most: int, dice: random.Random) -> int:
    """Start the writing again and again and kill it, until the book is written; how often a process was killed."""
    kills = 0
    while kills < most:
        before = sum(server.asked.values())
        process = started(write, folder, CHAPTERS)
        while sum(server.asked.values()) == before and process.is_alive():
            time.sleep(0.002)
        time.sleep(LATEST * dice.random())
        at_work = process.is_alive()
        process.kill()
        process.join()
        if not at_work:
            break  # it came to its end
        kills += 1
    return kills


def check_end(folder: Path, whole: Path, seed: int) -> None:
    """The book is the one that an undisturbed course makes, and all of it is exported."""
    check_whole(folder)
    for path in sorted((whole / "books/b").rglob("*")):
        name = path.relative_to(whole / "books/b").as_posix()
        if path.is_file() and name.startswith(("chapters/", "story/state/", "story/snapshots/", "bible/")):
            assert (folder / "books/b" / name).read_bytes() == path.read_bytes(), (seed, name)
    exported = inkos(folder, "--json", "export", "--format", "md")
    assert exported.code == 0 and exported.json["chapters"] == CHAPTERS, (seed, exported)
