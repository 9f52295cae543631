"""What the reviser is handed, what the author has allowed, and that every finding has words in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inkos.gates.audit import CODES
from inkos.gates.catalogue import describe
from inkos.gates.checks import CATALOGUE
from inkos.gates.numbering import number, settle, to_hand_over, wrong
from inkos.gates.waivers import unused_findings, waive
from inkos.kernel.findings import Finding, Waiver
from inkos.messages import Language, Messages
from tests.gates.stories import flaw

WORDS = Path(__file__).parents[2] / "inkos" / "words"
WAIVED = {"waived": "prose-001", "place": "*", "reason": "hers"}
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def words(topic: str, language: Language) -> Messages:
    data = yaml.safe_load((WORDS / language / f"{topic}.yaml").read_text("utf-8"))
    return Messages(language, {topic: data})


@pytest.fixture(params=LANGUAGES)
def messages(request: pytest.FixtureRequest) -> Iterator[Messages]:
    yield words("findings", request.param)


FLAWS = st.builds(
    flaw,
    st.sampled_from(["prose-005", "prose-001", "length-002", "audit-020"]),
    st.sampled_from(["info", "warning", "blocking"]),
    about=st.sampled_from(["a", "b", "c"]),
    repairable=st.booleans(),
)


@given(st.lists(FLAWS, max_size=15))
def test_up_to_eight_repairable_findings_blocking_first(findings: list[Finding]) -> None:
    texts = {f"{c}.{part}": "x" for c in ("prose-005", "prose-001", "audit-020") for part in ("wrong", "settle")}
    handed = number(findings, Messages("en", {"findings": texts}))
    assert [n.id for n in handed] == [f"F{k}" for k in range(1, len(handed) + 1)]
    assert len(handed) == min(8, len(to_hand_over(findings)))
    blocks = [n.finding.blocking for n in handed]
    assert blocks == sorted(blocks, reverse=True)
    assert all(n.finding.repairable and n.finding.severity != "info" for n in handed)
    assert not any(n.finding.code.startswith("length-") for n in handed)


@pytest.mark.reads_data
def test_values_fill_the_words(messages: Messages) -> None:
    finding = flaw("prose-001", "blocking", actual="2").model_copy(update={"values": {"ban": "突然", "about": "突然"}})
    (handed,) = number([finding], messages)
    assert "突然" in handed.wrong and "2" in handed.wrong and handed.settle
    assert settle(flaw("audit-010", note="No one pays."), messages)
    assert (
        len(number([finding, flaw("waiver-001", "info", repairable=False, values=WAIVED)], messages, every=True)) == 2
    )


@pytest.mark.reads_data
def test_every_code_of_this_room_has_its_words(messages: Messages) -> None:
    for code in (*CATALOGUE, *CODES, "waiver-001"):
        for part in ("wrong", "settle", "about"):
            assert f"findings.{code}.{part}" in messages


@pytest.mark.reads_data
def test_the_page_of_checks_names_every_code_once(messages: Messages) -> None:
    page = describe(CATALOGUE, messages)
    for code in (*CATALOGUE, *CODES):
        assert page.count(f"\n| {code} |") == 1
    assert "| prose-001 | blocking |" in page and "| audit-020 | – |" in page


def test_each_check_is_under_its_own_code_and_says_what_it_sees() -> None:
    assert all(check.code == code and check.about.endswith(".") for code, check in CATALOGUE.items())
    assert len({check.run for check in CATALOGUE.values()}) == len(CATALOGUE)


def test_only_exact_and_measured_checks_may_block() -> None:
    blocking = {code for code, check in CATALOGUE.items() if check.severity == "blocking"}
    assert blocking == {"length-003", "lang-001", "prose-001", "prose-002", "prose-003", "prose-006", "prose-007"}


@given(st.lists(FLAWS, max_size=8), st.lists(st.sampled_from(["a", "b", "*", "z"]), max_size=3))
def test_a_waiver_sets_aside_its_code_at_its_place_and_nothing_else(findings: list[Finding], places: list[str]) -> None:
    waivers = [Waiver(code="prose-001", place=place, reason="on purpose") for place in places]
    waived = waive(findings, waivers)
    covered = [f for f in findings if f.code == "prose-001" and (f.place[1] in places or "*" in places)]
    assert list(waived.findings) == [f for f in findings if f not in covered]
    assert ("z" in places) <= any(w.place == "z" for w in waived.unused)
    assert waive(waived.findings, waivers).findings == waived.findings


@pytest.mark.reads_data
def test_a_waiver_that_no_longer_fires_is_a_finding(messages: Messages) -> None:
    waived = waive([], [Waiver(code="prose-001", reason="her word")])
    (finding,) = unused_findings(waived.unused)
    assert (finding.code, finding.severity) == ("waiver-001", "info")
    assert "her word" in wrong(finding, messages)


@pytest.mark.reads_data
def test_the_gates_reasons_have_words_in_both_languages() -> None:
    en, zh = words("gate", "en"), words("gate", "zh")
    assert en.codes() == zh.codes()
    given_ = "admitted unchanged excess unreadable worse passed blocking length low-score unscored"
    for reason in (*given_.split(), "nothing-to-repair", "disputed"):
        assert en.say(f"gate.reason.{reason}", what="x")
