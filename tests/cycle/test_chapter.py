"""One chapter through its machine: clean, refused, revised, rolled back, unreadable; and the laws of the machine."""

from __future__ import annotations

import json
from functools import partial
from itertools import pairwise

import pytest

from inkos.cycle import moves
from inkos.cycle.acceptance import accept
from inkos.cycle.chapter import ChapterState, Decided, unstuck
from inkos.cycle.wants import CommitWant, Failed, Replied
from inkos.kernel.findings import Waiver
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.segment import sentences
from tests.cycle.script import Script, audit, desk, planned, play, prose, settlement

LANGUAGES: tuple[Language, ...] = ("en", "zh")
GOODS = ["salt", "rope", "tallow", "eels", "barley", "nails", "tar", "wool", "candles", "pitch", "onions", "oil"]
FREIGHT = [f"Somebody's {one} crossed before noon, then {two}." for one, two in pairwise([*GOODS, *GOODS[::3]])]


def contradiction(language: Language) -> str:
    """A settlement that says a person who is elsewhere (p6) uses what somebody else holds (i2, the key of p4)."""
    quote = prose(language).strip().split("\n")[0]
    return settlement({"observations": [
        {"mode": "narrated", "source": None, "subject": "p6", "predicate": "uses", "object": "i2", "when": None,
         "quote": quote}
    ]})  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clean_chapter_is_accepted_in_three_calls_after_its_plan(language: Language) -> None:
    the_desk, script = desk(language), Script(language)
    end = play(planned(language, the_desk), the_desk, script)
    assert (end.stage, end.status, end.exit) == ("accepted", "accepted", "passed")
    assert script.asked == ["draft.1", "settle.1", "audit.1"]


def test_settle_and_audit_are_wanted_side_by_side() -> None:
    the_desk, script = desk("en"), Script("en")
    state = planned("en", the_desk)
    state, wants = moves.advance(state, [script(moves.wants(state, the_desk)[0])], the_desk)  # type: ignore[arg-type]
    assert [want.id for want in wants] == ["settle.1", "audit.1"]


def test_all_calls_of_a_chapter_begin_with_the_same_messages() -> None:
    the_desk, prefixes = desk("zh"), set()
    script = Script("zh")

    def answer(want):  # type: ignore[no-untyped-def]
        system, user = want.request.messages[:2]
        prefixes.add((system.text, user.text[: user.cache_points[0]]))
        return script(want)

    play(planned("zh", the_desk), the_desk, answer)
    assert len(prefixes) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contradiction_is_looked_at_again_before_the_prose_is_touched(language: Language) -> None:
    the_desk = desk(language)
    script = Script(language, settle=contradiction(language))
    end = play(planned(language, the_desk), the_desk, script)
    assert "again.1-1" in script.asked
    assert script.asked.index("again.1-1") < script.asked.index("revise.1-1")
    assert end.stage == "review" and end.status == "needs-review"


def test_a_revision_that_settles_the_contradiction_is_accepted() -> None:
    the_desk = desk("en")
    first = prose("en").split("\n")[0]
    patch = {"patches": [{"finding": "F1", "also": [], "old": first, "new": "Ada Crane laid a dipper there."}],
             "not_by_patch": []}  # fmt: skip
    script = Script("en", settle=[contradiction("en"), settlement({})], revise=json.dumps(patch))
    end = play(planned("en", the_desk), the_desk, script)
    assert (end.stage, end.best) == ("accepted", 2)
    assert "laid a dipper there" in end.version(2).text


def test_a_revision_that_worsens_what_code_measures_is_rolled_back() -> None:
    """Score 82 asks for a revision; the patch brings a word of the author's ban list."""
    the_desk = desk("en")
    ban = the_desk.book.config.style.bans[1]
    first = prose("en").split("\n")[0]
    patch = {"patches": [{"finding": "F1", "also": [], "old": first, "new": f"Ada Crane laid it down; {ban} in her."}],
             "not_by_patch": []}  # fmt: skip
    low = partial(audit, score=16.4, q3="yes", q4="yes", q5="yes", q6="yes")
    script = Script("en", audit=low, revise=json.dumps(patch))
    end = play(planned("en", the_desk), the_desk, script)
    assert end.best == 1
    assert (end.stage, end.status) == ("accepted", "flagged")
    assert end.exit == "no-net-improvement"
    assert [v.admitted for v in end.versions] == [True, False]


def test_a_low_score_that_a_revision_does_not_lift_is_flagged_not_stopped() -> None:
    the_desk = desk("zh")
    script = Script("zh", audit=partial(audit, score=15.0))
    end = play(planned("zh", the_desk), the_desk, script)
    assert (end.stage, end.status) == ("accepted", "flagged")


