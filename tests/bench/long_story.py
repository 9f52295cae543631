"""A seeded story of any length whose chapters are all of one size, so that only the book grows; knows no clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from inkos.config import BookConfig
from inkos.kernel.delta import BeatDone, ClockSet, Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.evidence import locate
from inkos.kernel.ids import mint
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, StoryClock
from inkos.records import digest

PACKS = [
    yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((Path(__file__).resolve().parents[2] / "inkos/kernel/rules").glob("*.yaml"))
]
_FIRST = "Ada Bram Cora Dov Edda Finn Greta Hugo Ines Joss Karel Lena"
_LAST = "Pell Askew Lund Varga Finch Brill Harrow Moss Tarn Quill Stone Reed"
_WORDS = """rope salt lamp door rain coin boat wall night hand letter bread fire stair road smoke tide bell glass stone
carried counted left turned waited paid opened shut lifted held asked knew watched wrote burned crossed kept grey narrow
late cold slow bright heavy quiet wet bare plain broken long small early hard"""
CAST = [f"{first} {last}" for first, last in zip(_FIRST.split(), _LAST.split(), strict=True)]
PLACES = [f"{kind} of {name}" for kind in ("quay", "mill", "yard", "gate") for name in ("Aune", "Brae", "Colm", "Drin")]
THINGS = [f"the {look} {thing}" for look in ("iron", "wax", "blue", "old") for thing in ("key", "seal", "coat", "book")]
WORDS = _WORDS.split()
SENTENCES = 170  # of about ten words: a chapter of 1,700 words, 9,000 characters


class Chapter(NamedTuple):
    delta: Delta
    text: str
    title: str


def config(chapters: int = 2_000) -> BookConfig:
    return BookConfig(id="long", title="The Long Quay", language="en", chapters=chapters)


def rules() -> Rules:
    return Rules.build(PACKS, config())


def bible() -> dict[str, str]:
    """The author's papers; the genesis quotes them."""
    cast = "\n".join(f"## {name}\n{name} lives at the {PLACES[0]} and has 500 coins.\n" for name in CAST)
    places = "\n".join(f"- {place}" for place in PLACES)
    things = "\n".join(f"- {thing} is kept by {CAST[0]}" for thing in THINGS)
    return {"bible/cast.md": f"# Cast\n{cast}", "bible/world.md": f"# World\n{places}\n{things}\n"}


def genesis() -> Delta:
    def quoted(words: str, page: str) -> Evidence:
        return Evidence(quote=words, source=f"bible/{page}.md")

    kinds: list[tuple[Any, list[str], str]] = [
        ("person", CAST, "cast"), ("place", PLACES, "world"), ("item", THINGS, "world")]  # fmt: skip
    entities, facts = [], []
    for kind, names, page in kinds:
        for number, name in enumerate(names, 1):
            entities.append(Entity(id=f"genesis.{kind[0]}{number}", kind=kind, name=name, evidence=quoted(name, page)))
    for number, name in enumerate(CAST, 1):
        who, words = f"genesis.p{number}", quoted(f"{name} lives at the {PLACES[0]} and has 500 coins.", "cast")
        for predicate, value in (("location", ""), ("money", 500), ("status", "alive")):
            value = "genesis.l1" if predicate == "location" else value
            facts.append((who, predicate, value, words))
    for number, thing in enumerate(THINGS, 1):
        facts.append((f"genesis.i{number}", "holder", "genesis.p1", quoted(f"{thing} is kept by {CAST[0]}", "world")))
    entities = [e.model_copy(update={"id": e.id.replace("genesis.p", "genesis.l")}) if e.kind == "place" else e
                for e in entities]  # fmt: skip
    changes = tuple(
        FactChange(id=f"genesis.f{n}", subject=s, predicate=p, object=o, evidence=words)
        for n, (s, p, o, words) in enumerate(facts, 1)
    )
    return Delta(kind="genesis", chapter="genesis", position=0, entities=tuple(entities), facts=changes,
                 clock=ClockSet(clock=StoryClock(day=1)))  # fmt: skip


