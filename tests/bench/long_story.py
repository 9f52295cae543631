"""A seeded story of any length whose chapters are all of one size, so that only the book grows; knows no clock."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from inkos.config import BookConfig
from inkos.kernel.delta import BeatDone, ClockSet, Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.evidence import locate
from inkos.kernel.ids import mint
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, StoryClock
from inkos.messages import Language
from inkos.records import digest
from tests.bench.tongues import TONGUES, Tongue, stranger

PACKS = [
    yaml.safe_load(path.read_text("utf-8"))
    for path in sorted((Path(__file__).resolve().parents[2] / "inkos/kernel/rules").glob("*.yaml"))
]
SENTENCES = 170  # of `Tongue.each` words: a chapter of 1,700 words, 2,700 characters
TWELVE = range(1, 13)


class Planted(NamedTuple):
    """A detail of one chapter, and what a later plan says when it needs it: through whom or what (`way`), in words
    (`wants`), with these ids in its cast, places or promises."""

    way: str
    wants: str
    needed: str
    cast: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    promises: tuple[str, ...] = ()


class Chapter(NamedTuple):
    delta: Delta
    text: str
    title: str
    planted: tuple[Planted, ...] = ()


def config(chapters: int = 2_000, language: Language = "en") -> BookConfig:
    title = {"en": "The Long Quay", "zh": "长码头"}[language]
    return BookConfig.model_validate({"id": "long", "title": title, "language": language, "chapters": chapters,
                                      "length": {"target": {"en": 1_700, "zh": 2_700}[language]},
                                      "style": {"wants": TONGUES[language].wants}})  # fmt: skip


def rules(language: Language = "en") -> Rules:
    return Rules.build(PACKS, config(language=language))


def bible(language: Language = "en") -> dict[str, str]:
    """The author's papers; the genesis quotes them."""
    tongue = TONGUES[language]
    say, cast, places, things = tongue.says, tongue.cast, tongue.places, tongue.things
    people = "\n".join(f"## {name}\n{say['home'].format(name=name, place=places[0])}\n" for name in cast)
    world = "\n".join([*(f"- {place}" for place in places),
                       *(f"- {say['kept'].format(thing=thing, name=cast[0])}" for thing in things)])  # fmt: skip
    # As long as the bible of a book that was thought about: more than its layer holds.
    laws = "\n".join(f"- {say['law'].format(spot=spot, look=tongue.looks[n % len(tongue.looks)], good=good)}"
                     for n, (spot, good) in enumerate(product(tongue.spots, tongue.goods[:4])))  # fmt: skip
    return {"bible/cast.md": f"# Cast\n{people}", "bible/world.md": f"# World\n{world}\n\n## Law\n{laws}\n"}


def genesis(language: Language = "en") -> Delta:
    tongue = TONGUES[language]
    say, places = tongue.says, tongue.places

    def quoted(words: str, page: str) -> Evidence:
        return Evidence(quote=words, source=f"bible/{page}.md")

    kinds: list[tuple[Any, str, list[str], str]] = [
        ("person", "p", tongue.cast, "cast"), ("place", "l", places, "world"), ("item", "i", tongue.things, "world"),
    ]  # fmt: skip
    entities = tuple(
        Entity(id=f"genesis.{letter}{number}", kind=kind, name=name, evidence=quoted(name, page))
        for kind, letter, names, page in kinds
        for number, name in enumerate(names, 1)
    )
    facts: list[tuple[str, str, Any, Evidence]] = []
    for number, name in enumerate(tongue.cast, 1):
        words = quoted(say["home"].format(name=name, place=places[0]), "cast")
        begins: list[tuple[str, Any]] = [("location", "genesis.l1"), ("money", 500), ("status", "alive")]
        facts += [(f"genesis.p{number}", predicate, value, words) for predicate, value in begins]
    for number, thing in enumerate(tongue.things, 1):
        words = quoted(say["kept"].format(thing=thing, name=tongue.cast[0]), "world")
        facts.append((f"genesis.i{number}", "holder", "genesis.p1", words))
    changes = tuple(
        FactChange(id=f"genesis.f{n}", subject=s, predicate=p, object=o, evidence=words)
        for n, (s, p, o, words) in enumerate(facts, 1)
    )
    return Delta(kind="genesis", chapter="genesis", position=0, entities=entities, facts=changes,
                 clock=ClockSet(clock=StoryClock(day=1)))  # fmt: skip


