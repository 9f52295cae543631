"""The auditor's reply: the contract in both languages, and the reader's rows of its table (design/prompts.md §5.5)."""

from __future__ import annotations

from typing import Any

import pytest

from inkos.kernel.papers import Audit
from inkos.prompts.readers import Read, read_audit
from tests.prompts.reading import PROSE, QUESTIONS, audited, text_of

PAPERS = "Pym never wears the lamp. The lamp hangs in the lamp house. 钱友德从不碰灯。"
BELT, SHOES, PAPER = "hung it from his own belt", "took off her wet shoes", "Pym never wears the lamp"


def read(language: Any = "en", raw: str = "", **changes: Any) -> Read[Audit]:
    text = raw or text_of(audited(language, **changes))
    return read_audit(text, questions=QUESTIONS, prose=PROSE[language], papers=PAPERS)


def audit(**changes: Any) -> Audit:
    got = read(**changes)
    assert got.value is not None, got.fault
    return got.value


def answering(number: int, verdict: str, *quotes: tuple[str, str], why: str = "") -> list[dict[str, Any]]:
    """The usual answers with one of them replaced."""
    answers: list[dict[str, Any]] = audited("en")["answers"]
    answers[number - 1] = {
        "id": f"q{number}", "quotes": [{"from": f, "quote": q} for f, q in quotes], "verdict": verdict, "why": why,
    }  # fmt: skip
    return answers


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reply_as_the_contract_has_it_becomes_an_audit(language: Any) -> None:
    got = read(language)
    assert got.value is not None
    assert [a.id for a in got.value.answers] == [q.id for q in QUESTIONS]
    assert got.value.score is not None and got.value.score.total == 80
    assert not got.value.void


def test_up_to_three_missing_answers_cannot_be_judged() -> None:
    made = audit(answers=audited("en")["answers"][:5])
    assert [a.verdict for a in made.answers[5:]] == ["cannot_judge"] * 3


def test_more_missing_answers_are_asked_for() -> None:
    got = read(answers=audited("en")["answers"][:4])
    assert got.fault is not None
    assert (got.fault.code, got.fault.where, got.fault.keys) == ("missing", ("q5", "q6", "q7", "q8"), ("answers",))


def test_an_answer_without_its_verdict_is_asked_for() -> None:  # case A16
    answers = audited("en")["answers"]
    del answers[3]["verdict"]
    got = read(answers=answers)
    assert got.fault is not None and (got.fault.code, got.fault.where) == ("reply-key", ("answers[3].verdict",))


def test_a_verdict_that_is_none_of_the_three_is_asked_for() -> None:
    got = read(answers=answering(1, "maybe"))
    assert got.fault is not None and (got.fault.code, got.fault.where) == ("verdict", ("answers[0].verdict",))


@pytest.mark.parametrize(
    ("word", "verdict"), [("是", "yes"), ("No", "no"), ("无法判断", "cannot_judge"), ("can't judge", "cannot_judge")]
)
def test_other_words_for_a_verdict_are_read(word: str, verdict: str) -> None:
    assert audit(answers=answering(1, word)).answers[0].verdict == verdict


def test_a_control_question_answered_wrongly_voids_the_audit() -> None:
    got = read(answers=answering(2, "no"))
    assert got.value is not None and got.value.void and got.fault is None


def test_a_contradiction_with_one_quote_cannot_be_judged() -> None:
    assert audit(answers=answering(3, "yes", ("text", BELT))).answers[2].verdict == "cannot_judge"
    two = audit(answers=answering(3, "yes", ("text", BELT), ("papers", PAPER))).answers[2]
    assert two.verdict == "yes" and [q.source for q in two.quotes] == ["text", "papers"]
    papers_only = audit(answers=answering(3, "yes", ("papers", PAPER), ("papers", "hangs in the lamp house"))).answers[
        2
    ]
    assert [q.source for q in papers_only.quotes] == ["papers", "papers"]  # gates show it as a clash of the papers


