"""No input, however odd, gives anything but a valid state or a refusal: wrong types, sizes, signs, marks."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from inkos.config import BookConfig
from inkos.errors import UsageFault
from inkos.kernel.cases import check_case
from inkos.kernel.delta import Delta
from inkos.kernel.evidence import locate
from inkos.kernel.ids import mint
from inkos.kernel.invariants import check_state
from inkos.kernel.lookup import compared, known_by, promises, resolve
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, StoryState
from tests.kernel.packs import ALL, CAST, PACKS, TEXT, chapter, said
from tests.laws.test_reducer import START, blocked

ODD_WORDS = [
    "", " ", "\x00", "\x07bell", "\ud800", "\u202eevil", "a" * 3_000, "{subject}", "%s %n", "../../etc/passwd",
    "__proto__", "'; DROP TABLE facts;--", "<script>alert(1)</script>", "NaN", "Infinity", "-1", "1e400", "null", "：",
    ": :", "龘" * 50, "genesis.f1", "c0001.h1", "*", "\n\n", "🜁🜂", "١٢٣", "½", "十百千万亿", "两", "零" * 90,
]  # fmt: skip
names = st.sampled_from([*CAST, *ALL.predicates, *ALL.events])
words = st.one_of(st.sampled_from(ODD_WORDS), names, st.text(max_size=8))
numbers = st.one_of(
    st.integers(), st.integers(-(10**400), 10**400), st.floats(), st.sampled_from([math.nan, math.inf, -math.inf, -0.0])
)
scalars: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), numbers, words)
anything: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3), max_leaves=6
)
quotes = st.sampled_from(["w3.", "w9.", "nowhere", "", "\x00"])
places = {"source": words, "start": numbers, "end": numbers, "places": numbers, "chapter": numbers}
evidence = st.one_of(st.fixed_dictionaries({"quote": quotes}, optional=places), anything)


def rows(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A list of objects with these fields, some of them missing, or something else altogether."""
    return st.lists(st.fixed_dictionaries({}, optional={**fields, "evidence": evidence}), max_size=3) | anything


DELTA = st.fixed_dictionaries(
    {"chapter": st.just("c0001") | words, "position": st.sampled_from([1, 1, 1, 0, -1, 10**30])},
    optional={
        "kind": st.sampled_from(["chapter", "author", "genesis", "other"]),
        "entities": rows(id=words, kind=st.sampled_from(["person", "item", "?"]), name=words, maybe=words),
        "events": rows(id=words, type=words, subject=words, object=scalars),
        "facts": rows(id=words, subject=words, predicate=words, object=scalars, closes=words),
        "observations": rows(mode=st.just("narrated") | words, subject=words, predicate=words, object=scalars),
        "hook_ops": rows(op=st.sampled_from(["upsert", "resolve", "abandon"]), hook=words, core=words, due_by=numbers),
        "truths": rows(id=words, question=words, truth=words, reader_knows_from=numbers),
        "clock": st.fixed_dictionaries({"clock": st.fixed_dictionaries({"day": numbers})}) | anything,
        "waivers": rows(code=words, place=words, reason=words),
        "reason": words,
        "summary": words,
    },
)  # fmt: skip


@given(DELTA)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_object_read_as_a_delta_is_refused_or_gives_a_valid_state(data: dict[str, Any]) -> None:
    try:
        delta = Delta.model_validate(data)
    except ValidationError:
        return
    before = START.model_dump()
    for each in (delta, mint(locate(delta, TEXT), {})[0]):
        done = apply(START, each, TEXT, ALL)
        assert (done.state is None) == any(f.blocking for f in done.findings)
        assert done.state is None or blocked(done.state) == []
    assert START.model_dump() == before


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "chapter": scalars,
            "lang": words,
            "quote": scalars,
            "event_quote": scalars,
            "facts": rows(subject=words, predicate=words, object=scalars, valid_from=scalars, valid_to=scalars),
            "events": rows(type=words, subject=words, object=scalars, chapter=scalars),
            "observations": rows(subject=words, predicate=words, object=scalars, mode=words, at=words),
        },
    )
)
@settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_object_read_as_a_case_is_judged(case: dict[str, Any]) -> None:
    assert all(finding.code for finding in check_case(case, ALL))


@pytest.mark.parametrize("chapter", [10**8, 1e300, 10**30])
def test_a_case_of_no_chapter_that_can_be_takes_no_more_than_one_of_the_last(chapter: float) -> None:
    """Once it took a row for each chapter before it: 23 GB, and the machine with it."""
    assert all(finding.code for finding in check_case({"chapter": chapter}, ALL))


@given(st.dictionaries(words, st.dictionaries(st.sampled_from(["rule", "means", "many", "unit", "subject", "value",
       "licensed_by", "allowed", "severity", "requires", "oddity"]), anything, max_size=3), max_size=2))  # fmt: skip
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_any_rules_of_a_book_are_refused_by_name_or_judge(predicates: dict[str, dict[str, Any]]) -> None:
    try:
        rules = Rules.build(PACKS, BookConfig(id="b", title="T", language="en", predicates=predicates))
    except (UsageFault, ValidationError):
        return
    assert rules.registry_lines("en") and len(rules.explain("zh")) == len(rules.predicates)
    assert apply(START, chapter(), TEXT, rules).state is not None


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_any_edit_of_a_state_is_refused_or_answered(data: st.DataObject) -> None:
    dumped = START.model_dump(mode="json")
    table = data.draw(st.sampled_from(["entities", "facts", "truths", "hooks", "summaries", "clock", "beliefs"]))
    if isinstance(dumped[table], dict) and dumped[table] and table != "clock":
        key = data.draw(st.sampled_from(sorted(dumped[table])))
        field = data.draw(st.sampled_from(sorted(dumped[table][key])))
        dumped[table][key][field] = data.draw(anything)
    else:
        dumped[table] = data.draw(anything)
    try:
        state = StoryState.model_validate(dumped)
    except ValidationError:
        return
    check_state(state, ALL, total_chapters=0)
    compared(START, state, ALL)
    promises(state, 1, 100)
    word = data.draw(words)
    resolve(state, word)
    known_by(state, word)


@pytest.mark.parametrize("position", [0, -1, 2, 10**30])
def test_a_chapter_out_of_place_is_refused(position: int) -> None:
    assert apply(START, chapter(position), TEXT, ALL).state is None


def test_ten_thousand_entities_are_taken() -> None:
    count = 10_000
    things = tuple(Entity(id=f"c0001.n{n}", kind="item", name=f"thing {n}", evidence=said(1)) for n in range(count))
    done = apply(START, chapter(entities=things), TEXT, ALL)
    assert done.state is not None and len(done.state.entities) == len(CAST) + count
