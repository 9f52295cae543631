"""Laws of the reducer: valid or unchanged, incremental = full, replay = fold, idempotent, commuting, never a crash."""

from __future__ import annotations

import string
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkos.kernel.delta import BeatDone, ClockSet, Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.evidence import locate
from inkos.kernel.findings import Waiver
from inkos.kernel.ids import mint
from inkos.kernel.invariants import check_state
from inkos.kernel.reduce import apply
from inkos.kernel.replay import replay, step
from inkos.kernel.story import Entity, Evidence, StoryClock, StoryState
from tests.kernel.packs import ALL, BIBLE, CAST, EMPTY, TEXT, chapter, founded, genesis, said

FOUNDING = (
    ("luo", "status", "alive"),
    ("mira", "location", "harbor"),
    ("seal", "holder", "wen"),
    ("mira", "money", 30),
    ("shen", "rank", "foundation"),
    ("crew", "size", 7),
    ("luo", "trait", "left eye: blind"),
    ("citadel", "north_of", "harbor"),
)
START = founded(*FOUNDING, use=ALL)
ids = st.sampled_from([*CAST, *CAST, *CAST, "nobody"])
predicates = st.sampled_from([*ALL.predicates, "left arm", "made up", "holds"])
events = st.sampled_from([*ALL.events, "made up"])
values: st.SearchStrategy[Any] = st.one_of(
    ids,
    st.integers(-5, 90),
    st.booleans(),
    st.sampled_from(
        ["dead", "alive", "golden core", "foundation", "30 coins", "left eye: blind", "arrows: 3", "a vow", "+2"]
    ),
)
odd_values: st.SearchStrategy[Any] = st.one_of(
    values,
    st.integers(-(10**400), 10**400),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.text(alphabet="\x00\x07\n：:{}%’\ud800" + string.digits, max_size=8),
)
places = st.integers(1, 50).map(said)
# What a chapter may well say: most of it stands, some of it collides with the founding or with the rest of the chapter.
CLAIMS: tuple[tuple[str, str, Any], ...] = (
    ("mira", "location", "citadel"), ("mira", "location", "harbor"), ("luo", "location", "harbor"),
    ("seal", "holder", "shen"), ("seal", "holder", "wen"), ("luo", "status", "dead"), ("luo", "status", "alive"),
    ("wen", "status", "missing"), ("mira", "money", 70), ("mira", "money", 20), ("shen", "rank", "golden core"),
    ("crew", "size", 8), ("luo", "knows", "the tide"), ("luo", "unaware", "the tide"), 
    ("luo", "trait", "right eye: blind"),
    ("luo", "trait", "hair: red"), ("wen", "spouse", "shen"), ("wen", "spouse", "mira"),
    ("harbor", "north_of", "citadel"),
    ("luo", "parent", "wen"), ("wen", "parent", "luo"), ("shen", "arrows", 12),
    ("seal", "item_state", "destroyed"),
    ("luo", "age", 20), ("world", "rule", "no magic after sunset"),
    ("luo", "made up", "something"), ("mira", "note", "x"),
)  # fmt: skip
CAUSES: tuple[tuple[str, str, Any], ...] = (
    ("mira", "travel", "citadel"), ("mira", "travel", "harbor"), ("seal", "transfer", "shen"), ("luo", "death", None),
    ("luo", "revival", None), ("mira", "income", "40 coins"), ("mira", "spending", 20),
    ("shen", "promotion", "golden core"),
    ("shen", "demotion", "qi refining"), ("crew", "join", "+1"), ("luo", "learn", "the tide"),
    ("wen", "marriage", "shen"),
    ("luo", "alias", "Old Luo"), ("luo", "injury", "left arm: broken"), ("luo", "heal", "left arm"),
    ("shen", "spending", "2 arrows"), ("seal", "destruction", None), ("luo", "made up", "x"),
)  # fmt: skip


def _claim(item: type[Any], slot: str, prefix: str, claims: Any, evidence: st.SearchStrategy[Evidence]) -> Any:
    """Items made of whole claims, each under an id of its own."""

    def build(n: int, claim: tuple[str, str, Any], words: Evidence) -> Any:
        subject, said_of, value = claim
        more = {"id": f"{prefix}{n}"} if prefix else {"mode": "narrated"}
        return item(subject=subject, object=value, evidence=words, **{slot: said_of}, **more)

    return st.builds(build, st.integers(10, 60), st.sampled_from(claims), evidence)


