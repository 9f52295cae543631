"""Commands that look: find words and names, add up what was spent, keep what readers found; shows results only."""

from __future__ import annotations

import csv as csvlib
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json, position
from inkos.hosts.cli.review import review
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.state import in_words
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

Quote = Annotated[list[str], typer.Option("--quote", help=help_for("option.quote"))]


def register(app: typer.Typer) -> None:
    """The group `review` is entered by inkos/hosts/cli/review.py."""
    app.command("find", help=help_for("find"))(find)
    app.command("stats", help=help_for("stats"))(stats)
    review.command("add", help=help_for("review.add"))(add)
    review.command("answer", help=help_for("review.answer"))(answer)
    review.command("complaints", help=help_for("review.complaints"))(complaints)


def find(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT|NAME", help=help_for("argument.find"))],
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.search import Find

        return Find(book=session.book(), text=text)

    perform(options(context, book, json), "find", build, _found, lambda result: 0 if result.hits or result.known else 1)


def _found(messages: Messages, result: Any) -> Iterator[str]:
    for known in result.known:
        until = "" if known.until is None else f"–{known.until}"
        yield f"{messages.say(f'cli.find.{known.kind}')} [{known.since}{until}] {in_words(messages, known.line)}"
    for hit in result.hits:
        shown = f"{hit.before}»{hit.words}«{hit.after}".replace("\n", " ")
        yield f"{hit.position:>4} {hit.title}: …{shown}…"
    yield messages.say("cli.find.count", count=result.count, shown=len(result.hits))
    for gone in result.unread:
        yield messages.say("cli.find.unread", position=gone)


STATS_BY = ("chapter", "role", "task", "model", "day", "run", "book")


def stats(
    context: typer.Context,
    by: Annotated[str, typer.Option("--by", metavar="|".join(STATS_BY), help=help_for("option.stats-by"))] = "chapter",
    csv: Annotated[bool, typer.Option("--csv", help=help_for("option.csv"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.ledger import AskStats
        from inkos.errors import UsageFault

        if by not in STATS_BY:
            raise UsageFault("choice", where="--by", given=by, allowed=", ".join(STATS_BY))
        return AskStats.model_validate({"book": "" if by == "book" else session.book(), "by": by})

    perform(options(context, book, json), "stats", build, _csv if csv else _stats)


COLUMNS = ("key", "title", "words", "calls", "failed", "unknown", "input", "output", "cached",
           "reasoning", "money", "misses")  # fmt: skip


def _values(row: Any) -> list[object]:
    spent = row.spent
    money = "" if spent.money is None else spent.money
    return [row.key, row.title, row.words, spent.calls, spent.failed, spent.unknown, spent.input, spent.output,
            spent.cached, spent.reasoning, money, row.misses]  # fmt: skip


def _csv(messages: Messages, result: Any) -> Iterator[str]:
    out = io.StringIO()
    writer = csvlib.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in result.rows:
        writer.writerow(_values(row))
    yield out.getvalue().rstrip("\n")


def _stats(messages: Messages, result: Any) -> Iterator[str]:
    def line(key: str, title: str, spent: Any, misses: int) -> str:
        money = messages.say("cli.money-unknown") if spent.money is None else f"{spent.money:.4f} {result.currency}"
        return messages.say(
            "cli.stats.row", key=key, title=title, calls=spent.calls, failed=spent.failed, unknown=spent.unknown,
            tokens=spent.input + spent.output, money=money, misses=misses,
        )  # fmt: skip

    for row in result.rows:
        yield line(row.key, row.title, row.spent, row.misses)
    yield line(messages.say("cli.stats.total"), "", result.total, result.misses)
    if result.founding.calls:
        yield line(messages.say("cli.stats.founding"), "", result.founding, 0)
    if result.per_thousand is not None:
        yield messages.say("cli.stats.per-thousand", money=f"{result.per_thousand:.4f} {result.currency}",
                           words=result.words)  # fmt: skip
    if result.hit_rate is not None:
        yield messages.say("cli.stats.hit-rate", share=f"{result.hit_rate:.0%}")


def add(
    context: typer.Context,
    chapter: Annotated[str, typer.Argument(metavar="CHAPTER", help=help_for("argument.chapter"))],
    quote: Quote,
    against: Annotated[str, typer.Option("--against", metavar="CHAPTER", help=help_for("option.against"))] = "",
    note: Annotated[str, typer.Option("--note", help=help_for("option.note"))] = "",
    by: Annotated[str, typer.Option("--by", help=help_for("option.by"))] = "",
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.complaints import AddReview
        from inkos.errors import UsageFault

        chosen = session.book()
        if len(quote) != (2 if against else 1):
            raise UsageFault("quotes", where="--quote")
        other = position(against, chosen, session.workspace) if against else None
        return AddReview.model_validate(
            {"book": chosen, "chapter": position(chapter, chosen, session.workspace), "quote": quote[0],
             "against": other, "against_quote": quote[1] if against else "", "note": note, "by": by}
        )  # fmt: skip

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.complaint.kept", id=result.complaint.id, position=result.position)
        for way in result.ways:
            yield "  " + messages.say(f"cli.complaint.way.{way}", id=result.complaint.id, book=result.book)

    perform(options(context, book, json), "review-add", build, lines)


def answer(
    context: typer.Context,
    id: Annotated[str, typer.Argument(metavar="ID", help=help_for("argument.complaint"))],
    way: Annotated[str, typer.Argument(metavar="patch|explain|rule|dismiss", help=help_for("argument.answer"))],
    text: Annotated[str, typer.Option("--text", help=help_for("option.answer-text"))] = "",
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.complaints import ANSWERS, AnswerReview
        from inkos.errors import UsageFault

        if way not in ANSWERS:
            raise UsageFault("choice", where="WAY", given=way, allowed=", ".join(ANSWERS))
        return AnswerReview.model_validate({"book": session.book(), "id": id, "answer": way, "text": text})

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        from inkos.hosts.cli.production import outcome_lines

        yield messages.say(f"cli.complaint.answered.{result.complaint.answer}", id=result.complaint.id,
                           line=result.complaint.line)  # fmt: skip
        if result.outcome is not None:
            yield from outcome_lines(messages, result.outcome)

    def code(result: Any) -> int:
        return 3 if result.outcome is not None and result.outcome.status == "needs-review" else 0

    perform(options(context, book, json), "review-answer", build, lines, code)


def complaints(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.complaints import ListComplaints

        return ListComplaints(book=session.book())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.complaints:
            yield messages.say("cli.complaint.row", id=row.id, position=result.positions.get(row.chapter, "–"),
                               quote=row.quote, note=row.note,
                               answer=messages.say(f"cli.complaint.state.{row.answer or 'open'}"))  # fmt: skip

    perform(options(context, book, json), "review-complaints", build, lines)
