"""Options that many commands share, with their help; knows no command."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from inkos.hosts.cli.words import help_for

Book = Annotated[str | None, typer.Option("-b", "--book", help=help_for("option.book"))]
Json = Annotated[bool, typer.Option("--json", help=help_for("option.json"))]
Stream = Annotated[bool, typer.Option("--stream", help=help_for("option.stream"))]
ProgressMode = Annotated[
    str, typer.Option("--progress", metavar="auto|plain|json|quiet", help=help_for("option.progress"))
]
Chapter = Annotated[str | None, typer.Argument(metavar="CHAPTER", help=help_for("argument.chapter"))]

# What config.py allows; not taken from there, because a command line must be read before anything heavy is imported.
LEAST_LENGTH, MOST_LENGTH, MOST_CHAPTERS = 100, 50_000, 100_000
Length = Annotated[
    int | None, typer.Option("--length", min=LEAST_LENGTH, max=MOST_LENGTH, help=help_for("option.length"))
]


def pairs(given: Iterable[str], where: str) -> dict[str, str]:
    """`NAME=VALUE` options as a mapping. UsageFault `pair` for another form."""
    from inkos.errors import UsageFault

    made = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not (name and sign and value):
            raise UsageFault("pair", where=where, given=one)
        made[name] = value
    return made


def position(chapter: str | None, book: str, workspace: object) -> int | None:
    """A chapter argument as a position: a number, or `@x` for a chapter id. UsageFault otherwise."""
    from inkos.errors import UsageFault

    if chapter is None:
        return None
    if chapter.startswith("@"):
        index = workspace.store(book).index()  # type: ignore[attr-defined]
        try:
            return int(index.position(chapter[1:]))
        except KeyError:
            raise UsageFault("chapter-id-unknown", where=book, chapter=chapter) from None
    if not chapter.isdecimal() or int(chapter) < 1:
        raise UsageFault("chapter-not-a-position", where=book, chapter=chapter)
    return int(chapter)
