"""What is said of a judge: identical text comes out different at most one time in twenty, on average over judges."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.gates.calibration import Judged, calibrate, percentile, students_t


def judge(chance: random.Random, noise: float, texts: int = 6, repeats: int = 4) -> list[Judged]:
    rows = []
    for _ in range(texts):
        true = chance.gauss(70, 8)
        scores = [chance.gauss(true, noise) for _ in range(repeats)]
        rows.append(Judged(tuple(scores[::2]), tuple(scores[1::2]), chance.gauss(true - 20, noise)))
    return rows


@pytest.mark.parametrize("noise", [0.5, 2.0, 8.0])
def test_one_text_comes_out_different_at_most_one_time_in_twenty(noise: float) -> None:
    chance = random.Random(3)
    different = total = 0
    for _ in range(400):
        margin = calibrate(judge(chance, noise), "m").margin
        for _ in range(40):
            different += abs(chance.gauss(0, noise) - chance.gauss(0, noise)) > margin
            total += 1
    assert 0.02 < different / total <= 0.055


def test_a_judge_who_never_wavers_has_a_small_margin_and_one_who_tells_nothing_tells_no_twin() -> None:
    steady = [Judged((score, score), (score,), score) for score in (60.0, 70.0, 80.0)]
    found = calibrate(steady, "m")
    assert (found.margin, found.deviation, found.told, found.twins) == (0.5, 0.0, 0, 3)


def test_too_few_scores_are_no_calibration() -> None:
    with pytest.raises(ValueError):
        calibrate([Judged((70.0, 71.0), (72.0,))] * 2, "m")
    with pytest.raises(ValueError):
        calibrate([Judged((70.0,), (72.0,))] * 9, "m")


@given(st.lists(st.floats(0, 100), min_size=1, max_size=40), st.floats(0, 100), st.floats(0, 100))
def test_a_higher_score_never_has_a_lower_percentile(scores: list[float], one: float, two: float) -> None:
    ranked = sorted(scores)
    low, high = sorted((one, two))
    assert 0 <= percentile(low, ranked) <= percentile(high, ranked) <= 100


@pytest.mark.parametrize(("freedom", "value"), [(6, 2.447), (18, 2.101), (60, 2.000)])
def test_students_quantile(freedom: int, value: float) -> None:
    assert students_t(0.975, freedom) == pytest.approx(value, abs=0.01)
