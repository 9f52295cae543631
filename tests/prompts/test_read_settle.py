"""The settler's reply: the contract in both languages, and every row of its table (design/prompts.md §5.4)."""

from __future__ import annotations

from typing import Any

import pytest

from inkos.kernel.reduce import apply
from inkos.kernel.story import StoryClock
from inkos.prompts.readers import merge
from tests.prompts.reading import PROSE, rules, settled, state, text_of
from tests.prompts.settling import delta, fact, fault, op, read, seen

LANGUAGES = ("zh", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_as_the_contract_has_it_becomes_a_delta_that_the_state_takes(language: Any) -> None:
    made = delta(language)
    assert [e.id for e in made.entities] == ["c0001.n1"]
    assert [f.object for f in made.facts] == ["genesis.l2", "genesis.p3"]
    assert made.beats_done[0].beat == "c1#1"
    assert made.clock is not None and made.clock.clock.minute == 20 * 60 + 15
    prose = PROSE[language]
    items: list[Any] = [*made.entities, *made.events, *made.facts, *made.observations, *made.hook_ops]
    for item in items:
        assert prose[item.evidence.start : item.evidence.end] == item.evidence.quote != ""
    reduced = apply(state(language), made, prose, rules())
    assert reduced.state is not None, reduced.findings


def test_one_quote_may_prove_many_items() -> None:
    made = delta(facts=[fact("p1", "location", "l2"), fact("p1", "role", "messenger")])
    assert len(made.facts) == 2


def test_what_is_only_said_is_not_a_fact() -> None:
    got = read(facts=[fact("p1", "debt", 200, "Nell owes two hundred")])
    assert got.value is not None and got.value.facts == ()
    assert any("misfiled" in note for note in got.notes)


def test_a_fact_that_changes_nothing_is_a_narrated_observation() -> None:
    made = delta(facts=[fact("p1", "debt", 120)])
    assert made.facts == ()
    assert (made.observations[-1].mode, made.observations[-1].object) == ("narrated", 120)


def test_a_fact_without_its_licence_is_kept() -> None:
    made = delta(events=[])
    assert [f.predicate for f in made.facts] == ["location", "holder"]


@pytest.mark.parametrize(
    ("told", "words"),
    [("to pay by spring", "slid the slip into her sleeve"), ("swore to pay it by spring", "Nell walked to the Office")],
)
def test_an_event_and_the_fact_that_it_makes_are_one(told: str, words: str) -> None:
    oath = {"type": "oath", "subject": "p1", "object": told, "quote": words}
    same = fact("p1", "oath", "she will pay by spring", "slid the slip into her sleeve")
    made = delta(events=[oath], facts=[same])
    assert made.facts == () and [event.object for event in made.events] == ["she will pay by spring"]
    reduced = apply(state("en"), made, PROSE["en"], rules())
    assert reduced.state is not None
    assert [f.object for f in reduced.state.facts.values() if f.predicate == "oath"] == ["she will pay by spring"]


def test_another_oath_of_the_same_person_stays_a_fact() -> None:
    oath = {"type": "oath", "subject": "p1", "object": "to pay by spring", "quote": "slid the slip into her sleeve"}
    made = delta(events=[oath], facts=[fact("p1", "oath", "never to sell the boat")])
    assert [f.object for f in made.facts] == ["never to sell the boat"]


def test_knows_as_a_fact_is_merged_with_its_learn() -> None:
    learn = {"type": "learn", "subject": "p1", "object": "s1", "quote": "her father saying"}
    made = delta(events=[learn], facts=[fact("p1", "knows", "s1", "her father saying")])
    assert made.facts == () and len(made.events) == 1


def test_knows_without_a_learn_gets_one_with_the_same_quote() -> None:
    made = delta(events=[], facts=[fact("p1", "knows", "s1", "her father saying")])
    assert made.facts == ()
    assert [(e.type, e.subject, e.object) for e in made.events] == [("learn", "genesis.p1", "genesis.s1")]
    assert made.events[0].evidence.quote == "her father saying"


def test_the_resolving_of_a_promise_that_the_plan_only_advances_is_an_upsert() -> None:
    assert delta(hook_ops=[op("resolve", "h1")]).hook_ops[0].op == "upsert"
    assert delta(do="resolve", hook_ops=[op("resolve", "h1")]).hook_ops[0].op == "resolve"


def test_closes_ends_a_many_valued_fact() -> None:
    ended = delta(facts=[fact("p1", "injury", None, closes="f3")]).facts[0]
    assert (ended.object, ended.closes) == (None, "genesis.f3")
    again = delta(facts=[fact("p1", "injury", "left arm: broken", closes="f3")]).facts[0]
    assert (again.object, again.closes) == (None, "genesis.f3")


def test_closes_of_a_one_valued_fact_is_ignored() -> None:
    moved = delta(facts=[fact("p1", "location", "l2", closes="f1")]).facts[0]
    assert (moved.object, moved.closes) == ("genesis.l2", None)


def test_a_new_person_under_a_known_alias_is_the_known_one() -> None:
    got = read(
        entities=[
            {
                "h": "n1",
                "kind": "person",
                "name": "Pym",
                "aliases": ["the ink-stained man"],
                "maybe": None,
                "quote": "Pym turned a page",
            }
        ],
        events=[{"type": "travel", "subject": "n1", "object": "l2", "quote": "Pym nodded"}],
    )
    assert got.value is not None
    assert [(e.id, e.aliases) for e in got.value.entities] == [("genesis.p3", ("the ink-stained man",))]
    assert got.value.events[0].subject == "genesis.p3"
    assert any("merged" in note for note in got.notes)


def test_a_new_person_who_is_a_disguise_is_the_known_one() -> None:
    made = delta(
        entities=[
            {
                "h": "n1",
                "kind": "person",
                "name": "the pedlar",
                "aliases": [],
                "maybe": None,
                "quote": "Tib came in by the back",
            }
        ],
        events=[{"type": "disguise", "subject": "p2", "object": "the pedlar", "quote": "Tib came in by the back"}],
    )
    assert [(e.id, e.aliases) for e in made.entities] == [("genesis.p2", ("the pedlar",))]


def test_more_names_of_a_known_person_come_under_the_old_handle() -> None:
    made = delta(
        entities=[
            {
                "h": "p3",
                "kind": "person",
                "name": "",
                "aliases": ["the clerk"],
                "maybe": None,
                "quote": "Pym turned a page",
            }
        ]
    )
    assert [(e.id, e.name, e.aliases) for e in made.entities] == [("genesis.p3", "Josiah Pym", ("the clerk",))]


def test_maybe_points_to_a_known_person_or_to_nobody() -> None:
    base = {"h": "n1", "kind": "person", "name": "Tib", "aliases": [], "quote": "Tib came in by the back"}
    assert delta(entities=[base | {"maybe": "p2"}]).entities[0].maybe == "genesis.p2"
    assert delta(entities=[base | {"maybe": "p99"}]).entities[0].maybe is None
    assert delta(entities=[base | {"maybe": "none"}]).entities[0].maybe is None


def test_a_predicate_that_is_not_in_the_table_is_a_note_that_keeps_it() -> None:
    got = read(facts=[fact("p1", "favourite hymn", "Abide")])
    assert got.value is not None
    assert (got.value.facts[0].predicate, got.value.facts[0].object) == ("note", "favourite hymn: Abide")
    assert any("not in the table" in note for note in got.notes)


def test_other_words_for_a_predicate_are_that_predicate() -> None:
    assert delta(facts=[fact("p1", "whereabouts", "l2")]).facts[0].predicate == "location"


def test_a_new_promise_in_the_words_of_an_open_one_is_that_one() -> None:
    made = delta(hook_ops=[op("upsert", "n1", "Where did the oil slip really go?")])
    assert [o.hook for o in made.hook_ops] == ["genesis.h1"]


def test_a_new_promise_gets_an_id_of_the_chapter_apart_from_entities() -> None:
    made = delta(
        hook_ops=[op("upsert", "n1", "who is Tib working for"), op("upsert", "n2", "will the owner come himself")]
    )
    ids = [o.hook for o in made.hook_ops]
    assert len(set(ids)) == 2 and all(i.startswith("c0001.n") for i in ids)
    assert not set(ids) & {e.id for e in made.entities}


@pytest.mark.parametrize("clock", [None, {"day": 4, "time": "09:00", "label": "x", "quote": ""}])
def test_without_words_for_the_hour_the_last_day_stays(clock: Any) -> None:
    assert delta(clock=clock).clock is None


@pytest.mark.parametrize(
    ("time", "minute"), [("20:15", 1215), ("7：05", 425), ("24:00", 0), (None, None), ("dusk", None), ("null", None)]
)
def test_the_hour_is_minutes_after_midnight_or_unknown(time: Any, minute: int | None) -> None:
    made = delta(clock={"day": 4, "time": time, "label": "", "quote": "was clear tonight"})
    assert made.clock is not None and made.clock.clock == StoryClock(day=4, minute=minute, label="")


def test_a_long_summary_is_cut_at_its_last_full_stop() -> None:
    sentence = "Nell gets the slip and loses the lamp to the clerk. "
    cut = delta(summary=sentence * 12).summary
    assert len(cut.split()) <= 80 and cut.endswith("clerk.")
    zh = delta("zh", summary="叶三更拿到油票，失了铜灯。" * 20).summary
    assert len(zh) <= 120 and zh.endswith("。")


@pytest.mark.parametrize("mode", ["rumour", "flashback", "dream", "plan"])
def test_some_modes_need_no_source(mode: str) -> None:
    assert delta(observations=[seen(mode, source=None)], facts=[]).observations[0].source is None


@pytest.mark.parametrize("mode", ["dialogue", "letter"])
def test_speech_and_letters_need_one(mode: str) -> None:
    code, where, keys = fault(observations=[seen(mode, source=None)])
    assert (code, where, keys) == ("source", ("observations[0]",), ("observations",))
    assert delta(observations=[seen(mode, source="unknown")], facts=[]).observations[0].source == "unknown"


def test_many_facts_are_taken_with_a_warning() -> None:
    got = read(facts=[fact("p1", "note", f"thing {n}") for n in range(17)])
    assert got.value is not None and any("17 facts" in note for note in got.notes)


def test_a_quote_in_other_setting_is_found() -> None:
    made = delta("zh", facts=[fact("p1", "location", "l2", "叶三更走到船行,脱了湿鞋")])
    assert made.facts[0].evidence.quote == "叶三更走到船行，脱了湿鞋"
    over = delta(facts=[fact("p1", "location", "l2", "an inch. Nell walked to the Office")])
    assert over.facts[0].evidence.start >= 0  # a paragraph break is white space


def test_a_quote_that_stands_twice_is_taken_at_its_first_place_with_their_number() -> None:
    got = read("zh", facts=[fact("p1", "role", "人", "点了点头")])
    assert got.value is not None and got.value.facts[0].evidence.places == 2
    assert any("stands 2 times" in note for note in got.notes)


@pytest.mark.parametrize(
    "quote", ["Nell ran to the Office", "Nell walked … wet shoes", "Nell walked to the Office / took off"]
)
def test_a_quote_that_is_not_there_is_asked_for_again_by_its_key(quote: str) -> None:
    code, where, keys = fault(facts=[fact("p1", "location", "l2"), fact("p1", "location", "l2", quote)])
    assert (code, where, keys) == ("reply-quote", ("facts[1]",), ("facts",))


def test_all_places_of_one_fault_are_named_and_their_keys_asked_for() -> None:
    code, where, keys = fault(
        facts=[fact("p1", "location", "l2", "nowhere")], observations=[seen("dialogue", "not here")]
    )
    assert code == "reply-quote"
    assert set(where) == {"facts[0]", "observations[0]"}
    assert set(keys) == {"facts", "observations"}


def test_five_places_are_named_at_most() -> None:
    _, where, _ = fault(facts=[fact("p1", "note", n, "nowhere") for n in range(9)])
    assert len(where) == 5


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"facts": [fact("p77", "location", "l2")]}, ("reply-handle", ("facts[0].subject",))),
        ({"facts": [fact("Master", "location", "l2")]}, ("reply-handle", ("facts[0].subject",))),  # two bear it
        ({"facts": [fact("p1", "location", "the moon")]}, ("reply-handle", ("facts[0]",))),
        ({"facts": [fact("p1", "injury", None, closes="f99")]}, ("reply-handle", ("facts[0].closes",))),
        ({"hook_ops": [op("mention", "h9")]}, ("reply-handle", ("hook_ops[0].hook",))),
        ({"hook_ops": [op("upsert", "n2")]}, ("reply-key", ("hook_ops[0].core",))),
        ({"hook_ops": [op("", "h1")]}, ("reply-value", ("hook_ops[0].op",))),  # case A18
        (
            {"events": [{"type": "sneeze", "subject": "p1", "object": None, "quote": "Pym nodded"}]},
            ("predicate", ("events[0]",)),
        ),
        ({"facts": [fact("p1", "debt", "about forty or so")]}, ("number", ("facts[0]",))),
        ({"facts": [fact("i1", "oil", "40 crowns")]}, ("number", ("facts[0]",))),  # not the predicate's unit
        ({"facts": [fact("p1", "status", "sleepy")]}, ("reply-value", ("facts[0]",))),
        ({"beats_done": [{"beat": "o2", "quote": ""}]}, ("beat", ("beats_done[0]",))),
        ({"observations": [seen("gossiping")]}, ("reply-value", ("observations[0].mode",))),
        (
            {"entities": [{"h": "n1", "kind": "person", "name": "", "quote": "Pym nodded"}]},
            ("reply-key", ("entities[0].name",)),
        ),
    ],
)
def test_what_does_not_fit_is_one_named_fault(changes: dict[str, Any], expected: tuple[str, tuple[str, ...]]) -> None:
    assert fault(**changes)[:2] == expected


