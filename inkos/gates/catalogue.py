"""docs/checks.md as text: the catalogue, its words, and how often each check is right; does not write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inkos.gates.check import Check
from inkos.messages import Language, Messages

_PREFIX, _SUFFIX = "findings.", ".about"
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_HEAD: dict[str, tuple[str, str]] = {
    "en": (
        "# Checks\n\nGenerated; do not edit. A code is permanent. Worst: the most severe that a check gives. Found: "
        "faults that were there and were found, of how many. False alarms: chapters of human novels that trip the "
        "check, of how many. A check without both figures may not block; those of the rules (kernel) are "
        "measured on labelled cases, the audit's are a model's word.",
        "| code | worst | found en | false alarms en | found zh | false alarms zh | on | what it sees |\n"
        "|---|---|---|---|---|---|---|---|",
    ),
    "zh": (
        "# 检查\n\n由程序生成，不要手改。编号不变。最重：这一项至多给到哪一级。查出：放进去的毛病查出几处、共几处。"
        "误报：人写的小说里触发的章数、共几章。两样数字不全的检查不得拦下章节；"
        "规则（kernel）的各项在标注的案例上量，审稿的各项是模型的话。",
        "| 编号 | 最重 | 查出 en | 误报 en | 查出 zh | 误报 zh | 数据 | 看什么 |\n|---|---|---|---|---|---|---|---|",
    ),
}


def describe(catalogue: Mapping[str, Check], messages: Messages, figures: Mapping[str, Any] | None = None) -> str:
    """One table of every code that has words, checks of other rooms and the audit included (their severity depends).
    `figures`: the parsed inkos/gates/data/figures.yaml."""
    title, head = _HEAD[messages.language]
    known: Mapping[str, Any] = (figures or {}).get("checks", {})
    codes = sorted(
        code.removeprefix(_PREFIX).removesuffix(_SUFFIX)
        for code in messages.codes()
        if code.startswith(_PREFIX) and code.endswith(_SUFFIX)
    )
    rows = []
    for code in codes:
        worst = catalogue[code].severity if code in catalogue else "–"
        about = messages.raw(f"{_PREFIX}{code}{_SUFFIX}").replace("|", "/")
        cells = [cell for language in _LANGUAGES for cell in _figures(known.get(code, {}).get(language, {}))]
        on = known.get(code, {}).get("en", {}).get("on", "human" if code in known else "–")
        rows.append(f"| {' | '.join((code, worst, *cells, on, about))} |")
    data = [f"- {name}: {text}" for name, text in (figures or {}).get("data", {}).items()]
    return "\n".join([title, "", *data, "", head, *rows, ""])


def _figures(row: Mapping[str, Any]) -> tuple[str, str]:
    found = f"{row['found']}/{row['planted']}" if "found" in row else "–"
    alarms = f"{row['alarms']}/{row['of']}" if "alarms" in row else "–"
    return found, alarms


def may_block(code: str, figures: Mapping[str, Any]) -> bool:
    """Are recall and false alarms of a check recorded in both languages?"""
    row = figures.get("checks", {}).get(code, {})
    return all({"found", "planted", "alarms", "of"} <= set(row.get(language, {})) for language in _LANGUAGES)
