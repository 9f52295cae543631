"""Real processes that are killed with SIGKILL, forked from one that has imported the program; itself no test."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import random
import sys
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from inkos.actions import ACTIONS, Door
from inkos.errors import InkosError, UsageFault
from inkos.hosts import wire
from inkos.kernel.book import ChapterEntry

MOST = 8  # chapters that a random walk lets a book grow to
BUG = "bug.txt"


def started(target: Callable[..., None], *arguments: Any) -> Any:
    """A process of its own that has begun to run `target`. It is forked from one that has imported what this one has,
    so that its time goes into its work."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([name for name in sys.modules if name.startswith(("inkos.", "tests.journeys."))])
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_begin, args=(writing, target, *arguments))
    process.start()
    reading.recv()
    return process


def _begin(writing: Connection, target: Callable[..., None], *arguments: Any) -> None:
    writing.send("begun")
    target(*arguments)


def perform(folder: Path, action: str, **values: Any) -> Any:
    """One action as a process of its own performs it, on a disk that is synced."""
    door = Door(wire.open_workspace(folder, {}), lambda event: None, lambda: False)
    return asyncio.run(ACTIONS[action].run(door, ACTIONS[action].command.model_validate(values)))


def write(folder: Path, until: int) -> None:
    """`inkos write next --until N`."""
    with contextlib.suppress(InkosError):
        perform(folder, "write-next", book="b", until=until)


def walk(folder: Path, seed: str) -> None:
    """Random moves on the book until somebody ends it; what is no refusal of the program is written to bug.txt."""
    dice = random.Random(seed)
    while True:
        name = dice.choice(list(MOVES))
        try:
            MOVES[name](folder, dice)
        except (InkosError, UsageFault):
            pass  # refused, with its reason
        except Exception:
            (folder / BUG).write_text(f"{seed} {name}\n{traceback.format_exc()}", encoding="utf-8")
            raise


def rows(folder: Path) -> tuple[ChapterEntry, ...]:
    return wire.open_workspace(folder, {}).store("b").index().chapters


def some(folder: Path, dice: random.Random) -> int:
    return dice.randint(1, max(1, len(rows(folder))))


def of_chapter(action: str, **values: Any) -> Callable[[Path, random.Random], None]:
    """A move on some chapter, with a reason in case that it is locked."""

    def move(folder: Path, dice: random.Random) -> None:
        told = {key: value(folder, dice) if callable(value) else value for key, value in values.items()}
        perform(folder, action, book="b", chapter=some(folder, dice), **told)

    return move


def of_book(action: str, **values: Any) -> Callable[[Path, random.Random], None]:
    return lambda folder, dice: perform(folder, action, book="b", **values)


def grow(folder: Path, dice: random.Random) -> None:
    """The next chapter, or one less where there are many."""
    if len(rows(folder)) < MOST:
        perform(folder, "write-next", book="b")
    else:
        perform(folder, "chapter-delete", book="b", chapter=some(folder, dice), erratum="too many")


def insert(folder: Path, dice: random.Random) -> None:
    text = "# Mine\n\n" + "Ada stood at the rail. The water was high. " * 9 + "\n" if dice.random() < 0.5 else ""
    if len(rows(folder)) < MOST:
        perform(folder, "chapter-insert", book="b", after=some(folder, dice) - 1, title="Between", text=text)


def end_run(folder: Path, dice: random.Random) -> None:
    """The open run is gone on with, or given up."""
    run = perform(folder, "status", book="b").run
    if run is not None:
        perform(folder, dice.choice(["run-resume", "run-cancel"]), book="b", run=run.id)


MOVES: dict[str, Callable[[Path, random.Random], None]] = {
    "grow": grow, "grow more": grow, "insert": insert, "end run": end_run, "end it": end_run, "end": end_run,
    "redo": of_chapter("write-redo", erratum="x"), "takes": of_chapter("write-redo", takes=2, erratum="x"),
    "kept": of_chapter("write-redo", plan_from="kept"), "pick": of_chapter("chapter-pick", take=1, erratum="x"),
    "delete": of_chapter("chapter-delete"), "move": of_chapter("chapter-move", to=some, erratum="x"),
    "lock": of_chapter("chapter-lock", locked=True), "unlock": of_chapter("chapter-lock", locked=False),
    "keep": of_chapter("chapter-keep"), "settle": of_chapter("step", step="settle", erratum="x"),
    "audit": of_chapter("step", step="audit"), "undo": of_book("chapter-undo", erratum="x"),
    "plan": of_book("step", step="plan"), "rename": of_book("entity-rename", old="Ada", new="Eda", erratum="x"),
    "back": of_book("entity-rename", old="Eda", new="Ada", erratum="x"),
    "allow": of_book("review-decide", way="allow", reason="x"), "drop": of_book("review-decide", way="drop"),
    "repair": of_book("chapter-repair"), "backup": of_book("book-backup"),
}  # fmt: skip
