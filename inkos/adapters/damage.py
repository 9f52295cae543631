"""What is wrong with a book's files, one by one; mends nothing and judges no story."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from inkos.adapters.book_files import INDEX, delta_path
from inkos.adapters.disk import parse_json
from inkos.adapters.file_set import View
from inkos.adapters.hand_edits import author_deltas
from inkos.adapters.pieces import PIECES, SNAPSHOTS, Packs, parse_pack
from inkos.adapters.state_files import STATE_FILES, Order, load_record, load_state
from inkos.errors import InkosError
from inkos.kernel.book import Index
from inkos.kernel.delta import Delta
from inkos.ports import FileProblem
from inkos.records import GENESIS, digest

_KINDS = {"file-missing": "missing", "file-empty": "empty", "file-unreadable": "unreadable"}


def find_problems(root: Path, view: View, *, deep: bool = False) -> list[FileProblem]:
    """Index, state, manuscript and snapshots; `deep` also reads every delta and every piece."""
    try:
        index = load_record(Index, view.read(INDEX), str(root / INDEX))
    except InkosError as error:
        return [_problem(INDEX, error), *_state_problems(view, None)]
    found = [*_index_problems(index, view), *_state_problems(view, index), *_manuscript_problems(index, view)]
    for chapter in (GENESIS, *(entry.id for entry in index.chapters)):
        found += _json_problem(view, f"{SNAPSHOTS}/{chapter}.json")
        if deep:
            order = Order(entry.id for entry in index.chapters)
            found += _delta_problem(view, delta_path(chapter), order)
            found += _try(chapter, partial(author_deltas, view, chapter, order, str))
    if deep:
        found += _pack_problems(view)
    return found


def _problem(path: str, error: InkosError) -> FileProblem:
    kind = _KINDS.get(error.code, "damaged")
    detail = ", ".join(str(value) for value in error.values.values())
    return FileProblem.model_validate({"path": path, "kind": kind, "detail": detail})


def _try(path: str, work: Callable[[], object]) -> Iterator[FileProblem]:
    try:
        work()
    except InkosError as error:
        yield _problem(path, error)


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


def _state_problems(view: View, index: Index | None) -> Iterator[FileProblem]:
    contents: dict[str, bytes] = {}
    for path in STATE_FILES:
        try:
            content = view.read(path)
            parse_json(content, path)
        except InkosError as error:
            yield _problem(path, error)
            continue
        contents[path] = content
        recorded = view.revision.digests.get(path)
        if recorded and digest(content) != recorded:
            yield FileProblem(path=path, kind="changed")
    if index is not None and len(contents) == len(STATE_FILES):
        order = Order(entry.id for entry in index.chapters)
        try:
            load_state(contents, order, lambda path: path)
        except InkosError as error:
            yield _problem(error.where, error)


def _manuscript_problems(index: Index, view: View) -> Iterator[FileProblem]:
    for entry in index.chapters:
        try:
            content = view.read(entry.file)
        except InkosError as error:
            yield _problem(entry.file, error)
            continue
        if not content.strip():
            yield FileProblem(path=entry.file, kind="empty")
        elif digest(content) != entry.text_digest:
            yield FileProblem(path=entry.file, kind="changed")
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
