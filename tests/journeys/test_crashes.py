"""The generated crash suite: a two-chapter production with one revision, stopped at every touch of the world.

Two levels, because each finds what the other misses: at the ports (every write of a run, every commit, every model
call), and at the single operations of the disk (write, rename, remove, sync, make a folder). After each stop the book
is opened again as a new process would, and goes on; the final files equal those of an undisturbed run, and no reply is
paid twice except those in flight.

`STOPS=all` takes every touch and every operation (`make soak`); the default takes a spread of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import Door
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, write_next
from inkos.actions.reports import OfBook, status
from inkos.adapters.cassette import Recording, Replaying
from inkos.adapters.disk import Files
from inkos.adapters.file_set import PRIVATE
from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.errors import InkosError
from inkos.hosts import wire
from inkos.ports import Accepted, FileSet, ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.adapters.stopping import StoppedError, StoppingFiles
from tests.journeys.example_books import NOON
from tests.runs.fakes import FakeClock

CHAPTERS = 2
ALL = os.environ.get("STOPS") == "all"
SPREAD = 16  # operations of the disk that the short form takes, of some hundreds


class Paying:
    """A model that counts what was asked of it, by the request's own words; it may die before or after an answer."""

    def __init__(self, tape: Path) -> None:
        self.tape, self.paid = Replaying(tape), Counter[str]()
        self.stop: Callable[[str], None] = lambda moment: None

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.stop("before call")
        self.paid[repr([(m.role, m.text) for m in request.messages])] += 1
        reply = await self.tape.complete(request, on_text)
        self.stop("after call")
        return reply


def door(folder: Path, model: ModelPort, files: Files | None = None) -> Door:
    workspace = wire.open_workspace(folder, {}, offline=model, clock=FakeClock(NOON), files=files or UNSYNCED)
    return Door(workspace, lambda event: None, lambda: False)


UNSYNCED = Files(durable=False)