def test_a_quote_under_the_wrong_heading_is_put_right() -> None:
    got = read(answers=answering(1, "yes", ("papers", BELT)))
    assert got.value is not None and got.value.answers[0].quotes[0].source == "text"
    assert any("stood under papers" in note for note in got.notes)


def test_a_quote_that_stands_nowhere_is_dropped_and_counted() -> None:
    got = read(answers=answering(1, "yes", ("text", "words that are nowhere"), ("text", SHOES)))
    assert got.value is not None and [q.text for q in got.value.answers[0].quotes] == [SHOES]
    assert any("stands nowhere" in note for note in got.notes)


@pytest.mark.parametrize("why", ["没有。", "没有发现这样的地方", "No, nothing of the kind.", "No contradiction found."])
def test_a_verdict_that_its_clause_denies_cannot_be_judged(why: str) -> None:
    assert audit(answers=answering(1, "yes", ("text", BELT), why=why)).answers[0].verdict == "cannot_judge"


@pytest.mark.parametrize("why", ["没有过渡就到了城里", "No source on the page gives her this", "no one told her"])
def test_a_clause_that_only_begins_like_a_denial_stands(why: str) -> None:
    assert audit(answers=answering(1, "yes", ("text", BELT), why=why)).answers[0].verdict == "yes"


def test_what_is_beside_the_questions_needs_two_quotes_and_no_double() -> None:
    pair = [{"from": "text", "quote": BELT}, {"from": "papers", "quote": PAPER}]
    other = [{"from": "text", "quote": SHOES}, {"from": "papers", "quote": PAPER}]
    beside = [{"quotes": pair[:1], "why": "one"}, {"quotes": pair, "why": "told"}, {"quotes": other, "why": "new"}]
    answers = answering(3, "yes", ("text", BELT), ("papers", PAPER))
    made = audit(answers=answers, beside=beside)
    assert [f.note for f in made.beside] == ["new"]
    assert {f.severity for f in made.beside} == {"warning"}


@pytest.mark.parametrize(
    ("score", "total"),
    [
        ({"change": 17, "people": 16, "cause": 15, "prose": 14, "end": 18}, 80),
        ({"change": "17", "people": "十六", "cause": 15, "prose": "14/20", "end": 18}, 80),
        ({"change": 85, "people": 80, "cause": 75, "prose": 70, "end": 90}, 80),  # of 100, all over 20
        (80, 80),
        ("80", 80),
        ([17, 16, 15, 14, 18], 80),
        ({"change": 85, "people": 8, "cause": 75, "prose": 70, "end": 90}, None),
        ({"change": -1, "people": 16, "cause": 15, "prose": 14, "end": 18}, None),
        ({"change": 17, "people": 16, "cause": 15, "prose": 14}, None),
        ({"change": "good", "people": 16, "cause": 15, "prose": 14, "end": 18}, None),
        (None, None),
        (120, None),
        (True, None),
    ],
)
def test_a_score_is_five_figures_or_could_not_be_judged(score: Any, total: float | None) -> None:
    got = audit(score=score, answers=answering(1, "yes", ("text", BELT)))
    assert (got.score.total if got.score else None) == total
    assert got.answers[0].verdict == "yes"  # the findings stand


def test_a_missing_score_leaves_the_answers() -> None:
    raw = audited("en")
    del raw["score"]
    assert audit(raw=text_of(raw)).score is None


def test_ids_may_come_as_figures_and_doubles_are_dropped() -> None:
    answers = audited("en")["answers"]
    answers[0]["id"] = 1
    answers[4]["id"] = "Q5"
    got = read(
        answers=[*answers, {"id": "q1", "quotes": [], "verdict": "yes", "why": ""}, {"id": "q99", "verdict": "no"}]
    )
    assert got.value is not None and got.value.answers[0].verdict == "no"
    assert any("q99" in note for note in got.notes) and any("second answer" in note for note in got.notes)


def test_one_answer_in_place_of_a_list_is_a_list_of_one() -> None:  # case A17
    got = read(beside={"quotes": {"from": "text", "quote": BELT}, "why": "x"})
    assert got.value is not None and got.value.beside == ()
