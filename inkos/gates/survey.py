"""Every deterministic check on a row of chapters, as one table: any text will do; asks no model, knows no book.

Chapters are judged in order, each told what stood before it. The cost of a chapter grows with what stood before by no
more than a look-up of its own runs of words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inkos.config import LengthConfig, StyleConfig
from inkos.gates.check import CheckContext, HouseLists
from inkos.gates.checks import run
from inkos.gates.measures import MEASURES, Measures, measures
from inkos.kernel.findings import SEVERITY_ORDER, Finding
from inkos.messages import Language
from inkos.records import Record
from inkos.text.blocks import told
from inkos.text.count import count
from inkos.text.lang import language_of
from inkos.text.repeat import shingles
from inkos.text.split import heading_and_prose, split

WORST = 10  # passages that are shown
NO_TARGET = LengthConfig(soft=0.99, hard=0.99)


class Chapter(NamedTuple):
    """`target` null: nobody asked for a length."""

    title: str
    text: str
    target: int | None = None
    score: float | None = None
    percentile: int | None = None


class Row(Record):
    """One chapter of the table. `score`: of a stored audit, if there is one; `percentile`: where it stands among the
    scores of its judge."""

    number: int
    title: str
    measures: Measures
    findings: tuple[Finding, ...]
    score: float | None = None
    percentile: int | None = None

    def number_of(self, code: str) -> int:
        return sum(f.code == code for f in self.findings)


class Passage(Record):
    """A place worth reading: which chapter, which finding, its words."""

    chapter: int
    code: str
    severity: str
    quote: str


class Survey(Record):
    """`codes`: those that some chapter tripped, in order. `trend`: per measure, its value in each chapter. `limit`: the
    score of habits from which a chapter is warned of."""

    language: Language
    chapters: tuple[Row, ...]
    codes: tuple[str, ...]
    trend: dict[str, tuple[float, ...]]
    worst: tuple[Passage, ...]
    limit: float = 0.0


def chapters_of(texts: Iterable[tuple[str, str]]) -> list[Chapter]:
    """The chapters of named texts, one text after the other, each parted at its chapter headings. What stands before
    the first heading counts where it is longer than a title page; a text without headings is one chapter."""
    found: list[Chapter] = []
    for name, text in texts:
        parted = split(text)
        if parted.front.strip() and count(parted.front, "zh") >= 300:
            title, prose = heading_and_prose(parted.front.strip())
            found.append(Chapter(title or name, prose.strip()))
        for piece in parted.pieces:
            prose = parted.prose(piece).strip()
            if piece.heading.kind in ("chapter", "special") and prose:
                found.append(Chapter(" ".join(parted.line(piece).strip("#*_ ").split()), prose))
        if not parted.pieces and not (parted.front.strip() and count(parted.front, "zh") >= 300):
            title, prose = heading_and_prose(text)
            found.append(Chapter(title or name, prose.strip()))
    return found


def language_of_all(chapters: Sequence[Chapter]) -> Language:
    """The language of most of the text; English where neither is seen."""
    seen = language_of("\n".join(chapter.text[:4000] for chapter in chapters))
    return "zh" if seen == "zh" else "en"


def survey(
    chapters: Sequence[Chapter], language: Language, lists: HouseLists, style: StyleConfig | None = None,
    length: LengthConfig | None = None,
) -> Survey:  # fmt: skip
    """Judge all chapters. `style` null: nobody said in which person, and nothing is banned."""
    known: set[int] = set()
    numbers: list[tuple[Measures, frozenset[int]]] = []
    for chapter in chapters:
        own = frozenset(shingles(told(chapter.text), language))
        numbers.append((measures(chapter.text, language, lists, known), own & known))
        known |= own
    rows: list[Row] = []
    for at, (chapter, (measured, reused)) in enumerate(zip(chapters, numbers, strict=True)):
        context = CheckContext(
            language=language,
            target=chapter.target or max(1, count(chapter.text, language)),
            length=length or NO_TARGET,
            lists=lists,
            style=style or StyleConfig(),
            title=chapter.title,
            earlier=(reused,) if at else (),
            recent=tuple(c.text for c in chapters[max(0, at - 9) : at]),
        )
        found = run(chapter.text, context)
        if style is None:
            found = tuple(f for f in found if f.code != "person-001")
        rows.append(Row(number=at + 1, title=chapter.title, measures=measured, findings=found, score=chapter.score,
                        percentile=chapter.percentile))  # fmt: skip
    return Survey(
        language=language,
        chapters=tuple(rows),
        codes=tuple(sorted({f.code for row in rows for f in row.findings})),
        trend={name: tuple(float(getattr(row.measures, name)) for row in rows) for name in MEASURES},
        worst=worst(rows),
        limit=lists.limit,
    )


def worst(rows: Sequence[Row]) -> tuple[Passage, ...]:
    """The passages of the severest findings, one of each finding before a second of any, none twice."""
    ranked = sorted(
        ((n, -SEVERITY_ORDER[f.severity], -row.measures.habits, row.number, f, quote)
         for row in rows for f in row.findings for n, quote in enumerate(f.quotes)),
        key=lambda item: item[:4],
    )  # fmt: skip
    shown: dict[str, Passage] = {}
    for _, _, _, number, finding, quote in ranked:
        passage = Passage(chapter=number, code=finding.code, severity=finding.severity, quote=quote.text)
        shown.setdefault(quote.text, passage)
    return tuple(shown.values())[:WORST]


_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int = 60) -> str:
    """The course of a measure in one line, from its least to its largest value; longer rows are averaged."""
    if not values:
        return ""
    size = max(1, -(-len(values) // width))
    means = [sum(values[at : at + size]) / len(values[at : at + size]) for at in range(0, len(values), size)]
    low, high = min(means), max(means)
    if high == low:
        return _BARS[3] * len(means)
    return "".join(_BARS[int((value - low) / (high - low) * (len(_BARS) - 1))] for value in means)
