"""Whole books: backed up and restored, renamed, deleted and brought back, copied to another machine."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest

from inkos.adapters.archive import MANIFEST
from inkos.adapters.book_moves import BookMoves
from inkos.adapters.disk import Files
from inkos.adapters.workspace import WorkspaceFolder
from inkos.errors import InkosError, UsageFault
from tests.adapters.stopping import StoppedError, StoppingFiles
from tests.adapters.test_store import a_book, contents, without_token, write
from tests.hosts.cli import BRIEF, OFFLINE, files_of, inkos, workspace
from tests.hosts.conftest import Shelf


@pytest.fixture
def folder(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(1, tmp_path / "ws")


def test_a_backup_restores_to_the_same_bytes_in_another_workspace_and_the_book_goes_on(
    folder: Path, tmp_path: Path
) -> None:
    ran = inkos(folder, "--json", "book", "backup", "-o", str(tmp_path / "out.zip"))
    assert ran.code == 0, ran.err
    other = workspace(tmp_path / "other")
    back = inkos(other, "--json", "book", "restore", str(tmp_path / "out.zip"), "c")
    assert back.code == 0 and back.json["book"] == "c", back
    mine = {path: content for path, content in files_of(folder / "books/b").items() if not path.startswith(".inkos/")}
    assert files_of(other / "books/c") == mine
    assert inkos(other, "state", "check").code == 0
    assert inkos(other, "write", "next").code == 0
    assert inkos(other, "--json", "status").json["spend"]["calls"] == 8, "the ledger has come along"


def test_two_backups_of_the_same_book_are_the_same_bytes(folder: Path) -> None:
    made = [folder / f"{name}.zip" for name in "xy"]
    for path in made:
        assert inkos(folder, "book", "backup", "-o", str(path)).code == 0
    assert made[0].read_bytes() == made[1].read_bytes()


def test_a_folder_copied_to_another_machine_works_there(folder: Path, tmp_path: Path) -> None:
    """J: the bare folder, without anything of this machine's."""
    other = workspace(tmp_path / "elsewhere", OFFLINE)
    shutil.copytree(folder / "books/b", other / "books/moved", ignore=shutil.ignore_patterns(".inkos"))
    assert inkos(other, "state", "check").code == 0
    assert inkos(other, "write", "next").code == 0
    assert inkos(other, "export").code == 0


def test_a_restore_over_a_book_needs_a_word_and_keeps_the_old_one_in_the_bin(folder: Path) -> None:
    assert inkos(folder, "book", "backup").code == 0
    file = str(folder / "backups/b.zip")
    refused = inkos(folder, "book", "restore", file)
    assert refused.code == 2
    assert inkos(folder, "write", "next").code == 0
    ran = inkos(folder, "--json", "book", "restore", file, "--replace")
    assert ran.code == 0 and ran.json["binned"] == "00001-b", ran
    assert len(inkos(folder, "--json", "status", "-b", "b").json["chapters"]) == 1
    assert inkos(folder, "--json", "book", "restore", "00001-b", "two").code == 0
    assert len(inkos(folder, "--json", "status", "-b", "two").json["chapters"]) == 2


def test_a_deleted_book_lies_in_the_bin_and_one_of_its_name_reuses_nothing(folder: Path) -> None:
    """D11."""
    assert inkos(folder, "book", "delete", "b").code == 2, "nobody was asked and nobody said yes"
    assert inkos(folder, "book", "delete", "b", "--yes").code == 0
    assert inkos(folder, "--json", "book", "list").json["books"] == []
    assert inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md"), "--length", "900").code == 0
    status = inkos(folder, "--json", "status").json
    assert status["chapters"] == [] and status["spend"]["calls"] == 0 and status["run"] is None
    assert inkos(folder, "--json", "write", "next").json["chapters"][0]["calls"] == 4, "no old reply was used"
    assert inkos(folder, "book", "restore", "b", "old").code == 0
    assert len(inkos(folder, "--json", "status", "-b", "old").json["chapters"]) == 1


def test_a_renamed_book_keeps_its_ids_and_goes_on(folder: Path) -> None:
    before = files_of(folder / "books/b")
    assert inkos(folder, "book", "rename", "b", "街灯").code == 0
    after = files_of(folder / "books/街灯")
    assert {p: c for p, c in after.items() if not p.startswith((".inkos/", "story/revision"))} == {
        p: c for p, c in before.items() if not p.startswith((".inkos/", "story/revision"))
    }
    assert inkos(folder, "write", "next").code == 0
    assert inkos(folder, "book", "rename", "街灯", "con").code == 2


