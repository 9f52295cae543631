"""Stretches that are shown rather than told: system panels and documents set apart; knows no game and no figure.

A panel repeats its form by nature, so repetition and density are not measured in it. Three forms are known: a fence
(`::: system` … `:::`), a run of lines in brackets (`【等级：12】`, `[Strength: 40]`), a quoted document (`> …`).
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["system", "document"]
PANELS = frozenset({"system", "stat", "stats", "status", "panel", "系统", "面板", "状态"})


class Block(NamedTuple):
    """`start` up to `end` in the text, marks included."""

    kind: Kind
    start: int
    end: int


class Entry(NamedTuple):
    """One labelled figure of a panel: `label` as written, `figure`, and the most it can be where the panel says so."""

    label: str
    figure: float
    most: float | None
    start: int
    end: int


_FENCE = re.compile(r"^[ \t]*:{3,}[ \t]*(?P<name>\w+)[^\n]*\n(?P<body>.*?)(?:^[ \t]*:{3,}[ \t]*$|\Z)", re.M | re.S)
_BRACKET_LINE = re.compile(r"^[ \t]*(?:【[^】\n]{1,200}】|\[[^\]\n]{1,200}\])[。.，,；;]?[ \t]*$", re.MULTILINE)
_QUOTED_LINE = re.compile(r"^[ \t]*>[^\n]*$", re.MULTILINE)
_LABEL = r"(?P<label>[^\W\d_][^:：\n\[\]【】|,，;；/+\d]{0,30}?)"
_FIGURE = r"(?P<figure>[+-]?\d[\d,]*(?:\.\d+)?)"
_MOST = r"(?:[ \t]*/[ \t]*(?P<most>\d[\d,]*(?:\.\d+)?))?(?!\d|[ \t]*[→>-])"
_ENTRY = re.compile(_LABEL + r"[ \t]*[:：＝=][ \t]*(?:Lv\.?[ ]?)?" + _FIGURE + _MOST)
_CHANGE = re.compile(_LABEL + r"[ \t]*[:：＝=]?[ \t]*\d[\d,.]*[ \t]*(?:→|->|=>|⇒)[ \t]*" + _FIGURE + r"(?P<most>(?!))?")


def blocks(text: str) -> list[Block]:
    """The blocks in order. Bracket lines and quoted lines that follow each other, blanks between, are one block."""
    found = [Block(_kind(m["name"]), m.start(), m.end()) for m in _FENCE.finditer(text)]
    for pattern, kind in ((_BRACKET_LINE, "system"), (_QUOTED_LINE, "document")):
        for match in pattern.finditer(text):
            if any(b.start <= match.start() < b.end for b in found if b.kind != kind or b.end >= match.end()):
                continue
            last = next((b for b in reversed(found) if b.kind == kind), None)
            if last is not None and not text[last.end : match.start()].strip():
                found[found.index(last)] = last._replace(end=match.end())
            else:
                found.append(Block("system" if kind == "system" else "document", *match.span()))
    return sorted(found, key=lambda block: block.start)


def _kind(name: str) -> Kind:
    return "system" if name.lower() in PANELS else "document"


def told(text: str) -> str:
    """The text with every block blanked out, so that places stay the same."""
    out = text
    for block in blocks(text):
        inner = re.sub(r"[^\n]", " ", text[block.start : block.end])
        out = out[: block.start] + inner + out[block.end :]
    return out


def entries(text: str) -> list[Entry]:
    """The labelled figures of all system panels, in order; of a change (`40 → 45`) the later figure."""
    found: list[Entry] = []
    for block in blocks(text):
        if block.kind != "system":
            continue
        for pattern in (_CHANGE, _ENTRY):
            for match in pattern.finditer(text, block.start, block.end):
                if any(e.start < match.end() and match.start() < e.end for e in found):
                    continue
                most = match["most"]
                found.append(Entry(match["label"].strip(), _number(match["figure"]), _number(most) if most else None,
                                   *match.span()))  # fmt: skip
    return sorted(found, key=lambda entry: entry.start)


def _number(written: str) -> float:
    return float(written.replace(",", ""))
