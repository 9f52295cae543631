"""Redo, takes, settle, edit, diff, ripple and rename as a person drives them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.chapters import book_of, clean, manuscript, rows
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf


@pytest.fixture
def book(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(5, tmp_path / "ws")


def cut(book: Path, position: int, words: str) -> Path:
    """An author's edit: the paragraph with these words goes."""
    path = book_of(book) / f"chapters/{position:04d}.md"
    kept = [paragraph for paragraph in path.read_text().split("\n\n") if words not in paragraph]
    path.write_text("\n\n".join([*kept, "The bell rang twice."]) + "\n")
    return path


def test_redo_of_an_early_chapter_leaves_the_present_where_it_is(book: Path) -> None:
    """C09, C01: revise 2 of 5; the others' files are untouched, the state stays at 5, the id stays."""
    before = manuscript(book)
    ran = inkos(book, "--json", "write", "redo", "2", "--length", "1100")
    assert ran.code == 0 and ran.json["outcome"]["position"] == 2, ran
    after = manuscript(book)
    assert after["0002.md"] != before["0002.md"]
    assert {k: v for k, v in after.items() if k != "0002.md"} == {k: v for k, v in before.items() if k != "0002.md"}
    assert [row["id"] for row in rows(book)] == [f"c000{n}" for n in range(1, 6)]
    assert inkos(book, "--json", "state", "show").json["at"] == 5 and clean(book)
    assert inkos(book, "--json", "write", "next").json["chapters"][0]["position"] == 6
    kept = list((book_of(book) / ".inkos/bin").glob("*/chapters/0002.md"))
    assert [path.read_bytes() for path in kept] == [before["0002.md"]]
    assert inkos(book, "chapter", "undo").code == 0
    assert manuscript(book)["0002.md"] == before["0002.md"] and clean(book)


def test_the_same_chapter_again_doubles_no_row(book: Path) -> None:
    """C03, C11."""
    for _ in range(2):
        assert inkos(book, "write", "redo", "5").code == 0
    summaries = inkos(book, "--json", "state", "show", "summaries").json["lines"]
    assert [line.split(" ")[0] for line in summaries] == ["1", "2", "3", "4", "5"] and clean(book)


def test_takes_are_drawn_judged_and_kept_and_another_can_be_picked_without_a_call(book: Path) -> None:
    ran = inkos(book, "--json", "write", "redo", "3", "--takes", "2")
    assert ran.code == 0 and ran.json["takes"] == [1, 2], ran
    takes = inkos(book, "--json", "chapter", "takes", "3").json["takes"]
    assert [take["number"] for take in takes] == [1, 2] and all(take["score"] for take in takes)
    assert any(take["chosen"] for take in takes)
    texts = [(book_of(book) / take["file"]).read_text().strip() for take in takes]
    assert texts[0] and texts[1] and texts[0] != texts[1]
    runs = inkos(book, "--json", "run", "list").json["runs"]
    assert [run["calls"] for run in runs[-3:]] == [4, 3, 0], "one plan for both takes"
    assert ran.json["outcome"]["calls"] == 7 and ran.json["outcome"]["tokens"] > 10_000
    spent = inkos(book, "--json", "status").json["spend"]["calls"]
    assert inkos(book, "chapter", "pick", "3", "2").code == 0 and clean(book)
    assert inkos(book, "--json", "status").json["spend"]["calls"] == spent
    again = inkos(book, "--json", "write", "redo", "3", "--takes", "2")
    assert again.json["takes"] == [3, 4]
    assert inkos(book, "chapter", "pick", "3", "9").code == 2


def test_takes_that_a_budget_stopped_go_on_with_the_same_command(book: Path) -> None:
    ran = inkos(book, "--json", "write", "redo", "3", "--takes", "2", "--budget", "9000")
    assert ran.code == 4, ran
    other = inkos(book, "write", "redo", "2")
    assert other.code == 1 and "inkos run cancel" in other.err
    on = inkos(book, "--json", "write", "redo", "3", "--takes", "2")
    assert on.code == 0 and on.json["takes"] == [1, 2], on
    assert clean(book)


def test_an_early_chapter_that_was_edited_is_settled_in_its_place(book: Path) -> None:
    """E08, J: the list of what no longer holds; the file stays as the author left it."""
    path = cut(book, 2, "comes back empty")
    edited = path.read_bytes()
    status = inkos(book, "--json", "status").json
    assert [row["position"] for row in status["edited"]] == [2]
    assert any("comes back empty" in lost["quote"] for lost in status["edited"][0]["lost"])
    told = inkos(book, "chapter", "ripple", "2")
    assert "comes back empty" in told.out and "inkos settle 2" in told.out
    ran = inkos(book, "--json", "settle", "2")
    assert ran.code == 0 and ran.json["position"] == 2, ran
    assert path.read_bytes() == edited and clean(book)
    assert inkos(book, "--json", "status").json["edited"] == []