def moves(root: Path, files: Files | None = None) -> BookMoves:
    return BookMoves(WorkspaceFolder(root, files or Files(durable=False)))


def test_a_backup_that_is_not_as_it_was_written_is_refused_before_anything_is_touched(tmp_path: Path) -> None:
    store = a_book(tmp_path, 2)
    made = moves(tmp_path).backup("salt", str(tmp_path / "good.zip"))
    before = contents(store.root)
    good = (tmp_path / "good.zip").read_bytes()
    bad = tmp_path / "bad.zip"
    for at in range(40, len(good), max(1, len(good) // 60)):
        bad.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        try:
            moves(tmp_path).restore(str(bad), "salt", replace=True)
        except (InkosError, UsageFault) as error:
            assert error.code in ("backup-broken", "backup-none"), error
            assert contents(store.root) == before
        else:  # a byte that says nothing, such as a date
            assert contents(store.root) == before
    bad.write_bytes(good[: len(good) // 2])
    with pytest.raises(InkosError):
        moves(tmp_path).restore(str(bad), "salt", replace=True)
    assert made.files == len(zipfile.ZipFile(tmp_path / "good.zip").namelist()) - 1


@pytest.mark.parametrize("name", ["book/../../out.txt", "/etc/out.txt", "book/.inkos/pending.json"])
def test_a_strangers_archive_writes_nothing_outside_the_book(tmp_path: Path, name: str) -> None:
    a_book(tmp_path, 1)
    moves(tmp_path).backup("salt", str(tmp_path / "good.zip"))
    with zipfile.ZipFile(tmp_path / "good.zip") as good, zipfile.ZipFile(tmp_path / "evil.zip", "w") as evil:
        for entry in good.namelist():
            content = good.read(entry)
            if entry == MANIFEST:
                path = name.removeprefix("book/")
                content = content.replace(b'"files": {', b'"files": {"%b": {"sha256": "%b", "size": 1},' % (
                    path.encode(), b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"))  # fmt: skip
            evil.writestr(entry, content)
        evil.writestr(name, "x")
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(InkosError):
        moves(tmp_path).restore(str(tmp_path / "evil.zip"), "c", replace=False)
    made = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert {path.name for path in made} <= {"books.lock"}


@pytest.mark.parametrize("torn", [False, True])
def test_a_stop_at_any_operation_of_a_restore_leaves_the_old_book_or_the_new_one(tmp_path: Path, torn: bool) -> None:
    model = a_book(tmp_path / "model", 1)
    moves(tmp_path / "model").backup("salt", str(tmp_path / "one.zip"))
    one = without_token(contents(model.root))
    write(model, 1)
    two = without_token(contents(model.root))
    seen = set()
    for stop in range(1, 400):
        root = tmp_path / f"{torn}-{stop}"
        shutil.copytree(tmp_path / "model", root)
        stopped = False
        try:
            moves(root, StoppingFiles(stop, torn=torn)).restore(str(tmp_path / "one.zip"), "salt", replace=True)
        except StoppedError:
            stopped = True
        with WorkspaceFolder(root, Files(durable=False)).moving():
            pass
        found = without_token(contents(root / "books/salt"))
        assert found in (one, two), stop
        seen.add(found == one)
        assert [item.name for item in (root / "books").iterdir()] == ["salt"]
        shutil.rmtree(root)
        if not stopped:
            break
    else:
        raise AssertionError("the restore never came to its end")
    assert seen == {False, True}


def test_a_book_that_is_being_written_is_not_moved_but_can_be_backed_up(tmp_path: Path) -> None:
    store = a_book(tmp_path, 1)
    with store.hold("write next"):
        for move in (lambda: moves(tmp_path).rename("salt", "sea"), lambda: moves(tmp_path).delete("salt")):
            with pytest.raises(InkosError) as raised:
                move()
            assert raised.value.code == "book-busy"
        assert moves(tmp_path).backup("salt", "").files > 5


def test_a_move_can_be_undone_in_a_book_that_came_from_a_backup(folder: Path, tmp_path: Path) -> None:
    before = files_of(folder / "books/b/chapters")
    assert inkos(folder, "chapter", "delete", "1").code == 0
    assert inkos(folder, "book", "backup", "-o", str(tmp_path / "out.zip")).code == 0
    other = workspace(tmp_path / "other")
    assert inkos(other, "book", "restore", str(tmp_path / "out.zip")).code == 0
    assert inkos(other, "chapter", "undo").code == 0
    assert files_of(other / "books/b/chapters") == before
    assert inkos(other, "state", "check").code == 0
