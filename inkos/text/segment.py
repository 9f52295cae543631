"""Where paragraphs and sentences begin and end; knows nothing of what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from inkos.messages import Language


class Span(NamedTuple):
    """A stretch of a text: `text` is what stands from `start` up to `end` (offsets in characters)."""

    start: int
    end: int
    text: str


_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE_END = re.compile(r"\n\s*")

# A sentence ends with stops and what closes after them. In Chinese an ellipsis ends one only before a closing mark or
# at the end of the paragraph, and nothing needs to follow.
_ZH_END = re.compile(r"(?:[。！？!?｡]+[…⋯]*|[…⋯]+(?=[”’」』）)]|\s*$))[”’」』）)】]*")
# In English a capital, a figure or an opening mark must follow after a blank: `“Stop!” he said` is one sentence.
_EN_END = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*(?=\s+[\"'“‘«(\[—–-]*[A-Z0-9\u00c0-\u00de])|[。！？]+[”’」』）]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s\"'“‘(\[—-])(?:Mr|Mrs|Ms|Messrs|Mme|Mlle|Dr|Prof|Rev|Hon|St|Sr|Jr|Capt|Col|Gen|Lt|Sgt|Maj|Cmdr|Gov|Sen|Rep|Pres|"
    r"No|Nos|Vol|Ch|pp|vs|cf|viz|etc|Mt|Ft|Co|Inc|Ltd|[A-Z](?:\.[A-Z])*)\.$"
)


def paragraphs(text: str) -> list[Span]:
    """The paragraphs without the blanks around them: parted by blank lines, or by line ends where there are none."""
    return list(_parted(text, _BLANK_LINE if _BLANK_LINE.search(text.strip()) else _LINE_END))


def _parted(text: str, gap: re.Pattern[str]) -> Iterator[Span]:
    start = 0
    for cut in [*(match.span() for match in gap.finditer(text)), (len(text), len(text))]:
        span = trimmed(text, start, cut[0])
        if span.text:
            yield span
        start = cut[1]


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the blanks at its ends."""
    piece = text[start:end]
    inner = piece.strip()
    start += len(piece) - len(piece.lstrip()) if inner else 0
    return Span(start, start + len(inner), inner)


def sentences(text: str, language: Language) -> list[Span]:
    """The sentences of every paragraph, with their closing marks and without the blanks around them."""
    return list(_sentences(text, language))


@lru_cache(maxsize=32)
def _sentences(text: str, language: Language) -> list[Span]:
    """Kept, because a chapter's text is taken apart by one check after the other."""
    found: list[Span] = []
    for paragraph in paragraphs(text):
        start = 0
        for end in _ends(paragraph.text, language):
            span = trimmed(text, paragraph.start + start, paragraph.start + end)
            if span.text:
                found.append(span)
            start = end
    return found


def _ends(paragraph: str, language: Language) -> Iterator[int]:
    for match in (_ZH_END if language == "zh" else _EN_END).finditer(paragraph):
        if language == "zh" or not _abbreviated(paragraph, match.start()):
            yield match.end()
    yield len(paragraph)


def _abbreviated(paragraph: str, at: int) -> bool:
    """Whether the point at `at` belongs to an abbreviation or an initial."""
    return _ABBREVIATION.search(paragraph, max(0, at - 11), at + 1) is not None
