"""A book's folder: what is accepted is read back, whole; half of it never; growth does not make it slower."""

from __future__ import annotations

import errno
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from inkos.adapters.disk import Files
from inkos.adapters.file_set import PRIVATE
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.state_files import STATE_FILES
from inkos.adapters.workspace import WorkspaceFolder
from inkos.errors import InkosError, UsageFault
from inkos.kernel.book import Book
from inkos.ports import FileSet
from inkos.records import digest
from tests.adapters import stories
from tests.adapters.stopping import StoppedError, StoppingFiles

UNSYNCED = Files(durable=False)


def a_book(root: Path, chapters: int = 0) -> FolderStore:
    state, delta, history = stories.genesis()
    place = WorkspaceFolder(root, UNSYNCED).create_book(
        stories.BOOK, stories.config(), stories.FILES, delta, state, history, {"p": 1}
    )
    store = FolderStore(place, files=UNSYNCED)
    write(store, chapters)
    return store


def write(store: FolderStore, chapters: int) -> None:
    with store.hold("write next"):
        for _ in range(chapters):
            book = store.read()
            store.accept(stories.accepted(book.index, book.state))


def contents(root: Path) -> dict[str, bytes]:
    """Every file of a book but what is private to this machine."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and PRIVATE not in path.parts
    }


def without_token(files: dict[str, bytes]) -> dict[str, bytes]:
    """The token counts holders, and a stop makes one more of them; all else must be the same."""
    revision = json.loads(files["story/revision.json"])
    return {**files, "story/revision.json": json.dumps({**revision, "token": 0}).encode()}


def test_a_new_book_is_read_back_as_it_was_founded(tmp_path: Path) -> None:
    book = a_book(tmp_path).read()
    state, _, _ = stories.genesis()
    assert book.state == state
    assert book.config == stories.config()
    assert book.next_position == 1 and book.recent == ()
    assert book.intent == "Where it goes." and book.focus == "The next three."
    assert [entry.key for entry in book.outline.entries] == ["quay"]
    assert dict(book.bible)["bible/cast.md"] == stories.FILES["bible/cast.md"]
    assert book.voices == {"Mara": ("“Not tonight.”", "“Count it again.”")}
    assert book.prompts == {"draft.md": "Short sentences.\n"}


def test_an_accepted_chapter_is_read_back_whole(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    book = store.read()
    given = stories.accepted(book.index, book.state)
    with store.hold("write next"):
        assert store.accept(given) == book.revision + 1
    again = FolderStore(store.root)
    read = again.read()
    assert read.state == given.state and list(read.state.facts) == list(given.state.facts)
    assert read.recent == (given.text,)
    entry = read.index.chapters[0]
    manuscript = (store.root / entry.file).read_bytes()
    assert manuscript.decode() == f"# {entry.title}\n\n{given.text}\n"
    assert entry.text_digest == digest(manuscript)
    assert again.text("c0001") == given.text
    assert again.delta("c0001") == given.delta
    assert again.snapshot("c0001") == given.state
    assert again.snapshot("genesis") == book.state
    assert list(again.histories()) == [given.history]
    assert again.chapter_file("c0001", "plan.json") == b'{"plan": true}\n'
    assert again.chapter_file("c0001", "nothing.json") is None
    assert (store.root / "runs/run-0001/run.json").read_bytes() == given.run[1]  # type: ignore[index]
    assert again.problems() == []


def test_every_snapshot_is_the_state_after_its_chapter(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    states = [store.read().state]
    for _ in range(12):
        # A fresh store each time: what it keeps in memory must not matter.
        fresh = FolderStore(store.root, files=UNSYNCED)
        write(fresh, 1)
        states.append(fresh.read().state)
    reader = FolderStore(store.root)
    for position, state in enumerate(states):
        name = "genesis" if position == 0 else stories.chapter_id(position)
        snapshot = reader.snapshot(name)
        assert snapshot == state
        for table in ("entities", "facts", "hooks"):
            assert list(getattr(snapshot, table)) == list(getattr(state, table))


def test_one_long_process_and_many_short_ones_write_the_same_files(tmp_path: Path) -> None:
    long = a_book(tmp_path / "long", 6)
    short = a_book(tmp_path / "short")
    for _ in range(6):
        write(FolderStore(short.root, files=UNSYNCED), 1)
    assert without_token(contents(long.root)) == without_token(contents(short.root))


def test_what_changes_without_a_row_of_its_own_reaches_the_snapshot_too(tmp_path: Path) -> None:
    store = a_book(tmp_path, 4)
    book = store.read()
    given = stories.accepted(book.index, book.state)
    # The beliefs have no rows, and a person may turn out to have been met earlier.
    met = given.state.entities["c0002.p1"].model_copy(update={"introduced_at": 1})
    state = given.state.model_copy(update={"beliefs": (), "entities": {**given.state.entities, met.id: met}})
    with store.hold("write next"):
        store.accept(given.model_copy(update={"state": state}))
    snapshot = FolderStore(store.root).snapshot("c0005")
    assert snapshot == state
    assert len(snapshot.entities) == len(state.entities)
    assert FolderStore(store.root).snapshot("c0004") == book.state


def test_files_name_chapters_by_id_never_by_position(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    state = json.loads((store.root / "story/state/current_state.json").read_bytes())
    assert state["chapter"] == "c0003"
    assert state["facts"]["c0002.f2"]["valid_from_chapter"] == "c0002"
    assert state["facts"]["c0002.f2"]["evidence"]["chapter"] == "c0002"
    hooks = json.loads((store.root / "story/state/hooks.json").read_bytes())
    assert hooks["hooks"]["c0001.h1"]["last_advanced_chapter"] == "c0003"


def test_the_open_state_is_one_record_a_line(tmp_path: Path) -> None:
    store = a_book(tmp_path, 5)
    lines = (store.root / "story/state/current_state.json").read_text().splitlines()
    assert sum(line.startswith('"c0003.') for line in lines) == 4  # one person, three facts that stayed
    index = (store.root / "story/index.json").read_text().splitlines()
    assert sum("chapters/0004.md" in line for line in index) == 1


def test_a_state_that_an_editor_laid_out_otherwise_is_read_all_the_same(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    expected = store.read().state
    for path in STATE_FILES:
        place = store.root / path
        place.write_text(json.dumps(json.loads(place.read_bytes()), indent=4))
    assert FolderStore(store.root).read().state == expected
    assert {problem.kind for problem in store.problems()} == {"changed"}


# --- stops


def operations(tmp_path: Path) -> int:
    store = a_book(tmp_path / "count", 2)
    counting = StoppingFiles()
    write(FolderStore(store.root, files=counting), 1)
    return counting.count


@pytest.mark.parametrize("torn", [False, True])
def test_a_stop_at_any_operation_of_an_acceptance_leaves_the_book_before_or_after(tmp_path: Path, torn: bool) -> None:
    model = a_book(tmp_path / "model", 2)
    before = without_token(contents(model.root))
    pristine = tmp_path / "pristine"
    shutil.copytree(model.root, pristine)
    write(model, 1)
    after = without_token(contents(model.root))
    seen = set()
    for stop in range(1, operations(tmp_path) + 1):
        root = tmp_path / f"stop-{torn}-{stop}"
        shutil.copytree(pristine, root)
        with pytest.raises(StoppedError):
            write(FolderStore(root, files=StoppingFiles(stop, torn=torn)), 1)
        reader: Book = FolderStore(root).read()
        assert FolderStore(root).problems() == []
        survivor = FolderStore(root, files=UNSYNCED)
        with survivor.hold("resume"):
            pass
        found = without_token(contents(root))
        assert found in (before, after)
        assert survivor.read() == reader
        write(survivor, 3 - len(reader.index.chapters))
        assert without_token(contents(root)) == after, "going on gives what an undisturbed run gives"
        seen.add(len(reader.index.chapters))
        shutil.rmtree(root)
    assert seen == {2, 3}


def test_a_stop_at_any_operation_of_a_creation_leaves_no_half_book(tmp_path: Path) -> None:
    state, delta, history = stories.genesis()
    seen = set()
    for stop in range(1, 200):
        root = tmp_path / str(stop)
        doer = StoppingFiles(stop, torn=stop % 2 == 0)
        arguments: Any = (stories.BOOK, stories.config(), stories.FILES, delta, state, history, {})
        try:
            WorkspaceFolder(root, doer).create_book(*arguments)
        except StoppedError:
            books = WorkspaceFolder(root, UNSYNCED).books()
            seen.add(tuple(books))
            if books:
                assert FolderStore(root / "books" / stories.BOOK).problems() == []
                continue
            WorkspaceFolder(root, UNSYNCED).create_book(*arguments)
            assert [item.name for item in (root / "books").iterdir()] == [stories.BOOK]
            continue
        break
    else:
        raise AssertionError("the creation never came to its end")
    assert seen == {(), (stories.BOOK,)}


def test_a_full_disk_while_a_book_is_created_is_named_and_leaves_nothing(tmp_path: Path) -> None:
    state, delta, history = stories.genesis()

    class Full(Files):
        def write(self, path: Path, content: bytes) -> None:
            if "books" in path.parts and path.parent.name == "stage":
                raise OSError(errno.ENOSPC, "No space left on device", str(path))
            super().write(path, content)

    workspace = WorkspaceFolder(tmp_path, Full())
    with pytest.raises(InkosError) as raised:
        workspace.create_book(stories.BOOK, stories.config(), stories.FILES, delta, state, history, {})
    assert raised.value.code == "disk-full"
    assert list((tmp_path / "books").iterdir()) == []


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk-full"), (errno.EROFS, "folder-read-only"), (errno.EACCES, "folder-read-only"),
     (errno.EIO, "disk-error")],
)  # fmt: skip
def test_what_the_disk_refuses_is_named_and_the_book_stays(tmp_path: Path, number: int, code: str) -> None:
    class Refusing(Files):
        def write(self, path: Path, content: bytes) -> None:
            if path.parent.name == "stage":
                raise OSError(number, "refused", str(path))
            super().write(path, content)

    store = a_book(tmp_path, 1)
    before = contents(store.root)
    with pytest.raises(InkosError) as raised:
        write(FolderStore(store.root, files=Refusing()), 1)
    assert raised.value.code == code
    assert contents(store.root) == before


# --- what is not the program's to overwrite


def test_a_chapter_file_that_stands_there_already_is_not_written_over(tmp_path: Path) -> None:
    store = a_book(tmp_path, 1)
    mine = store.root / "chapters/0002.md"
    mine.write_text("# Mine\n\nBy hand.\n")
    with pytest.raises(InkosError) as raised:
        write(store, 1)
    assert raised.value.code == "file-changed" and raised.value.where == str(mine)
    assert mine.read_text() == "# Mine\n\nBy hand.\n"
    assert len(store.index().chapters) == 1


def test_a_state_file_changed_from_outside_stops_an_acceptance_before_anything_is_written(tmp_path: Path) -> None:
    store = a_book(tmp_path, 2)
    place = store.root / "story/state/hooks.json"
    place.write_text(place.read_text().replace("promise 1", "promise one"))
    before = contents(store.root)
    with pytest.raises(InkosError) as raised:
        write(FolderStore(store.root), 1)
    assert raised.value.code == "state-edited" and raised.value.where == str(place)
    assert contents(store.root) == before


def test_writing_without_the_lease_is_a_bug(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    with pytest.raises(AssertionError):
        store.commit(FileSet(files={"focus.md": b"x"}))


def test_an_author_s_file_changes_through_a_set_only_as_it_was_expected(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    old = digest((store.root / "focus.md").read_bytes())
    with store.hold("focus"):
        store.commit(FileSet(files={"focus.md": b"Now this.\n"}, expect={"focus.md": old}))
        with pytest.raises(InkosError):
            store.commit(FileSet(files={"focus.md": b"And this.\n"}, expect={"focus.md": old}))
    assert store.read().focus == "Now this."


# --- damage


INDEX = "story/index.json"
DAMAGE: list[tuple[str, bytes | None, str, str]] = [
    (path, content, code, kind)
    for path in (INDEX, *STATE_FILES)
    for content, code, kind in (
        (None, "file-missing", "missing"),
        (b"", "file-empty", "empty"),
        (b'[{"number":1,', "file-damaged", "damaged"),
        (b"\xff\xfe\x00", "file-damaged", "damaged"),
        (b'{"schema_version": 99}', "schema-newer", "damaged"),
    )
]


@pytest.mark.parametrize(("path", "content", "code", "kind"), DAMAGE)
def test_missing_empty_damaged_and_newer_files_are_told_apart(
    tmp_path: Path, path: str, content: bytes | None, code: str, kind: str
) -> None:
    store = a_book(tmp_path, 2)
    place = store.root / path
    if content is None:
        place.unlink()
    else:
        place.write_bytes(content)
    before = contents(store.root)
    with pytest.raises(InkosError) as raised:
        FolderStore(store.root).read()
    assert (raised.value.code, raised.value.where) == (code, str(place))
    assert (path, kind) in {(problem.path, problem.kind) for problem in store.problems()}
    with pytest.raises(InkosError):
        write(FolderStore(store.root), 1)
    assert contents(store.root) == before, "nothing is written over a damaged file"


def test_chapter_files_that_differ_from_the_index_are_named(tmp_path: Path) -> None:
    store = a_book(tmp_path, 4)
    chapters = store.root / "chapters"
    (chapters / "0001.md").unlink()
    (chapters / "0002.md").write_bytes(b"\n")
    (chapters / "0003.md").write_text("# Gate 3\n\nBy hand.\n")
    (chapters / "0000_prologue.md").write_text("# Before\n\nLong ago.\n")
    (chapters / ".0003.md.swp").write_text("an editor's")
    found = {(problem.path, problem.kind) for problem in store.problems()}
    assert found == {
        ("chapters/0001.md", "missing"),
        ("chapters/0002.md", "empty"),
        ("chapters/0003.md", "changed"),
        ("chapters/0000_prologue.md", "extra"),
    }


def test_damaged_snapshots_and_pieces_are_named(tmp_path: Path) -> None:
    store = a_book(tmp_path, 3)
    (store.root / "story/snapshots/c0001.json").unlink()
    (store.root / "story/snapshots/c0002.json").write_text("{")
    pack = store.root / "story/pieces/c0003.pack"
    pack.write_bytes(pack.read_bytes()[:-3])
    found = {(problem.path, problem.kind) for problem in store.problems(deep=True)}
    assert found == {
        ("story/snapshots/c0001.json", "missing"),
        ("story/snapshots/c0002.json", "damaged"),
        ("story/snapshots/c0003.json", "damaged"),
        ("story/pieces/c0003.pack", "damaged"),
    }
    with pytest.raises(InkosError) as raised:
        FolderStore(store.root).snapshot("c0003")
    assert raised.value.code == "file-damaged"


def test_a_book_of_a_newer_format_gets_no_lock(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    shutil.rmtree(store.root / PRIVATE)
    place = store.root / "story/revision.json"
    place.write_text(json.dumps({**json.loads(place.read_bytes()), "schema_version": 99}))
    with pytest.raises(InkosError) as raised, FolderStore(store.root).hold("write"):
        pass
    assert raised.value.code == "schema-newer"
    assert not (store.root / PRIVATE).exists()


def test_a_copied_book_works_where_it_lands(tmp_path: Path) -> None:
    store = a_book(tmp_path, 2)
    copy = tmp_path / "elsewhere"
    shutil.copytree(store.root, copy, ignore=shutil.ignore_patterns(PRIVATE))
    write(FolderStore(copy), 1)
    assert len(FolderStore(copy).read().index.chapters) == 3
    assert FolderStore(copy).problems() == []


# --- growth


def cost_of_the_next_chapter(store: FolderStore) -> tuple[int, int]:
    """Operations, and bytes written besides the files that hold the whole open state and the index."""

    class Weighing(StoppingFiles):
        def write(self, path: Path, content: bytes) -> None:
            self.whole = getattr(self, "whole", 0)
            if content.startswith(b'{\n"schema_version":1,\n"') and b'"groups"' not in content[:200]:
                self.whole += len(content)
            super().write(path, content)

    weighing = Weighing()
    write(FolderStore(store.root, files=weighing), 1)
    return weighing.count, weighing.written - weighing.whole


def test_accepting_a_chapter_does_not_cost_more_as_the_book_grows(tmp_path: Path) -> None:
    store = a_book(tmp_path, 20)
    early_operations, early_bytes = cost_of_the_next_chapter(store)
    write(store, 139)
    late_operations, late_bytes = cost_of_the_next_chapter(store)
    assert late_operations <= early_operations + 2
    # The snapshot file names one node per 32 chapters: about 50 bytes each.
    assert late_bytes - early_bytes <= 60 * (160 - 20) / 32 + 0.5 * early_bytes
    folders = [store.root / "story/snapshots", store.root / "story/pieces"]
    sizes = [path.stat().st_size for folder in folders for path in folder.iterdir()]
    assert sum(sizes) / 160 < 5_000, "snapshots with their pieces, bytes a chapter"


def test_a_book_that_is_no_book_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InkosError) as raised, FolderStore(tmp_path / "nothing").hold("write"):
        pass
    assert raised.value.code == "book-missing"
    assert not (tmp_path / "nothing").exists()


def test_unsafe_ids_and_names_are_refused(tmp_path: Path) -> None:
    store = a_book(tmp_path)
    for name in ("../x", "a/b", "", "..", ".hidden", "con", "x" * 200):
        with pytest.raises(UsageFault):
            store.chapter_file("genesis", name)
        with pytest.raises(UsageFault):
            store.snapshot(name)
