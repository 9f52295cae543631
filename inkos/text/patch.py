"""Replaces passages of a text, each found exactly once; knows nothing of why.

Law: what stands outside the applied passages is untouched, letter for letter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from inkos.text.quotes import Haystack, nearest
from inkos.text.segment import paragraphs

Reason = Literal["absent", "ambiguous", "overlap", "empty"]


class Edit(NamedTuple):
    """Put `new` (may be empty: a deletion) in the place of the passage `old`."""

    old: str
    new: str


@dataclass(frozen=True)
class Refusal:
    """Why the edit at `index` was not made. `candidates`: the nearest sentences (absent), or the paragraphs in which
    the passage stands (ambiguous)."""

    index: int
    reason: Reason
    candidates: list[str]


class Patched(NamedTuple):
    """`applied` and `refused` name edits by their index; where nothing was applied `text` is the old text."""

    text: str
    applied: list[int]
    refused: list[Refusal]


def apply(text: str, edits: Sequence[Edit]) -> Patched:
    """Make all edits on the same original. Of two that overlap the first given is made."""
    haystack = Haystack(text)
    taken: dict[int, tuple[int, int]] = {}
    refused: list[Refusal] = []
    for index, edit in enumerate(edits):
        found = haystack.find(edit.old)
        if not edit.old.strip():
            refused.append(Refusal(index, "empty", []))
        elif not found:
            refused.append(Refusal(index, "absent", nearest(edit.old, text)))
        elif len(found) > 1:
            refused.append(Refusal(index, "ambiguous", _around(text, found)))
        elif any(start < found[0][1] and found[0][0] < end for start, end in taken.values()):
            refused.append(Refusal(index, "overlap", []))
        else:
            taken[index] = found[0]
    return Patched(_replaced(text, edits, taken), sorted(taken), refused)


def _around(text: str, spans: list[tuple[int, int]]) -> list[str]:
    around = paragraphs(text)
    return [next(p.text for p in around if p.start <= start < p.end) for start, _ in spans]


def _replaced(text: str, edits: Sequence[Edit], taken: dict[int, tuple[int, int]]) -> str:
    pieces: list[str] = []
    done = 0
    for index, (start, end) in sorted(taken.items(), key=lambda item: item[1]):
        pieces += [text[done:start], _fitted(edits[index])]
        done = end
    return "".join([*pieces, text[done:]])


def _fitted(edit: Edit) -> str:
    """The new words without blanks that the old passage had at its ends too: those lie outside the found span."""
    new = edit.new
    if edit.old != edit.old.lstrip():
        new = new.lstrip()
    return new.rstrip() if edit.old != edit.old.rstrip() else new
