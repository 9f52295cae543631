"""Where the chapters of a whole text begin, and our own chapter files; decides nothing about what is kept.

Law: front matter and pieces, put together in order, are the text, character for character.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from inkos.text.headings import Heading, Kind, parse_heading

__all__ = ["Heading", "Kind", "Piece", "Split", "chapter_file", "heading_and_prose", "parse_heading", "split"]


class Piece(NamedTuple):
    """A heading and what follows it up to the next one. Offsets: the heading's line begins at `start`, the body at
    `body`, the next piece at `end`."""

    heading: Heading
    start: int
    body: int
    end: int


class Split(NamedTuple):
    """`front` is what stands before the first heading (a printed table of contents included)."""

    text: str
    front: str
    pieces: list[Piece]

    def line(self, piece: Piece) -> str:
        return self.text[piece.start : piece.body].strip()

    def prose(self, piece: Piece) -> str:
        return self.text[piece.body : piece.end]


class _Found(NamedTuple):
    heading: Heading
    start: int
    body: int


# A list of at least so many headings with nothing between them, each of which comes again, is a table of contents.
_LEAST_CONTENTS = 3


def split(text: str) -> Split:
    """Part a whole text at its chapters, volumes, specials and notices; scene breaks and prose stay in their bodies."""
    found = [item for item in _headings(text) if item.heading.kind != "scene_break"]
    kept = [item for item in found if item.heading.sure]
    if not any(item.heading.kind == "chapter" for item in kept):
        kept = sorted([*kept, *_run(found, text)], key=lambda item: item.start)
    kept = _without_doubles(_without_contents(kept, text), text)
    starts = [*(item.start for item in kept), len(text)]
    pieces = [Piece(item.heading, item.start, item.body, end) for item, end in zip(kept, starts[1:], strict=True)]
    return Split(text, text[: starts[0]], pieces)


def _headings(text: str) -> Iterator[_Found]:
    for match in re.finditer(r"[^\r\n]+(?:\r\n|\r|\n|$)", text):
        if heading := parse_heading(match.group().lstrip("\ufeff")):
            yield _Found(heading, match.start(), match.end())


def _run(found: Sequence[_Found], text: str) -> list[_Found]:
    """Unsure headings that support each other: numbers that go up one by one from the first, or else, where there are
    no numbers, titles marked as such."""
    unsure = [item for item in found if not item.heading.sure]
    run: list[_Found] = []
    for item in unsure:
        number = item.heading.number
        if run and number in (run[-1].heading.number, (run[-1].heading.number or 0) + 1):
            run.append(item)
        elif not run and number in (0, 1):
            run = [item]
        elif not run and number == 2 and (first := _lone_first(text, item.start)):
            run = [first, item]
    named = [item for item in unsure if item.heading.number is None]
    return run if len(run) > 1 else named if len(named) > 1 else []


def _lone_first(text: str, end: int) -> _Found | None:
    """A line holding only `I` before the chapter `II`: by itself it is a pronoun."""
    match = re.search(r"^[ \t]*I\.?[ \t]*\n?", text[:end], re.MULTILINE)
    return _Found(Heading("chapter", 1, sure=False), match.start(), match.end()) if match else None


def _without_contents(found: list[_Found], text: str) -> list[_Found]:
    """Headings of a printed table of contents at the front taken out: nothing between them, all come again later."""
    size = 0
    while size + 1 < len(found) and not text[found[size].body : found[size + 1].start].strip():
        size += 1
    for length in range(size, _LEAST_CONTENTS - 1, -1):
        listed = Counter(_name(item.heading) for item in found[:length] if item.heading.kind != "notice")
        later = Counter(_name(item.heading) for item in found[length:])
        if listed.total() >= _LEAST_CONTENTS and listed <= later:
            return found[length:]
    return found


def _name(heading: Heading) -> tuple[Kind, int | float | None, str | None]:
    return heading.kind, heading.number, heading.title


def _without_doubles(found: list[_Found], text: str) -> list[_Found]:
    """A heading printed twice is one: with nothing between its line is both, later on it stays in the body."""
    kept: list[_Found] = []
    for item in found:
        last = kept[-1] if kept else None
        if last is None or not _is_double(last.heading, item.heading):
            kept.append(item)
        elif not text[last.body : item.start].strip():
            title = last.heading.title or item.heading.title
            kept[-1] = _Found(last.heading._replace(title=title), last.start, item.body)
        elif last.heading.title is None or not _same_title(last.heading, item.heading):
            kept.append(item)
    return kept


def _is_double(first: Heading, second: Heading) -> bool:
    same = first.kind == second.kind and first.number == second.number and first.part == second.part
    return same and first.number is not None


def _same_title(first: Heading, second: Heading) -> bool:
    one, two = (re.sub(r"\W", "", heading.title or "") for heading in (first, second))
    return one == two


_FILE = re.compile(r"\ufeff?\s*#[ \t]+(?P<title>[^\r\n]*?)[ \t#]*(?:\r\n?|\n|$)")


def heading_and_prose(file_text: str) -> tuple[str, str]:
    """Title and prose of one of our own chapter files: a line `# title`, a blank line, the prose. Without such a line
    the title is empty and everything is prose."""
    match = _FILE.match(file_text)
    title, prose = (match["title"], file_text[match.end() :]) if match else ("", file_text.removeprefix("\ufeff"))
    return title, prose.replace("\r\n", "\n").replace("\r", "\n").strip("\n")


def chapter_file(title: str, prose: str) -> str:
    """The text of a chapter file: what `heading_and_prose` reads back."""
    return f"# {' '.join(title.split())}\n\n{prose.strip(chr(10))}\n"
