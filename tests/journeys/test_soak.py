"""A real process killed with SIGKILL at random moments while it writes over HTTP: `KILLS=200` in `make soak`.

The book is as long as the kills need, so that each of them hits a process at work.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.hosts.cli import inkos
from tests.journeys.cassette_server import serving
from tests.journeys.killing import started, write
from tests.journeys.taped import over_http, taped

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

KILLS = int(os.environ.get("KILLS", "4"))
CHAPTERS = max(3, KILLS // 4)


def test_killed_at_random_moments_it_goes_on_and_pays_twice_only_what_was_in_flight(tmp_path: Path) -> None:
    seed = int(os.environ.get("SEED", random.randrange(10**6)))
    dice = random.Random(seed)
    folder, whole, tape = taped(tmp_path, CHAPTERS)
    book = folder / "books/b"
    with serving(tape) as server:
        over_http(folder, server)
        kills = 0
        for _ in range(KILLS * 3):
            before = sum(server.asked.values())
            process = started(write, folder, CHAPTERS)
            # It is hit at work: some moment after its first call or its first write.
            for _ in range(600):
                if sum(server.asked.values()) > before or not process.is_alive():
                    break
                time.sleep(0.01)
            time.sleep(dice.random() * 0.35)
            kills += process.is_alive()
            process.kill()
            process.join()
            if kills >= KILLS:
                break
        ended = inkos(folder, "--json", "write", "next", "--until", str(CHAPTERS))
        assert ended.code == 0, (seed, ended)
        paid, needed = sum(server.asked.values()), len(set(server.asked))
        assert server.unknown == [], (seed, server.unknown[:2])
    assert paid <= needed + 2 * kills, (seed, kills)
    assert inkos(folder, "state", "check").code == 0, seed
    for path in sorted((whole / "books/b").rglob("*")):
        name = path.relative_to(whole / "books/b").as_posix()
        if path.is_file() and name.startswith(("chapters/", "story/state/", "story/snapshots/", "bible/")):
            assert (book / name).read_bytes() == path.read_bytes(), (seed, name)
    listed = sorted(row["file"] for row in inkos(folder, "--json", "status").json["chapters"])
    assert listed == sorted(f"chapters/{p.name}" for p in (book / "chapters").iterdir()), seed
    exported = inkos(folder, "--json", "export", "--format", "md")
    assert exported.code == 0 and exported.json["chapters"] == CHAPTERS, (seed, exported)
    print(f"seed {seed}: {kills} kills, {CHAPTERS} chapters, {paid - needed} replies paid twice")
