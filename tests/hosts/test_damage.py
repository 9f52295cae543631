"""Each file of a book damaged in each way: named with its way out, mended where something else still says it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import ACTIONS, Door
from inkos.hosts import wire
from inkos.records import Record
from tests.adapters.stopping import StoppedError, StoppingFiles
from tests.chance import drawn_seed
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf

CHAPTERS = 3
SEED = drawn_seed()


@pytest.fixture(scope="module")
def written(shelf: Shelf) -> Path:
    return shelf.at(CHAPTERS)


def perform(folder: Path, name: str, **values: object) -> Record:
    """One action in this process: what the command does, without its start-up."""
    door = Door(wire.open_workspace(folder, {}), lambda event: None, lambda: False)
    return asyncio.run(ACTIONS[name].run(door, ACTIONS[name].command.model_validate({"book": "b", **values})))


def spoilt(content: bytes, how: str) -> bytes | None:
    return {"missing": None, "empty": b"", "half": content[: len(content) // 2], "binary": b"\x00\xff\xfe" * 9}[how]


DERIVED = ("story/index.json", "story/state/", "story/snapshots/", "story/pieces/", "story/revision.json")
KINDS = [
    "story/index.json", "story/revision.json", "story/state/manifest.json", "story/state/current_state.json",
    "story/state/hooks.json", "story/state/chapter_summaries.json", "story/snapshots/genesis.json",
    "story/snapshots/c0001.json", "story/snapshots/c0003.json", "story/pieces/genesis.pack", "story/pieces/c0002.pack",
    "story/pieces/c0003.pack", "story/chapters/c0002/entry.json", "chapters/0001.md", "chapters/0003.md",
]  # fmt: skip


def stable(files: dict[str, bytes]) -> dict[str, bytes]:
    """Manuscript, index, state and deltas: what must come back byte for byte. Pieces may be packed otherwise."""
    return {
        path: content for path, content in files.items()
        if (path.startswith(("chapters/", "story/index", "story/chapters/", "bible/")) and "entry.json" not in path)
        or (path.startswith("story/state/") and "current_state" not in path)
    }  # fmt: skip


@pytest.mark.parametrize("how", ["missing", "empty", "half", "binary"])
@pytest.mark.parametrize("path", KINDS)
def test_what_can_be_derived_is_named_repaired_and_the_book_is_as_before(
    written: Path, tmp_path: Path, path: str, how: str
) -> None:
    folder = tmp_path / "ws"
    shutil.copytree(written, folder)
    book = folder / "books/b"
    before = files_of(book)
    state = perform(folder, "state-show")
    if path.startswith("chapters/") and how == "half":
        pytest.skip("half a text is a text: it counts as edited by hand")
    broken = spoilt(before[path], how)
    (book / path).unlink()
    if broken is not None:
        (book / path).write_bytes(broken)
    found = perform(folder, "doctor")
    named = [damage for damage in found.damages if damage.way != "none"]  # type: ignore[attr-defined]
    if path == "story/revision.json" and how == "missing":
        assert named == [], "a lost revision is counted anew and loses nothing"
    else:
        assert named and all(damage.way in ("repair", "state") for damage in named), named
    done = perform(folder, "chapter-repair")
    assert done.left == (), done  # type: ignore[attr-defined]
    assert stable(files_of(book)) == stable(before)
    assert perform(folder, "state-show") == state
    checked = perform(folder, "state-check")
    assert checked.clean, checked  # type: ignore[attr-defined]
    assert perform(folder, "chapter-repair").mended == ()  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["missing", "empty", "half", "binary"])
def test_a_lost_delta_is_named_with_the_settlement_that_makes_it_again(
    written: Path, tmp_path: Path, how: str
) -> None:
    folder = tmp_path / "ws"
    shutil.copytree(written, folder)
    place = folder / "books/b/story/chapters/c0002/delta.json"
    broken = spoilt(place.read_bytes(), how)
    place.unlink()
    if broken is not None:
        place.write_bytes(broken)
    done = perform(folder, "chapter-repair")
    assert [(d.way, d.position) for d in done.left] == [("settle", 2)]  # type: ignore[attr-defined]
    perform(folder, "step", step="settle", chapter=2)
    assert perform(folder, "state-check").clean  # type: ignore[attr-defined]


def test_a_hole_in_the_middle_has_one_way_out(written: Path, tmp_path: Path) -> None:
    """C08: a snapshot and a summary are gone."""
    folder = tmp_path / "ws"
    shutil.copytree(written, folder)
    book = folder / "books/b"
    before = files_of(book)
    (book / "story/snapshots/c0001.json").unlink()
    place = book / "story/state/chapter_summaries.json"
    summaries = json.loads(place.read_bytes())
    del summaries["summaries"]["c0002"]
    place.write_text(json.dumps(summaries))
    ran = inkos(folder, "doctor")
    assert ran.code == 1 and "chapter repair" in ran.out
    assert inkos(folder, "chapter", "repair").code == 0
    assert stable(files_of(book)) == stable(before)
    assert inkos(folder, "state", "check").code == 0
    assert inkos(folder, "write", "next").code == 0


@pytest.mark.parametrize(
    ("path", "content", "way"),
    [("book.yaml", b"title: [", "hand"), ("bible/cast.md", b"\xff\xfe\x00", "hand"),
     ("runs/00002-c0002/run.json", b'{"id":', "cancel"), ("chapters/0000_prologue.md", b"# P\n\nBefore.\n", "adopt"),
     ("chapters/0002.md", b"# Another\n\nBy hand.\n", "settle")],
)  # fmt: skip
def test_what_is_the_authors_is_named_and_left_alone(
    written: Path, tmp_path: Path, path: str, content: bytes, way: str
) -> None:
    folder = tmp_path / "ws"
    shutil.copytree(written, folder)
    (folder / "books/b" / path).write_bytes(content)
    found = perform(folder, "doctor")
    assert [(d.path, d.way) for d in found.damages] == [(path, way)]  # type: ignore[attr-defined]
    assert (folder / "books/b" / path).read_bytes() == content
    if way == "cancel":
        assert inkos(folder, "run", "cancel", "00002-c0002").code == 0
        assert perform(folder, "doctor").damages == ()  # type: ignore[attr-defined]
        assert (folder / "books/b/runs/00002-c0002/run-damaged.json").read_bytes() == content


def test_a_torn_ledger_line_is_named_and_its_whole_records_are_read(written: Path, tmp_path: Path) -> None:
    """D08."""
    folder = tmp_path / "ws"
    shutil.copytree(written, folder)
    ledger = folder / "books/b/runs/ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes() + b'{"schema_version":1,"run":"00')
    assert inkos(folder, "write", "next").code == 0
    found = perform(folder, "doctor")
    assert [(d.path, d.way) for d in found.damages] == [("runs/ledger.jsonl", "none")]  # type: ignore[attr-defined]
    assert inkos(folder, "--json", "status").json["spend"]["calls"] == 4 * (CHAPTERS + 1)


def interrupted(written: Path, folder: Path) -> Path:
    """A deletion that was recorded and stopped before its first move, and the chapter's file saved by hand since."""
    for stop in range(1, 200):
        shutil.copytree(written, folder)
        place = folder / "books/b/chapters/0002.md"
        door = Door(wire.open_workspace(folder, {}, files=StoppingFiles(stop)), lambda event: None, lambda: False)
        with contextlib.suppress(StoppedError):
            asyncio.run(ACTIONS["chapter-delete"].run(door, ACTIONS["chapter-delete"].command(book="b", chapter=2)))  # type: ignore[call-arg]
        if (folder / "books/b/.inkos/pending.json").exists() and place.exists():
            place.write_bytes(place.read_bytes() + b"\nSaved by hand.\n")
            return place
        shutil.rmtree(folder)
    raise AssertionError("it was never stopped there")