def test_an_unreadable_audit_is_asked_again_once_and_never_passes() -> None:
    the_desk = desk("en")
    script = Script("en", audit="I would rather not say.")
    end = play(planned("en", the_desk), the_desk, script)
    assert script.asked.count("audit.1") == 1 and script.asked.count("audit.1.ask") == 1
    assert end.status == "needs-review"
    assert not any(task.startswith("revise") for task in script.asked)


def test_a_filtered_audit_keeps_the_draft_and_waits_for_a_person() -> None:
    the_desk = desk("en")
    script = Script("en", audit=Failed(want="", fault="filtered", detail="policy"))
    end = play(planned("en", the_desk), the_desk, script)
    assert end.status == "needs-review"
    assert end.version(end.best).text == prose("en").strip()


def test_a_truncated_settlement_is_asked_with_twice_the_room_not_repeated() -> None:
    the_desk, caps = desk("en"), {}
    script = Script("en", settle=[('{"entities": [', False), settlement({})])

    def answer(want):  # type: ignore[no-untyped-def]
        caps[want.id] = want.request.cap
        return script(want)

    end = play(planned("en", the_desk), the_desk, answer)
    assert end.status == "accepted"
    assert caps["settle.1.wide"] == 2 * caps["settle.1"]


def test_a_refused_draft_leaves_the_chapter_stuck_and_a_person_can_send_it_on() -> None:
    the_desk = desk("en")
    script = Script("en", draft=[Failed(want="", fault="refused"), prose("en")])
    end = play(planned("en", the_desk), the_desk, script)
    assert end.stuck == "refused" and not end.versions
    again = play(unstuck(end), the_desk, script)
    assert again.status == "accepted"
    assert script.asked[:2] == ["draft.1", "draft.1t1"]


def test_a_draft_that_is_declined_in_words_is_not_asked_for_again_unchanged() -> None:
    script = Script("en", draft="I'm sorry, but I can't help with that request.")
    end = play(planned("en", desk("en")), desk("en"), script)
    assert end.stuck == "refused" and not end.versions
    assert len(script.asked) == 1


def test_a_settlement_with_one_lost_quote_is_used_without_that_entry_after_the_re_ask() -> None:
    first = "the dipper across the door"
    seen = {"mode": "narrated", "source": None, "subject": "p1", "predicate": "note", "object": "x", "when": None}
    lost = settlement({"observations": [seen | {"quote": first}, seen | {"quote": "words that stand nowhere"}]})
    script = Script("en", settle=lost)
    end = play(planned("en", desk("en")), desk("en"), script)
    assert "settle.1.ask" in script.asked and end.settled is not None
    assert [item.evidence.quote for item in end.settled.observations] == [first]


