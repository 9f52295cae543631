"""Small invented books, plans and versions for the tests of this room."""

from __future__ import annotations

from typing import Literal

from inkos.config import BookConfig, LengthConfig, StyleConfig
from inkos.kernel.book import Book, Index
from inkos.kernel.findings import Finding, Quote, Severity
from inkos.kernel.papers import Assessment, Audit, Beat, CastMember, Outline, OutlineBeat, OutlineEntry, Plan, Score
from inkos.kernel.papers import Version as Version
from inkos.kernel.story import AuthorTruth, Entity, Fact, StoryState
from inkos.messages import Language

Origin = Literal["draft", "revision", "length", "rewrite", "given"]
TARGET = 1000
LENGTH = LengthConfig(target=TARGET)


def flaw(
    code: str = "prose-005",
    severity: Severity = "warning",
    *,
    by: Literal["rules", "check", "audit"] = "check",
    about: str = "",
    quote: str = "",
    **more: object,
) -> Finding:
    values = more.pop("values", {"about": about} if about else {})
    quotes = (Quote(text=quote),) if quote else ()
    return Finding.model_validate(
        {"code": code, "severity": severity, "by": by, "values": values, "quotes": quotes, **more}
    )


def audit(score: float | None) -> Audit:
    """An audit whose five parts sum to `score`; null: could not judge."""
    return Audit(score=None if score is None else Score(**dict.fromkeys(Score.model_fields, score / 5)))


def version(
    number: int,
    *findings: Finding,
    score: float | None = 90,
    length: int = TARGET,
    origin: Origin = "draft",
    text: str = "",
    admitted: bool = True,
    unreadable: tuple[str, ...] = (),
    void: bool = False,
) -> Version:
    judged = audit(score).model_copy(update={"void": void})
    assessment = Assessment(length=length, findings=findings, audit=judged, unreadable=unreadable)
    return Version(
        number=number, origin=origin, text=text or f"Text {number}.", assessment=assessment, admitted=admitted
    )


def entry(key: str, *beats: str, title: str = "") -> OutlineEntry:
    return OutlineEntry(
        key=key,
        title=title or key,
        beats=tuple(OutlineBeat(key=f"{key}#{n}", handle=f"o{n}", text=text) for n, text in enumerate(beats, 1)),
    )


def beat(wants: str, *outline: str, against: str = "", cost: str = "", thing: str = "", words: int = 250) -> Beat:
    return Beat(handle="b1", wants=wants, against=against, cost=cost, thing=thing, words=words, outline=outline)


def plan(*beats: Beat, title: str = "", cast: tuple[CastMember, ...] = (), **more: object) -> Plan:
    given = {"title": title, "pov": "qin", "cast": cast, "beats": beats, "target": TARGET, **more}
    return Plan.model_validate(given)


def place(who: str, where: str) -> Fact:
    return Fact(
        id=f"at-{who}", subject=who, predicate="location", object=where, object_kind="entity",
        valid_from_chapter=0, source_chapter=0,
    )  # fmt: skip


def status(who: str, what: str) -> Fact:
    return Fact(id=f"is-{who}", subject=who, predicate="status", object=what, valid_from_chapter=0, source_chapter=0)


def book(
    language: Language,
    entities: dict[str, tuple[str, str]],
    *,
    facts: tuple[Fact, ...] = (),
    truths: tuple[AuthorTruth, ...] = (),
    style: StyleConfig | None = None,
) -> Book:
    """`entities`: id → (kind, name). Handles are p1, p2 … for people, l1 … for places."""
    made: dict[str, Entity] = {}
    for ident, (kind, name) in entities.items():
        letter = {"person": "p", "place": "l", "item": "i", "group": "g"}[kind]
        number = 1 + sum(e.kind == kind for e in made.values())
        made[ident] = Entity.model_validate(
            {"id": ident, "handle": f"{letter}{number}", "kind": kind, "name": name, "introduced_at": 0}
        )
    state = StoryState(
        book_id="b", language=language, entities=made, facts={f.id: f for f in facts}, truths={t.id: t for t in truths}
    )
    config = BookConfig(id="b", title="b", language=language, style=style or StyleConfig())
    return Book(revision=1, config=config, index=Index(book_id="b"), state=state, outline=Outline())