class _Writer:
    """Sentences in order; those that an item quotes are set among them."""

    def __init__(self, chance: random.Random, tongue: Tongue) -> None:
        self.chance = chance
        self.tongue = tongue
        self.quotes: list[str] = []

    def sentence(self) -> str:
        words = self.tongue.joined.join(self.chance.choices(self.tongue.words, k=self.tongue.each))
        return words.capitalize() + self.tongue.stop.strip()

    def said(self, form: str, **values: object) -> Evidence:
        words = self.tongue.says[form].format(**values)
        words = words[:1].upper() + words[1:]
        self.quotes.append(words)
        return Evidence(quote=words)

    def text(self) -> str:
        step = SENTENCES // (len(self.quotes) + 1)
        lines = []
        for number in range(SENTENCES):
            lines.append(self.sentence())
            if number % step == step - 1 and number // step < len(self.quotes):
                lines.append(self.quotes[number // step])
        return "\n\n".join(self.tongue.joined.join(lines[n : n + 6]) for n in range(0, len(lines), 6))

    def detail(self) -> dict[str, str]:
        """A look, a thing and a spot: what is hidden, kept or known in this chapter."""
        t = self.tongue
        return {"look": self.chance.choice(t.looks), "good": self.chance.choice(t.goods),
                "spot": self.chance.choice(t.spots)}  # fmt: skip


class LongStory:
    """What is true in it, chapter by chapter; the reducer is not asked."""

    def __init__(self, language: Language = "en", seed: int = 1) -> None:
        self.language: Language = language
        self.tongue = TONGUES[language]
        self.chance = random.Random(seed)
        self.where = {f"genesis.p{n}": "genesis.l1" for n in TWELVE}
        self.money = dict.fromkeys(self.where, 500)
        self.open: list[str] = []
        self.minted = {"p": 12, "l": 16, "i": 16, "f": 3 * 12 + 16}
        self.names = dict(zip(self.where, self.tongue.cast, strict=True))

    def chapters(self, count: int) -> Iterator[Chapter]:
        for position in range(1, count + 1):
            yield self.chapter(position)

    def chapter(self, position: int) -> Chapter:
        name, new = f"c{position:04d}", stranger(self.tongue, position)
        page = _Writer(self.chance, self.tongue)
        people = self.chance.sample(sorted(self.where), 4)
        goal = self.chance.randint(2, len(self.tongue.places))
        thing = self.chance.randint(1, len(self.tongue.things))
        events = self._events(page, name, new, people, goal, thing)
        entities, facts, planted = self._strangers(page, name, new, goal)
        shown, hidden = self._shown(page, new, people, goal, thing)
        hooks, promise = self._hooks(page, name, new)
        clock = ClockSet(clock=StoryClock(day=position + 1), evidence=page.said("day", n=position + 1))
        beats = tuple(BeatDone(beat=f"e{position}#{n}", evidence=Evidence(quote=page.quotes[n])) for n in range(1, 4))
        text, say = page.text(), self.tongue.says
        title = say["title"].format(new=new)
        summary = say["summary"].format(a=self.names[people[0]], new=new, **page.detail())
        delta = Delta(chapter=name, position=position, title=title, outline_key=f"e{position}", entities=entities,
                      events=events, facts=facts, observations=shown, hook_ops=hooks, clock=clock, beats_done=beats,
                      summary=summary, text_digest=digest(text))  # fmt: skip
        given, self.minted = mint(locate(delta, text), self.minted)
        return Chapter(given, text, title, (*planted, promise, hidden))

    def _events(
        self, page: _Writer, name: str, new: str, people: list[str], goal: int, thing: int
    ) -> tuple[EventItem, ...]:
        traveller, payer, learner, bearer = people
        call, tongue = self.names, self.tongue
        sum_ = self.chance.randint(1, 20)
        kind = "spending" if self.money[payer] > sum_ + 100 else "income"
        self.money[payer] += -sum_ if kind == "spending" else sum_
        self.where[traveller] = f"genesis.l{goal}"
        item = tongue.things[thing - 1]
        rows: list[tuple[str, str, Any, Evidence]] = [
            ("travel", traveller, f"genesis.l{goal}",
             page.said("out", a=call[traveller], place=tongue.places[goal - 1])),
            (kind, payer, sum_, page.said("coins", a=call[payer], n=sum_)),
            ("transfer", f"genesis.i{thing}", bearer, page.said("gave", a=call[bearer], thing=item)),
            ("learn", learner, tongue.says["known"].format(new=new), page.said("read", a=call[learner], new=new)),
        ]  # fmt: skip
        return tuple(
            EventItem(id=f"{name}.e{n}", type=kind, subject=subject, object=value, evidence=quote)
            for n, (kind, subject, value, quote) in enumerate(rows, 1)
        )

    def _strangers(
        self, page: _Writer, name: str, new: str, goal: int
    ) -> tuple[tuple[Entity, ...], tuple[FactChange, ...], tuple[Planted, ...]]:
        """Somebody, a thing and a place that are new, with a detail of each."""
        say, tongue, d, e = self.tongue.says, self.tongue, page.detail(), page.detail()
        alias = say["alias"].format(last=self.chance.choice(tongue.last), look=d["look"])
        made = f"{say['made'].format(**e)}{tongue.letters}{new}"  # no two things bear one name
        town, steps = say["town"].format(new=new, **e), self.chance.randint(3, 30)
        who, item, place = f"{name}.n1", f"{name}.n2", f"{name}.n3"
        entities = (
            Entity(id=who, kind="person", name=new, aliases=(alias,),
                   evidence=page.said("shout", new=new, alias=alias)),
            Entity(id=item, kind="item", name=made, evidence=page.said("mark", thing=made, n=steps)),
            Entity(id=place, kind="place", name=town, evidence=page.said("house", place=town, n=steps)),
        )  # fmt: skip
        rows = [
            (who, "location", f"genesis.l{goal}", page.said("room", new=new)),
            (who, "role", say["role"].format(**d), page.said("charge", new=new, **d)),
            (who, "trait", "hand: " + say["trait"].format(**d), page.said("scar", new=new, **d)),
            (item, "trait", f"back: {steps}", entities[1].evidence),
            (place, "trait", f"stairs: {steps}", entities[2].evidence),
        ]
        facts = tuple(
            FactChange(id=f"{name}.f{n}", subject=subject, predicate=predicate, object=value, evidence=quote)
            for n, (subject, predicate, value, quote) in enumerate(rows, 1)
        )
        asks = {"en": "Somebody asks for {0}, and nobody answers.", "zh": "有人来问{0}，没有人答话。"}[self.language]
        planted = (
            Planted("name", asks.format(new), f"{new} · role · {say['role'].format(**d)}", cast=(who,)),
            Planted("alias", asks.format(alias), f"{new} · trait · hand: {say['trait'].format(**d)}"),
            Planted("item", asks.format(made), f"{made} · trait · back: {steps}"),
            Planted("place", asks.format(town), f"{town} · trait · stairs: {steps}", places=(place,)),
        )
        return entities, facts, planted

    def _shown(
        self, page: _Writer, new: str, people: list[str], goal: int, thing: int
    ) -> tuple[tuple[Observation, ...], Planted]:
        traveller, payer, learner, bearer = people
        call, detail = self.names, page.detail()
        act = self.chance.choice(self.tongue.acts)
        hid = page.said("hid", a=call[bearer], act=act, **detail)
        rows: list[tuple[str, str, Any, Evidence]] = [
            (traveller, "location", f"genesis.l{goal}", page.said("there", a=call[traveller], new=new)),
            (payer, "money", self.money[payer], page.said("left", a=call[payer], n=self.money[payer])),
            (bearer, "uses", f"genesis.i{thing}", page.said("uses", a=call[bearer],
                                                            thing=self.tongue.things[thing - 1])),
            (learner, "acts", "speaks", page.said("speaks", a=call[learner], new=new)),
            (bearer, "acts", "moves", hid),
        ]  # fmt: skip
        shown = tuple(Observation(mode="narrated", subject=subject, predicate=predicate, object=value, evidence=quote)
                      for subject, predicate, value, quote in rows)  # fmt: skip
        asks = {"en": "Below the {spot} somebody searches for a {good}; something {look} was there once.",
                "zh": "有人摸到{spot}下面去找{good}，只记得是{look}的。"}[self.language]  # fmt: skip
        return shown, Planted("paraphrase", asks.format(**detail), hid.quote)

    def _hooks(self, page: _Writer, name: str, new: str) -> tuple[tuple[HookOp, ...], Planted]:
        """A promise is planted each chapter, another moved, and from the thirtieth on one is paid."""
        ops = []
        if self.open:
            moved = self.chance.choice(self.open)
            ops.append(HookOp(op="upsert", hook=moved, evidence=page.said("moved", new=new)))
        if len(self.open) >= 30:
            ops.append(HookOp(op="resolve", hook=self.open.pop(0), evidence=page.said("paid", new=new)))
        planted = f"{name}.h1"
        self.open.append(planted)
        asked = page.said("asked", new=new, **page.detail())
        core = self.tongue.says["core"].format(new=new)
        ops.append(HookOp(op="upsert", hook=planted, core=core, timing="slow-burn", evidence=asked))
        asks = {"en": "The old question is put again.", "zh": "旧话又被提起。"}[self.language]
        return tuple({op.hook: op for op in ops}.values()), Planted("promise", asks, asked.quote, promises=(planted,))
