"""Two small invented books, one Chinese and one English, in the middle of their first volume, for tests of prompts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from inkos.adapters.package_data import prompt_tables, questions, rule_packs, templates
from inkos.config import BookConfig, LengthConfig, StyleConfig
from inkos.kernel.book import Book, ChapterEntry, Index
from inkos.kernel.outline import next_entry, parse_outline
from inkos.kernel.papers import Beat, CastMember, OutlineEntry, Plan, PlannedPromise, PlanTime
from inkos.kernel.rules import Rules
from inkos.kernel.story import (
    AuthorTruth,
    Belief,
    Entity,
    EntityKind,
    Evidence,
    Fact,
    Hook,
    StoryClock,
    StoryState,
    SummaryRow,
    ValueKind,
)
from inkos.messages import Language
from inkos.prompts.kit import Kit

KINDS: dict[str, EntityKind] = {"p": "person", "l": "place", "i": "item", "g": "group"}
CHAPTERS = 6  # accepted so far


def _texts(name: str) -> dict[Language, Any]:
    return {language: TEXTS[language][name] for language in TEXTS}


# Read once, when the module is imported: a pure test touches no disk.
TEXTS: dict[Language, dict[str, Any]] = {
    language: yaml.safe_load((Path(__file__).parent / f"fixture_{language}.yaml").read_text(encoding="utf-8"))
    for language in ("zh", "en")
}
CONFIG, ENTITIES, FACTS, TRUTH, HOOKS, ROWS = map(_texts, ("config", "entities", "facts", "truth", "hooks", "rows"))
BIBLE, OUTLINE, RECENT, PLAN, PROSE = map(_texts, ("bible", "outline", "recent", "plan", "prose"))
templates(), questions(), prompt_tables(), rule_packs()


@cache
def kit(language: Language) -> Kit:
    return Kit.build(language, templates(), questions(), prompt_tables())


@cache
def rules(language: Language) -> Rules:
    return Rules.build([rule_packs()["general"]], config(language))


@cache
def config(language: Language) -> BookConfig:
    own: dict[str, Any] = CONFIG[language]
    return BookConfig(
        id=f"fixture-{language}",
        title=own["title"],
        language=language,
        chapters=60,
        length=LengthConfig(target=own["target"]),
        style=StyleConfig(person="third", tense=own["tense"], pov="p1", wants=own["wants"], bans=own["bans"],
                          title_bans=own["title_bans"], samples=own["samples"]),
    )  # fmt: skip


def entities(language: Language) -> dict[str, Entity]:
    return {
        f"genesis.{handle}": Entity(
            id=f"genesis.{handle}", handle=handle, kind=KINDS[handle[0]], name=names[0], aliases=tuple(names[1:]),
            introduced_at=0,
        )
        for handle, names in ENTITIES[language].items()
    }  # fmt: skip


def facts(language: Language) -> dict[str, Fact]:
    made = {}
    for n, (subject, predicate, value, since, quote) in enumerate(FACTS[language], 1):
        known = isinstance(value, str) and (value in ENTITIES[language] or value == "s1")
        kind: ValueKind = "entity" if known else "number" if isinstance(value, int) else "text"
        made[f"genesis.f{n}"] = Fact(
            id=f"genesis.f{n}", handle=f"f{n}", subject=f"genesis.{subject}", predicate=predicate,
            object=f"genesis.{value}" if known else value, object_kind=kind, valid_from_chapter=since,
            source_chapter=since, evidence=Evidence(quote=quote, source="text" if since else "bible/world.md"),
        )  # fmt: skip
    return made


@cache
def state(language: Language) -> StoryState:
    question, truth, clue = TRUTH[language]["truth"]
    return StoryState(
        book_id=f"fixture-{language}",
        language=language,
        last_applied_chapter=CHAPTERS,
        clock=StoryClock(day=9, minute=17 * 60 + 20, label=CONFIG[language]["label"]),
        entities=entities(language),
        facts=facts(language),
        truths={
            "genesis.s1": AuthorTruth(id="genesis.s1", handle="s1", question=question, truth=truth,
                                      known_by=("genesis.p2",), clues=(clue,), reader_knows_from=20, out_by=24)
        },
        beliefs=(Belief(holder="genesis.p1", text=TRUTH[language]["belief"]),),
        hooks={
            f"genesis.h{n}": Hook(id=f"genesis.h{n}", handle=f"h{n}", start_chapter=start, last_advanced_chapter=start,
                                  core=core, payoff_timing=timing, trigger=trigger)
            for n, (core, timing, trigger, start) in enumerate(HOOKS[language], 1)
        },
        summaries=tuple(
            SummaryRow(chapter=n, title=title, day=day, text=text)
            for n, (title, day, text) in enumerate(ROWS[language], 1)
        ),
    )  # fmt: skip


@cache
def book(language: Language) -> Book:
    outline = parse_outline(OUTLINE[language])
    done = tuple(
        ChapterEntry(id=f"c{n:04d}", title=entry.title, status="accepted", file=f"chapters/{n:04d}.md",
                     text_digest="0" * 64, words=CONFIG[language]["target"], outline_key=entry.key)
        for n, entry in enumerate(outline.entries[:CHAPTERS], 1)
    )  # fmt: skip
    return Book(
        revision=7,
        config=config(language),
        index=Index(book_id=f"fixture-{language}", chapters=done),
        state=state(language),
        outline=outline,
        intent=CONFIG[language]["intent"],
        focus=CONFIG[language]["focus"],
        bible=tuple(BIBLE[language].items()),
        voices=CONFIG[language]["voices"],
        recent=RECENT[language],
    )


def entry(language: Language) -> tuple[OutlineEntry, OutlineEntry]:
    this, following = next_entry(book(language).outline, [c.outline_key for c in book(language).index.chapters])
    assert this is not None and following is not None
    return this, following


@cache
def plan(language: Language) -> Plan:
    own: dict[str, Any] = PLAN[language]
    this, _ = entry(language)
    return Plan(
        title=this.title,
        outline_key=this.key,
        pov="genesis.p1",
        cast=tuple(CastMember(who=f"genesis.{who}", wants=wants, unsaid=unsaid) for who, wants, unsaid in own["cast"]),
        places=("genesis.l1", "genesis.l2"),
        starts=PlanTime(day=10, label=own["starts"]),
        ends=PlanTime(day=10, label=own["ends"]),
        change=own["change"],
        knows=own["knows"],
        believes=own["believes"],
        asks=own["asks"],
        beats=tuple(
            Beat(handle=f"b{n}", outline=(f"{this.key}#{outline}",), link=link, wants=wants, against=against,
                 outcome=outcome, cost=cost, thing=thing, words=words)
            for n, (outline, link, wants, against, outcome, cost, thing, words) in enumerate(own["beats"], 1)
        ),
        promises=(PlannedPromise(hook="genesis.h1", do="advance", how=own["how"]),),
        keep=own["keep"],
        avoid=own["avoid"],
        end=own["end"],
        end_kind="countermove",
        target=CONFIG[language]["target"],
    )  # fmt: skip


def prose(language: Language, characters: int = 0) -> str:
    """The chapter as drafted; with `characters`, as much invented filler behind it as makes it that long."""
    text = PROSE[language]
    line = text.splitlines()[0]
    while len(text) < characters:
        text += f"\n{line}"
    return text[: characters or None]
