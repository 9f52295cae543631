"""`inkos outline`: shown, checked, gone on with; the author's file keeps every byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf


@pytest.fixture
def book(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(1, tmp_path / "ws")


def shorten(book: Path, entries: int) -> Path:
    """The outline with its first entries only, and its other volumes."""
    path = book / "books/b/outline.md"
    head, *parts = path.read_text("utf-8").split("### ")
    volumes = parts[-1][parts[-1].index("## ") :] if "## " in parts[-1] else ""
    path.write_text("### ".join([head, *parts[:entries]]) + volumes, encoding="utf-8")
    return path


def test_it_is_shown_with_what_is_written_next_and_ahead(book: Path) -> None:
    rows = inkos(book, "--json", "outline", "show").json["rows"]
    assert [row["state"] for row in rows] == ["written", "next", *["ahead"] * 8] and rows[0]["position"] == 1
    assert "written, chapter 1" in inkos(book, "outline", "show").out


def test_where_it_ends_the_command_that_goes_on_is_named_and_writing_goes_on_after_it(book: Path) -> None:
    path = shorten(book, 1)
    before = path.read_text("utf-8")
    ended = inkos(book, "write", "next")
    assert ended.code == 1 and "inkos outline extend" in ended.err
    shown = inkos(book, "--json", "outline", "extend", "--dry-run", "-n", "3")
    assert shown.code == 0 and len(shown.json["entries"]) == 3 and path.read_text("utf-8") == before
    done = inkos(book, "--json", "outline", "extend", "-n", "3")
    assert done.json["entries"] == shown.json["entries"] and done.json["run"] == shown.json["run"], "not asked again"
    after = path.read_text("utf-8")
    assert all(line in after for line in before.splitlines()) and len(after) > len(before)
    assert [row["state"] for row in inkos(book, "--json", "outline", "show").json["rows"]] == [
        "written", "next", "ahead", "ahead"]  # fmt: skip
    assert inkos(book, "outline", "check").code == 0
    assert inkos(book, "--json", "outline", "check").json["problems"] == []
    assert inkos(book, "write", "next").code == 0 and inkos(book, "state", "check").code == 0


def test_the_offline_author_outlines_a_whole_book_and_tells_no_scene_twice(book: Path) -> None:
    for _ in range(9):
        ran = inkos(book, "--json", "outline", "extend")
        assert ran.code == 0, ran
    checked = inkos(book, "--json", "outline", "check").json
    assert (checked["entries"], checked["left"], checked["problems"]) == (100, 99, [])
    full = inkos(book, "outline", "extend")
    assert full.code == 2 and "--count" in full.err


def test_what_would_mislead_is_named(book: Path) -> None:
    path = book / "books/b/outline.md"
    text = path.read_text("utf-8")
    third = next(line for line in text.splitlines() if line.startswith("- ") and "show" in line)
    path.write_text(text.rstrip() + f"\n\n### Again {{#c9}}\n{third}\n\n### Bare {{#bare}}\n", encoding="utf-8")
    ran = inkos(book, "--json", "outline", "check")
    kinds = {problem["kind"] for problem in ran.json["problems"]}
    assert ran.code == 1 and kinds == {"key-twice", "scene-twice", "no-beats"}, ran
    assert "#c9" in inkos(book, "outline", "check").out



def test_c15_a_scene_planned_twice_and_one_that_leaves_no_time_are_named_before_drafting(book: Path) -> None:
    path = book / "books/b/outline.md"
    path.write_text(path.read_text("utf-8").rstrip() + """

### The ledger {#e8}
- Nell finds the ledger and hands it over; the ledger takes a day to copy.

### The slip {#e9}
- Nell hands over the ledger.
- The same evening Pym reads the ledger.
""", encoding="utf-8")  # fmt: skip
    problems = inkos(book, "--json", "outline", "check").json["problems"]
    assert [(p["kind"], p["key"], p["other"]) for p in problems] == [
        ("scene-twice", "e9", "The ledger"), ("too-soon", "e9", "The ledger")]  # fmt: skip
