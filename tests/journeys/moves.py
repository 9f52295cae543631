"""Every move on a book that touches several files, what stands before it, and how it is gone on with; itself no test.

A move is performed through the action table. What it needs before it (a base) is made once and copied; the replies
that an undisturbed course needs are on its tape. What a person does after a stop stands in `go_on`, and nowhere else:
an open run is resumed, what is done is left alone, and everything else is told again by the same command.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from inkos.actions import ACTIONS, Door
from inkos.actions.chapter_run import open_run
from inkos.adapters.cassette import Recording, Replaying
from inkos.adapters.disk import Files
from inkos.adapters.file_set import PRIVATE
from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.hosts import wire
from inkos.ports import ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.journeys.example_books import NOON
from tests.runs.fakes import FakeClock

UNSYNCED = Files(durable=False)
OF_PROCESSES = ("revision.json", "audit.json", "lock", "books.lock", "holder.json")
CHAPTERS = 2
AUTHOR = (PlannedFault(position=2, kind="contradict"),)  # it is found, and mended in one revision
SERIAL = {"1.txt": b"Chapter 1: The Weir\r\n\r\nMara came back to the weir before light.\r\nThe gate was down.\r\n",
          "2.md": b"# The ferry\n\nJory rowed across with the letter.\n\n\nNobody spoke.   \n"}  # fmt: skip


class Move(NamedTuple):
    """`base` names what stands before it. `done`: whether a book shows that it happened; null: to tell it again does no
    harm. `resumed`: an open run of it goes on by `run resume` (otherwise by the same command)."""

    action: str
    values: Mapping[str, Any]
    base: str = "two"
    done: Callable[[Path], bool] | None = None
    resumed: bool = True
    book: str = "b"


def has(path: str) -> Callable[[Path], bool]:
    """Whether the book shows this file; a change that is recorded shows, moved into place or not."""
    return lambda folder: wire.open_workspace(folder, {}).store("b").file(path) is not None


def in_bin(number: int) -> Callable[[Path], bool]:
    return has(f".inkos/bin/m{number:04d}.json")


def has_book(name: str) -> Callable[[Path], bool]:
    return lambda folder: (folder / f"books/{name}/book.yaml").is_file()


MOVES: dict[str, Move] = {
    "write": Move("write-next", {"until": CHAPTERS}, "founded", resumed=False),
    "redo": Move("write-redo", {"chapter": 1}, done=in_bin(1)),
    "takes": Move("write-redo", {"chapter": 1, "takes": 2}, done=in_bin(1), resumed=False),
    "pick": Move("chapter-pick", {"chapter": 1, "take": 1}, "takes", done=in_bin(2)),
    "insert": Move("chapter-insert", {"after": 1, "title": "Between", "steer": "Ada waits."}, done=in_bin(1)),
    "settle": Move("step", {"step": "settle", "chapter": 1}, "edited", done=in_bin(1)),
    "audit": Move("step", {"step": "audit", "chapter": 1}, done=has("story/chapters/c0001/audit.json"), resumed=False),
    "delete": Move("chapter-delete", {"chapter": 1}, done=in_bin(1)),
    "move": Move("chapter-move", {"chapter": 2, "to": 1}, done=in_bin(1)),
    "undo": Move("chapter-undo", {}, "deleted", done=in_bin(2)),
    "keep": Move("chapter-keep", {"chapter": 2}, "moved", done=in_bin(2)),
    "lock": Move("chapter-lock", {"chapter": 1, "locked": True}),
    "publish": Move("chapter-publish", {"first": 1, "last": 1, "site": "example"}),
    "rename": Move("entity-rename", {"old": "Ada", "new": "Eda"}, done=in_bin(1)),
    "decide": Move("review-decide", {"way": "allow", "reason": "it may stand"}, "review",
                   done=has("chapters/0003.md")),
    "adopt": Move("chapter-adopt", {"paths": ("serial",), "settle": "all"}, "serial", resumed=False),
    "state-adopt": Move("state-adopt", {"reason": "so it is"}, "state-edited",
                        done=has("story/chapters/c0002/author-1.json")),
    "repair": Move("chapter-repair", {}, "holes"),
    "create": Move("book-create", {"name": "b", "brief": wire.demo_brief("en"), "language": "en", "length": 300,
                                   "chapters": 12}, "empty", done=has_book("b"), resumed=False),
    "replace": Move("book-restore", {"source": "backups/b.zip", "replace": True}, "backed",
                    done=has("chapters/0002.md")),
    "delete-book": Move("book-delete", {"sure": True}, done=lambda folder: not has_book("b")(folder)),
    "bring-back": Move("book-restore", {"source": "b"}, "thrown", done=has_book("b")),
    "rename-book": Move("book-rename", {"name": "c"}, done=has_book("c"), book="c"),
}  # fmt: skip
# The moves on chapters that leave something in the bin: undoing them must bring everything back.
UNDONE = ("redo", "insert", "delete", "move", "settle", "rename")


class Paying:
    """A model that counts what was asked of it, by the request's own words; it may die before or after an answer."""

    def __init__(self, inner: ModelPort) -> None:
        self.inner, self.paid = inner, Counter[str]()
        self.stop: Callable[[str], None] = lambda moment: None

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.stop("before call")
        self.paid[repr([(m.role, m.text) for m in request.messages])] += 1
        reply = await self.inner.complete(request, on_text)
        self.stop("after call")
        return reply


