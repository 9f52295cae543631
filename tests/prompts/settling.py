"""Short ways to say what a settler replies about the chapter of reading.py, for tests of its readers."""

from __future__ import annotations

from typing import Any

from inkos.kernel.delta import Delta
from inkos.prompts.readers import Read, read_settle
from tests.prompts.reading import PROSE, book, entry, plan, rules, settled, text_of


def read(language: Any = "en", *, do: str = "advance", raw: str = "", **changes: Any) -> Read[Delta]:
    return read_settle(
        raw or text_of(settled(language, **changes)),
        book=book(language),
        entry=entry(),
        next_entry=entry("c2"),
        rules=rules(),
        prose=PROSE[language],
        chapter_id="c0001",
        position=1,
        plan=plan(language, do),
    )


def delta(language: Any = "en", **more: Any) -> Delta:
    got = read(language, **more)
    assert got.value is not None, got.fault
    return got.value


def fault(**more: Any) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    got = read(**more)
    assert got.fault is not None, got.notes
    assert got.value is None or got.fault.code in ("reply-quote", "beat"), got.notes
    return got.fault.code, got.fault.where, got.fault.keys


def fact(
    subject: str, predicate: str, value: Any, quote: str = "Nell walked to the Office", **more: Any
) -> dict[str, Any]:
    return {"subject": subject, "predicate": predicate, "object": value, "closes": None, "quote": quote} | more


def seen(mode: str, quote: str = "Nell owes two hundred", **more: Any) -> dict[str, Any]:
    item = {"mode": mode, "source": "p3", "subject": "p1", "predicate": "debt", "object": 200, "when": None}
    return item | {"quote": quote} | more


def op(
    kind: str, hook: str, core: str = "", quote: str = "slid the slip into her sleeve", **more: Any
) -> dict[str, Any]:
    return {"op": kind, "hook": hook, "core": core, "timing": None, "trigger": "", "quote": quote} | more