@pytest.mark.parametrize("keep", ["disk", "set"])
def test_a_change_that_a_hand_save_collided_with_is_decided_by_the_command_that_is_named(
    written: Path, tmp_path: Path, keep: str
) -> None:
    place = interrupted(written, tmp_path / "ws")
    folder = tmp_path / "ws"
    mine = place.read_bytes()
    for command in (["write", "next"], ["chapter", "delete", "1"], ["chapter", "repair"]):
        ran = inkos(folder, *command)
        assert ran.code == 1 and "chapter repair --keep disk" in ran.err, ran
    assert place.read_bytes() == mine
    assert "chapter repair -b b --keep disk" in inkos(folder, "doctor").out
    done = inkos(folder, "--json", "chapter", "repair", "--keep", keep)
    kept = [Path(path).read_bytes() for path in done.json["kept"]]
    if keep == "set":
        assert done.code == 0 and kept == [mine] and not place.exists(), done
    else:
        assert place.read_bytes() == mine
        assert [(d["way"], d["path"]) for d in done.json["left"]] == [("adopt", "chapters/0002.md")], done
        assert inkos(folder, "chapter", "adopt", "chapters/0002.md").code == 0
    assert inkos(folder, "state", "check").code == 0
    assert inkos(folder, "write", "next").code == 0


