"""Hand edits of the state as an author's delta: what is laid over is what was edited, and it replays."""

from __future__ import annotations

from inkos.kernel.adoption import difference, faults, untold
from inkos.kernel.delta import Adopted, Delta
from inkos.kernel.reduce import apply
from inkos.kernel.replay import refold
from inkos.kernel.story import Entity, Evidence, Fact, StoryState
from tests.kernel.packs import BIBLE, GENERAL, TEXT, chapter, fact, founded, genesis, run

START = (("mira", "location", "harbor"), ("luo", "status", "alive"))


def edited(state: StoryState) -> StoryState:
    """Mira is in the citadel, Luo's life is struck out, and there is a new person with a trade."""
    facts = {key: row for key, row in state.facts.items() if key != "genesis.f2"}
    facts["genesis.f1"] = facts["genesis.f1"].model_copy(update={"object": "citadel"})
    facts["mine"] = Fact(id="mine", subject="ann", predicate="role", object="smith", valid_from_chapter=0,
                         source_chapter=0)  # fmt: skip
    people = {**state.entities, "ann": Entity(id="ann", kind="person", name="Ann")}
    return state.model_copy(update={"facts": facts, "entities": people})


def test_an_edit_becomes_a_delta_that_makes_it_again() -> None:
    state = founded(*START)
    delta, minted = difference(state, edited(state), chapter="genesis.a1", reason="I know better", minted={"f": 2})
    assert minted == {"f": 4, "p": 1}
    done = apply(state, delta, "", GENERAL)
    assert done.state is not None and done.history is not None, done.findings
    said = {(f.subject, f.predicate, f.object): f for f in done.state.facts.values()}
    assert set(said) == {("mira", "location", "citadel"), ("ann", "role", "smith")}
    assert {f.evidence.reason for f in said.values()} == {"I know better"}
    assert [(f.id, f.valid_until_chapter) for f in done.history.closed] == [("genesis.f1", 0), ("genesis.f2", 0)]
    again, _ = difference(done.state, done.state, chapter="genesis.a2", reason="nothing", minted=minted)
    assert again.adopted is not None and again.adopted.empty


def test_it_replays_in_its_place_and_later_chapters_stand_on_it() -> None:
    state = founded(*START)
    delta, _ = difference(state, edited(state), chapter="genesis.a1", reason="I know better", minted={})
    adopted = apply(state, delta, "", GENERAL).state
    assert adopted is not None
    moved = chapter(facts=(fact(2, "mira", "location", "harbor"),))
    assert run(adopted, facts=moved.facts).state is None  # she is in the citadel now, and nothing moves her
    role = chapter(facts=(fact(2, "ann", "status", "alive"),))
    final = run(adopted, facts=role.facts).state
    replayed = refold("b", "en", genesis(*START), [(delta, ""), (role, TEXT)], GENERAL, BIBLE)
    assert replayed.state == final and replayed.stale == []


def test_an_edit_that_cannot_stand_is_refused_with_its_place() -> None:
    state = founded(*START)
    twice = state.facts["genesis.f1"].model_copy(update={"id": "x", "object": "citadel"})
    wrong = state.model_copy(update={"facts": {**state.facts, "x": twice}})
    assert [(f.code, f.path) for f in faults(state, wrong, GENERAL)] == [("continuity-021", "facts.x")]
    delta = Delta(kind="author", chapter="genesis.a1", position=0, reason="r", adopted=Adopted(facts={"x": twice}))
    done = apply(state, delta, "", GENERAL)
    assert done.state is None and [f.code for f in done.findings if f.blocking] == ["continuity-021"]


def test_what_was_wrong_before_does_not_stop_another_edit() -> None:
    state = founded(*START)
    twice = state.facts["genesis.f1"].model_copy(update={"id": "x", "object": "citadel"})
    waived = state.model_copy(update={"facts": {**state.facts, "x": twice}})
    people = {**waived.entities, "ann": Entity(id="ann", kind="person", name="Ann", evidence=Evidence(reason="r"))}
    assert faults(waived, waived.model_copy(update={"entities": people}), GENERAL) == ()


def test_what_only_chapters_make_is_no_authors_edit() -> None:
    state = founded(*START)
    assert untold(state, state.model_copy(update={"language": "zh"})) == ["manifest.language"]
    assert untold(state, edited(state)) == []


def test_a_chapter_adopts_nothing() -> None:
    assert run(founded(), adopted=Adopted()).state is None
