"""The program's own files of a book whose history is replaced from a position on; knows neither folder nor revision.

Every chapter from there on gets its snapshot anew, each built on the one before. Pieces that the old snapshots named
are found by their hash, so a change in the middle of a book stores what differs and no more.
"""

from __future__ import annotations

from collections.abc import Iterable

from inkos.adapters.book_files import INDEX, delta_bytes, delta_path, entry_bytes, index_bytes
from inkos.adapters.file_set import View
from inkos.adapters.pieces import (
    EMPTY_SHELF,
    SNAPSHOTS,
    Packs,
    PackWriter,
    Shelf,
    SnapshotFile,
    build_snapshot,
    load_shelf,
    pack_path,
)
from inkos.adapters.state_files import Order, Rows, load_record, rows_of, state_files
from inkos.errors import InkosError
from inkos.kernel.book import Index
from inkos.ports import Rewrite


def snapshot_path(chapter: str) -> str:
    return f"{SNAPSHOTS}/{chapter}.json"


def rewritten(view: View, old: Index, change: Rewrite, pack_name: str) -> dict[str, bytes | None]:
    """All files of the change. Raises the InkosError of the snapshot before it, when that cannot be read."""
    order = Order(entry.id for entry in change.index.chapters)
    assert len(change.chapters) == len(order) + 1 - change.since, "a history is replaced to its end"
    packs = Packs(view.read)
    gone = [entry.id for entry in old.chapters if entry.id not in set(order)]
    replaced = [entry.id for entry in old.chapters[max(change.since - 1, 0) :]]
    known = {} if change.anew else _known(view, packs, dict.fromkeys([*replaced, *gone]))
    pack = PackWriter(pack_name, known.get)
    shelf = EMPTY_SHELF
    if change.since:
        shelf = _shelf(view, packs, order.id_at(change.since - 1))
    files: dict[str, bytes | None] = {snapshot_path(chapter): None for chapter in gone}
    files |= {f"story/chapters/{chapter}/entry.json": None for chapter in gone}
    rows: Rows | None = None
    for row in change.chapters:
        chapter = order.id_at(row.state.last_applied_chapter)
        before, rows = rows, rows_of(row.state, order, rows)
        laid = row.history.model_dump_json(context=order.context, exclude_defaults=True).encode()
        files[snapshot_path(chapter)], shelf = build_snapshot(
            row.state, rows, laid if row.history.closed or row.history.events else None, shelf=shelf, before=before,
            pack=pack,
        )  # fmt: skip
        files[f"story/chapters/{chapter}/entry.json"] = entry_bytes(change.index, chapter)
    if rows is not None:
        files.update(state_files(change.chapters[-1].state, rows, shelf.history))
    packed = pack.finish()
    if packed is not None:
        files[pack_path(pack.name)] = packed
    files.update({delta_path(chapter): delta_bytes(delta, order) for chapter, delta in change.deltas.items()})
    return {**files, **change.files, INDEX: index_bytes(change.index)}


def _shelf(view: View, packs: Packs, chapter: str) -> Shelf:
    path = snapshot_path(chapter)
    return load_shelf(load_record(SnapshotFile, view.read(path), path), packs)


def _known(view: View, packs: Packs, chapters: Iterable[str]) -> dict[str, str]:
    """Hash → reference of every piece that the old snapshots name; one that cannot be read names none."""
    known: dict[str, str] = {}
    for chapter in chapters:
        try:
            shelf = _shelf(view, packs, chapter)
        except InkosError:
            continue
        for references in (shelf.open, shelf.history, shelf.nodes):
            known.update((reference.partition("@")[0], reference) for reference in references.values() if reference)
    return known