def door(folder: Path, model: ModelPort, files: Files | None = None) -> Door:
    workspace = wire.open_workspace(folder, {}, offline=model, clock=FakeClock(NOON), files=files or UNSYNCED)
    return Door(workspace, lambda event: None, lambda: False)


def perform(move: Move, folder: Path, model: ModelPort, files: Files | None = None, at: Door | None = None) -> Any:
    """The move as one process does it."""
    known = ACTIONS[move.action]
    told: dict[str, Any] = dict(move.values)
    if "book" in known.command.model_fields:
        told["book"] = "b"
    if "source" in told and "/" in told["source"]:
        told["source"] = str(folder / told["source"])
    if "paths" in told:
        told["paths"] = tuple(str(folder / path) for path in told["paths"])
    return asyncio.run(known.run(at or door(folder, model, files), known.command.model_validate(told)))


def go_on(move: Move, folder: Path, model: ModelPort, files: Files | None = None) -> None:
    """What a person does after a stop."""
    if has_book("b")(folder):
        here = door(folder, model, files)
        run = open_run(here.workspace.runs("b"))
        if run is not None and run.status != "needs-review" and move.resumed:
            asyncio.run(ACTIONS["run-resume"].run(here, ACTIONS["run-resume"].command(book="b", run=run.id)))  # type: ignore[call-arg]
            return
    if move.done is None or not move.done(folder):
        perform(move, folder, model, files)
    elif has_book(move.book)(folder):
        with door(folder, model, files).workspace.store(move.book).hold("look"):
            pass  # whatever a person writes next finishes a change that is recorded


def canon(folder: Path) -> dict[str, bytes]:
    """What the workspace's books are, their bins included; left out is what counts processes (revision, tokens,
    attempts) and the paths of this machine."""
    kept: dict[str, bytes] = {}
    for root in (folder / "books", folder / PRIVATE / "bin"):
        for path in sorted(root.rglob("*")):
            parts = path.relative_to(folder).parts
            private = PRIVATE in parts[2:] and "bin" not in parts
            if path.is_file() and not private and "runs" not in parts and path.name not in OF_PROCESSES:
                kept["/".join(parts)] = path.read_bytes()
    return kept


