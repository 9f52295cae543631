"""The command tree of inkos; does not know what the commands do, and imports nothing heavy."""

from __future__ import annotations

from typing import Annotated

import typer

from inkos.hosts.cli import (
    auditing,
    batch,
    books,
    care,
    chapter,
    entity,
    evaluation,
    looking,
    mending,
    models,
    outline,
    production,
    prompt,
    publishing,
    reports,
    review,
    state,
    style,
)
from inkos.hosts.cli.session import Options
from inkos.hosts.cli.words import help_for

app = typer.Typer(
    name="inkos",
    help=help_for("app"),
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from inkos import __version__

        print(f"inkos {__version__}")
        raise typer.Exit


@app.callback()
def before(
    context: typer.Context,
    book: Annotated[str | None, typer.Option("-b", "--book", help=help_for("option.book"))] = None,
    json: Annotated[bool, typer.Option("--json", help=help_for("option.json"))] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help=help_for("option.quiet"))] = False,
    debug: Annotated[bool, typer.Option("--debug", help=help_for("option.debug"))] = False,
    progress: Annotated[
        str, typer.Option("--progress", metavar="auto|plain|json|quiet", help=help_for("option.progress"))
    ] = "auto",
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help=help_for("option.version"))
    ] = False,
) -> None:
    context.obj = Options(book=book, json=json, quiet=quiet, debug=debug, progress=progress)


ROOMS = (
    books, auditing, production, review, reports, state, care, chapter, publishing, batch,
    entity, mending, models, outline, prompt, style, looking, evaluation,
)  # fmt: skip
for room in ROOMS:
    room.register(app)


def run() -> None:
    """The program's entry point."""
    from inkos.hosts.cli.entry import start

    start(app)
