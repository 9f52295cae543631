"""Sets of files: whole or not at all, wherever the program stops; conflicts keep both texts; readers see no mixture."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from inkos.adapters.disk import Files
from inkos.adapters.file_set import PRIVATE, FileSets, View
from inkos.errors import InkosError, UsageFault
from inkos.ports import FileSet
from inkos.records import digest
from tests.adapters.stopping import StoppedError, StoppingFiles

BEFORE = {"a.txt": b"old a", "deep/b.txt": b"old b", "gone.txt": b"leaves"}
CHANGE: dict[str, bytes | None] = {
    "a.txt": b"new a",
    "deep/b.txt": b"new b",
    "new/place/c.txt": b"new c",
    "gone.txt": None,
}
AFTER = {"a.txt": b"new a", "deep/b.txt": b"new b", "new/place/c.txt": b"new c"}


def a_folder(root: Path) -> Path:
    sets = FileSets(root, Files(durable=False))
    (root / PRIVATE).mkdir(parents=True)
    sets.commit(FileSet(files=dict(BEFORE)), token=1)
    return root


def seen(root: Path) -> dict[str, bytes]:
    """What a reader sees, at one revision."""
    names = {**BEFORE, **AFTER}

    def work(view: View) -> dict[str, bytes]:
        found = {name: view.read_if_there(name) for name in names}
        return {name: content for name, content in found.items() if content is not None}

    return FileSets(root).at_one_revision(work)


def on_disk(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and PRIVATE not in path.parts and path.name != "revision.json"
    }


def operations_of_one_commit(tmp_path: Path) -> int:
    counting = StoppingFiles()
    FileSets(a_folder(tmp_path / "count"), counting).commit(FileSet(files=CHANGE), token=2)
    return counting.count


@pytest.mark.parametrize("torn", [False, True])
def test_a_stop_at_any_operation_leaves_the_old_files_or_the_new_ones(tmp_path: Path, torn: bool) -> None:
    results = set()
    for stop in range(1, operations_of_one_commit(tmp_path) + 1):
        root = a_folder(tmp_path / f"stop-{torn}-{stop}")
        with pytest.raises(StoppedError):
            FileSets(root, StoppingFiles(stop, torn=torn)).commit(FileSet(files=CHANGE), token=2)
        reader = seen(root)
        FileSets(root).recover(3)
        assert on_disk(root) in (BEFORE, AFTER)
        assert reader == on_disk(root), "a reader saw something else than what recovery made of it"
        assert not (root / PRIVATE / "pending.json").exists() and not (root / PRIVATE / "stage").exists()
        results.add(frozenset(on_disk(root)))
    assert len(results) == 2, "the stops must reach both sides of the record"


@pytest.mark.parametrize("torn", [False, True])
def test_a_recovery_may_itself_be_stopped_anywhere(tmp_path: Path, torn: bool) -> None:
    for stop in range(1, operations_of_one_commit(tmp_path) + 1):
        for again in range(1, 40):
            root = a_folder(tmp_path / f"{torn}-{stop}-{again}")
            with pytest.raises(StoppedError):
                FileSets(root, StoppingFiles(stop)).commit(FileSet(files=CHANGE), token=2)
            expected = seen(root)
            try:
                FileSets(root, StoppingFiles(again, torn=torn)).recover(3)
            except StoppedError:
                assert seen(root) == expected
                FileSets(root).recover(4)
                assert on_disk(root) == expected
                continue
            assert on_disk(root) == expected
            break
        else:
            raise AssertionError("recovery never came to its end")


def test_a_file_saved_by_somebody_else_during_the_stop_is_not_written_over(tmp_path: Path) -> None:
    for keep, expected in (("disk", b"hand made"), ("set", b"new a")):
        root = a_folder(tmp_path / keep)
        sets = interrupted_after_the_record(root)
        (root / "a.txt").write_bytes(b"hand made")
        with pytest.raises(InkosError) as raised:
            sets.recover(3)
        assert raised.value.code == "set-conflict"
        assert (root / "a.txt").read_bytes() == b"hand made"
        assert Path(str(raised.value.values["staged"])).read_bytes() == b"new a"
        copies = sets.settle(keep)  # type: ignore[arg-type]
        assert on_disk(root) == {**AFTER, "a.txt": expected}
        assert [Path(copy).read_bytes() for copy in copies] == [b"new a" if keep == "disk" else b"hand made"]


def test_who_moves_the_own_file_away_lets_the_interrupted_change_go_on(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    sets = interrupted_after_the_record(root)
    (root / "a.txt").write_bytes(b"hand made")
    with pytest.raises(InkosError):
        sets.recover(3)
    (root / "a.txt").rename(tmp_path / "mine.txt")
    assert sets.recover(4) == "finished"
    (tmp_path / "mine.txt").unlink()
    assert on_disk(root) == AFTER


def interrupted_after_the_record(root: Path) -> FileSets:
    """Stopped at the first move: the record is written, nothing is moved yet."""

    class NoMoves(StoppingFiles):
        def rename(self, source: Path, target: Path) -> None:
            if source.parent.name == "stage":
                raise StoppedError
            super().rename(source, target)

    with pytest.raises(StoppedError):
        FileSets(root, NoMoves()).commit(FileSet(files=CHANGE), token=2)
    return FileSets(root)


def test_what_was_expected_and_is_not_so_stops_the_set_before_anything_is_written(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    for expect in ({"a.txt": digest(b"other")}, {"a.txt": ""}, {"gone.txt": ""}, {"unnamed.txt": digest(b"x")}):
        with pytest.raises(InkosError) as raised:
            FileSets(root).commit(FileSet(files={"a.txt": b"new"}, expect=expect), token=2)
        assert raised.value.code == "file-changed"
    assert on_disk(root) == BEFORE


def test_a_set_that_lost_its_lock_is_not_written(tmp_path: Path) -> None:
    root = a_folder(tmp_path)

    def lost() -> None:
        raise InkosError("lease-lost")

    with pytest.raises(InkosError):
        FileSets(root).commit(FileSet(files=CHANGE), token=2, still_mine=lost)
    assert on_disk(root) == BEFORE
    assert FileSets(root).recover(3) == ""


def test_a_late_comer_with_an_older_token_is_kept_out(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    FileSets(root).commit(FileSet(files={"a.txt": b"newer"}), token=7)
    with pytest.raises(InkosError) as raised:
        FileSets(root).commit(FileSet(files=CHANGE), token=6)
    assert raised.value.code == "lease-lost"
    assert (root / "a.txt").read_bytes() == b"newer"


def test_a_record_of_an_older_holder_is_thrown_away_not_applied(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    interrupted_after_the_record(root)
    record = (root / PRIVATE / "pending.json").read_bytes()
    FileSets(root).recover(3)
    FileSets(root).commit(FileSet(files={"a.txt": b"later"}), token=4)
    (root / PRIVATE / "pending.json").write_bytes(record)
    assert FileSets(root).recover(5) == "discarded"
    assert (root / "a.txt").read_bytes() == b"later"
    assert seen(root)["a.txt"] == b"later"


def test_paths_outside_the_folder_are_refused(tmp_path: Path) -> None:
    root = a_folder(tmp_path / "inner")
    for path in ("../out.txt", "/etc/out.txt", "a/../../out.txt", "C:/out.txt", "x\\y", "", "a//b", "nul.txt"):
        with pytest.raises(UsageFault):
            FileSets(root).commit(FileSet(files={path: b"x"}), token=2)
    assert on_disk(root) == BEFORE
    assert not (tmp_path / "out.txt").exists()


def test_each_commit_is_the_next_revision_and_unchanged_files_are_not_written(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    first = FileSets(root).revision().revision
    counting = StoppingFiles()
    assert FileSets(root, counting).commit(FileSet(files={"a.txt": b"old a"}), token=2) == first + 1
    assert counting.written < 2000, "only the revision and the record"


def test_a_reader_beside_a_busy_writer_never_sees_a_mixture(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    names = [f"n{number}.txt" for number in range(5)]
    sets = FileSets(root, Files(durable=False))
    sets.commit(FileSet(files=dict.fromkeys(names, b"0")), token=2)
    done = threading.Event()

    def write() -> None:
        for number in range(1, 200):
            sets.commit(FileSet(files=dict.fromkeys(names, str(number).encode())), token=2)
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    looks = 0
    while not done.is_set() or looks == 0:
        values = FileSets(root).at_one_revision(lambda view: {view.read(name) for name in names})
        assert len(values) == 1, f"a mixture: {values}"
        looks += 1
    writer.join()


def test_a_full_disk_while_staging_leaves_everything_as_it_was(tmp_path: Path) -> None:
    class Full(Files):
        def write(self, path: Path, content: bytes) -> None:
            if content == b"new c":
                path.write_bytes(b"ne")
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            super().write(path, content)

    root = a_folder(tmp_path)
    with pytest.raises(InkosError) as raised:
        FileSets(root, Full()).commit(FileSet(files=CHANGE), token=2)
    assert raised.value.code == "disk-full"
    assert on_disk(root) == BEFORE
    assert not (root / PRIVATE / "stage").exists()


def test_moves_that_fail_are_finished_by_the_next_holder_and_readers_see_the_new_files(tmp_path: Path) -> None:
    class Held(Files):
        def rename(self, source: Path, target: Path) -> None:
            if target.name == "b.txt":
                raise PermissionError(13, "held by another program", str(target))
            super().rename(source, target)

    root = a_folder(tmp_path)
    with pytest.raises(InkosError) as raised:
        FileSets(root, Held()).commit(FileSet(files=CHANGE), token=2)
    assert raised.value.code == "set-unfinished"
    assert seen(root) == AFTER
    assert FileSets(root).recover(3) == "finished"
    assert on_disk(root) == AFTER


def test_a_record_of_a_newer_format_is_not_touched(tmp_path: Path) -> None:
    root = a_folder(tmp_path)
    (root / PRIVATE / "pending.json").write_text('{"schema_version": 99}')
    with pytest.raises(InkosError) as raised:
        FileSets(root).recover(2)
    assert raised.value.code == "schema-newer"
