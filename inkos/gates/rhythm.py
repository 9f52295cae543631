"""How a chapter is paced on the page: telegraph style, prose pruned of its causes, talk against telling; advisory.

Limits lie beyond what the measured novels have (inkos/gates/data/figures.yaml): shares of narrated sentences of at most
three words (en) or five characters (zh) reach 0.19 and 0.27 there, mean sentences go down to 8 words and 16 characters,
words of cause stay above 3.1 (en) and 8.5 (zh) in a thousand over ten chapters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from inkos.gates.check import QUOTES_SHOWN, CheckContext, quote_of
from inkos.gates.measures import SHORT, ends, narrated_lengths
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.blocks import told
from inkos.text.count import count
from inkos.text.segment import sentences
from inkos.text.speech import speech

SHORT_SHARE: dict[Language, float] = {"en": 0.30, "zh": 0.35}
SENTENCE: dict[Language, float] = {"en": 6.0, "zh": 10.0}
FEWEST_SENTENCES = 30
CAUSES_ALLOWED: dict[Language, float] = {"en": 2.2, "zh": 4.0}
WINDOW, FEWEST_IN_WINDOW = 10, 5
FEWEST_WORDS = 400
TALK_MOST, TALK_LEAST = 0.97, 0.02

_CAUSES: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:because|if|though|although|since|unless|so that|therefore|for (?:he|she|it|they|I) )\b", re.IGNORECASE
    ),
    "zh": re.compile("因|若|便|所以|可是|但是|要是|如果|虽然|既然|于是|只好|不过|倘|为了|却"),
}


class Pace(NamedTuple):
    """Share of very short sentences among the narrated whole ones, and their mean length in counting units."""

    short: float
    mean: float


def pace(text: str, language: Language) -> Pace | None:
    """Of one chapter; null where it has too few narrated sentences to tell."""
    lengths = narrated_lengths(told(text), language, ended=True)
    if len(lengths) < FEWEST_SENTENCES:
        return None
    return Pace(sum(n <= SHORT[language] for n in lengths) / len(lengths), sum(lengths) / len(lengths))


def telegraph(text: str, context: CheckContext) -> list[Finding]:
    """The narration is chopped: far more sentences of a few words than any measured novel has, or all of them short."""
    plain = told(text)
    found = pace(text, context.language)
    allowed, least = context.lists.short, context.lists.sentence
    allowed = SHORT_SHARE[context.language] if allowed is None else allowed
    least = SENTENCE[context.language] if least is None else least
    if found is None or (found.short <= allowed and found.mean >= least):
        return []
    said = speech(plain)
    short = [
        s for s in sentences(plain, context.language)
        if count(s.text, context.language) <= SHORT[context.language] and ends(s.text)
        and not any(start < s.end and s.start < end for start, end in said)
    ]  # fmt: skip
    return [
        Finding(
            code="prose-014", severity="warning", metric="share of short sentences",
            expected=f"{allowed:.0%}", actual=f"{found.short:.0%}", values={"mean": f"{found.mean:.1f}"},
            quotes=tuple(quote_of(text, s.start, s.end) for s in short[:QUOTES_SHOWN]),
        )
    ]  # fmt: skip


@lru_cache(maxsize=64)
def causes(text: str, language: Language) -> tuple[int, int]:
    """Words of cause, and the length they were counted in; kept, as the last chapters are asked about each time."""
    plain = told(text)
    return len(_CAUSES[language].findall(plain)), count(plain, language)


def causes_in(texts: Sequence[str], language: Language) -> float | None:
    """Words of cause in a thousand counting units over several chapters; null where there are too few of them."""
    counts = [causes(one, language) for one in texts]
    length = sum(words for _, words in counts)
    if len(counts) < FEWEST_IN_WINDOW or length < FEWEST_WORDS * FEWEST_IN_WINDOW:
        return None
    return sum(found for found, _ in counts) * 1000 / length


def pruned(text: str, context: CheckContext) -> list[Finding]:
    """Over the last ten chapters hardly anything happens because of anything: the words of cause have been cut away."""
    found = causes_in((*context.recent[-(WINDOW - 1) :], text), context.language)
    least = CAUSES_ALLOWED[context.language] if context.lists.causes is None else context.lists.causes
    if found is None or found >= least:
        return []
    return [
        Finding(
            code="prose-015", severity="info", metric="words of cause per 1,000",
            expected=f"{least:g}", actual=f"{found:.1f}", repairable=False,
        )
    ]  # fmt: skip


def balance(text: str, context: CheckContext) -> list[Finding]:
    """The chapter is nothing but talk, or several people are planned for it and none of them says a word."""
    plain = told(text)
    length = count(plain, context.language)
    if length < FEWEST_WORDS:
        return []
    share = sum(count(plain[start:end], context.language) for start, end in speech(plain)) / length
    silent = share < TALK_LEAST and context.plan is not None and len(context.plan.cast) > 2
    if share <= TALK_MOST and not silent:
        return []
    return [
        Finding(
            code="prose-016", severity="info", metric="share of dialogue",
            expected=f"{TALK_LEAST:.0%}–{TALK_MOST:.0%}", actual=f"{share:.0%}", repairable=False,
        )
    ]  # fmt: skip