def test_a_draft_that_breaks_off_is_continued_once() -> None:
    the_desk = desk("en")
    text = prose("en").strip()
    at = text.index(" ", len(text) // 3)
    half = text[:at]
    script = Script("en", draft=[(half, False), text[at:]])
    end = play(planned("en", the_desk), the_desk, script)
    assert end.version(1).text == text
    assert script.asked[:2] == ["draft.1", "more.1"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_overlong_draft_is_shortened_once_before_it_is_paid_to_be_judged(language: Language) -> None:
    the_desk = desk(language)
    text = prose(language).strip()
    extra = {"en": "The river went by outside and kept its own count of the boats that had crossed that morning. ",
             "zh": "河水在外头走着，数着自己的数。"}[language] * {"en": 6, "zh": 10}[language]  # fmt: skip
    long = f"{text}\n\n{extra.strip()}"
    patch = {"patches": [{"finding": "L1", "also": [], "old": extra.strip(), "new": ""}], "not_by_patch": []}
    script = Script(language, draft=long, length=json.dumps(patch))
    end = play(planned(language, the_desk), the_desk, script)
    assert script.asked[:2] == ["draft.1", "length.1"]
    assert end.version(end.best).origin == "length"
    assert end.version(end.best).text.strip() == text


def test_a_correction_of_length_that_moves_away_is_refused() -> None:
    the_desk = desk("en")
    text = prose("en").strip()
    extra = " ".join(FREIGHT)
    more = " ".join(f"The cart numbered {n} crossed and came back with its barrels." for n in range(1, 40))
    patch = {"patches": [{"finding": "L1", "also": [], "old": "“All of it.”", "new": f"“All of it.” {more}"}],
             "not_by_patch": []}  # fmt: skip
    script = Script("en", draft=f"{text}\n\n{extra}", length=json.dumps(patch))
    end = play(planned("en", the_desk), the_desk, script)
    assert end.version(end.best).origin == "draft"
    assert any("length" in note for note in end.notes)


def test_of_a_correction_that_goes_too_far_as_many_patches_are_made_as_fit() -> None:
    the_desk = desk("en")
    text = prose("en").strip()
    cuts = [*FREIGHT, *(s.text for s in sentences(text, "en")[10:30] if text.count(s.text) == 1)]
    patch = {"patches": [{"finding": "L1", "also": [], "old": cut, "new": ""} for cut in cuts], "not_by_patch": []}
    script = Script("en", draft=f"{text}\n\n{' '.join(FREIGHT)}", length=json.dumps(patch))
    end = play(planned("en", the_desk), the_desk, script)
    best = end.version(end.best)
    assert best.origin == "length"
    assert abs(count(best.text, "en") - end.target) <= 0.05 * end.target


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_draft_that_runs_into_a_loop_ends_where_the_loop_begins(language: Language) -> None:
    the_desk = desk(language)
    text = prose(language).strip()
    loop = "\n\n".join([text.split("\n\n")[-1]] * (40 if language == "en" else 60))
    end = play(planned(language, the_desk), the_desk, Script(language, draft=f"{text}\n\n{loop}"))
    assert text.startswith(end.version(1).text.strip()[:-40]) and len(end.version(1).text) >= 0.9 * len(text)
    assert any("loop taken off" in note for note in end.notes)


@pytest.mark.parametrize("choice", ["allow", "revise", "drop", "text"])
def test_each_way_out_of_review_leads_out_of_it(choice: str) -> None:
    the_desk = desk("en")
    script = Script("en", settle=[contradiction("en"), contradiction("en"), settlement({})])
    waiting = play(planned("en", the_desk), the_desk, script)
    assert waiting.stage == "review"
    assert waiting.version(waiting.best).assessment is not None
    codes = [f.code for f in waiting.version(waiting.best).assessment.blocking]  # type: ignore[union-attr]
    script.answers["settle"] = settlement({})
    first = prose("en").split("\n")[0]
    patch = {"patches": [{"finding": "F1", "also": [], "old": first, "new": "Ada Crane laid a dipper there."}],
             "not_by_patch": []}  # fmt: skip
    script.answers["revise"] = json.dumps(patch)
    decision = Decided(
        choice=choice,
        text=prose("en").strip(),  # type: ignore[arg-type]
        waivers=tuple(Waiver(code=code, reason="he is disguised") for code in codes) if choice == "allow" else (),
    )
    state, _ = moves.advance(waiting, [decision], the_desk)
    end = play(state, the_desk, script)
    assert end.stage == ("dropped" if choice == "drop" else "accepted")


def test_what_is_not_asked_changes_nothing() -> None:
    the_desk = desk("en")
    state = planned("en", the_desk)
    for outcome in (Replied(want="settle.1", text="{}"), Replied(want="draft.9", text="x"), Decided(choice="drop")):
        after, _ = moves.advance(state, [outcome], the_desk)
        assert after == state


def test_the_state_survives_being_written_down_at_every_step() -> None:
    """Whoever holds the state as JSON can go on: the rest of the way is the same."""
    the_desk = desk("en")
    script = Script("en", settle=contradiction("en"))
    state = planned("en", the_desk)
    while wants := moves.wants(state, the_desk):
        if isinstance(wants[0], CommitWant):
            break
        written = ChapterState.model_validate_json(state.model_dump_json())
        assert written == state
        assert moves.wants(written, the_desk) == wants
        state, _ = moves.advance(state, [script(want) for want in wants], the_desk)  # type: ignore[arg-type]


def test_an_acceptance_holds_what_was_judged_and_gives_ids_once() -> None:
    the_desk = desk("en")
    first = prose("en").split("\n")[0]
    settle = settlement({"entities": [{"h": "n1", "kind": "item", "name": "the dipper", "aliases": [], "maybe": None,
                                       "quote": "the dipper across the door"}]})  # fmt: skip
    end = play(planned("en", the_desk), the_desk, Script("en", settle=settle))
    made = accept(end, the_desk, "00001-c0007", "2026-01-01T00:00:00Z")
    assert made.state.last_applied_chapter == 7
    assert made.entry.id == made.index.chapters[-1].id == "c0007"
    assert made.index.minted["chapter"] == 7
    new = made.state.entities["c0007.n1"]
    assert new.name == "the dipper" and new.handle not in {e.handle for e in the_desk.book.state.entities.values()}
    assert first in made.text


def test_the_order_in_which_side_by_side_replies_come_does_not_show() -> None:
    the_desk, script = desk("en"), Script("en", settle=contradiction("en"))
    ends = []
    for turned in (False, True):
        state = planned("en", the_desk)
        while (wants := moves.wants(state, the_desk)) and not isinstance(wants[0], CommitWant):
            outcomes = [script(want) for want in wants]  # type: ignore[arg-type]
            state, _ = moves.advance(state, reversed(outcomes) if turned else outcomes, the_desk)
        ends.append(state.but(done=tuple(sorted(state.done))))
    assert ends[0] == ends[1]
