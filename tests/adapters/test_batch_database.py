"""The shared database by its ports: one change at a time, leases that run out, caps that hold, limits that are shared.

On SQLite; tests/journeys/test_batch_workers.py has the same code on PostgreSQL with real processes.
"""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dbos", reason="the extra `batch` is not installed")

from inkos.adapters.batch.board import DatabaseBoard
from inkos.adapters.batch.database import Database
from inkos.adapters.batch.lease import BookLease
from inkos.adapters.batch.limiter import DatabaseLimiter, tighter
from inkos.adapters.batch.workers import Workers
from inkos.adapters.disk import Files
from inkos.adapters.lease import Lease
from inkos.batch_ports import Batch, Deed
from inkos.config import CallLimits
from inkos.cycle.batch import Item, Spend
from inkos.cycle.batch_plan import BatchPlan, Cap
from inkos.errors import BookBusy, BudgetSpent, InkosError, UsageFault
from inkos.ports import Permit


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database("", tmp_path / "shared")
    yield made
    made.close()


def batch(**more: Any) -> Batch:
    plan = BatchPlan.model_validate({"name": "n", "chapters": 2, "books": [{"book": "a"}, {"book": "b"}], **more})
    return Batch(name="n", plan=plan, digest="d", began=1.0)


def items() -> list[Item]:
    return [Item(batch="n", book=book, order=order, until=2) for order, book in enumerate("ab")]


def test_the_same_plan_twice_adds_nothing(database: Database) -> None:
    board = DatabaseBoard(database)
    assert list(board.enter(batch(), items())) == ["a", "b"]
    board.change_item("n", "a", lambda item: item.but(turn=3))
    assert list(board.enter(batch(), items())) == []
    assert [(item.book, item.turn) for item in board.items("n")] == [("a", 3), ("b", 0)]
    assert board.batch("other") is None
    with pytest.raises(InkosError, match="batch-unknown"):
        board.change_item("n", "zzz", lambda item: item)


def test_changes_of_one_record_are_made_one_after_the_other(database: Database) -> None:
    board = DatabaseBoard(database)
    board.enter(batch(), items())
    with ThreadPoolExecutor(8) as pool:
        for _ in range(40):
            pool.submit(board.change_item, "n", "a", lambda item: item.but(turn=item.turn + 1))
    assert board.items("n")[0].turn == 40


def test_the_log_keeps_its_order_and_shows_the_newest(database: Database) -> None:
    board = DatabaseBoard(database)
    for number in range(5):
        board.log("n", "a", "chapter", {"position": number})
    board.log("other", "", "over", {})
    assert [line.values["position"] for line in board.lines("n", most=2)] == ["3", "4"]
    assert len(board.lines("n", after=board.lines("n")[2].number)) == 2


def test_what_is_to_be_told_is_kept_once(database: Database) -> None:
    board = DatabaseBoard(database)
    deed = Deed(id="n/a/done/1", at=1.0, batch="n", book="a", what="done")
    board.tell(deed)
    board.tell(deed.model_copy(update={"at": 2.0}))
    assert [d.at for d in board.untold()] == [1.0]
    board.change_deed(deed.id, lambda d: d.model_copy(update={"sent": True}))
    board.tell(deed)
    assert list(board.untold()) == []


# --- caps


def test_caps_hold_to_the_token_when_many_calls_are_made_at_once(database: Database) -> None:
    """Twenty calls that may cost 100 and cost 60, under a cap of 700: nobody sees more room than there is."""
    board = DatabaseBoard(database)
    board.enter(batch(), items())
    purse = board.purse("n", "a", (("book", None), ("batch", Cap(tokens=700))))
    most = 0

    async def call(number: int) -> bool:
        nonlocal most
        try:
            await purse.reserve(f"r/{number}", 100, None)
        except BudgetSpent as spent:
            assert spent.code == "batch-cap-batch"
            return False
        now = board.spends("n")["a"]
        most = max(most, now.tokens + now.open_tokens)
        await asyncio.sleep(0.01)
        purse.settle(f"r/{number}", 60, None)
        return True

    async def all_of_them() -> list[bool]:
        return list(await asyncio.gather(*(call(number) for number in range(20))))

    made = asyncio.run(all_of_them())
    spent = board.spends("n")["a"]
    assert most <= 700 and spent.open_tokens == 0
    assert spent.tokens == 60 * sum(made) and sum(made) == 11  # 60 · 10 + 100 still fits, 60 · 11 + 100 does not


