"""The Board port over the shared tables: batches, their books, routes, spend, log; decides nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import sqlalchemy as sa
from pydantic import ValidationError
from sqlalchemy.dialects import postgresql, sqlite

from inkos.adapters.batch.database import LOG, RECORDS, SPEND, Database
from inkos.batch_ports import Batch, Deed, LogLine, WorkerRow
from inkos.cycle.batch import Item, RouteState, Spend, admit
from inkos.cycle.batch_plan import Cap
from inkos.cycle.openings import Duel
from inkos.errors import BudgetSpent, InkosError
from inkos.gates.sameness import Portrait
from inkos.records import Record

R = TypeVar("R", bound=Record)
PATIENCE_SECONDS = 0.25  # between two looks whether calls in flight have left room under a cap


def _read(kind: type[R], body: str) -> R:
    """A record as this program knows it. InkosError `batch-version` when another version of it wrote it otherwise."""
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise InkosError("batch-version", where=kind.__name__, detail=error.errors()[0]["msg"]) from error


def item_key(batch: str, book: str) -> str:
    return f"{batch}/{book}"


class DatabaseBoard:
    """See inkos/batch_ports.py Board."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def now(self) -> float:
        return self.database.now()

    def batches(self) -> Sequence[Batch]:
        return [_read(Batch, body) for body in self.database.all("batch")]

    def batch(self, name: str) -> Batch | None:
        body = self.database.read("batch", name)
        return None if body is None else _read(Batch, body)

    def enter(self, batch: Batch, items: Iterable[Item]) -> Sequence[str]:
        if not self.database.add("batch", batch.name, batch.model_dump_json()):
            self.change_batch(batch.name, lambda known: batch)
        return [item.book for item in items
                if self.database.add("item", item_key(batch.name, item.book), item.model_dump_json())]  # fmt: skip

    def change_batch(self, name: str, change: Callable[[Batch], Batch]) -> Batch:
        return self._change(Batch, "batch", name, change)[1]

    def items(self, batch: str) -> Sequence[Item]:
        found = [_read(Item, body) for body in self.database.all("item", f"{batch}/")]
        return sorted(found, key=lambda item: item.order)

    def change_item(self, batch: str, book: str, change: Callable[[Item], Item]) -> tuple[Item, Item]:
        return self._change(Item, "item", item_key(batch, book), change)

    def routes(self) -> Mapping[str, RouteState]:
        found = [_read(RouteState, body) for body in self.database.all("route")]
        return {route.name: route for route in found}

    def change_route(self, name: str, change: Callable[[RouteState], RouteState]) -> tuple[RouteState, RouteState]:
        return self._change(RouteState, "route", name, change, RouteState(name=name).model_dump_json())

    def _change(
        self, kind: type[R], name: str, key: str, change: Callable[[R], R], missing: str | None = None
    ) -> tuple[R, R]:
        def work(body: str, _now: float) -> str:
            if not body:
                raise InkosError("batch-unknown", where=key)
            return change(_read(kind, body)).model_dump_json()

        before, after = self.database.change(name, key, work, missing or "")
        return _read(kind, before), _read(kind, after)

    # --- money

    def spends(self, batch: str) -> Mapping[str, Spend]:
        with self.database.transaction() as connection:
            return _spends(connection, batch)

    def close(self, batch: str, book: str) -> None:
        mine = (SPEND.c.batch == batch) & (SPEND.c.book == book) & SPEND.c.open
        with self.database.transaction() as connection:
            connection.execute(sa.update(SPEND).where(mine).values(open=False))

    def purse(self, batch: str, book: str, caps: Sequence[tuple[str, Cap | None]]) -> DatabasePurse:
        return DatabasePurse(self.database, batch, book, caps)

    # --- log, workers

    def log(self, batch: str, book: str, code: str, values: Mapping[str, object]) -> None:
        body = json.dumps({key: str(value) for key, value in values.items()}, ensure_ascii=False)
        with self.database.transaction() as connection:
            at = self.database.now(connection)
            connection.execute(sa.insert(LOG).values(at=at, batch=batch, book=book, code=code, body=body))

    def lines(self, batch: str, *, after: int = 0, most: int = 1000) -> Sequence[LogLine]:
        chosen = sa.select(LOG).where(LOG.c.batch == batch, LOG.c.number > after).order_by(LOG.c.number.desc())
        with self.database.transaction() as connection:
            rows = connection.execute(chosen.limit(most)).all()
        return [LogLine(number=row.number, at=row.at, batch=row.batch, book=row.book, code=row.code,
                        values=json.loads(row.body)) for row in reversed(rows)]  # fmt: skip

    def workers(self) -> Sequence[WorkerRow]:
        return [_read(WorkerRow, body) for body in self.database.all("worker")]

    def duel(self, key: str) -> Duel | None:
        body = self.database.read("duel", key)
        return None if body is None else _read(Duel, body)

    def keep_duel(self, key: str, duel: Duel) -> None:
        self.database.add("duel", key, duel.model_dump_json())

    def portraits(self) -> Sequence[Portrait]:
        return [_read(Portrait, body) for body in self.database.all("portrait")]

    def keep_portrait(self, portrait: Portrait) -> None:
        self.database.change("portrait", portrait.book, lambda body, now: portrait.model_dump_json())

    # --- what is to be told

    def tell(self, deed: Deed) -> None:
        self.database.add("deed", deed.id, deed.model_dump_json())

    def untold(self) -> Sequence[Deed]:
        deeds = (_read(Deed, body) for body in self.database.all("deed"))
        return [deed for deed in deeds if not deed.sent]

    def change_deed(self, id: str, change: Callable[[Deed], Deed]) -> tuple[Deed, Deed]:
        return self._change(Deed, "deed", id, change)