def test_a_value_fault_names_what_is_allowed() -> None:
    got = read(facts=[fact("p1", "status", "sleepy")])
    assert got.fault is not None and "dead" in got.fault.values["allowed"]


@pytest.mark.parametrize(
    ("value", "figure"), [("1,220", 1220), ("forty", 40), ("四十", 40), ("一千二百", 1200), (12.0, 12), ("４０", 40)]
)
def test_a_figure_as_text_is_a_figure(value: Any, figure: int) -> None:
    assert delta(facts=[fact("p1", "debt", value)]).facts[0].object == figure


def test_a_unit_of_the_predicate_may_stand_with_its_figure() -> None:
    assert delta(facts=[fact("i1", "oil", "39 pounds")]).facts[0].object == 39


def test_names_and_other_words_stand_for_handles_and_values() -> None:
    made = delta(
        facts=[fact("Nell", "location", "the Office"), fact("Pym", "status", "deceased")],
        observations=[seen("speech", source="Pym")],
    )
    assert [(f.subject, f.object) for f in made.facts] == [("genesis.p1", "genesis.l2"), ("genesis.p3", "dead")]
    assert (made.observations[0].mode, made.observations[0].source) == ("dialogue", "genesis.p3")


def test_new_handles_may_be_used_at_once() -> None:
    made = delta(facts=[fact("n1", "location", "l2", "Tib came in by the back")])
    assert made.facts[0].subject == "c0001.n1"