def test_a_call_whose_end_nobody_knows_stays_booked_until_it_is_known(database: Database) -> None:
    board = DatabaseBoard(database)
    board.enter(batch(), items())
    purse = board.purse("n", "a", (("book", Cap(tokens=150)),))
    asyncio.run(purse.reserve("r/1", 100, 0.5))
    assert board.spends("n")["a"] == Spend(open_tokens=100, open_money=0.5)
    board.close("n", "a")  # its worker is dead
    assert board.spends("n")["a"] == Spend(tokens=100, money=0.5)
    with pytest.raises(BudgetSpent):
        asyncio.run(purse.reserve("r/2", 100, 0.5))
    purse.settle("r/1", 40, 0.2)  # the resumed run has found its reply
    asyncio.run(purse.reserve("r/2", 100, 0.5))
    assert board.spends("n")["a"] == Spend(tokens=40, money=0.2, open_tokens=100, open_money=0.5)
    purse.settle("r/2", 10, None)
    assert board.spends("n")["a"].money is None  # unknown, not nothing


# --- leases


def lease(database: Database, folder: Path, worker: str, seconds: float = 60.0) -> BookLease:
    return BookLease(folder / "book/.inkos", Files(durable=False), database, worker, "book", seconds,
                     lambda lease: nullcontext())  # fmt: skip


def test_one_worker_holds_a_book_and_each_holder_has_a_higher_token(database: Database, tmp_path: Path) -> None:
    one, other = lease(database, tmp_path, "w-1"), lease(database, tmp_path, "w-2")
    with one.hold("write") as first:
        one.check()
        with pytest.raises(BookBusy), other.hold("write"):
            pass
        with one.hold("again") as inner:
            assert inner == first
    one.renew()  # a heartbeat that had begun before it was given back
    with other.hold("write", least_token=40) as second:
        assert second.token == 41 > first.token


def test_a_lease_that_has_run_out_is_taken_over_although_the_lock_is_still_held(
    database: Database, tmp_path: Path
) -> None:
    frozen, other = lease(database, tmp_path, "w-1", 0.2), lease(database, tmp_path, "w-2")
    with frozen.hold("write") as first:
        time.sleep(0.25)  # no heartbeat
        with other.hold("write") as second:
            assert second.token > first.token
            other.check()
            for late in (frozen.check, frozen.check_time):
                with pytest.raises(InkosError, match="lease-lost"):
                    late()
            frozen.renew()  # its heartbeat comes too late as well
            with pytest.raises(InkosError, match="lease-lost"):
                frozen.check()
    with lease(database, tmp_path, "w-3").hold("write") as third:
        assert third.token > second.token


def test_who_writes_by_hand_on_this_machine_is_not_overruled(database: Database, tmp_path: Path) -> None:
    by_hand = Lease(tmp_path / "book/.inkos", Files(durable=False))
    with by_hand.hold("write next"), pytest.raises(BookBusy), lease(database, tmp_path, "w-1").hold("batch"):
        pass
    with lease(database, tmp_path, "w-1").hold("batch") as holder, pytest.raises(BookBusy):
        assert holder.token > 1
        with by_hand.hold("write next"):
            pass


# --- workers


def test_a_worker_keeps_its_name_and_the_dead_hold_nothing(database: Database, tmp_path: Path) -> None:
    one, other = Workers(database, 60.0), Workers(database, 60.0)
    with one.as_worker(lambda: None) as first:
        with other.as_worker(lambda: None) as second:
            assert first != second
        assert other.reap() == []
        limits = CallLimits(concurrent=1)
        permit = asyncio.run(one.limiter({}).enter("p", limits, 10, longest=900, patience=0))
        assert isinstance(permit, Permit)
        with one.lease(tmp_path / "book/.inkos", Files(durable=False), "book").hold("write"):
            # It dies: its process is gone, and nobody has said anything.
            mine = f'"pid":{one.rows()[0].pid}'
            database.change("worker", first, lambda body, now: body.replace(mine, '"pid":2999999'))
            again = Workers(database, 60.0)
            again.name = second
            assert again.reap() == [first]
            free = asyncio.run(again.limiter({}).enter("p", limits, 10, longest=900, patience=0))
            assert isinstance(free, Permit)
            with again.lease(tmp_path / "book/.inkos", Files(durable=False), "book").hold("write"):
                pass
    with Workers(database, 60.0).as_worker(lambda: None) as back:
        assert back == first


