"""A worker's loop: keeps turns coming while there is something to write; which comes next, cycle/batch.py decides."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial

from inkos.actions.batch_openings import JUDGING, to_judge
from inkos.actions.batch_turn import make_turn, plan_of, routes_of, terms_of
from inkos.actions.chapter_run import open_run
from inkos.actions.forecast import MAKERS
from inkos.actions.table import Door
from inkos.batch_ports import Batch, Board, Deed, Engine
from inkos.cycle.batch import OVER, Item, Scene, choose, in_season, next_due
from inkos.cycle.batch_plan import wait_for_window
from inkos.errors import Cancelled, InkosError
from inkos.runs.events import BatchTold

PATIENCE_SECONDS = 900.0  # a worker whose next turn is further away goes home; a timer or a person calls it again
LOOK_SECONDS, SLOW_SECONDS = 0.5, 5.0  # between two looks for turns; for the dead, for decisions, for what is told
TELL_TRIES, TELL_PAUSE = 5, 60.0


@dataclass
class Shift:
    """One worker's time at work. `names`: the batches it works on, empty: all. `halted`: those that stand still."""

    door: Door
    board: Board
    engine: Engine
    names: tuple[str, ...] = ()
    stay: bool = False
    halted: frozenset[str] = frozenset()
    told: dict[str, int] = field(default_factory=dict)
    needs: dict[tuple[str, str, int], frozenset[str]] = field(default_factory=dict)
    slow_at: float = 0.0  # by the monotonic clock

    def beat(self) -> None:
        self.halted = frozenset(batch.name for batch in self.board.batches() if batch.status != "running")

    def stopped(self, batch: str) -> bool:
        return self.door.stopped() or batch in self.halted

    def turn(self, batch: str, book: str, number: int) -> None:
        asyncio.run(make_turn(self.door, self.board, self.engine, batch, book, number, lambda: self.stopped(batch)))


async def work(shift: Shift, at_once: int) -> None:
    """Until nothing is left that this worker could do soon, or a person stops it (Cancelled)."""
    with shift.engine.working(shift.turn, at_once, shift.beat):
        for name in shift.names:
            shift.board.log(name, "", "begins", {"worker": shift.engine.worker})
        while not shift.door.stopped():
            due = await asyncio.to_thread(look, shift)
            for line in tell_log(shift):
                shift.door.emit(line)
            if due is None and not shift.stay:
                break
            away = due is not None and due > PATIENCE_SECONDS and not shift.stay
            if away:
                break
            await asyncio.to_thread(shift.engine.wait, LOOK_SECONDS)
        await asyncio.to_thread(tell_outside, shift)  # what the last turns left to be told
    for line in tell_log(shift):
        shift.door.emit(line)
    if shift.door.stopped():
        raise Cancelled


def tell_log(shift: Shift) -> Iterable[BatchTold]:
    for name in shift.names:
        for line in shift.board.lines(name, after=shift.told.get(name, 0)):
            shift.told[name] = line.number
            yield BatchTold(batch=name, book=line.book, code=line.code, values=line.values)


def look(shift: Shift) -> float | None:
    """Ask for the turns that are due. Seconds until there is something to do again, 0 while a turn is in work; null:
    nothing comes by itself."""
    slow = time.monotonic() >= shift.slow_at
    if slow:
        shift.slow_at = time.monotonic() + SLOW_SECONDS
        shift.engine.reap()
        tell_outside(shift)
    soonest: float | None = None
    for batch in shift.board.batches():
        if (shift.names and batch.name not in shift.names) or batch.status != "running":
            continue
        due = look_at(shift, batch, slow)
        if due is not None:
            soonest = due if soonest is None else min(soonest, due)
    return soonest


def look_at(shift: Shift, batch: Batch, slow: bool) -> float | None:
    board, now = shift.board, shift.board.now()
    items = [_seen(shift, batch, item, now, slow) for item in board.items(batch.name)]
    if slow:
        items = _found_again(shift, batch, items)
    if to_judge(batch, items):
        shift.engine.submit(batch.name, JUDGING, batch.judgings, 1)
        return 0.0
    running = any(item.status == "running" for item in items)
    if not running and all(item.status in OVER for item in items):
        _over(board, batch, now)
        return None
    local = time.localtime(now)
    closed = wait_for_window(batch.plan.between, local.tm_hour * 60 + local.tm_min + local.tm_sec / 60)
    paused = frozenset(name for name, route in board.routes().items() if route.paused is not None)
    needs = {item.book: _needs(shift, batch, item) for item in items if item.status == "waiting"}
    scene = Scene(items, needs, paused, batch.plan.concurrency.books, now)
    if not closed:
        for item in choose(scene):
            _start(shift, batch, item)
            running = True
    if running:
        return 0.0
    due = next_due(scene)
    return None if due is None else max(due - now, closed, 0.0)