class Yard:
    """Bases, tapes and undisturbed ends, each made when it is first asked for. `needs`: what those asked a model."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.needs = folder, dict[str, Paying]()

    def base(self, name: str) -> Path:
        place = self.folder / "bases" / name
        if not place.exists():
            made = self.folder / "making" / name
            getattr(self, f"_{name.replace('-', '_')}")(made)
            place.parent.mkdir(parents=True, exist_ok=True)
            made.rename(place)
        return place

    def whole(self, name: str) -> Path:
        """The workspace after the move was made without any stop; its tape lies beside it."""
        place = self.folder / "whole" / name
        if not place.exists():
            move = MOVES[name]
            made = self._copy(move.base, self.folder / "making" / f"whole-{name}")
            tape = Recording(OfflineAuthor(faults=AUTHOR))
            self.needs[name] = Paying(tape)
            perform(move, made, self.needs[name])
            tape.save(self.folder / f"{name}.tape")
            place.parent.mkdir(parents=True, exist_ok=True)
            made.rename(place)
        return place

    def model(self, name: str) -> Paying:
        self.whole(name)
        return Paying(Replaying(self.folder / f"{name}.tape"))

    def before(self, name: str, folder: Path) -> Path:
        """A copy of what stands before a move."""
        return self._copy(MOVES[name].base, folder)

    def _copy(self, base: str, folder: Path) -> Path:
        shutil.copytree(self.base(base), folder)
        return folder

    def _make(self, name: str, folder: Path, base: str) -> Path:
        move = Move(*MOVES[name][:2], base)
        perform(move, self._copy(base, folder), OfflineAuthor(faults=AUTHOR))
        return folder / "books/b"

    def _empty(self, folder: Path) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        wire.make_workspace(folder, wire.rehearsal_config("en"))

    def _founded(self, folder: Path) -> None:
        self._make("create", folder, "empty")

    def _two(self, folder: Path) -> None:
        book = self._make("write", folder, "founded")
        rows = json.loads((book / "story/index.json").read_bytes())["chapters"]
        runs = [json.loads(path.read_bytes())["machine"] for path in sorted(book.glob("runs/*/run.json"))]
        assert len(rows) == CHAPTERS and [run["rounds_used"] for run in runs] == [0, 1], "the second one is revised"

    def _takes(self, folder: Path) -> None:
        self._make("takes", folder, "two")

    def _deleted(self, folder: Path) -> None:
        self._make("delete", folder, "two")

    def _moved(self, folder: Path) -> None:
        self._make("move", folder, "two")

    def _thrown(self, folder: Path) -> None:
        self._make("delete-book", folder, "two")

    def _edited(self, folder: Path) -> None:
        path = self._copy("two", folder) / "books/b/chapters/0001.md"
        path.write_bytes(path.read_bytes() + b"\nThe bell rang twice.\n")

    def _review(self, folder: Path) -> None:
        config = self._copy("two", folder) / "books/b/book.yaml"
        strict = "gate: {rounds: 0, pass_score: 100, on_low_score: hold}\n"
        config.write_text(config.read_text(encoding="utf-8") + strict, encoding="utf-8")
        done = perform(Move("write-next", {}), folder, OfflineAuthor(faults=AUTHOR))
        assert done.stopped == "needs-review"

    def _serial(self, folder: Path) -> None:
        serial = self._copy("founded", folder) / "serial"
        serial.mkdir()
        for name, content in SERIAL.items():
            (serial / name).write_bytes(content)

    def _state_edited(self, folder: Path) -> None:
        place = self._copy("two", folder) / "books/b/story/state/hooks.json"
        text = place.read_text(encoding="utf-8")
        core = next(iter(json.loads(text)["hooks"].values()))["core"]
        place.write_text(text.replace(core, core + " Or not."), encoding="utf-8")

    def _holes(self, folder: Path) -> None:
        story = self._copy("two", folder) / "books/b/story"
        (story / "snapshots/c0001.json").unlink()
        (story / "state/current_state.json").write_bytes(b"{")

    def _backed(self, folder: Path) -> None:
        self._copy("two", folder)
        perform(Move("book-backup", {}), folder, OfflineAuthor())
        perform(Move("chapter-delete", {"chapter": 2}), folder, OfflineAuthor())