def deltas(
    position: int, value: st.SearchStrategy[Any], evidence: st.SearchStrategy[Evidence]
) -> st.SearchStrategy[Delta]:
    name = f"c{position:04}"
    numbers = st.integers(1, 6)
    return st.builds(
        Delta,
        chapter=st.just(name),
        position=st.just(position),
        entities=st.lists(
            st.builds(
                Entity,
                id=numbers.map(lambda n: f"{name}.n{n}"),
                kind=st.sampled_from(["person", "place", "item", "group", "secret", "concept"]),
                name=st.sampled_from(["Ann", "Bo", "Cai", "Luo", "岳山"]),
                aliases=st.lists(st.sampled_from(["the old one", "阿岳"]), max_size=1).map(tuple),
                evidence=evidence,
            ),
            max_size=2,
        ).map(tuple),
        events=st.lists(
            _claim(EventItem, "type", f"{name}.e", CAUSES, evidence)
            | st.builds(
                EventItem,
                id=numbers.map(lambda n: f"{name}.e{n}"),
                type=events,
                subject=ids,
                object=st.none() | value,
                evidence=evidence,
            ),
            max_size=4,
        ).map(tuple),
        facts=st.lists(
            _claim(FactChange, "predicate", f"{name}.f", CLAIMS, evidence)
            | st.builds(
                FactChange,
                id=numbers.map(lambda n: f"{name}.f{n}"),
                subject=ids,
                predicate=predicates,
                object=st.none() | value,
                closes=st.none() | st.sampled_from(["genesis.f1", "genesis.f7"]),
                evidence=evidence,
            ),
            max_size=4,
        ).map(tuple),
        observations=st.lists(
            _claim(Observation, "predicate", "", CLAIMS, evidence)
            | st.builds(
                Observation,
                mode=st.sampled_from(["narrated", "dialogue", "dream"]),
                subject=ids,
                predicate=predicates,
                object=st.none() | value,
                when=st.none() | st.just("midnight"),
                evidence=evidence,
            ),
            max_size=3,
        ).map(tuple),
        hook_ops=st.lists(
            st.builds(
                HookOp,
                op=st.sampled_from(["upsert", "mention", "resolve", "defer", "abandon"]),
                hook=st.sampled_from([f"{name}.h1", f"{name}.h2", "c0001.h1"]),
                core=st.sampled_from(["", "Who lit the lamp?", "Who sent the boat?"]),
                evidence=evidence,
            ),
            max_size=3,
        ).map(tuple),
        clock=st.none() | st.integers(1, 9).map(lambda d: ClockSet(clock=StoryClock(day=d), evidence=said(59))),
        beats_done=st.just((BeatDone(beat="a#1", evidence=said(2)),)),
        summary=st.just("s"),
    )


def blocked(state: StoryState, rules: Any = ALL) -> list[Any]:
    return [finding for finding in check_state(state, rules) if finding.blocking]


@given(deltas(1, values, places))
def test_a_delta_gives_a_valid_state_or_leaves_the_old_one_untouched(delta: Delta) -> None:
    before = START.model_dump()
    done = apply(START, delta, TEXT, ALL)
    assert START.model_dump() == before
    if done.state is None:
        assert done.history is None and any(f.blocking for f in done.findings)
    else:
        assert not any(f.blocking for f in done.findings)
        assert blocked(done.state) == []
        assert done.state == StoryState.model_validate(done.state.model_dump())
    # The same with everything refused left out: what remains is a valid state too.
    rest, suspended = step(START, delta, TEXT, ALL)
    assert rest.state is not None and blocked(rest.state) == []
    assert bool(suspended) == (done.state is None)


@given(
    deltas(
        1, odd_values, places | st.builds(Evidence, quote=st.text(max_size=6), source=st.sampled_from(["text", "x"]))
    )
)
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_nothing_odd_gives_anything_but_a_state_or_a_refusal(delta: Delta) -> None:
    done = apply(START, delta, TEXT, ALL)
    assert (done.state is None) == any(f.blocking for f in done.findings)
    if done.state is not None:
        assert blocked(done.state) == []


@given(deltas(1, values, places))
def test_applying_again_on_the_state_before_gives_the_same(delta: Delta) -> None:
    assert apply(START, delta, TEXT, ALL) == apply(START, delta, TEXT, ALL)


