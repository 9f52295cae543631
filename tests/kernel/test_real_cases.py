"""What went wrong for writers elsewhere (cases C12, C14, C16), as the reducer must take it."""

from __future__ import annotations

from inkos.kernel.delta import HookOp
from inkos.kernel.reduce import apply
from inkos.kernel.replay import step
from inkos.kernel.story import AuthorTruth, Evidence
from tests.kernel.packs import GENERAL, TEXT, chapter, codes, event, fact, founded, hook, run, said, shown


def test_odd_operations_on_promises_are_each_listed_and_the_rest_can_stand() -> None:
    """C12: one closes what was never opened, one closes twice, one opens what is open."""
    state = run(founded(), hook_ops=(hook(1, "upsert", "c0001.h1", "Who lit the lamp?"),)).state
    assert state is not None
    ops = (
        HookOp(op="resolve", hook="nowhere.h9", evidence=said(1)),
        HookOp(op="resolve", hook="c0001.h1", evidence=said(2)),
        HookOp(op="resolve", hook="c0001.h1", evidence=said(3)),
        HookOp(op="upsert", hook="c0002.h1", core="Who sent the boat?", evidence=said(4)),
        HookOp(op="upsert", hook="c0002.h2", core="who sent the boat", evidence=said(5)),
    )
    refused = run(state, position=2, hook_ops=ops)
    assert refused.state is None and codes(refused) == ["hook-001", "hook-002", "hook-003"]
    assert [f.path for f in refused.findings] == ["hook_ops[0]", "hook_ops[2]", "hook_ops[4]"]
    done, suspended = step(state, chapter(2, hook_ops=ops), TEXT, GENERAL)
    assert done.state is not None and len(suspended) == 3
    assert {h.id: h.status for h in done.state.hooks.values()} == {"c0001.h1": "resolved", "c0002.h1": "open"}


def test_a_full_register_asks_for_closing_and_drops_nothing() -> None:
    """C16: cap 80, 97 open, three more."""
    state = founded()
    for position in range(1, 98):
        core = f"What was in letter {position}?"
        done = run(state, position=position, hook_ops=(hook(1, "upsert", f"c{position:04}.h1", core),))
        assert done.state is not None
        state = done.state
    new = tuple(hook(n, "upsert", f"c0098.h{n}", f"Who wrote note {n}?") for n in range(1, 4))
    done = run(state, position=98, hook_ops=new)
    assert codes(done) == ["hook-005"] and done.state is not None
    (full,) = (f for f in done.findings if f.code == "hook-005")
    assert full.actual == "100" and "letter 1?" in full.values["subject"]
    assert len(done.state.hooks) == 100
    asked = run(done.state, position=99, hook_ops=(hook(1, "abandon", "c0001.h1", "nobody asks any more"),))
    assert codes(asked) == [] and asked.state is not None and asked.state.hooks["c0001.h1"].status == "abandoned"


def test_a_rule_stated_otherwise_under_its_number_shows_both_quotes() -> None:
    """C14: the bible counts the rules one way, the chapter another."""
    state = founded(("world", "rule", "first: nobody climbs at night"), ("world", "rule", "second: no fire"))
    done = run(state, facts=(fact(3, "world", "rule", "second: no bell"), fact(4, "world", "rule", "third: no bell")))
    (clash,) = (f for f in done.findings if f.blocking)
    assert clash.code == "continuity-009" and clash.path == "facts[0]"
    assert [q.source for q in clash.quotes] == ["text", "bible/cast.md"]
    assert codes(run(state, facts=(fact(3, "world", "rule", "second: no fire"),))) == []


def test_a_finding_brings_the_earlier_fact_with_chapter_and_quote() -> None:
    moved = run(founded(), facts=(fact(2, "mira", "location", "harbor"),)).state
    assert moved is not None
    (found,) = run(moved, position=2, observations=(shown(9, "mira", "location", "citadel"),)).findings
    new, old = found.quotes
    assert (new.text, new.source, old.text, old.source, old.chapter) == ("w9.", "text", "w2.", "chapter", 1)
    assert found.values["since"] == "1" and "Harbor" in found.expected


