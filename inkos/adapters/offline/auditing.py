"""An audit: every question answered from the text, quotes really in it; knows no gate and no threshold."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from inkos.adapters.offline import material
from inkos.adapters.offline.faults import PlannedFault
from inkos.adapters.offline.grammar import SLOT
from inkos.adapters.offline.people import short_name
from inkos.adapters.offline.settling import Quoter
from inkos.kernel.papers import Question
from inkos.prompts.request import Papers
from inkos.text.segment import paragraphs, sentences

Object = dict[str, Any]
_ASKED_WORD = re.compile(r"[“「『\"]([^”」』\"]+)[”」』\"]")
_LAST = re.compile(r"last paragraph|最后一段|末段|末一段", re.I)
_SPOILED = ("dialogue", "对话", "pacing", "节奏", "end", "章末", "setting", "设定", "motive", "人物")
CLEAN, SPOILED = (17, 18), 12  # points of 20; five of 17 make 85


class Auditor:
    def __init__(self, papers: Papers, seed: int, faults: Sequence[PlannedFault]) -> None:
        self.papers, self.language = papers, papers.language
        self.quoter = Quoter(papers.text, papers.language)
        self.last = paragraphs(papers.text)[-1].text if papers.text.strip() else ""
        self.worn = self._worn_sentences(faults)
        self.chance = random.Random(f"{seed}|audit|{papers.title}|{papers.position}|{len(papers.text)}")

    def audit(self) -> Object:
        spoiled = self._spoiled_question()
        answers = [self._answer(question, question.id == spoiled) for question in self.papers.questions]
        score = {key: self.chance.choice(CLEAN) for key in ("change", "people", "cause", "prose", "end")}
        if self.worn:
            score = {**dict.fromkeys(score, CLEAN[0]), "prose": SPOILED}
        return {"answers": answers, "beside": [], "score": score}

    def _worn_sentences(self, faults: Sequence[PlannedFault]) -> list[str]:
        """Sentences of the text that are one of the worn ones, whoever they are said of."""
        known = [*material.strings(material.phrases(self.language)["worn"]), *(p for f in faults for p in f.phrases)]
        patterns = [re.compile(".{1,20}".join(re.escape(part) for part in SLOT.split(text)[::3])) for text in known]
        return [s.text for s in sentences(self.papers.text, self.language) if any(p.search(s.text) for p in patterns)]

    def _spoiled_question(self) -> str:
        """The question under which a worn sentence is told."""
        open_to = [
            q for q in self.papers.questions if q.trouble_if == "yes" and not q.contradiction and q.control is None
        ]
        open_to.sort(key=lambda q: _SPOILED.index(q.dimension) if q.dimension in _SPOILED else len(_SPOILED))
        return open_to[0].id if self.worn and open_to else ""

    def _answer(self, question: Question, spoiled: bool) -> Object:
        if spoiled:
            quotes = [self.quoter.out_of(self.worn[0]) or self.worn[0].strip("。. ")]
            return self._row(question, "yes", quotes, self._why("worn"))
        if question.control == "cannot_judge" or self._absent(question.text):
            return self._row(question, "cannot_judge", [], self._why("absent"))
        if question.control is not None:
            return self._control(question)
        if question.trouble_if == "no":
            return self._row(question, "yes", [self._shown(question)], self._why("shown"))
        return self._row(question, "no", [], self._why("none"))

    def _control(self, question: Question) -> Object:
        """A question about a word: looked up in the text, not taken from the question's own answer."""
        asked = _ASKED_WORD.search(question.text)
        where = self.last if _LAST.search(question.text) else self.papers.text
        if asked is None:
            return self._row(question, str(question.control), [], "")
        word = asked.group(1)
        pattern = re.escape(word) if self.language == "zh" else rf"\b{re.escape(word)}\b"
        if not re.search(pattern, where, re.I):
            return self._row(question, "no", [], self._why("none"))
        quote = next(
            (q for s in sentences(where, self.language) if word in s.text and (q := self.quoter.out_of(s.text))), ""
        )
        return self._row(question, "yes", [quote], self._why("shown"))

    def _absent(self, text: str) -> bool:
        """Does the question name somebody who does not come into the text?"""
        state = self.papers.state
        people = [e for e in state.entities.values() if e.kind == "person"] if state else []
        named = [person for person in people if person.name in text]
        names = [name for person in named for name in (person.name, short_name(person.name, self.language))]
        return bool(named) and not any(name in self.papers.text for name in names)

    def _shown(self, question: Question) -> str:
        spans = sentences(self.papers.text, self.language)
        number = sum(map(ord, question.id)) * 7 % max(1, len(spans))
        late = question.dimension in ("pacing", "节奏", "end", "章末", "promise", "承诺")
        order = reversed(spans) if late else [*spans[number:], *spans[:number]]
        return next((quote for span in order if (quote := self.quoter.out_of(span.text))), "")

    def _row(self, question: Question, verdict: str, quotes: Sequence[str], why: str) -> Object:
        rows = [{"from": "text", "quote": quote} for quote in quotes if quote]
        return {"id": question.id, "quotes": rows, "verdict": verdict, "why": why}

    def _why(self, key: str) -> str:
        return str(material.plot(self.language)["why"][key])
