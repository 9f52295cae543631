"""Reads the auditor's reply into an Audit; does not know which answers become findings or may block (gates do)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkos.kernel.findings import Finding, Quote
from inkos.kernel.papers import Answer, Audit, Question, ReplyFault, Score
from inkos.prompts.contracts import AnswerReply, AuditReply, QuoteReply, keys_of
from inkos.prompts.readers.ladder import read_object
from inkos.prompts.readers.quoting import Quoting
from inkos.prompts.readers.read import Faults, Read
from inkos.prompts.readers.shape import Shape
from inkos.prompts.readers.words import key_of, number_of, plain

BESIDE = "audit-021"
MISSING = 3  # answers that may be missing before the reply is asked for again (design/prompts.md §5.5)
MOST_QUOTES = 4
PARTS = ("change", "people", "cause", "prose", "end")
# A clause that denies what its verdict affirms. “No source …” or “没有过渡 …” may well say why something is so.
_DENIES = re.compile(
    r"^\s*(?:没有|没|无|否|不是|未)(?:[，,。;；]|$|发现|出现|找到|看到|矛盾|问题|此类|这样|证据|违背|相反|冲突)"
    r"|^\s*(?:no|not|none)\b\s*(?:[,.;:—-]|$|such|contradiction|evidence|problem|instance|sign|conflict)",
    re.IGNORECASE,
)


def read_audit(
    text: str, *, questions: Sequence[Question], prose: str, papers: str, complete: bool = True
) -> Read[Audit]:
    """The audit of `prose`. `papers` is everything else that the auditor saw, as one text.

    Quotes that stand nowhere are dropped and counted; a control question that is answered wrongly makes the audit
    void; an unusable score is null (could not judge) and the findings stand."""
    found = read_object(text, keys_of(AuditReply), complete=complete)
    if found.object is None:
        return Read(None, tuple(found.notes), found.fault)
    notes, faults = list(found.notes), Faults()
    reply = Shape(notes, faults).fit(AuditReply, found.object)
    if reply is None:
        return Read(None, tuple(notes), _verdict_fault(faults))
    audit = _Reading(questions, prose, papers, notes, faults).audit(reply)
    fault = faults.first(("answers",))
    return Read(audit if fault is None else None, tuple(notes), fault)


def _verdict_fault(faults: Faults) -> ReplyFault | None:
    """A value outside the list has its own words where all of them are verdicts."""
    fault = faults.first()
    if fault is not None and fault.code == "reply-value" and all(w.endswith(".verdict") for w in fault.where):
        return fault.model_copy(update={"code": "verdict", "values": {}})
    return fault


class _Reading:
    def __init__(
        self, questions: Sequence[Question], prose: str, papers: str, notes: list[str], faults: Faults
    ) -> None:
        self.questions = tuple(questions)
        self.text = Quoting(prose, Faults(), notes)
        self.papers = Quoting(papers, Faults(), notes, source="papers")
        self.notes = notes
        self.faults = faults

    def audit(self, reply: AuditReply) -> Audit:
        given = self._by_question(reply.answers)
        missing = [question.id for question in self.questions if question.id not in given]
        if len(missing) > MISSING:
            for question_id in missing:
                self.faults.add("missing", question_id)
        answers = tuple(self._answer(question, given.get(question.id)) for question in self.questions)
        wrong = [q.id for q, a in zip(self.questions, answers, strict=True) if q.control and a.verdict != q.control]
        if wrong:
            self.notes.append(f"control question answered wrongly: {', '.join(wrong)}: the audit is void")
        return Audit(
            questions=self.questions,
            answers=answers,
            beside=self._beside(reply, answers),
            score=score_of(reply.score, self.notes),
            void=bool(wrong),
        )

    def _by_question(self, answers: tuple[AnswerReply, ...]) -> dict[str, AnswerReply]:
        known = {plain(question.id): question.id for question in self.questions}
        given: dict[str, AnswerReply] = {}
        for answer in answers:
            bare = plain(answer.id)
            name = known.get(bare) or known.get(f"q{bare}") or known.get(bare.lstrip("question题号 "))
            if name is None:
                self.notes.append(f"answer to {answer.id[:20]}, which was not asked: dropped")
            elif name in given:
                self.notes.append(f"second answer to {name} dropped")
            else:
                given[name] = answer
        return given

    def _answer(self, question: Question, answer: AnswerReply | None) -> Answer:
        if answer is None:
            self.notes.append(f"{question.id} has no answer: cannot judge")
            return Answer(id=question.id, verdict="cannot_judge")
        quotes = self._quotes(answer.quotes, question.id)
        verdict = answer.verdict
        if verdict == "yes" and _DENIES.match(answer.why):
            self.notes.append(f"{question.id}: verdict and why say opposite things: cannot judge")
            verdict = "cannot_judge"
        trouble = verdict == question.trouble_if
        if question.contradiction and trouble and len(quotes) < 2:
            self.notes.append(f"{question.id}: a contradiction with fewer than two quotes: cannot judge")
            verdict = "cannot_judge"
        return Answer(id=question.id, verdict=verdict, quotes=quotes, why=answer.why)

    def _quotes(self, quotes: tuple[QuoteReply, ...], where: str) -> tuple[Quote, ...]:
        kept: list[Quote] = []
        for item in quotes:
            if not item.quote:
                continue
            first, second = (self.text, self.papers) if item.from_ == "text" else (self.papers, self.text)
            found = first.quote(item.quote)
            if found is None:
                found = second.quote(item.quote)
                if found is None:
                    self.notes.append(f"{where}: a quote that stands nowhere was dropped")
                    continue
                self.notes.append(f"{where}: a quote from {found.source} stood under {item.from_}")
            if found not in kept:
                kept.append(found)
        if len(kept) > MOST_QUOTES:
            self.notes.append(f"{where}: {len(kept)} quotes, the first {MOST_QUOTES} are kept")
        return tuple(kept[:MOST_QUOTES])

    def _beside(self, reply: AuditReply, answers: tuple[Answer, ...]) -> tuple[Finding, ...]:
        used = [{quote.text for quote in answer.quotes} for answer in answers if answer.quotes]
        kept = []
        for n, item in enumerate(reply.beside):
            quotes = self._quotes(item.quotes, f"beside[{n}]")
            if len(quotes) < 2 or any({quote.text for quote in quotes} <= known for known in used):
                self.notes.append(f"beside[{n}]: fewer than two quotes, or told already: dropped")
                continue
            kept.append(Finding(code=BESIDE, severity="warning", quotes=quotes, by="audit", note=item.why))
        return tuple(kept)


def score_of(raw: object, notes: list[str]) -> Score | None:
    """Five figures of 0–20, five of 0–100 if all are over 20, or one sum; null: could not judge."""
    if isinstance(raw, dict):
        named = {key_of(str(key), frozenset(PARTS)): value for key, value in raw.items()}
        figures = [_figure(named.get(part)) for part in PARTS]
    elif isinstance(raw, list) and len(raw) == len(PARTS):
        figures = [_figure(item) for item in raw]
    else:
        total = _figure(raw)
        if total is None or not 0 <= total <= 100:
            notes.append("score missing or not between 0 and 100: could not judge")
            return None
        notes.append("score given as one sum")
        return Score(**dict.fromkeys(PARTS, total / 5))
    if any(figure is None for figure in figures):
        notes.append("score incomplete: could not judge")
        return None
    sound = [float(figure) for figure in figures if figure is not None]
    if all(20 < figure <= 100 for figure in sound):
        notes.append("score given out of 100: divided by five")
        sound = [figure / 5 for figure in sound]
    if not all(0 <= figure <= 20 for figure in sound):
        notes.append("score outside 0–20: could not judge")
        return None
    return Score(**dict(zip(PARTS, sound, strict=True)))


def _figure(raw: object) -> float | None:
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int | float):
        return float(raw) if abs(raw) < 1e6 else None
    figure = number_of(str(raw).split("/")[0]) if isinstance(raw, str) else None
    return None if figure is None else float(figure)