def test_the_limits_of_an_endpoint_are_shared_and_a_plan_may_narrow_them(database: Database) -> None:
    one = DatabaseLimiter(database, "w-1", {"p": CallLimits(concurrent=2)})
    other = DatabaseLimiter(database, "w-2", {"p": CallLimits(concurrent=2)})
    wide = CallLimits(concurrent=9)

    async def enter(limiter: DatabaseLimiter) -> Permit | float:
        return await limiter.enter("p", wide, 5, longest=900, patience=0)

    permits = [asyncio.run(enter(limiter)) for limiter in (one, other, one)]
    assert [isinstance(found, Permit) for found in permits] == [True, True, False]
    assert isinstance(permits[0], Permit)
    asyncio.run(one.leave(permits[0], 5))
    held = asyncio.run(enter(other))
    assert isinstance(held, Permit)
    asyncio.run(other.refused(held, 30.0))
    waiting = asyncio.run(enter(one))  # everybody is held back by one refusal
    assert isinstance(waiting, float) and 25 < waiting <= 30
    unlimited = asyncio.run(one.enter("q", CallLimits(), 5, longest=900, patience=0))
    assert isinstance(unlimited, Permit)
    asyncio.run(one.leave(unlimited, 5))
    asyncio.run(other.refused(unlimited, 30.0))
    told = asyncio.run(one.enter("q", CallLimits(), 5, longest=900, patience=0))
    assert isinstance(told, float) and told > 25  # where nothing is limited, a refusal counts all the same
    assert tighter(wide, CallLimits(tokens_per_minute=7)) == CallLimits(concurrent=9, tokens_per_minute=7)


# --- many books


class NoEngine:
    """Takes every turn and makes none."""

    worker = "w-1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def submit(self, batch: str, book: str, turn: int, priority: int) -> None:
        self.asked.append((book, turn))

    def reap(self) -> list[str]:
        return []

    def lost(self, turns: Any) -> list[Any]:
        return []


def test_a_hundred_books_wait_without_growing_memory(database: Database, tmp_path: Path) -> None:
    from inkos.actions import Door
    from inkos.actions.batch_work import Shift, look
    from inkos.hosts import wire

    wire.make_workspace(tmp_path / "ws", wire.rehearsal_config("en"))
    board, engine = DatabaseBoard(database), NoEngine()
    books = [f"b{number}" for number in range(100)]
    plan = BatchPlan.model_validate({"name": "n", "chapters": 2, "concurrency": {"books": 4},
                                     "books": [{"book": book, "brief": "x"} for book in books]})  # fmt: skip
    board.enter(Batch(name="n", plan=plan, digest="d", began=1.0),
                [Item(batch="n", book=book, order=order, until=2) for order, book in enumerate(books)])  # fmt: skip
    door = Door(wire.open_workspace(tmp_path / "ws", {}), lambda event: None, lambda: False)
    shift = Shift(door, board, engine, names=("n",))  # type: ignore[arg-type]
    for _ in range(5):
        look(shift)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(20):
        look(shift)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert engine.asked == [(book, 0) for book in books[:4]]
    assert grown < 300_000, grown


# --- the database itself


def test_a_file_that_is_locked_for_a_while_is_waited_for(database: Database) -> None:
    board = DatabaseBoard(database)
    board.enter(batch(), items())
    other = sqlite3.connect(str(database.engine.url.database), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.4, lambda: other.execute("COMMIT")).start()
    board.change_item("n", "a", lambda item: item.but(turn=1))
    assert board.items("n")[0].turn == 1
    other.close()


def test_an_address_that_is_none_is_refused_and_a_password_is_never_told(tmp_path: Path) -> None:
    for url in ("mysql://x/y", "nonsense", "sqlite://"):
        with pytest.raises(UsageFault, match="batch-database-url"):
            Database(url, tmp_path)
    with pytest.raises(InkosError) as caught:
        Database("postgresql://me:s3cret@127.0.0.1:1/none", tmp_path)
    assert caught.value.code == "batch-database" and "s3cret" not in str(caught.value)
