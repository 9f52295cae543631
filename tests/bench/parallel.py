"""Many chapters at once against a service that takes a second: how far from ideal, and whether limits are kept.

    python -m tests.bench.parallel [--books 64] [--chapters 2] [--seconds 1] [--processes CORES] [--threads 4] [...]

What "ideal" means here: a chapter that passes at once makes four calls, three of them in sequence (plan, draft, settle
beside audit), so a chapter takes three times SECONDS when everything but the service costs nothing, however many are
written beside it, and BOOKS of them give BOOKS / (3 x SECONDS) chapters a second. Each book's chapters are timed from
its own start to its own end. The starts are spread over the time of one chapter (`--together`: all at once, where every
book waits for all others' local work three times a chapter, and the processor for the service in between; real services
never answer in step). The books are real ones on a real disk (every write is synced), the calls go
through real HTTP to a service in a process of its own, on the same machine. Start-up (imports, opening the books) is
not counted: every process says that it is ready first. A process has some threads with an event loop each, so that
one book's disk does not hold up another's network. `local` is processor time of the producing processes for one
chapter; at BOOKS chapters in 3 x SECONDS, all cores together can afford CORES * 3 * SECONDS / BOOKS of it. Where it
is more, the processor is the limit and no arrangement reaches the ideal; SECONDS from which it is enough are told.
Whatever else runs on the machine counts against the ideal too: measure on one that is idle.

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


def write_all(folders: list[Path], chapters: int, threads: int, spread: float) -> dict[str, float]:
    """Every book's next chapters, all books side by side in this process, the last begun `spread` seconds after the
    first: seconds of the wall (of the whole, and of all books together) and of the processor."""
    limiter = ProcessLimiter(SystemClock())
    doors = [Door(wire.open_workspace(f, {}, limiter=limiter), lambda event: None, lambda: False) for f in folders]
    import pydantic_ai.direct
    import pydantic_ai.models.openai  # noqa: F401  (importing client libraries is start-up)

    lasted: list[float] = []

    async def one(number: int, door: Door) -> None:
        await asyncio.sleep(spread * number / len(doors))
        began = time.monotonic()
        await write_next(door, WriteNext(book="b", count=chapters))
        lasted.append(time.monotonic() - began)

    async def some(mine: list[tuple[int, Door]]) -> None:
        await asyncio.gather(*(one(number, door) for number, door in mine))

    print("ready", flush=True)
    sys.stdin.readline()
    began, busy = time.monotonic(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda at: asyncio.run(some(list(enumerate(doors))[at::threads])), range(threads)))
    return {"wall": time.monotonic() - began, "books": sum(lasted), "processor": time.process_time() - busy}


def producing(folders: list[Path], given: argparse.Namespace, spread: float) -> list[dict[str, float]]:
    """The same in several processes that begin together."""
    shares = [folders[at :: given.processes] for at in range(given.processes)]
    command = [sys.executable, "-m", "tests.bench.parallel", "--produce", "--chapters", str(given.chapters),
               "--threads", str(given.threads), "--spread", str(spread)]  # fmt: skip
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
            spent = producing(folders, given, 0.0 if given.together or limit else IN_SEQUENCE * seconds)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
                counts = json.load(answer)
    cores, wall = os.cpu_count() or 1, max(s["wall"] for s in spent)
    local = sum(s["processor"] for s in spent) / (books * chapters)
    each, ideal = sum(s["books"] for s in spent) / books, IN_SEQUENCE * seconds * chapters
    if limit:
        each, ideal = wall, max(ideal, (books * chapters * CALLS - 1) / limit * 60)
    enough = local * books / (cores * IN_SEQUENCE)
    return (
        f"{books} books x {chapters} chapters of {given.length}, {seconds:g} s a call, {given.processes} processes x "
        f"{given.threads} threads, {cores} cores:\n  {each:.1f} s, ideal {ideal:.1f} s: {ideal / each:.0%} of ideal "
        f"throughput; {wall:.1f} s in all\n  local {local:.3f} s of processor a chapter: enough for calls of "
        f"{enough:.2f} s and longer\n  {counts['asked']} calls, {counts['refused']} refused, {counts['most']} at once"
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
    parser.add_argument("--together", action="store_true")
    parser.add_argument("--spread", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--produce", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.produce:
        print(measure(given))
        return
    try:
        print(json.dumps(write_all([Path(f) for f in given.folders], given.chapters, given.threads, given.spread)))
    except InkosError as error:
        raise SystemExit(f"{error.code} {error.where} {error.values}") from error


if __name__ == "__main__":
    main()
