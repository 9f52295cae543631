"""What wears out: phrases that models overuse, paragraphs said twice, words of recent chapters; judges no single word.

One worn phrase is no fault: they stand in published novels too. Only their density tells, so no count alone warns; a
few set phrases are the exception, because no measured novel has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from inkos.gates.check import QUOTES_SHOWN, CheckContext, HouseLists, WornGroup, compiled, quote_of
from inkos.gates.length import measured
from inkos.kernel.findings import Finding, Severity
from inkos.messages import Language
from inkos.text.repeat import repeated_paragraphs, reused, shingles
from inkos.text.segment import Span, sentences

FEWEST = 5  # worn phrases below this number are chance, whatever their density
REUSED_WARNS = 0.05  # human novels reach 0.1 %, model prose 3 to 13 % (design/bars.md)
REUSED_BLOCKS = 0.30  # a retold or duplicated chapter
FEWEST_WORDS = 200  # a share of a shorter text is chance


class Hit(NamedTuple):
    group: str
    start: int
    end: int


@lru_cache(maxsize=64)
def _pattern(group: WornGroup, language: Language) -> re.Pattern[str]:
    phrases = [re.escape(phrase).replace("'", "['’]") for phrase in group.phrases]
    if language == "en":
        phrases = [rf"\b{phrase}\b" for phrase in phrases]
    return re.compile("|".join((*phrases, *group.patterns)), re.IGNORECASE | re.MULTILINE)


def hits(text: str, groups: tuple[WornGroup, ...], language: Language) -> list[Hit]:
    """Every worn phrase of the text, in order."""
    plain = text.replace("’", "'") if language == "en" else text
    found = [Hit(group.name, *match.span()) for group in groups for match in _pattern(group, language).finditer(plain)]
    return sorted(found, key=lambda hit: hit.start)


def lately(texts: Sequence[str], lists: HouseLists, language: Language, most: int = 5) -> tuple[str, ...]:
    """What was worn in these texts, the most used first, each with what to do instead: for the next draft's task."""
    found: dict[str, Counter[str]] = {group.name: Counter() for group in lists.worn}
    for text in texts:
        for hit in hits(text, lists.worn, language):
            found[hit.group][text[hit.start : hit.end].lower()] += 1
    used = [(found[group.name], group) for group in lists.worn if found[group.name].total() > 1 and group.instead]
    colon = "：" if language == "zh" else ": "
    ranked = sorted(used, key=lambda row: -row[0].total())[:most]
    return tuple(f"{counts.most_common(1)[0][0]}{colon}{group.instead}" for counts, group in ranked)


def phrases(text: str, context: CheckContext) -> list[Finding]:
    """Worn phrases stand closer together than in published novels."""
    length = measured(text, context)
    found = hits(text, context.lists.worn, context.language)
    if length == 0 or len(found) < FEWEST:
        return []
    dense = [g for g in context.lists.worn if _over(sum(h.group == g.name for h in found), g.allowed, length)]
    if len(found) * 1000 / length <= context.lists.allowed and not dense:
        return []
    counts = {g.name: sum(h.group == g.name for h in found) for g in context.lists.worn}
    ranked = sorted((g for g in context.lists.worn if counts[g.name]), key=lambda g: (g not in dense, -counts[g.name]))
    shown = ranked[:3]
    names = {g.name for g in shown}
    comma, stop = ("、", "") if context.language == "zh" else (", ", " ")
    return [
        Finding(
            code="prose-004",
            severity="warning",
            metric="worn phrases per 1,000",
            expected=f"{context.lists.allowed:g}",
            actual=f"{len(found) * 1000 / length:.1f}",
            values={
                "habits": comma.join(f"{g.name} {counts[g.name]}" for g in shown),
                "instead": stop.join(g.instead for g in shown),
            },
            quotes=tuple(
                quote_of(text, s.start, s.end) for s in _worst(text, [h for h in found if h.group in names], context)
            ),
        )
    ]


def _over(number: int, allowed: float, length: int) -> bool:
    return number >= FEWEST and number * 1000 / length > allowed


def _worst(text: str, found: list[Hit], context: CheckContext) -> list[Span]:
    """The sentences with most worn phrases, in the order of the text."""
    rows = [(sum(s.start <= h.start < s.end for h in found), s) for s in sentences(text, context.language)]
    ranked = sorted((row for row in rows if row[0]), key=lambda row: -row[0])[:QUOTES_SHOWN]
    return sorted((s for _, s in ranked), key=lambda s: s.start)


def stock(text: str, context: CheckContext) -> list[Finding]:
    """A set phrase that models are known by, and that none of the measured novels has, stands in the text."""
    places: dict[str, list[tuple[int, int]]] = {}
    for pattern in context.lists.stock:
        for match in compiled(pattern, True).finditer(text):
            places.setdefault(" ".join(match.group().lower().split()), []).append(match.span())
    return [
        Finding(
            code="prose-011",
            severity="warning",
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
    for span in repeated_paragraphs(text):
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
    """Long runs of words were used in recent chapters: from 5 % it warns, from 30 % it blocks."""
    if not context.earlier or measured(text, context) < FEWEST_WORDS:
        return []
    share = reused(text, context.earlier, context.language)
    if share < REUSED_WARNS:
        return []
    severity: Severity = "blocking" if share >= REUSED_BLOCKS else "warning"
    return [
        Finding(
            code="prose-006",
            severity=severity,
            metric="share of reused runs",
            expected=f"{REUSED_WARNS:.0%}",
            actual=f"{share:.0%}",
            quotes=tuple(quote_of(text, s.start, s.end) for s in _reused_sentences(text, context)),
            structural=severity == "blocking",
        )
    ]


def _reused_sentences(text: str, context: CheckContext) -> list[Span]:
    """The longest sentences whose runs of words all stood in an earlier chapter, in the order of the text."""
    known: set[int] = set().union(*context.earlier)
    stale = [
        s for s in sentences(text, context.language) if (own := shingles(s.text, context.language)) and own <= known
    ]
    return sorted(sorted(stale, key=lambda s: -len(s.text))[:QUOTES_SHOWN], key=lambda s: s.start)
