"""Commands about the tool itself: configuration, routes, a check of the surroundings, schemas; shows results only."""

from __future__ import annotations

import json as jsonlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

config = typer.Typer(help=help_for("config.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(config, name="config")
    app.command("doctor", help=help_for("doctor"))(doctor)
    app.command("schema", help=help_for("schema"))(schema)


def _about(session: Session) -> Record:
    """The book where one is named or can be meant; the workspace alone otherwise."""
    from inkos.actions.care import About
    from inkos.errors import UsageFault

    try:
        return About(book=session.book())
    except UsageFault:
        if session.options.book:
            raise
        return About()


@config.command("show", help=help_for("config.show"))
def show(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.values:
            origin = messages.say("cli.config.second") if row.origin == "second" else row.origin
            yield f"{row.key} = {row.value}    ({origin})"

    perform(options(context, book, json), "config-show", _about, lines)


@config.command("path", help=help_for("config.path"))
def path(context: typer.Context, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "config-path", _about, lambda messages, result: iter(result.paths))


@config.command("set", help=help_for("config.set"))
def set_value(
    context: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help=help_for("argument.config-key"))],
    value: Annotated[str, typer.Argument(metavar="VALUE", help=help_for("argument.config-value"))],
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.care import SetConfig

        named = session.options.book  # never the only book by itself: most keys are the workspace's
        return SetConfig(key=key, value=value, book=session.book() if named else "")

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.config.set", key=result.key, file=result.file)

    perform(options(context, book, json), "config-set", build, lines)


def doctor(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for check in result.checks:
            mark = messages.say(f"cli.doctor.{check.state}")
            yield f"{mark}  {messages.say(f'cli.doctor.name.{check.name}')}: {check.detail}"
        for damage in result.damages:
            yield from damage_lines(messages, damage, result.book)
        yield messages.say("cli.doctor.well" if result.well else "cli.doctor.unwell")

    perform(options(context, book, json), "doctor", _about, lines, lambda result: 0 if result.well else 1)


def damage_lines(messages: Messages, damage: Any, book: str) -> Iterator[str]:
    """A damage, and below it the way out."""
    yield "  " + messages.say(f"cli.problem.{damage.kind}", path=damage.path)
    if damage.detail:
        yield f"      {damage.detail}"
    yield "      " + messages.say(f"cli.way-out.{damage.way}", path=damage.path, position=damage.position or "N",
                                  book=book, run=damage.run)  # fmt: skip


def schema(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=help_for("argument.schema"))] = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.care import AskSchema

        return AskSchema(name=name or "")

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        if result.document is None:
            yield from result.names
        else:
            yield jsonlib.dumps(result.document, ensure_ascii=False, indent=2)

    perform(options(context, None, json), "schema", build, lines)
