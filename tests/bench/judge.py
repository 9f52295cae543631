"""The gate against judge noise: regret and flips, beside "take the last" and "take the highest single score".

    python -m tests.bench.judge

Published of judges: of identical pairs 13.6 % come out different when asked again, and whoever is shown first wins
72 %. Both together fix the shape of the noise, in units of its own deviation: being first is worth 0.58, and most of
the error is the judge's lasting taste for a text (the same on every asking), the smaller part changes from call to
call. Its size beside true differences is not published, so the table has three: noise of half, once and twice the
deviation of true differences. The program never shows a judge two versions at once, so in the first table nobody is
first; in the second the earlier version has that bonus all the same. A revision does good or harm alike (mean 0,
deviation 4), and every fourth breaks something that code measures, at a cost of 6. Regret is the quality of the best
version less that of the one kept; a flip is another choice on a second judging of the same versions. The choice is the
program's own (gates/verdict.py), the margin as gates/calibration.py finds it. What it shows: docs/decisions.
"""

from __future__ import annotations

import random
from statistics import NormalDist, fmean
from typing import NamedTuple

from inkos.config import GateConfig, LengthConfig
from inkos.gates.verdict import admit, judge
from inkos.kernel.findings import Finding
from inkos.kernel.papers import Answer, Assessment, Audit, Question, Score, Version

TRIALS = 1500
FLIP = 0.136
FIRST = 0.72
MARGIN_ALLOWED = 0.05  # identical text may come out "different" this often
VERSIONS = 3
CHANGE = 4.0  # deviation of what a revision does to true quality
BROKEN, COST = 0.25, 6.0
SIZES = (0.5, 1.0, 2.0)


class Noise(NamedTuple):
    """Of one score difference: what being first is worth, the deviation of the lasting and of the passing part."""

    first: float
    lasting: float
    passing: float


def shape() -> Noise:
    """In units of the whole deviation: the share of lasting error at which FLIP of repeated askings differ."""
    first = NormalDist().inv_cdf(FIRST)
    chance = random.Random(0)
    draws = [(chance.gauss(0, 1), chance.gauss(0, 1), chance.gauss(0, 1)) for _ in range(20_000)]
    low, high = 0.0, 1.0
    for _ in range(25):
        share = (low + high) / 2
        a, b = share**0.5, (1 - share) ** 0.5
        flips = sum((first + a * u + b * x > 0) != (first + a * u + b * y > 0) for u, x, y in draws) / len(draws)
        low, high = (low, share) if flips < FLIP else (share, high)
    return Noise(first, low**0.5, (1 - low) ** 0.5)


def scaled(size: float) -> Noise:
    """The noise of single scores whose differences have `size` times the deviation of true differences."""
    unit, whole = shape(), size * CHANGE
    return Noise(unit.first * whole, unit.lasting * whole / 2**0.5, unit.passing * whole / 2**0.5)


def margin(noise: Noise) -> float:
    """The difference that two scores of one text exceed at most MARGIN_ALLOWED of the time, whichever comes first."""
    apart = NormalDist(noise.first, noise.passing * 2**0.5)
    low, high = 0.0, 100.0
    for _ in range(40):
        middle = (low + high) / 2
        outside = 1 - (apart.cdf(middle) - apart.cdf(-middle))
        low, high = (middle, high) if outside > MARGIN_ALLOWED else (low, middle)
    return high


def version(number: int, quality: float, faults: int, score: float) -> Version:
    fifth = min(20.0, max(0.0, score / 5))
    audit = Audit(questions=(Question(id="q1", dimension="x", text="x"),), answers=(Answer(id="q1", verdict="no"),),
                  score=Score(change=fifth, people=fifth, cause=fifth, prose=fifth, end=fifth))  # fmt: skip
    findings = tuple(Finding(code="prose-005", severity="warning", values={"about": str(n)}) for n in range(faults))
    return Version(number=number, origin="draft" if number == 1 else "revision", text=f"v{number} {quality:.3f}",
                   assessment=Assessment(length=2400, findings=findings, audit=audit))  # fmt: skip