def test_echoes_of_the_contract_are_dropped() -> None:
    made = delta(
        facts=[fact("", "", "", "")],
        events=[{"type": "", "subject": "", "object": None, "quote": ""}],
        observations=[],
        hook_ops=[op("", "h1", "", "")],
        entities=[],
        beats_done=[{"beat": "o1", "quote": ""}],
    )
    assert (made.facts, made.events, made.hook_ops, made.beats_done) == ((), (), (), ())


def test_missing_lists_are_empty_and_a_missing_summary_is_asked_for() -> None:
    made = read(raw='{"summary":"x"}').value
    assert made is not None and made.facts == ()
    got = read(raw='{"facts":[]}')
    assert got.fault is not None and (got.fault.code, got.fault.keys) == ("reply-key", ("summary",))


def test_the_decoy_beat_comes_out_as_the_next_entrys() -> None:
    quote = "Half of the account was clear tonight"
    made = delta(beats_done=[{"beat": "o4", "quote": quote}, {"beat": "o9", "quote": quote}])
    assert [b.beat for b in made.beats_done] == ["c2#1"]


def test_keys_and_values_in_the_books_language_are_read() -> None:
    raw = (
        text_of(settled("zh")).replace('"quote"', '"引文"').replace('"dialogue"', '"对话"').replace('"facts"', '"事实"')
    )
    made = read("zh", raw=raw).value
    assert made is not None and len(made.facts) == 2 and made.observations[0].mode == "dialogue"


