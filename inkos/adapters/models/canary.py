"""A few fixed questions with measured answers: a bad day of a model shows before it is paid for; judges no story."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

from inkos.adapters.models.reach import asked
from inkos.adapters.models.service import ServiceModel
from inkos.errors import ModelFault
from inkos.ports import CanaryMeasure, Reply
from inkos.text.count import count
from inkos.text.lang import language_of

PAGE_EN = (
    "The lamp in the ferry house burned until four. Mara wrote the tally of the night in pencil: nine crates, two men, "
    "one dog. The river had risen by a hand. Nobody had asked for the ferryman since Tuesday. She put the pencil down."
)
PAGE_ZH = (
    "渡口的灯亮到四更。阿满用铅笔记下这一夜的账：九只箱子，两个人，一条狗。河水涨了一掌。"
    "打礼拜二起就没人找过艄公。她把笔搁下了。"
)
FOURTH_EN, FOURTH_ZH = "Nobody had asked for the ferryman since Tuesday.", "打礼拜二起就没人找过艄公。"
WORDS = 150  # of the prose that is asked for, in words or characters

# How far a measure may fall before it is a worse day: shares are 0 or 1; speed varies by half on an ordinary day.
FALL = {"speed": 0.5}


class Question(NamedTuple):
    name: str
    text: str
    measure: Callable[[str], dict[str, float]]


def _object(text: str) -> dict[str, float]:
    try:
        value = json.loads(text)
    except ValueError:
        return {"json": 0.0}
    return {"json": float(value == {"crates": 9, "men": 2, "animals": ["dog"]})}


def _prose_zh(text: str) -> dict[str, float]:
    length = count(text, "zh")
    return {"length": float(0.5 * WORDS <= length <= 2 * WORDS), "language": float(language_of(text) == "zh")}


QUESTIONS = (
    Question("json", PAGE_EN + '\nReply with one JSON object and nothing else: {"crates": number, "men": number, '
             '"animals": [names in the singular]} as the page has them.', _object),
    Question("quote-en", PAGE_EN + "\nCopy the fourth sentence of the page letter for letter, and nothing else.",
             lambda text: {"quote": float(text.strip() == FOURTH_EN)}),
    Question("quote-zh", PAGE_ZH + "\n逐字抄出上文的第四句，别的什么也不要写。",
             lambda text: {"quote": float(text.strip() == FOURTH_ZH)}),
    Question("prose-zh", PAGE_ZH + f"\n接着写约{WORDS}字，只写正文。", _prose_zh),
)  # fmt: skip


async def canary(model: ServiceModel, at: float) -> tuple[CanaryMeasure, ...]:
    """Ask every question, compare with last time, keep the new measures. A question whose call fails measures nothing
    but `answered` 0."""
    learned = model.memory.of(model.provider.base_url, model.route.model)
    rows: list[CanaryMeasure] = []
    now: dict[str, dict[str, float]] = {}
    for question in QUESTIONS:
        try:
            reply = await model.complete(asked(question.text, cap=2048))
            measures = {"answered": 1.0, **question.measure(reply.text), **_speed(reply)}
        except ModelFault as fault:
            measures = {"answered": 0.0}
            rows.append(CanaryMeasure(question=question.name, measure=fault.kind, now=0.0, before=None, worse=False))
        now[question.name] = measures
        rows += _compared(question.name, measures, learned.canary.get(question.name, {}))
    kept = model.memory.of(model.provider.base_url, model.route.model)
    model.memory.keep(model.provider.base_url, model.route.model, kept.model_copy(update={"canary": now, "at": at}))
    return tuple(rows)


def _speed(reply: Reply) -> dict[str, float]:
    """Tokens a second."""
    return {"speed": round(reply.usage.output / reply.seconds, 1)} if reply.seconds > 0 and reply.usage.output else {}


def _compared(question: str, now: Mapping[str, float], before: Mapping[str, float]) -> list[CanaryMeasure]:
    rows = []
    for name, value in now.items():
        old = before.get(name)
        worse = old is not None and value < old * FALL.get(name, 1.0)
        rows.append(CanaryMeasure(question=question, measure=name, now=value, before=old, worse=worse))
    return rows
