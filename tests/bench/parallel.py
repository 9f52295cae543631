"""Many chapters at once against a service that takes a second: how far from ideal, and whether limits are kept.

    python -m tests.bench.parallel [--books 64] [--chapters 2] [--seconds 1] [--processes CORES] [--threads 4] [...]

What "ideal" means here: a chapter that passes at once makes four calls, three of them in sequence (plan, draft, settle
beside audit), so BOOKS chapters side by side take three times SECONDS when everything but the service costs nothing,
and each book's next chapter as long again. The books are real ones on a real disk (every write is synced), the calls go
through real HTTP to a service in a process of its own, on the same machine. Start-up (imports, opening the books) is
not counted: every process says that it is ready first. A process has some threads with an event loop each, so that
one book's disk does not hold up another's network. `local` is processor time of the producing processes for one
chapter; at BOOKS chapters in 3 x SECONDS, all cores together can afford CORES * 3 * SECONDS / BOOKS of it. Where it
is more, the processor is the limit and no arrangement reaches the ideal; SECONDS from which it is enough are told.

`--limit N`: the service allows N requests in any sixty seconds, and so does inkos.yaml (take --processes 1:
each process keeps the limit for itself); `--untold`: only the service does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from inkos.actions import Door
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, write_next
from inkos.adapters.cassette import Recording
from inkos.adapters.clock import SystemClock
from inkos.adapters.limiter import ProcessLimiter
from inkos.adapters.offline import OfflineAuthor
from inkos.errors import InkosError
from inkos.hosts import wire

CALLS, IN_SEQUENCE = 4, 3
CONFIG = """schema_version: 1
providers: {{far: {{base_url: "http://127.0.0.1:{port}/v1", limits: {limits}}}}}
routes: {{main: {{provider: far, model: m-1, temperature: 0.7}}}}
roles: {{default: main}}
limits: {{attempts: 20}}
"""


def record(folder: Path, chapters: int, length: int) -> Path:
    """A founded book in `folder`/0, and the tape of its first chapters."""
    wire.make_workspace(folder / "0", wire.rehearsal_config("zh"))
    tape = Recording(OfflineAuthor())
    here = Door(wire.open_workspace(folder / "0", {}, offline=tape), lambda event: None, lambda: False)
    command = CreateBook(name="b", brief=wire.demo_brief("zh"), language="zh", length=length, chapters=12)
    asyncio.run(create(here, command))
    shutil.copytree(folder / "0", folder / "whole")
    tape.lines.clear()
    there = Door(wire.open_workspace(folder / "whole", {}, offline=tape), lambda event: None, lambda: False)
    asyncio.run(write_next(there, WriteNext(book="b", count=chapters)))
    if len(tape.lines) != CALLS * chapters:
        raise SystemExit(f"{len(tape.lines)} calls for {chapters} chapters; the ideal counts {CALLS} for each")
    tape.save(folder / "tape.jsonl")
    return folder / "tape.jsonl"


@contextmanager
def service(tape: Path, seconds: float, limit: int | None) -> Iterator[int]:
    more = [str(limit)] if limit else []
    command = [sys.executable, "-m", "tests.bench.slow_service", str(tape), str(seconds), *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def write_all(folders: list[Path], chapters: int, threads: int) -> dict[str, float]:
    """Every book's next chapters, all books side by side in this process: seconds of the wall and of the processor."""
    limiter = ProcessLimiter(SystemClock())
    doors = [Door(wire.open_workspace(f, {}, limiter=limiter), lambda event: None, lambda: False) for f in folders]
    import pydantic_ai.direct
    import pydantic_ai.models.openai  # noqa: F401  (importing client libraries is start-up)

    async def some(mine: list[Door]) -> None:
        await asyncio.gather(*(write_next(door, WriteNext(book="b", count=chapters)) for door in mine))

    print("ready", flush=True)
    sys.stdin.readline()
    began, busy = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda at: asyncio.run(some(doors[at::threads])), range(threads)))
    return {"wall": time.monotonic() - began, "processor": time.process_time() - busy}


def producing(folders: list[Path], chapters: int, processes: int, threads: int) -> list[dict[str, float]]:
    """The same in several processes that begin together."""
    shares = [folders[at::processes] for at in range(processes)]
    command = [sys.executable, "-m", "tests.bench.parallel", "--produce", "--chapters", str(chapters),
               "--threads", str(threads)]  # fmt: skip
    started = [
        subprocess.Popen([*command, *map(str, share)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for share in shares
    ]
    for process in started:
        assert process.stdout and process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    return [json.loads(process.communicate()[0]) for process in started]


def measure(given: argparse.Namespace) -> str:
    books, chapters, seconds, limit = given.books, given.chapters, given.seconds, given.limit
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tape = record(folder, chapters, given.length)
        with service(tape, seconds, limit) as port:
            limits = json.dumps({"requests_per_minute": limit} if limit and not given.untold else {})
            folders = [folder / str(number + 1) for number in range(books)]
            for each in folders:
                shutil.copytree(folder / "0", each)
                (each / "inkos.yaml").write_text(CONFIG.format(port=port, limits=limits), encoding="utf-8")
            spent = producing(folders, chapters, given.processes, given.threads)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                counts = json.load(answer)
    cores, wall = os.cpu_count() or 1, max(s["wall"] for s in spent)
    local = sum(s["processor"] for s in spent) / (books * chapters)
    ideal = IN_SEQUENCE * seconds * chapters
    if limit:
        ideal = max(ideal, (books * chapters * CALLS - 1) / limit * 60)
    enough = local * books / (cores * IN_SEQUENCE)
    return (
        f"{books} books x {chapters} chapters of {given.length}, {seconds:g} s a call, {given.processes} processes x "
        f"{given.threads} threads, {cores} cores:\n  {wall:.1f} s, ideal {ideal:.1f} s: {ideal / wall:.0%} of ideal "
        f"throughput\n  local {local:.3f} s of processor a chapter: calls of {enough:.2f} s and longer can be ideal\n"
        f"  {counts['asked']} calls, {counts['refused']} refused, {counts['most']} at once"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--books", type=int, default=64)
    parser.add_argument("--chapters", type=int, default=2)
    parser.add_argument("--length", type=int, default=2500)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--untold", action="store_true")
    parser.add_argument("--produce", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.produce:
        print(measure(given))
        return
    try:
        print(json.dumps(write_all([Path(f) for f in given.folders], given.chapters, given.threads)))
    except InkosError as error:
        raise SystemExit(f"{error.code} {error.where} {error.values}") from error


if __name__ == "__main__":
    main()
