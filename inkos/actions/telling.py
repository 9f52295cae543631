"""A book's story as its deltas and texts tell it: chapters ready to be folded, the state before one; writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inkos.cycle.refold import Told, joined, refold
from inkos.errors import InkosError
from inkos.kernel.book import Book, ChapterEntry
from inkos.kernel.delta import Delta
from inkos.kernel.reduce import apply
from inkos.kernel.replay import empty
from inkos.kernel.rules import Rules
from inkos.kernel.story import History, StoryState
from inkos.ports import BookStore
from inkos.records import GENESIS


class Anew(NamedTuple):
    """What takes the place of what lies in the book: files by path (null: gone), deltas by chapter id."""

    files: Mapping[str, bytes | None]
    deltas: Mapping[str, Delta]


def delta_path(chapter: str) -> str:
    return f"story/chapters/{chapter}/delta.json"


def founding(store: BookStore, book: Book, rules: Rules, genesis: Delta) -> tuple[StoryState, History]:
    """The first state and its history, what its author adopted before the first chapter included."""
    before = empty(book.state.book_id, book.config.language)
    done = apply(before, genesis, "", rules, sources=dict(book.bible))
    assert done.state is not None and done.history is not None, "a founding leaves out what it cannot take"
    state, history = done.state, done.history
    for delta in store.author_deltas(GENESIS):
        more = apply(state, delta, "", rules)
        if more.state is not None and more.history is not None:
            state, history = more.state, joined(history, more.history)
    return state, history


def state_before(store: BookStore, book: Book, position: int, rules: Rules) -> StoryState:
    """The state before `position`, from its snapshot; where that cannot be read, folded from the last one that can,
    or from the genesis."""
    old = book.index.chapters
    for last in range(position - 1, -1, -1):
        try:
            state = store.snapshot(old[last - 1].id if last else GENESIS)
        except InkosError:
            continue
        break
    else:
        last, (state, _) = 0, founding(store, book, rules, store.delta(GENESIS))
    between = told_chapters(store, old[last : position - 1], old, None)
    return refold(state, between, rules)[-1].state if between else state


class _Places:
    """Chapter ids in order for reading a delta (inkos/records.py ChapterAt); an id that is gone stands for the delta's
    own chapter."""

    def __init__(self, order: Sequence[str], own: int) -> None:
        self._at, self._own = {chapter: number for number, chapter in enumerate(order)}, own

    def index(self, value: str) -> int:
        return self._at.get(value, self._own)


def told_chapters(
    store: BookStore, wanted: Sequence[ChapterEntry], order: Sequence[ChapterEntry], anew: Anew | None
) -> list[Told]:
    """These chapters with deltas and prose as they are, or as `anew` has them. Raises `chapter-lost`."""
    ids = [row.id for row in order]
    places = {chapter: number for number, chapter in enumerate(ids)}
    return [told_chapter(store, row, _Places(ids, places[row.id]), anew) for row in wanted]


def told_chapter(store: BookStore, row: ChapterEntry, order: _Places, anew: Anew | None) -> Told:
    files = anew.files if anew else {}

    def content(path: str) -> bytes | None:
        return files[path] if path in files else store.file(path)

    def parsed(path: str) -> Delta | None:
        found = content(path)
        if found is None:
            return None
        try:
            return Delta.model_validate_json(found, context={"chapters": order})
        except ValueError as fault:
            raise InkosError("file-damaged", where=path, detail=str(fault)[:200]) from fault

    own = anew.deltas.get(row.id) if anew else None
    own = own or parsed(delta_path(row.id))
    prose = content(row.file)
    if own is None or not (prose or b"").strip():
        lost = delta_path(row.id) if own is None else row.file
        raise InkosError("chapter-lost", where=lost, chapter=order.index(row.id) + 1, title=row.title)
    assert prose is not None
    deltas = [own]
    while (author := parsed(f"story/chapters/{row.id}/author-{len(deltas)}.json")) is not None:
        deltas.append(author)
    return Told(row, tuple(deltas), store.prose(row.file, prose))
