"""The program's own files of a book whose history is replaced from a position on; knows neither folder nor revision.

Every chapter from there on gets its snapshot anew, each built on the one before. Pieces that are stored already are
found by their hash, so a change in the middle of a book stores what differs and no more.
"""

from __future__ import annotations

from inkos.adapters.book_files import INDEX, delta_bytes, delta_path, entry_bytes, index_bytes
from inkos.adapters.file_set import View
from inkos.adapters.pieces import (
    EMPTY_SHELF,
    PIECES,
    SNAPSHOTS,
    Packs,
    PackWriter,
    Shelf,
    SnapshotFile,
    build_snapshot,
    load_shelf,
    pack_path,
    parse_pack,
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
    known = {} if change.anew else _known(view)
    pack = PackWriter(pack_name, known.get)
    shelf = EMPTY_SHELF
    if change.since and change.chapters:
        shelf = _shelf(view, packs, order.id_at(change.since - 1))
    files: dict[str, bytes | None] = {snapshot_path(chapter): None for chapter in gone}
    files |= {f"story/chapters/{chapter}/entry.json": None for chapter in gone}
    known_rows = {entry.id: entry for entry in old.chapters}
    changed = [entry.id for entry in change.index.chapters if known_rows.get(entry.id) != entry]
    files |= {f"story/chapters/{chapter}/entry.json": entry_bytes(change.index, chapter) for chapter in changed}
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


def _known(view: View) -> dict[str, str]:
    """Hash → reference of every piece that is stored, the first pack that held it first; a pack that cannot be read
    holds none."""
    names = [path.rpartition("/")[2].removesuffix(".pack") for path in view.names(PIECES)]
    known: dict[str, str] = {}
    for name in sorted(names, key=lambda name: ("-" in name, name)):
        try:
            places = parse_pack(view.read(pack_path(name)), name).places
        except InkosError:
            continue
        for piece in places:
            known.setdefault(piece, f"{piece}@{name}")
    return known
