"""`inkos eval`: measures what judges; shows results, measures nothing."""

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

evaluation = typer.Typer(help=help_for("eval.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(evaluation, name="eval")


@evaluation.command("judge", help=help_for("eval.judge"))
def judge(
    context: typer.Context,
    files: Annotated[list[str] | None, typer.Argument(metavar="FILE…", help=help_for("argument.judged"))] = None,
    texts: Annotated[int, typer.Option("--texts", min=3, help=help_for("option.texts"))] = 6,
    repeats: Annotated[int, typer.Option("--repeats", min=3, help=help_for("option.repeats"))] = 4,
    tokens: Annotated[int | None, typer.Option("--max-tokens", min=1, help=help_for("option.max-tokens"))] = None,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.judging import EvalJudge

        return EvalJudge(book=session.book(), files=tuple(files or ()), texts=texts, repeats=repeats, tokens=tokens)

    perform(options(context, book, json), "eval-judge", build, _judged)


@evaluation.command("blocks", help=help_for("eval.blocks"))
def blocks(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.blocks import EvalBlocks

        return EvalBlocks(book=session.book())

    perform(options(context, book, json), "eval-blocks", build, _blocks)


def _blocks(messages: Messages, result: Any) -> Iterator[str]:
    for row in result.rows:
        codes = ", ".join(dict.fromkeys(row.codes)) or "–"
        yield messages.say("survey.blocks.row", chapter=row.chapter, run=row.run, claimed=row.claimed,
                           withdrawn=row.withdrawn, stopped=row.stopped, false=row.false, right=row.right,
                           open=row.open, codes=codes)  # fmt: skip
    total = result.total
    yield messages.say("survey.blocks.total", chapters=len(result.rows), claimed=total.claimed,
                       withdrawn=total.withdrawn, stopped=total.stopped, false=total.false, right=total.right,
                       open=total.open)  # fmt: skip


def _judged(messages: Messages, result: Any) -> Iterator[str]:
    found, before = result.found, result.before
    yield messages.say("survey.judge.head", model=found.model, route=result.route, texts=found.texts,
                       repeats=found.repeats, unread=found.unread)  # fmt: skip
    yield messages.say("survey.judge.margin", margin=f"{found.margin:.1f}", deviation=f"{found.deviation:.1f}",
                       before=f"{before.margin:.1f}" if before else "3")  # fmt: skip
    yield messages.say("survey.judge.range", least=f"{found.scores[0]:g}", most=f"{found.scores[-1]:g}",
                       middle=f"{found.scores[len(found.scores) // 2]:g}", shift=f"{found.shift:+.1f}")  # fmt: skip
    yield messages.say("survey.judge.twins", told=found.told, twins=found.twins)
    if result.margin == "set":
        yield messages.say("survey.judge.own", book=result.book)
    money = messages.say("cli.money-unknown") if result.money is None else f"{result.money:.4f}"
    yield "  " + messages.say("cli.spent", calls=result.calls, tokens=result.tokens, money=money, run=result.run)
