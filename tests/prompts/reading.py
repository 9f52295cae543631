"""A small book in two languages with one drafted chapter, for readers: who is who, what holds, what is said."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from inkos.adapters.package_data import rule_packs
from inkos.config import BookConfig, LengthConfig
from inkos.kernel.book import Book, Index
from inkos.kernel.findings import Finding, Quote
from inkos.kernel.papers import (
    Beat,
    NumberedFinding,
    Outline,
    OutlineBeat,
    OutlineEntry,
    Plan,
    PlannedPromise,
    Question,
)
from inkos.kernel.rules import Rules
from inkos.kernel.story import AuthorTruth, Entity, Evidence, Fact, Hook, StoryClock, StoryState
from inkos.messages import Language

PACK = rule_packs()["general"]  # read when the module is imported: a pure test touches no disk

PROSE: dict[Language, str] = {
    "zh": "叶三更把铜灯提到窗口。\n\n"
    "“油票呢？”他问。\n\n"
    "钱友德翻账本，说：“叶三更欠二百两。”茶棚里阿瑶没有抬头，她把壶挪了挪。\n\n"
    "叶三更走到船行，脱了湿鞋。钱友德接过铜灯，挂在自己腰上。小满从后门进来，把一张油票塞给他。"
    "他想起那年冬天灯灭的夜里，爹说过：“灯在人在。”\n\n"
    "他点了点头。钱友德点了点头。账，今晚清了一半。",
    "en": "Nell carried the brass lamp to the window.\n\n"
    "“Where is the slip?” she asked.\n\n"
    "Pym turned a page. “Nell owes two hundred,” he said. Ada at the tea stall did not look up; she moved the kettle "
    "an inch.\n\n"
    "Nell walked to the Office and took off her wet shoes. Pym lifted the brass lamp out of her hands and hung it from "
    "his own belt. Tib came in by the back and slid the slip into her sleeve. She remembered the winter the lamp went "
    "out, and her father saying, “Lamp’s lit, we’re lit.”\n\n"
    "She nodded. Pym nodded. Half of the account was clear tonight.",
}

NAMES: dict[Language, dict[str, tuple[str, ...]]] = {
    "zh": {
        "p1": ("叶三更", "三更"),
        "p2": ("阿瑶",),
        "p3": ("钱友德", "钱账房"),
        "p4": ("老钱", "师傅"),
        "p5": ("周船工", "师傅"),
        "l1": ("寒石渡",),
        "l2": ("船行",),
        "i1": ("铜灯",),
        "g1": ("渡河会",),
    },
    "en": {
        "p1": ("Nell Harrow", "Nell"),
        "p2": ("Ada Quill", "Ada"),
        "p3": ("Josiah Pym", "Pym"),
        "p4": ("Old Bede", "Master"),
        "p5": ("Tom Weir", "Master"),
        "l1": ("Coldstone Ferry",),
        "l2": ("the Office",),
        "i1": ("the brass lamp",),
        "g1": ("the Ferrymen",),
    },
}
KINDS = {"p": "person", "l": "place", "i": "item", "g": "group"}


@cache
def rules() -> Rules:
    own: dict[str, dict[str, object]] = {"oil": {"subject": "item", "value": "number", "unit": "pound"}}
    return Rules.build([PACK], BookConfig(id="b", title="T", language="en", predicates=own))


def _fact(number: int, subject: str, predicate: str, value: Any, kind: Any = "text") -> Fact:
    return Fact(
        id=f"genesis.f{number}",
        handle=f"f{number}",
        subject=f"genesis.{subject}",
        predicate=predicate,
        object=value,
        object_kind=kind,
        valid_from_chapter=0,
        source_chapter=0,
        evidence=Evidence(quote="q", source="bible/cast.md"),
    )


@cache
def state(language: Language) -> StoryState:
    zh = language == "zh"
    facts = [
        _fact(1, "p1", "location", "genesis.l1", "entity"),
        _fact(2, "i1", "holder", "genesis.p1", "entity"),
        _fact(3, "p1", "injury", "左臂：断" if zh else "left arm: broken"),
        _fact(4, "p1", "debt", 120, "number"),
        _fact(5, "p3", "role", "账房" if zh else "clerk"),
    ]
    hook = Hook(
        id="genesis.h1",
        handle="h1",
        start_chapter=0,
        last_advanced_chapter=0,
        core="那张油票到底去了哪里" if zh else "where did the oil slip really go",
    )
    truth = AuthorTruth(
        id="genesis.s1",
        handle="s1",
        question="谁灭了灯？" if zh else "Who put the lamp out?",
        truth="阿瑶灭了灯。" if zh else "Ada put it out.",
        known_by=("genesis.p2",),
    )
    return StoryState(
        book_id="lamp",
        language=language,
        last_applied_chapter=0,
        clock=StoryClock(day=3, minute=600, label=""),
        entities={
            f"genesis.{h}": Entity(
                id=f"genesis.{h}",
                handle=h,
                kind=KINDS[h[0]],  # type: ignore[arg-type]
                name=names[0],
                aliases=names[1:],
            )
            for h, names in NAMES[language].items()
        },
        facts={fact.id: fact for fact in facts},
        hooks={hook.id: hook},
        truths={truth.id: truth},
    )


def entry(key: str = "c1") -> OutlineEntry:
    texts = ("gets the slip", "loses the lamp", "the account is half clear")
    return OutlineEntry(
        key=key,
        title="Slip",
        beats=tuple(OutlineBeat(key=f"{key}#{n}", handle=f"o{n}", text=text) for n, text in enumerate(texts, 1)),
    )


@cache
def book(language: Language) -> Book:
    return Book(
        revision=1,
        config=BookConfig(id="lamp", title="Lamp", language=language, length=LengthConfig(target=2000)),
        index=Index(book_id="lamp"),
        state=state(language),
        outline=Outline(entries=(entry(), entry("c2"))),
    )


def plan(language: Language, do: Any = "advance") -> Plan:
    return Plan(
        title="油票" if language == "zh" else "The Slip",
        outline_key="c1",
        pov="genesis.p1",
        beats=tuple(
            Beat(
                handle=f"b{n}",
                wants="要油票" if language == "zh" else "wants the oil slip",
                against="账房" if language == "zh" else "the clerk",
                words=500,
            )
            for n in range(1, 5)
        ),
        promises=(PlannedPromise(hook="genesis.h1", do=do),),
        end="x",
        target=2000,
    )


def settled(language: Language, **changes: Any) -> dict[str, Any]:
    """A settlement of PROSE as the contract has it."""
    zh = language == "zh"
    made: dict[str, Any] = {
        "entities": [
            {
                "h": "n1",
                "kind": "person",
                "name": "小满" if zh else "Tib",
                "aliases": [],
                "maybe": None,
                "quote": "小满从后门进来" if zh else "Tib came in by the back",
            },
        ],
        "events": [
            {
                "type": "travel",
                "subject": "p1",
                "object": "l2",
                "quote": "叶三更走到船行" if zh else "Nell walked to the Office",
            },
            {
                "type": "transfer",
                "subject": "i1",
                "object": "p3",
                "quote": "钱友德接过铜灯" if zh else "Pym lifted the brass lamp out of her hands",
            },
        ],
        "facts": [
            {
                "subject": "p1",
                "predicate": "location",
                "object": "l2",
                "closes": None,
                "quote": "叶三更走到船行" if zh else "Nell walked to the Office",
            },
            {
                "subject": "i1",
                "predicate": "holder",
                "object": "p3",
                "closes": None,
                "quote": "挂在自己腰上" if zh else "hung it from his own belt",
            },
        ],
        "observations": [
            {
                "mode": "dialogue",
                "source": "p3",
                "subject": "p1",
                "predicate": "debt",
                "object": "200",
                "when": None,
                "quote": "叶三更欠二百两" if zh else "Nell owes two hundred",
            },
        ],
        "hook_ops": [
            {
                "op": "upsert",
                "hook": "h1",
                "core": "",
                "timing": None,
                "trigger": "",
                "quote": "把一张油票塞给他" if zh else "slid the slip into her sleeve",
            },
        ],
        "beats_done": [{"beat": "o1", "quote": "把一张油票塞给他" if zh else "slid the slip into her sleeve"}],
        "summary": "叶三更拿到油票，失了铜灯。" if zh else "Nell gets the slip and loses the lamp.",
        "clock": {
            "day": 3,
            "time": "20:15",
            "label": "夜" if zh else "night",
            "quote": "今晚清了一半" if zh else "was clear tonight",
        },
    }
    return made | changes


def planned(language: Language, **changes: Any) -> dict[str, Any]:
    """A plan as the contract has it."""
    zh = language == "zh"
    made: dict[str, Any] = {
        "title": "油票" if zh else "The Slip",
        "pov": "p1",
        "cast": [
            {"who": "p1", "wants": "要回油票" if zh else "the slip back", "unsaid": ""},
            {"who": "小满" if zh else "Tib", "wants": "一口饭" if zh else "a meal", "unsaid": ""},
        ],
        "places": ["l1", "l2"],
        "starts": {"day": 3, "label": "傍晚" if zh else "dusk"},
        "ends": {"day": 3, "label": ""},
        "change": "x",
        "knows": ["a"],
        "believes": ["b"],
        "asks": ["c?"],
        "beats": [
            {
                "h": f"b{n}",
                "outline": [f"o{min(n, 3)}"],
                "link": None if n == 1 else "so",
                "wants": "w",
                "against": "a",
                "outcome": "yes_but",
                "cost": "c",
                "thing": "灯" if zh else "lamp",
                "words": 500,
            }
            for n in range(1, 5)
        ],
        "promises": [{"hook": "h1", "do": "advance", "how": "x"}],
        "keep": "",
        "avoid": ["x"],
        "end": "e",
        "end_kind": "result",
        "open": [],
    }
    return made | changes


QUESTIONS = tuple(
    Question(
        id=f"q{n}",
        dimension="motive",
        text=f"{n}?",
        trouble_if="yes",
        contradiction=n == 3,
        control="yes" if n == 2 else None,
    )
    for n in range(1, 9)
)


def audited(language: Language, **changes: Any) -> dict[str, Any]:
    """An audit of PROSE as the contract has it."""
    lamp = "挂在自己腰上" if language == "zh" else "hung it from his own belt"
    answers = [
        {
            "id": q.id,
            "quotes": [{"from": "text", "quote": lamp}] if q.id == "q2" else [],
            "why": "",
            "verdict": "yes" if q.control else "no",
        }
        for q in QUESTIONS
    ]
    score = {"change": 17, "people": 16, "cause": 15, "prose": 14, "end": 18}
    return {"answers": answers, "beside": [], "score": score} | changes


def finding(language: Language, number: int = 1) -> NumberedFinding:
    words = "她把壶挪了挪" if language == "zh" else "she moved the kettle an inch"
    if number > 1:
        words = "脱了湿鞋" if language == "zh" else "took off her wet shoes"
    return NumberedFinding(
        id=f"F{number}",
        wrong="w",
        settle="s",
        finding=Finding(code="prose-001", severity="warning", quotes=(Quote(text=words),)),
    )


def text_of(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
