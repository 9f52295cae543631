"""Role prompts: copied out, changed, in force, compared; the reply contract stays the program's."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from inkos.actions import ACTIONS, Door
from inkos.errors import InkosError, UsageFault
from inkos.hosts import wire
from tests.bench.long_book import BOOK, LongBook


@pytest.fixture
def book(tmp_path: Path) -> Path:
    LongBook(tmp_path / "w", 1)
    return tmp_path / "w"


def run(book: Path, verb: str, **values: Any) -> Any:
    action = ACTIONS[verb]
    door = Door(wire.open_workspace(book, {}), lambda event: None, lambda: False)
    return asyncio.run(action.run(door, action.command.model_validate({"book": BOOK, **values})))


def test_a_prompt_is_copied_out_changed_and_in_force_without_its_contract(book: Path) -> None:
    house = run(book, "prompt-show", task="draft")
    file = book / "books" / run(book, "prompt-eject", task="draft").file
    assert run(book, "prompt-show", task="draft").rules == house.rules  # copied out, nothing has changed yet
    assert house.contract not in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8") + "- Every chapter ends on a sound.\n", "utf-8")
    shown, diff = run(book, "prompt-show", task="draft"), run(book, "prompt-diff", task="draft")
    assert shown.row.source == "book" and not shown.row.outdated and shown.contract == house.contract
    assert shown.rules == f"{house.rules}\n- Every chapter ends on a sound."
    assert [line for line in diff.lines if line.startswith(("+", "-"))][2:] == ["+- Every chapter ends on a sound."]
    assert shown.row.digest != house.row.digest and "<!--" not in shown.rules


def test_what_was_copied_from_an_older_house_says_so(book: Path) -> None:
    file = book / "books" / run(book, "prompt-eject", task="plan").file
    text = file.read_text("utf-8")
    file.write_text(text.replace(text.partition("-->")[0], "<!-- house 0123456789ab "), "utf-8")
    outdated = {row.task: row.outdated for row in run(book, "prompt-list").rows}
    assert [task for task, old in outdated.items() if old] == ["plan"]


def test_the_books_own_prompt_goes_before_the_workspaces(book: Path) -> None:
    run(book, "prompt-eject", task="audit", everywhere=True)
    assert run(book, "prompt-show", task="audit").row.source == "workspace"
    run(book, "prompt-eject", task="audit")
    assert run(book, "prompt-show", task="audit").row.source == "book"


def test_nothing_is_written_over_and_no_other_file_is_a_prompt(book: Path) -> None:
    run(book, "prompt-eject", task="audit")
    with pytest.raises(InkosError, match="prompt-there"):
        run(book, "prompt-eject", task="audit")
    with pytest.raises(UsageFault):
        run(book, "prompt-eject", task="../book")
