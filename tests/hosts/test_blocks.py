"""`inkos eval blocks`: chapters stopped for nothing are counted from what people decided, and from second looks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import ACTIONS, Door
from inkos.adapters.offline import OfflineAuthor, PlannedFault
from inkos.hosts import wire
from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf


def perform(folder: Path, name: str, **command: Any) -> Any:
    author = OfflineAuthor(faults=(PlannedFault(position=1, kind="contradict"),))
    door = Door(wire.open_workspace(folder, {}, offline=author), lambda event: None, lambda: False)
    verb = ACTIONS[name]
    return asyncio.run(verb.run(door, verb.command.model_validate({"book": "b", **command})))


@pytest.mark.parametrize(("way", "counted"), [("allow", "false"), ("drop", "right"), ("", "open")])
def test_what_a_person_decides_says_whether_a_chapter_was_stopped_for_nothing(
    shelf: Shelf, tmp_path: Path, way: str, counted: str
) -> None:
    folder = shelf.copy(0, tmp_path / "w")
    with (folder / "books/b/book.yaml").open("a", encoding="utf-8") as file:
        file.write("gate: {rounds: 0}\n")
    outcome = perform(folder, "write-next").chapters[0]
    assert outcome.status == "needs-review"
    if way:
        perform(folder, "review-decide", way=way, reason="so it is")
    total = perform(folder, "eval-blocks").total
    assert (total.claimed, total.withdrawn, total.stopped) == (1, 0, 1), "the settler stood by it: cause text"
    assert {name: getattr(total, name) for name in ("false", "right", "open")} == {
        "false": 0, "right": 0, "open": 0, counted: 1,
    }  # fmt: skip
    ran = inkos(folder, "eval", "blocks")
    assert ran.code == 0 and "continuity" in ran.out


def test_a_book_that_nothing_stopped_has_no_false_blocks(shelf: Shelf) -> None:
    ran = inkos(shelf.at(1), "--json", "eval", "blocks")
    assert ran.code == 0 and ran.json["total"]["stopped"] == 0 and len(ran.json["rows"]) == 1


def test_a_revised_chapter_shows_before_and_after_with_what_was_resolved(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(0, tmp_path / "w")
    assert perform(folder, "write-next").chapters[0].status == "accepted", "the contradiction was revised away"
    told = inkos(folder, "--json", "chapter", "diff", "1").json
    assert (told["earlier"], told["later"]) == ("1", "2")
    assert any(f["code"].startswith("continuity") for f in told["resolved"])
    assert not [f for f in told["new"] if f["severity"] != "info"]
    assert {line["mark"] for line in told["lines"]} >= {"-", "+"}
    shown = inkos(folder, "chapter", "diff", "1").out
    assert "continuity-" in shown
    assert perform(folder, "eval-blocks").total.claimed == 1


def test_the_ways_out_are_numbered_and_a_number_is_a_way(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(0, tmp_path / "w")
    with (folder / "books/b/book.yaml").open("a", encoding="utf-8") as file:
        file.write("gate: {rounds: 0}\n")
    perform(folder, "write-next")
    review = inkos(folder, "review", "show").out
    ways = inkos(folder, "--json", "review", "show").json["ways"]
    assert ways == ["revise", "text", "delta", "allow", "drop"]
    assert all(f"{number}" in review for number in range(1, 6))
    perform(folder, "review-decide", way="4", reason="so it is")
    assert perform(folder, "eval-blocks").total.false == 1
