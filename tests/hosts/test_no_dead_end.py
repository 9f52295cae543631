"""From wherever a person gets with any commands, documented commands lead back to a healthy book.

Random walks over all commands, over edits of chapters and state by hand, files put there, lost and emptied; after each
walk the book is healed by what `status`, `doctor`, `state check` and the errors themselves name. WALKS=200 walks more,
SEED=7 walks one walk again.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from inkos.hosts.cli.main import app
from tests.hosts.chapters import book_of
from tests.hosts.conftest import Shelf

WALKS = int(os.environ.get("WALKS", "4"))
SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else list(range(1, WALKS + 1))
STEPS = 10
EXITS = {0, 1, 2, 3, 4}
MINE = "# Mine\n\n" + "Ada stood at the rail. The water was high. " * 60 + "\n"


class Walker:
    """One person at one book; every command is run in this process and must end with a documented exit code."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.dice, self.trail = folder, random.Random(seed), [f"seed {seed}"]
        self.runner = CliRunner()

    def run(self, *arguments: str) -> Any:
        self.trail.append(" ".join(arguments))
        ran = self.runner.invoke(app, ["-b", "b", *arguments])
        broke = ran.exception is not None and not isinstance(ran.exception, SystemExit)
        assert not broke and ran.exit_code in EXITS, ("\n".join(self.trail), ran.exit_code, repr(ran.exception))
        return ran

    def told(self, *arguments: str) -> Any:
        ran = self.run("--json", *arguments)
        return json.loads(ran.stdout) if ran.stdout.strip() else {}

    def rows(self) -> list[Any]:
        return list(json.loads((book_of(self.folder) / "story/index.json").read_text())["chapters"])

    def position(self) -> str:
        return str(self.dice.randint(1, max(len(self.rows()), 1)))

    def file(self) -> Path:
        rows = self.rows()
        return book_of(self.folder) / (self.dice.choice(rows)["file"] if rows else "chapters/none.md")


def edit(walker: Walker) -> None:
    path = walker.file()
    walker.trail.append(f"edit {path.name}")
    if path.is_file() and path.read_text().strip():
        paragraphs = path.read_text().split("\n\n")
        del paragraphs[walker.dice.randrange(1, max(len(paragraphs), 2)) :][:1]
        path.write_text("\n\n".join([*paragraphs[:2], "The bell rang twice.", *paragraphs[3:]]) + "\n")


def lose(walker: Walker) -> None:
    path = walker.file()
    walker.trail.append(f"remove {path.name}")
    path.unlink(missing_ok=True)


def empty(walker: Walker) -> None:
    path = walker.file()
    walker.trail.append(f"empty {path.name}")
    if path.is_file():
        path.write_text("")


def insert_mine(walker: Walker) -> None:
    (walker.folder / "mine.md").write_text(MINE)
    walker.run("chapter", "insert", "--after", str(walker.dice.randint(0, len(walker.rows()))), "--file", "mine.md")


def stray(walker: Walker) -> None:
    """A file put into chapters/ by hand, and perhaps adopted."""
    path = book_of(walker.folder) / f"chapters/{walker.dice.randint(1, 9):04d}x.md"
    walker.trail.append(f"put {path.name}")
    path.write_text(MINE)
    if walker.dice.random() < 0.5:
        walker.run("chapter", "adopt", f"chapters/{path.name}", "--settle", walker.dice.choice(["none", "recent:2"]))


def edit_state(walker: Walker) -> None:
    """A promise in other words, in the file that holds the state."""
    path = book_of(walker.folder) / "story/state/hooks.json"
    walker.trail.append(f"edit {path.name}")
    text = path.read_text()
    core = next(iter(json.loads(text)["hooks"].values()))["core"]
    path.write_text(text.replace(core, core + " Or not."))


def lose_derived(walker: Walker) -> None:
    """A file that the program keeps is gone."""
    story = book_of(walker.folder) / "story"
    path = walker.dice.choice([*sorted(story.glob("snapshots/*.json")), *sorted(story.glob("state/*.json"))])
    walker.trail.append(f"remove {path.name}")
    path.unlink()


def with_last_run(*verb: str) -> Callable[[Walker], None]:
    def step(walker: Walker) -> None:
        runs = walker.told("run", "list").get("runs", [])
        if runs:
            walker.run("run", verb[0], runs[-1]["id"], *verb[1:])

    return step


def command(*words: str) -> Callable[[Walker], None]:
    """A command; N stands for some chapter."""
    return lambda walker: walker.run(*(walker.position() if word == "N" else word for word in words)) and None


