"""What is wrong with a book's files, one by one; mends nothing and judges no story."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from inkos.adapters.book_files import INDEX, EntryFile, author_text, delta_path
from inkos.adapters.config_files import BOOK_FILE, parse_book
from inkos.adapters.disk import parse_json
from inkos.adapters.file_set import View
from inkos.adapters.hand_edits import author_deltas
from inkos.adapters.pieces import PIECES, SNAPSHOTS, Packs, SnapshotFile, load_snapshot, parse_pack
from inkos.adapters.state_files import STATE_FILES, Order, load_record, load_state
from inkos.errors import InkosError
from inkos.kernel.book import Index
from inkos.kernel.delta import Delta
from inkos.ports import FileProblem
from inkos.records import GENESIS, digest

_KINDS = {"file-missing": "missing", "file-empty": "empty", "file-unreadable": "unreadable"}


def find_problems(
    root: Path, view: View, deep: bool = False, sound: tuple[Index, Mapping[str, bytes]] | None = None
) -> list[FileProblem]:
    """Index, state, manuscript, and whether every snapshot is there; `deep` also reads snapshots, deltas and pieces.
    `sound`: an index and the state's files under it that have been loaded without fault; they are not parsed again."""
    try:
        index = load_record(Index, view.read(INDEX), str(root / INDEX))
    except InkosError as error:
        own = own_problems(view) if deep else []
        return [*own, problem_of(INDEX, error), *_state_problems(view, None, {})]
    own = own_problems(view) if deep else []
    known = sound[1] if sound and sound[0] == index else {}
    found = [*own, *_index_problems(index, view), *_state_problems(view, index, known)]
    found += _manuscript_problems(index, view)
    there, order = set(view.names(SNAPSHOTS)), Order(entry.id for entry in index.chapters)
    for chapter in (GENESIS, *order):
        path = f"{SNAPSHOTS}/{chapter}.json"
        if deep:
            found += _json_problem(view, path)
            found += _delta_problem(view, delta_path(chapter), order)
            found += _author_delta_problems(view, chapter, order)
            found += _entry_problem(view, chapter)
            found += _snapshot_problem(view, chapter, order)
        elif path not in there:
            found.append(FileProblem(path=path, kind="missing"))
    if deep:
        found += _pack_problems(view)
        found += _history_problems(view, index)
    return list(dict.fromkeys(found))


def _author_delta_problems(view: View, chapter: str, order: Order) -> Iterator[FileProblem]:
    try:
        author_deltas(view, chapter, order, str)
    except InkosError as error:
        yield problem_of(error.where, error)


def _entry_problem(view: View, chapter: str) -> Iterator[FileProblem]:
    path = f"story/chapters/{chapter}/entry.json"
    return _try(path, lambda: load_record(EntryFile, view.read(path), path))


def _snapshot_problem(view: View, chapter: str, order: Order) -> Iterator[FileProblem]:
    """A piece that a snapshot needs, and cannot be read, makes the snapshot useless: it is named at the snapshot."""
    path = f"{SNAPSHOTS}/{chapter}.json"
    return _try(path, lambda: load_snapshot(load_record(SnapshotFile, view.read(path), path), Packs(view.read), order,
                                            path))  # fmt: skip


def _history_problems(view: View, index: Index) -> Iterator[FileProblem]:
    """What chapters laid to rest is read by nobody but questions about the past: it is looked at here."""
    order = Order(entry.id for entry in index.chapters)
    try:
        references = load_state({path: view.read(path) for path in STATE_FILES}, order, str).history
    except InkosError:
        return
    packs = Packs(view.read)
    for chapter, reference in references.items():
        yield from _try(f"{SNAPSHOTS}/{chapter}.json", partial(packs.get, reference))


OWN_FILES = ("intent.md", "focus.md", "outline.md")


def own_problems(view: View) -> list[FileProblem]:
    """The author's own files: settings and papers that every command reads."""
    found = list(_try(BOOK_FILE, lambda: parse_book(view.read(BOOK_FILE), BOOK_FILE)))
    for path in (*OWN_FILES, *view.names("bible"), *view.names("prompts")):
        content = None
        try:
            content = view.read_if_there(path)
        except InkosError as error:
            found.append(problem_of(path, error))
        if content is not None:
            found += _try(path, partial(author_text, content, path))
    return found


def problem_of(path: str, error: InkosError) -> FileProblem:
    kind = _KINDS.get(error.code, "damaged")
    if kind == "unreadable" and not Path(error.where).as_posix().endswith(path):
        kind = "damaged"  # it is another file that cannot be read, and that one is named by itself
    detail = ", ".join(str(value) for value in error.values.values())
    return FileProblem.model_validate({"path": path, "kind": kind, "detail": detail})


def _try(path: str, work: Callable[[], object]) -> Iterator[FileProblem]:
    try:
        work()
    except InkosError as error:
        yield problem_of(path, error)


def _json_problem(view: View, path: str) -> Iterator[FileProblem]:
    return _try(path, lambda: parse_json(view.read(path), path))


def _delta_problem(view: View, path: str, order: Order) -> Iterator[FileProblem]:
    return _try(path, lambda: load_record(Delta, view.read(path), path, order.context))


def _index_problems(index: Index, view: View) -> Iterator[FileProblem]:
    recorded = view.revision.digests.get(INDEX)
    if recorded and digest(view.read(INDEX)) != recorded:
        yield FileProblem(path=INDEX, kind="changed")
    for name, values in {
        "id": Counter(entry.id for entry in index.chapters),
        "file": Counter(entry.file for entry in index.chapters),
    }.items():
        for value, times in values.items():
            if times > 1:
                yield FileProblem(path=INDEX, kind="damaged", detail=f"{name} {value} stands {times} times")


def _state_problems(view: View, index: Index | None, sound: Mapping[str, bytes]) -> Iterator[FileProblem]:
    contents: dict[str, bytes] = {}
    for path in STATE_FILES:
        try:
            content = view.read(path)
            if sound.get(path) != content:
                parse_json(content, path)
        except InkosError as error:
            yield problem_of(path, error)
            continue
        contents[path] = content
        recorded = view.revision.digests.get(path)
        if recorded and digest(content) != recorded:
            yield FileProblem(path=path, kind="changed")
    if index is not None and len(contents) == len(STATE_FILES) and contents != sound:
        order = Order(entry.id for entry in index.chapters)
        try:
            load_state(contents, order, lambda path: path)
        except InkosError as error:
            yield problem_of(error.where, error)


def _manuscript_problems(index: Index, view: View) -> Iterator[FileProblem]:
    for entry in index.chapters:
        try:
            content = view.read(entry.file)
        except InkosError as error:
            yield problem_of(entry.file, error)
            continue
        if not content.strip():
            yield FileProblem(path=entry.file, kind="empty")
        elif digest(content) != entry.text_digest:
            unreadable = list(_try(entry.file, partial(author_text, content, entry.file)))
            yield from unreadable or [FileProblem(path=entry.file, kind="changed")]
    known = {entry.file for entry in index.chapters}
    for path in view.names("chapters"):
        name = path.rpartition("/")[2]
        if path not in known and not name.startswith((".", "~")):
            yield FileProblem(path=path, kind="extra")


def _pack_problems(view: View) -> Iterator[FileProblem]:
    for path in view.names(PIECES):
        name = path.rpartition("/")[2].removesuffix(".pack")

        def check(path: str = path, name: str = name) -> None:
            packs = Packs(view.read)
            for piece in parse_pack(view.read(path), path).places:
                json.loads(packs.get(f"{piece}@{name}"))

        yield from _try(path, check)
