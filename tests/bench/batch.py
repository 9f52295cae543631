"""Twenty books of five chapters in one batch against a service that takes a second: how far from ideal, and its memory.

    python -m tests.bench.batch [--books 20] [--chapters 5] [--seconds 1] [--at-once 16] [--processes 1] [--length 600]

A chapter that passes at once makes four calls, three of them in sequence, so no arrangement is faster than three times
SECONDS for each chapter, with AT_ONCE books side by side: `ideal` is the larger of that over all chapters and over one
book's. Counted is from the moment a worker is ready until the batch is over, by the batch's own log; starting Python is
not. `local` is the processor time of all workers for one chapter: where AT_ONCE chapters need more of it than three
times SECONDS on all cores together, the processor is the limit, whatever the engine does. `memory` is the most that the
first worker took.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.data import ROOT
from tests.hosts.cli import inkos
from tests.journeys.many import many, plan, said
from tests.journeys.taped import taped


class Measured(NamedTuple):
    wall: float
    ideal: float
    local: float
    memory: int

    def __str__(self) -> str:
        return (f"{self.wall:.1f} s, ideal {self.ideal:.1f} s: {self.ideal / self.wall:.0%} of ideal; local "
                f"{self.local:.3f} s of processor a chapter; {self.memory} MB at most")  # fmt: skip


class Slow:
    """tests/bench/slow_service.py in a process of its own."""

    def __init__(self, tape: Path, seconds: float) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "tests.bench.slow_service", str(tape), str(seconds)],
                                        stdout=subprocess.PIPE, text=True, cwd=ROOT)  # fmt: skip
        assert self.process.stdout is not None
        self.url = f"http://127.0.0.1:{int(self.process.stdout.readline())}/v1"


def measure(
    folder: Path, *, books: int, chapters: int, seconds: float, at_once: int, processes: int = 1, length: int = 600
) -> Measured:
    tape = taped(folder / "tape", chapters, length)
    slow = Slow(tape[2], seconds)
    try:
        ws = many(tape, folder / "ws", slow, books)  # type: ignore[arg-type]
        plan(ws, books, chapters, concurrency={"books": at_once})
        assert inkos(ws, "batch", "pause").code == 2  # nothing is entered yet
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        share = math.ceil(at_once / processes)
        command = [sys.executable, "-m", "inkos", "-q", "batch"]
        quiet = {"cwd": ws, "stdout": subprocess.DEVNULL, "env": {**os.environ, "PYTHONPATH": str(ROOT)}}
        workers = [subprocess.Popen([*command, "run", "plan.yaml", "--at-once", str(share)], **quiet)]  # type: ignore[call-overload]
        while processes > 1 and inkos(ws, "--json", "batch", "status").code:
            time.sleep(0.2)
        workers += [subprocess.Popen([*command, "worker", "night", "--at-once", str(share)], **quiet)  # type: ignore[call-overload]
                    for _ in range(processes - 1)]  # fmt: skip
        memory = 0
        while workers[0].poll() is None:
            memory = max(memory, resident(workers[0].pid))
            time.sleep(0.2)
        assert all(worker.wait() == 0 for worker in workers), said(ws)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    finally:
        slow.process.kill()
        slow.process.wait()
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = inkos(ws, "--json", "batch", "logs", "--last", "100000").json["lines"]
    began = min(line["at"] for line in lines if line["code"] == "begins")
    over = max(line["at"] for line in lines if line["code"] == "over")
    ideal = 3 * seconds * max(math.ceil(books * chapters / at_once), chapters)
    return Measured(over - began, ideal, used / (books * chapters), memory)


def resident(pid: int) -> int:
    """Megabytes that a process has in memory now; 0 where the system does not tell."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--books", type=int, default=20)
    parser.add_argument("--chapters", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--length", type=int, default=600)
    given = vars(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        print(measure(Path(folder), **given))


if __name__ == "__main__":
    main()
