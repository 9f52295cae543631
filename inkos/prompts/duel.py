"""Two openings before an auditor, and the reply read back; does not know what becomes of the weaker one."""

from __future__ import annotations

from typing import Literal

from inkos.prompts.context import system_message
from inkos.prompts.kit import Kit
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.request import Message, Papers, Request
from inkos.records import Record

CAP = 600  # tokens of a reply: one short object
KEYS = frozenset({"better", "margin", "quote", "why"})
MOST = 3
_SIDES: dict[str, Literal["first", "second", "even"]] = {
    "a": "first", "甲": "first", "b": "second", "乙": "second", "even": "even", "持平": "even",
}  # fmt: skip


class DuelVerdict(Record):
    """`margin` 0 (even) to 3 (by far); `quote` stands in the better text, or is empty."""

    better: Literal["first", "second", "even"]
    margin: int
    why: str = ""
    quote: str = ""


def duel_request(kit: Kit, *, title: str, brief: str, first: str, second: str) -> Request:
    text = kit.render("duel", brief=brief.strip() or "–", first=first.strip(), second=second.strip())
    papers = Papers(language=kit.language, title=title, text=first, brief=second)
    messages = (Message(role="system", text=system_message(kit, title)), Message(role="user", text=text))
    return Request(task="duel", messages=messages, papers=papers, reply="json", cap=CAP)


def read_duel(text: str, *, first: str, second: str, complete: bool = True) -> DuelVerdict | None:
    """Null where the reply says nothing that can be used. A verdict whose quote does not stand in the text that it
    prefers has not looked at it: it counts as even."""
    found = read_object(text, KEYS, complete=complete).object
    if found is None:
        return None
    better = _SIDES.get(str(found.get("better", "")).strip().casefold())
    if better is None:
        return None
    margin = found.get("margin")
    size = max(0, min(MOST, int(margin))) if isinstance(margin, int | float) else 1
    quote, why = str(found.get("quote") or "").strip(), str(found.get("why") or "").strip()[:300]
    if better == "even" or size == 0 or not quote or quote not in (first if better == "first" else second):
        return DuelVerdict(better="even", margin=0, why=why)
    return DuelVerdict(better=better, margin=size, why=why, quote=quote[:300])
