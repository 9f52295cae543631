"""What an audit's answers become: what may block, what warns, what is dropped."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.gates.audit import CODES, findings_of
from inkos.kernel.delta import Delta, EventItem, Observation
from inkos.kernel.findings import Finding, Quote
from inkos.kernel.papers import Answer, Audit, Question
from inkos.kernel.story import Evidence

TEXT = "Brandt shut his left eye and read the bill.\n\n“I never lost an eye,” he said.\n\nThe log lay open. It rained."
EYE, SAID, LOG = "Brandt shut his left eye", "I never lost an eye", "The log lay open."


def text(words: str) -> Quote:
    return Quote(text=words, source="text")


def papers(words: str = "Brandt lost his left eye at Ypres.") -> Quote:
    return Quote(text=words, source="papers")


def asked(
    *quotes: Quote, verdict: str = "yes", contradiction: bool = True, dimension: str = "continuity", **more: object
) -> Audit:
    question = Question.model_validate(
        {
            "id": "q1", "dimension": dimension, "text": "Does a wound contradict a fact?", "trouble_if": "yes",
            "contradiction": contradiction, **more,
        }
    )  # fmt: skip
    return Audit(
        questions=(question,),
        answers=(Answer.model_validate({"id": "q1", "verdict": verdict, "quotes": quotes, "why": "one eye only"}),),
    )


def told(audit: Audit, delta: Delta | None = None) -> list[tuple[str, str]]:
    return [(f.code, f.severity) for f in findings_of(audit, TEXT, delta)]


def test_a_contradiction_with_two_found_quotes_blocks() -> None:
    assert told(asked(text(EYE), papers())) == [("audit-020", "blocking")]
    assert told(asked(text(EYE), text(LOG))) == [("audit-020", "blocking")]


def test_its_quotes_say_where_they_stand_the_new_words_first() -> None:
    (finding,) = findings_of(asked(papers(), text("Brandt  shut his left eye")), TEXT, None)
    assert [q.source for q in finding.quotes] == ["text", "papers"]
    assert TEXT[finding.quotes[0].start : finding.quotes[0].end] == finding.quotes[0].text == EYE
    assert finding.by == "audit" and finding.note == "one eye only"


def test_a_contradiction_with_one_quote_is_no_finding() -> None:
    assert told(asked(text(EYE))) == []
    assert told(asked(text("Brandt wore a patch"), papers())) == []


def test_papers_that_clash_are_told_to_the_author() -> None:
    (finding,) = findings_of(asked(papers(), papers("Brandt has two good eyes.")), TEXT, None)
    assert (finding.code, finding.severity, finding.repairable) == ("audit-022", "warning", False)


def test_what_somebody_says_may_be_wrong_without_blocking() -> None:
    assert told(asked(text(SAID), papers())) == [("audit-020", "warning")]


def test_what_the_settlement_records_as_an_event_or_as_hearsay_does_not_block() -> None:
    evidence = Evidence(quote="shut his left eye and read")
    healed = EventItem(id="e1", type="heal", subject="brandt", evidence=evidence)
    dreamt = Observation(mode="dream", subject="brandt", predicate="note", evidence=evidence)
    seen = dreamt.model_copy(update={"mode": "narrated"})
    for changes, severity in (({"events": (healed,)}, "warning"), ({"observations": (dreamt,)}, "warning"),
                              ({"observations": (seen,)}, "blocking")):  # fmt: skip
        delta = Delta(chapter="c1", position=1).model_copy(update=changes)
        assert told(asked(text(EYE), papers()), delta) == [("audit-020", severity)]


def test_trouble_warns_under_the_code_of_its_dimension_and_needs_a_quote_of_the_text() -> None:
    assert told(asked(text(LOG), contradiction=False, dimension="Motive")) == [("audit-001", "warning")]
    assert told(asked(text(LOG), contradiction=False, dimension="章末")) == [("audit-008", "warning")]
    assert told(asked(text(LOG), contradiction=False, dimension="weather")) == [("audit-010", "warning")]
    assert told(asked(text("nowhere"), contradiction=False)) == []
    assert told(asked(papers(), contradiction=False)) == []


def test_absence_is_trouble_where_the_question_asks_for_something() -> None:
    wanted = {"contradiction": False, "trouble_if": "no", "dimension": "ending"}
    assert told(asked(text("It rained."), verdict="no", **wanted)) == [("audit-008", "warning")]  # type: ignore[arg-type]
    assert told(asked(text("It rained."), verdict="yes", **wanted)) == []  # type: ignore[arg-type]


def test_cannot_judge_controls_and_void_audits_give_nothing() -> None:
    assert told(asked(text(EYE), papers(), verdict="cannot_judge")) == []
    assert told(asked(text(EYE), papers(), control="no")) == []
    assert told(asked(text(EYE), papers()).model_copy(update={"void": True})) == []


def test_what_is_noticed_beside_warns_with_two_quotes_and_is_no_doublet() -> None:
    noticed = Finding(code="audit-021", severity="blocking", by="audit", quotes=(text(LOG), papers()), note="shut")
    lone = noticed.model_copy(update={"quotes": (text(LOG),)})
    double = noticed.model_copy(update={"quotes": (text(EYE), papers())})
    audit = asked(text(EYE), papers()).model_copy(update={"beside": (noticed, lone, double)})
    assert told(audit) == [("audit-020", "blocking"), ("audit-021", "warning")]


QUOTES = st.lists(
    st.sampled_from([text(EYE), text(SAID), text(LOG), text("nowhere"), papers(), papers("x")]), max_size=4
)


@given(QUOTES, st.sampled_from(["yes", "no", "cannot_judge"]), st.booleans(), st.sampled_from(["yes", "no"]))
def test_only_a_contradiction_with_two_quotes_outside_speech_ever_blocks(
    quotes: list[Quote], verdict: str, contradiction: bool, trouble_if: str
) -> None:
    audit = asked(*quotes, verdict=verdict, contradiction=contradiction, trouble_if=trouble_if)
    for finding in findings_of(audit, TEXT, None):
        assert finding.code in CODES and finding.quotes
        if finding.blocking:
            assert contradiction and len(finding.quotes) >= 2
            assert SAID not in [q.text for q in finding.quotes]
