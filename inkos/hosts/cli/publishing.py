"""Commands on what readers have: publish, errata; shows results, sends nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.chapter import chapter
from inkos.hosts.cli.flags import Book, Json, position
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record


def register(app: typer.Typer) -> None:
    chapter.command("publish", help=help_for("chapter.publish"))(publish)
    chapter.command("errata", help=help_for("chapter.errata"))(errata)


def publish(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="A-B", help=help_for("argument.chapter-range"))],
    site: Annotated[str, typer.Option("--on", metavar="SITE", help=help_for("option.on-site"))],
    at: Annotated[str, typer.Option("--at", metavar="DATE", help=help_for("option.publish-at"))] = "",
    withdraw: Annotated[bool, typer.Option("--withdraw", help=help_for("option.withdraw"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.publishing import Publish

        chosen = session.book()
        first, _, last = which.partition("-")
        low = position(first, chosen, session.workspace)
        high = position(last or first, chosen, session.workspace)
        assert low is not None and high is not None
        return Publish(book=chosen, first=low, last=high, site=site, at=at, withdraw=withdraw)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        code = "withdrawn" if result.withdrawn else "done"
        yield messages.say(f"cli.publish.{code}", first=result.first, last=result.last, site=result.site, at=result.at)

    perform(options(context, book, json), "chapter-publish", build, lines)


def errata(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.publishing import OfErrata

        return OfErrata(book=session.book())

    perform(options(context, book, json), "chapter-errata", build, _errata)


def _errata(messages: Messages, result: Any) -> Iterator[str]:
    if not result.chapters:
        yield messages.say("cli.publish.same")
        return
    for row in result.chapters:
        yield messages.say("cli.publish.differs", site=row.site, position=row.position, title=row.title)
        for change in row.changes:
            code = "change" if change.paragraph else "title"
            yield messages.say(f"cli.publish.{code}", paragraph=change.paragraph, old=change.old, new=change.new)
    yield messages.say("cli.publish.written", file=result.file)


def stock_lines(messages: Messages, stock: Any) -> Iterator[str]:
    """For each site what is there, what waits, how long it lasts, and what readers have in another form."""
    for row in stock:
        days = ""
        if row.days is not None:
            days = messages.say("cli.publish.days", days=f"{row.days:.1f}", pace=f"{row.per_day:.2g}")
        yield messages.say("cli.publish.stock", site=row.site, published=row.published, scheduled=row.scheduled,
                           ready=row.ready, days=days)  # fmt: skip
        if row.differs:
            yield messages.say("cli.publish.other", chapters=", ".join(map(str, row.differs)))
