"""The generated crash suite: every move of tests/journeys/moves.py, stopped at every touch of the world.

Two levels, because each finds what the other misses: at the ports (every write of a run, every commit, every model
call), and at the single operations of the disk (write, rename, remove, sync, make a folder), each done by half or not
at all. After each stop the book is opened again as a new process would, and goes on; the final files equal those of an
undisturbed course, undoing the move gives what was before it, and no reply is paid twice except those in flight.

`STOPS=all` takes every touch and every operation (`make soak`); the default draws a few, whose seed is printed with a
failure; SEED=7 draws the same ones again.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from inkos.errors import InkosError
from inkos.hosts import wire
from tests.adapters.stopping import StoppedError, StoppingFiles
from tests.chance import drawn_seed
from tests.journeys.invariants import check_whole
from tests.journeys.moves import MOVES, UNDONE, UNSYNCED, Paying, Yard, canon, door, go_on, has_book, perform

ALL = os.environ.get("STOPS") == "all"
SEED = drawn_seed()
PARTS = 4 if ALL else 1  # tests that the stops of one move are shared among
RECOVERY_REACHES = 30  # operations of a second process, within which it is stopped


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return Yard(tmp_path_factory.mktemp("yard"))


def drawn(name: str, what: str, count: int, part: int = 0) -> list[int]:
    """Numbers from 1 to `count`: all of this part, or one."""
    if ALL:
        return list(range(1 + part, count + 1, PARTS))
    return [random.Random(f"{SEED} {name} {what}").randint(1, count)]


def copies(yard: Yard, name: str, folder: Path, numbers: Iterable[int]) -> Iterator[tuple[int, Path, Paying]]:
    """For each number what stands before the move, anew, and a model that has been asked nothing yet."""
    for number in numbers:
        yield number, yard.before(name, folder / "ws"), yard.model(name)
        shutil.rmtree(folder / "ws")


def check_end(yard: Yard, name: str, folder: Path, model: Paying, stops: int, moment: object) -> None:
    moment = (f"SEED={SEED}", name, moment)
    move, expected = MOVES[name], canon(yard.whole(name))
    there = canon(folder)
    assert sorted(there) == sorted(expected), (moment, set(there) ^ set(expected))
    assert [path for path in expected if there[path] != expected[path]] == [], moment
    twice = model.paid - yard.needs[name].paid
    assert twice.total() <= 2 * stops and max(twice.values(), default=0) <= stops, (moment, twice.total())
    left = [p for p in (folder / "books").rglob("*")
            if p.name == "pending.json" or p.name.startswith((".new-", ".ready-"))
            or (p.name.endswith(".new") and "runs" not in p.parts)]  # fmt: skip
    assert left == [], moment  # a run that ended keeps what its last save left half written; nobody reads such a name
    if has_book(move.book)(folder):
        check_whole(folder, move.book)
    if name in UNDONE:
        perform(MOVES["undo"], folder, model)
        assert brought_back(canon(folder)) == brought_back(canon(yard.base(move.base))), moment


def brought_back(files: dict[str, bytes]) -> dict[str, bytes]:
    """What undoing brings back byte for byte: the manuscript and its papers; states and entries are written anew."""
    return {path: content for path, content in files.items() if "/chapters/" in path and "/.inkos/" not in path
            and not path.endswith(("entry.json", "delta.json"))}  # fmt: skip


def read_meanwhile(name: str, folder: Path) -> None:
    """Before anybody recovers anything, a reader finds a whole book: text, index, state of one chapter."""
    if MOVES[name].base in ("holes", "state-edited"):
        return
    workspace = wire.open_workspace(folder, {})
    for book in workspace.books():
        read = workspace.store(book).read()
        assert read.state.last_applied_chapter == len(read.index.chapters) == len(read.recent)


# ── at the ports ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Moments:
    """Counts the touches of ports; the one with the number asked for ends the program."""

    def __init__(self, at: int) -> None:
        self.at, self.seen, self.told, self.dead = at, 0, "", False

    def __call__(self, moment: str) -> None:
        if self.dead:
            raise StoppedError
        self.seen += 1
        if self.seen == self.at:
            self.told, self.dead = moment, True
            raise StoppedError


class StoppingPort:
    """A port that dies before or after any write; ports that it hands out die likewise."""

    WRITES = frozenset({"save", "put", "append_ledger", "commit", "accept", "rewrite", "adopt", "hold", "create",
                        "restore", "settle", "let_stand", "delete", "rename", "bring_back"})  # fmt: skip

    def __init__(self, inner: Any, stop: Moments) -> None:
        self._inner, self._stop = inner, stop

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name == "moves":
            return StoppingPort(found, self._stop)
        if name in ("runs", "store", "mender"):
            return lambda book: StoppingPort(found(book), self._stop)
        if name not in self.WRITES:
            return found

        def stopping(*values: Any, **named: Any) -> Any:
            self._stop(f"before {name}")
            result = found(*values, **named)
            self._stop(f"after {name}")
            return result

        return stopping


def stopped_at_port(name: str, folder: Path, model: Paying, at: int) -> Moments:
    """One process, stopped at the touch with this number, or not at all when there is no such touch."""
    moments = Moments(at)
    model.stop = moments
    here = door(folder, model, UNSYNCED)
    stopping: Any = StoppingPort(here.workspace, moments)
    with contextlib.suppress(StoppedError):
        perform(MOVES[name], folder, model, at=type(here)(stopping, here.emit, here.stopped))
    model.stop = lambda moment: None
    return moments


@pytest.fixture(scope="module")
def touches(yard: Yard, tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, int]]:
    """How many touches of ports, and operations of the disk, each move takes; counted when first asked for."""

    class Counts(dict[str, tuple[int, int]]):
        def __missing__(self, name: str) -> tuple[int, int]:
            folder = tmp_path_factory.mktemp("count")
            ports = stopped_at_port(name, yard.before(name, folder / "ports"), yard.model(name), 10**9).seen
            disk = StoppingFiles()
            perform(MOVES[name], yard.before(name, folder / "disk"), yard.model(name), disk)
            self[name] = ports, disk.count
            return self[name]

    return Counts()


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", MOVES)
def test_stopped_at_a_touch_of_a_port_a_move_ends_as_if_undisturbed(
    yard: Yard, touches: dict[str, tuple[int, int]], tmp_path: Path, name: str, part: int
) -> None:
    seen: Counter[str] = Counter()
    for at, folder, model in copies(yard, name, tmp_path, drawn(name, "ports", touches[name][0], part)):
        moments = stopped_at_port(name, folder, model, at)
        assert moments.dead
        seen[moments.told] += 1
        read_meanwhile(name, folder)
        go_on(MOVES[name], folder, model)
        check_end(yard, name, folder, model, 1, (at, moments.told))


# ── at the operations of the disk ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", MOVES)
def test_stopped_at_an_operation_of_the_disk_a_move_ends_as_if_undisturbed(
    yard: Yard, touches: dict[str, tuple[int, int]], tmp_path: Path, name: str, part: int
) -> None:
    torn = random.Random(f"{SEED} {name}").random() < 0.5
    for half in (False, True) if ALL else (torn,):
        for stop, folder, model in copies(yard, name, tmp_path, drawn(name, "disk", touches[name][1], part)):
            with pytest.raises(StoppedError):
                perform(MOVES[name], folder, model, StoppingFiles(stop, torn=half))
            read_meanwhile(name, folder)
            go_on(MOVES[name], folder, model)
            check_end(yard, name, folder, model, 1, (stop, half))


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", MOVES)
def test_recovery_itself_stopped_anywhere_is_recovered(
    yard: Yard, touches: dict[str, tuple[int, int]], tmp_path: Path, name: str, part: int
) -> None:
    """The second process dies within its first operations: taking over, finishing the set, settling what is unknown."""
    chance = random.Random(f"{SEED} {name}")
    for stop, folder, model in copies(yard, name, tmp_path, drawn(name, "recovery", touches[name][1], part)):
        with pytest.raises(StoppedError):
            perform(MOVES[name], folder, model, StoppingFiles(stop))
        second = chance.randint(1, RECOVERY_REACHES)
        with contextlib.suppress(StoppedError):  # or it comes to its end before its second death
            go_on(MOVES[name], folder, model, StoppingFiles(second, torn=chance.random() < 0.5))
        read_meanwhile(name, folder)
        go_on(MOVES[name], folder, model)
        check_end(yard, name, folder, model, 2, (stop, second))


class Full(StoppingFiles):
    """A disk without room from an operation on."""

    def _step(self) -> bool:
        self.count += 1
        if self.count >= self.stop_at:
            raise OSError(28, "No space left on device", "somewhere")
        return False


@pytest.mark.parametrize("name", MOVES)
def test_a_disk_that_is_full_at_any_write_is_named_and_the_same_command_goes_on(
    yard: Yard, touches: dict[str, tuple[int, int]], tmp_path: Path, name: str
) -> None:
    """J07: the cause is told as it is, and nothing is lost when there is room again."""
    numbers = drawn(name, "full", touches[name][1])
    for stop, folder, model in copies(yard, name, tmp_path, numbers[:: max(1, len(numbers) // 40)]):
        try:
            perform(MOVES[name], folder, model, Full(stop))
        except InkosError as error:
            assert error.code in ("disk-full", "set-unfinished"), (stop, error)
        read_meanwhile(name, folder)
        go_on(MOVES[name], folder, model)
        check_end(yard, name, folder, model, 1, stop)


def test_the_moves_of_the_list_are_all_that_write_more_than_one_file() -> None:
    """A new action that changes a book comes into the list, or is named here with the reason why it need not."""
    from inkos.actions import ACTIONS

    alone = {
        "config-set": "one file", "style-learn": "one file", "outline-extend": "one file",
        "export": "a copy, nothing of the book",
        "book-backup": "one file, verified", "demo": "book-create and write-next", "review-add": "one file",
        "review-answer": "its ways are moves of their own", "run-resume": "how every open run of the list goes on",
        "run-cancel": "one file", "doctor": "writes nothing", "model-test": "writes no book",
        "model-canary": "writes no book", "eval-judge": "writes no book", "prompt-eject": "one file",
        "chapter-errata": "one file",
        "batch-run": "chapters are write-next", "batch-worker": "chapters are write-next",
        "batch-control": "the batch's own database", "batch-openings": "books are book-create and write-next",
        "review-table": "a copy, nothing of the book", "review-decide-table": "each of its rows is review-decide",
    }  # fmt: skip
    writing = {name for name, action in ACTIONS.items() if action.risk != "reads"}
    assert writing - set(alone) == {move.action for move in MOVES.values()}
