"""What a batch asks of the world, as protocols and records: the board that all workers share, and the engine.

`Board` keeps what is decided, `Engine` makes turns happen on some worker at least once. Neither knows a book.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from inkos.cycle.batch import Item, RouteState, Spend, Why
from inkos.cycle.batch_plan import BatchPlan, Cap
from inkos.cycle.openings import Duel
from inkos.gates.sameness import Portrait
from inkos.model_ports import Purse
from inkos.records import Record

BatchStatus = Literal["running", "paused", "cancelled", "over"]


class Batch(Record):
    """A plan that was entered. `briefs`: the texts of its books to be founded, by book. `began`: seconds since the
    epoch. `rung`: steps of the ladder taken for the whole batch. `judgings`: comparisons of openings that failed."""

    name: str
    plan: BatchPlan
    digest: str
    briefs: dict[str, str] = {}
    began: float
    status: BatchStatus = "running"
    why: Why = Why()
    rung: int = 0
    judgings: int = 0


class LogLine(Record):
    """One thing that happened: a code of the catalogue `batch.log.…` and what fills it in."""

    number: int
    at: float
    batch: str
    book: str
    code: str
    values: dict[str, str]


class Deed(Record):
    """What is to be told to the outside, at least once; `id` is the same when it is told again. `at`: seconds since the
    epoch. `tries` and `not_before`: how often that failed, and when it is tried again."""

    id: str
    at: float
    batch: str
    book: str
    what: Literal["chapters", "done", "review", "ended", "failed", "route-paused", "batch-over"]
    values: dict[str, str] = {}
    tries: int = 0
    not_before: float = 0.0
    sent: bool = False


class WorkerRow(Record):
    """A process that makes turns. `seen`: seconds since the epoch at which it last said that it lives."""

    name: str
    host: str
    pid: int
    seen: float
    gone: bool = False


class Board(Protocol):
    """What the workers of all batches share. Every change is one transaction on one record."""

    def now(self) -> float:
        """Seconds since the epoch, the same for all workers."""
        ...

    def batches(self) -> Sequence[Batch]: ...
    def batch(self, name: str) -> Batch | None: ...
    def enter(self, batch: Batch, items: Iterable[Item]) -> Sequence[str]:
        """A batch and its books, one by one; those that are known stay as they are. The books that are new."""
        ...

    def change_batch(self, name: str, change: Callable[[Batch], Batch]) -> Batch: ...
    def items(self, batch: str) -> Sequence[Item]: ...
    def change_item(self, batch: str, book: str, change: Callable[[Item], Item]) -> tuple[Item, Item]:
        """The book before and after."""
        ...

    def routes(self) -> Mapping[str, RouteState]: ...
    def change_route(self, name: str, change: Callable[[RouteState], RouteState]) -> tuple[RouteState, RouteState]: ...
    def spends(self, batch: str) -> Mapping[str, Spend]:
        """What was paid within a batch, by book."""
        ...

    def close(self, batch: str, book: str) -> None:
        """No call of this book is in flight any more: what was kept for one counts as its cost until it is known."""
        ...

    def purse(self, batch: str, book: str, caps: Sequence[tuple[str, Cap | None]]) -> Purse:
        """`caps`: of `book` and of `batch`."""
        ...

    def log(self, batch: str, book: str, code: str, values: Mapping[str, object]) -> None: ...
    def lines(self, batch: str, *, after: int = 0, most: int = 1000) -> Sequence[LogLine]:
        """The newest `most` lines after a number, oldest first."""
        ...

    def workers(self) -> Sequence[WorkerRow]: ...
    def duel(self, key: str) -> Duel | None: ...
    def keep_duel(self, key: str, duel: Duel) -> None: ...
    def portraits(self) -> Sequence[Portrait]: ...
    def keep_portrait(self, portrait: Portrait) -> None: ...
    def tell(self, deed: Deed) -> None:
        """Keep what is to be told; known ids stay as they are."""
        ...

    def untold(self) -> Sequence[Deed]: ...
    def change_deed(self, id: str, change: Callable[[Deed], Deed]) -> tuple[Deed, Deed]: ...


Work = Callable[[str, str, int], None]  # batch, book, number of the turn


class Engine(Protocol):
    """Makes turns happen on the workers of one database, each at least once, whatever dies meanwhile."""

    @property
    def worker(self) -> str: ...
    def working(self, work: Work, at_once: int, each_beat: Callable[[], None]) -> AbstractContextManager[None]:
        """This process as a worker that makes up to `at_once` turns at a time, each in a thread of its own; `each_beat`
        is called about every second. On leaving, the turns in work are waited for."""
        ...

    def submit(self, batch: str, book: str, turn: int, priority: int) -> None:
        """Ask for a turn; the same one is made once, however often it is asked for. The lower `priority` goes first."""
        ...

    def lost(self, turns: Sequence[tuple[str, str, int]]) -> Sequence[tuple[str, str, int]]:
        """Those of these turns that nobody has in work or in the queue."""
        ...

    def wait(self, seconds: float) -> None:
        """Until a turn of this worker ends, or so many seconds are over."""
        ...

    def reap(self) -> Sequence[str]:
        """Hand on what workers had in work that do not live any more; their names."""
        ...


class BatchWork(Protocol):
    """What actions need for batches: a part of the Workspace port."""

    def board(self, url: str = "") -> Board:
        """`url` empty: INKOS_DATABASE_URL, else a SQLite file of the workspace. InkosError `batch-extra` where the
        extra is not installed."""
        ...

    def engine(self, board: Board) -> Engine: ...
    def notify(self, deed: Deed) -> Sequence[str]:
        """Tell the outside as inkos.yaml says: by webhook, by command. What failed; nothing where nobody is to be
        told."""
        ...

    def read_plan(self, path: str) -> tuple[BatchPlan, Mapping[str, str]]:
        """PLAN.yaml, and the texts of its briefs by book. UsageFault (`yaml-…`, `config-…`) when it is none."""
        ...
