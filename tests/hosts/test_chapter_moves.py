"""Delete, move, insert, lock and undo as a person drives them: no file is renamed, nothing lost, the state follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.chapters import book_of, clean, manuscript, rows, state, titles
from tests.hosts.cli import files_of, inkos
from tests.hosts.conftest import Shelf


@pytest.fixture
def book(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(5, tmp_path / "ws")


def test_a_preview_names_files_and_writes_nothing(book: Path) -> None:
    before = files_of(book)
    for command in (
        ["chapter", "delete", "2"], ["chapter", "move", "5", "--to", "1"], ["write", "redo", "3"],
        ["chapter", "insert", "--after", "2", "--title", "X"], ["entity", "rename", "Ada", "Eda"],
    ):  # fmt: skip
        ran = inkos(book, "--json", *command, "--dry-run")
        assert ran.code == 0, ran
        shown = ran.json.get("moved") or ran.json
        assert shown["dry_run"] is True
        assert shown["files"] or command[1] == "move"
    assert files_of(book) == before


def test_deleting_takes_one_file_away_and_undo_brings_every_byte_back(book: Path) -> None:
    before, told = manuscript(book), state(book)
    ran = inkos(book, "--json", "chapter", "delete", "2")
    assert ran.code == 0 and ran.json["files"] == [{"path": "chapters/0002.md", "how": "removed"}], ran
    after = manuscript(book)
    assert after == {name: content for name, content in before.items() if name != "0002.md"}
    assert len(rows(book)) == 4 and clean(book)
    assert inkos(book, "--json", "status").json["next_position"] == 5
    back = inkos(book, "--json", "chapter", "undo")
    assert back.code == 0, back
    assert manuscript(book) == before and state(book) == told and clean(book)


def test_the_entry_of_a_chapter_that_was_taken_out_does_not_come_again_at_the_end(book: Path) -> None:
    gone = titles(book)[0]
    assert inkos(book, "chapter", "delete", "1").code == 0
    assert inkos(book, "write", "next").code == 0 and gone not in titles(book)
    assert inkos(book, "chapter", "delete", "5").code == 0
    last = inkos(book, "--json", "status").json
    assert last["next_title"] and last["next_title"] not in titles(book), "the last one can be written anew"


def test_one_is_counted_as_one(book: Path) -> None:
    assert "1 later chapter stays as it is" in inkos(book, "chapter", "delete", "4").out
    assert "3 later chapters stay as they are" in inkos(book, "chapter", "delete", "1").out


def test_what_was_deleted_is_no_chapter_for_a_repair_either(book: Path) -> None:
    assert inkos(book, "chapter", "delete", "2").code == 0
    assert not (book_of(book) / "story/chapters/c0002/entry.json").exists()
    assert not (book_of(book) / "story/snapshots/c0002.json").exists()
    assert len(rows(book)) == 4


def test_a_move_renames_no_file_and_marks_what_no_longer_fits(book: Path) -> None:
    before, names = manuscript(book), titles(book)
    ran = inkos(book, "--json", "chapter", "move", "5", "--to", "1")
    assert ran.code == 0, ran
    assert manuscript(book) == before
    assert titles(book) == [names[4], *names[:4]]
    stale = {later["position"]: later["stale"] for later in ran.json["later"]}
    assert stale and all(mark["kind"] == "suspended" and mark["code"] == "time-001" for mark in stale[2])
    status = inkos(book, "status")
    assert "stale" in status.out and "inkos settle 2" in status.out
    checked = inkos(book, "state", "check")
    assert checked.code == 1 and "time-001" in checked.out and "inkos chapter keep" in checked.out
    assert inkos(book, "chapter", "undo").code == 0
    assert titles(book) == names and clean(book)
    assert all("stale" not in row for row in rows(book))


def test_a_stale_chapter_can_be_kept_as_it_is_without_a_model(book: Path) -> None:
    assert inkos(book, "chapter", "move", "5", "--to", "1").code == 0
    spent = inkos(book, "--json", "status").json["spend"]["calls"]
    for position in (2, 3, 4, 5):
        assert inkos(book, "chapter", "keep", str(position)).code == 0, position
    assert clean(book)
    assert inkos(book, "--json", "status").json["spend"]["calls"] == spent
    again = inkos(book, "chapter", "keep", "2")
    assert again.code == 2 and "not stale" in again.err


def test_a_chapter_of_ones_own_goes_between_others_under_a_name_of_its_own(book: Path) -> None:
    before = manuscript(book)
    (book / "mine.md").write_text("# The ferry\n\n" + "Ada crossed the river. The boat was late. " * 60 + "\n")
    ran = inkos(book, "--json", "chapter", "insert", "--after", "2", "--file", "mine.md")
    assert ran.code == 0 and ran.json["outcome"]["file"] == "chapters/0002a.md", ran
    after = manuscript(book)
    assert {name: after[name] for name in before} == before and set(after) - set(before) == {"0002a.md"}
    assert titles(book)[2] == "The ferry" and rows(book)[2]["id"] == "c0006"
    assert clean(book)
    next_one = inkos(book, "--json", "write", "next").json["chapters"][0]
    assert next_one["position"] == 7 and next_one["file"] == "chapters/0006.md" and next_one["chapter"] == "c0007"
    assert inkos(book, "chapter", "undo").code == 0
    assert len(rows(book)) == 6 and "0002a.md" not in manuscript(book) and clean(book)


def test_an_inserted_chapter_is_written_on_the_state_before_it(book: Path) -> None:
    ran = inkos(book, "--json", "chapter", "insert", "--after", "0", "--title", "Before", "--context", "Ada waits.")
    assert ran.code == 0, ran
    assert rows(book)[0]["file"] == "chapters/0000a.md" and ran.json["outcome"]["position"] == 1
    assert inkos(book, "chapter", "insert", "--after", "9", "--title", "X").code == 2
    assert inkos(book, "chapter", "insert", "--after", "1").code == 2


def test_a_number_that_became_free_is_not_given_to_another_file(book: Path) -> None:
    """C10: names are for life; position and number part ways after a deletion."""
    assert inkos(book, "chapter", "delete", "1").code == 0
    ran = inkos(book, "--json", "write", "next").json["chapters"][0]
    assert ran["position"] == 5 and ran["file"] == "chapters/0006.md"
    assert inkos(book, "chapter", "undo").code == 0 and clean(book)
    assert [row["file"] for row in rows(book)] == [f"chapters/000{n}.md" for n in (1, 2, 3, 4, 5, 6)]


def test_locked_chapters_stay_byte_identical_and_change_with_an_erratum_only(book: Path) -> None:
    """I10."""
    for position in ("1", "2"):
        assert inkos(book, "chapter", "lock", position).code == 0
    before = manuscript(book)
    for command in (["write", "redo", "1"], ["chapter", "delete", "2"], ["chapter", "move", "1", "--to", "3"]):
        ran = inkos(book, *command)
        assert ran.code == 1 and "--erratum" in ran.err, ran
    assert inkos(book, "write", "redo", "3").code == 0
    after = manuscript(book)
    assert after["0001.md"] == before["0001.md"] and after["0002.md"] == before["0002.md"]
    assert inkos(book, "write", "redo", "2", "--erratum", "a wrong name in print").code == 0
    assert rows(book)[1]["errata"][0]["reason"] == "a wrong name in print" and rows(book)[1]["locked"] is True
    path = book_of(book) / "chapters/0001.md"
    path.write_text(path.read_text() + "\nOne more line.\n")
    assert inkos(book, "settle", "1").code == 1, "the published text would change"
    assert inkos(book, "settle", "1", "--erratum", "a line was lost in print").code == 0
    assert inkos(book, "settle", "2").code == 0, "the published text stays as it is"
    assert inkos(book, "chapter", "unlock", "1").code == 0
    assert inkos(book, "chapter", "delete", "1").code == 0 and clean(book)


def test_undo_does_not_lose_what_came_after_the_move(book: Path) -> None:
    assert inkos(book, "write", "redo", "2").code == 0
    path = book_of(book) / "chapters/0002.md"
    path.write_text(path.read_text() + "\nOne more line.\n")
    ran = inkos(book, "chapter", "undo")
    assert ran.code == 1 and "0002.md" in ran.err
    assert "One more line." in path.read_text()
    assert inkos(book, "settle", "2").code == 0
    assert inkos(book, "chapter", "undo").code == 0
    assert "One more line." in path.read_text(), "undoing the settlement leaves the author's edit"


def test_the_bin_lists_moves_and_an_undo_can_be_undone(book: Path) -> None:
    assert inkos(book, "chapter", "undo").code == 2
    assert inkos(book, "chapter", "delete", "3").code == 0
    assert inkos(book, "chapter", "undo").code == 0
    moves = inkos(book, "--json", "chapter", "bin").json["moves"]
    assert [(move["what"], move["undone"]) for move in moves] == [("delete", True), ("undo", False)]
    assert inkos(book, "chapter", "undo", "m0001").code == 2
    assert inkos(book, "chapter", "undo", "m0002").code == 0
    assert len(rows(book)) == 4 and clean(book)


def test_a_chapter_in_work_is_finished_or_given_up_before_others_move(book: Path) -> None:
    assert inkos(book, "plan").code == 0
    run = inkos(book, "--json", "run", "list").json["runs"][-1]["id"]
    ran = inkos(book, "chapter", "delete", "1")
    assert ran.code == 1 and f"inkos run cancel {run}" in ran.err
    assert inkos(book, "run", "cancel", run).code == 0
    assert inkos(book, "chapter", "delete", "1").code == 0


def test_a_missing_chapter_file_can_be_taken_out_or_brought_back(book: Path) -> None:
    """C08: no pair of commands that refuse each other."""
    (book_of(book) / "chapters/0003.md").unlink()
    ran = inkos(book, "chapter", "delete", "2")
    assert ran.code == 1 and "0003.md" in ran.err
    assert inkos(book, "chapter", "delete", "3").code == 0
    assert inkos(book, "chapter", "delete", "2").code == 0
    assert clean(book)


def test_a_hole_in_the_snapshots_does_not_stop_a_move(book: Path) -> None:
    """C08."""
    (book_of(book) / "story/snapshots/c0002.json").unlink()
    ran = inkos(book, "write", "redo", "3")
    assert ran.code == 0, ran
    assert len(rows(book)) == 5


def test_everything_is_said_in_chinese_too(book: Path) -> None:
    ran = inkos(book, "chapter", "move", "5", "--to", "1", env={"INKOS_LANG": "zh"})
    assert "移到第 1 章" in ran.out and "待复核" in ran.out and "撤回" in ran.out
