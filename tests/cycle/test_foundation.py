"""A book is founded: from a brief over two answers to files and first state, resumable, never half."""

from __future__ import annotations

import re
from typing import Any

import pytest

from inkos.cycle.foundation import FoundationState, absorb, advance, start, wants
from inkos.cycle.wants import Failed, ModelWant, Replied
from inkos.kernel.book import Book, Index
from inkos.kernel.outline import parse_outline
from inkos.kernel.papers import Outline
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from inkos.prompts.bible import public_lines
from inkos.prompts.request import Request
from tests.cycle.founding_replies import BRIEF, config, desk, found, outline, reply

LANGUAGES = ("zh", "en")


def begun(language: Any, **more: Any) -> FoundationState:
    return start(BRIEF[language], config(language), **more)


def answered(state: FoundationState, language: Any, *texts: str, complete: bool = True) -> FoundationState:
    for text in texts:
        (wanted,) = wants(state, desk(language))
        state = absorb(state, Replied(want=wanted.id, text=text, complete=complete), desk(language))
    return state


def done(language: Any, **changes: Any) -> FoundationState:
    return answered(begun(language), language, reply(found(language)), reply(outline(language) | changes))


def request(state: FoundationState, language: Any) -> Request:
    (wanted,) = wants(state, desk(language))
    assert isinstance(wanted, ModelWant)
    return wanted.request


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_answers_make_a_book(language: Any) -> None:
    state = done(language)
    assert state.stage == "done" and state.founded is not None
    assert wants(state, desk(language)) == ()
    files = state.founded.files
    assert {"brief.md", "intent.md", "focus.md", "outline.md"} < set(files)
    assert {p for p in files if p.startswith("bible/")} == {
        "bible/engine.md",
        "bible/cast.md",
        "bible/rules.md",
        "bible/world.md",
        "bible/truths.md",
        "bible/voices.md",
    }
    assert files["brief.md"] == BRIEF[language]
    parsed = parse_outline(files["outline.md"])
    assert [len(e.beats) for e in parsed.entries] == [4] * 10
    assert parsed.entries[0].key == "c1" and len(parsed.volumes) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_state_is_one_that_the_rules_take(language: Any) -> None:
    founded = done(language).founded
    assert founded is not None
    own = config(language).model_copy(update={"predicates": founded.predicates})
    rules = Rules.build(desk(language).packs, own)
    bible = {path: text for path, text in founded.files.items() if path.startswith("bible/")}
    empty = StoryState(book_id=own.id, language=language)
    reduced = apply(empty, founded.genesis, "", rules, sources=bible)
    assert reduced.state is not None
    assert [f for f in reduced.findings if f.severity != "info"] == []
    assert reduced.state.entities["genesis.p1"].handle == "p1"
    assert reduced.state.truths["genesis.s1"].known_by == ("genesis.p2",)
    assert reduced.state.hooks["genesis.h2"].depends_on == ("genesis.h1",)
    assert {b.holder for b in reduced.state.beliefs} == {"genesis.p1", "genesis.p3"}
    assert (reduced.state.clock.day, reduced.state.clock.minute) == (1, 19 * 60 + 30)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_of_the_reply_stands_in_a_page(language: Any) -> None:
    founded = done(language).founded
    assert founded is not None
    text = "\n".join(founded.files.values())
    people = found(language)
    for person in people["cast"]:
        for key in ("function", "want", "limit", "tie", "offstage", "name"):
            assert person[key] in text
    for thing in (*people["places"], *people["items"], *people["groups"]):
        assert thing["name"] in text and thing["note"] in text
    assert all(value in text for rung in people["ladder"] for value in rung.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_truths_and_beliefs_stand_only_where_the_author_reads(language: Any) -> None:
    founded = done(language).founded
    assert founded is not None
    secret = found(language)["secrets"][0]
    for path, text in founded.files.items():
        if path not in ("bible/truths.md", "brief.md"):
            assert secret["truth"] not in text
            assert found(language)["cast"][0]["believes"] not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_layer_of_a_prompt_shows_what_only_the_author_reads(language: Any) -> None:
    founded = done(language).founded
    assert founded is not None
    book = Book(
        revision=1,
        config=config(language),
        index=Index(book_id="b"),
        state=StoryState(book_id="b", language=language),
        outline=Outline(),
        bible=tuple((path, text) for path, text in founded.files.items() if path.startswith("bible/")),
    )
    shown = "\n".join(public_lines(book))
    assert found(language)["cast"][0]["want"] in shown
    secret, people = found(language)["secrets"][0], found(language)["cast"]
    private = [secret["truth"], *secret["clues"], people[0]["believes"], people[0]["lines"][0]]
    assert not [words for words in private if words in shown]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_call_reads_what_the_first_made(language: Any) -> None:
    state = answered(begun(language), language, reply(found(language)))
    asked = request(state, language)
    assert asked.task == "outline" and asked.papers.found is not None
    prompt = asked.messages[1].text
    assert found(language)["secrets"][0]["truth"] in prompt and "p1" in prompt and "location" in prompt


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stop_anywhere_is_no_loss(language: Any) -> None:
    state = begun(language)
    for text in (reply(found(language)), "no json", reply(outline(language))):
        state = answered(FoundationState.model_validate_json(state.model_dump_json()), language, text)
    again = FoundationState.model_validate_json(state.model_dump_json())
    assert again == state and state.stage == "done"


def test_an_outcome_that_is_not_asked_for_changes_nothing() -> None:
    state = begun("zh")
    assert absorb(state, Replied(want="outline.1", text=reply(outline("zh"))), desk("zh")) == state
    ended = done("zh")
    assert absorb(ended, Replied(want="outline.1", text="x"), desk("zh")) == ended


def test_advance_folds_outcomes_and_says_what_is_wanted() -> None:
    state, wanted = advance(begun("en"), [], desk("en"))
    assert [w.id for w in wanted] == ["found.1"]
    state, wanted = advance(state, [Replied(want="found.1", text=reply(found("en")))], desk("en"))
    assert [w.id for w in wanted] == ["outline.1"]


# ── what is asked again ───────────────────────────────────────────────────────────────────────────────────────────


def test_an_unreadable_reply_is_asked_again_once_and_then_given_up() -> None:
    state = answered(begun("zh"), "zh", "no json")
    (wanted,) = wants(state, desk("zh"))
    assert wanted.id == "found.1.ask"
    failed = answered(state, "zh", "no json again")
    assert (failed.stage, failed.fault, failed.founded) == ("failed", "unreadable", None)


def test_a_cut_reply_gets_a_larger_cap_not_a_re_ask() -> None:
    state = answered(begun("zh"), "zh", '{"engine":', complete=False)
    (wanted,) = wants(state, desk("zh"))
    assert isinstance(wanted, ModelWant) and wanted.id == "found.1.wide"
    assert wanted.request.cap == 2 * request(begun("zh"), "zh").cap
    assert answered(state, "zh", '{"engine":', complete=False).fault == "truncated"


def test_a_failed_call_leaves_nothing() -> None:
    state = absorb(begun("zh"), Failed(want="found.1", fault="balance", detail="402"), desk("zh"))
    assert (state.stage, state.fault, state.detail, state.founded) == ("failed", "balance", "402", None)


def test_a_missing_part_is_asked_for_alone() -> None:  # case A15
    first = found("en")
    del first["engine"]
    state = answered(begun("en"), "en", reply(first))
    assert state.call.fault is not None and state.call.fault.keys == ("engine",)
    state = answered(state, "en", reply({"engine": found("en")["engine"]}))
    assert state.stage == "outline"


def test_a_truth_let_out_is_asked_about_once_and_then_shown() -> None:
    leaking = found("zh")
    leaking["cast"][1]["tie"] = "阿瑶夜里掐灭了灯芯，好放私船过河"
    state = answered(begun("zh"), "zh", reply(leaking))
    assert state.call.fault is not None
    assert (state.call.fault.code, state.call.fault.where) == ("truth", ("cast[1].tie",))
    assert "cast[1].tie" in request(state, "zh").messages[-1].text
    still = answered(state, "zh", reply({"cast": leaking["cast"]}), reply(outline("zh")))
    assert still.founded is not None and "found-005" in [f.code for f in still.founded.findings]


def test_an_altered_figure_is_asked_about() -> None:
    altered = found("zh")
    altered["engine"]["want"] = "叶三更要还清账"
    altered["cast"][0]["tie"] = "他欠船行二百两"
    state = answered(begun("zh"), "zh", reply(altered))
    assert state.call.fault is not None
    assert (state.call.fault.code, state.call.fault.values["stated"]) == ("figure", "一百二十")


def test_counts_that_are_off_are_asked_about_once_and_then_shown() -> None:
    short = outline("zh") | {"chapters": outline("zh")["chapters"][:7]}
    state = answered(begun("zh"), "zh", reply(found("zh")), reply(short))
    assert state.call.fault is not None and (state.call.fault.code, state.call.fault.keys) == ("count", ("chapters",))
    ended = answered(state, "zh", reply({"chapters": short["chapters"]}))
    assert ended.founded is not None and "found-007" in [f.code for f in ended.founded.findings]


def facts(language: Any, *quotes: str) -> dict[str, Any]:
    one = outline(language)["state"]["facts"][0]
    clock = {"day": 1, "time": None, "label": ""}
    return {
        "state": {
            "facts": [one | {"predicate": "note", "object": f"o{n}", "quote": q} for n, q in enumerate(quotes)],
            "clock": clock,
        }
    }


def test_a_fact_without_words_is_left_out_and_shown() -> None:
    good = "一座灯楼，两条船"
    state = done("zh", **facts("zh", good, good, good, "哪里也没有这句"))
    assert state.founded is not None
    assert [f.object for f in state.founded.genesis.facts] == ["o0", "o1", "o2"]
    assert [f.expected for f in state.founded.findings if f.code == "found-004"] == ["reply-quote"]


def test_more_than_a_third_of_the_facts_without_words_is_asked_about() -> None:
    state = done("zh", **facts("zh", "一座灯楼，两条船", "没有", "也没有"))
    assert state.stage == "outline" and state.call.fault is not None
    assert (state.call.fault.code, state.call.fault.keys) == ("reply-quote", ("state",))


def test_a_fact_that_quotes_a_truth_is_left_out() -> None:
    good = "一座灯楼，两条船"
    state = done("zh", **facts("zh", good, good, good, "亲手掐灭了灯芯"))
    assert state.founded is not None and len(state.founded.genesis.facts) == 3


def test_a_fact_that_quotes_the_brief_finds_its_words_in_a_page() -> None:
    founded = done("en").founded
    assert founded is not None
    (debt,) = [f for f in founded.genesis.facts if f.predicate == "debt"]
    assert debt.object == 120 and debt.evidence.source == "bible/world.md"
    assert "owes the boat company 120 crowns" in founded.files["bible/world.md"]


# ── rules, style, windows ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_wishes_that_the_brief_does_not_have_are_suggestions(language: Any) -> None:
    founded = done(language).founded
    assert founded is not None
    style = found(language)["style"]
    assert founded.style.bans == (style["bans"][0],) and founded.suggestions == (style["bans"][1],)
    assert founded.style.pov == found(language)["cast"][0]["name"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_window_never_opens_before_the_brief_allows_it(language: Any) -> None:
    state = done(language)
    assert state.founded is not None
    (truth,) = state.founded.genesis.truths
    assert (truth.reader_knows_from, truth.out_by) == (20, 30)
    assert any("window opens at 20" in note for note in state.notes)


def test_a_predicate_that_the_rules_cannot_take_is_left_out_and_shown() -> None:
    bad = outline("en")["predicates"][0] | {"name": "mood", "value": "text", "rule": "balance", "unit": "x"}
    founded = done("en", predicates=[bad, outline("en")["predicates"][0]]).founded
    assert founded is not None and "lamp_oil" in founded.predicates


def test_the_authors_title_stays_and_the_founders_serves_otherwise() -> None:
    state = answered(begun("zh", title_fixed=True), "zh", reply(found("zh")), reply(outline("zh")))
    assert state.founded is not None and state.founded.title == "lamp"
    other = done("zh").founded
    assert other is not None and other.title == "渡口灯"


def test_findings_name_what_the_brief_has_and_the_papers_lack() -> None:
    brief = BRIEF["zh"] + "另有一座高七十七丈的塔，主角名叫罗阿七。\n"
    state = start(brief, config("zh"))
    state = answered(state, "zh", reply(found("zh")), reply(outline("zh")))
    assert state.founded is not None
    shown = {(f.code, f.actual) for f in state.founded.findings}
    assert ("found-001", "罗阿七") in shown and ("found-002", "七十七") in shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_founders_own_handles_reach_no_page_and_no_prompt(language: Any) -> None:
    people = found(language)
    name = people["cast"][1]["name"]
    people["engine"]["opposition"] = {"zh": "p2 天天催他画押", "en": "p2 presses the lead daily"}[language]
    people["ladder"][0]["opponent"] = "p2"
    state = answered(begun(language), language, reply(people))
    told = {"zh": f"{name}天天催他画押", "en": f"{name} presses the lead daily"}[language]
    assert told in request(state, language).messages[1].text
    made = outline(language)
    made["promises"][0]["core"] = {"zh": "p2 会不会开口？", "en": "Will p2 speak?"}[language]
    made["chapters"][0]["beats"][0] = {"zh": "p2 挡在门口。", "en": "p2 stands in the door."}[language]
    made["state"]["facts"][0]["quote"] = people["engine"]["opposition"]
    founded = answered(state, language, reply(made)).founded
    assert founded is not None
    handle = re.compile(r"(?<![A-Za-z0-9_])p2(?![A-Za-z0-9_])")
    assert not any(handle.search(text) for text in founded.files.values())
    assert founded.genesis.hook_ops[0].core.replace(" ", "").startswith(("Will", name))
    assert name in founded.genesis.facts[0].evidence.quote


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ban_of_the_brief_is_kept_as_the_thing_itself(language: Any) -> None:
    people = found(language)
    people["style"]["bans"] = [{"zh": "不用“突然”", "en": "Never use the word suddenly."}[language]]
    founded = answered(begun(language), language, reply(people), reply(outline(language))).founded
    assert founded is not None
    assert founded.style.bans[-1:] == ({"zh": "突然", "en": "suddenly"}[language],)


@pytest.mark.parametrize("language", LANGUAGES)
def test_strings_joined_in_one_line_have_one_mark_between_them(language: Any) -> None:
    people = found(language)
    for rule in people["rules"]:
        rule.update({key: f"{value.rstrip('。.')}{'。' if language == 'zh' else '.'}" for key, value in rule.items()})
    made = outline(language)
    made["state"]["facts"][0]["quote"] = people["rules"][0]["can"]
    founded = answered(begun(language), language, reply(people), reply(made)).founded
    assert founded is not None
    assert not re.search(r"[。.][；;]", founded.files["bible/rules.md"])
    assert founded.genesis.facts[0].evidence.quote == people["rules"][0]["can"].rstrip("。.")