class _Writer:
    """Sentences in order; those that an item quotes are set among them."""

    def __init__(self, chance: random.Random, position: int) -> None:
        self.chance = chance
        self.position = position
        self.quotes: list[str] = []

    def sentence(self) -> str:
        words = self.chance.choices(WORDS, k=10)
        return " ".join(words).capitalize() + "."

    def said(self, words: str) -> Evidence:
        self.quotes.append(words)
        return Evidence(quote=words)

    def text(self) -> str:
        step = SENTENCES // (len(self.quotes) + 1)
        lines = []
        for number in range(SENTENCES):
            lines.append(self.sentence())
            if number % step == step - 1 and number // step < len(self.quotes):
                lines.append(self.quotes[number // step])
        return "\n\n".join(" ".join(lines[n : n + 6]) for n in range(0, len(lines), 6))


class LongStory:
    """What is true in it, chapter by chapter; the reducer is not asked."""

    def __init__(self, seed: int = 1) -> None:
        self.chance = random.Random(seed)
        self.where = {f"genesis.p{n}": "genesis.l1" for n in range(1, len(CAST) + 1)}
        self.money = dict.fromkeys(self.where, 500)
        self.open: list[str] = []
        self.minted = {"p": len(CAST), "l": len(PLACES), "i": len(THINGS), "f": 3 * len(CAST) + len(THINGS)}
        self.names = dict(zip(self.where, CAST, strict=True))

    def chapters(self, count: int) -> Iterator[Chapter]:
        for position in range(1, count + 1):
            yield self.chapter(position)

    def chapter(self, position: int) -> Chapter:
        chance, name = self.chance, f"c{position:04d}"
        page = _Writer(chance, position)
        traveller, payer, learner, bearer = chance.sample(sorted(self.where), 4)
        goal = f"genesis.l{chance.randint(2, len(PLACES))}"
        thing = f"genesis.i{chance.randint(1, len(THINGS))}"
        call = self.names.__getitem__
        sum_ = chance.randint(1, 20)
        kind = "spending" if self.money[payer] > sum_ + 100 else "income"
        self.money[payer] += -sum_ if kind == "spending" else sum_
        self.where[traveller] = goal
        events = (
            EventItem(id=f"{name}.e1", type="travel", subject=traveller, object=goal,
                      evidence=page.said(f"{call(traveller)} set out in the morning of chapter {position}.")),
            EventItem(id=f"{name}.e2", type=kind, subject=payer, object=sum_,
                      evidence=page.said(f"{call(payer)} counted {sum_} coins, once and again.")),
            EventItem(id=f"{name}.e3", type="transfer", subject=thing, object=bearer,
                      evidence=page.said(f"The thing went to {call(bearer)} at last.")),
            EventItem(id=f"{name}.e4", type="learn", subject=learner, object=f"what was in letter {position}",
                      evidence=page.said(f"{call(learner)} read letter {position} to the end.")),
        )  # fmt: skip
        stranger = f"{name}.n1"
        met = page.said(f"A stranger called Keeper {position} came in.")
        entities = (Entity(id=stranger, kind="person", name=f"Keeper {position}", evidence=met),)
        facts = tuple(
            FactChange(id=f"{name}.f{n}", subject=stranger, predicate=what, object=value, evidence=page.said(words))
            for n, (what, value, words) in enumerate((
                ("location", goal, f"Keeper {position} had a room there."),
                ("role", f"keeper of gate {position}", f"Gate {position} was in Keeper {position}'s charge."),
                ("trait", "hair: grey", f"Keeper {position} had gone grey."),
            ), 1)
        )  # fmt: skip
        shown = tuple(
            Observation(mode="narrated", subject=who, predicate=predicate, object=value, evidence=page.said(words))
            for who, predicate, value, words in (
                (traveller, "location", goal, f"{call(traveller)} stood there by noon of chapter {position}."),
                (payer, "money", self.money[payer], f"{self.money[payer]} coins were left, and no more."),
                (bearer, "uses", thing, f"{call(bearer)} put the thing to use."),
                (learner, "acts", "speaks", f"{call(learner)} spoke up about letter {position}."),
            )
        )  # fmt: skip
        hooks = self._hooks(page, position, name)
        clock = ClockSet(clock=StoryClock(day=position + 1), evidence=page.said(f"It was day {position + 1}."))
        beats = tuple(
            BeatDone(beat=f"e{position}#{n}", evidence=Evidence(quote=page.quotes[n])) for n in range(1, 4)
        )  # fmt: skip
        text = page.text()
        delta = Delta(chapter=name, position=position, title=f"Letter {position}", outline_key=f"e{position}",
                      entities=entities, events=events, facts=facts, observations=shown, hook_ops=hooks, clock=clock,
                      beats_done=beats, summary=page.sentence() * 4, text_digest=digest(text))  # fmt: skip
        given, self.minted = mint(locate(delta, text), self.minted)
        return Chapter(given, text, f"Letter {position}")

    def _hooks(self, page: _Writer, position: int, name: str) -> tuple[HookOp, ...]:
        """A promise is planted each chapter, another moved, and from the thirtieth on one is paid."""
        ops = []
        if self.open:
            moved = self.chance.choice(self.open)
            ops.append(HookOp(op="upsert", hook=moved, evidence=page.said(f"Something moved in chapter {position}.")))
        if len(self.open) >= 30:
            ops.append(HookOp(op="resolve", hook=self.open.pop(0),
                              evidence=page.said(f"That was settled in chapter {position}.")))  # fmt: skip
        planted = f"{name}.h1"
        self.open.append(planted)
        ops.append(HookOp(op="upsert", hook=planted, core=f"Who wrote letter {position}, and to whom?",
                          timing="slow-burn", evidence=page.said(f"Nobody knew who had written letter {position}.")))
        return tuple({op.hook: op for op in ops}.values())