@given(deltas(1, values, places))
def test_a_located_and_minted_delta_says_the_same_and_minting_twice_changes_nothing(delta: Delta) -> None:
    fixed, minted = mint(locate(delta, TEXT), {"p": 9})
    assert mint(fixed, minted) == (fixed, minted)
    one, other = apply(START, delta, TEXT, ALL), apply(START, fixed, TEXT, ALL)
    assert [(f.code, f.path) for f in one.findings] == [(f.code, f.path) for f in other.findings]


@given(st.data())
def test_the_order_in_which_items_are_listed_does_not_matter(data: st.DataObject) -> None:
    delta = data.draw(deltas(1, values, st.integers(1, 50).map(said)))
    unique = {(e.id) for e in delta.events}, {(f.id) for f in delta.facts}
    if len(unique[0]) < len(delta.events) or len(unique[1]) < len(delta.facts) or delta.entities:
        return
    shuffled = delta.model_copy(
        update={
            name: tuple(data.draw(st.permutations(getattr(delta, name))))
            for name in ("events", "facts", "observations")
        }
    )
    one, other = apply(START, delta, TEXT, ALL), apply(START, shuffled, TEXT, ALL)
    assert sorted(f.code for f in one.findings) == sorted(f.code for f in other.findings)
    assert one.state == other.state


@given(st.data())
@settings(max_examples=max(12, settings.default.max_examples // 5))  # each folds five chapters twice
def test_replay_is_the_fold_of_apply_and_a_loaded_state_goes_on_as_the_carried_one(data: st.DataObject) -> None:
    state, accepted, histories = START, [], []
    for position in range(1, 6):
        delta = data.draw(deltas(position, values, places))
        done = apply(state, delta, TEXT, ALL)
        loaded = StoryState.model_validate_json(state.model_dump_json())
        assert apply(loaded, delta, TEXT, ALL) == done
        if done.state is None:
            delta = delta.model_copy(update={"facts": (), "hook_ops": (), "entities": (), "clock": None})
            done = apply(state, delta, TEXT, ALL)
        if done.state is None:
            delta = chapter(position)
            done = apply(state, delta, TEXT, ALL)
        assert done.state is not None and done.history is not None
        state = done.state
        accepted.append((delta, TEXT))
        histories.append(done.history)
    again, past, findings = replay("b", "en", genesis(*FOUNDING), accepted, ALL, BIBLE)
    assert again == state
    assert past[1:] == histories
    assert not any(finding.blocking for finding in findings)
    assert blocked(state) == []


@given(st.data())
@settings(max_examples=40)
def test_after_a_change_in_the_past_what_no_longer_holds_is_suspended_and_the_rest_applies(data: st.DataObject) -> None:
    first, second = data.draw(deltas(1, values, places)), data.draw(deltas(2, values, places))
    state, histories, _ = replay("b", "en", genesis(*FOUNDING), [(first, TEXT), (second, TEXT)], ALL, BIBLE)
    assert state.last_applied_chapter == 2 and len(histories) == 3
    assert blocked(state) == []


@given(deltas(1, values, places))
def test_a_waiver_with_a_reason_lets_through_what_it_names(delta: Delta) -> None:
    done = apply(START, delta, TEXT, ALL)
    story = [f for f in done.findings if f.blocking]
    if not story or any(f.code.startswith("kernel-") for f in story):
        return
    waivers = tuple(Waiver(code=f.code, place=f.place[1], reason="the author wills it") for f in story)
    allowed = apply(START, delta.model_copy(update={"waivers": waivers}), TEXT, ALL)
    assert allowed.state is not None
    assert all(f.note for f in allowed.findings if f.code in {w.code for w in waivers} and f.severity == "info")


@given(st.integers(-3, 5), st.sampled_from(["genesis", "chapter", "author"]))
def test_only_the_next_chapter_applies(position: int, kind: Any) -> None:
    delta = Delta(kind=kind, chapter="c0001", position=position, reason="by hand")
    done = apply(START, delta, TEXT, ALL)
    expected = (kind == "chapter" and position == 1) or (kind == "author" and position == 0)
    assert (done.state is not None) == expected


def test_a_genesis_stands_on_nothing() -> None:
    done = apply(EMPTY, genesis(*FOUNDING), "", ALL, sources=BIBLE)
    assert done.state == START
