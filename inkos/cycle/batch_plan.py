"""What a studio asks of a batch: the records of PLAN.yaml and how times are written in it; decides nothing."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator, model_validator

from inkos.config import CallLimits
from inkos.records import Record

NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,60}$"
_WINDOW = re.compile(r"(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)")
_PERIOD = re.compile(r"(\d+(?:\.\d+)?)([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Cap(Record):
    """A hard limit: tokens, and money in the workspace's currency; null: none."""

    tokens: int | None = Field(default=None, gt=0)
    money: float | None = Field(default=None, gt=0)


class BookPlan(Record):
    """One book of a batch: one that is there, or one to be founded from `brief` (a path, seen from the plan's folder).
    `chapters`: how many more. The higher `priority` goes first. `routes`: role, or `default` → route. `budget`: of this
    book within this batch. `length`: of a chapter, in the book's counting unit."""

    book: str = Field(min_length=1, max_length=120)
    chapters: int | None = Field(default=None, ge=1, le=100_000)
    priority: int = Field(default=0, ge=-1000, le=1000)
    routes: dict[str, str] = {}
    budget: Cap | None = None
    length: int | None = Field(default=None, ge=100, le=50_000)
    brief: str = ""
    title: str = ""
    author: str = ""
    language: Literal["", "en", "zh"] = ""
    genre: str = "general"
    form: Literal["serial", "standalone"] = "serial"
    outline: int | None = Field(default=None, ge=1, le=100_000)


class Concurrency(Record):
    """`books`: how many are written at once, over all workers. `providers`: narrower limits than inkos.yaml has."""

    books: int = Field(default=4, ge=1, le=256)
    providers: dict[str, CallLimits] = {}


class StopRules(Record):
    """`failures`: of one book in a row, until it stops; `pause`: seconds before it is tried again, doubled each time.
    `strikes`: chapters in a row, over all books, that a route left flagged or failed, until the route is paused."""

    failures: int = Field(default=3, ge=1)
    pause: float = Field(default=60, ge=0, le=3600)
    strikes: int = Field(default=3, ge=1)


class Rung(Record):
    """One step down when money runs short: taken once `at` of a budget (the book's or the batch's) is spent. Exactly
    one of: `rounds` of revision, `route` for all roles, `length` as a share of the target, `stop`."""

    at: float = Field(gt=0, le=1)
    rounds: int | None = Field(default=None, ge=0, le=10)
    route: str = ""
    length: float | None = Field(default=None, ge=0.2, lt=1)
    stop: bool = False

    @model_validator(mode="after")
    def _one(self) -> Rung:
        if (self.rounds is not None) + bool(self.route) + (self.length is not None) + self.stop != 1:
            raise ValueError("exactly one of rounds, route, length, stop")
        return self


class Serial(Record):
    """A book that appears bit by bit: `chapters` in each period `every` (`24h`, `7d`); none while `stock` chapters are
    written and not published yet."""

    every: str = "24h"
    chapters: int = Field(default=1, ge=1)
    stock: int | None = Field(default=None, ge=1)

    @field_validator("every")
    @classmethod
    def _period(cls, value: str) -> str:
        seconds_of(value)
        return value


class Openings(Record):
    """Books that compete: after `chapters` each they are compared in pairs, and `keep` of them go on."""

    chapters: int = Field(default=3, ge=1, le=50)
    keep: float = Field(default=0.5, gt=0, lt=1)


class Delivery(Record):
    """What is handed over when a book is done, and every `every` chapters."""

    every: int | None = Field(default=None, ge=1)
    epub: bool = True


class BatchPlan(Record):
    """PLAN.yaml. `name` is the batch's id: the same plan twice is one batch. `chapters`, `routes`, `each` hold for
    every book that does not say otherwise; `budget` is for all together. `between`: local hours (`22:00-07:00`)."""

    schema_version: int = 1
    name: str = Field(pattern=NAME)
    books: tuple[BookPlan, ...] = Field(min_length=1, max_length=1000)
    chapters: int | None = Field(default=None, ge=1, le=100_000)
    routes: dict[str, str] = {}
    budget: Cap | None = None
    each: Cap | None = None
    concurrency: Concurrency = Concurrency()
    stop: StopRules = StopRules()
    ladder: tuple[Rung, ...] = ()
    between: str = ""
    serial: Serial | None = None
    openings: Openings | None = None
    deliver: Delivery = Delivery()

    @field_validator("between")
    @classmethod
    def _hours(cls, value: str) -> str:
        if value:
            window_of(value)
        return value

    @model_validator(mode="after")
    def _whole(self) -> BatchPlan:
        names = [book.book for book in self.books]
        doubled = next((name for name in names if names.count(name) > 1), None)
        if doubled is not None:
            raise ValueError(f"books: {doubled} is there twice")
        bare = next((book.book for book in self.books if self.chapters_of(book) is None), None)
        if bare is not None:
            raise ValueError(f"chapters: none for {bare}")
        if list(self.ladder) != sorted(self.ladder, key=lambda rung: rung.at):
            raise ValueError("ladder: the lower share comes first")
        return self

    def chapters_of(self, book: BookPlan) -> int | None:
        return book.chapters or self.chapters

    def cap_of(self, book: BookPlan) -> Cap | None:
        return book.budget or self.each

    def routes_of(self, book: BookPlan) -> dict[str, str]:
        return {**self.routes, **book.routes}


def seconds_of(period: str) -> float:
    """`90m` as seconds. ValueError for another form, or less than a minute."""
    found = _PERIOD.fullmatch(period.strip())
    if found is None or float(found[1]) * _SECONDS[found[2]] < 60:
        raise ValueError("a period such as 90m, 24h or 7d")
    return float(found[1]) * _SECONDS[found[2]]


def window_of(between: str) -> tuple[int, int]:
    """`22:00-07:00` as minutes of the day, from and to. ValueError for another form."""
    found = _WINDOW.fullmatch(between.strip())
    if found is None:
        raise ValueError("hours such as 22:00-07:00")
    hours, minutes = (int(found[1]), int(found[3])), (int(found[2]), int(found[4]))
    if max(hours) > 24 or max(minutes) > 59:
        raise ValueError("hours such as 22:00-07:00")
    begin, end = (hour * 60 + minute for hour, minute in zip(hours, minutes, strict=True))
    if begin % 1440 == end % 1440 or max(begin, end) > 1440:
        raise ValueError("hours such as 22:00-07:00")
    return begin % 1440, end % 1440


def wait_for_window(between: str, minute: float) -> float:
    """Seconds until the hours begin; 0 within them. `minute` of the local day, with fractions."""
    if not between:
        return 0.0
    begin, end = window_of(between)
    inside = begin <= minute < end if begin < end else minute >= begin or minute < end
    return 0.0 if inside else (begin - minute) % 1440 * 60
