"""Commands that make and list books, the demo among them; shows results, founds nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli import library
from inkos.hosts.cli.flags import MOST_CHAPTERS, Json, Length
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

book = typer.Typer(help=help_for("book.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command("demo", help=help_for("demo"))(demo)
    app.command("init", help=help_for("init"))(init)
    library.register(book)
    app.add_typer(book, name="book")


def demo(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help=help_for("argument.demo-dir"))] = None,
    language: Annotated[str, typer.Option("--language", metavar="en|zh", help=help_for("option.language"))] = "",
    brief: Annotated[Path | None, typer.Option("--brief", help=help_for("option.brief"))] = None,
    json: Json = False,
) -> None:
    from inkos.hosts.cli import demo as run_demo

    run_demo.run(options(context, None, json), folder, language, brief)


def init(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=help_for("argument.init-dir"))] = Path("."),
    json: Json = False,
) -> None:
    """A workspace is made by the host alone: there is nothing to decide, so it is no action."""
    from inkos.hosts.cli.session import Session, fail, tell

    chosen = options(context, None, json)
    try:
        from inkos.actions.founding import WorkspaceMade
        from inkos.hosts import wire

        workspace = wire.make_workspace(folder)
        session = Session(chosen, workspace, workspace.messages(wire.interface_language()))
        made = WorkspaceMade(root=workspace.root)
        tell(session, made, lambda messages, result: iter([messages.say("cli.init", root=result.root)]))
    except BaseException as trouble:
        fail(chosen, trouble)


@book.command("create", help=help_for("book.create"))
def create(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="BOOK", help=help_for("argument.book"))],
    brief: Annotated[Path | None, typer.Option("--brief", help=help_for("option.brief"))] = None,
    from_files: Annotated[Path | None, typer.Option("--from-files", help=help_for("option.from-files"))] = None,
    title: Annotated[str, typer.Option("--title", help=help_for("option.title"))] = "",
    language: Annotated[str, typer.Option("--language", metavar="en|zh", help=help_for("option.language"))] = "",
    genre: Annotated[str, typer.Option("--genre", help=help_for("option.genre"))] = "general",
    chapters: Annotated[
        int, typer.Option("--chapters", min=1, max=MOST_CHAPTERS, help=help_for("option.chapters"))
    ] = 100,
    length: Length = None,
    author: Annotated[str, typer.Option("--author", help=help_for("option.author"))] = "",
    form: Annotated[str, typer.Option("--form", metavar="serial|standalone", help=help_for("option.form"))] = "serial",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.founding import CreateBook
        from inkos.errors import UsageFault

        if (brief is None) == (from_files is None):
            raise UsageFault("brief-or-files", where="--brief, --from-files")
        chosen = ((language, ("", "en", "zh"), "--language"), (form, ("serial", "standalone"), "--form"))
        for given, allowed, where in chosen:
            if given not in allowed:
                raise UsageFault("choice", where=where, given=given, allowed=", ".join(a for a in allowed if a))
        text = session.workspace.read_text(str(brief)) if brief is not None else ""
        files = session.workspace.read_folder(str(from_files)) if from_files is not None else {}
        if from_files is not None and not files:
            raise UsageFault("found-files", where=str(from_files), count=0)
        return CreateBook.model_validate(
            {"name": name, "brief": text, "brief_file": str(brief or ""), "files": files,
             "folder": str(from_files or ""), "title": title,
             "language": language, "genre": genre, "chapters": chapters, "length": length, "author": author,
             "form": form}
        )  # fmt: skip

    perform(options(context, None, json), "book-create", build, created_lines)


def created_lines(messages: Messages, result: Any) -> Iterator[str]:
    from inkos.hosts.cli.production import finding_line

    yield messages.say("cli.created.head", title=result.title, folder=result.folder)
    if result.rehearsal:
        yield messages.say("cli.status.rehearsal")
    yield messages.say("cli.created.counts", cast=result.cast, facts=result.facts, hooks=result.hooks,
                       entries=result.entries)  # fmt: skip
    for finding in result.findings:
        yield "  " + finding_line(messages, finding)
    if not result.facts:
        yield messages.say("cli.created.no-facts")
    for line in result.suggestions:
        yield messages.say("cli.created.suggestion", text=line)
    yield messages.say("cli.created.next", book=result.book)


@book.command("list", help=help_for("book.list"))
def list_books(context: typer.Context, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.founding import ListBooks

        return ListBooks()

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        if not result.books:
            yield messages.say("cli.books.none")
        for row in result.books:
            yield messages.say("cli.books.row", book=row.book, title=row.title, language=row.language,
                               chapters=row.chapters, words=row.words)  # fmt: skip
        for broken in result.broken:
            yield messages.say("cli.books.broken", book=broken)
        for founding in result.foundings:
            yield messages.say("cli.books.founding", book=founding.book, run=founding.run)

    perform(options(context, None, json), "book-list", build, lines)


@book.command("show", help=help_for("book.show"))
def show(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="BOOK", help=help_for("argument.book"))] = None,
    json: Json = False,
) -> None:
    from inkos.hosts.cli.reports import status

    status(context, name, json)
