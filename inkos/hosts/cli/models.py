"""Commands about models and first steps: who answers, what a route can do, how today compares, setup; shows results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.reports import runs
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

model = typer.Typer(help=help_for("model.about"), rich_markup_mode=None, no_args_is_help=True)
Route = Annotated[str, typer.Argument(metavar="ROUTE", help=help_for("argument.route"))]


def register(app: typer.Typer) -> None:
    app.add_typer(model, name="model")
    runs.command("export", help=help_for("run.export"))(export_run)
    app.command("setup", help=help_for("setup"))(setup)


def _asked(session: Session, route: str, largest: int | None = None) -> Record:
    """The book where one is named or can be meant; the workspace alone otherwise."""
    from inkos.actions.models import AboutRoutes
    from inkos.errors import UsageFault

    try:
        return AboutRoutes(book=session.book(), route=route, largest=largest)
    except UsageFault:
        if session.options.book:
            raise
        return AboutRoutes(route=route, largest=largest)


@model.command("list", help=help_for("model.list"))
def list_models(context: typer.Context, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "model-list", lambda session: _asked(session, ""), _routes)


@model.command("route", help=help_for("model.route"))
def route(context: typer.Context, route: Route, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "model-list", lambda session: _asked(session, route), _routes)


def _routes(messages: Messages, result: Any) -> Iterator[str]:
    for row in result.routes:
        yield messages.say("cli.model.row", role=row.role, route=row.route, provider=row.provider, model=row.model,
                           key=messages.say(f"cli.key.{row.key}"))  # fmt: skip
        if row.chosen == "second":
            yield "  " + messages.say("cli.config.second")
        if row.fallbacks:
            yield "  " + messages.say("cli.model.fallbacks", routes=", ".join(row.fallbacks))
    for name, known in {row.route: row.known for row in result.routes}.items():
        for check, told in known.items():
            yield f"  {name}  {messages.say(f'cli.probe.{check}')}: {told.partition(' ')[2]}"


@model.command("test", help=help_for("model.test"))
def test(
    context: typer.Context,
    route: Annotated[str, typer.Argument(metavar="[ROUTE]", help=help_for("argument.route"))] = "",
    window: Annotated[int | None, typer.Option("--window", min=1000, help=help_for("option.window"))] = None,
    book: Book = None,
    json: Json = False,
) -> None:
    perform(options(context, book, json), "model-test", lambda session: _asked(session, route, window), tested_lines,
            lambda result: 0 if result.well else 1)  # fmt: skip


def tested_lines(messages: Messages, result: Any) -> Iterator[str]:
    """What was found of each route, check by check, and what finding it out took."""
    for probed in result.routes:
        yield messages.say("cli.probe.head", route=probed.route, provider=probed.provider, model=probed.model)
        for check in probed.checks:
            mark = messages.say(f"cli.doctor.{check.state}")
            yield f"  {mark}  {messages.say(f'cli.probe.{check.name}')}: {check.detail}"
        yield "  " + messages.say("cli.probe.took", calls=probed.calls, tokens=probed.usage.input + probed.usage.output)
    for name in result.skipped:
        yield messages.say("cli.probe.skipped", route=name)


@model.command("canary", help=help_for("model.canary"))
def canary(
    context: typer.Context,
    route: Annotated[str, typer.Argument(metavar="[ROUTE]", help=help_for("argument.route"))] = "",
    book: Book = None,
    json: Json = False,
) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.routes:
            yield row.route
            for measured in row.measures:
                before = "–" if measured.before is None else f"{measured.before:g}"
                mark = messages.say("cli.canary.worse") if measured.worse else ""
                yield f"  {measured.question}  {measured.measure}  {before} → {measured.now:g}  {mark}".rstrip()
        yield messages.say("cli.canary.bad" if result.worse else "cli.canary.good")

    perform(options(context, book, json), "model-canary", lambda session: _asked(session, route), lines,
            lambda result: 1 if result.worse else 0)  # fmt: skip


def export_run(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="RUN", help=help_for("argument.run"))],
    output: Annotated[str, typer.Option("-o", "--output", help=help_for("option.run-output"))] = "",
    prose: Annotated[bool, typer.Option("--with-prose", help=help_for("option.with-prose"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.models import AboutRoutes
        from inkos.actions.recordings import ExportRun

        about = _asked(session, "")
        assert isinstance(about, AboutRoutes)
        return ExportRun(run=name, book=about.book, prose=prose, file=output)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.run.exported" if result.prose else "cli.run.exported-masked", file=result.file,
                           calls=result.calls)  # fmt: skip

    perform(options(context, book, json), "run-export", build, lines)


def setup(context: typer.Context) -> None:
    from inkos.hosts.cli import setup as first_steps

    first_steps.run(options(context, None, False))
