"""The verbs of a batch: enter a plan and work on it, look at it, stop and send on; writes no chapter itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, ValidationError

from inkos.actions.batch_turn import total
from inkos.actions.batch_work import Shift, at_once_of, work
from inkos.actions.chapter_run import open_run
from inkos.actions.table import Door, action
from inkos.batch_ports import Batch, BatchStatus, Board, LogLine
from inkos.cycle.batch import OVER, Item, ItemStatus, Spend, Why
from inkos.cycle.batch_plan import BatchPlan, BookPlan, Cap, Openings, Serial
from inkos.errors import InkosError, UsageFault
from inkos.records import Record, digest, dump


class RunBatch(Record):
    """`plan`: path of PLAN.yaml. `between`, `every`, `chapters`, `stock`: over what the plan says of its hours and of
    serials. `at_once`: turns that this process makes at a time. `stay`: wait for what is due later."""

    plan: str
    url: str = ""
    between: str = ""
    every: str = ""
    chapters: int | None = None
    stock: int | None = None
    at_once: int | None = None
    stay: bool = False
    enter_only: bool = False


class OfBatch(Record):
    """`batch` empty: the only one, or the newest that is not over."""

    batch: str = ""
    url: str = ""


class Row(Record):
    """One book as `batch status` shows it. `of`: chapters that are to be there in the end; `eta`: seconds, null:
    nothing to go by."""

    book: str
    status: ItemStatus
    done: int
    of: int
    step: str = ""
    words: int = 0
    score: float | None = None
    tokens: int = 0
    money: float | None = 0.0
    eta: float | None = None
    why: Why = Why()


class BatchState(Record):
    """A batch as it stands. `paused_routes`: route → why nothing asks it."""

    batch: str
    status: BatchStatus
    rows: tuple[Row, ...]
    done: int
    of: int
    words: int
    tokens: int
    money: float | None
    currency: str
    eta: float | None
    workers: int
    paused_routes: dict[str, Why] = {}
    added: tuple[str, ...] = ()

    def count(self, *status: str) -> int:
        return sum(1 for row in self.rows if row.status in status)


@action("batch-run", RunBatch, BatchState, "pays")
async def run_batch(door: Door, command: RunBatch) -> BatchState:
    """Enter a plan, which the same plan does only once, and work on it until nothing is left to do soon."""
    plan, briefs = door.workspace.read_plan(command.plan)
    plan = _with(plan, command)
    board = door.workspace.board(command.url)
    batch, added = enter(door, board, plan, dict(briefs))
    if command.enter_only:
        return state_of(door, board, batch.name).model_copy(update={"added": tuple(added)})
    return await _worked(door, board, batch, added, command.at_once, command.stay)


class RunOpenings(Record):
    """`briefs`: paths; `count` openings in all, spread over them. `then`: chapters of those that go on."""

    name: str
    briefs: tuple[str, ...]
    count: int = Field(default=4, ge=2, le=100)
    chapters: int = Field(default=3, ge=1, le=50)
    keep: float = Field(default=0.5, gt=0, lt=1)
    then: int = Field(default=20, ge=1)
    tokens: int | None = None
    money: float | None = None
    at_once: int | None = None
    url: str = ""


@action("batch-openings", RunOpenings, BatchState, "pays")
async def run_openings(door: Door, command: RunOpenings) -> BatchState:
    """A batch of books that begin from the same brief or from several, of which the better ones go on."""
    texts = [door.workspace.read_text(path) for path in command.briefs]
    books = [BookPlan(book=f"{command.name}-{number}", brief=command.briefs[(number - 1) % len(texts)])
             for number in range(1, command.count + 1)]  # fmt: skip
    budget = Cap(tokens=command.tokens, money=command.money) if command.tokens or command.money else None
    try:
        plan = BatchPlan(name=command.name, books=tuple(books), chapters=max(command.then, command.chapters),
                         budget=budget, openings=Openings(chapters=command.chapters, keep=command.keep))  # fmt: skip
    except ValidationError as error:
        raise UsageFault("option-value", where="--name", given=command.name, detail=error.errors()[0]["msg"]) from error
    briefs = {book.book: texts[number % len(texts)] for number, book in enumerate(books)}
    board = door.workspace.board(command.url)
    batch, added = enter(door, board, plan, briefs)
    return await _worked(door, board, batch, added, command.at_once)


async def _worked(
    door: Door, board: Board, batch: Batch, added: Sequence[str], at_once: int | None, stay: bool = False
) -> BatchState:
    for book in added:
        board.log(batch.name, book, "added", {})
    shift = Shift(door, board, door.workspace.engine(board), names=(batch.name,), stay=stay)
    shift.told[batch.name] = max((line.number for line in board.lines(batch.name, most=1)), default=0)
    await work(shift, at_once_of([batch], at_once))
    return state_of(door, board, batch.name).model_copy(update={"added": tuple(added)})


def _with(plan: BatchPlan, command: RunBatch) -> BatchPlan:
    changes: dict[str, object] = {}
    if command.between:
        changes["between"] = command.between
    if command.every:
        serial = plan.serial or Serial()
        told = {"every": command.every, "chapters": command.chapters, "stock": command.stock}
        changes["serial"] = {**serial.model_dump(), **{k: v for k, v in told.items() if v is not None}}
    return BatchPlan.model_validate({**plan.model_dump(), **changes}) if changes else plan


def enter(door: Door, board: Board, plan: BatchPlan, briefs: dict[str, str]) -> tuple[Batch, Sequence[str]]:
    """The batch of a plan, and which of its books are new to it. UsageFault before anything is entered."""
    check_plan(door, plan, briefs)
    known, mark = board.batch(plan.name), digest(dump(plan) + dump(briefs))
    if known is not None and known.status == "cancelled":
        raise InkosError("batch-cancelled", where=plan.name)
    batch = known or Batch(name=plan.name, plan=plan, digest=mark, briefs=briefs, began=board.now())
    batch = batch.model_copy(update={"plan": plan, "digest": mark, "briefs": briefs, "status": "running", "why": Why()})
    present = set(door.workspace.books())
    items = [_item(door, plan, book, order, book.book in present) for order, book in enumerate(plan.books)]
    added = board.enter(batch, items)
    if known is not None and known.digest != mark:
        for item in items:
            board.change_item(plan.name, item.book, lambda old, new=item: _changed(old, new))  # type: ignore[misc]
    return batch, added


def _item(door: Door, plan: BatchPlan, book: BookPlan, order: int, present: bool) -> Item:
    start = len(door.workspace.store(book.book).index().chapters) if present else 0
    trial = start + plan.openings.chapters if plan.openings is not None else 0
    until = start + (plan.chapters_of(book) or 0)
    return Item(batch=plan.name, book=book.book, order=order, priority=book.priority, start=start, done=start,
                until=until, trial=trial if trial < until else 0)  # fmt: skip


def _changed(old: Item, new: Item) -> Item:
    """A known book under a changed plan: what it is to become, from where it began."""
    until = old.start + new.until - new.start
    again = old.status == "done" and old.done < until
    return old.but(order=new.order, priority=new.priority, until=until, status="waiting" if again else old.status)


def check_plan(door: Door, plan: BatchPlan, briefs: dict[str, str]) -> None:
    """UsageFault where a route or a book that the plan names is not there."""
    workspace, present = door.workspace, set(door.workspace.books())
    named = [*plan.routes.values(), *(rung.route for rung in plan.ladder if rung.route)]
    named += [route for book in plan.books for route in book.routes.values()]
    for route in named:
        if route not in workspace.config.routes:
            raise UsageFault("choice", where=f"{plan.name}: routes", given=route,
                             allowed=", ".join(workspace.config.routes))  # fmt: skip
    for book in plan.books:
        if book.book in present:
            continue
        if book.book not in briefs:
            raise UsageFault("batch-book-missing", where=plan.name, book=book.book)
        workspace.check_new(book.book)


class WorkBatch(Record):
    """`batch` empty: all of them."""

    batch: str = ""
    url: str = ""
    at_once: int | None = None
    stay: bool = False


class Worked(Record):
    batches: tuple[BatchState, ...]


@action("batch-worker", WorkBatch, Worked, "pays")
async def worker(door: Door, command: WorkBatch) -> Worked:
    """Work on what was entered, beside other workers of the same database."""
    board = door.workspace.board(command.url)
    names = (named(board, command.batch).name,) if command.batch else tuple(b.name for b in board.batches())
    shift = Shift(door, board, door.workspace.engine(board), names=names, stay=command.stay)
    running = [b for b in board.batches() if b.name in names and b.status == "running"]
    await work(shift, at_once_of(running, command.at_once))
    return Worked(batches=tuple(state_of(door, board, name) for name in names))


@action("batch-status", OfBatch, BatchState, "reads")
async def status(door: Door, command: OfBatch) -> BatchState:
    board = door.workspace.board(command.url)
    return state_of(door, board, named(board, command.batch).name)


def named(board: Board, name: str) -> Batch:
    """The batch meant. UsageFault `batch-none`, `choice`."""
    batches = list(board.batches())
    if not batches:
        raise UsageFault("batch-none", where="batch")
    if name:
        found = next((batch for batch in batches if batch.name == name), None)
        if found is None:
            raise UsageFault("choice", where="BATCH", given=name, allowed=", ".join(b.name for b in batches))
        return found
    return max(batches, key=lambda batch: (batch.status != "over", batch.began))


def state_of(door: Door, board: Board, name: str) -> BatchState:
    batch = board.batch(name)
    assert batch is not None
    spends, items = board.spends(name), board.items(name)
    rows = [_row(door, item, spends.get(item.book, Spend())) for item in items]
    paid = total(spends)
    left = [row.eta for row in rows if row.status not in OVER and row.eta]
    at_once = min(batch.plan.concurrency.books, max(len(left), 1))
    return BatchState(
        batch=name, status=batch.status, rows=tuple(rows), done=sum(item.written for item in items),
        of=sum(max(0, item.until - item.start) for item in items), words=sum(item.words for item in items),
        tokens=paid.tokens, money=paid.money, currency=door.workspace.config.currency,
        eta=max(max(left), sum(left) / at_once) if left else None,
        workers=sum(1 for worker in board.workers() if not worker.gone and board.now() - worker.seen < 60),
        paused_routes={route.name: route.paused for route in board.routes().values() if route.paused is not None},
    )  # fmt: skip


def _row(door: Door, item: Item, spend: Spend) -> Row:
    each = item.seconds / item.written if item.written and item.seconds else None
    eta = None if each is None or item.status in OVER else each * max(0, item.goal - item.done)
    step = ""
    if item.status == "running" and item.book in door.workspace.books():
        try:
            record = open_run(door.workspace.runs(item.book))
            step = record.stage if record is not None else ""
        except InkosError:
            step = ""
    return Row(book=item.book, status=item.status, done=item.done, of=item.until, step=step, words=item.words,
               score=item.score, tokens=spend.tokens, money=spend.money, eta=eta, why=item.why)  # fmt: skip


class Control(Record):
    """`book` empty: the whole batch. `route`: a paused route that may be asked again; `resume` frees all of them."""

    batch: str = ""
    url: str = ""
    do: Literal["pause", "resume", "cancel", "retry"]
    book: str = ""


@action("batch-control", Control, BatchState, "writes", undo="batch resume, batch retry")
async def control(door: Door, command: Control) -> BatchState:
    """Stop a batch or send it on; turns in work end at their next call, and are taken up where they stood."""
    board = door.workspace.board(command.url)
    batch = named(board, command.batch)
    if command.book and command.book not in {item.book for item in board.items(batch.name)}:
        raise UsageFault("choice", where="--book", given=command.book,
                         allowed=", ".join(item.book for item in board.items(batch.name)))  # fmt: skip
    if command.do == "retry":
        _retry(board, batch, command.book)
    elif command.book:
        _one_book(board, batch, command)
    else:
        status: BatchStatus = {"pause": "paused", "resume": "running", "cancel": "cancelled"}[command.do]  # type: ignore[assignment]
        board.change_batch(batch.name, lambda known: known.model_copy(update={"status": status}))
        if command.do == "resume":
            _free_routes(board)
        if command.do == "cancel":
            for item in board.items(batch.name):
                board.change_item(batch.name, item.book, _cancelled)
    board.log(batch.name, command.book, command.do, {})
    return state_of(door, board, batch.name)


def _cancelled(item: Item) -> Item:
    return item if item.status in ("done", "running") else item.but(status="cancelled")


def _one_book(board: Board, batch: Batch, command: Control) -> None:
    if command.do == "resume":
        _retry(board, batch, command.book)
    else:  # the book only: others go on
        board.change_item(batch.name, command.book, _cancelled)


def _retry(board: Board, batch: Batch, book: str) -> None:
    """What failed, ended or was cancelled goes on; what was decided against in a triage too."""
    def again(item: Item) -> Item:
        if item.status not in ("failed", "ended", "cancelled") and not item.not_before:
            return item
        weaker = item.why.code == "weaker"
        return item.but(status="waiting", fails=0, not_before=0.0, why=Why(), trial=0 if weaker else item.trial)

    for item in board.items(batch.name):
        if not book or item.book == book:
            board.change_item(batch.name, item.book, again)
    _free_routes(board)
    board.change_batch(batch.name, lambda known: known.model_copy(update={"status": "running"}))


def _free_routes(board: Board) -> None:
    for name in board.routes():
        board.change_route(name, lambda route: route.model_copy(update={"strikes": 0, "paused": None}))


class Logs(Record):
    batch: str = ""
    url: str = ""
    book: str = ""
    most: int = 200


class Lines(Record):
    batch: str
    lines: tuple[LogLine, ...]


@action("batch-logs", Logs, Lines, "reads")
async def logs(door: Door, command: Logs) -> Lines:
    board = door.workspace.board(command.url)
    batch = named(board, command.batch)
    lines = board.lines(batch.name, most=command.most)
    return Lines(batch=batch.name, lines=tuple(line for line in lines if command.book in ("", line.book)))
