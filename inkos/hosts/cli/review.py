"""Commands for what waits for a person; shows results, decides nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.production import outcome_code, outcome_lines
from inkos.hosts.cli.session import Session, error_words, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

review = typer.Typer(help=help_for("review.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(review, name="review")


@review.command("list", help=help_for("review.list"))
def list_reviews(
    context: typer.Context,
    book: Book = None,
    all_books: Annotated[bool, typer.Option("--all-books", help=help_for("option.all-books"))] = False,
    csv: Annotated[str, typer.Option("--csv", metavar="FILE", help=help_for("option.csv-out"))] = "",
    json: Json = False,
) -> None:
    def build_table(session: Session) -> Record:
        from inkos.actions.review_queue import QueueTable

        return QueueTable(book="" if all_books else session.book(), output=csv)

    def build(session: Session) -> Record:
        from inkos.actions.review import ListReviews

        return ListReviews(book="" if all_books else session.book())

    if csv:
        perform(options(context, book, json), "review-table", build_table, _table)
    perform(options(context, book, json), "review-list", build, _rows)


def _table(messages: Messages, result: Any) -> Iterator[str]:
    yield messages.say("cli.review.table", file=result.file, rows=result.rows)


def _rows(messages: Messages, result: Any) -> Iterator[str]:
    if not result.waiting:
        yield messages.say("cli.review.none")
    for row in result.waiting:
        yield messages.say("cli.review.row", book=row.book, position=row.position, title=row.title,
                           blocking=row.blocking, findings=row.findings)  # fmt: skip


@review.command("show", help=help_for("review.show"))
def show(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.review import ShowReview

        return ShowReview(book=session.book())

    perform(options(context, book, json), "review-show", build, _shown)


def _shown(messages: Messages, result: Any) -> Iterator[str]:
    yield messages.say("cli.review.head", position=result.position, title=result.title, file=result.text_file)
    for finding in result.findings:
        yield f"{finding.id} [{finding.finding.code}] {finding.wrong}"
        for quote in finding.finding.quotes:
            yield f"     «{quote.text}»"
    for role in result.unreadable:
        yield messages.say("cli.review.unreadable", task=messages.say(f"cli.task.{role}"))
    yield messages.say("cli.review.ways")
    for number, way in enumerate(result.ways, 1):
        yield f"  {number}. {messages.say(f'cli.way.{way}', book=result.book)}"


@review.command("decide", help=help_for("review.decide"))
def decide(
    context: typer.Context,
    way: Annotated[str, typer.Argument(metavar="WAY", help=help_for("argument.way"))],
    book: Book = None,
    reason: Annotated[str, typer.Option("--reason", help=help_for("option.reason"))] = "",
    file: Annotated[Path | None, typer.Option("--file", help=help_for("option.file"))] = None,
    code: Annotated[list[str] | None, typer.Option("--code", help=help_for("option.code"))] = None,
    by: Annotated[str, typer.Option("--by", help=help_for("option.by"))] = "",
    kept: Annotated[bool, typer.Option("--kept", help=help_for("option.kept"))] = False,
    json: Json = False,
) -> None:
    def build_many(session: Session) -> Record:
        from inkos.actions.review_queue import DecideMany

        return DecideMany(table=session.workspace.read_text(way), where=way, by=by)

    def build(session: Session) -> Record:
        from inkos.actions.review import Decide

        content = session.workspace.read_text(str(file)) if file is not None else ""
        return Decide(book=session.book(), way=way, reason=reason, by=by, file=content, codes=tuple(code or ()),
                      kept=kept)  # fmt: skip

    if way.lower().endswith(".csv"):
        perform(options(context, book, json), "review-decide-table", build_many, _decided, _decided_code)
    perform(options(context, book, json), "review-decide", build, outcome_lines, outcome_code)


def _decided(messages: Messages, result: Any) -> Iterator[str]:
    for row in result.rows:
        if row.result == "decided":
            yield messages.say("cli.review.decided", book=row.book, way=row.way, status=row.status)
        else:
            why = error_words(row.code, row.place, dict(row.values))
            yield messages.say("cli.review.refused", book=row.book, way=row.way, why=why["what"])
    if not result.rows:
        yield messages.say("cli.review.undecided")


def _decided_code(result: Any) -> int:
    return 1 if any(row.result == "refused" for row in result.rows) else 0
