"""`inkos outline`: the author's outline shown, checked and gone on with; shows results, reads no outline itself."""

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

outline = typer.Typer(help=help_for("outline.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(outline, name="outline")


@outline.command("show", help=help_for("outline.show"))
def show(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.outline import OfOutline

        return OfOutline(book=session.book())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        volume = None
        for number, row in enumerate(result.rows, 1):
            if row.volume != volume:
                volume = row.volume
                yield f"{volume}"
            state = messages.say(f"cli.outline.{row.state}", position=row.position or "")
            yield messages.say("cli.outline.row", number=f"{number:4}", title=row.title, key=row.key, state=state)
            if row.state == "next":
                yield from (f"        - {beat}" for beat in row.beats)
        yield from (messages.say("cli.outline.volume-ahead", title=title)
                    for title in result.volumes if title not in {row.volume for row in result.rows})  # fmt: skip
        yield messages.say("cli.outline.left", left=result.left, planned=result.planned)
        if result.left == 0:
            yield messages.say("cli.outline.extend", book=result.book)

    perform(options(context, book, json), "outline-show", build, lines)


@outline.command("check", help=help_for("outline.check"))
def check(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.outline import OfOutline

        return OfOutline(book=session.book())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for problem in result.problems:
            yield messages.say(f"cli.outline.problem.{problem.kind}", title=problem.title, key=problem.key,
                               other=problem.other, line=problem.line, book=result.book)  # fmt: skip
        yield messages.say("cli.outline.checked", entries=result.entries, left=result.left)

    stops = ("key-twice",)
    perform(options(context, book, json), "outline-check", build, lines,
            lambda result: 1 if any(problem.kind in stops for problem in result.problems) else 0)  # fmt: skip


@outline.command("extend", help=help_for("outline.extend"))
def extend(
    context: typer.Context,
    count: Annotated[int | None, typer.Option("-n", "--count", min=1, max=20, help=help_for("option.entries"))] = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.budget"))] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=help_for("option.outline-dry-run"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.outline import ExtendOutline

        return ExtendOutline(book=session.book(), count=count, tokens=budget, dry_run=dry_run)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for entry in result.entries:
            yield messages.say("cli.outline.entry", title=entry.title, volume=entry.volume)
            yield from (f"    - {beat.text}" for beat in entry.beats)
        code = "cli.outline.would" if result.dry_run else "cli.outline.added"
        yield messages.say(code, count=len(result.entries), left=result.left, book=result.book)
        money = messages.say("cli.money-unknown") if result.money is None else f"{result.money:.4f}"
        yield "  " + messages.say("cli.spent", calls=result.calls, tokens=result.tokens, money=money, run=result.run)

    perform(options(context, book, json), "outline-extend", build, lines)
