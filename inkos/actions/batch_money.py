"""What a plan will take, with odds, before it is run; what a batch has cost and its revision gained; pays nothing."""

from __future__ import annotations

from inkos.actions.batch import OfBatch, check_plan, named
from inkos.actions.batch_turn import routes_of
from inkos.actions.forecast import price_range, seconds_of
from inkos.actions.rounds import Round, rounds_of
from inkos.actions.table import Door, action
from inkos.cycle.batch import Spend, Terms
from inkos.cycle.batch_plan import BatchPlan, BookPlan
from inkos.errors import InkosError
from inkos.records import Record
from inkos.runs.costs import LEAST_CHAPTERS, Range, forecast, sums
from inkos.runs.odds import Odds, Part, from_plan, from_records, odds

LATELY = 10  # chapters of a book that a forecast looks back on


class ForecastBatch(Record):
    plan: str


class BookForecast(Record):
    """`basis`: `records` of this book, of `others` of the workspace, or the `plan` of calls. `chapters`: to be written
    now. Money above its cap is marked by `over_cap`: it would stop before it is done."""

    book: str
    chapters: int
    basis: str
    tokens: Odds
    money: Odds
    seconds: Odds
    over_cap: bool = False


class BatchForecast(Record):
    batch: str
    currency: str
    rows: tuple[BookForecast, ...]
    chapters: int
    tokens: Odds
    money: Odds
    seconds: Odds
    over_cap: bool = False


class _Seen(Record):
    tokens: tuple[float, ...] = ()
    money: tuple[float | None, ...] = ()
    seconds: tuple[float, ...] = ()


@action("batch-forecast", ForecastBatch, BatchForecast, "reads")
async def foresee_batch(door: Door, command: ForecastBatch) -> BatchForecast:
    """Tokens, money and working time with odds, for each book and in all. Nothing is entered."""
    plan, briefs = door.workspace.read_plan(command.plan)
    check_plan(door, plan, dict(briefs))
    present = set(door.workspace.books())
    own = {book.book: _seen(door, book.book) for book in plan.books if book.book in present}
    others = [seen for name in present for seen in [own[name] if name in own else _seen(door, name)] if seen.tokens]
    pool = _Seen(tokens=tuple(t for s in others for t in s.tokens), money=tuple(m for s in others for m in s.money),
                 seconds=tuple(t for s in others for t in s.seconds))  # fmt: skip
    rows: list[BookForecast] = []
    parts: list[tuple[Part | None, Part | None, Part | None]] = []
    for book in plan.books:
        basis, three = _parts(door, plan, book, own.get(book.book), pool, book.book in present)
        tokens, money, seconds = (odds([part]) for part in three)
        cap = plan.cap_of(book)
        rows.append(BookForecast(book=book.book, chapters=plan.chapters_of(book) or 0, basis=basis, tokens=tokens,
                                 money=money, seconds=seconds,
                                 over_cap=cap is not None and _over(tokens, money, cap.tokens, cap.money)))  # fmt: skip
        parts.append(three)
    tokens, money, seconds = (odds([three[at] for three in parts]) for at in range(3))
    cap = plan.budget
    return BatchForecast(
        batch=plan.name, currency=door.workspace.config.currency, rows=tuple(rows), tokens=tokens, money=money,
        chapters=sum(row.chapters for row in rows), seconds=_side_by_side(seconds, rows, plan.concurrency.books),
        over_cap=cap is not None and _over(tokens, money, cap.tokens, cap.money),
    )  # fmt: skip


def _over(tokens: Odds, money: Odds, most_tokens: int | None, most_money: float | None) -> bool:
    """Whether it is as likely as not that a cap is met before the end."""
    return bool((most_tokens and tokens.p50 and tokens.p50 > most_tokens)
                or (most_money and money.p50 and money.p50 > most_money))  # fmt: skip


def _side_by_side(seconds: Odds, rows: list[BookForecast], at_once: int) -> Odds:
    """Wall clock: the work over as many books as are written at once, but never less than the longest book."""
    if seconds.p50 is None or seconds.p90 is None:
        return seconds
    longest = [max((getattr(row.seconds, edge) or 0.0 for row in rows), default=0.0) for edge in ("p50", "p90")]
    share = min(at_once, max(len(rows), 1))
    return Odds(p50=max(seconds.p50 / share, longest[0]), p90=max(seconds.p90 / share, longest[1]))


def _seen(door: Door, book: str) -> _Seen:
    """What the last chapters of a book took; a book that cannot be read says nothing."""
    workspace = door.workspace
    try:
        runs, chapters = workspace.runs(book), workspace.store(book).index().chapters
        spent, times = sums(runs.ledger(), "chapter"), seconds_of(runs, chapters)
    except InkosError:
        return _Seen()
    made = [row.id for row in chapters[-LATELY:] if row.id in spent and spent[row.id].calls]
    return _Seen(tokens=tuple(float(spent[c].tokens) for c in made), money=tuple(spent[c].money for c in made),
                 seconds=tuple(times[c] for c in made if times.get(c)))  # fmt: skip


def _parts(
    door: Door, plan: BatchPlan, book: BookPlan, own: _Seen | None, pool: _Seen, present: bool
) -> tuple[str, tuple[Part | None, Part | None, Part | None]]:
    chapters = plan.chapters_of(book) or 0
    seen, basis = (own, "records") if own is not None and len(own.tokens) >= LEAST_CHAPTERS else (pool, "others")
    if len(seen.tokens) >= LEAST_CHAPTERS:
        return basis, (from_records(seen.tokens, chapters), from_records(seen.money, chapters),
                       from_records(seen.seconds, chapters))  # fmt: skip
    roles = routes_of(plan, book, Terms())
    target = book.length or (door.workspace.store(book.book).config().length.target if present else 2500)
    found = forecast([], [], {}, chapters, target, price_range(door, roles))
    return "plan", (from_plan(found.tokens), from_plan(found.money), from_plan(Range(low=None, high=None)))


class BookCost(Record):
    book: str
    spend: Spend
    rounds: tuple[Round, ...]


class BatchReport(Record):
    batch: str
    currency: str
    books: tuple[BookCost, ...]


@action("batch-report", OfBatch, BatchReport, "reads")
async def report(door: Door, command: OfBatch) -> BatchReport:
    """What each book has cost within a batch, and what its revision rounds have cost and gained."""
    board = door.workspace.board(command.url)
    batch = named(board, command.batch)
    spends, present = board.spends(batch.name), set(door.workspace.books())
    rows = []
    for item in board.items(batch.name):
        rounds: list[Round] = []
        if item.book in present:
            chapters = door.workspace.store(item.book).index().chapters[item.start :]
            rounds = rounds_of(door.workspace.runs(item.book), chapters)
        rows.append(BookCost(book=item.book, spend=spends.get(item.book, Spend()), rounds=tuple(rounds)))
    return BatchReport(batch=batch.name, currency=door.workspace.config.currency, books=tuple(rows))
