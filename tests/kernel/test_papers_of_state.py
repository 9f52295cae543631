"""Evidence, ids, waivers, genesis, author's deltas, secrets, views: examples of each."""

from __future__ import annotations

import pytest

from inkos.config import BookConfig
from inkos.errors import UsageFault
from inkos.kernel import views
from inkos.kernel.delta import Delta, FactChange
from inkos.kernel.evidence import locate
from inkos.kernel.findings import Waiver
from inkos.kernel.ids import mint
from inkos.kernel.invariants import check_state
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import AuthorTruth, Entity, Evidence
from tests.kernel.packs import (
    BIBLE,
    EMPTY,
    GENERAL,
    PACKS,
    TEXT,
    chapter,
    codes,
    event,
    fact,
    founded,
    genesis,
    hook,
    run,
    said,
    shown,
)

SECRET = AuthorTruth(
    id="genesis.s1",
    question="Who sent the seal?",
    truth="Wen sent it.",
    known_by=("wen",),
    reader_knows_from=5,
    evidence=Evidence(quote="Wen and Shen", source="bible/cast.md"),
)


def test_a_quote_that_is_not_there_refuses_the_delta_and_leaves_the_old_state() -> None:
    state = founded()
    lie = fact(1, "luo", "role", "smith").model_copy(update={"evidence": Evidence(quote="never written")})
    done = run(state, facts=(lie,))
    assert done.state is None and codes(done) == ["kernel-002"]
    foreign = lie.model_copy(update={"evidence": Evidence(quote="Luo Qing", source="bible/cast.md")})
    assert codes(apply(state, chapter(facts=(foreign,)), TEXT, GENERAL, sources=BIBLE)) == ["kernel-003"]


def test_an_observation_without_words_is_left_out_and_said() -> None:
    lie = shown(1, "luo", "acts").model_copy(update={"evidence": Evidence(quote="never written")})
    done = run(founded(("luo", "status", "dead")), observations=(lie,))
    assert codes(done) == ["kernel-002"] and done.state is not None


def test_quotes_are_located_with_how_often_they_stand() -> None:
    text = "He said “yes”. The cathedral rose.\nThe cat sat. The cat ran."
    delta = Delta(
        chapter="c",
        position=3,
        facts=tuple(
            FactChange(id=f"c.f{n}", subject="x", predicate="note", object="y", evidence=Evidence(quote=quote))
            for n, quote in enumerate(['He said "yes".', "The cat", "the dog", "rose. The"])
        ),
    )
    yes, cat, dog, across = (item.evidence for item in locate(delta, text).facts)
    assert (yes.start, yes.places, yes.chapter) == (0, 1, 3)
    assert (text[cat.start : cat.end], cat.places) == ("The cat", 2)
    assert (dog.start, dog.places) == (-1, 0)
    assert across.start > 0


def test_a_founding_leaves_out_what_the_papers_do_not_say() -> None:
    delta = genesis(("luo", "status", "alive"))
    invented = delta.facts[0].model_copy(
        update={"id": "genesis.f9", "evidence": Evidence(quote="He is king", source="brief")}
    )
    done = apply(EMPTY, delta.model_copy(update={"facts": (*delta.facts, invented)}), "", GENERAL, sources=BIBLE)
    assert codes(done) == ["kernel-003"]
    assert done.state is not None and len(done.state.facts) == 1


def test_a_founding_that_contradicts_itself_keeps_the_first_and_says_so() -> None:
    done = apply(
        EMPTY, genesis(("mira", "location", "harbor"), ("mira", "location", "citadel")), "", GENERAL, sources=BIBLE
    )
    assert codes(done) == ["continuity-003"]
    assert done.state is not None and [f.object for f in done.state.facts.values()] == ["harbor"]


def test_a_founding_holds_though_its_author_rewrites_the_papers() -> None:
    fixed = locate(genesis(("luo", "status", "alive")), "", BIBLE)
    done = apply(EMPTY, fixed, "", GENERAL, sources={"bible/cast.md": "All new."})
    assert codes(done) == [] and done.state == founded(("luo", "status", "alive"))


def test_an_author_adopts_a_fact_with_a_reason_instead_of_a_quote() -> None:
    state = founded(("luo", "status", "alive"))
    delta = Delta(
        kind="author",
        chapter="a0001",
        position=0,
        reason="I decided so",
        facts=(FactChange(id="a0001.f1", subject="luo", predicate="role", object="smith"),),
    )
    done = apply(state, delta, "", GENERAL)
    assert codes(done) == [] and done.state is not None
    assert done.state.last_applied_chapter == 0 and len(done.state.facts) == 2


def test_a_waiver_needs_a_reason_and_one_that_is_not_needed_is_said() -> None:
    state = founded(("luo", "status", "dead"))
    speaks = (shown(1, "luo", "acts", "speaks"),)
    allowed = run(state, observations=speaks, waivers=(Waiver(code="continuity-002", reason="a ghost"),))
    assert allowed.state is not None and allowed.findings[0].note == "a ghost"
    silent = run(state, observations=speaks, waivers=(Waiver(code="continuity-002", reason=" "),))
    assert silent.state is None and "kernel-014" in codes(silent)
    unused = run(
        state, waivers=(Waiver(code="continuity-002", reason="a ghost"), Waiver(code="length-002", reason="x"))
    )
    assert codes(unused) == ["kernel-012"]


