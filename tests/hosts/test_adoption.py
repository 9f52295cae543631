"""A running serial comes in: order shown first, bytes kept, the recent chapters settled, the rest on demand."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import ACTIONS, Door
from inkos.actions.adoption import natural
from inkos.errors import BudgetSpent
from inkos.hosts import wire
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf

# Written by nobody's program: other headings, line ends, marks and endings.
TEXTS = {
    "2.txt": b"Chapter 2: The Weir\r\n\r\nMara came back to the weir before light.\r\nThe gate was down again.\r\n",
    "10.md": "\ufeff# The ferry\n\nJory rowed across with the letter.\n\n\nNobody spoke.   \n".encode(),
    "1 - first night.md": b"Mara lit the lamp at dusk.\n\n\"Not tonight,\" she said.\n",
}
ORDER = ["1 - first night.md", "2.txt", "10.md"]


@pytest.fixture
def folder(shelf: Shelf, tmp_path: Path) -> Path:
    shelf.copy(0, tmp_path / "ws")
    serial = tmp_path / "ws/serial"
    serial.mkdir()
    for name, content in TEXTS.items():
        (serial / name).write_bytes(content)
    return tmp_path / "ws"


def perform(folder: Path, name: str, **values: object) -> Any:
    door = Door(wire.open_workspace(folder, {}), lambda event: None, lambda: False)
    return asyncio.run(ACTIONS[name].run(door, ACTIONS[name].command.model_validate({"book": "b", **values})))


def test_names_are_ordered_as_people_count() -> None:
    for names in (["ch9.md", "ch10.md", "ch010b.md"], ["第二章.md", "第九章.txt", "第十章.txt", "第一百零二章.md"],
                  ["0001.md", "0002.md", "0002a.md", "0010.md"], ["卷1 第9章.md", "卷1 第10章.md", "卷2 第1章.md"]):
        turned = list(reversed(names))
        assert sorted(turned, key=natural) == names


def test_the_order_is_shown_before_anything_is_written(folder: Path) -> None:
    before = files_of(folder / "books/b")
    ran = inkos(folder, "--json", "chapter", "adopt", "serial", "--dry-run")
    assert ran.code == 0, ran.err
    assert [Path(row["source"]).name for row in ran.json["files"]] == ORDER
    assert [row["title"] for row in ran.json["files"]] == ["first night", "The Weir", "The ferry"]
    assert files_of(folder / "books/b") == before


def test_texts_come_in_byte_for_byte_and_are_settled_and_writing_goes_on(folder: Path) -> None:
    bible = files_of(folder / "books/b/bible")
    ran = inkos(folder, "--json", "chapter", "adopt", "serial", "--settle", "all")
    assert ran.code == 0, ran
    assert ran.json["settled"] == [1, 2, 3] and ran.json["unsettled"] == [] and ran.json["flagged"] == []
    chapters = files_of(folder / "books/b/chapters")
    assert [chapters[name] for name in sorted(chapters)] == [TEXTS[name] for name in ORDER]
    assert files_of(folder / "books/b/bible") == bible
    assert inkos(folder, "state", "check").code == 0
    assert inkos(folder, "--json", "audit", "2").code == 0, "a chapter without a plan can be judged"
    status = inkos(folder, "--json", "status").json
    assert status["problems"] == [] and status["next_position"] == 4
    assert inkos(folder, "write", "next").code == 0
    exported = inkos(folder, "export", "--format", "txt", "-o", "out.txt")
    assert exported.code == 0 and (folder / "out.txt").read_text().count("The Weir") == 1, "a heading is no prose"


def test_without_settling_the_texts_stand_and_later_ones_are_settled_on_demand(folder: Path) -> None:
    ran = inkos(folder, "--json", "chapter", "adopt", "serial", "--settle", "none")
    assert ran.code == 0 and ran.json["unsettled"] == [1, 2, 3] and ran.json["tokens"] == 0, ran
    assert inkos(folder, "state", "check").code == 0
    assert inkos(folder, "--json", "settle", "2").code == 0
    assert inkos(folder, "--json", "chapter", "adopt", "--settle", "recent:1").json["unsettled"] == [1]
    again = inkos(folder, "--json", "chapter", "adopt", "serial", "--settle", "none").json
    assert [row["known"] for row in again["files"]] == [True, True, True], "nothing comes in twice"
    assert len(inkos(folder, "--json", "status").json["chapters"]) == 3


def test_settling_keeps_to_its_budget_and_the_same_command_goes_on(folder: Path) -> None:
    with pytest.raises(BudgetSpent) as spent:
        perform(folder, "chapter-adopt", paths=("serial",), settle="all", tokens=1)
    assert spent.value.values["left"] == 2
    done = perform(folder, "chapter-adopt", paths=("serial",), settle="all")
    assert done.settled == (2, 3) and done.unsettled == ()
    assert perform(folder, "state-check").clean


def test_a_file_that_lies_in_chapters_already_is_adopted_where_its_name_belongs(folder: Path) -> None:
    """C06: one command, and it is the one that doctor names."""
    assert inkos(folder, "write", "next").code == 0
    extra = folder / "books/b/chapters/0000_prologue.md"
    extra.write_bytes(b"# Prologue\n\nBefore it all.\n")
    assert "chapter adopt chapters/0000_prologue.md" in inkos(folder, "doctor").out
    assert inkos(folder, "chapter", "adopt", "chapters/0000_prologue.md").code == 0
    status = inkos(folder, "--json", "status").json
    assert status["chapters"][0]["title"] == "Prologue" and len(status["chapters"]) == 2
    assert status["problems"] == [] and extra.read_bytes() == b"# Prologue\n\nBefore it all.\n"
    assert inkos(folder, "state", "check").code == 0
    exported = inkos(folder, "--json", "export", "--format", "md")
    assert exported.json["chapters"] == 2


def test_adopted_chapters_can_be_taken_back(folder: Path) -> None:
    assert inkos(folder, "chapter", "adopt", "serial", "--settle", "none").code == 0
    assert inkos(folder, "chapter", "undo").code == 0
    assert inkos(folder, "--json", "status").json["chapters"] == []
    assert inkos(folder, "state", "check").code == 0


@pytest.mark.parametrize("arguments", [("nowhere",), ("serial", "--settle", "some"), ("serial", "--after", "7")])
def test_what_cannot_be_is_refused_and_nothing_is_written(folder: Path, arguments: tuple[str, ...]) -> None:
    before = files_of(folder / "books/b/story")
    assert inkos(folder, "chapter", "adopt", *arguments).code == 2
    assert files_of(folder / "books/b/story") == before


def test_a_copy_of_a_chapter_that_lies_in_chapters_is_adopted_as_the_damage_says(folder: Path) -> None:
    """What `doctor` names as the way out leads out."""
    assert inkos(folder, "chapter", "adopt", "serial", "--settle", "none").code == 0
    copy = folder / "books/b/chapters/0002x.md"
    copy.write_bytes(TEXTS["2.txt"])
    assert inkos(folder, "chapter", "adopt", "chapters/0002x.md", "--settle", "none").code == 0
    assert inkos(folder, "--json", "status").json["problems"] == []
