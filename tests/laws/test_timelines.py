"""Long random stories: clean ones raise nothing, and one violation put into any chapter is found there."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from inkos.kernel.delta import ClockSet, Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.invariants import check_state
from inkos.kernel.reduce import apply
from inkos.kernel.story import Evidence, StoryClock, StoryState
from tests.kernel.packs import ALL, TEXT, chapter, founded, said

PEOPLE = ["luo", "mira", "wen", "shen"]
PLACES = ["harbor", "citadel"]
REALMS = ["qi refining", "foundation", "golden core", "nascent soul", "spirit severing"]
CHAPTERS = 1_000


class World(NamedTuple):
    """What the generator knows to be true; the reducer is not asked."""

    where: dict[str, str]
    holder: dict[str, str]
    money: dict[str, int]
    rank: dict[str, int]
    dead: set[str]
    day: list[int]


def world() -> World:
    return World(
        where=dict.fromkeys(PEOPLE, "harbor"),
        holder={"seal": "wen"},
        money=dict.fromkeys(PEOPLE, 100),
        rank=dict.fromkeys(PEOPLE, 0),
        dead=set(),
        day=[1],
    )


def start() -> StoryState:
    facts: list[tuple[str, str, Any]] = [
        ("seal", "holder", "wen"),
        ("crew", "size", 7),
        ("luo", "trait", "left eye: blind"),
    ]
    for who in PEOPLE:
        facts += [(who, "location", "harbor"), (who, "spirit_stones", 100), (who, "rank", REALMS[0])]
        facts += [(who, "status", "alive")]
    return founded(*facts, clock=ClockSet(clock=StoryClock(day=1)), use=ALL)


def clean(chance: random.Random, true: World, position: int) -> Delta:
    """A chapter in which everything that happens is accounted for."""
    name = f"c{position:04}"
    events: list[EventItem] = []
    facts: list[FactChange] = []
    shown: list[Observation] = []
    hooks: list[HookOp] = []
    place = 0
    living = [who for who in PEOPLE if who not in true.dead]

    def happens(kind: str, subject: str, value: Any) -> None:
        nonlocal place
        place += 1
        events.append(EventItem(id=f"{name}.e{place}", type=kind, subject=subject, object=value, evidence=said(place)))

    def shows(subject: str, predicate: str, value: Any, mode: Any = "narrated") -> None:
        nonlocal place
        place += 1
        shown.append(Observation(mode=mode, subject=subject, predicate=predicate, object=value, evidence=said(place)))

    for who in living:
        roll = chance.random()
        if roll < 0.3:
            true.where[who] = chance.choice(PLACES)
            happens("travel", who, true.where[who])
            facts.append(FactChange(id=f"{name}.f{place}", subject=who, predicate="location", object=true.where[who],
                                    evidence=said(place)))  # fmt: skip
        elif roll < 0.5:
            sum_ = chance.randint(1, 60)
            kind = "spending" if true.money[who] > sum_ else "income"
            true.money[who] += -sum_ if kind == "spending" else sum_
            happens(kind, who, f"{sum_} spirit stones")
            shows(who, "spirit_stones", true.money[who])
        elif roll < 0.55 and true.rank[who] < len(REALMS) - 1:
            true.rank[who] += 1
            happens("promotion", who, REALMS[true.rank[who]])
        elif roll < 0.7:
            true.holder["seal"] = who
            happens("transfer", "seal", who)
            shows(who, "uses", "seal")
        elif roll < 0.8:
            happens("learn", who, f"what was done in the year {position}")
        shows(who, "acts", "speaks")
    for who in true.dead:
        shows(who, "acts", "speaks", chance.choice(["dream", "flashback", "letter"]))
    if position in (CHAPTERS // 3, CHAPTERS // 2):
        happens("death", living[0], None)
        true.dead.add(living[0])
    if position % 7 == 0:
        hooks.append(
            HookOp(
                op="upsert", hook=f"{name}.h1", core=f"Who wrote the letter of the year {position}?", evidence=said(40)
            )
        )
    if position % 7 == 3 and position > 7:
        hooks.append(HookOp(op="resolve", hook=f"c{position - 3:04}.h1", evidence=said(41)))
    true.day[0] += chance.randint(0, 2)
    clock = ClockSet(clock=StoryClock(day=true.day[0]), evidence=said(50))
    return chapter(
        position,
        events=tuple(events),
        facts=tuple(facts),
        observations=tuple(shown),
        hook_ops=tuple(hooks),
        clock=clock,
    )


def violations(true: World) -> dict[str, dict[str, Any]]:
    """One slip of each kind, as the chapter after `true` might make it."""
    living = [who for who in PEOPLE if who not in true.dead]
    who, other = living[0], living[1]
    elsewhere = "citadel" if true.where[who] == "harbor" else "harbor"
    thief = next(each for each in living if each != true.holder["seal"])

    def shows(subject: str, predicate: str, value: Any) -> dict[str, Any]:
        return {
            "observations": (
                Observation(mode="narrated", subject=subject, predicate=predicate, object=value, evidence=said(1)),
            )
        }

    def states(subject: str, predicate: str, value: Any) -> dict[str, Any]:
        return {"facts": (FactChange(id="x.f1", subject=subject, predicate=predicate, object=value, evidence=said(1)),)}

    found = {
        "elsewhere": shows(who, "location", elsewhere),
        "moved": states(who, "location", elsewhere),
        "used": shows(thief, "uses", "seal"),
        "overspent": shows(who, "spends", f"{true.money[who] + 1} spirit stones"),
        "sum": states(who, "spirit_stones", true.money[who] + 5),
        "rank": shows(other, "rank", REALMS[true.rank[other] - 1]),
        "eye": shows("luo", "trait", "right eye: blind"),
        "size": shows("crew", "size", 12),
        "clock": {"clock": ClockSet(clock=StoryClock(day=true.day[0] - 1), evidence=said(1))},
        "hook": {"hook_ops": (HookOp(op="resolve", hook="nowhere", evidence=said(1)),)},
        "value": states(who, "status", "sleepy"),
        "name": shows(who, "name", "Somebody Else"),
        "meeting": {**shows(who, "meets", other), "facts": ()} if true.where[who] != true.where[other] else {},
        "unknown": shows("nobody", "acts", "speaks"),
        "unquoted": {"facts": (FactChange(id="x.f1", subject=who, predicate="role", object="smith",
                                          evidence=Evidence(quote="words that are nowhere")),)},
        "twice": {"facts": (FactChange(id="genesis.f1", subject=who, predicate="role", object="smith",
                                       evidence=said(1)), FactChange(id="genesis.f1", subject=who,
                                       predicate="note", object="again", evidence=said(2)))},
        "ring": states("harbor", "part_of", "harbor"),
    }
    if true.dead:
        found["dead"] = shows(sorted(true.dead)[0], "acts", "speaks")
        found["risen"] = states(sorted(true.dead)[0], "status", "alive")
    return found


@pytest.mark.parametrize("seed", [1, 7, 42])
def test_a_clean_story_raises_nothing_and_every_slip_is_found(seed: int) -> None:
    print(f"seed {seed}")  # shown with a failure
    chance = random.Random(seed)
    true, state = world(), start()
    probes = {*chance.sample(range(2, CHAPTERS), 12), CHAPTERS}
    for position in range(1, CHAPTERS + 1):
        done = apply(state, clean(chance, true, position), TEXT, ALL)
        loud = [finding for finding in done.findings if finding.severity != "info"]
        assert done.state is not None and loud == [], (seed, position, loud[:1])
        state = done.state
        if position in probes:
            for kind, slip in violations(true).items():
                if not slip:
                    continue
                found = apply(state, chapter(position + 1, **slip), TEXT, ALL)
                assert any(f.severity != "info" for f in found.findings), (seed, position, kind)
            assert [f for f in check_state(state, ALL, total_chapters=position) if f.blocking] == []