@pytest.fixture(scope="module")
def founded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A founded book, and beside it the tape of its two chapters: the second is contradicted, revised and accepted."""
    folder = tmp_path_factory.mktemp("w")
    wire.make_workspace(folder / "ws", wire.rehearsal_config("en"))
    tape = Recording(OfflineAuthor(faults=(PlannedFault(position=2, kind="contradict"),)))
    command = CreateBook(name="b", brief=wire.demo_brief("en"), language="en", length=600, chapters=12)
    asyncio.run(create(door(folder / "ws", tape), command))
    shutil.copytree(folder / "ws", folder / "whole")
    tape.lines.clear()
    done = asyncio.run(write_next(door(folder / "whole", tape), WriteNext(book="b", count=CHAPTERS)))
    assert [chapter.rounds for chapter in done.chapters] == [0, 1], "the second chapter needs its revision"
    tape.save(folder / "tape.jsonl")
    return folder


def canon(folder: Path) -> dict[str, bytes]:
    """What a book is: everything but what counts processes (revision, tokens, attempts)."""
    book = folder / "books/b"
    return {
        path.relative_to(book).as_posix(): path.read_bytes() for path in sorted(book.rglob("*"))
        if path.is_file() and not {PRIVATE, "runs"} & set(path.parts) and path.name != "revision.json"
    }  # fmt: skip


def go_on(folder: Path, model: Paying, files: Files | None = None) -> None:
    asyncio.run(write_next(door(folder, model, files), WriteNext(book="b", until=CHAPTERS)))


def check_end(folder: Path, founded: Path, model: Paying, stops: int, moment: object) -> None:
    assert canon(folder) == canon(founded / "whole"), moment
    twice = [times for times in model.paid.values() if times > 1]
    assert len(twice) <= 2 * stops and max(model.paid.values()) <= 1 + stops, (moment, twice)
    told = asyncio.run(status(door(folder, model), OfBook(book="b")))
    assert told.problems == (), moment
    assert told.spend.calls + told.spend.unknown >= len(model.paid), moment
    # A run that ended keeps what its last save left half written; nobody reads such a name.
    left = [p for p in (folder / "books/b").rglob("*") if p.name == "pending.json" or
            (p.name.endswith(".new") and "runs" not in p.parts)]  # fmt: skip
    assert left == [], moment


def read_meanwhile(folder: Path) -> None:
    """Before anybody recovers anything, a reader finds a whole book: text, index, state of one chapter."""
    book = wire.open_workspace(folder, {}).store("b").read()
    assert book.state.last_applied_chapter == len(book.index.chapters) == len(book.recent)


# ── at the ports ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Moments:
    """Counts the touches of ports; the one with the number asked for ends the program."""

    def __init__(self, at: int) -> None:
        self.at, self.seen, self.told = at, 0, ""

    def __call__(self, moment: str) -> None:
        if self.seen >= self.at:
            raise StoppedError
        self.seen += 1
        if self.seen == self.at:
            self.told = moment
            raise StoppedError


class StoppingPorts:
    """A workspace whose runs and stores die before or after any write."""

    def __init__(self, inner: wire.Workshop, stop: Moments) -> None:
        self._inner, self._stop = inner, stop

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def runs(self, book: str | None) -> Any:
        return StoppingPort(self._inner.runs(book), self._stop, {"save", "put", "append_ledger"})

    def store(self, book: str) -> Any:
        return StoppingPort(self._inner.store(book), self._stop, {"commit", "accept", "rewrite", "hold"})


class StoppingPort:
    def __init__(self, inner: Any, stop: Moments, writes: set[str]) -> None:
        self._inner, self._stop, self._writes = inner, stop, writes

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in self._writes:
            return found

        def stopping(*values: Accepted | FileSet | Mapping[str, object] | str | bytes) -> Any:
            self._stop(f"before {name}")
            result = found(*values)
            self._stop(f"after {name}")
            return result

        return stopping


def stopped_at_port(folder: Path, model: Paying, at: int) -> Moments:
    """One process, stopped at the touch with this number, or not at all when there is no such touch."""
    moments = Moments(at)
    model.stop = moments
    inner = wire.open_workspace(folder, {}, offline=model, clock=FakeClock(NOON), files=UNSYNCED)
    stopping: Any = StoppingPorts(inner, moments)
    with contextlib.suppress(StoppedError):
        asyncio.run(write_next(Door(stopping, lambda e: None, lambda: False), WriteNext(book="b", until=CHAPTERS)))
    model.stop = lambda moment: None
    return moments


def copies(founded: Path, tmp_path: Path, numbers: Iterator[int] | range) -> Iterator[tuple[int, Path, Paying]]:
    for number in numbers:
        folder = tmp_path / str(number)
        shutil.copytree(founded / "ws", folder)
        yield number, folder, Paying(founded / "tape.jsonl")
        shutil.rmtree(folder)


PARTS, SKIP = 2, 1 if ALL else 5


@pytest.mark.parametrize("part", range(PARTS))
def test_stopped_at_any_touch_of_a_port_it_ends_as_if_undisturbed(founded: Path, tmp_path: Path, part: int) -> None:
    seen: Counter[str] = Counter()
    for at, folder, model in copies(founded, tmp_path, range(1 + part * SKIP, 10_000, PARTS * SKIP)):
        moments = stopped_at_port(folder, model, at)
        if moments.seen < at:
            break
        seen[moments.told] += 1
        read_meanwhile(folder)
        go_on(folder, model)
        check_end(folder, founded, model, 1, (at, moments.told))
    assert sum(seen.values()) > 10 and len(seen) > 2, seen


# ── at the operations of the disk ────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def operations(founded: Path, tmp_path_factory: pytest.TempPathFactory) -> int:
    folder = tmp_path_factory.mktemp("count") / "ws"
    shutil.copytree(founded / "ws", folder)
    counting = StoppingFiles()
    go_on(folder, Paying(founded / "tape.jsonl"), counting)
    return counting.count


def chosen(operations: int) -> range:
    return range(1, operations + 1, 1 if ALL else max(1, operations // SPREAD))


@pytest.mark.parametrize("torn", [False, True])
def test_stopped_at_an_operation_of_the_disk_it_ends_as_if_undisturbed(
    founded: Path, tmp_path: Path, operations: int, torn: bool
) -> None:
    for stop, folder, model in copies(founded, tmp_path, chosen(operations)):
        with pytest.raises(StoppedError):
            go_on(folder, model, StoppingFiles(stop, torn=torn))
        read_meanwhile(folder)
        go_on(folder, model)
        check_end(folder, founded, model, 1, (stop, torn))


def test_recovery_itself_stopped_anywhere_is_recovered(founded: Path, tmp_path: Path, operations: int) -> None:
    """The second process dies within its first operations: taking over, finishing the set, settling what is unknown."""
    every = list(chosen(operations))
    for stop, folder, model in copies(founded, tmp_path, iter(every[:: 1 if ALL else 6])):
        with pytest.raises(StoppedError):
            go_on(folder, model, StoppingFiles(stop))
        kept = tmp_path / "kept"
        for second in range(1, 40) if ALL else (1, 3, 8, 21):
            shutil.copytree(folder, kept)
            again = Paying(founded / "tape.jsonl")
            again.paid = Counter(model.paid)
            with pytest.raises(StoppedError):
                go_on(kept, again, StoppingFiles(second, torn=second % 2 == 0))
                raise StoppedError  # it came to its end before its second death
            read_meanwhile(kept)
            go_on(kept, again)
            check_end(kept, founded, again, 2, (stop, second))
            shutil.rmtree(kept)


def test_a_disk_that_is_full_at_any_write_is_named_and_the_same_command_goes_on(
    founded: Path, tmp_path: Path, operations: int
) -> None:
    """J07: the cause is told as it is, and nothing is lost when there is room again."""

    class Full(StoppingFiles):
        def _step(self) -> bool:
            self.count += 1
            if self.count >= self.stop_at:
                raise OSError(28, "No space left on device", "somewhere")
            return False

    some = range(3, operations, max(1, operations // (60 if ALL else 8)))
    for stop, folder, model in copies(founded, tmp_path, some):
        with pytest.raises(InkosError) as raised:
            go_on(folder, model, Full(stop))
        assert raised.value.code in ("disk-full", "set-unfinished"), (stop, raised.value)
        read_meanwhile(folder)
        go_on(folder, model)
        check_end(folder, founded, model, 1, stop)
