"""Commands that make a book whole: repair what is damaged, adopt chapters that exist; shows results only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.care import damage_lines
from inkos.hosts.cli.chapter import chapter
from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record


def register(app: typer.Typer) -> None:
    """The group `chapter` is entered by inkos/hosts/cli/chapter.py."""
    chapter.command("repair", help=help_for("chapter.repair"))(repair)


def repair(
    context: typer.Context,
    keep: Annotated[str, typer.Option("--keep", metavar="disk|set", help=help_for("option.keep"))] = "",
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.repair import Repair
        from inkos.errors import UsageFault

        if keep not in ("", "disk", "set"):
            raise UsageFault("choice", where="--keep", given=keep, allowed="disk, set")
        return Repair.model_validate({"book": session.book(), "keep": keep})

    perform(options(context, book, json), "chapter-repair", build, _repaired,
            lambda result: 1 if any(damage.way != "none" for damage in result.left) else 0)  # fmt: skip


def _repaired(messages: Messages, result: Any) -> Iterator[str]:
    for path in result.mended:
        yield messages.say("cli.repair.mended", path=path)
    for path in result.kept:
        yield messages.say("cli.repair.kept", path=path)
    for damage in result.left:
        yield from damage_lines(messages, damage, result.book)
    if not result.mended and not result.left:
        yield messages.say("cli.repair.nothing")