def _start(shift: Shift, batch: Batch, item: Item) -> None:
    def start(known: Item) -> Item:
        return known.but(status="running") if (known.status, known.turn) == ("waiting", item.turn) else known

    before, known = shift.board.change_item(batch.name, item.book, start)
    if before.status == "waiting" and known.status == "running":
        shift.engine.submit(batch.name, item.book, item.turn, min(1000 - item.priority, 2000) * 1000 + item.turn % 1000)


def _seen(shift: Shift, batch: Batch, item: Item, now: float, slow: bool) -> Item:
    """The book as it stands now: a person may have decided, a new period begun."""
    if item.status == "review" and slow and not _waits_for_person(shift, item):
        return shift.board.change_item(
            batch.name, item.book, lambda i: i.but(status="waiting") if i.status == "review" else i
        )[1]
    if batch.plan.serial is not None and slow and item.status == "waiting":
        stock = _stock(shift, item)
        if in_season(item.but(stock=stock), batch.plan, batch.began, now) != item:
            return shift.board.change_item(
                batch.name, item.book, lambda i: in_season(i.but(stock=stock), batch.plan, batch.began, now)
            )[1]
    return item


def _waits_for_person(shift: Shift, item: Item) -> bool:
    try:
        record = open_run(shift.door.workspace.runs(item.book))
    except InkosError:
        return True
    return record is not None and record.status == "needs-review"


def _stock(shift: Shift, item: Item) -> int:
    """Chapters that are written and not published yet."""
    if item.book not in shift.door.workspace.books():
        return 0
    return sum(1 for row in shift.door.workspace.store(item.book).index().chapters if not row.locked)


def _found_again(shift: Shift, batch: Batch, items: list[Item]) -> list[Item]:
    """A book that is said to be written, and whose turn nobody has: its worker died between two words."""
    turns = [(item.batch, item.book, item.turn) for item in items if item.status == "running"]
    for name, book, turn in shift.engine.lost(turns):
        shift.board.change_item(name, book, partial(_again, turn))
    return list(shift.board.items(batch.name)) if turns else items


def _again(turn: int, item: Item) -> Item:
    return item.but(status="waiting", turn=turn + 1) if (item.status, item.turn) == ("running", turn) else item


def _needs(shift: Shift, batch: Batch, item: Item) -> frozenset[str]:
    """The routes that a book's next turn asks; none that is not set at all: its turn says so."""
    key = (batch.digest, item.book, max(batch.rung, item.rung))
    if key not in shift.needs:
        workspace, there = shift.door.workspace, item.book in shift.door.workspace.books()
        own = workspace.store(item.book).config().roles if there else {}
        models = workspace.models({**own, **routes_of(batch.plan, plan_of(batch, item.book), terms_of(batch, item))})
        found = set()
        for role in MAKERS if there else ("founder",):
            try:
                found.add(models.route_name(role))
            except InkosError:
                continue
        if not there:
            return frozenset(found)
        shift.needs[key] = frozenset(found)
    return shift.needs[key]


def _over(board: Board, batch: Batch, now: float) -> None:
    def over(known: Batch) -> Batch:
        return known.model_copy(update={"status": "over"}) if known.status == "running" else known

    board.change_batch(batch.name, over)
    board.log(batch.name, "", "over", {})
    board.tell(Deed(id=f"{batch.name}//batch-over/{batch.digest[:12]}", at=now, batch=batch.name, book="",
                    what="batch-over"))  # fmt: skip


def tell_outside(shift: Shift) -> None:
    """Send what is to be told and was not yet; each worker may, one at a time."""
    now = shift.board.now()
    for deed in shift.board.untold():
        if deed.tries >= TELL_TRIES or deed.not_before > now:
            continue
        before, claimed = shift.board.change_deed(deed.id, partial(_claimed, deed.tries, now))
        if before.tries != deed.tries or before.sent:
            continue
        faults = shift.door.workspace.notify(claimed)
        for fault in faults:
            shift.board.log(deed.batch, deed.book, "notify-failed", {"what": deed.what, "detail": fault})
        if not faults:
            shift.board.change_deed(deed.id, lambda d: d.model_copy(update={"sent": True}))


def _claimed(tries: int, now: float, deed: Deed) -> Deed:
    if deed.tries != tries or deed.sent:
        return deed
    return deed.model_copy(update={"tries": tries + 1, "not_before": now + TELL_PAUSE * 2**tries})


def at_once_of(batches: Iterable[Batch], wanted: int | None) -> int:
    """Turns that one worker makes at a time: as many as all its batches allow together, or as many as are wanted."""
    return max(1, min(256, wanted or sum(batch.plan.concurrency.books for batch in batches)))
