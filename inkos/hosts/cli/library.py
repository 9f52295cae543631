"""Commands on whole books: backup, restore, rename, delete; shows results, moves nothing itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

Named = Annotated[str | None, typer.Argument(metavar="BOOK", help=help_for("argument.book"))]
Yes = Annotated[bool, typer.Option("--yes", "-y", help=help_for("option.yes"))]


def register(book: typer.Typer) -> None:
    for name, command in (("backup", backup), ("restore", restore), ("rename", rename), ("delete", delete)):
        book.command(name, help=help_for(f"book.{name}"))(command)


def chosen(session: Session, name: str | None) -> str:
    return str(session.workspace.resolve(name or session.options.book))


def backup(
    context: typer.Context,
    name: Named = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help=help_for("option.backup-output"))] = None,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.library import BackUp

        return BackUp(book=chosen(session, name), output=str(output or ""))

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.library.backed-up", file=result.backup.file, files=result.backup.files,
                           bytes=result.backup.bytes)  # fmt: skip
        for path in result.backup.left_out:
            yield messages.say("cli.library.left-out", path=path)

    perform(options(context, book, json), "book-backup", build, lines)


def restore(
    context: typer.Context,
    source: Annotated[str, typer.Argument(metavar="FILE|BOOK", help=help_for("argument.backup"))],
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=help_for("argument.new-name"))] = None,
    yes: Annotated[bool, typer.Option("--replace", help=help_for("option.replace"))] = False,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.library import RestoreBook

        return RestoreBook(source=source, name=name or "", replace=yes)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.library.restored", book=result.book, folder=result.folder)
        if result.binned:
            yield messages.say("cli.library.replaced", binned=result.binned)

    perform(options(context, None, json), "book-restore", build, lines)


def rename(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="BOOK", help=help_for("argument.book"))],
    new: Annotated[str, typer.Argument(metavar="NAME", help=help_for("argument.new-name"))],
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.library import RenameBook

        return RenameBook(book=chosen(session, name), name=new)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.library.renamed", book=result.book, folder=result.folder)

    perform(options(context, None, json), "book-rename", build, lines)


def delete(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="BOOK", help=help_for("argument.book"))],
    yes: Yes = False,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.library import DeleteBook

        book = chosen(session, name)
        return DeleteBook(book=book, sure=yes or _asked(session, book))

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.library.deleted", book=result.book, binned=result.binned)

    perform(options(context, None, json), "book-delete", build, lines)


def _asked(session: Session, book: str) -> bool:
    """Ask a person at a terminal; nobody else can be asked."""
    if session.options.json or not sys.stdin.isatty():
        return False
    return typer.confirm(session.messages.say("cli.library.sure", book=book), default=False, err=True)
