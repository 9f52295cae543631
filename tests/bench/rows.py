"""Rows 13 to 18 of design/bars.md as `tests.bench.run` prints them; knows how each is measured, and writes nothing.

    python -m tests.bench.rows
"""

from __future__ import annotations

import random
from typing import NamedTuple

from inkos.config import StyleConfig
from inkos.gates.bias import to_ask
from inkos.gates.check import CheckContext
from inkos.gates.checks import run
from inkos.gates.verdict import admit, worsened
from inkos.kernel.papers import Assessment, Version
from inkos.messages import Language
from inkos.text.count import count
from tests.bench import corpora, length
from tests.bench.figures import PLANTS
from tests.bench.fit import house
from tests.bench.prose import counted, retold, windows

LANGUAGES: tuple[Language, ...] = ("en", "zh")
# Faults that stand in the text itself, so that a revision can bring them or take them away.
IN_TEXT = ("prose-001", "prose-002", "prose-005", "prose-007", "prose-008", "prose-009", "prose-010", "prose-011")
REVISED = 12  # chapters of each language


class Line(NamedTuple):
    number: str
    measure: str
    figures: str
    peer: str
    must: str


def rows() -> list[Line]:
    """All six; human texts are novels out of copyright, each judged by thresholds that do not know it."""
    human = {g: counted(corpora.novels(g), g) for g in LANGUAGES}
    found: list[Line] = [
        Line("13", "blocking findings per 100 chapters of novels",
             _each(lambda g: f"{human[g].blocked * 100 / human[g].chapters:.1f} ({human[g].chapters})"),
             "word lists: 67", "≤ 1"),
        Line("14", "novels' chapters with an AI-prose warning",
             _each(lambda g: f"{human[g].warned / human[g].chapters:.1%} ({human[g].chapters})"),
             "67 % (zh list)", "≤ 5 %"),
        Line("15", "windows of ten model chapters warned",
             _each(lambda g: "{}/{}".format(*windows(corpora.models(g), g))), "–", "≥ 90 %"),
        Line("16", "chapters with 5 % / 15 % told before, found; with none",
             _each(lambda g: " · ".join("{}/{}".format(*retold(g, share)) for share in (0.05, 0.15, 0.0))),
             "–", "≥ 15 %: all; none: 0"),
    ]  # fmt: skip
    near, far, calls = length.shares(to_ask, length.SOFT)
    found.append(Line("17", "chapters within ±10 % / ±25 %, extra calls a chapter, five writers of measured bias",
                      f"{near:.0%} / {far:.0%}, {calls:.2f}", "24 / 52 %", "80 / 98 %, ≤ 0.5"))  # fmt: skip
    worse, mended = zip(*(revisions(g) for g in LANGUAGES), strict=True)
    found.append(Line("18", "revisions that worsen a deterministic check, accepted; that mend one, accepted",
                      " · ".join(f"{_of(w)}; {_of(m)}" for w, m in zip(worse, mended, strict=True)),
                      "unguarded", "0"))  # fmt: skip
    return found


def _each(figure: object) -> str:
    assert callable(figure)
    return " · ".join(f"{g} {figure(g)}" for g in LANGUAGES)


def _of(counts: tuple[int, int]) -> str:
    return f"{counts[0]}/{counts[1]}"


def revisions(language: Language) -> tuple[tuple[int, int], tuple[int, int]]:
    """Row 18: chapters of novels as drafts, with a fault of each kind put in by the revision; and the other way round.
    How many of each kind the gate admits, of how many that do worsen or mend something."""
    chance = random.Random(3)
    texts = [text for work in corpora.novels(language).values() for text in work[1::2]]
    chosen = chance.sample(texts, REVISED)
    bad = good = tried = 0
    for n, text in enumerate(chosen):
        for code in IN_TEXT:
            case = PLANTS[code](text, chosen[n - 1], language, n)
            style = case.changes.get("style", StyleConfig())
            whole, broken = (judged(t, language, style) for t in (text, case.text))
            assert whole.assessment and broken.assessment
            if not worsened(whole.assessment.findings, broken.assessment.findings):
                continue
            tried += 1
            bad += admit(whole, broken.model_copy(update={"number": 2}))[0]
            good += admit(broken, whole.model_copy(update={"number": 2}))[0]
    return (bad, tried), (good, tried)


def judged(text: str, language: Language, style: StyleConfig) -> Version:
    context = CheckContext(language=language, target=max(1, count(text, language)), lists=house(language), style=style)
    return Version(number=1, origin="revision", text=text,
                   assessment=Assessment(length=count(text, language), findings=run(text, context)))  # fmt: skip


def main() -> None:
    for row in rows():
        print(f"{row.number:>3}  {row.measure:<84} {row.figures:<44} must {row.must}")


if __name__ == "__main__":
    main()
