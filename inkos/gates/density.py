"""How dense the habits of model prose are in a chapter and over ten; judges no single word and knows no author.

Theory: one worn phrase is no fault, for all of them stand in published novels. Each group of habits has the density
that nine of ten chapters of human novels stay below (`allowed`); a text's score is the mean over all groups of its own
density as a share of that, each share cut at `cap` so that one habit alone cannot carry the score. Human chapters lie
far below the limits (inkos/gates/data/figures.yaml). Panels and documents are left out, and the rest is measured.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from inkos.gates.check import QUOTES_SHOWN, CheckContext, HouseLists, WornGroup, quote_of
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.blocks import told
from inkos.text.count import count
from inkos.text.segment import Span, sentences

FEWEST = 5  # worn phrases below this number are chance, whatever their density
WINDOW = 10  # chapters
FEWEST_IN_WINDOW = 5
SHOWN = 3  # groups that a finding names


class Hit(NamedTuple):
    group: str
    start: int
    end: int


class Measured(NamedTuple):
    """Worn phrases by group, and the length of what they were counted in."""

    counts: Counter[str]
    length: int

    def density(self, group: str) -> float:
        """Phrases of a group in a thousand counting units."""
        return self.counts[group] * 1000 / self.length if self.length else 0.0


@lru_cache(maxsize=64)
def _pattern(group: WornGroup, language: Language) -> re.Pattern[str]:
    phrases = [re.escape(phrase).replace("'", "['’]") for phrase in group.phrases]
    if language == "en":
        phrases = [rf"\b{phrase}\b" for phrase in phrases]
    # The text is lowered instead of matched without regard to case, which takes twice as long.
    return re.compile("|".join((*phrases, *group.patterns)).lower(), re.MULTILINE)


@lru_cache(maxsize=32)
def hits(text: str, groups: tuple[WornGroup, ...], language: Language) -> list[Hit]:
    """Every worn phrase of the text outside panels and documents, in order."""
    plain = told(text)
    plain = plain.replace("’", "'") if language == "en" else plain
    lowered = plain.lower()
    plain = lowered if len(lowered) == len(plain) else plain  # a few letters become two: places must stay
    found = [Hit(group.name, *match.span()) for group in groups for match in _pattern(group, language).finditer(plain)]
    return sorted(found, key=lambda hit: hit.start)


@lru_cache(maxsize=64)
def measure(text: str, lists: HouseLists, language: Language) -> Measured:
    """Counts of one text. Kept, because each of the last ten chapters is asked about again with every new text."""
    return Measured(Counter(hit.group for hit in hits(text, lists.worn, language)), count(told(text), language))


def together(parts: Sequence[Measured]) -> Measured:
    return Measured(sum((part.counts for part in parts), Counter()), sum(part.length for part in parts))


def score(found: Measured, lists: HouseLists) -> float:
    """0: none of the habits; about 0.3: a human novel; 1: every habit as dense as in the densest tenth of those."""
    if not lists.worn:
        return 0.0
    shares = (min(found.density(g.name) / g.allowed, lists.cap) for g in lists.worn)
    return sum(shares) / len(lists.worn)


def densest(found: Measured, lists: HouseLists) -> list[WornGroup]:
    """The groups over what is usual, the farthest first."""
    over = [g for g in lists.worn if found.density(g.name) > g.allowed]
    return sorted(over, key=lambda g: -found.density(g.name) / g.allowed)


def lately(
    texts: Sequence[str], lists: HouseLists, language: Language, most: int = 5, *, own: str = ""
) -> tuple[str, ...]:
    """What was overused in these texts, the worst first, each with what to do instead: for the next draft's task.
    `own`: the author's papers; a phrase that stands in them (掌心灰印 of a book about such marks) is no habit."""
    found = together([measure(text, lists, language) for text in texts])
    opening = {group.name for group in lists.worn if group.at == "opening"}
    used: Counter[tuple[str, str]] = Counter()
    known = own.lower()
    for text in texts:
        first = next((span.end for span in sentences(text, language)), 0)
        for hit in hits(text, lists.worn, language):
            words = " ".join(text[hit.start : hit.end].lower().strip(" ,").split())
            if words not in known and (hit.group not in opening or hit.start < first):
                used[hit.group, words] += 1
    colon = "：" if language == "zh" else ": "
    lines = []
    counts = Counter({name: sum(n for row, n in used.items() if row[0] == name) for name in {row[0] for row in used}})
    for group in [g for g in densest(found, lists) if g.instead and counts[g.name] > 1][:most]:
        words = max((row for row in used if row[0] == group.name), key=lambda row: used[row])[1]
        lines.append(f"{words}{colon}{group.instead}")
    return tuple(lines)


def phrases(text: str, context: CheckContext) -> list[Finding]:
    """The habits of model prose stand closer together than in any published novel that was measured."""
    found = measure(text, context.lists, context.language)
    value = score(found, context.lists)
    if found.counts.total() < FEWEST or value <= context.lists.limit:
        return []
    groups = densest(found, context.lists)[:SHOWN]
    return [_finding("prose-004", value, context.lists.limit, found, groups, text, context)]


def window(text: str, context: CheckContext) -> list[Finding]:
    """Over the last ten chapters, this one included, the habits of model prose are denser than in published novels."""
    texts = (*context.recent[-(WINDOW - 1) :], text)
    if len(texts) < FEWEST_IN_WINDOW:
        return []
    found = together([measure(one, context.lists, context.language) for one in texts])
    value = score(found, context.lists)
    # A chapter far better than its window has nothing to mend: the window is the past's fault.
    own = score(measure(text, context.lists, context.language), context.lists)
    if value <= context.lists.window_limit or own <= context.lists.window_limit / 2:
        return []
    groups = densest(found, context.lists)[:SHOWN]
    return [_finding("prose-012", value, context.lists.window_limit, found, groups, text, context)]


def _finding(
    code: str, value: float, limit: float, found: Measured, groups: Sequence[WornGroup], text: str,
    context: CheckContext,
) -> Finding:  # fmt: skip
    comma, stop = ("、", "") if context.language == "zh" else (", ", " ")
    names = {g.name for g in groups}
    shown = [h for h in hits(text, context.lists.worn, context.language) if h.group in names]
    worst = _worst(text, shown, context)
    # Advice about the first sentence is for those who have the habit there.
    first = next((span.end for span in sentences(text, context.language)), 0)
    opened = {h.group for h in shown if h.start < first}
    advised = [g for g in groups if g.at != "opening" or g.name in opened] or groups
    return Finding(
        code=code,
        severity="warning",
        metric="density of habits",
        expected=f"{limit:.2f}",
        actual=f"{value:.2f}",
        values={
            "habits": comma.join(f"{g.name} {found.density(g.name):.1f} ({g.allowed:.1f})" for g in groups),
            "instead": stop.join(g.instead for g in advised),
        },
        quotes=tuple(quote_of(text, s.start, s.end) for s in worst),
    )


def _worst(text: str, found: list[Hit], context: CheckContext) -> list[Span]:
    """The sentences with most worn phrases, in the order of the text."""
    rows = [(sum(s.start <= h.start < s.end for h in found), s) for s in sentences(text, context.language)]
    ranked = sorted((row for row in rows if row[0]), key=lambda row: -row[0])[:QUOTES_SHOWN]
    return sorted((s for _, s in ranked), key=lambda s: s.start)
