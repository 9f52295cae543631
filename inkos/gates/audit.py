"""Findings from an audit's answers: what may block, what warns, what is dropped; does not know how answers are read.

| answer | becomes |
|---|---|
| trouble (craft.md §4), with a quote that stands in the text | audit-001 … by dimension, warning |
| a contradiction with two found quotes, one of them the text's | audit-020, blocking |
| – whose words are somebody's speech or letter, or which the settlement records as an event | audit-020, warning |
| – with both quotes from the papers | audit-022, warning: the papers clash |
| – with fewer than two found quotes | cannot judge: nothing |
| `beside`, with two found quotes, no doublet of an answer | audit-021, warning |
| anything of a void audit, a control question, cannot_judge | nothing |
"""

from __future__ import annotations

from collections.abc import Iterable

from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding, Quote, Severity
from inkos.kernel.papers import Answer, Audit, Question
from inkos.text.quotes import Haystack, speech

# One permanent code for each dimension of the bank (design/craft.md §4), under the names that question banks use.
DIMENSIONS: dict[str, str] = {
    "motive": "audit-001", "people": "audit-001", "character": "audit-001", "人物": "audit-001",
    "knowledge": "audit-002", "知情": "audit-002",
    "continuity": "audit-003", "连续": "audit-003",
    "system": "audit-004", "numbers": "audit-004", "数力": "audit-004",
    "setting": "audit-005", "设定": "audit-005",
    "promise": "audit-006", "promises": "audit-006", "承诺": "audit-006",
    "pacing": "audit-007", "节奏": "audit-007",
    "ending": "audit-008", "end": "audit-008", "章末": "audit-008",
    "dialogue": "audit-009", "对话": "audit-009",
}  # fmt: skip
OTHER = "audit-010"  # a dimension that the house's bank does not have
CONTRADICTION, BESIDE, PAPERS = "audit-020", "audit-021", "audit-022"
CODES: tuple[str, ...] = (*dict.fromkeys(DIMENSIONS.values()), OTHER, CONTRADICTION, BESIDE, PAPERS)
BUILD = frozenset({"audit-007"})  # trouble in how the chapter is built: no patch of a sentence settles it


def findings_of(audit: Audit, text: str, delta: Delta | None) -> tuple[Finding, ...]:
    """The findings that an audit gives about `text`. `delta`: the settlement of the same text, where there is one."""
    if audit.void:
        return ()
    page = Page(text, delta)
    questions = {q.id: q for q in audit.questions}
    found: list[Finding] = []
    for answer in audit.answers:
        question = questions.get(answer.id)
        if question is None or question.control is not None or answer.verdict == "cannot_judge":
            continue
        if question.trouble_if == answer.verdict:
            judge = contradiction if question.contradiction else trouble
            finding = judge(question, answer, page)
            found += [finding] if finding else []
    known = {quote.text for finding in found for quote in finding.quotes}
    return (*found, *beside(audit.beside, page, known))


class Page:
    """The text under judgement, prepared for look-ups."""

    def __init__(self, text: str, delta: Delta | None) -> None:
        self.text = text
        self._haystack = Haystack(text)
        self._speech = speech(text)
        told = [o.evidence for o in delta.observations if o.mode != "narrated"] if delta else []
        events = [e.evidence for e in delta.events] if delta else []
        self._told = self._spans(e.quote for e in told)
        self._events = self._spans(e.quote for e in events)

    def _spans(self, quotes: Iterable[str]) -> list[tuple[int, int]]:
        return [span for quote in quotes for span in self._haystack.find(quote)[:1]]

    def placed(self, quotes: Iterable[Quote]) -> tuple[Quote, ...]:
        """Quotes with their places; one that claims to be the text's and does not stand there is dropped."""
        kept = []
        for quote in quotes:
            if quote.source != "text":
                kept.append(quote)
                continue
            for start, end in self._haystack.find(quote.text)[:1]:
                kept.append(quote.model_copy(update={"text": self.text[start:end], "start": start, "end": end}))
        return tuple(kept)

    def lowered(self, quote: Quote) -> bool:
        """Is it told by somebody (speech, letter, rumour, dream …), or recorded as an event that changes things?"""
        return any(_overlap(quote, span) for span in (*self._speech, *self._told, *self._events))


def _overlap(quote: Quote, span: tuple[int, int]) -> bool:
    return quote.start < span[1] and span[0] < quote.end


def trouble(question: Question, answer: Answer, page: Page) -> Finding | None:
    """A shortcoming that warns: with a quote that stands in the text, or not at all."""
    quotes = page.placed(answer.quotes)
    if not any(q.source == "text" for q in quotes):
        return None
    code = DIMENSIONS.get(question.dimension.lower(), OTHER)
    return _finding(code, "warning", quotes, question.text, answer.why, structural=code in BUILD)


def contradiction(question: Question, answer: Answer, page: Page) -> Finding | None:
    """Two quotes that cannot both be true."""
    quotes = page.placed(answer.quotes)
    ours = [q for q in quotes if q.source == "text"]
    if len(quotes) < 2:
        return None
    if not ours:
        return _finding(PAPERS, "warning", quotes, question.text, answer.why, repairable=False)
    severity: Severity = "warning" if any(page.lowered(q) for q in ours) else "blocking"
    first = (*ours, *(q for q in quotes if q.source != "text"))
    return _finding(CONTRADICTION, severity, first, question.text, answer.why)


def beside(extra: Iterable[Finding], page: Page, known: set[str]) -> tuple[Finding, ...]:
    """Contradictions that no question asked about: they may warn and never block."""
    kept = []
    for finding in extra:
        quotes = page.placed(finding.quotes)
        ours = [q for q in quotes if q.source == "text"]
        if len(quotes) < 2 or not ours or any(q.text in known for q in ours):
            continue
        kept.append(_finding(BESIDE, "warning", quotes, finding.values.get("about", ""), finding.note))
    return tuple(kept)


def _finding(
    code: str,
    severity: Severity,
    quotes: tuple[Quote, ...],
    question: str,
    why: str,
    *,
    structural: bool = False,
    repairable: bool = True,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        metric="audit",
        values={"about": question or quotes[0].text, "question": question},
        quotes=quotes,
        structural=structural,
        repairable=repairable,
        by="audit",
        note=why,
    )