def test_a_reasked_part_makes_the_reply_whole() -> None:
    first = text_of(settled("en", facts=[fact("p1", "location", "l2", "nowhere")]))
    got = read(raw=first)
    assert got.fault is not None
    second = text_of({"facts": [fact("p1", "location", "l2")]})
    assert read(raw=merge(first, second, got.fault.keys)).value == delta(facts=[fact("p1", "location", "l2")])


def test_a_new_promise_in_words_instead_of_a_handle_keeps_its_words() -> None:
    (made,) = delta(hook_ops=[op("upsert", "who pays for the boat")]).hook_ops
    assert made.core == "who pays for the boat" and made.hook.startswith("c0001.n")


def test_a_quote_that_is_nowhere_costs_its_entry_and_not_the_settlement() -> None:
    got = read(facts=[fact("p1", "location", "l2"), fact("p1", "note", "x", "nowhere")])
    assert got.fault is not None and (got.fault.code, got.fault.where) == ("reply-quote", ("facts[1]",))
    assert got.value is not None and [f.predicate for f in got.value.facts] == ["location"]
    assert any("facts" in note and "nowhere" in note for note in got.notes)


def test_what_speaks_of_a_new_thing_without_words_for_it_goes_with_it() -> None:
    new: dict[str, Any] = {"h": "n1", "kind": "person", "name": "Quill", "aliases": [], "maybe": None}
    new["quote"] = "nowhere"
    got = read(entities=[new], events=[], facts=[fact("n1", "location", "l2"), fact("p1", "location", "l2")],
               observations=[seen("dialogue", source="n1")])  # fmt: skip
    assert got.fault is not None and got.fault.where == ("entities[0]",)
    assert got.value is not None and not got.value.entities and not got.value.observations
    assert [f.subject for f in got.value.facts] == ["genesis.p1"]
    assert sum("speaks of what was left out" in note for note in got.notes) == 2


def test_a_clock_without_words_keeps_the_last_day() -> None:
    got = read(clock={"day": 9, "time": None, "label": "", "quote": "nowhere"})
    assert got.fault is not None and got.value is not None and got.value.clock is None


def test_a_settlement_of_which_most_stands_nowhere_is_unreadable() -> None:
    empty: dict[str, Any] = {"entities": [], "events": [], "observations": [], "hook_ops": [], "beats_done": []}
    facts = [fact("p1", "note", n, "nowhere") for n in range(3)]
    got = read(**empty, facts=[*facts, fact("p1", "location", "l2")])
    assert got.fault is not None and got.value is None


def test_a_lost_quote_beside_another_fault_leaves_nothing_to_use() -> None:
    got = read(facts=[fact("p77", "location", "l2"), fact("p1", "note", "x", "nowhere")])
    assert got.fault is not None and got.fault.code == "reply-handle" and got.value is None
