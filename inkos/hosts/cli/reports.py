"""Commands that only read: status, runs, context, export; shows results, changes nothing of the story."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.chapter import stale_chapter
from inkos.hosts.cli.flags import Book, Json, pairs, position
from inkos.hosts.cli.production import finding_line, outcome_code, outcome_lines
from inkos.hosts.cli.publishing import stock_lines
from inkos.hosts.cli.session import Build, Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

runs = typer.Typer(help=help_for("run.about"), rich_markup_mode=None, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.command("status", help=help_for("status"))(status)
    app.command("compose", help=help_for("compose"))(compose)
    app.command("export", help=help_for("export"))(export)
    app.add_typer(runs, name="run")


def _of_book(session: Session) -> Record:
    from inkos.actions.reports import OfBook

    return OfBook(book=session.book())


def status(context: typer.Context, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "status", _of_book, _status)


def _status(messages: Messages, result: Any) -> Iterator[str]:
    from inkos.actions.history import stale_rows

    yield messages.say("cli.status.head", title=result.title, book=result.book, chapters=len(result.chapters),
                       planned=result.planned, words=result.words)  # fmt: skip
    if result.rehearsal:
        yield messages.say("cli.status.rehearsal")
    for number, entry in enumerate(result.chapters, 1):
        mark = messages.say(f"cli.chapter.{entry.status}")
        score = "–" if entry.score is None else f"{entry.score:.0f}"
        locked = messages.say("cli.chapter-moves.locked") if entry.locked else ""
        yield f"  {number:>4}  {entry.title}  ({entry.words}, {score})  {mark}{locked}"
    if result.next_title:
        yield messages.say("cli.status.next", position=result.next_position, title=result.next_title,
                           left=result.outline_left)  # fmt: skip
    else:
        yield messages.say("cli.status.no-next")
    yield messages.say("cli.status.hooks", open=result.hooks_open, due=len(result.hooks_due))
    for core in result.hooks_due:
        yield f"    {core}"
    yield _spend(messages, result.spend)
    if result.run is not None:
        waits = result.run.status == "needs-review"
        status = messages.say(f"cli.run.{result.run.status}")
        yield messages.say(f"cli.status.{'review' if waits else 'run'}", run=result.run.id, status=status,
                           stage=result.run.stage, book=result.book)  # fmt: skip
        yield from paused_lines(result.run.paused)
    if result.holder is not None:
        yield messages.say("cli.status.held", pid=result.holder.pid, host=result.holder.host, doing=result.holder.doing)
    for problem in result.problems:
        yield messages.say(f"cli.problem.{problem.kind}", path=problem.path)
    for edited in result.edited:
        yield messages.say("cli.ripple.edited", chapter=edited.position, title=edited.title)
        for lost in edited.lost:
            yield "  " + messages.say("cli.ripple.lost", quote=lost.quote)
    yield from stock_lines(messages, result.stock)
    for row in stale_rows(result.chapters):
        yield from stale_chapter(messages, row)


def paused_lines(paused: Any) -> Iterator[str]:
    """What stopped a run and what can be done about it, in the words in which it was told then."""
    if paused is not None:
        from inkos.hosts.cli.session import error_words

        words = error_words(paused.code, paused.values.get("where", ""), dict(paused.values))
        yield "  " + words["what"]
        yield "  " + words["next"]


def _spend(messages: Messages, spend: Any) -> str:
    money = messages.say("cli.money-unknown") if spend.money is None else f"{spend.money:.4f} {spend.currency}"
    return messages.say("cli.status.spend", calls=spend.calls, tokens=spend.input + spend.output, cached=spend.cached,
                        money=money)  # fmt: skip


def compose(
    context: typer.Context,
    chapter: Annotated[str | None, typer.Argument(metavar="[CHAPTER]", help=help_for("argument.chapter"))] = None,
    explain: Annotated[bool, typer.Option("--explain", help=help_for("option.explain"))] = False,
    diff: Annotated[str, typer.Option("--diff", metavar="CHAPTER", help=help_for("option.compose-diff"))] = "",
    book: Book = None,
    full: Annotated[bool, typer.Option("--full", help=help_for("option.full"))] = False,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.composing import Compose

        chosen = session.book()
        at, other = (position(text or None, chosen, session.workspace) for text in (chapter, diff))
        return Compose(book=chosen, chapter=at, explain=explain, against=other)

    perform(options(context, book, json), "compose", build, lambda messages, result: _composed(messages, result, full))


def _composed(messages: Messages, result: Any, full: bool) -> Iterator[str]:
    yield messages.say("cli.compose.head", position=result.position, characters=result.characters)
    for layer in result.layers:
        name = messages.say(f"cli.layer.{layer.name}")
        yield f"  {name:<20} {len(layer.text):>6} / {layer.budget}  {layer.reason}"
        if full:
            yield layer.text
        for row in layer.left:
            yield messages.say("cli.compose.left", row=row)
    if result.shared is not None:
        share = f"{result.shared / max(1, result.characters):.0%}"
        yield messages.say("cli.compose.shared", characters=result.shared, share=share)
    if result.forecast is not None:
        from inkos.hosts.cli.production import forecast_lines

        yield messages.say("cli.compose.prompts", characters=result.prompts)
        yield from forecast_lines(messages, result)
    for layer in result.diff:
        name = messages.say(f"cli.layer.{layer.name}")
        yield messages.say("cli.compose.diff", layer=name, added=len(layer.added), removed=len(layer.removed))
        yield from (f"    + {line}" for line in layer.added)
        yield from (f"    - {line}" for line in layer.removed)


def export(
    context: typer.Context,
    book: Book = None,
    format: Annotated[
        str, typer.Option("--format", metavar="epub|docx|html|md|txt|pdf", help=help_for("option.format"))
    ] = "",
    place: Annotated[str, typer.Option("--for", metavar="PLACE", help=help_for("option.for"))] = "",
    chapters: Annotated[str, typer.Option("--chapters", metavar="A-B", help=help_for("option.range"))] = "",
    volume: Annotated[str, typer.Option("--volume", metavar="N", help=help_for("option.volume"))] = "",
    split: Annotated[bool, typer.Option("--split", help=help_for("option.split"))] = False,
    trim: Annotated[str, typer.Option("--trim", metavar="5x8|6x9", help=help_for("option.trim"))] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", help=help_for("option.output"))] = None,
    include: Annotated[str, typer.Option("--include", metavar="drafts", help=help_for("option.include"))] = "",
    approved: Annotated[bool, typer.Option("--approved", help=help_for("option.approved"))] = False,
    check: Annotated[bool, typer.Option("--check", help=help_for("option.check"))] = False,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.export import Export
        from inkos.errors import UsageFault
        from inkos.export.profile import FORMATS, TRIMS

        for where, given, allowed in (("--format", format, FORMATS), ("--trim", trim, TRIMS),
                                      ("--include", include, ("drafts",))):  # fmt: skip
            if given and given not in allowed:
                raise UsageFault("choice", where=where, given=given, allowed=", ".join(allowed))
        return Export.model_validate(
            {"book": session.book(), "format": format or None, "output": str(output or ""), "place": place,
             "drafts": include == "drafts", "approved": approved, "check": check, "chapters": chapters,
             "volume": volume, "split": split, "trim": trim or None}
        )  # fmt: skip

    perform(options(context, book, json), "export", build, exported_lines, lambda result: 1 if result.failed else 0)


def exported_lines(messages: Messages, result: Any) -> Iterator[str]:
    code = "done" if result.files == 1 else "folder"
    yield messages.say(f"cli.export.{code}", file=result.file, chapters=result.chapters, bytes=result.bytes,
                       files=result.files)  # fmt: skip
    if result.place:
        own, theirs = result.counts
        yield messages.say("cli.export.counts", own=own, place=result.place, theirs=theirs)
        code = "place-own" if result.place_file else "place"
        yield messages.say(f"cli.export.{code}", place=result.place, file=result.place_file,
                           about=result.about.get(messages.language, ""))  # fmt: skip
    for left in result.left_out:
        yield messages.say(f"cli.export.left-out.{left.why}", position=left.position, title=left.title)
    for finding in result.findings:
        yield "  " + finding_line(messages, finding)
    if result.epubcheck is not None:
        yield messages.say("cli.export.epubcheck", errors=result.epubcheck[0], warnings=result.epubcheck[1])
        yield from result.lines


@runs.command("list", help=help_for("run.list"))
def list_runs(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for row in result.runs:
            money = messages.say("cli.money-unknown") if row.money is None else f"{row.money:.4f}"
            yield messages.say("cli.run.row", run=row.id, status=messages.say(f"cli.run.{row.status}"),
                               stage=row.stage, calls=row.calls, tokens=row.tokens, money=money)  # fmt: skip

    perform(options(context, book, json), "run-list", _of_book, lines)


def _run(chosen: str) -> Build:
    def build(session: Session) -> Record:
        from inkos.actions.reports import ShowRun

        return ShowRun(book=session.book(), run=chosen)

    return build


@runs.command("show", help=help_for("run.show"))
def show_run(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help=help_for("argument.run"))],
    book: Book = None,
    json: Json = False,
) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.run.head", run=result.run.id, status=messages.say(f"cli.run.{result.run.status}"),
                           stage=result.run.stage)  # fmt: skip
        for want in result.run.wants.values():
            for tried in want.attempts:
                yield messages.say("cli.run.attempt", id=tried.id, status=tried.status, model=tried.model,
                                   characters=want.characters, output=tried.usage.output,
                                   file=f"runs/{result.run.id}/{tried.artefact}")  # fmt: skip
        yield from paused_lines(result.run.paused)
        notes = result.run.machine.get("notes")
        for note in notes if isinstance(notes, list) else ():
            yield f"  {note}"

    perform(options(context, book, json), "run-show", _run(run), lines)


@runs.command("resume", help=help_for("run.resume"))
def resume(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help=help_for("argument.run"))],
    book: Book = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.budget"))] = None,
    money: Annotated[float | None, typer.Option("--money", min=0.0001, help=help_for("option.money"))] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", min=1, help=help_for("option.seconds"))] = None,
    route: Annotated[list[str] | None, typer.Option("--route", metavar="ROLE=NAME", help=help_for("option.route"))]
    = None,
    accept_best: Annotated[bool, typer.Option("--accept-best", help=help_for("option.accept-best"))] = False,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.runs import ResumeRun

        return ResumeRun(book=session.book(), run=run, tokens=budget, money=money, seconds=seconds,
                         routes=pairs(route or (), "--route"), accept_best=accept_best)  # fmt: skip

    perform(options(context, book, json), "run-resume", build, outcome_lines, outcome_code)


@runs.command("cancel", help=help_for("run.cancel"))
def cancel(
    context: typer.Context,
    run: Annotated[str, typer.Argument(metavar="RUN", help=help_for("argument.run"))],
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.runs import FOUNDING, CancelRun

        return CancelRun(book="" if run.endswith(FOUNDING) else session.book(), run=run)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.run.given-up", run=result.run)
        if result.damaged:
            yield messages.say("cli.run.buried", file=f"runs/{result.run}/{result.damaged}")

    perform(options(context, book, json), "run-cancel", build, lines)
