"""Openings that compete: when all have their first chapters, they are compared in pairs and the weaker ones stop."""

from __future__ import annotations

from collections.abc import Sequence

from inkos.actions.table import Door
from inkos.batch_ports import Batch, Board, Engine
from inkos.cycle.batch import Item, Outcome, Why
from inkos.cycle.openings import Duel, Placed, pairs, ranked
from inkos.errors import InkosError
from inkos.ports import ModelDesk, Permit, Workspace
from inkos.prompts.duel import duel_request, read_duel
from inkos.prompts.request import Request
from inkos.records import digest
from inkos.runs.record import estimate

JUDGING = ""  # the name of the turn that compares: it belongs to no book
MOST_TRIES = 3
MOST_CHARACTERS = 20_000  # of one opening that are shown


def to_judge(batch: Batch, items: Sequence[Item]) -> list[Item]:
    """The books that wait for the comparison, when nobody is still at his first chapters; else none."""
    if batch.plan.openings is None:
        return []
    rivals = [item for item in items if item.trial]
    if any(item.status in ("running", "review") or (item.status == "waiting" and item.done < item.trial)
           for item in rivals):  # fmt: skip
        return []
    return [item for item in rivals if item.status == "waiting" and item.done >= item.trial]


async def judge(door: Door, board: Board, engine: Engine, batch: Batch) -> None:
    """Compare, decide, say why. Each comparison that is paid for is kept and not asked again."""
    rivals = to_judge(batch, board.items(batch.name))
    if not rivals:
        return
    assert batch.plan.openings is not None
    books = [item.book for item in rivals]
    purse = board.purse(batch.name, JUDGING, (("batch", batch.plan.budget),))
    workspace = door.workspace.at_work(board, engine, purse, batch.plan.concurrency.providers)
    duels: list[Duel] = []
    for one, two in pairs(books) if len(books) > 1 else []:
        for first, second in ((one, two), (two, one)):
            duels.append(await _duel(workspace, board, batch, first, second))
    for placed in ranked(books, duels, batch.plan.openings.keep):
        _enter(board, batch, placed, len(books))


def _enter(board: Board, batch: Batch, placed: Placed, field: int) -> None:
    told = {"points": f"{placed.points:+.1f}", "field": str(field), "rival": placed.beaten_by or "–",
            "reason": placed.why or "–"}  # fmt: skip

    def decide(item: Item) -> Item:
        if placed.goes_on:
            return item.but(trial=0, status="done" if item.done >= item.until else "waiting")
        return item.but(status="ended", why=Why(code="weaker", values=told))

    board.change_item(batch.name, placed.book, decide)
    board.log(batch.name, placed.book, "goes-on" if placed.goes_on else "weaker", told)


async def _duel(workspace: Workspace, board: Board, batch: Batch, first: str, second: str) -> Duel:
    store = workspace.store(first)
    config = store.config()
    texts = [opening(workspace, book, batch) for book in (first, second)]
    kit = workspace.kit(config.language, {})
    brief = batch.briefs.get(first, "") or store.read(recent=0).intent
    request = duel_request(kit, title=config.title, brief=brief[:4000], first=texts[0], second=texts[1])
    key = f"{batch.name}/{digest(request.messages[1].text)[:32]}"
    known = board.duel(key)
    if known is not None:
        return known
    desk = workspace.models({**config.roles, **batch.plan.routes})
    reply, whole = await _asked(workspace, desk, request, key)
    made = Duel(first=first, second=second, verdict=read_duel(reply, first=texts[0], second=texts[1], complete=whole))
    board.keep_duel(key, made)
    return made


async def _asked(workspace: Workspace, desk: ModelDesk, request: Request, key: str) -> tuple[str, bool]:
    name = desk.route_name("auditor")
    route, coming, purse = desk.route_of(name), estimate(request), workspace.purse
    assert purse is not None
    most = coming.input + coming.output
    await purse.reserve(key, most, workspace.price(coming, route.model))
    while not isinstance(permit := await workspace.limiter.enter(
        route.provider, desk.limits_of(name), most, longest=route.timeouts.total, patience=5.0
    ), Permit):  # fmt: skip
        await workspace.clock.sleep(min(permit, 5.0))
    used = None
    try:
        reply = await desk.model_of(name).complete(request)
        used = reply.usage.input + reply.usage.output
    finally:
        await workspace.limiter.leave(permit, used)
    purse.settle(key, used, workspace.price(reply.usage, reply.model or route.model))
    return reply.text, reply.finish != "length"


def opening(workspace: Workspace, book: str, batch: Batch) -> str:
    """The chapters that are compared, as a reader sees them."""
    assert batch.plan.openings is not None
    store = workspace.store(book)
    rows = store.index().chapters[: batch.plan.openings.chapters]
    return "\n\n".join(f"{row.title}\n\n{store.text(row.id)}" for row in rows)[:MOST_CHARACTERS]


def failed(board: Board, batch: Batch, error: InkosError) -> Outcome:
    """It is tried again with the next look, and after some failures left to a person: the batch is paused."""
    why = Why(code=error.code, values={"where": error.where, **{k: str(v) for k, v in error.values.items()}})
    board.log(batch.name, "", "turn-fault", {"why": error.code, **why.values})

    def count(known: Batch) -> Batch:
        tries = known.judgings + 1
        paused = {"status": "paused", "why": why} if tries % MOST_TRIES == 0 else {}
        return known.model_copy(update={"judgings": tries, **paused})

    board.change_batch(batch.name, count)
    return Outcome(kind="stopped")
