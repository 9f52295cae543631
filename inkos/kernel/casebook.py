"""Figures over labelled cases: found, missed, wrongly flagged, by family; does not know how a case is judged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from inkos.errors import UsageFault
from inkos.kernel.cases import check_case
from inkos.kernel.casewords import Row
from inkos.kernel.rules import Rules
from inkos.records import Record

SEEDED, CLEAN = "contradiction", "ok"
# What the rules must reach (the project's bars, row 12): shares of contradictions found, of clean twins flagged.
LEAST_FOUND, MOST_FLAGGED = 0.95, 0.04


class CaseResult(Record):
    """`flagged`: at least one finding; `codes` are those found."""

    id: str
    family: str
    seeded: bool
    codes: tuple[str, ...] = ()

    @property
    def flagged(self) -> bool:
        return bool(self.codes)


class Tally(Record):
    """Counts over some cases. `missed` and `wrong` name those that came out otherwise than labelled."""

    seeded: int = 0
    found: int = 0
    clean: int = 0
    flagged: int = 0
    missed: tuple[CaseResult, ...] = ()
    wrong: tuple[CaseResult, ...] = ()

    @property
    def found_share(self) -> float:
        return self.found / self.seeded if self.seeded else 1.0

    @property
    def flagged_share(self) -> float:
        return self.flagged / self.clean if self.clean else 0.0

    @property
    def good(self) -> bool:
        return self.found_share >= LEAST_FOUND and self.flagged_share <= MOST_FLAGGED


def read_cases(text: str, where: str) -> list[Row]:
    """One JSON object a line; blank lines are nothing. UsageFault names the line that is none or bears no label."""
    rows: list[Row] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as fault:
            raise UsageFault("case-unreadable", where=where, line=number, detail=str(fault)[:120]) from fault
        label = row.get("label") if isinstance(row, Mapping) else None
        if label not in (SEEDED, CLEAN):
            detail = f"label: {str(label)[:40]} ({SEEDED}, {CLEAN})"
            raise UsageFault("case-unreadable", where=where, line=number, detail=detail)
        rows.append(row)
    return rows


def judged(rows: Iterable[Row], rules: Rules) -> list[CaseResult]:
    """Each case as the rules see it."""
    return [
        CaseResult(
            id=str(row.get("id") or f"{number}"),
            family=str(row.get("family") or "—"),
            seeded=row["label"] == SEEDED,
            codes=tuple(dict.fromkeys(finding.code for finding in check_case(row, rules))),
        )
        for number, row in enumerate(rows, 1)
    ]


def tally(results: Iterable[CaseResult]) -> Tally:
    """The counts of all `results` together."""
    every = list(results)
    seeded = [each for each in every if each.seeded]
    clean = [each for each in every if not each.seeded]
    missed = tuple(each for each in seeded if not each.flagged)
    wrong = tuple(each for each in clean if each.flagged)
    return Tally(
        seeded=len(seeded),
        found=len(seeded) - len(missed),
        clean=len(clean),
        flagged=len(wrong),
        missed=missed,
        wrong=wrong,
    )


def by_family(results: Iterable[CaseResult]) -> dict[str, Tally]:
    """The counts of each family, in the order of the file."""
    families: dict[str, list[CaseResult]] = {}
    for each in results:
        families.setdefault(each.family, []).append(each)
    return {name: tally(members) for name, members in families.items()}
