"""What wears out: set phrases, paragraphs said twice, words of earlier chapters; judges no density (density.py does).

A few set phrases are worth a note even once, because none of the measured novels has them.
"""

from __future__ import annotations

from inkos.gates.check import QUOTES_SHOWN, CheckContext, compiled, quote_of
from inkos.gates.length import measured
from inkos.kernel.findings import Finding, Severity
from inkos.text.blocks import told
from inkos.text.repeat import repeated_paragraphs, sampled, shingles
from inkos.text.segment import Span, sentences

REUSED_WARNS = 0.035  # measured human works: at most 2.9 % of a chapter, a chapter that the file holds twice apart
REUSED_BLOCKS = 0.30  # a retold or duplicated chapter
# One set phrase is a slip that people make too; a warning is worth this many, and so many in a thousand counting units.
STOCK_WARNS, STOCK_WARNS_DENSE = 3, 1.0
FEWEST_WORDS = 200  # a share of a shorter text is chance


def stock(text: str, context: CheckContext) -> list[Finding]:
    """Set phrases that models are known by, and that none of the measured novels has; a few are a note, many warn."""
    places: dict[str, list[tuple[int, int]]] = {}
    for pattern in context.lists.stock:
        for match in compiled(pattern, True).finditer(text):
            places.setdefault(" ".join(match.group().lower().split()), []).append(match.span())
    number = sum(len(spans) for spans in places.values())
    many = number >= STOCK_WARNS and number * 1000 >= STOCK_WARNS_DENSE * measured(text, context)
    return [
        Finding(
            code="prose-011",
            severity="warning" if many else "info",
            metric="stock phrases",
            expected="0",
            actual=str(len(spans)),
            values={"about": phrase, "phrase": phrase},
            quotes=tuple(quote_of(text, *span) for span in spans[:QUOTES_SHOWN]),
        )
        for phrase, spans in sorted(places.items(), key=lambda row: row[1][0])
    ]


def paragraph(text: str, context: CheckContext) -> list[Finding]:
    """A paragraph stands in the chapter more than once."""
    again: dict[str, list[Span]] = {}
    for span in repeated_paragraphs(told(text)):
        again.setdefault(span.text, []).append(span)
    return [
        Finding(
            code="prose-005",
            severity="warning",
            metric="repeated paragraphs",
            expected="1",
            actual=str(len(spans) + 1),
            values={"about": words[:40]},
            quotes=tuple(quote_of(text, s.start, s.end) for s in spans[:QUOTES_SHOWN]),
        )
        for words, spans in again.items()
    ]


def reuse(text: str, context: CheckContext) -> list[Finding]:
    """Long runs of words were used in earlier chapters: from 3.5 % it warns, from 30 % it blocks."""
    known = context.seen if context.seen is not None else frozenset().union(*context.earlier)
    if not known or measured(text, context) < FEWEST_WORDS:
        return []
    own = runs(told(text), context)
    share = len(own & known) / len(own) if own else 0.0
    if share < REUSED_WARNS:
        return []
    severity: Severity = "blocking" if share >= REUSED_BLOCKS else "warning"
    return [
        Finding(
            code="prose-006",
            severity=severity,
            metric="share of reused runs",
            expected=f"{REUSED_WARNS:.1%}",
            actual=f"{share:.0%}",
            quotes=tuple(quote_of(text, s.start, s.end) for s in _reused_sentences(text, known, context)),
            structural=severity == "blocking",
        )
    ]


def runs(text: str, context: CheckContext) -> frozenset[int]:
    """The runs of words that count: all, or the sample that an index holds."""
    own = shingles(text, context.language)
    return frozenset(own) if context.seen is None else sampled(own)


def _reused_sentences(text: str, known: frozenset[int], context: CheckContext) -> list[Span]:
    """The longest sentences whose runs of words all stood in an earlier chapter, in the order of the text."""
    stale = [s for s in sentences(told(text), context.language) if (own := runs(s.text, context)) and own <= known]
    return sorted(sorted(stale, key=lambda s: -len(s.text))[:QUOTES_SHOWN], key=lambda s: s.start)
