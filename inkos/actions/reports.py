"""The verbs that only read: how a book stands, what is true in it, what its runs did; calls no model."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from inkos.actions.chapter_run import load_run, open_run
from inkos.actions.edited import Edited, edited_chapters
from inkos.actions.published import Stock, stocks
from inkos.actions.table import Door, action
from inkos.kernel.book import ChapterEntry
from inkos.kernel.outline import entries_left, next_entry
from inkos.kernel.views import hooks_due
from inkos.ports import FileProblem, Holder
from inkos.records import Record
from inkos.runs.ledger import add_up, latest
from inkos.runs.record import Pause, RunRecord


class OfBook(Record):
    book: str


class Spend(Record):
    """Sum of the ledger. `money` null: at least one price is unknown; `unknown` counts attempts without an outcome."""

    calls: int = 0
    input: int = 0
    output: int = 0
    cached: int = 0
    money: float | None = 0.0
    currency: str = "USD"
    unknown: int = 0


class OpenRun(Record):
    """`paused`: what stopped it, told again after a restart as it was told then."""

    id: str
    chapter: str
    status: str
    stage: str
    note: str = ""
    paused: Pause | None = None


class Status(Record):
    """`chapters` with the length that their files have now; `edited` are those changed since they were accepted."""

    book: str
    title: str
    language: str
    rehearsal: bool
    chapters: tuple[ChapterEntry, ...]
    words: int
    planned: int
    next_position: int
    next_title: str
    outline_left: int
    hooks_open: int
    hooks_due: tuple[str, ...]
    spend: Spend
    run: OpenRun | None
    holder: Holder | None
    problems: tuple[FileProblem, ...]
    edited: tuple[Edited, ...] = ()
    stock: tuple[Stock, ...] = ()


def spend(rows: list[Mapping[str, object]], currency: str) -> Spend:
    """Sum ledger rows; the last row of an attempt counts, so a line written twice after a crash is one."""
    spent = add_up(latest(rows))
    return Spend(calls=spent.calls, input=spent.input, output=spent.output, cached=spent.cached, money=spent.money,
                 currency=currency, unknown=spent.unknown)  # fmt: skip


@action("status", OfBook, Status, "reads")
async def status(door: Door, command: OfBook) -> Status:
    store, now = door.workspace.store(command.book), door.workspace.clock.now()
    book = store.read(recent=0)
    runs = door.workspace.runs(command.book)
    consumed = [c.outline_key for c in book.index.chapters]
    entry, _ = next_entry(book.outline, consumed)
    running = open_run(runs)
    problems = tuple(store.problems())
    chapters, edited = edited_chapters(store, book, problems)
    return Status(
        book=command.book,
        title=book.config.title,
        language=book.config.language,
        rehearsal=book.config.rehearsal,
        chapters=chapters,
        words=sum(c.words for c in chapters),
        planned=book.config.chapters,
        next_position=book.next_position,
        next_title=entry.title if entry else "",
        outline_left=len(entries_left(book.outline, consumed)),
        hooks_open=sum(1 for h in book.state.hooks.values() if h.status in ("open", "progressing", "deferred")),
        hooks_due=tuple(h.core for h in hooks_due(book.state, book.next_position, book.config.chapters)),
        spend=spend(list(runs.ledger()), door.workspace.config.currency),
        run=OpenRun(id=running.id, chapter=running.chapter, status=running.status, stage=running.stage,
                    note=running.note, paused=running.paused) if running else None,
        holder=store.holder(),
        problems=problems,
        edited=edited,
        stock=stocks(store, book.config, book.index.chapters, datetime.fromtimestamp(now, UTC).date()),
    )  # fmt: skip


class RunRow(Record):
    id: str
    kind: str
    chapter: str
    status: str
    stage: str
    calls: int
    tokens: int
    money: float | None
    note: str


class Runs(Record):
    book: str
    runs: tuple[RunRow, ...]


@action("run-list", OfBook, Runs, "reads")
async def list_runs(door: Door, command: OfBook) -> Runs:
    store = door.workspace.runs(command.book)
    rows = []
    for record in (load_run(store, run_id) for run_id in store.list()):
        calls = sum(1 for a in record.attempts() if a.status == "replied")
        rows.append(
            RunRow(id=record.id, kind=record.kind, chapter=record.chapter, status=record.status, stage=record.stage,
                   calls=calls, tokens=record.tokens, money=record.money, note=record.note)
        )  # fmt: skip
    return Runs(book=command.book, runs=tuple(rows))


class ShowRun(Record):
    book: str
    run: str


class RunShown(Record):
    run: RunRecord


@action("run-show", ShowRun, RunShown, "reads")
async def show_run(door: Door, command: ShowRun) -> RunShown:
    return RunShown(run=load_run(door.workspace.runs(command.book), command.run))
