"""docs/checks.md is up to date, and no check blocks whose recall and false alarms are not recorded."""

from __future__ import annotations

import pytest

from inkos.adapters.package_data import gate_tables, messages
from inkos.gates.audit import DIMENSIONS as AUDITED
from inkos.gates.catalogue import DIMENSIONS, may_block
from inkos.gates.checks import CATALOGUE
from tests.house.checks import PATH, page

FIGURES = gate_tables()["figures"]
BLOCKING = [code for code, check in CATALOGUE.items() if check.severity == "blocking"]


def test_the_page_of_checks_is_up_to_date() -> None:
    assert PATH.read_text("utf-8") == page(), "run `make checks`"


@pytest.mark.parametrize("code", BLOCKING)
def test_a_check_that_blocks_has_its_figures_and_no_false_alarm(code: str) -> None:
    assert may_block(code, FIGURES)
    for row in FIGURES["checks"][code].values():  # type: ignore[index]
        assert row["found"] >= 0.95 * row["planted"]
        assert row["alarms"] * 100 <= row["of"]


def test_a_check_without_figures_may_not_block() -> None:
    assert not may_block("structure-005", FIGURES)
    assert not may_block("no-such-check", FIGURES)


def test_each_dimension_names_codes_that_there_are_and_every_question_has_one() -> None:
    known = {code.removeprefix("findings.").removesuffix(".about") for code in messages("en").codes()
             if code.startswith("findings.") and code.endswith(".about")}  # fmt: skip
    decided = {code for _, codes, _ in DIMENSIONS for code in codes}
    asked = {code for _, _, codes in DIMENSIONS for code in codes}
    assert decided | asked <= known
    assert asked == set(AUDITED.values())


RULES = [code for code, row in FIGURES["checks"].items() if row["en"].get("on") == "cases"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("code", RULES)
def test_a_rule_is_as_right_on_labelled_cases_as_the_bars_ask(code: str) -> None:
    for row in FIGURES["checks"][code].values():  # type: ignore[index]
        assert row.get("found", 0) >= 0.95 * row.get("planted", 0)
        assert row["alarms"] <= 0.04 * row["of"]


def test_most_rules_have_their_figures() -> None:
    assert len(RULES) >= 20
