"""Puts back what other files of a book still say: index, state, last snapshot; replays nothing and asks no model.

    lost or damaged              made again from
    story/index.json             story/chapters/<id>/entry.json, in the order of the summaries, else of their positions
    a chapter twice in it        the row whose digest is that of the file stays
    story/state/*.json           the snapshot of the index's last chapter
    the last chapter's snapshot  story/state/*.json

What stood there before goes to the bin. What cannot be made from these (a chapter's text, a snapshot in the middle) is
left to a replay of the deltas or to a backup, and the error names the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from inkos.adapters.book_files import INDEX, EntryFile, index_bytes
from inkos.adapters.disk import digest_of
from inkos.adapters.file_set import View
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.names import inside
from inkos.adapters.pieces import (
    EMPTY_SHELF,
    SNAPSHOTS,
    Packs,
    PackWriter,
    SnapshotFile,
    build_snapshot,
    load_shelf,
    load_snapshot,
    pack_path,
)
from inkos.adapters.state_files import STATE_FILES, SUMMARIES, Order, load_record, rows_of, state_files
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry, Index
from inkos.ports import FileSet
from inkos.records import GENESIS


def restore(store: FolderStore, doing: str) -> list[str]:
    """Mend what can be mended; the paths that were written anew. Raises the InkosError of what cannot."""
    written: list[str] = []
    with store.hold(doing):
        index, changed = _index(store)
        if changed:
            written += _write(store, {INDEX: index_bytes(index)})
        last = index.chapters[-1].id if index.chapters else GENESIS
        if _differs(store, STATE_FILES) or not _loads(store):
            try:
                files = _state_from_snapshot(store, index)
            except InkosError:
                if not _loads(store):
                    raise
                files = {}
            written += _write(store, files)
        try:
            store.snapshot(last)
        except InkosError:
            written += _write(store, _snapshot_from_state(store))
    return written


def _state_from_snapshot(store: FolderStore, index: Index) -> dict[str, bytes]:
    """The four files of the state as the snapshot of the index's last chapter has it."""
    order = Order(entry.id for entry in index.chapters)
    path = f"{SNAPSHOTS}/{order.id_at(len(order))}.json"

    def work(view: View) -> dict[str, bytes]:
        snapshot, packs = load_record(SnapshotFile, view.read(path), store.where(path)), Packs(view.read)
        state = load_snapshot(snapshot, packs, order, store.where(path))
        return state_files(state, rows_of(state, order), load_shelf(snapshot, packs).history)

    return store.sets.at_one_revision(work)


def _snapshot_from_state(store: FolderStore) -> dict[str, bytes]:
    """The last chapter's snapshot with all its pieces, as the state has it; history stays as the state names it."""
    index = store.index()
    loaded = store.sets.at_one_revision(lambda view: store.loaded(view, index))
    chapter = loaded.rows.order.id_at(loaded.state.last_applied_chapter)
    pack = PackWriter(store.free_pack(chapter))
    shelf = EMPTY_SHELF._replace(history=dict(loaded.history))
    laid = loaded.history.get(chapter)
    snapshot, _ = build_snapshot(
        loaded.state, loaded.rows, Packs(store.read_now).get(laid) if laid else None, shelf=shelf, before=None,
        pack=pack,
    )  # fmt: skip
    packed = pack.finish()
    files = {f"{SNAPSHOTS}/{chapter}.json": snapshot}
    return files | ({pack_path(pack.name): packed} if packed is not None else {})


def _loads(store: FolderStore) -> bool:
    try:
        store.state()
    except InkosError:
        return False
    return True


def _differs(store: FolderStore, paths: Iterable[str]) -> bool:
    digests = store.sets.revision().digests
    return any(path in digests and digest_of(inside(store.root, path)) != digests[path] for path in paths)


def _write(store: FolderStore, files: dict[str, bytes]) -> list[str]:
    """Write these files; what stood there goes to the bin."""
    old = {path: digest_of(store.root / path) for path in files}
    changed = {path: content for path, content in files.items() if content != _content(store, path)}
    if not files:
        return []
    revision = store.sets.revision().revision + 1
    for path in changed:
        if old[path]:
            store.sets.keep_copy(revision, path, store.root / path)
    # All of `files`, changed or not: the revision then records their digests as ours.
    store.commit(FileSet(files=dict(files), expect=old))
    return sorted(changed)


def _content(store: FolderStore, path: str) -> bytes | None:
    place = store.root / path
    return place.read_bytes() if place.is_file() else None


def _index(store: FolderStore) -> tuple[Index, bool]:
    """The index, and whether it is another than the one on disk."""
    try:
        index = store.index()
    except InkosError as error:
        if error.code == "schema-newer":
            raise
        return _index_from_entries(store), True
    chosen: dict[str, ChapterEntry] = {}
    for entry in index.chapters:
        twin = next((row for row in chosen.values() if entry.id == row.id or entry.file == row.file), None)
        if twin is None:
            chosen[entry.id] = entry
        elif digest_of(inside(store.root, entry.file)) == entry.text_digest and entry.id == twin.id:
            chosen[twin.id] = entry
    if len(chosen) == len(index.chapters):
        return index, _differs(store, [INDEX])
    return index.model_copy(update={"chapters": tuple(chosen.values())}), True


def _index_from_entries(store: FolderStore) -> Index:
    found: list[EntryFile] = []
    for place in sorted((store.root / "story/chapters").glob("*/entry.json")):
        record = load_record(EntryFile, place.read_bytes(), str(place))
        # An entry without its text is not canon any more (deleted), or its text is lost: `problems` names that.
        found.append(record)
    if not found:
        raise InkosError("file-missing", where=str(store.root / "story/chapters"))
    minted: dict[str, int] = {}
    for record in found:
        for letter, count in record.minted.items():
            minted[letter] = max(count, minted.get(letter, 0))
    rows = [record for record in found if record.entry is not None]
    places = _summary_order(store)
    if places:
        rows = [row for row in rows if row.entry and row.entry.id in places]
        rows.sort(key=lambda row: places[row.entry.id] if row.entry else 0)
    else:
        rows.sort(key=lambda row: (row.position, row.entry.file if row.entry else ""))
    book_id = store.config().id
    return Index(book_id=book_id, chapters=tuple(row.entry for row in rows if row.entry), minted=minted)


def _summary_order(store: FolderStore) -> dict[str, int]:
    """Chapter id → place, as the summaries have them; empty when they cannot be read."""
    try:
        data = json.loads((store.root / SUMMARIES).read_bytes())
        return {chapter: number for number, chapter in enumerate(data["summaries"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}

