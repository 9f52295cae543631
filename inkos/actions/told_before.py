"""What a book has told before: its index of runs of words, kept up to its chapters; judges no text."""

from __future__ import annotations

from collections.abc import Callable

from inkos.messages import Language
from inkos.ports import BookStore, ShingleIndex
from inkos.text.blocks import told
from inkos.text.repeat import sampled, shingles


def told_before(
    index: ShingleIndex, store: BookStore, language: Language, before: int
) -> Callable[[frozenset[int]], frozenset[int]]:
    """Which of some sampled runs of words stand in a chapter before position `before`. The index is brought up to the
    book's chapters when it is first asked, so that commands which judge nothing never pay for it."""
    fresh = False

    def seen(runs: frozenset[int]) -> frozenset[int]:
        nonlocal fresh
        if not fresh:
            chapters = [(entry.id, entry.text_digest) for entry in store.index().chapters]
            index.refresh(chapters, lambda chapter: sampled(shingles(told(store.text(chapter)), language)))
            fresh = True
        return index.seen(runs, before)

    return seen