HOWS = ("missing", "empty", "half", "binary", "folder")


def every_damage(written: Path) -> list[tuple[str, str]]:
    """Each file of the book, one chapter's standing for all, in each way that it can be damaged."""
    book = written / "books/b"
    paths = [path.relative_to(book).as_posix() for path in sorted(book.rglob("*")) if path.is_file()]
    paths = [path for path in paths if not path.startswith(".inkos/") and not any(f"c000{n}" in path for n in (1, 3))]
    every = [(path, how) for path in paths for how in HOWS]
    if os.environ.get("STOPS") == "all":
        return every
    return random.Random(SEED).sample(every, 8)


def damage(place: Path, how: str) -> None:
    content = place.read_bytes()
    place.unlink()
    if how == "folder":
        place.mkdir()  # what the system refuses to read, whoever asks
    elif (broken := spoilt(content, how)) is not None:
        place.write_bytes(broken)


def put_back(place: Path, content: bytes) -> None:
    """What `backup` and `hand` mean."""
    if place.is_dir():
        place.rmdir()
    place.write_bytes(content)


def test_any_file_damaged_in_any_way_has_a_way_out_that_works(written: Path, tmp_path: Path) -> None:
    """SEED=7 draws the same files again; STOPS=all takes every one."""
    for path, how in every_damage(written):
        folder = tmp_path / "ws"
        shutil.copytree(written, folder)
        place, moment = folder / "books/b" / path, (f"SEED={SEED}", path, how)
        before = place.read_bytes()
        damage(place, how)
        for _ in range(4):
            found = [d for d in perform(folder, "doctor").damages if d.way != "none"]  # type: ignore[attr-defined]
            if not found:
                break
            take_way(folder, found[0], before if found[0].path == path else None, moment)
        assert found == [], (moment, found)
        assert perform(folder, "state-check").clean, moment  # type: ignore[attr-defined]
        if path != "outline.md":  # an outline that ends says so, and what to do
            assert perform(folder, "step", step="plan", plan_from="outline").stage == "draft", moment  # type: ignore[attr-defined]
        shutil.rmtree(folder)


def take_way(folder: Path, damage: Any, before: bytes | None, moment: object) -> None:
    if damage.way == "repair":
        perform(folder, "chapter-repair")
    elif damage.way == "settle":
        settled = perform(folder, "step", step="settle", chapter=damage.position)
        if settled.status == "needs-review":  # type: ignore[attr-defined]
            # half a chapter may contradict the others: whoever asked for it decides
            perform(folder, "review-decide", way="allow", reason="so it stands")
    elif damage.way == "cancel":
        perform(folder, "run-cancel", run=damage.run)
    elif damage.way == "state":
        perform(folder, "state-adopt", reason="so it is")
    else:
        assert damage.way in ("backup", "hand", "free") and before is not None, (moment, damage)
        put_back(folder / "books/b" / damage.path, before)
