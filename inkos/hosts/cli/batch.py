"""Commands for many books at once; shows results, decides nothing."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Json, ProgressMode
from inkos.hosts.cli.session import Build, Options, Session, fail, open_session, options, perform
from inkos.hosts.cli.terminal import say
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

batch = typer.Typer(help=help_for("batch.about"), rich_markup_mode=None, no_args_is_help=True)
PlanFile = Annotated[Path, typer.Argument(metavar="PLAN.yaml", help=help_for("argument.plan-file"))]
Name = Annotated[str, typer.Argument(metavar="[BATCH]", help=help_for("argument.batch"))]
Url = Annotated[str, typer.Option("--database-url", metavar="URL", help=help_for("option.database-url"))]
OfBook = Annotated[str, typer.Option("--book", "-b", help=help_for("option.batch-book"))]
AtOnce = Annotated[int | None, typer.Option("--at-once", min=1, max=256, help=help_for("option.at-once"))]
Stay = Annotated[bool, typer.Option("--stay", help=help_for("option.stay"))]
Between = Annotated[str, typer.Option("--between", metavar="22:00-07:00", help=help_for("option.between"))]
Every = Annotated[str, typer.Option("--every", metavar="24h", help=help_for("option.every"))]
PerPeriod = Annotated[int | None, typer.Option("--chapters", min=1, help=help_for("option.per-period"))]
Stock = Annotated[int | None, typer.Option("--stock", min=1, help=help_for("option.stock"))]


def register(app: typer.Typer) -> None:
    app.add_typer(batch, name="batch")


@batch.command("run", help=help_for("batch.run"))
def run(
    context: typer.Context,
    plan: PlanFile,
    dry_run: Annotated[bool, typer.Option("--dry-run", help=help_for("option.batch-dry-run"))] = False,
    between: Between = "",
    every: Every = "",
    chapters: PerPeriod = None,
    stock: Stock = None,
    at_once: AtOnce = None,
    stay: Stay = False,
    detach: Annotated[bool, typer.Option("--detach", help=help_for("option.detach"))] = False,
    url: Url = "",
    progress: ProgressMode = "",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import RunBatch

        return RunBatch(plan=str(plan), url=url, between=between, every=every, chapters=chapters, stock=stock,
                        at_once=at_once, stay=stay, enter_only=detach)  # fmt: skip

    def foresee(session: Session) -> Record:
        from inkos.actions.batch_money import ForecastBatch

        return ForecastBatch(plan=str(plan))

    chosen = options(context, None, json, progress)
    if dry_run:
        perform(chosen, "batch-forecast", foresee, _foreseen)
    if detach:
        perform(chosen, "batch-run", build, lambda messages, state: _detached(messages, state, url, at_once, stay))
    perform(chosen, "batch-run", build, table, exit_code)


def _detached(messages: Messages, state: Any, url: str, at_once: int | None, stay: bool) -> Iterator[str]:
    """A worker of its own session: it outlives the terminal, and its words go to a file."""
    from inkos.hosts.wire import open_workspace

    root = Path(open_workspace().root)
    words = [sys.executable, "-m", "inkos", "--progress", "plain", "batch", "worker", state.batch]
    words += ["--at-once", str(at_once)] if at_once else []
    words += ["--stay"] if stay else []
    environment = {**os.environ, **({"INKOS_DATABASE_URL": url} if url else {})}  # it holds a password: no argument
    with (root / ".inkos/batch.log").open("ab") as log:
        worker = subprocess.Popen(words, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                  start_new_session=True)  # fmt: skip
    yield messages.say("batch.detached", pid=worker.pid, batch=state.batch)


def _foreseen(messages: Messages, result: Any) -> Iterator[str]:
    word = messages.say
    for row in (*result.rows, result):
        name = getattr(row, "book", "") or word("batch.together")
        basis = word(f"batch.basis.{row.basis}") if hasattr(row, "basis") else ""
        yield word("batch.foreseen", book=name, chapters=row.chapters, basis=basis).rstrip()
        yield "  " + word("batch.odds.tokens", range=_odds(messages, row.tokens, "{:,.0f}"))
        yield "  " + word("batch.odds.money", range=_odds(messages, row.money, "{:.2f} " + result.currency))
        yield "  " + word("batch.odds.minutes", range=_odds(messages, row.seconds, "{:.0f}", 60))
        if row.over_cap:
            yield "  " + word("batch.over-cap")


def _odds(messages: Messages, found: Any, form: str, scale: float = 1) -> str:
    if found.p50 is None:
        return str(messages.say("cli.forecast.unknown"))
    return f"P50 {form.format(found.p50 / scale)} · P90 {form.format(found.p90 / scale)}"


@batch.command("report", help=help_for("batch.report"))
def report(context: typer.Context, name: Name = "", url: Url = "", json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import OfBatch

        return OfBatch(batch=name, url=url)

    perform(options(context, None, json), "batch-report", build, _reported)


def _reported(messages: Messages, result: Any) -> Iterator[str]:
    for row in result.books:
        yield f"{row.book}: {spend(messages, row.spend.tokens, row.spend.money, result.currency)}"
        for each in row.rounds:
            unknown = messages.say("batch.report.unknown")
            money = unknown if each.money is None else f"{each.money:.2f} {result.currency}"
            yield "  " + messages.say(
                "batch.report.round", number=each.number, chapters=each.chapters, kept=each.kept, tokens=each.tokens,
                money=money, gained="–" if each.gained is None else f"{each.gained:.1f}",
            )  # fmt: skip


@batch.command("openings", help=help_for("batch.openings"))
def openings(
    context: typer.Context,
    name: Annotated[str, typer.Option("--name", help=help_for("option.openings-name"))],
    brief: Annotated[list[Path], typer.Option("--brief", help=help_for("option.openings-brief"))],
    count: Annotated[int, typer.Option("--count", min=2, max=100, help=help_for("option.openings-count"))] = 4,
    chapters: Annotated[int, typer.Option("--chapters", min=1, max=50, help=help_for("option.openings-chapters"))] = 3,
    keep: Annotated[float, typer.Option("--keep", help=help_for("option.openings-keep"))] = 0.5,
    then: Annotated[int, typer.Option("--then", min=1, help=help_for("option.openings-then"))] = 20,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.batch-budget"))] = None,
    money: Annotated[float | None, typer.Option("--money", help=help_for("option.batch-money"))] = None,
    at_once: AtOnce = None,
    url: Url = "",
    progress: ProgressMode = "",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import RunOpenings

        return RunOpenings(name=name, briefs=tuple(str(path) for path in brief), count=count, chapters=chapters,
                           keep=keep, then=then, tokens=budget, money=money, at_once=at_once, url=url)  # fmt: skip

    perform(options(context, None, json, progress), "batch-openings", build, table, exit_code)


@batch.command("schedule", help=help_for("batch.schedule"))
def schedule(
    context: typer.Context,
    plan: PlanFile,
    between: Between = "",
    every: Every = "",
    chapters: PerPeriod = None,
    stock: Stock = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch_timing import ScheduleBatch

        return ScheduleBatch(plan=str(plan.resolve()), program=(sys.executable, "-m", "inkos"), between=between,
                             every=every, chapters=chapters, stock=stock)  # fmt: skip

    perform(options(context, None, json), "batch-schedule", build, _scheduled)


def _scheduled(messages: Messages, result: Any) -> Iterator[str]:
    yield messages.say("batch.cron")
    yield result.cron
    yield messages.say("batch.systemd")
    yield "# ~/.config/systemd/user/inkos-batch.service"
    yield from result.service.rstrip().split("\n")
    yield "# ~/.config/systemd/user/inkos-batch.timer"
    yield from result.timer.rstrip().split("\n")


@batch.command("worker", help=help_for("batch.worker"))
def worker(
    context: typer.Context,
    name: Name = "",
    at_once: AtOnce = None,
    stay: Stay = False,
    url: Url = "",
    progress: ProgressMode = "",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import WorkBatch

        return WorkBatch(batch=name, url=url, at_once=at_once, stay=stay)

    perform(options(context, None, json, progress), "batch-worker", build, _tables,
            lambda worked: max((exit_code(state) for state in worked.batches), default=0))  # fmt: skip


@batch.command("status", help=help_for("batch.status"))
def status(
    context: typer.Context,
    name: Name = "",
    line: Annotated[bool, typer.Option("--line", help=help_for("option.line"))] = False,
    watch: Annotated[bool, typer.Option("--watch", help=help_for("option.watch"))] = False,
    url: Url = "",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import OfBatch

        return OfBatch(batch=name, url=url)

    chosen = options(context, None, json)
    if watch:
        _watch(chosen, build)
    perform(chosen, "batch-status", build, _line if line else table)


def _watch(chosen: Options, build: Build) -> None:
    """The table anew each second, until the batch is over or Ctrl-C."""
    from inkos.actions import ACTIONS, Door

    try:
        session = open_session(chosen)
        while True:
            door = Door(session.workspace, lambda event: None, lambda: False)
            state = asyncio.run(_seen(ACTIONS["batch-status"], door, build(session)))
            if state.status == "over":
                return
            print("\x1b[H\x1b[2J" if sys.stdout.isatty() else "", end="")
            for row in table(session.messages, state):
                say(row)
            time.sleep(1)
    except BaseException as trouble:
        fail(chosen, trouble)


async def _seen(action: Any, door: Any, command: Record) -> Any:
    return await action.run(door, command)


def _control(verb: str) -> Any:
    def command(
        context: typer.Context, name: Name = "", book: OfBook = "", url: Url = "", json: Json = False
    ) -> None:
        def build(session: Session) -> Record:
            from inkos.actions.batch import Control

            return Control.model_validate({"batch": name, "do": verb, "book": book, "url": url})

        perform(options(context, None, json), "batch-control", build, table)

    return command


for _verb in ("pause", "resume", "cancel", "retry"):
    batch.command(_verb, help=help_for(f"batch.{_verb}"))(_control(_verb))


@batch.command("logs", help=help_for("batch.logs"))
def logs(
    context: typer.Context,
    name: Name = "",
    book: OfBook = "",
    most: Annotated[int, typer.Option("--last", min=1, max=100_000, help=help_for("option.last"))] = 200,
    url: Url = "",
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.batch import Logs

        return Logs(batch=name, book=book, most=most, url=url)

    perform(options(context, None, json), "batch-logs", build, _log)


def _log(messages: Messages, result: Any) -> Iterator[str]:
    from inkos.hosts.cli.progress import batch_line

    for line in result.lines:
        at = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.at))
        yield f"{at}  {batch_line(messages, line)}"


def exit_code(state: Any) -> int:
    """1: a book failed; 3: somebody has to decide; 4: it stands, and goes on when a person says so; 0: all is well,
    done or waiting for its time."""
    if state.count("failed"):
        return 1
    if state.count("review"):
        return 3
    stands = [row for row in state.rows if row.status in ("ended", "waiting") and row.why.code not in ("", "weaker")]
    return 4 if stands or state.paused_routes or state.status == "paused" else 0


def _tables(messages: Messages, result: Any) -> Iterator[str]:
    for state in result.batches:
        yield from table(messages, state)


def table(messages: Messages, state: Any) -> Iterator[str]:
    """One row a book; columns are aligned by what they take on a terminal."""
    from inkos.hosts.cli.progress import columns, reason

    word = messages.say
    yield _line_of(messages, state)
    head = [word(f"batch.column.{name}") for name in ("book", "chapters", "step", "words", "score", "spend", "eta")]
    rows = [head, *(_cells(messages, row, state.currency) for row in state.rows)]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(head))]
    for row in rows:
        yield "  ".join(cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
    for row in state.rows:
        if row.why.code and row.status != "running":
            yield f"{row.book}: {reason(messages, row.why.code, row.why.values)}"
            if row.why.code == "outline-ends":
                yield "  " + word("batch.extend", book=row.book)
    for route, why in state.paused_routes.items():
        yield word("batch.route-paused", route=route, why=reason(messages, why.code, why.values))
    if state.count("review"):
        yield word("batch.review-waits", count=state.count("review"))


def _cells(messages: Messages, row: Any, currency: str) -> list[str]:
    step = messages.say(f"batch.status.{row.status}")
    if row.step and f"cli.stage.{row.step}" in messages:
        step = messages.say(f"cli.stage.{row.step}")
    return [
        row.book, f"{row.done}/{row.of}", step, str(row.words), "–" if row.score is None else f"{row.score:.0f}",
        spend(messages, row.tokens, row.money, currency), "–" if row.eta is None else duration(row.eta),
    ]  # fmt: skip


def spend(messages: Messages, tokens: int, money: float | None, currency: str) -> str:
    paid = messages.say("cli.money-unknown") if money is None else f"{money:.2f} {currency}"
    return f"{tokens} token, {paid}"


def duration(seconds: float) -> str:
    minutes = max(1, round(seconds / 60))
    return f"{minutes // 60}:{minutes % 60:02d} h" if minutes >= 60 else f"{minutes} min"


def _line(messages: Messages, state: Any) -> Iterator[str]:
    yield _line_of(messages, state)


def _line_of(messages: Messages, state: Any) -> str:
    """All of a batch in one line, for logs."""
    return messages.say(
        "batch.line", batch=state.batch, status=messages.say(f"batch.state.{state.status}"), done=state.done,
        of=state.of, books=len(state.rows), finished=state.count("done"), running=state.count("running"),
        review=state.count("review"), stopped=state.count("failed", "ended", "cancelled"), workers=state.workers,
        words=state.words, spend=spend(messages, state.tokens, state.money, state.currency),
        eta="–" if state.eta is None else duration(state.eta),
    )  # fmt: skip
