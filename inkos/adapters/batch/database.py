"""One database with the few tables that workers share, on SQLite or PostgreSQL; knows no batch and no engine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from inkos.adapters.disk import Files, make_folders
from inkos.errors import InkosError, UsageFault

FILE = "batch.sqlite"
BUSY_SECONDS = 30  # how long a writer waits for another one of the same SQLite file
FROZEN_SECONDS = 5  # a transaction in which nothing happens for so long; each of ours is a few statements in a row
CONNECTIONS = 40  # a worker has a thread for each book that it writes at once, and a few more

_meta = sa.MetaData()
# One record as JSON each: batches, items, routes, leases, workers, meters. Each is read and written as a whole.
RECORDS = sa.Table(
    "inkos_records", _meta,
    sa.Column("kind", sa.String(20), primary_key=True), sa.Column("key", sa.String(300), primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip
# Every attempt that a batch pays for; open ones at what they may cost at most.
SPEND = sa.Table(
    "inkos_spend", _meta,
    sa.Column("batch", sa.String(80), primary_key=True), sa.Column("book", sa.String(150), primary_key=True),
    sa.Column("attempt", sa.String(200), primary_key=True), sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("money", sa.Float), sa.Column("open", sa.Boolean, nullable=False),
)  # fmt: skip
LOG = sa.Table(
    "inkos_log", _meta,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=True), sa.Column("at", sa.Float, nullable=False),
    sa.Column("batch", sa.String(80), nullable=False, index=True), sa.Column("book", sa.String(150), nullable=False),
    sa.Column("code", sa.String(80), nullable=False), sa.Column("body", sa.Text, nullable=False),
)  # fmt: skip


class Database:
    """`url` empty: a SQLite file in `folder`, made when first written to."""

    def __init__(self, url: str, folder: Path) -> None:
        make_folders(Files(), folder)
        given = url or f"sqlite:///{folder / FILE}"
        try:
            parsed = sa.make_url(given)
        except ArgumentError as error:
            raise UsageFault("batch-database-url", where="--database-url") from error
        if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        elif parsed.drivername != "sqlite" or not parsed.database:
            raise UsageFault("batch-database-url", where="--database-url")
        self.where = parsed.render_as_string(hide_password=True)
        self.sqlite = parsed.drivername == "sqlite"
        # Parameters may be a brief or a plan, and the address holds a password: neither belongs in a message.
        self.engine = sa.create_engine(parsed, pool_size=CONNECTIONS, pool_pre_ping=not self.sqlite,
                                       hide_parameters=True, connect_args=_connect_args(self.sqlite))  # fmt: skip
        if self.sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
        self._make_tables()

    def _make_tables(self) -> None:
        for last in (False, False, True):
            try:
                _meta.create_all(self.engine)
                return
            except DBAPIError as error:  # another worker makes them at the same moment
                if last:
                    raise self.fault(error) from error
                time.sleep(0.2)

    def close(self) -> None:
        self.engine.dispose()

    def fault(self, error: SQLAlchemyError) -> InkosError:
        detail = str(getattr(error, "orig", None) or error).strip().split("\n")[0][:200]
        return InkosError("batch-database", where=self.where, detail=detail)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sa.Connection]:
        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self.fault(error) from error

    def now(self, connection: sa.Connection | None = None) -> float:
        """Seconds since the epoch: of this machine with SQLite, of the server with PostgreSQL."""
        if self.sqlite:
            return time.time()
        if connection is None:
            with self.transaction() as own:
                return self.now(own)
        return float(connection.execute(sa.text("SELECT extract(epoch FROM clock_timestamp())")).scalar_one())

    # --- records

    def read(self, kind: str, key: str) -> str | None:
        with self.transaction() as connection:
            return connection.execute(
                sa.select(RECORDS.c.body).where(RECORDS.c.kind == kind, RECORDS.c.key == key)
            ).scalar()

    def all(self, kind: str, prefix: str = "") -> list[str]:
        chosen = sa.select(RECORDS.c.body).where(RECORDS.c.kind == kind)
        if prefix:
            chosen = chosen.where(RECORDS.c.key.startswith(prefix, autoescape=True))
        with self.transaction() as connection:
            return list(connection.execute(chosen.order_by(RECORDS.c.key)).scalars())

    def keys(self, kind: str) -> list[str]:
        with self.transaction() as connection:
            return list(connection.execute(sa.select(RECORDS.c.key).where(RECORDS.c.kind == kind)).scalars())

    def add(self, kind: str, key: str, body: str) -> bool:
        """A record that was not there; false when it was."""
        with self.transaction() as connection:
            return self._insert(connection, kind, key, body)

    def change(self, kind: str, key: str, change: Callable[[str, float], str], missing: str = "") -> tuple[str, str]:
        """Replace a record by what `change` makes of it and the time, while nobody else can; before and after."""
        with self.transaction() as connection:
            self._insert(connection, kind, key, missing)
            place = (RECORDS.c.kind == kind) & (RECORDS.c.key == key)
            before = str(connection.execute(sa.select(RECORDS.c.body).where(place).with_for_update()).scalar_one())
            after = change(before, self.now(connection))
            if after != before:
                connection.execute(sa.update(RECORDS).where(place).values(body=after))
            return before, after

    def _insert(self, connection: sa.Connection, kind: str, key: str, body: str) -> bool:
        insert = sqlite.insert if self.sqlite else postgresql.insert
        made = insert(RECORDS).values(kind=kind, key=key, body=body).on_conflict_do_nothing()
        return bool(connection.execute(made).rowcount)


def _connect_args(for_sqlite: bool) -> dict[str, object]:
    return {"timeout": BUSY_SECONDS} if for_sqlite else {
        "connect_timeout": 10, "application_name": "inkos",
        # Who freezes inside a transaction must not hold its rows: the server ends it, well before its leases run out.
        "options": f"-c idle_in_transaction_session_timeout={FROZEN_SECONDS * 1000}",
    }  # fmt: skip


def _prepare_sqlite(connection: object, _record: object) -> None:
    """Writers take turns from their first word on; what is committed survives the process. It need not survive a
    power failure to the last line: the books' own files are the truth, and every turn can be made again."""
    connection.isolation_level = "IMMEDIATE"  # type: ignore[attr-defined]
    for pragma in (f"busy_timeout={BUSY_SECONDS * 1000}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]
