"""What is lost is made again from what is left (cases C01, C11, D02); what stood there goes to the bin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inkos.adapters.file_set import PRIVATE
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.restore import restore
from inkos.adapters.state_files import STATE_FILES
from inkos.errors import InkosError
from tests.adapters import stories
from tests.adapters.test_store import a_book, contents, without_token, write

INDEX = "story/index.json"


def stable(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without the revision, which counts the mending itself."""
    return {path: content for path, content in files.items() if path != "story/revision.json"}


def test_a_healthy_book_is_left_as_it_is(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    before = contents(store.root)
    assert restore(FolderStore(store.root), "repair") == []
    assert without_token(contents(store.root)) == without_token(before)


@pytest.mark.parametrize("path", [INDEX, *STATE_FILES])
@pytest.mark.parametrize("damage", [None, b"", b'[{"number":1,', b"{}", b'{"schema_version": 1}'])
def test_a_lost_index_or_state_comes_back_byte_for_byte(tmp_path: Path, path: str, damage: bytes | None) -> None:
    store = a_book(tmp_path, 4)
    before = contents(store.root)
    place = store.root / path
    if damage is None:
        place.unlink()
    else:
        place.write_bytes(damage)
    restore(FolderStore(store.root), "repair")
    assert stable(contents(store.root)) == stable(before)
    assert FolderStore(store.root).problems() == []
    write(FolderStore(store.root), 1)
    if damage:
        binned = [item.read_bytes() for item in (store.root / PRIVATE / "bin").rglob(place.name)]
        assert binned == [damage]


def test_everything_but_the_snapshots_and_entries_may_be_lost(tmp_path: Path) -> None:
    store = a_book(tmp_path, 4)
    before = contents(store.root)
    for path in (INDEX, *STATE_FILES):
        (store.root / path).unlink()
    restore(FolderStore(store.root), "repair")
    assert stable(contents(store.root)) == stable(before)


def test_a_state_that_is_ahead_of_the_index_goes_back_to_it(tmp_path: Path) -> None:
    store = a_book(tmp_path, 4)
    place = store.root / STATE_FILES[0]
    place.write_text(place.read_text().replace('"c0004"', '"c0073"'))
    with pytest.raises(InkosError):
        FolderStore(store.root).read()
    restore(FolderStore(store.root), "repair")
    book = FolderStore(store.root).read()
    assert book.next_position == 5 and book.state.last_applied_chapter == 4


def test_a_chapter_that_stands_twice_in_the_index_is_reconciled_to_its_file(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    place = store.root / INDEX
    index = json.loads(place.read_bytes())
    false = {**index["chapters"][1], "words": 999, "text_digest": "0" * 64}
    index["chapters"].insert(1, false)
    place.write_text(json.dumps(index))
    assert any("stands 2 times" in problem.detail for problem in store.problems())
    restore(FolderStore(store.root), "repair")
    assert [(entry.id, entry.words) for entry in FolderStore(store.root).index().chapters] == [
        ("c0001", 12), ("c0002", 12), ("c0003", 12)
    ]  # fmt: skip
    assert FolderStore(store.root).problems() == []


def test_the_last_snapshot_is_made_again_from_the_state(tmp_path: Path) -> None:
    for damage in ("snapshot", "pack"):
        store = a_book(tmp_path / damage, 3)
        state = store.read().state
        lost = {"snapshot": "story/snapshots/c0003.json", "pack": "story/pieces/c0003.pack"}[damage]
        (store.root / lost).write_bytes(b"")
        if damage == "pack":
            # The history of chapter 3 lay in it and is lost with it: that is said, not papered over.
            with pytest.raises(InkosError):
                restore(FolderStore(store.root), "repair")
            continue
        restore(FolderStore(store.root), "repair")
        assert FolderStore(store.root).snapshot("c0003") == state
        write(FolderStore(store.root), 2)
        assert FolderStore(store.root).snapshot("c0004").last_applied_chapter == 4
        assert len(list(FolderStore(store.root).histories())) == 5


def test_without_a_missing_snapshot_the_next_chapter_is_accepted_all_the_same(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    (store.root / "story/snapshots/c0003.json").unlink()
    write(FolderStore(store.root), 1)
    fresh = FolderStore(store.root)
    assert fresh.snapshot("c0004") == fresh.read().state
    assert len(list(fresh.histories())) == 4


def test_the_last_chapter_edited_by_hand_is_settled_again_and_keeps_its_bytes(tmp_path: Path) -> None:
    store = a_book(tmp_path, 2)
    book = store.read()
    place = store.root / "chapters/0002.md"
    by_hand = b"#  My own heading\r\n\r\nBy hand.\r\n\r\nWholly.  \r\n"
    place.write_bytes(by_hand)
    earlier = book.index.model_copy(update={"chapters": book.index.chapters[:1]})
    fresh = FolderStore(store.root)
    again = stories.accepted(earlier, fresh.snapshot("c0001"), text=fresh.text("c0002"))
    with fresh.hold("settle"):
        fresh.accept(again)
    assert place.read_bytes() == by_hand
    reader = FolderStore(store.root)
    assert reader.problems() == []
    assert reader.snapshot("c0002") == reader.read().state
    assert [history.chapter for history in reader.histories()] == [1, 2]
    with fresh.hold("settle"), pytest.raises(InkosError) as raised:
        place.write_bytes(by_hand + b"More.\n")
        fresh.accept(again)
    assert raised.value.code == "file-changed"
    assert place.read_bytes() == by_hand + b"More.\n"


def test_a_chapter_settled_again_without_history_loses_the_old_one(tmp_path: Path) -> None:
    store = a_book(tmp_path, 2)
    book = store.read()
    earlier = book.index.model_copy(update={"chapters": book.index.chapters[:1]})
    given = stories.accepted(earlier, store.snapshot("c0001"))
    bare = given.model_copy(update={"history": given.history.model_copy(update={"closed": (), "events": ()})})
    with store.hold("settle"):
        store.accept(bare)
    assert [history.chapter for history in FolderStore(store.root).histories()] == [1]
    assert FolderStore(store.root).snapshot("c0002") == store.read().state
