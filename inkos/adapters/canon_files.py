"""The program's own files of a book after a chapter, as one set of contents; knows neither folder nor revision."""

from __future__ import annotations

from inkos.adapters.book_files import INDEX, entry_bytes, index_bytes
from inkos.adapters.pieces import SNAPSHOTS, PackWriter, Shelf, build_snapshot, pack_path
from inkos.adapters.state_files import LoadedState, Order, Rows, rows_of, state_files
from inkos.kernel.book import Index
from inkos.kernel.story import History, StoryState


def story_files(
    index: Index, state: StoryState, history: History, before: LoadedState | None, shelf: Shelf, pack_name: str
) -> tuple[dict[str, bytes | None], LoadedState, Shelf]:
    """Index, entry, state, snapshot and pieces of the chapter that `state` ends with; the delta is not among them.
    `before` and `shelf` are those of the state that it was applied on; what both leave out is written anew."""
    order = Order(entry.id for entry in index.chapters)
    chapter = order.id_at(state.last_applied_chapter)
    rows: Rows = rows_of(state, order, before.rows if before else None)
    laid = history.model_dump_json(context=order.context, exclude_defaults=True).encode()
    pack = PackWriter(pack_name)
    snapshot, made = build_snapshot(
        state,
        rows,
        laid if history.closed or history.events else None,
        shelf=shelf,
        before=before.rows if before and shelf.chapter else None,
        pack=pack,
    )
    files: dict[str, bytes | None] = {
        f"story/chapters/{chapter}/entry.json": entry_bytes(index, chapter),
        f"{SNAPSHOTS}/{chapter}.json": snapshot,
        **state_files(state, rows, made.history),
        INDEX: index_bytes(index),
    }
    packed = pack.finish()
    if packed is not None:
        files[pack_path(pack.name)] = packed
    return files, LoadedState(state, made.history, lambda: rows), made
