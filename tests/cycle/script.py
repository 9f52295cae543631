"""A scripted model and a loop for the chapter machine: every question is answered by a function of the request."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from inkos.adapters.package_data import gate_tables, messages
from inkos.cycle import moves
from inkos.cycle.chapter import ChapterState, Desk, start
from inkos.cycle.wants import Committed, CommitWant, Failed, ModelWant, Outcome, Replied
from inkos.gates.check import HouseLists
from inkos.messages import Language
from inkos.prompts.context import compose
from inkos.prompts.request import Request
from inkos.text.count import count
from inkos.text.style import clean_prose, set_marks
from tests.prompts import fixture

LISTS = {language: HouseLists.model_validate(gate_tables()[language]) for language in ("en", "zh")}
MESSAGES = {language: messages(language) for language in ("en", "zh")}  # type: ignore[arg-type]


def desk(language: Language) -> Desk:
    book, kit, rules = fixture.book(language), fixture.kit(language), fixture.rules(language)
    target = count(fixture.prose(language), language)
    minted = {"chapter": 6, "p": 20, "l": 20, "i": 20, "g": 20, "s": 20, "h": 20, "f": 200}
    book = book.model_copy(
        update={
            "index": book.index.model_copy(update={"minted": minted}),
            "config": book.config.model_copy(
                update={"length": book.config.length.model_copy(update={"target": target})}
            ),
        }
    )
    context = compose(kit, book, fixture.entry(language)[0], rules)
    return Desk(book, kit, rules, MESSAGES[language], LISTS[language], context)


def planned(language: Language, the_desk: Desk) -> ChapterState:
    """A chapter whose plan stands and whose draft comes next."""
    this, following = fixture.entry(language)
    state = start(the_desk, "c0007", this, following)
    plan = fixture.plan(language).model_copy(update={"target": state.target})
    return state.but(stage="draft", plan=plan)


Answer = str | Failed | tuple[str, bool]


def prose(language: Language) -> str:
    """The fixture's chapter as the reader of drafts leaves it: paragraphs apart by a blank line."""
    text = "\n\n".join(fixture.prose(language).strip().split("\n"))
    return set_marks(clean_prose(text, language)[0], language)


class Script:
    """Answers by task; each may be a text, a callable of the request, or a list used up in order."""

    def __init__(self, language: Language, **answers: Any) -> None:
        self.language: Language = language
        self.answers: dict[str, Any] = {
            "draft": prose(language),
            "settle": settlement({}),
            "audit": audit,
            "revise": json.dumps({"patches": [], "not_by_patch": []}),
            "again": json.dumps({"cause": "text", "quote": "", "fix": None}),
            **answers,
        }
        self.asked: list[str] = []

    def __call__(self, want: ModelWant) -> Outcome:
        self.asked.append(want.id)
        answer = self.answers[want.request.task]
        if isinstance(answer, list):
            answer = answer.pop(0) if len(answer) > 1 else answer[0]
        if callable(answer):
            answer = answer(want.request)
        if isinstance(answer, Failed):
            return answer.model_copy(update={"want": want.id})
        text, complete = answer if isinstance(answer, tuple) else (answer, True)
        return Replied(want=want.id, text=text, complete=complete)


def settlement(more: Mapping[str, Any]) -> str:
    empty: dict[str, Any] = {"entities": [], "events": [], "facts": [], "observations": [], "hook_ops": [],
                             "beats_done": [], "summary": "…",
                             "clock": {"day": 10, "time": None, "label": "", "quote": ""}}  # fmt: skip
    return json.dumps({**empty, **more}, ensure_ascii=False)


def audit(request: Request, score: float = 17.5, **verdicts: str) -> str:
    """Every question answered the way that finds nothing, control questions as they are."""
    answers = []
    for question in request.papers.questions:
        verdict = question.control or {"yes": "no", "no": "yes", None: "no"}[question.trouble_if]
        if question.contradiction:
            verdict = "no"
        verdict = verdicts.get(question.id, verdict)
        first = request.papers.text.strip().split("\n")[0]
        quotes = [{"from": "text", "quote": first}] if verdict == "yes" else []
        answers.append({"id": question.id, "quotes": quotes, "verdict": verdict, "why": ""})
    parts = dict.fromkeys(("change", "people", "cause", "prose", "end"), score)
    return json.dumps({"answers": answers, "beside": [], "score": parts}, ensure_ascii=False)


def play(state: ChapterState, the_desk: Desk, answer: Callable[[ModelWant], Outcome], most: int = 40) -> ChapterState:
    """Drive the machine until it wants nothing: what it is asked is answered at once, commits succeed."""
    for _ in range(most):
        wants = moves.wants(state, the_desk)
        if not wants:
            return state
        for want in wants:
            outcome = Committed(want=want.id, revision=8) if isinstance(want, CommitWant) else answer(want)
            state, _ = moves.advance(state, [outcome], the_desk)
    raise AssertionError(f"the machine does not come to rest: {state.stage}")
