"""Cases of real users about prose, length and judging (docs/cases.md: A22, A23, E, F), played on the machine."""

from __future__ import annotations

import json

import pytest

from inkos.cycle import moves
from inkos.cycle.assess import measured
from inkos.cycle.chapter import start
from inkos.cycle.wants import Failed, ModelWant, Outcome
from inkos.text.count import count
from tests.cycle.script import Script, audit, desk, planned, play, prose
from tests.prompts import fixture

NUMBERED = "她又想起第12章里那封没寄出的信。"
MISCOUNTED = "墙上写着“雨停之前别开灯”，一共八个字。"


def drafted_with(sentence: str) -> str:
    parts = prose("zh").split("\n\n")
    return "\n\n".join([*parts[:3], sentence, *parts[3:]])


def patch(old: str, new: str) -> str:
    return json.dumps({"patches": [{"finding": "F1", "also": [], "old": old, "new": new}], "not_by_patch": []},
                      ensure_ascii=False)  # fmt: skip


def test_a22_a_chapter_number_in_the_story_is_settled_by_one_small_edit_that_names_the_event() -> None:
    the_desk = desk("zh")
    script = Script("zh", draft=drafted_with(NUMBERED), audit=lambda request: audit(request, 16.0),
                    revise=patch(NUMBERED, "她又想起抽屉里那封没寄出的信。"))  # fmt: skip
    end = play(planned("zh", the_desk), the_desk, script)
    first, last = end.version(1), end.version(end.versions[-1].number)
    assert first.assessment is not None and last.assessment is not None
    (finding,) = [f for f in first.assessment.findings if f.code == "prose-008"]
    assert finding.quotes[0].text == "第12章"
    assert "prose-008" not in {f.code for f in last.assessment.findings} and "没寄出的信" in last.text


def test_a22_an_edit_that_fails_leaves_the_finding_to_be_seen() -> None:
    the_desk = desk("zh")
    script = Script("zh", draft=drafted_with(NUMBERED), audit=lambda request: audit(request, 16.0))
    end = play(planned("zh", the_desk), the_desk, script)
    best = end.version(end.best)
    assert end.stage == "accepted" and best.assessment is not None
    assert "prose-008" in {f.code for f in best.assessment.findings}


def test_a23_a_counted_claim_is_counted_and_the_right_number_is_offered() -> None:
    the_desk = desk("zh")
    found = measured(the_desk, planned("zh", the_desk), drafted_with(MISCOUNTED))
    (finding,) = [f for f in found if f.code == "prose-010"]
    assert (finding.expected, finding.actual) == ("8", "7")
    right = MISCOUNTED.replace("八个字", "七个字")
    assert "prose-010" not in {f.code for f in measured(the_desk, planned("zh", the_desk), drafted_with(right))}


def test_e04_the_nearest_length_wins_and_writer_and_checks_use_the_same() -> None:
    the_desk = desk("zh")
    this, following = fixture.entry("zh")
    state = start(the_desk, "c0007", this, following, target=2150)
    assert the_desk.book.config.length.target != 2150
    wanted = moves.wants(state, the_desk)[0]
    assert isinstance(wanted, ModelWant) and "2150" in wanted.request.messages[-1].text.replace(",", "")
    text = "他走到门口，又站了一会儿。" * 310
    assert count(text, "zh") == 3410
    (finding,) = [f for f in measured(the_desk, state, text) if f.code.startswith("length-")]
    assert finding.code == "length-003" and finding.values["target"] == "2150"


def test_e05_the_counting_rule_is_one_and_documented() -> None:
    assert count("他收到 3 条 WeChat 消息。", "zh") == 8


def test_f01_a_judge_that_always_fails_a_chapter_without_saying_why_is_bounded_and_never_passes_it() -> None:
    the_desk = desk("en")
    script = Script("en", audit='{"verdict": "failed"}')
    end = play(planned("en", the_desk), the_desk, script)
    assert (end.stage, end.status) == ("review", "needs-review")
    assert sum(want.startswith("audit.") for want in script.asked) == 2
    assert end.version(end.best).text == prose("en")


def test_f02_nothing_at_all_is_empty_bounded_and_named() -> None:
    the_desk = desk("en")

    def empty(want: ModelWant) -> Outcome:
        return Failed(want=want.id, fault="empty", detail="the reply is empty")

    end = play(planned("en", the_desk), the_desk, empty)
    assert end.stuck == "empty" and not end.versions


@pytest.mark.parametrize("revision", [patch("nothing of this kind", "x"), '{"patches": [], "not_by_patch": []}'])
def test_f06_a_revision_that_changes_nothing_is_said_and_the_older_version_kept(revision: str) -> None:
    the_desk = desk("zh")
    script = Script("zh", draft=drafted_with(NUMBERED), audit=lambda request: audit(request, 16.0), revise=revision)
    end = play(planned("zh", the_desk), the_desk, script)
    assert end.best == 1 and len(end.versions) == 1 and end.exit == "no-net-improvement"
    assert any("no change" in note or "revise" in note for note in end.notes), end.notes


def test_f09_a_title_of_a_banned_form_is_found_by_code_and_the_text_is_not_to_blame() -> None:
    the_desk = desk("zh")
    banned = the_desk.book.config.style.model_copy(update={"title_bans": ("^.{1,6}与.{1,6}$",)})
    config = the_desk.book.config.model_copy(update={"style": banned})
    strict = the_desk._replace(book=the_desk.book.model_copy(update={"config": config}))
    state = planned("zh", strict)
    assert state.plan is not None
    named = state.but(plan=state.plan.model_copy(update={"title": "灯塔与旧潮"}))
    findings = [f for f in measured(strict, named, prose("zh")) if f.code == "prose-003"]
    assert len(findings) == 1 and findings[0].blocking
    assert not [f for f in measured(strict, state, prose("zh")) if f.code == "prose-003"]
