"""`inkos prompt`: the rules of each role, the house's and one's own; shows results, renders no prompt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

prompt = typer.Typer(help=help_for("prompt.about"), rich_markup_mode=None, no_args_is_help=True)
Task = Annotated[str, typer.Argument(metavar="TASK", help=help_for("argument.task"))]


def register(app: typer.Typer) -> None:
    app.add_typer(prompt, name="prompt")


@prompt.command("list", help=help_for("prompt.list"))
def list_(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.prompts import OfPrompts

        return OfPrompts(book=session.book())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.rows:
            yield _row(messages, row)

    perform(options(context, book, json), "prompt-list", build, lines)


def _row(messages: Messages, row: Any) -> str:
    outdated = messages.say("cli.prompt.outdated", task=row.task) if row.outdated else ""
    source = messages.say(f"cli.prompt.source.{row.source}")
    return messages.say("cli.prompt.row", task=f"{row.task:<8}", source=source, digest=row.digest, outdated=outdated)


@prompt.command("show", help=help_for("prompt.show"))
def show(context: typer.Context, task: Task, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield _row(messages, result.row)
        yield result.rules
        yield messages.say("cli.prompt.contract")
        yield result.contract

    perform(options(context, book, json), "prompt-show", lambda session: _of_task(session, task), lines)


@prompt.command("diff", help=help_for("prompt.diff"))
def diff(context: typer.Context, task: Task, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield _row(messages, result.row)
        yield from result.lines or [messages.say("cli.prompt.same")]

    perform(options(context, book, json), "prompt-diff", lambda session: _of_task(session, task), lines)


def _of_task(session: Session, task: str) -> Record:
    from inkos.actions.prompts import OfPrompt

    return OfPrompt(book=session.book(), task=task)


@prompt.command("eject", help=help_for("prompt.eject"))
def eject(
    context: typer.Context,
    task: Task,
    everywhere: Annotated[bool, typer.Option("--everywhere", help=help_for("option.everywhere"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.prompts import Eject

        return Eject(book=session.book(), task=task, everywhere=everywhere)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.prompt.ejected", file=result.file)

    perform(options(context, book, json), "prompt-eject", build, lines)
