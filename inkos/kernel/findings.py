"""The one shape for everything that is wrong or worth saying about a story; knows no check by name."""

from __future__ import annotations

from typing import Literal

from inkos.records import ChapterAt, Record

Severity = Literal["info", "warning", "blocking"]
SEVERITY_ORDER: dict[Severity, int] = {"info": 0, "warning": 1, "blocking": 2}


class Quote(Record):
    """Words that really stand somewhere. `source` is `text` (the chapter under judgement), `chapter` (an earlier one,
    then `chapter` is set), `papers`, or the path of a file of the author's such as `bible/cast.md`.
    `start`/`end` are offsets in characters in that source, -1 where they are not known; `places`: how often they stand
    there."""

    text: str
    source: str = "text"
    chapter: ChapterAt | None = None
    start: int = -1
    end: int = -1
    places: int = 1


class Finding(Record):
    """`code` is permanent (`length-001`, `continuity-012` …) and names the message `findings.<code>` in the
    catalogues, filled from `expected`, `actual` and `values`. `path` says where in the judged paper (`text`,
    `facts[2]`, `hook_ops[0]` …). `quotes`: the new words first, then the earlier ones they collide with.
    `by` is `rules` (the reducer), `check` (deterministic), `audit` (a model, then `note` is its clause)."""

    code: str
    severity: Severity
    path: str = "text"
    metric: str = ""
    expected: str = ""
    actual: str = ""
    values: dict[str, str] = {}
    quotes: tuple[Quote, ...] = ()
    repairable: bool = True
    structural: bool = False
    by: Literal["rules", "check", "audit"] = "check"
    note: str = ""

    @property
    def blocking(self) -> bool:
        return self.severity == "blocking"

    @property
    def place(self) -> tuple[str, str]:
        """What makes two findings of different versions the same one: the code and what it is about."""
        return (self.code, self.values.get("about", self.path))


class Waiver(Record):
    """The author allows one finding: its code, its place (`Finding.place[1]`, or `*`), and a reason."""

    code: str
    place: str = "*"
    reason: str
    by: str = ""
