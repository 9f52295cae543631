"""Openings and endings of the last chapters by kind: what the planner should not use again; knows no gate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from inkos.kernel.book import Book
from inkos.prompts.kit import Kit
from inkos.prompts.relevance import mentioned_in

MOST = 5  # lines handed over (design/prompts.md §5.2)
WORN = 2  # times within the last ten chapters
SPEECH = "“「『\"‘"


def worn(kit: Kit, book: Book, habits: Sequence[str] = ()) -> str:
    """Up to five lines, the most used first, then `habits`; `none` where nothing is used up."""
    openings = Counter(_opening(kit, book, text) for text in book.recent)
    endings: Counter[str] = Counter(_ending(text) for text in book.recent)
    endings.update(_end_kinds(book))
    rows = [(n, kit.say("worn.opening", kind=kit.say(f"worn.openings.{kind}"), count=n))
            for kind, n in openings.items() if kind and n >= WORN]  # fmt: skip
    rows += [(n, kit.say("worn.ending", kind=kit.say(f"worn.ends.{kind}"), count=n))
             for kind, n in endings.items() if kind and n >= WORN]  # fmt: skip
    rows.sort(key=lambda row: -row[0])
    return "\n".join([*(row for _, row in rows), *habits][:MOST]) or kit.none


def _end_kinds(book: Book) -> list[str]:
    """End kinds of the outline entries that the last ten chapters used."""
    kinds = {entry.key: entry.end_kind for entry in book.outline.entries}
    return [kind for entry in book.index.chapters[-10:] if (kind := kinds.get(entry.outline_key, "")) in END_KINDS]


END_KINDS = frozenset({"danger", "half_reveal", "choice", "arrival", "countermove", "countdown", "result"})


def _opening(kit: Kit, book: Book, text: str) -> str:
    first = text.strip()[:40]
    if not first:
        return ""
    if first[0] in SPEECH:
        return "speech"
    for kind in ("hour", "weather"):
        if first.startswith(tuple(kit.say(f"worn.{kind}").split("|"))):
            return kind
    found = mentioned_in(book.state, first[:16])
    return "name" if found and found[0].kind == "person" else ""


def _ending(text: str) -> str:
    last = text.strip()[-2:]
    if last[-1:] in "”」』\"’":
        return "speech"
    if last[-1:] in "？?":
        return "question"
    return "exclaim" if last[-1:] in "！!" else ""
