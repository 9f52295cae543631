"""Warns when a book is like another of the workspace; what counts as alike is decided in inkos/gates/sameness.py."""

from __future__ import annotations

from inkos.actions.table import Door
from inkos.batch_ports import Board
from inkos.errors import InkosError
from inkos.gates.sameness import Portrait, alike
from inkos.kernel.story import Entity
from inkos.text.repeat import sampled, shingles

MOST_RUNS = 4_000  # of a portrait: some tens of kilobytes for a hundred books


def warn_alike(door: Door, board: Board, batch: str, book: str) -> None:
    """Compare a book with all others, and say in the batch's log what they share."""
    own = portrait(door, book)
    known = {each.book: each for each in board.portraits()}
    board.keep_portrait(own)
    others = [known[name] if name in known else _kept(door, board, name) for name in door.workspace.books()]
    for found in alike(own, [other for other in others if other is not None]):
        board.log(batch, book, f"alike-{found.kind}", {"other": found.other, "what": found.what})


def _kept(door: Door, board: Board, book: str) -> Portrait | None:
    """The portrait of a book that nobody has looked at yet; null when it cannot be read."""
    try:
        made = portrait(door, book)
    except InkosError:
        return None
    board.keep_portrait(made)
    return made


def portrait(door: Door, book: str) -> Portrait:
    store = door.workspace.store(book)
    read = store.read(recent=0)
    language = read.config.language
    chapters = read.index.chapters
    first = store.text(chapters[0].id) if chapters else ""
    papers = "\n".join((read.intent, *(text for _, text in read.bible), first))
    runs = sorted(sampled(shingles(papers, language)))[:MOST_RUNS]
    return Portrait(book=book, language=language, title=read.config.title, opening=first.strip()[:400],
                    people=tuple(entity.name for entity in _people(read.state.entities)), runs=tuple(runs))  # fmt: skip


def _people(entities: dict[str, Entity]) -> list[Entity]:
    return [entity for entity in entities.values() if entity.kind == "person"]
