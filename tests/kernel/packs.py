"""Rules for kernel tests, read once at import (the tests themselves touch no disk), and short ways to say things."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from inkos.config import BookConfig
from inkos.kernel.delta import Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.reduce import Reduced, apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, StoryState

FOLDER = Path(__file__).resolve().parents[2] / "inkos" / "kernel" / "rules"
PACKS: list[dict[str, Any]] = [yaml.safe_load(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.yaml"))]


def rules(genre: str = "general", **book: Any) -> Rules:
    return Rules.build(PACKS, BookConfig(id="b", title="T", language="en", genre=genre, **book))


GENERAL = rules()
ALL = rules("all")
EMPTY = StoryState(book_id="b", language="en")
# Each item quotes one of these words, so that the order of a chapter's items is the order of its words.
TEXT = " ".join(f"w{number}." for number in range(1, 60))


def said(place: int) -> Evidence:
    """Evidence that stands at the `place`-th word of TEXT."""
    return Evidence(quote=f"w{place}.")


BIBLE = {
    "bible/cast.md": "Luo Qing and Mira, Wen and Shen. The jade seal. The Harbor, the Citadel. The crew. The world."
}
CAST = {
    "luo": ("person", "Luo"),
    "mira": ("person", "Mira"),
    "wen": ("person", "Wen"),
    "shen": ("person", "Shen"),
    "seal": ("item", "jade seal"),
    "harbor": ("place", "Harbor"),
    "citadel": ("place", "Citadel"),
    "crew": ("group", "crew"),
    "world": ("concept", "world"),
}


def genesis(*facts: tuple[str, str, Any], **more: Any) -> Delta:
    """Delta 0 with the cast above and these (subject, predicate, object)."""
    quote = Evidence(quote="Luo Qing and Mira", source="bible/cast.md")
    return Delta(
        kind="genesis",
        chapter="genesis",
        position=0,
        entities=tuple(
            Entity(id=name, kind=kind, name=word, evidence=Evidence(quote=word, source="bible/cast.md"))  # type: ignore[arg-type]
            for name, (kind, word) in CAST.items()
        ),
        facts=tuple(
            FactChange(id=f"genesis.f{n}", subject=s, predicate=p, object=o, evidence=quote)
            for n, (s, p, o) in enumerate(facts, 1)
        ),
        **more,
    )


def founded(*facts: tuple[str, str, Any], use: Rules = GENERAL, **more: Any) -> StoryState:
    done = apply(EMPTY, genesis(*facts, **more), "", use, sources=BIBLE)
    assert done.state is not None, done.findings
    return done.state


def chapter(position: int = 1, **items: Any) -> Delta:
    return Delta(chapter=f"c{position:04}", position=position, **items)


def fact(
    place: int, subject: str, predicate: str, value: Any, number: int = 0, position: int = 1, **more: Any
) -> FactChange:
    return FactChange(
        id=f"c{position:04}.f{number or place}",
        subject=subject,
        predicate=predicate,
        object=value,
        evidence=said(place),
        **more,
    )


def event(place: int, kind: str, subject: str, value: Any = None, position: int = 1) -> EventItem:
    return EventItem(id=f"c{position:04}.e{place}", type=kind, subject=subject, object=value, evidence=said(place))


def shown(
    place: int, subject: str, predicate: str, value: Any = None, mode: Any = "narrated", **more: Any
) -> Observation:
    return Observation(mode=mode, subject=subject, predicate=predicate, object=value, evidence=said(place), **more)


def hook(place: int, op: Any, name: str, core: str = "", **more: Any) -> HookOp:
    return HookOp(op=op, hook=name, core=core, evidence=said(place), **more)


def run(state: StoryState, use: Rules = GENERAL, position: int = 1, **items: Any) -> Reduced:
    return apply(state, chapter(position, **items), TEXT, use)


def codes(done: Reduced, *, least: str = "warning") -> list[str]:
    """The codes found, from `least` severity on."""
    order = ("info", "warning", "blocking")
    return [f.code for f in done.findings if order.index(f.severity) >= order.index(least)]