def _spends(connection: sa.Connection, batch: str) -> dict[str, Spend]:
    unknown = sa.func.sum(sa.case((SPEND.c.money.is_(None) & (SPEND.c.tokens > 0), 1), else_=0))
    grouped = sa.select(
        SPEND.c.book, SPEND.c.open, sa.func.sum(SPEND.c.tokens), sa.func.sum(SPEND.c.money), unknown
    ).where(SPEND.c.batch == batch).group_by(SPEND.c.book, SPEND.c.open)  # fmt: skip
    found: dict[str, Spend] = {}
    for book, is_open, tokens, money, missing in connection.execute(grouped):
        known = None if missing else round(float(money or 0.0), 9)
        part = {"open_tokens": int(tokens), "open_money": known} if is_open else {"tokens": int(tokens), "money": known}
        found[book] = found.get(book, Spend()).model_copy(update=part)
    return found


def together(spends: Iterable[Spend]) -> Spend:
    """The sum; money is unknown as soon as one is."""
    total = Spend()
    for spend in spends:
        total = Spend(
            tokens=total.tokens + spend.tokens, open_tokens=total.open_tokens + spend.open_tokens,
            money=None if total.money is None or spend.money is None else total.money + spend.money,
            open_money=None if total.open_money is None or spend.open_money is None
            else total.open_money + spend.open_money,
        )  # fmt: skip
    return total


class DatabasePurse:
    """The Purse port: room is kept in the same transaction in which it is found, so no two calls take the same."""

    def __init__(self, database: Database, batch: str, book: str, caps: Sequence[tuple[str, Cap | None]]) -> None:
        self._database, self._batch, self._book, self._caps = database, batch, book, caps

    async def reserve(self, attempt: str, tokens: int, money: float | None) -> None:
        while not self._try(attempt, tokens, money):
            await asyncio.sleep(PATIENCE_SECONDS)

    def _try(self, attempt: str, tokens: int, money: float | None) -> bool:
        with self._database.transaction() as connection:
            if any(cap for _, cap in self._caps):
                self._alone(connection)
                spends = _spends(connection, self._batch)
                for of, cap in self._caps:
                    spend = together(spends.values()) if of == "batch" else spends.get(self._book, Spend())
                    answer = admit(cap, spend, tokens, money)
                    if answer == "later":
                        return False
                    if answer != "go":
                        assert cap is not None
                        code = "batch-cap-unknown" if answer == "unknown" else f"batch-cap-{of}"
                        raise BudgetSpent(code, where=f"{self._batch}: {self._book}", batch=self._batch,
                                          book=self._book, spent=_said(spend), limit=_limit(cap))  # fmt: skip
            self._put(connection, attempt, tokens, money, open=True)
            return True

    def settle(self, attempt: str, tokens: int, money: float | None) -> None:
        with self._database.transaction() as connection:
            self._put(connection, attempt, tokens, money, open=False)

    def _alone(self, connection: sa.Connection) -> None:
        """Nobody else of this batch decides at the same time. SQLite has one writer, but only once it writes."""
        if self._database.sqlite:
            connection.execute(sa.update(RECORDS).where(RECORDS.c.kind == "nobody").values(body=""))
        else:
            row = (RECORDS.c.kind == "batch") & (RECORDS.c.key == self._batch)
            connection.execute(sa.select(RECORDS.c.key).where(row).with_for_update())

    def _put(self, connection: sa.Connection, attempt: str, tokens: int, money: float | None, *, open: bool) -> None:
        insert = sqlite.insert if self._database.sqlite else postgresql.insert
        known = {"tokens": tokens, "money": money, "open": open}
        made = insert(SPEND).values(batch=self._batch, book=self._book, attempt=attempt, **known)
        connection.execute(made.on_conflict_do_update(index_elements=["batch", "book", "attempt"], set_=known))


def _said(spend: Spend) -> str:
    money = "?" if spend.money is None else f"{spend.money:.4f}"
    return f"{spend.tokens} / {money}"


def _limit(cap: Cap) -> str:
    return " / ".join(str(value) for value in (cap.tokens, cap.money) if value is not None)