def test_a_hand_edit_is_not_written_over_by_a_redo_but_kept_in_the_bin(book: Path) -> None:
    edited = cut(book, 2, "comes back empty").read_bytes()
    assert inkos(book, "write", "redo", "2").code == 0
    kept = list((book_of(book) / ".inkos/bin").glob("*/chapters/0002.md"))
    assert [path.read_bytes() for path in kept] == [edited]


def test_edit_opens_the_editor_and_settles(book: Path) -> None:
    editor = book / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "\\nThe bell rang twice.\\n" >> "$1"\n')
    editor.chmod(0o755)
    assert inkos(book, "chapter", "edit", "2").code == 2, "no editor is set"
    later = inkos(book, "chapter", "edit", "2", env={"EDITOR": str(editor)})
    assert later.code == 0 and "inkos settle 2" in later.err, later
    ran = inkos(book, "chapter", "edit", "3", "--settle", env={"VISUAL": str(editor)})
    assert ran.code == 0, ran
    assert [row["position"] for row in inkos(book, "--json", "status").json["edited"]] == [2]
    same = inkos(book, "chapter", "edit", "4", env={"EDITOR": "true"})
    assert same.code == 0 and "not changed" in same.err
    assert inkos(book, "chapter", "edit", "4", env={"EDITOR": "no-such-editor"}).code == 2


def test_two_versions_of_a_chapter_are_compared(book: Path) -> None:
    assert inkos(book, "chapter", "diff", "2").code == 2, "one version only"
    assert inkos(book, "write", "redo", "2", "--length", "1100").code == 0
    ran = inkos(book, "--json", "chapter", "diff", "2")
    assert ran.code == 0 and ran.json["labels"][0] == "m0001", ran
    marks = {line["mark"] for line in ran.json["lines"]}
    assert {"-", "+"} <= marks
    swapped = inkos(book, "--json", "chapter", "diff", "2", "--version", "1", "m0001").json
    assert len(swapped["new"]) == len(ran.json["resolved"])
    assert inkos(book, "chapter", "diff", "2", "--version", "1", "x").code == 2


def test_rename_changes_what_is_sure_shows_what_is_not_and_can_be_undone(book: Path) -> None:
    before = files_of(book_of(book))
    path = book_of(book) / "chapters/0002.md"
    path.write_text(path.read_text() + "\nAda Lovelace was somebody else.\n")
    assert inkos(book, "entity", "rename", "Ada", "Eda").code == 1, "an edit is settled first"
    assert inkos(book, "settle", "2").code == 0
    ran = inkos(book, "--json", "entity", "rename", "Ada", "Eda")
    assert ran.code == 0 and ran.json["count"] > 20, ran
    text = path.read_text()
    assert "Ada Lovelace" in text and text.count("Ada") == 1 and "Eda" in text
    assert any(left["why"] == "longer" for left in ran.json["left"])
    assert any(left["why"] == "own" and left["path"].startswith("bible/") for left in ran.json["left"])
    assert files_of(book_of(book) / "bible") == {k[6:]: v for k, v in before.items() if k.startswith("bible/")}
    assert clean(book)
    names = inkos(book, "--json", "state", "show", "entities").json["lines"][0]
    assert "Eda" in names and "Ada Pell" in names
    assert inkos(book, "write", "next").code == 0
    assert inkos(book, "chapter", "undo").code == 0 and clean(book)
    assert path.read_text().count("Ada") > 1
    assert inkos(book, "entity", "rename", "Nobody", "X").code == 2
    assert inkos(book, "entity", "rename", "Ada", "Joss Harrow").code == 2


def test_parts_of_a_full_name_are_shown_in_few_lines_and_renamed_by_the_command_that_is_named(book: Path) -> None:
    before = manuscript(book)
    ran = inkos(book, "entity", "rename", "Ada Pell", "Eda Pell")
    assert ran.code == 0 and "inkos entity rename Ada NEW" in ran.out, ran
    lines = ran.out.splitlines()
    assert len(lines) < 20 and max(map(len, lines)) < 240, "no blocks of the author's files"
    assert "“Pell”" not in ran.out and manuscript(book) == before, "the family name has not changed"
    assert inkos(book, "entity", "rename", "Ada", "Eda").code == 0 and clean(book)
    assert not any(b"Ada" in content for content in manuscript(book).values())
    for _ in range(2):
        assert inkos(book, "chapter", "undo").code == 0
    assert manuscript(book) == before and clean(book), "the first renaming touched no chapter; undoing it loses none"


def test_settling_a_text_as_it_stands_leaves_its_score_and_its_papers(book: Path) -> None:
    folder, row = book_of(book) / "story/chapters/c0002", rows(book)[1]
    papers = {name: content for name, content in files_of(folder).items() if name != "delta.json"}
    ran = inkos(book, "--json", "settle", "2")
    assert ran.code == 0 and ran.json["score"] == row["score"] == rows(book)[1]["score"], ran
    now = {name: content for name, content in files_of(folder).items() if name != "delta.json"}
    assert now.keys() == papers.keys() and now["assessment.json"] == papers["assessment.json"]
