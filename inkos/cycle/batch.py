"""Which book of a batch is written next, how many at once, when to stop; knows neither disk, clock, engine nor models.

    waiting ─▶ running ─▶ waiting … ─▶ done | ended (outline, budget, weaker) | failed
                  └──────▶ review ─▶ (a person's decision) ─▶ waiting

A turn is one founding or one chapter of one book. `choose` says who is next, `after` what a turn means for its book,
`strike` what it means for the route. A book that is not waiting costs nothing and holds nobody up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from inkos.cycle.batch_plan import BatchPlan, Cap, Rung, StopRules, seconds_of
from inkos.errors import FaultKind
from inkos.records import Record

ItemStatus = Literal["waiting", "running", "review", "done", "ended", "failed", "cancelled"]
OVER: frozenset[str] = frozenset({"done", "ended", "failed", "cancelled"})
MOST_SECONDS, BUSY_SECONDS = 3600.0, 60.0  # a failing line is tried again within an hour; a book in use in a minute
FAR_SECONDS = 3600.0  # a service that names a longer time pauses its route: somebody should know
EARLY = 0.02  # share of a period by which a timer may fire too early and still begin the next one


class Why(Record):
    """A reason as a code of the catalogue `batch.why.…` and what fills it in."""

    code: str = ""
    values: dict[str, str] = {}


class Item(Record):
    """One book in a batch. `start`: accepted chapters when it was entered; `until`: the position at which it is done;
    `done`: accepted chapters now. `turn` counts turns. `rung`: steps of the ladder that were taken. `birth` tells the
    book from another of the same name. `trial`: it competes, and stops at this position until it is chosen."""

    batch: str
    book: str
    order: int
    status: ItemStatus = "waiting"
    priority: int = 0
    start: int = 0
    until: int
    done: int = 0
    turn: int = 0
    fails: int = 0
    rung: int = 0
    not_before: float = 0.0
    why: Why = Why()
    words: int = 0
    score: float | None = None
    seconds: float = 0.0
    birth: str = ""
    trial: int = 0
    delivered: int = 0
    period: int = 0
    in_period: int = 0
    stock: int = 0

    def but(self, **changes: object) -> Item:
        return self.model_copy(update=changes)

    @property
    def goal(self) -> int:
        return self.trial or self.until

    @property
    def written(self) -> int:
        return max(0, self.done - self.start)


class RouteState(Record):
    """How a route has done lately: `strikes` bad chapters in a row; `paused`: why nothing asks it any more."""

    name: str
    strikes: int = 0
    paused: Why | None = None


class Spend(Record):
    """What was paid and what calls in flight may still cost at most; money null: a price is unknown."""

    tokens: int = 0
    money: float | None = 0.0
    open_tokens: int = 0
    open_money: float | None = 0.0


class Outcome(Record):
    """What came of a turn. `route` is the one that answered for it, `wait` seconds that a service asked for. `words`:
    of all chapters that the batch wrote in the book."""

    kind: Literal["chapter", "founded", "review", "outline-ends", "budget", "fault", "error", "busy", "stopped"]
    status: Literal["", "accepted", "flagged"] = ""
    fault: FaultKind | None = None
    route: str = ""
    wait: float | None = None
    why: Why = Why()
    done: int = 0
    words: int = 0
    score: float | None = None
    seconds: float = 0.0


class Scene(NamedTuple):
    """What a choice is made from: the books, the routes that each of them needs, those that are paused, how many books
    may be written at once, the time in seconds."""

    items: Sequence[Item]
    needs: Mapping[str, frozenset[str]]
    paused: frozenset[str]
    at_once: int
    now: float


def choose(scene: Scene) -> list[Item]:
    """The books whose turn begins now, first come first: by priority, then who has had the fewest turns. Never more
    than are free, never a book twice."""
    running = sum(1 for item in scene.items if item.status == "running")
    due = [item for item in scene.items if is_due(item, scene)]
    return sorted(due, key=lambda item: (-item.priority, item.turn, item.order))[: max(0, scene.at_once - running)]


def is_due(item: Item, scene: Scene) -> bool:
    blocked = scene.needs.get(item.book, frozenset()) & scene.paused
    return item.status == "waiting" and item.not_before <= scene.now and not blocked and item.done < item.goal


def next_due(scene: Scene) -> float | None:
    """When the next waiting book comes due, in seconds since the epoch; null: none does by itself."""
    times = [item.not_before for item in scene.items if is_due(item.but(not_before=0.0), scene)]
    return min(times, default=None)


def after(item: Item, outcome: Outcome, rules: StopRules, now: float) -> Item:
    """The book after a turn."""
    seen = item.but(turn=item.turn + 1, status="waiting", done=max(item.done, outcome.done), why=Why(), not_before=0.0)
    kind = outcome.kind
    if kind in ("chapter", "founded"):
        wrote = outcome.kind == "chapter"
        seen = seen.but(
            fails=0, words=outcome.words if wrote else item.words, seconds=item.seconds + outcome.seconds,
            score=outcome.score if outcome.score is not None else item.score,
            in_period=item.in_period + wrote, stock=item.stock + wrote,
        )  # fmt: skip
        return seen.but(status="done") if seen.done >= seen.until else seen
    if kind == "review":
        return seen.but(status="review", why=outcome.why, score=outcome.score)
    if kind in ("outline-ends", "budget"):
        return seen.but(status="done" if seen.done >= seen.until else "ended", why=outcome.why)
    if kind == "stopped":
        return seen
    if kind == "busy":
        return seen.but(not_before=now + BUSY_SECONDS, why=outcome.why)
    if kind == "error":  # the disk, a damaged file, a setting: waiting heals none of them
        return seen.but(status="failed", fails=item.fails + 1, why=outcome.why)
    if outcome.fault in ("balance", "key"):  # of the route, not of the book: nothing is tried again by itself
        return seen.but(why=outcome.why)
    fails = item.fails + 1
    if fails >= rules.failures:
        return seen.but(status="failed", fails=fails, why=outcome.why)
    pause = max(min(rules.pause * 2 ** (fails - 1), MOST_SECONDS), outcome.wait or 0.0)
    return seen.but(fails=fails, not_before=now + pause, why=outcome.why)


def strike(route: RouteState, outcome: Outcome, rules: StopRules) -> RouteState:
    """The route after a turn that it answered for: a bad day of a model is one event, not forty."""
    if route.paused is not None or outcome.route != route.name:
        return route
    if outcome.fault in ("balance", "key") or (outcome.wait or 0.0) > FAR_SECONDS:
        return route.model_copy(update={"paused": outcome.why})
    bad = outcome.kind in ("fault", "review") or outcome.status == "flagged"
    if not bad:
        return route.model_copy(update={"strikes": 0}) if outcome.kind == "chapter" else route
    strikes = route.strikes + 1
    paused = Why(code="strikes", values={"route": route.name, "count": str(strikes)})
    return route.model_copy(update={"strikes": strikes, "paused": paused if strikes >= rules.strikes else None})


def admit(cap: Cap | None, spend: Spend, tokens: int, money: float | None) -> Literal["go", "later", "stop", "unknown"]:
    """Whether a call that may cost so much fits under a cap. `later`: not while the calls in flight may cost what they
    may; they will cost less. `unknown`: money is limited and a price is not known."""
    if cap is None:
        return "go"
    answer: Literal["go", "later", "stop"] = "go"
    sums: list[tuple[float, float, float, float]] = []
    if cap.tokens is not None:
        sums.append((cap.tokens, spend.tokens, spend.open_tokens, tokens))
    if cap.money is not None:
        if spend.money is None or spend.open_money is None or money is None:
            return "unknown"
        sums.append((cap.money, spend.money, spend.open_money, money))
    for most, spent, in_flight, coming in sums:
        if spent + coming > most:
            return "stop"
        if spent + in_flight + coming > most:
            answer = "later"
    return answer


def share(cap: Cap | None, spend: Spend) -> float:
    """How much of a cap is spent, 0 to 1, the tighter of its two limits; 0 without one."""
    shares = [0.0]
    if cap is not None and cap.tokens is not None:
        shares.append(spend.tokens / cap.tokens)
    if cap is not None and cap.money is not None:
        shares.append(1.0 if spend.money is None else spend.money / cap.money)
    return min(1.0, max(shares))


def rungs(ladder: Sequence[Rung], taken: int, spent: float) -> int:
    """How many steps are taken at this share of a budget; one that was taken stays so."""
    return max(taken, sum(1 for rung in ladder if rung.at <= spent))


class Terms(Record):
    """How the next chapter is written after the steps that were taken; null, empty: as the book has it."""

    rounds: int | None = None
    route: str = ""
    length: float | None = None
    stop: bool = False


def terms(ladder: Iterable[Rung]) -> Terms:
    """The steps together; of each kind the last counts."""
    made = Terms()
    for rung in ladder:
        made = Terms(
            rounds=made.rounds if rung.rounds is None else rung.rounds, route=rung.route or made.route,
            length=made.length if rung.length is None else rung.length, stop=made.stop or rung.stop,
        )  # fmt: skip
    return made


def in_season(item: Item, plan: BatchPlan, began: float, now: float) -> Item:
    """A serial's book at this time: in a new period it may go on, after its chapters or with a full stock it waits."""
    if plan.serial is None or item.status != "waiting":
        return item
    every = seconds_of(plan.serial.every)
    period = int((now - began) / every + EARLY)
    if period > item.period:
        item = item.but(period=period, in_period=0)
    full = plan.serial.stock is not None and item.stock >= plan.serial.stock
    if item.in_period >= plan.serial.chapters or full:
        return item.but(not_before=max(item.not_before, began + (period + 1 - EARLY) * every))
    return item
