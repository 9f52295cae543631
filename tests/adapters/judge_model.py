"""A judge of known noise behind a real service: scores a text by a measure of its own and a draw of chance."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field

from inkos.text.repeat import repeated_paragraphs
from tests.adapters.model_server import Answer, Seen, stream

_QUESTION = re.compile(r"^(q\d+)\b(.*)$", re.MULTILINE)
_WORDS = re.compile("stand in (Text|the last paragraph of Text)")


@dataclass
class NoisyJudge:
    """`deviation` of a score about its text's true one, in points of a hundred; `damage`: what a text loses that says
    paragraphs twice; `shift`: what is added when the questions come turned round."""

    deviation: float
    damage: float = 25.0
    shift: float = 0.0
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def __call__(self, seen: Seen) -> Answer:
        prompt = "\n".join(str(message["content"]) for message in seen.body["messages"])
        assert "# Task: audit" in prompt, prompt[-300:]
        before, _, asked = prompt.rpartition("## Questions")
        text = before.rpartition("# Text\n")[2].partition("\n# Task")[0].strip()
        questions = _QUESTION.findall(asked.partition("\n\n")[0])
        answers = [
            {"id": name, "quotes": [], "verdict": self._verdict(asks, text), "why": ""} for name, asks in questions
        ]
        turned = int(questions[0][0][1:]) > 1
        true = 60 + len(text) % 17 - (self.damage if repeated_paragraphs(text) else 0) + (self.shift if turned else 0)
        total = min(100.0, max(0.0, self.chance.gauss(true, self.deviation)))
        parts = dict.fromkeys(("change", "people", "cause", "prose", "end"), round(total / 5, 2))
        return stream(json.dumps({"answers": answers, "beside": [], "score": parts}), size=400)

    @staticmethod
    def _verdict(question: str, text: str) -> str:
        where = _WORDS.search(question)
        words = re.search("“(.+?)”", question)
        if where is None or words is None:
            return "cannot_judge"
        there = text if where[1] == "Text" else text.strip().splitlines()[-1]
        return "yes" if words[1] in there else "no"
