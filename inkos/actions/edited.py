"""Chapters whose files were edited since they were accepted: how long they are now, and what they no longer say."""

from __future__ import annotations

from collections.abc import Iterable

from inkos.actions.telling import Anew, told_chapters
from inkos.cycle.ripple import unproven
from inkos.errors import InkosError
from inkos.kernel.book import Book, ChapterEntry
from inkos.ports import BookStore, FileProblem
from inkos.records import Record
from inkos.text.count import count


class Lost(Record):
    """Something of the state whose words are no longer in the chapter's file: the table of its delta, and the words."""

    kind: str
    quote: str


class Edited(Record):
    """`words`: the length now, `accepted`: that of the text as it was accepted, in the book's counting unit."""

    position: int
    title: str
    words: int
    accepted: int
    lost: tuple[Lost, ...]


def lost_from(store: BookStore, book: Book, row: ChapterEntry) -> tuple[Lost, ...]:
    told = told_chapters(store, [row], book.index.chapters, Anew({}, {}))[0]
    return tuple(Lost(kind=kind, quote=quote) for kind, quote in unproven(told))


def edited_chapters(
    store: BookStore, book: Book, problems: Iterable[FileProblem]
) -> tuple[tuple[ChapterEntry, ...], tuple[Edited, ...]]:
    """The rows of the index with the length that each file has now, and the chapters that were edited."""
    changed = {problem.path for problem in problems if problem.kind == "changed"}
    config = book.config
    rows: list[ChapterEntry] = []
    edited: list[Edited] = []
    for position, row in enumerate(book.index.chapters, 1):
        if row.file in changed:
            words = count(store.text(row.id), config.language, punctuation=config.length.count_punctuation)
            try:
                lost = lost_from(store, book, row)
            except InkosError:  # its delta is damaged: `problems` names that
                lost = ()
            edited.append(Edited(position=position, title=row.title, words=words, accepted=row.words, lost=lost))
            row = row.model_copy(update={"words": words})
        rows.append(row)
    return tuple(rows), tuple(edited)
