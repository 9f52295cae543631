"""What each revision round of a book has cost and gained, from its runs' records; writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inkos.actions.chapter_run import load_run
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry
from inkos.ports import RunStore
from inkos.records import Record
from inkos.runs.record import RunRecord


class Round(Record):
    """Round `number` over all chapters that had one. `gained`: points of score of the better of both versions, on
    average, over those that were scored; `kept`: how often the new version was taken. Money null: unknown."""

    number: int
    chapters: int
    tokens: int
    money: float | None
    gained: float | None
    kept: int


def rounds_of(runs: RunStore, chapters: Iterable[ChapterEntry]) -> list[Round]:
    """Rounds of the runs that made these chapters; a record that is gone or damaged says nothing."""
    found: dict[int, list[tuple[int, float | None, float | None, bool]]] = {}
    for entry in chapters:
        try:
            record = load_run(runs, entry.run) if entry.run else None
            state = ChapterState.model_validate(record.machine) if record else None
        except (InkosError, ValueError):
            continue
        if record is not None and state is not None:
            for number, row in _rounds(record, state).items():
                found.setdefault(number, []).append(row)
    return [_summed(number, found[number]) for number in sorted(found)]


def _rounds(record: RunRecord, state: ChapterState) -> Mapping[int, tuple[int, float | None, float | None, bool]]:
    """Tokens, money, gain, and whether it was kept, by the number of the round."""
    made: dict[int, tuple[int, float | None, float | None, bool]] = {}
    revised = [v for v in state.versions if v.origin in ("revision", "rewrite")]
    for number, version in enumerate(revised, 1):
        ends = (f".{version.number}", f".{version.number}-")
        paid = [
            attempt
            for want in record.wants.values()
            for attempt in want.attempts
            if (want.task == "revise" and _round(want.id) == number)
            or (want.task in ("settle", "audit", "again") and _of_version(want.id, ends))
        ]
        tokens = sum(a.usage.input + a.usage.output for a in paid)
        prices = [a.money for a in paid if a.usage.input or a.usage.output]
        money = None if None in prices else sum(p for p in prices if p is not None)
        before = max((s for v in state.versions[: version.number - 1] if (s := _score(v.assessment)) is not None),
                     default=None)  # fmt: skip
        score = _score(version.assessment)
        gain = None if score is None or before is None else max(0.0, score - before)
        made[number] = (tokens, money, gain, state.best == version.number)
    return made


def _score(assessment: object) -> float | None:
    return getattr(assessment, "score", None)


def _round(want_id: str) -> int:
    """`revise.1-2…` is of round 2."""
    digits = want_id.partition("-")[2]
    number = "".join(c for c in digits.split("t")[0].split(".")[0] if c.isdigit())
    return int(number) if number else 0


def _of_version(want_id: str, ends: tuple[str, str]) -> bool:
    whole = "." + want_id.split(".")[1] if "." in want_id else ""
    return whole.split("t")[0] == ends[0] or whole.startswith(ends[1])


def _summed(number: int, rows: list[tuple[int, float | None, float | None, bool]]) -> Round:
    gains = [row[2] for row in rows if row[2] is not None]
    moneys = [row[1] for row in rows]
    return Round(
        number=number, chapters=len(rows), tokens=sum(row[0] for row in rows),
        money=None if None in moneys else round(sum(m for m in moneys if m is not None), 6),
        gained=sum(gains) / len(gains) if gains else None, kept=sum(row[3] for row in rows),
    )  # fmt: skip