def chosen(qualities: list[float], faults: list[int], scores: list[float], limit: float) -> int:
    """The version that the gate keeps, as an index."""
    made = [version(n, q, f, s) for n, (q, f, s) in enumerate(zip(qualities, faults, scores, strict=True), 1)]
    kept = [made[0]]
    for candidate in made[1:]:
        best = judge(kept, GateConfig(margin=limit), LengthConfig(), 0, target=2400).best
        fit, why = admit(next(v for v in kept if v.number == best), candidate)
        fit = fit or why == "excess"  # the texts of this simulation are stand-ins: their sentences say nothing
        kept.append(candidate.model_copy(update={"admitted": fit, "why": why}))
    return judge(kept, GateConfig(margin=limit), LengthConfig(), 0, target=2400).best - 1


def simulate(noise: Noise, seed: int = 1) -> dict[str, tuple[float, float]]:
    """Regret and share of flips of each way to choose."""
    chance, limit = random.Random(seed), margin(noise)
    ways = {"take the last": -1.0, "take the highest single score": -2.0, "the gate, no margin": 0.0,
            "the gate, margin 3": 3.0, f"the gate, calibrated margin {limit:.1f}": limit}  # fmt: skip
    regret: dict[str, list[float]] = {way: [] for way in ways}
    flips: dict[str, list[bool]] = {way: [] for way in ways}
    for _ in range(TRIALS):
        qualities, faults = versions_of(chance)
        taste = [chance.gauss(0, noise.lasting) for _ in qualities]
        judgings = [
            [q + t + chance.gauss(0, noise.passing) + (noise.first if n == 0 else 0)
             for n, (q, t) in enumerate(zip(qualities, taste, strict=True))]
            for _ in range(2)
        ]  # fmt: skip
        for way, limit_of in ways.items():
            one, two = (picked(qualities, faults, scores, limit_of) for scores in judgings)
            regret[way].append(max(qualities) - qualities[one])
            flips[way].append(one != two)
    return {way: (fmean(regret[way]), fmean(flips[way])) for way in ways}


def versions_of(chance: random.Random) -> tuple[list[float], list[int]]:
    """True qualities of a draft and its revisions, and the faults that code sees in each."""
    qualities, faults = [chance.gauss(70, 5)], [1]
    for _ in range(VERSIONS - 1):
        broken = chance.random() < BROKEN
        qualities.append(qualities[-1] + chance.gauss(0, CHANGE) - (COST if broken else 0))
        faults.append(faults[-1] + 1 if broken else faults[-1])
    return qualities, faults


def picked(qualities: list[float], faults: list[int], scores: list[float], way: float) -> int:
    if way == -1.0:
        return len(scores) - 1
    return scores.index(max(scores)) if way == -2.0 else chosen(qualities, faults, scores, way)


def identical(noise: Noise, limit: float, seed: int = 2) -> float:
    """How often one text judged twice comes out different by more than the margin."""
    chance = random.Random(seed)
    found = (noise.first + chance.gauss(0, noise.passing) - chance.gauss(0, noise.passing) for _ in range(20_000))
    return sum(abs(difference) > limit for difference in found) / 20_000


def main() -> None:
    unit = shape()
    print(f"first {unit.first:.2f}, lasting {unit.lasting:.2f}, passing {unit.passing:.2f} of the deviation")
    for place, first in (("nobody is first", 0.0), ("the earlier version is first", 1.0)):
        for size in SIZES:
            noise = scaled(size)
            noise = noise._replace(first=noise.first * first)
            limit = margin(noise)
            print(f"\n{place}; noise {size:g} × true differences: one text called different "
                  f"{identical(noise, 3.0):.1%} at margin 3, {identical(noise, limit):.1%} at {limit:.1f}")  # fmt: skip
            print(f"{'way to choose':<36}{'regret':>8}{'flips':>8}")
            for way, (regret, flips) in simulate(noise).items():
                print(f"{way:<36}{regret:>8.2f}{flips:>8.1%}")


if __name__ == "__main__":
    main()