def test_a_secret_is_kept_until_its_time_and_acted_on_only_by_those_who_know() -> None:
    state = founded(truths=(SECRET,))
    learns = event(2, "learn", "shen", "genesis.s1")
    assert codes(run(state, events=(learns,))) == ["knowledge-002"]
    tells = shown(2, "shen", "reveals", "genesis.s1")
    assert codes(run(state, observations=(tells,))) == ["knowledge-002", "knowledge-001"]
    due = founded(truths=(SECRET.model_copy(update={"reader_knows_from": 1}),))
    assert codes(run(due, events=(learns,), observations=(shown(3, "shen", "reveals", "genesis.s1"),))) == []
    assert [truth.id for truth in views.secrets_not_due(state, 4)] == ["genesis.s1"]
    assert views.secrets_not_due(state, 5) == []
    after = run(due, events=(learns,)).state
    assert after is not None and views.who_knows(after, "genesis.s1") == ["wen", "shen"]


def test_handles_are_given_once_and_found_again() -> None:
    delta = chapter(
        entities=(Entity(id="c0001.n1", handle="n1", kind="person", name="Ann", evidence=said(1)),),
        events=(event(2, "travel", "mira", "citadel"),),
        facts=(fact(3, "c0001.n1", "role", "smith"),),
        hook_ops=(hook(4, "upsert", "c0001.n2", "Who lit the lamp?", handle="n2"),),
    )
    fixed, minted = mint(locate(delta, TEXT), {"p": 6, "f": 10})
    assert minted == {"p": 7, "f": 12, "h": 1}
    done = apply(founded(), fixed, TEXT, GENERAL)
    assert done.state is not None
    names = views.handles(done.state)
    assert names["p7"] == "c0001.n1" and names["h1"] == "c0001.n2" and {"f11", "f12"} <= names.keys()
    ann = views.entity(done.state, "Ann")
    assert ann is not None and ann == views.entity(done.state, "p7")
    assert [views.fact_line(f, done.state) for f in views.facts_of(done.state, ["c0001.n1"])] == [
        "f11 Ann · role · smith"
    ]
    assert views.last_seen(done.state, "mira") == 1


def test_promises_fall_due_by_their_timing_and_age() -> None:
    state = founded()
    ops = (
        hook(1, "upsert", "c0001.h1", "Soon?", timing="immediate"),
        hook(2, "upsert", "c0001.h2", "At the end?", timing="endgame"),
    )
    state = run(state, hook_ops=ops).state or state
    assert [h.id for h in views.hooks_due(state, 2, 100)] == ["c0001.h1"]
    assert [h.id for h in views.hooks_due(state, 95, 100)] == ["c0001.h1", "c0001.h2"]
    assert views.hooks_overdue(state, 5, 100) == []
    assert [h.id for h in views.hooks_overdue(state, 20, 100)] == ["c0001.h1"]


def test_an_ambiguous_name_stands_for_nobody() -> None:
    state = run(
        founded(),
        entities=(
            Entity(id="c0001.n1", kind="person", name="Ann", evidence=said(1)),
            Entity(id="c0001.n2", kind="item", name="Ann", evidence=said(2)),
        ),
    ).state
    assert state is not None and views.entity(state, "Ann") is None and views.entity(state, "nobody") is None


def test_a_state_edited_by_hand_is_seen_through() -> None:
    state = founded(("luo", "status", "alive"), ("mira", "location", "harbor"))
    twice = state.facts["genesis.f2"].model_copy(update={"id": "x", "object": "citadel"})
    ahead = state.facts["genesis.f1"].model_copy(update={"valid_from_chapter": 7, "subject": "nobody"})
    broken = state.model_copy(update={"facts": {**state.facts, "x": twice, "genesis.f1": ahead}})
    found = {f.code for f in check_state(broken, GENERAL, total_chapters=3)}
    assert found == {"kernel-001", "kernel-015", "kernel-006", "continuity-021"}
    assert check_state(state, GENERAL, total_chapters=0) == ()


@pytest.mark.parametrize(
    ("predicates", "code"),
    [
        ({"luck": {"subject": "person", "rule": "sideways"}}, "rules-value"),
        ({"luck": {"subjekt": "person"}}, "rules-key"),
        ({"luck": {"licensed_by": ["travell"]}}, "rules-name"),
    ],
)
def test_a_wrong_rule_of_the_book_is_named(predicates: dict[str, dict[str, object]], code: str) -> None:
    with pytest.raises(UsageFault) as fault:
        Rules.build(PACKS, BookConfig(id="b", title="T", language="en", predicates=predicates))
    assert fault.value.code == code


def test_a_rule_of_the_book_is_a_line() -> None:
    own = {"lamp_oil": {"subject": "person", "value": "number", "unit": None, "rule": "balance", "means": "oil left"}}
    rules = Rules.build(PACKS, BookConfig(id="b", title="T", language="en", predicates=own))  # type: ignore[arg-type]
    assert "lamp_oil · person · number · one · needs income|spending · oil left" in rules.registry_lines(
        "en", {"person"}
    )
    assert any("lamp_oil" in line for line in rules.registry_lines("en", {"place"}, ("lamp_oil",)))
    state = founded(("mira", "lamp_oil", 3), use=rules)
    assert codes(run(state, rules, facts=(fact(1, "mira", "lamp_oil", 9),))) == ["continuity-008"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_rule_is_said_in_words(language: str) -> None:
    from tests.kernel.packs import ALL

    lines = ALL.explain(language)  # type: ignore[arg-type]
    assert len(lines) == len(ALL.predicates)
    shown_lines = ALL.registry_lines(language, {"place"})  # type: ignore[arg-type]
    assert not any(line.startswith("status ") for line in shown_lines)
    assert any(line.startswith("note ") for line in shown_lines)
