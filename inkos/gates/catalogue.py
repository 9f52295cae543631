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
        "check, of how many. A check of prose without both figures may not block. Those of the rules are "
        "measured on labelled cases, contradictions and their clean twins, of the families in which the code decides; "
        "what only compares ids, forms and digests (kernel-, hook-) is exact, the audit's are a model's word.",
        "| code | worst | found en | false alarms en | found zh | false alarms zh | on | what it sees |\n"
        "|---|---|---|---|---|---|---|---|",
    ),
    "zh": (
        "# 检查\n\n由程序生成，不要手改。编号不变。最重：这一项至多给到哪一级。查出：放进去的毛病查出几处、共几处。"
        "误报：人写的小说里触发的章数、共几章。两样数字不全的正文检查不得拦下章节。"
        "规则的各项在标注过的矛盾和与之成对的无矛盾案例上量；只比编号、格式、摘要的（kernel-、hook-）是精确的；"
        "审稿的各项是模型的话。",
        "| 编号 | 最重 | 查出 en | 误报 en | 查出 zh | 误报 zh | 数据 | 看什么 |\n|---|---|---|---|---|---|---|---|",
    ),
}


# What an editor looks at, the codes by which code decides it, and those that an audit's questions may give.
DIMENSIONS: tuple[tuple[dict[Language, str], tuple[str, ...], tuple[str, ...]], ...] = (
    ({"en": "character consistency", "zh": "人物前后一致"}, ("continuity-009", "continuity-011", "continuity-014"),
     ("audit-001",)),
    ({"en": "motives", "zh": "动机"}, (), ("audit-001",)),
    ({"en": "side characters", "zh": "配角"}, (), ("audit-001",)),
    ({"en": "knowledge boundaries", "zh": "知情边界"}, ("knowledge-001", "knowledge-002"), ("audit-002",)),
    ({"en": "timeline", "zh": "时间线"}, ("continuity-012", "time-001", "time-003"), ("audit-003",)),
    ({"en": "places, wounds, holders", "zh": "地点、伤势、持有"},
     ("continuity-001", "continuity-002", "continuity-003", "continuity-004", "continuity-010", "time-002"),
     ("audit-003",)),
    ({"en": "power scaling", "zh": "战力与等级"}, ("continuity-005", "continuity-006"), ("audit-004",)),
    ({"en": "numbers", "zh": "数目"}, ("continuity-007", "continuity-008", "figures-001", "prose-010"), ("audit-004",)),
    ({"en": "rules of the setting", "zh": "设定规则"}, ("continuity-013",), ("audit-005",)),
    ({"en": "era", "zh": "时代"}, (), ("audit-005",)),
    ({"en": "promises", "zh": "伏笔"}, ("hook-003", "hook-004", "hook-006", "structure-006"), ("audit-006",)),
    ({"en": "payoff dilution", "zh": "爽点稀释"}, ("prose-006", "structure-008"), ("audit-006",)),
    ({"en": "outline", "zh": "大纲偏离"}, ("structure-001", "structure-002", "structure-003", "structure-004"), ()),
    ({"en": "pacing", "zh": "节奏"}, ("prose-016", "structure-005", "structure-011"), ("audit-007",)),
    ({"en": "chapter end", "zh": "章末"}, ("structure-007",), ("audit-008",)),
    ({"en": "reader expectation", "zh": "读者期待"}, ("structure-008", "structure-009", "structure-010"),
     ("audit-006", "audit-008")),
    ({"en": "dialogue", "zh": "对话"}, ("prose-016",), ("audit-009",)),
    ({"en": "point of view, person", "zh": "视角与人称"}, ("person-001", "person-002", "person-003"), ("audit-002",)),
    ({"en": "style and model habits", "zh": "文风与模型腔"},
     ("prose-001", "prose-002", "prose-004", "prose-011", "prose-012", "prose-013", "prose-014", "prose-015"), ()),
    ({"en": "repetition", "zh": "重复"}, ("prose-005", "prose-006", "prose-013"), ()),
    ({"en": "length and language", "zh": "篇幅与语言"}, ("length-001", "length-002", "length-003", "lang-001"), ()),
)  # fmt: skip
_DIMENSION_HEAD: dict[str, str] = {
    "en": "## Dimensions\n\nWhat code decides, and what a model is asked (yes/no questions with quotes; which of them "
    "depends on genre and on what the chapter touches).\n\n"
    "| dimension | code decides | an audit is asked |\n|---|---|---|",
    "zh": "## 维度\n\n哪些由代码判定，哪些去问模型（带引文的是非题；问哪些，看题材和这一章碰到什么）。"
    "\n\n| 维度 | 代码判定 | 问审稿 |\n|---|---|---|",
}


def _dimensions(language: Language) -> list[str]:
    rows = [f"| {names[language]} | {', '.join(codes) or '–'} | {', '.join(asked) or '–'} |"
            for names, codes, asked in DIMENSIONS]  # fmt: skip
    return [_DIMENSION_HEAD[language], *rows]


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
    return "\n".join([title, "", *data, "", head, *rows, "", *_dimensions(messages.language), ""])


def _figures(row: Mapping[str, Any]) -> tuple[str, str]:
    found = f"{row['found']}/{row['planted']}" if "found" in row else "–"
    alarms = f"{row['alarms']}/{row['of']}" if "alarms" in row else "–"
    return found, alarms


def may_block(code: str, figures: Mapping[str, Any]) -> bool:
    """Are recall and false alarms of a check recorded in both languages?"""
    row = figures.get("checks", {}).get(code, {})
    return all({"found", "planted", "alarms", "of"} <= set(row.get(language, {})) for language in _LANGUAGES)
