"""Labelled cases: contradictions found, clean twins left alone."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from inkos.kernel.casebook import judged, tally
from inkos.kernel.cases import check_case
from tests.data import shared
from tests.kernel.battery import BATTERY
from tests.kernel.packs import ALL, GENERAL
from tests.kernel.pairs import cases as own_cases


@pytest.mark.reads_data
@pytest.mark.parametrize("rules", [GENERAL, ALL], ids=["general", "all packs"])
def test_seeded_pairs_are_told_apart(rules) -> None:  # type: ignore[no-untyped-def]
    lines = shared("seeded-state/cases.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    wrong: Counter[tuple[str, bool]] = Counter()
    named = []
    for case in cases:
        found = bool(check_case(case, rules))
        wrong[case["label"], found] += 1
        if found != (case["label"] == "contradiction"):
            named.append((case["id"], [f.code for f in check_case(case, rules)]))
    seeded = wrong["contradiction", True] + wrong["contradiction", False]
    clean = wrong["ok", True] + wrong["ok", False]
    assert seeded == clean == 28
    assert wrong["contradiction", True] >= 0.95 * seeded, named
    assert wrong["ok", True] <= 0.04 * clean, named


@pytest.mark.parametrize("case", own_cases(), ids=lambda case: case["id"])
def test_own_pairs_are_told_apart(case: dict[str, object]) -> None:
    for rules in (GENERAL, ALL):
        found = [(f.code, f.expected, f.actual) for f in check_case(case, rules)]
        assert bool(found) == (case["label"] == "contradiction"), found


@pytest.mark.parametrize("rules", [GENERAL, ALL], ids=["general", "all packs"])
def test_the_battery_is_told_apart_to_the_bar(rules) -> None:  # type: ignore[no-untyped-def]
    total = tally(judged(own_cases(BATTERY), rules))
    assert total.seeded == total.clean == len(BATTERY) >= 240
    assert total.good, ([each.id for each in total.missed], [(each.id, each.codes) for each in total.wrong])