def test_a_quote_that_stands_twice_says_so() -> None:
    state = founded(("luo", "status", "dead"))
    twice = apply(state, chapter(observations=(shown(1, "luo", "acts", "speaks"),)), f"{TEXT} w1.", GENERAL)
    assert {f.code: f.quotes[0].places for f in twice.findings} == {"kernel-004": 2, "continuity-002": 2}


def test_a_promise_that_waits_is_due_and_paid_after_what_it_waits_for() -> None:
    first = hook(1, "upsert", "c0001.h1", "Who lit the lamp?", timing="immediate")
    second = hook(2, "upsert", "c0001.h2", "Why?", timing="immediate", depends_on=("c0001.h1",))
    state = run(founded(), hook_ops=(first, second)).state
    assert state is not None
    assert codes(run(state, position=2, hook_ops=(hook(3, "resolve", "c0001.h2"),))) == ["hook-006"]
    both = (hook(3, "resolve", "c0001.h1"), hook(4, "resolve", "c0001.h2"))
    assert codes(run(state, position=2, hook_ops=both)) == []
    lost = hook(3, "upsert", "c0002.h1", "And who else?", depends_on=("c0001.h9",))
    assert codes(run(state, position=2, hook_ops=(lost,))) == ["hook-008"]


def test_companions_must_have_set_out_together() -> None:
    apart = founded(("mira", "location", "harbor"), ("luo", "location", "citadel"), ("crew", "location", "harbor"))
    arrives = shown(5, "mira", "location", "citadel")
    goes = event(2, "travel", "crew", "citadel")
    assert codes(run(apart, observations=(arrives,), events=(goes,))) == []
    stays = event(2, "travel", "luo", "citadel")
    assert codes(run(apart, observations=(arrives,), events=(stays,))) == ["continuity-003"]


def test_people_meet_only_where_both_are() -> None:
    state = founded(("mira", "location", "harbor"), ("luo", "location", "citadel"), ("citadel", "part_of", "harbor"))
    assert codes(run(state, observations=(shown(5, "mira", "meets", "luo"),))) == []
    apart = founded(("mira", "location", "harbor"), ("luo", "location", "citadel"))
    found = run(apart, observations=(shown(5, "mira", "meets", "luo"),))
    assert codes(found) == ["time-002"] and found.state is not None
    assert codes(run(apart, observations=(shown(5, "mira", "meets", "luo", "dream"),))) == []
    goes = event(2, "travel", "luo", "harbor")
    assert codes(run(apart, observations=(shown(5, "mira", "meets", "luo"),), events=(goes,))) == []


def test_only_who_may_may() -> None:
    state = founded(("world", "rule", "only the captain may trim the lamp"), ("luo", "role", "captain"))
    assert codes(run(state, observations=(shown(3, "luo", "trims", "the lamp"),))) == []
    assert codes(run(state, observations=(shown(3, "mira", "trims", "the lamp"),))) == ["continuity-013"]
    assert codes(run(state, observations=(shown(3, "mira", "sweeps", "the stair"),))) == []


def test_a_truth_laid_down_by_the_author_keeps_its_quote_and_its_time() -> None:
    words = Evidence(quote="Luo Qing and Mira", source="bible/cast.md")
    truth = AuthorTruth(id="genesis.s1", question="Who rang?", truth="Wen rang", known_by=("wen",),
                        reader_knows_from=3, evidence=words)  # fmt: skip
    state = founded(truths=(truth,))
    early = run(state, observations=(shown(2, "wen", "reveals", "Wen rang"),))
    assert codes(early) == ["knowledge-002"]
    assert [(q.text, q.source) for q in early.findings[0].quotes][1] == ("Luo Qing and Mira", "bible/cast.md")
    acts = run(state, observations=(shown(2, "mira", "reveals", "genesis.s1", "plan"),))
    assert codes(acts) == []
