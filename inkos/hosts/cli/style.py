"""`inkos style`: learn an author's hand, measure texts against it; shows results, measures nothing."""

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

style = typer.Typer(help=help_for("style.about"), rich_markup_mode=None, no_args_is_help=True)
Files = Annotated[list[str], typer.Argument(metavar="FILE…", help=help_for("argument.own-chapters"))]


def register(app: typer.Typer) -> None:
    app.add_typer(style, name="style")


@style.command("learn", help=help_for("style.learn"))
def learn(
    context: typer.Context,
    files: Files,
    samples: Annotated[bool, typer.Option("--samples", help=help_for("option.samples"))] = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.style import LearnStyle

        return LearnStyle(book=session.book(), files=tuple(files), samples=samples)

    perform(options(context, book, json), "style-learn", build, _learned)


def _learned(messages: Messages, result: Any) -> Iterator[str]:
    learned = result.learned
    yield messages.say("survey.style.learned", chapters=learned.chapters, words=learned.words, file=result.file,
                       before=result.warned_before, after=result.warned)  # fmt: skip
    for name, part in learned.parts.items():
        yield f"  {messages.say(f'survey.column.{name}')}: {part.mean:g} ± {part.spread:g}"
    for kind, passage in learned.samples.items():
        yield f"  {messages.say(f'survey.kind.{kind}')}: «{' '.join(passage.split())[:80]}…»"
    if result.samples:
        yield messages.say(f"survey.style.samples-{result.samples}")


@style.command("distance", help=help_for("style.distance"))
def distance(context: typer.Context, files: Files, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.style import StyleDistance

        return StyleDistance(book=session.book(), files=tuple(files))

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.rows:
            parts = ", ".join(f"{messages.say(f'survey.column.{name}')} {value:+.1f}"
                              for name, value in list(row.distance.parts.items())[:3])  # fmt: skip
            yield messages.say("survey.style.distance", title=row.title, value=f"{row.distance.value:.1f}", parts=parts)

    perform(options(context, book, json), "style-distance", build, lines)
