"""Asks a judge about the same texts again and again, as a machine; decides nothing about any text and keeps no book.

Each text is scored by the very request that an audit of it makes: `repeats` times, every second time with the questions
in turned order, and once with its second half made to repeat the first, which a judge of any use scores lower.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inkos.cycle import moves, requests
from inkos.cycle.ask import Asked, base_of, hear, want
from inkos.cycle.chapter import ChapterState, Desk
from inkos.cycle.wants import Committed, Outcome, Want
from inkos.gates.calibration import Judged
from inkos.prompts import render
from inkos.prompts.request import Request
from inkos.records import Record
from inkos.text.segment import paragraphs

AT_ONCE = 4  # questions that are open side by side


class Bench(NamedTuple):
    """One text with what its audit reads."""

    state: ChapterState
    desk: Desk


class JudgingState(Record):
    """`scores` by question (`score.2-3`: text 2, third time; `twin.2`), null where the reply was of no use."""

    schema_version: int = 1
    texts: int
    repeats: int
    scores: dict[str, float | None] = {}
    calls: dict[str, Asked] = {}


def questions_of(state: JudgingState) -> list[str]:
    """Every question, the texts by turns, so that one that is cut short has asked about all of them."""
    asked = [f"score.{n}-{time}" for time in range(1, state.repeats + 1) for n in range(1, state.texts + 1)]
    return [*asked, *(f"twin.{n}" for n in range(1, state.texts + 1))]


def wants(state: JudgingState, benches: Sequence[Bench]) -> tuple[Want, ...]:
    left = [base for base in questions_of(state) if base not in state.scores][:AT_ONCE]
    return tuple(
        want(_bench(benches, base).desk.kit, base, state.calls.get(base, Asked()), request(benches, base))
        for base in left
    )


def absorb(state: JudgingState, outcome: Outcome, benches: Sequence[Bench]) -> JudgingState:
    if isinstance(outcome, Committed):
        return state
    base = base_of(outcome.want)
    if base in state.scores or base not in questions_of(state):
        return state
    bench = _bench(benches, base)
    heard = hear(outcome, state.calls.get(base, Asked()), lambda text: moves.read_audit(*bench, base, text))
    if isinstance(heard, Asked):
        return state.model_copy(update={"calls": {**state.calls, base: heard}})
    audit = heard.value
    usable = audit is not None and not audit.void and audit.score is not None
    score = audit.score.total if usable and audit and audit.score else None
    return state.model_copy(update={"scores": {**state.scores, base: score}})


def request(benches: Sequence[Bench], base: str) -> Request:
    state, desk = _bench(benches, base)
    questions = requests.questions(state, desk)
    if base.startswith("score.") and int(base.rsplit("-", 1)[1]) % 2 == 0:
        questions = questions[::-1]
    return render.audit_request(
        desk.kit, desk.book, desk.context, requests.the_plan(state), requests.current_text(state), questions, desk.rules
    )


def _text(base: str) -> int:
    return int(base.split(".", 1)[1].split("-", 1)[0]) - 1


def _bench(benches: Sequence[Bench], base: str) -> Bench:
    """The text that a question is about: as it stands, or its twin."""
    bench = benches[_text(base)]
    if not base.startswith("twin."):
        return bench
    version = bench.state.version(bench.state.current)
    damaged = version.model_copy(update={"text": twin(version.text)})
    return bench._replace(state=bench.state.with_version(damaged))


def twin(text: str) -> str:
    """The text with every second paragraph of its second half replaced by one of its first half, told once more."""
    parts = [span.text for span in paragraphs(text)]
    half = len(parts) // 2
    return "\n\n".join(parts[n - half] if n >= half and (n - half) % 2 else part for n, part in enumerate(parts))


def judged(scores: Mapping[str, float | None], texts: int, repeats: int) -> list[Judged]:
    """What came, text by text."""
    rows = []
    for n in range(1, texts + 1):
        found = [(time, scores.get(f"score.{n}-{time}")) for time in range(1, repeats + 1)]
        rows.append(
            Judged(
                plain=tuple(score for time, score in found if score is not None and time % 2),
                turned=tuple(score for time, score in found if score is not None and not time % 2),
                twin=scores.get(f"twin.{n}"),
            )
        )
    return rows
