"""Measures every check of the catalogue and writes what docs/checks.md shows: recall and false alarms by language.

    python -m tests.bench.figures [--write]

False alarms: chapters of human novels that trip the check, of how many, each novel judged with thresholds fitted on the
others. Recall: chapters of novels into which the fault was put, found, of how many; for the densities chapters and
windows of models instead. A check that needs a plan or a settlement is measured where the fault can be put into those.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

import yaml

from inkos.config import BookConfig, StyleConfig
from inkos.gates.check import CheckContext, Figure, StoryView
from inkos.gates.checks import CATALOGUE, run
from inkos.kernel.casebook import judged as judged_cases
from inkos.kernel.casebook import read_cases
from inkos.kernel.papers import Beat, OutlineBeat, OutlineEntry, Plan
from inkos.kernel.rules import Rules
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.repeat import shingles
from inkos.text.segment import paragraphs
from tests.bench import corpora
from tests.bench.fit import house
from tests.bench.long_story import PACKS
from tests.bench.prose import counted, planted, windows
from tests.data import ROOT, SHARED
from tests.kernel.pairs import cases as own_cases

PATH = ROOT / "inkos" / "gates" / "data" / "figures.yaml"
EACH = 8  # chapters of a work that faults are put into
ON = {
    "human": "published novels out of copyright (en: 5, 1813–1921; zh: 3, 18th century–1941), each judged with "
             "thresholds fitted on the others",
    "planted": "the fault put into chapters of those novels",
    "cases": "labelled contradictions of a state and their clean twins: the project's own pairs, and a shared sample",
    "models": "chapters and stories of models (en: 13 models, zh: 1), on which no threshold was fitted",
}


class Case(NamedTuple):
    text: str
    changes: dict[str, Any] = {}


Plant = Callable[[str, str, Language, int], Case]


def _middle(text: str, words: str) -> str:
    """`words` as a paragraph of their own in the middle of the text."""
    parts = [p.text for p in paragraphs(text)]
    return "\n\n".join([*parts[: len(parts) // 2], words, *parts[len(parts) // 2 :]])


def _pick(rows: dict[str, list[str]]) -> Callable[[Language, int], str]:
    return lambda language, n: rows[language][n % len(rows[language])]


_TALK = _pick({
    "en": ["As an AI language model, I cannot continue this scene.", "Sure! Here is the revised chapter.",
           "Here's the next chapter:", "[TODO: describe the fight]", "I'm sorry, but I can't write that.",
           "Let me know if you would like any changes.", "[scene omitted for brevity]"],
    "zh": ["作为一个AI语言模型，我无法继续。", "好的，以下是修改后的正文：", "以下是第三章的内容：",
           "（此处省略打斗描写）",
           "【待补】", "希望这一章符合您的需要，如需修改请告诉我。"],
})  # fmt: skip
_NUMBERED = _pick({
    "en": ["She thought of the letter in Chapter 12 again.", "It was as it had been in chapter three.",
           "He remembered what was said in the previous chapter."],
    "zh": ["她又想起第12章里那封没寄出的信。", "这与第三章里的情形一样。", "上一章里的那把刀还在桌上。"],
})  # fmt: skip
_MARKS = _pick({
    "en": ["## The Mill", "```", "<thinking>He must leave.</thinking>", "- one\n\n- two\n\n- three"],
    "zh": ["## 磨坊", "```", "<thinking>他得走。</thinking>", "**重点**他走了。"],
})  # fmt: skip
_CLAIM = _pick({
    "en": ["The note said “wait for me here.” Five words in all.", "He had read it: “Go home.” Three words."],
    "zh": ["墙上写着“雨停之前别开灯”，一共八个字。", "信上只有四个字：“今夜三更来。”"],
})  # fmt: skip
_STOCK = _pick({
    "en": ["His answer was barely above a whisper.", "A shiver ran down her spine.",
           "She let out a breath she didn't know she had been holding.", "It was a testament to his patience."],
    "zh": ["他嘴角勾起一抹冷笑。", "她眼中闪过一丝寒光。", "众人倒吸一口凉气。", "空气仿佛凝固了。"],
})  # fmt: skip
_BANNED = {"en": "quicksilver promise", "zh": "一抹弧度般"}
_OTHER = {"en": "他把门关上，走到院子里，又回头看了一眼。", "zh": "He shut the door and went into the yard. "}


def _plan(**changes: Any) -> Plan:
    return Plan(title="", pov="", target=1, beats=(Beat(handle="b1", wants="x", outline=("e#1", "e#2")),), **changes)


_ENTRY = OutlineEntry(key="e", title="e", beats=(OutlineBeat(key="e#1", handle="o1", text="one"),
                                                OutlineBeat(key="e#2", handle="o2", text="two")))  # fmt: skip
_NEXT = OutlineEntry(key="f", title="f", beats=(OutlineBeat(key="f#1", handle="o1", text="three"),))
_STORY = StoryView(position=9, figures=(Figure(labels=("level", "等级"), values=(11.0, 12.0)),))

PLANTS: dict[str, Plant] = {
    "length-001": lambda t, s, g, n: Case(t, {"target": round(count(t, g) / 1.18)}),
    "length-002": lambda t, s, g, n: Case(t, {"target": round(count(t, g) / 1.4)}),
    "length-003": lambda t, s, g, n: Case(t, {"target": count(t, g) * 3}),
    "lang-001": lambda t, s, g, n: Case(_OTHER[g] * 100),
    "prose-001": lambda t, s, g, n: Case(_middle(t, _BANNED[g]), {"style": StyleConfig(bans=(_BANNED[g],))}),
    "prose-002": lambda t, s, g, n: Case(_middle(t, "zq12zq"), {"style": StyleConfig(ban_patterns=(r"zq\d+zq",))}),
    "prose-003": lambda t, s, g, n: Case(t, {"title": "灯塔与旧潮", "style": StyleConfig(title_bans=("^.+与.+$",))}),
    "prose-005": lambda t, s, g, n: Case(_middle(t, max((p.text for p in paragraphs(t)), key=len))),
    "prose-006": lambda t, s, g, n: Case(planted(t, s, 0.05, g), {"earlier": (frozenset(shingles(s, g)),)}),
    "prose-007": lambda t, s, g, n: Case(_middle(t, _TALK(g, n))),
    "prose-008": lambda t, s, g, n: Case(_middle(t, _NUMBERED(g, n))),
    "prose-009": lambda t, s, g, n: Case(_middle(t, _MARKS(g, n))),
    "prose-010": lambda t, s, g, n: Case(_middle(t, _CLAIM(g, n))),
    "prose-011": lambda t, s, g, n: Case(_middle(t, _STOCK(g, n))),
    "figures-001": lambda t, s, g, n: Case(_middle(t, "[Level: 14]"), {"story": _STORY}),
    "person-003": lambda t, s, g, n: Case(t, {"story": _STORY.model_copy(update={"given_pov": "Zq", "pov": ("Qz",)})}),
    "structure-011": lambda t, s, g, n: Case(t, {"story": _STORY.model_copy(update={
        "goal": {"en": "Recover the quicksilver charter", "zh": "夺回水银盟约"}[g],
        "told": tuple(p.text for p in paragraphs(t)[:5])})}),
    "structure-001": lambda t, s, g, n: Case(t, {"plan": _plan(keep="“zq never said this zq”")}),
    "structure-002": lambda t, s, g, n: Case(t, {"plan": _plan(), "entry": _ENTRY, "next_entry": _NEXT,
                                                 "beats_done": ("e#1", "e#2", "f#1")}),
    "structure-003": lambda t, s, g, n: Case(t, {"plan": _plan(), "entry": _ENTRY, "beats_done": ()}),
}  # fmt: skip


def recall(code: str, language: Language) -> tuple[int, int]:
    """Planted faults found, of how many."""
    lists, found, total = house(language), 0, 0
    for texts in corpora.novels(language).values():
        held = texts[1::2][: EACH + 1]
        for number in range(1, len(held)):
            case = PLANTS[code](held[number], held[number - 1], language, number)
            given = {"target": max(1, count(case.text, language)), **case.changes}
            context = CheckContext(language=language, lists=lists, **given)
            total += 1
            found += any(f.code == code for f in CATALOGUE[code].run(case.text, context))
    return found, total


def of_models(code: str, language: Language) -> tuple[int, int]:
    works = corpora.models(language)
    if code == "prose-012":
        return windows(works, language)
    seen = counted(works, language)
    return seen.codes[code], seen.chapters


def measured() -> dict[str, object]:
    figures: dict[str, dict[str, dict[str, object]]] = {}
    for language in ("en", "zh"):
        human = counted(corpora.novels(language), language)
        for code in CATALOGUE:
            row: dict[str, object] = {"alarms": human.codes[code], "of": human.chapters}
            if code in PLANTS:
                row["found"], row["planted"] = recall(code, language)
                row["on"] = "planted"
            elif code in ("prose-004", "prose-012"):
                row["found"], row["planted"] = of_models(code, language)
                row["on"] = "models"
            figures.setdefault(code, {})[language] = row
    for code, rows in sorted(of_rules().items()):
        figures[code] = rows
    return {"data": ON, "checks": figures}


def of_rules() -> dict[str, dict[str, dict[str, object]]]:
    """The rules on labelled cases. A family of cases belongs to the codes that some case of it gives: of its
    contradictions those found, of how many; and of all clean twins of the language those that give the code."""
    use = Rules.build(PACKS, BookConfig(id="cases", title="cases", language="en", genre="all"))
    rows = own_cases()
    path = SHARED / "seeded-state" / "cases.jsonl"
    rows += list(map(dict, read_cases(path.read_text("utf-8"), str(path)))) if path.exists() else []
    tongue = {each["id"]: str(each["lang"]) for each in rows}
    results = judged_cases(rows, use)
    figures: dict[str, dict[str, dict[str, object]]] = {}
    for code in sorted({code for each in results if each.seeded for code in each.codes}):
        families = {each.family for each in results if each.seeded and code in each.codes}
        for language in ("en", "zh"):
            mine = [each for each in results if tongue[each.id] == language]
            seeded = [each for each in mine if each.seeded and each.family in families]
            clean = [each for each in mine if not each.seeded]
            row: dict[str, object] = {"alarms": sum(code in each.codes for each in clean), "of": len(clean)}
            if seeded:
                row |= {"found": sum(each.flagged for each in seeded), "planted": len(seeded)}
            figures.setdefault(code, {})[language] = {**row, "on": "cases"}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    text = yaml.safe_dump(measured(), allow_unicode=True, sort_keys=False, width=118, default_flow_style=None)
    print(text)
    if write:
        head = "# What each check finds and where it fires for nothing, by `python -m tests.bench.figures --write`.\n"
        PATH.write_text(head + text, "utf-8")


__all__ = ["PLANTS", "measured", "run"]

if __name__ == "__main__":
    main()
