"""A book of an older format is read as it lies, rewritten by who holds it, with a backup; a newer one is refused."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from inkos.adapters.folder_store import FolderStore
from inkos.adapters.hand_edits import rules_of
from inkos.adapters.migrations import MIGRATIONS, backup, rewritten, upgraded
from inkos.adapters.state_files import STATE_FILES
from inkos.errors import InkosError
from inkos.kernel.invariants import check_state
from inkos.kernel.story import SCHEMA_VERSION
from tests.adapters.test_store import UNSYNCED, contents
from tests.data import ROOT

OLD = ROOT / "books/old"


def copied(folder: Path, version: int) -> FolderStore:
    place = folder / "book"
    shutil.copytree(OLD / f"v{version}", place)
    return FolderStore(place, files=UNSYNCED)


def test_there_is_a_step_and_a_book_for_every_older_version() -> None:
    assert sorted(MIGRATIONS) == list(range(SCHEMA_VERSION))
    assert sorted(path.name for path in OLD.iterdir()) == [f"v{version}" for version in range(SCHEMA_VERSION)]


@pytest.mark.parametrize("version", range(SCHEMA_VERSION))
def test_an_older_book_is_read_as_it_lies_and_nothing_is_written(tmp_path: Path, version: int) -> None:
    store = copied(tmp_path, version)
    before = contents(store.root)
    book = store.read()
    assert book.state.facts and book.state.schema_version == SCHEMA_VERSION
    assert check_state(book.state, rules_of(book.config), total_chapters=len(book.index.chapters)) == ()
    for entry in book.index.chapters:
        assert store.delta(entry.id).chapter == entry.id
    assert store.snapshot(book.index.chapters[-1].id) == book.state
    assert [history.chapter for history in store.histories()]
    assert store.problems(deep=True) == []
    assert contents(store.root) == before


@pytest.mark.parametrize("version", range(SCHEMA_VERSION))
def test_who_writes_brings_it_up_to_date_and_keeps_what_changes(tmp_path: Path, version: int) -> None:
    store = copied(tmp_path, version)
    before, book = contents(store.root), store.read()
    with store.hold("write next"):
        pass
    after = contents(store.root)
    changed = {path for path, content in before.items() if after[path] != content}
    assert set(STATE_FILES) < changed and not any(path.startswith(("chapters/", "bible/")) for path in changed)
    assert all(json.loads(after[path])["schema_version"] == SCHEMA_VERSION for path in STATE_FILES)
    with zipfile.ZipFile(store.root / f"backup-v{version}.zip") as kept:
        assert {name: kept.read(name) for name in kept.namelist()} == {
            path: before[path] for path in changed if path != "story/revision.json"
        }
    fresh = FolderStore(store.root, files=UNSYNCED)
    again = fresh.read()
    assert again.state == book.state and again.index.chapters == book.index.chapters
    assert fresh.snapshot(again.index.chapters[-1].id) == book.state and fresh.problems(deep=True) == []
    with fresh.hold("again"):
        pass
    left = contents(store.root)
    assert {**left, "story/revision.json": b""} == {**after, "story/revision.json": b""}


def test_a_newer_book_is_refused_before_a_lock_is_left(tmp_path: Path) -> None:
    store = copied(tmp_path, 0)
    place = store.root / "story/index.json"
    place.write_bytes(place.read_bytes().replace(b'"schema_version":0', b'"schema_version":99'))
    before = contents(store.root)
    with pytest.raises(InkosError) as raised:
        store.read()
    assert raised.value.code == "schema-newer"
    assert contents(store.root) == before


@pytest.mark.parametrize("version", [-1, -7])
def test_a_version_that_never_was_is_damage(version: int) -> None:
    with pytest.raises(InkosError) as raised:
        upgraded({"schema_version": version}, version, "x")
    assert raised.value.code == "file-damaged"


@pytest.mark.parametrize("content", [b'{"schema_version":0', b'[{"schema_version":0}]', b'"schema_version": 0'])
def test_an_older_file_that_is_damaged_says_so(content: bytes) -> None:
    with pytest.raises(InkosError) as raised:
        rewritten(content, "story/index.json")
    assert raised.value.code == "file-damaged"


def test_equal_files_make_equal_backups() -> None:
    files = {"a.json": b"{}", "b/c.json": "漢".encode()}
    assert backup(files.items()) == backup(files.items())
