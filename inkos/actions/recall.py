"""What a book said long ago, for whoever composes: its index of the deltas, kept up to its chapters; ranks nothing."""

from __future__ import annotations

from collections.abc import Sequence, Set

from inkos.ports import BookStore, RecallIndex
from inkos.prompts.recall import Ask, Counted, Said, said_in


def asking(index: RecallIndex, store: BookStore, before: int) -> Ask:
    """Rows of chapters before position `before`. The index is brought up to the book when it is first asked, so that
    commands which look nothing up never pay for it."""
    fresh = False

    def rows_of(chapter: str, position: int) -> Sequence[Said]:
        return said_in(store.delta(chapter), position)

    def ask(terms: Set[str]) -> Counted:
        nonlocal fresh
        if not fresh:
            # A chapter settled again has the same text and another run.
            index.refresh([(row.id, row.text_digest + row.run) for row in store.index().chapters], rows_of)
            fresh = True
        return index.ask(terms, before)

    return ask
