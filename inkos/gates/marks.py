"""What does not belong into a story: another language, model talk, placeholders, chapter numbers, document marks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkos.gates.check import QUOTES_SHOWN, CheckContext, compiled, quote_of
from inkos.kernel.findings import Finding
from inkos.text.lang import language_of
from inkos.text.quotes import speech

Span = tuple[int, int]

_REASONING = re.compile(r"</?(?:think|thinking|reasoning|reflection|scratchpad|output|answer)>", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}[ \t]+\S[^\n]*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*+•][ \t]+|\d{1,2}[.)、][ \t]*)\S[^\n]*$", re.MULTILINE)
_FENCE = re.compile(r"^(?:```|~~~)[^\n]*$", re.MULTILINE)
_BOLD = re.compile(r"\*\*[^*\s][^*\n]{0,38}\*\*")
FEWEST_BULLETS = 3  # one line that begins with a dash is speech, or an aside; three in a chapter's prose are a list


def language(text: str, context: CheckContext) -> list[Finding]:
    """The text is not in the language of the book."""
    seen = language_of(text)
    if not text.strip() or seen == context.language:
        return []
    return [
        Finding(
            code="lang-001", severity="blocking", metric="language",
            expected=context.language, actual=seen, structural=True,
        )
    ]  # fmt: skip


def model_talk(text: str, context: CheckContext) -> list[Finding]:
    """Words of a model or a placeholder stand in the text. What somebody says in quotation marks is the story's own."""
    said = speech(text)
    talk = [s for s in _spans(text, context.lists.model_talk) if not _inside(s, said)]
    return [
        _finding("prose-007", "blocking", text, span) for span in (*talk, *_spans(text, context.lists.placeholders))
    ]


def chapter_number(text: str, context: CheckContext) -> list[Finding]:
    """The story mentions its own chapters by number. A book that somebody in it reads or quotes is another matter."""
    said = speech(text)
    spans = [
        s for s in _spans(text, context.lists.chapter_references)
        if not _inside(s, said) and not _of_a_book(text, s) and not _is_heading(text, s)
    ]  # fmt: skip
    return [_finding("prose-008", "warning", text, span) for span in spans]


_BOOK_BEFORE = re.compile(
    r"(?:》|书|小说|经|法典|讲义)[^。！？\n]{0,6}$|(?:Bible|Genesis|Psalm|Matthew|Luke|Mark|John|verse|book|volume)\W[^.\n]{0,30}$"
)
_BOOK_AFTER = re.compile(
    r"^[^。\n]{0,4}(?:《|节|条)|^,? (?:of|in) (?:the|his|her|my|a|that|this) |^,? verse\b|^ of [A-Z]"
)


def _of_a_book(text: str, span: Span) -> bool:
    start, end = span
    return bool(_BOOK_BEFORE.search(text[max(0, start - 40) : start]) or _BOOK_AFTER.match(text[end : end + 30]))


def _is_heading(text: str, span: Span) -> bool:
    """Does the reference begin a line that is no sentence: the heading of a part inside the chapter?"""
    start, end = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
    line = text[start : end if end >= 0 else len(text)].strip().lstrip("#").lstrip()
    return line.startswith(text[span[0] : span[1]]) and not re.search(r"[。，！？；.,!?;][”’」』]?", line)


def document_marks(text: str, context: CheckContext) -> list[Finding]:
    """Reasoning tags, headings, fences or list marks stand in the prose."""
    kinds: list[tuple[str, Sequence[Span]]] = [
        ("<>", [m.span() for m in _REASONING.finditer(text)]),
        ("#", [m.span() for m in _HEADING.finditer(text)]),
        ("```", [m.span() for m in _FENCE.finditer(text)]),
    ]
    bullets = [m.span() for m in _BULLET.finditer(text)]
    if len(bullets) >= FEWEST_BULLETS:
        kinds.append(("-", bullets))
    if context.language == "zh":
        kinds.append(("**", [m.span() for m in _BOLD.finditer(text)]))
    return [
        Finding(
            code="prose-009",
            severity="warning",
            metric="document marks",
            expected="0",
            actual=f"{kind} × {len(spans)}",
            values={"about": kind},
            quotes=tuple(quote_of(text, *span) for span in spans[:QUOTES_SHOWN]),
        )
        for kind, spans in kinds
        if spans
    ]


def _spans(text: str, patterns: Sequence[str]) -> list[Span]:
    found = {match.span() for pattern in patterns for match in compiled(pattern).finditer(text)}
    return sorted(found)


def _inside(span: Span, stretches: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in stretches)


def _finding(code: str, severity: str, text: str, span: Span) -> Finding:
    words = text[span[0] : span[1]].strip()
    return Finding.model_validate(
        {
            "code": code,
            "severity": severity,
            "metric": "words",
            "actual": words[:60],
            "values": {"about": words[:60]},
            "quotes": (quote_of(text, *span),),
        }
    )