MOVES: list[Callable[[Walker], None]] = [
    command("write", "next"), command("write", "next", "--budget", "3000"), command("plan"), command("draft"),
    command("audit"), command("audit", "N"), command("settle", "N"), command("settle", "N", "--erratum", "x"),
    command("write", "redo", "N"), command("write", "redo", "N", "--takes", "2", "--erratum", "x"),
    command("write", "redo", "N", "--budget", "3000"), command("write", "redo", "N", "--plan", "kept"),
    command("chapter", "pick", "N", "1"), command("chapter", "takes", "N"), command("chapter", "delete", "N"),
    command("chapter", "delete", "N", "--dry-run"), command("chapter", "move", "N", "--to", "N"),
    command("chapter", "move", "N", "--to", "N", "--erratum", "x"), command("chapter", "lock", "N"),
    command("chapter", "unlock", "N"), command("chapter", "keep", "N"), command("chapter", "undo"),
    command("chapter", "bin"), command("chapter", "diff", "N"), command("chapter", "ripple", "N"),
    command("chapter", "insert", "--after", "N", "--title", "Between"), insert_mine,
    command("entity", "rename", "Ada", "Eda"), command("entity", "rename", "Eda", "Ada", "--erratum", "x"),
    command("review", "list"), command("review", "show"), command("review", "decide", "revise"),
    command("review", "decide", "allow", "--reason", "x"), command("review", "decide", "drop"),
    command("status"), command("state", "check"), command("export", "--format", "txt"), with_last_run("cancel"),
    with_last_run("resume"), with_last_run("resume", "--accept-best"), with_last_run("show"), edit, edit, lose, empty,
    command("review", "decide", "again"), command("review", "decide", "text"), command("chapter", "adopt"), stray,
    command("chapter", "repair"), command("state", "adopt", "--reason", "x"), edit_state, lose_derived,
    command("doctor"), command("state", "replay"), command("book", "backup"),
]  # fmt: skip


def heal(walker: Walker) -> bool:
    """What a person does who reads `status` and follows what it says."""
    if walker.run("chapter", "repair").exit_code != 0:  # what `doctor` names for all that can be derived
        walker.run("state", "adopt", "--reason", "by hand")
    for _ in range(60):
        status = walker.told("status")
        run = status.get("run")
        if run is not None:
            _end(walker, run)
            continue
        broken = [p for p in status.get("problems", ()) if p["path"].startswith("chapters/")]
        if broken:
            # From the back: what follows a chapter is folded anew from the texts, so those must be there.
            _mend(walker, status, max(broken, key=lambda problem: files_in_order(walker).get(problem["path"], 0)))
            continue
        checked = walker.run("--json", "state", "check")
        if checked.exit_code == 0:
            return True
        stale = [row["position"] for row in json.loads(checked.stdout).get("stale", ())]
        if not stale:
            break
        walker.run("chapter", "keep", str(stale[0]))
    return False


def files_in_order(walker: Walker) -> dict[str, int]:
    return {row["file"]: position for position, row in enumerate(walker.rows(), 1)}


def _end(walker: Walker, run: Any) -> None:
    if run["status"] != "needs-review":
        if walker.run("run", "resume", run["id"]).exit_code not in (0, 3):
            walker.run("run", "cancel", run["id"])
    elif walker.run("review", "decide", "allow", "--reason", "it may stand").exit_code != 0:
        walker.run("review", "decide", "drop")


def _mend(walker: Walker, status: Any, problem: Any) -> None:
    files = [row["file"] for row in walker.rows()]
    if problem["path"] not in files:
        if walker.run("chapter", "adopt", problem["path"], "--settle", "none").exit_code != 0:
            (book_of(walker.folder) / problem["path"]).unlink()  # a file beside the index is the person's to take away
        return
    position = str(files.index(problem["path"]) + 1)
    if problem["kind"] == "changed" and walker.run("settle", position, "--erratum", "by hand").exit_code == 0:
        return
    if walker.told("status").get("run") is not None:
        return
    walker.run("chapter", "delete", position, "--erratum", "its text is lost")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_walk_ends_in_a_healthy_book(
    seed: int, shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.copy(5, tmp_path / "ws")
    monkeypatch.chdir(tmp_path / "ws")
    walker = Walker(tmp_path / "ws", seed)
    for _ in range(STEPS):
        walker.dice.choice(MOVES)(walker)
    assert heal(walker), "\n".join(walker.trail)
    files = {row["file"] for row in walker.rows()}
    assert all((book_of(walker.folder) / file).is_file() for file in files), "\n".join(walker.trail)
