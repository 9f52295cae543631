"""The gate: what is admitted, which version is best, when the loop ends and what becomes of the chapter."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.config import GateConfig
from inkos.gates.verdict import (
    Verdict,
    admit,
    best_of,
    better,
    excess_change,
    in_range,
    judge,
    moved_away,
    worsened,
)
from inkos.kernel.findings import SEVERITY_ORDER, Finding
from inkos.kernel.papers import Version
from tests.gates.stories import LENGTH, TARGET, flaw, version

GATE = GateConfig()
SEVERITIES = st.sampled_from(["info", "warning", "blocking"])
FLAWS = st.builds(
    flaw,
    st.sampled_from(["prose-001", "prose-005", "continuity-001", "audit-001", "length-002"]),
    SEVERITIES,
    by=st.sampled_from(["check", "rules", "audit"]),
    about=st.sampled_from(["", "a", "b"]),
    repairable=st.booleans(),
    structural=st.booleans(),
)
SCORES = st.one_of(st.none(), st.floats(0, 100))


class Judgement(NamedTuple):
    """What the three instruments will say of one text."""

    flaws: tuple[Finding, ...]
    score: float | None
    length: int
    unreadable: bool
    changed: bool


JUDGEMENTS = st.builds(
    Judgement,
    st.lists(FLAWS, max_size=4).map(tuple),
    SCORES,
    st.integers(0, 2500),
    st.booleans(),
    st.booleans(),
)


def made(number: int, judgement: Judgement, origin: str, text: str) -> Version:
    return version(
        number,
        *judgement.flaws,
        score=judgement.score,
        length=judgement.length,
        unreadable=("auditor",) if judgement.unreadable else (),
        text=text,
        origin=origin,  # type: ignore[arg-type]
    )


def simulated(judgements: list[Judgement], rounds: int) -> tuple[list[str], list[Version], Verdict]:
    """A run of the loop as the chapter machine drives it: each step that is asked for is taken, its result judged."""
    supply = iter(judgements * 20)
    versions = [made(1, next(supply), "draft", "One. Two. Three.")]
    steps: list[str] = []
    looked = tried = False
    while True:
        verdict = judge(versions, GATE, LENGTH, rounds, looked_again=looked, length_tried=tried)
        if verdict.exit is not None:
            return steps, versions, verdict
        steps.append(verdict.next)
        assert len(steps) < 100, "the loop does not end"
        if verdict.next == "settle-again":
            looked = True
            continue
        tried = tried or verdict.next == "length"
        rounds -= verdict.next in ("revise", "rewrite")
        looked = False
        judgement = next(supply)
        best = versions[verdict.best - 1]
        text = f"{best.text} More {len(versions)}." if judgement.changed else best.text
        origin = {"revise": "revision", "rewrite": "rewrite", "length": "length"}[verdict.next]
        candidate = made(len(versions) + 1, judgement, origin, text)
        admitted, why = admit(best, candidate)
        versions.append(candidate.model_copy(update={"admitted": admitted, "why": why}))


@given(st.lists(JUDGEMENTS, min_size=1, max_size=6), st.integers(0, 4))
def test_the_loop_takes_no_more_than_its_rounds_and_one_correction_of_length(
    judgements: list[Judgement], rounds: int
) -> None:
    steps, versions, _ = simulated(judgements, rounds)
    assert sum(step in ("revise", "rewrite") for step in steps) <= rounds
    assert steps.count("length") <= 1
    assert steps.count("settle-again") <= len(versions)


@given(st.lists(JUDGEMENTS, min_size=1, max_size=6), st.integers(0, 4))
def test_the_result_is_never_worse_than_any_admitted_version(judgements: list[Judgement], rounds: int) -> None:
    _, versions, verdict = simulated(judgements, rounds)
    result = versions[verdict.best - 1]
    assert result.admitted and result.assessment is not None
    readable = [v for v in versions if v.admitted and v.assessment and not v.assessment.unreadable]
    for other in readable:
        assert other.assessment is not None
        assert len(result.assessment.blocking) <= len(other.assessment.blocking)
        if len(result.assessment.blocking) == len(other.assessment.blocking):
            assert in_range(result, TARGET, 0.25) or not in_range(other, TARGET, 0.25)


@given(st.lists(JUDGEMENTS, min_size=1, max_size=6), st.integers(0, 4))
def test_nothing_blocked_unread_or_lost_is_accepted(judgements: list[Judgement], rounds: int) -> None:
    _, versions, verdict = simulated(judgements, rounds)
    result = versions[verdict.best - 1].assessment
    assert result is not None
    if verdict.status != "needs-review":
        assert not result.blocking and not result.unreadable
    if verdict.status == "accepted":
        assert result.score is not None and result.score >= GATE.pass_score
        assert abs(result.length - TARGET) <= 0.25 * TARGET
    assert (verdict.exit == "passed") == (verdict.status == "accepted") or verdict.exit == "unreadable"


@given(st.lists(FLAWS, max_size=5), st.lists(FLAWS, max_size=5))
def test_what_is_admitted_worsens_nothing_that_code_measures_unless_a_block_has_gone(
    before: list[Finding], after: list[Finding]
) -> None:
    best = version(1, *before, text="One. Two.")
    candidate = version(2, *after, text="One. Two. Three.", origin="revision")
    if admit(best, candidate)[0]:
        worse = worsened(before, after)
        assert not any(f.blocking for f in worse)
        assert not worse or any(f.blocking for f in before)


@given(st.lists(FLAWS, max_size=5))
def test_the_same_findings_are_no_worsening(findings: list[Finding]) -> None:
    assert worsened(findings, findings) == ()


@given(st.lists(FLAWS, max_size=4), st.lists(FLAWS, max_size=4), SCORES, SCORES, st.floats(0, 20))
def test_of_two_versions_that_differ_by_no_more_than_the_margin_the_earlier_is_better(
    a: list[Finding], b: list[Finding], score_a: float | None, score_b: float | None, margin: float
) -> None:
    first, second = version(1, *a, score=score_a), version(2, *b, score=score_b)
    chosen = better(first, second, margin)
    blocks = [sum(f.blocking for f in flaws) for flaws in (a, b)]
    if blocks[0] == blocks[1] and (score_a is None or score_b is None or score_b - score_a <= margin):
        assert chosen is first


@pytest.mark.parametrize(
    ("before", "after", "admitted", "why"),
    [
        ([], [flaw()], False, "worse:prose-005"),
        ([flaw()], [flaw()], True, "admitted"),
        ([flaw(about="a")], [flaw(about="b")], False, "worse:prose-005"),
        ([flaw()], [flaw(severity="blocking")], False, "worse:prose-005"),
        ([flaw()], [flaw(), flaw()], False, "worse:prose-005"),
        ([flaw("prose-001", "blocking")], [flaw()], True, "admitted"),
        ([flaw("prose-001", "blocking")], [flaw("prose-002", "blocking")], False, "worse:prose-002"),
        ([flaw()], [flaw("continuity-003", "blocking", by="rules")], False, "worse:continuity-003"),
        ([], [flaw("audit-001", by="audit")], True, "admitted"),
        ([], [flaw("structure-003", "info", path="beats_done")], True, "admitted"),
        ([flaw("length-002")], [flaw("length-001", "info")], True, "admitted"),
        ([flaw("length-001", "info")], [flaw("length-002")], False, "worse:length-002"),
    ],
)
def test_admission(before: list[Finding], after: list[Finding], admitted: bool, why: str) -> None:
    best = version(1, *before, text="One. Two.")
    candidate = version(2, *after, text="One. Too.", origin="revision")
    assert admit(best, candidate) == (admitted, why)


def test_a_revision_that_changes_nothing_is_called_that() -> None:
    assert admit(version(1, text="One."), version(2, text="One.", origin="revision")) == (False, "unchanged")


def test_a_revision_that_rewrites_most_of_the_text_for_one_finding_is_refused() -> None:
    old = " ".join(f"Sentence {n} stands." for n in "abcdefghijklmnopqrst")
    new = " ".join(f"Other {n} words." for n in "abcdefghijklmnopqrst")
    best = version(1, flaw(quote="Sentence c stands."), text=old)
    assert admit(best, version(2, text=new, origin="revision")) == (False, "excess")
    assert admit(best, version(2, text=new, origin="rewrite")) == (True, "admitted")


def test_a_patch_of_the_quoted_sentence_is_no_excess_in_either_language() -> None:
    en = " ".join(f"Sentence {n} stands." for n in "abcdefghij")
    zh = "".join(f"第{n}句在这里。" for n in "甲乙丙丁戊己庚辛")
    assert not excess_change(en, en.replace("Sentence c stands.", "It fell."), [flaw(quote="Sentence c stands.")])
    assert not excess_change(zh, zh.replace("第丙句在这里。", "它倒了。"), [flaw(quote="第丙句在这里。")])
    assert excess_change(zh, zh.replace("在", "不在"), [flaw(quote="第丙句在这里。")])


def test_an_audit_that_cannot_judge_does_not_lift_a_block_whose_words_still_stand() -> None:
    block = flaw("audit-020", "blocking", by="audit", quote="He had one eye.")
    best = version(1, block, score=80, text="He had one eye. He saw.")
    silent = version(2, score=None, void=True, text="He had one eye. He looked.", origin="revision")
    mended = version(3, score=80, text="He had both eyes. He saw.", origin="revision")
    assert better(best, silent, 3) is best
    assert better(best, mended, 3) is mended


def test_what_the_author_gave_outranks_what_was_there_before() -> None:
    versions = [version(1, score=99), version(2, flaw(), score=50, origin="given"), version(3, score=52)]
    assert best_of(versions, 3, target=TARGET, hard=0.25).number == 2


LOW = flaw()
BLOCK = flaw("prose-001", "blocking")
RULE = flaw("continuity-001", "blocking", by="rules")


@pytest.mark.parametrize(
    ("versions", "rounds", "exit_", "next_", "status"),
    [
        ([version(1)], 1, "passed", "end", "accepted"),
        ([version(1, LOW)], 1, "passed", "end", "accepted"),
        ([version(1, score=84)], 1, "no-net-improvement", "end", "flagged"),
        ([version(1, LOW, score=84)], 1, None, "revise", "flagged"),
        ([version(1, LOW, score=84)], 0, "rounds", "end", "flagged"),
        ([version(1, BLOCK)], 1, None, "revise", "needs-review"),
        ([version(1, BLOCK)], 0, "rounds", "end", "needs-review"),
        ([version(1, flaw("x", "blocking", structural=True))], 1, None, "rewrite", "needs-review"),
        ([version(1, flaw("x", "blocking", repairable=False))], 1, "no-net-improvement", "end", "needs-review"),
        ([version(1, length=1300)], 1, "no-net-improvement", "end", "flagged"),
        ([version(1, score=None)], 1, "unreadable", "end", "flagged"),
        ([version(1, BLOCK, score=None)], 1, None, "revise", "needs-review"),
        ([version(1, unreadable=("auditor",))], 1, "unreadable", "end", "needs-review"),
        ([version(1, BLOCK), version(2, origin="revision")], 0, "passed", "end", "accepted"),
        ([version(1, LOW, score=80), version(2, score=82, origin="revision")], 2,
         "no-net-improvement", "end", "flagged"),
        ([version(1, LOW, score=70), version(2, LOW, score=80, origin="revision")], 2, None, "revise", "flagged"),
        ([version(1, LOW, score=70), version(2, score=99, origin="revision", admitted=False)], 2,
         "no-net-improvement", "end", "flagged"),
        ([version(1, BLOCK), version(2, origin="revision", unreadable=("settler",), admitted=False)], 2,
         "unreadable", "end", "needs-review"),
    ],
)  # fmt: skip
def test_the_table_of_exits(versions: list[Version], rounds: int, exit_: str | None, next_: str, status: str) -> None:
    verdict = judge(versions, GATE, LENGTH, rounds)
    assert (verdict.exit, verdict.next, verdict.status) == (exit_, next_, status)


def test_a_contradiction_of_the_state_goes_to_the_settler_before_prose_is_touched() -> None:
    assert judge([version(1, RULE)], GATE, LENGTH, 1, looked_again=False).next == "settle-again"
    assert judge([version(1, RULE)], GATE, LENGTH, 1, looked_again=True).next == "revise"


def test_a_length_out_of_range_gets_its_own_call_beside_the_rounds() -> None:
    long = version(1, length=1400)
    assert judge([long], GATE, LENGTH, 0, length_tried=False).next == "length"
    assert judge([long], GATE, LENGTH, 0, length_tried=True).status == "flagged"


def test_a_chapter_has_its_own_target() -> None:
    assert judge([version(1, length=2000)], GATE, LENGTH, 0, target=2000).status == "accepted"


def test_a_low_score_can_be_made_to_wait_for_a_person() -> None:
    hold = GATE.model_copy(update={"on_low_score": "hold"})
    assert judge([version(1, score=84)], hold, LENGTH, 0).status == "needs-review"
    assert judge([version(1, length=1300)], hold, LENGTH, 0).status == "flagged"


def test_where_no_audit_was_asked_for_no_score_is_missing() -> None:
    settled = version(1)
    assert settled.assessment is not None
    unaudited = settled.model_copy(update={"assessment": settled.assessment.model_copy(update={"audit": None})})
    assert judge([unaudited], GATE, LENGTH, 0).status == "accepted"


@given(st.integers(1, 5000), st.integers(0, 9000), st.integers(0, 9000))
def test_a_correction_moved_away_unless_it_came_nearer(target: int, before: int, after: int) -> None:
    assert moved_away(before, after, target) == (abs(after - target) >= abs(before - target))
    assert moved_away(4035, 5850, 3000) and not moved_away(4035, 3100, 3000)


def test_severities_are_ordered() -> None:
    assert sorted(SEVERITY_ORDER, key=SEVERITY_ORDER.__getitem__) == ["info", "warning", "blocking"]
