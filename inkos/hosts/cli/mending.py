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
    chapter.command("adopt", help=help_for("chapter.adopt"))(adopt)


def adopt(
    context: typer.Context,
    paths: Annotated[list[str] | None, typer.Argument(metavar="[DIR|FILE…]", help=help_for("argument.adopt"))] = None,
    settle: Annotated[str, typer.Option("--settle", metavar="recent:N|all|none", help=help_for("option.adopt-settle"))]
    = "recent:30",
    after: Annotated[int | None, typer.Option("--after", min=0, help=help_for("option.adopt-after"))] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.adopt-budget"))] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=help_for("option.dry-run"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.adoption import Adopt

        return Adopt(book=session.book(), paths=tuple(paths or ()), settle=settle, after=after, tokens=budget,
                     dry_run=dry_run)  # fmt: skip

    perform(options(context, book, json), "chapter-adopt", build, _adopted)


def _adopted(messages: Messages, result: Any) -> Iterator[str]:
    for row in result.files:
        yield messages.say("cli.adopt.row", position=row.position, title=row.title, words=row.words, source=row.source,
                           file=row.file)  # fmt: skip
    if result.dry_run:
        yield messages.say("cli.adopt.dry-run")
        return
    yield messages.say("cli.adopt.done", settled=len(result.settled), tokens=result.tokens)
    for position in result.flagged:
        yield messages.say("cli.adopt.flagged", position=position)
    if result.unsettled:
        yield messages.say("cli.adopt.unsettled", count=len(result.unsettled), first=result.unsettled[0],
                           last=result.unsettled[-1])  # fmt: skip


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
