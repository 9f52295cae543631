"""Commands on the people, places and things of a book; shows results, changes nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.chapter import DryRun, Erratum, moved_lines
from inkos.hosts.cli.flags import Book, Json
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

entity = typer.Typer(help=help_for("entity.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(entity, name="entity")


@entity.callback()
def _group() -> None:
    """A group with one command keeps its name."""


@entity.command("rename", help=help_for("entity.rename"))
def rename(
    context: typer.Context,
    old: Annotated[str, typer.Argument(metavar="OLD", help=help_for("argument.entity-old"))],
    new: Annotated[str, typer.Argument(metavar="NEW", help=help_for("argument.entity-new"))],
    erratum: Erratum = "",
    dry_run: DryRun = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.renaming import Rename

        return Rename(book=session.book(), old=old, new=new, erratum=erratum, dry_run=dry_run)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say(f"cli.rename.{'would' if result.dry_run else 'done'}", old=result.old, new=result.new,
                           count=result.count, files=len(result.files))  # fmt: skip
        yield from moved_lines(messages, result.moved)
        yield from _left(messages, result.left)

    perform(options(context, book, json), "entity-rename", build, lines)


SHOWN = 3  # files of a group; `--json` has every place


def _left(messages: Messages, left: Any) -> Iterator[str]:
    """What was left, grouped by reason and name: how often, in which files, and one place of each as an example."""
    groups: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for place in left:
        groups.setdefault((place.why, place.name), {}).setdefault(place.path, []).append(place)
    if groups:
        yield messages.say("cli.rename.left")
    for (why, name), files in groups.items():
        count = sum(len(places) for places in files.values())
        yield messages.say("cli.rename.group", why=messages.say(f"cli.rename.why.{why}", name=name), name=name,
                           count=count, files=len(files))  # fmt: skip
        for path, places in list(files.items())[:SHOWN]:
            yield messages.say("cli.rename.place", path=path, count=len(places), words=places[0].words)
        if len(files) > SHOWN:
            yield messages.say("cli.rename.more", files=len(files) - SHOWN)
