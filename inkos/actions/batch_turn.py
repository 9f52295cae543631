"""One turn of a batch: a founding or one chapter of one book, and what came of it; chooses no book."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from inkos.actions.batch_delivery import announce
from inkos.actions.batch_openings import JUDGING, failed, judge
from inkos.actions.chapter_run import open_run
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, write_next
from inkos.actions.runs import CancelRun, cancel_run
from inkos.actions.sameness import warn_alike
from inkos.actions.table import Door
from inkos.batch_ports import Batch, Board, Deed, Engine
from inkos.config import ROLES
from inkos.cycle.batch import Item, Outcome, Spend, Terms, Why, after, in_season, rungs, share, strike, terms
from inkos.cycle.batch_plan import BatchPlan, BookPlan, Rung
from inkos.errors import BookBusy, BudgetSpent, Cancelled, InkosError, ModelFault
from inkos.prompts.request import TASK_ROLES
from inkos.records import GENESIS, digest, dump
from inkos.runs.events import CallFailed, Event, FellBack

# Another worker has the book, or nothing can be entered now: whatever this one would say is out of date. The turn is
# found again by whoever looks next.
OVERTAKEN = frozenset({"lease-lost", "batch-database"})


@dataclass
class Turn:
    """A turn being made. `door` is that of the worker; `asked` remembers which task failed last."""

    door: Door
    board: Board
    engine: Engine
    batch: Batch
    item: Item
    book: BookPlan
    stopped: Callable[[], bool]
    terms: Terms = field(default_factory=Terms)
    task: str = ""

    def hear(self, event: Event) -> None:
        if isinstance(event, CallFailed | FellBack):
            self.task = event.task

    @property
    def routes(self) -> dict[str, str]:
        """Role → route, all roles named: what the plan says, and over it the step of the ladder that was taken."""
        return routes_of(self.batch.plan, self.book, self.terms)


def routes_of(plan: BatchPlan, book: BookPlan, now: Terms) -> dict[str, str]:
    chosen = {**plan.routes, **book.routes, **({"default": now.route} if now.route else {})}
    if now.route:
        return dict.fromkeys(ROLES, now.route)
    if "default" in chosen:
        return {**dict.fromkeys(ROLES, chosen["default"]), **{k: v for k, v in chosen.items() if k != "default"}}
    return chosen


def plan_of(batch: Batch, book: str) -> BookPlan:
    return next(each for each in batch.plan.books if each.book == book)


def terms_of(batch: Batch, item: Item) -> Terms:
    return terms(batch.plan.ladder[: max(batch.rung, item.rung)])


async def make_turn(
    door: Door, board: Board, engine: Engine, name: str, book: str, number: int, stopped: Callable[[], bool]
) -> None:
    """Make turn `number` of a book and enter what came of it. One that was made already is not made again."""
    batch = board.batch(name)
    if batch is not None and book == JUDGING:
        await _judge(door, board, engine, batch)
        return
    item = next((each for each in board.items(name) if each.book == book), None)
    if batch is None or item is None or item.turn != number or item.status != "running":
        return
    turn = Turn(door, board, engine, batch, item, plan_of(batch, book), stopped)
    board.close(name, book)  # calls of a worker that died here count at what they may have cost
    try:
        outcome = await _made(turn)
    except InkosError as error:
        if error.code in OVERTAKEN:
            with contextlib.suppress(InkosError):
                board.log(name, book, "overtaken", {"worker": engine.worker})
            return
        outcome = await _failed(turn, error)
    except Cancelled:
        outcome = Outcome(kind="stopped")
    except Exception as bug:  # the door of a worker: one book's bug must not take the others down
        trace = "".join(traceback.format_exception(bug))[-2000:]
        outcome = Outcome(kind="error", why=Why(code="bug", values={"detail": trace}))
    await _enter(turn, outcome)


async def _judge(door: Door, board: Board, engine: Engine, batch: Batch) -> None:
    try:
        await judge(door, board, engine, batch)
    except InkosError as error:
        failed(board, batch, error)


async def _made(turn: Turn) -> Outcome:
    if turn.stopped() or turn.batch.status != "running":
        return Outcome(kind="stopped")
    _step_down(turn)
    if turn.terms.stop:
        return Outcome(kind="budget", why=Why(code="ladder-stop"))
    caps = (("book", turn.batch.plan.cap_of(turn.book)), ("batch", turn.batch.plan.budget))
    purse = turn.board.purse(turn.batch.name, turn.item.book, caps)
    narrower = turn.batch.plan.concurrency.providers
    workspace = turn.door.workspace.at_work(turn.board, turn.engine, purse, narrower)
    door = Door(workspace, turn.hear, turn.stopped)
    if turn.item.book not in workspace.books():
        return await _founded(turn, door)
    _same_book(turn, door)
    return await _written(turn, door)


def _step_down(turn: Turn) -> None:
    """Take the steps of the ladder that are due by what is spent, and say so once."""
    plan, board, name, book = turn.batch.plan, turn.board, turn.batch.name, turn.item.book
    if plan.ladder:
        spends = board.spends(name)
        own = rungs(plan.ladder, turn.item.rung, share(plan.cap_of(turn.book), spends.get(book, Spend())))
        all_ = rungs(plan.ladder, turn.batch.rung, share(plan.budget, total(spends)))
        if own > turn.item.rung:
            turn.item = board.change_item(name, book, lambda item: item.but(rung=max(item.rung, own)))[1]
            _tell_steps(board, turn.batch, book, plan.ladder[own - 1])
        if all_ > turn.batch.rung:
            known = turn.batch.rung
            turn.batch = board.change_batch(name, lambda b: b.model_copy(update={"rung": max(b.rung, all_)}))
            if known < all_:
                _tell_steps(board, turn.batch, "", plan.ladder[all_ - 1])
    turn.terms = terms_of(turn.batch, turn.item)


_BARE: dict[str, object] = {"rounds": None, "route": "", "length": None, "stop": False}


def _tell_steps(board: Board, batch: Batch, book: str, rung: Rung) -> None:
    kind = next(kind for kind in ("rounds", "route", "length", "stop") if getattr(rung, kind) != _BARE[kind])
    board.log(batch.name, book, f"ladder-{kind}", {"at": f"{rung.at:.0%}", "value": getattr(rung, kind)})


def total(spends: Mapping[str, Spend]) -> Spend:
    moneys = [spend.money for spend in spends.values()]
    return Spend(tokens=sum(spend.tokens for spend in spends.values()),
                 money=None if None in moneys else sum(m for m in moneys if m is not None))  # fmt: skip


async def _founded(turn: Turn, door: Door) -> Outcome:
    plan, brief = turn.book, turn.batch.briefs.get(turn.item.book, "")
    made = await create(door, CreateBook(
        name=plan.book, brief=brief, brief_file=plan.brief, title=plan.title, language=plan.language,
        genre=plan.genre, author=plan.author, form=plan.form, length=plan.length, routes=turn.routes,
        chapters=plan.outline or max(turn.item.until, 1), tag=digest(plan.book)[:8],
    ))  # fmt: skip
    turn.board.log(turn.batch.name, plan.book, "founded", {"title": made.title, "entries": made.entries})
    warn_alike(door, turn.board, turn.batch.name, plan.book)
    return Outcome(kind="founded", route=_route(turn, door, "founder"))


def _same_book(turn: Turn, door: Door) -> None:
    """A book that was made anew under an old name begins anew: nothing that is known of the old one holds for it."""
    store = door.workspace.store(turn.item.book)
    birth = digest(dump(store.delta(GENESIS)))[:16]
    if birth == turn.item.birth:
        return
    accepted, was = len(store.index().chapters), turn.item.birth

    def born(item: Item) -> Item:
        if not was:
            return item.but(birth=birth)
        return item.but(birth=birth, start=accepted, done=accepted, until=accepted + item.until - item.start)

    turn.item = turn.board.change_item(turn.batch.name, turn.item.book, born)[1]
    if was:
        turn.board.log(turn.batch.name, turn.item.book, "another-book", {})


async def _written(turn: Turn, door: Door) -> Outcome:
    name, config = turn.item.book, door.workspace.store(turn.item.book).config()
    accepted, words = _standing(turn, door)
    if accepted >= turn.item.goal:
        return Outcome(kind="chapter", done=accepted, words=words)
    length = turn.book.length
    if turn.terms.length is not None:
        length = max(100, round((length or config.length.target) * turn.terms.length))
    began = door.workspace.clock.now()
    done = await write_next(door, WriteNext(
        book=name, length=length, rounds=turn.terms.rounds, routes=turn.routes,
    ))  # fmt: skip
    chapter = done.chapters[-1]
    told = {"position": str(chapter.position), "title": chapter.title, "words": str(chapter.words),
            "score": "–" if chapter.score is None else f"{chapter.score:.0f}"}  # fmt: skip
    route = _route(turn, door, "writer")
    if done.stopped == "needs-review":
        turn.board.log(turn.batch.name, name, "review", told)
        return Outcome(kind="review", route=route, score=chapter.score, why=Why(code="review", values=told))
    turn.board.log(turn.batch.name, name, "chapter", told)
    if chapter.position == 1:
        warn_alike(door, turn.board, turn.batch.name, name)
    accepted, words = _standing(turn, door)
    return Outcome(
        kind="chapter", status="flagged" if chapter.status == "flagged" else "accepted", route=route, done=accepted,
        words=words, score=chapter.score, seconds=door.workspace.clock.now() - began,
    )  # fmt: skip


def _standing(turn: Turn, door: Door) -> tuple[int, int]:
    """Accepted chapters of the book, and the words of those that the batch wrote."""
    chapters = door.workspace.store(turn.item.book).index().chapters
    return len(chapters), sum(row.words for row in chapters[turn.item.start :])


def _route(turn: Turn, door: Door, role: str) -> str:
    """The name of the route that answers for a role now; empty where none is set."""
    try:
        config = door.workspace.store(turn.item.book).config().roles
    except InkosError:
        config = {}
    try:
        return door.workspace.models({**config, **turn.routes}).route_name(role)
    except InkosError:
        return ""


async def _failed(turn: Turn, error: InkosError) -> Outcome:
    why = Why(code=error.code, values={"where": error.where, **{k: str(v) for k, v in error.values.items()}})
    if isinstance(error, ModelFault):
        role = TASK_ROLES.get(turn.task, "writer")
        return Outcome(kind="fault", fault=error.kind, route=_route(turn, turn.door, role), wait=error.retry_after,
                       why=why)  # fmt: skip
    if isinstance(error, BookBusy):
        return Outcome(kind="busy", why=why)
    if error.code == "no-progress":
        return Outcome(kind="fault", fault="unreadable", route=_route(turn, turn.door, "writer"), why=why)
    if isinstance(error, BudgetSpent):
        return Outcome(kind="budget", why=why)
    if error.code == "outline-ends":
        return Outcome(kind="outline-ends", why=why)
    if error.code == "run-overtaken" and await _bury_stale(turn):
        return Outcome(kind="stopped")
    return Outcome(kind="error", why=why)


async def _bury_stale(turn: Turn) -> bool:
    """A run record that a frozen worker wrote late, of a chapter that another has made canon: it says nothing."""
    workspace = turn.door.workspace
    record = open_run(workspace.runs(turn.item.book))
    known = {row.id for row in workspace.store(turn.item.book).index().chapters}
    if record is None or record.chapter not in known:
        return False
    await cancel_run(turn.door, CancelRun(book=turn.item.book, run=record.id))
    return True


async def _enter(turn: Turn, outcome: Outcome) -> None:
    """What came of the turn, for the book and for the route that answered."""
    board, name, book, rules = turn.board, turn.batch.name, turn.item.book, turn.batch.plan.stop
    now, number = board.now(), turn.item.turn
    board.close(name, book)
    delivered = await announce(turn.door, board, turn.batch, turn.item, after(turn.item, outcome, rules, now))

    def end(item: Item) -> Item:
        if item.turn != number:
            return item
        made = after(item, outcome, rules, now).but(delivered=delivered)
        return in_season(made, turn.batch.plan, turn.batch.began, now)

    board.change_item(name, book, end)
    if outcome.why.code and outcome.kind != "review":
        board.log(name, book, f"turn-{outcome.kind}", {"why": outcome.why.code, **outcome.why.values})
    if outcome.route:
        before, route = board.change_route(outcome.route, lambda route: strike(route, outcome, rules))
        if route.paused is not None and before.paused is None:
            board.log(name, "", "route-paused", {"route": route.name, "why": route.paused.code, **route.paused.values})
            at = board.now()
            told = {"route": route.name, "why": route.paused.code}
            board.tell(Deed(id=f"{name}//route-paused/{int(at)}", at=at, batch=name, book="", what="route-paused",
                            values=told))  # fmt: skip
