"""Whether the narration stands in the grammatical person of the book; does not know who the narrator is.

Pronouns inside speech say nothing about the narration, and a thought or a letter set without marks brings a few into
any novel: only a density that published novels of the other person do not reach is a finding.
"""

from __future__ import annotations

import re

from inkos.gates.check import QUOTES_SHOWN, CheckContext, quote_of
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.quotes import speech
from inkos.text.segment import sentences

_FIRST: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\b(?:I|I['’](?:m|d|ve|ll)|[Mm]y|[Mm]e|[Mm]yself)\b"),
    "zh": re.compile(r"我(?!国|军|方|朝)"),
}
# First-person pronouns in a thousand words (en) or characters (zh) of narration: too many for a book told in the third
# person, too few for one told in the first. Measured in tests/gates/test_published.py.
MOST_IN_THIRD: dict[Language, float] = {"en": 30.0, "zh": 20.0}
FEWEST_IN_FIRST: dict[Language, float] = {"en": 1.0, "zh": 0.5}
FEWEST_WORDS = 200  # of narration: less tells nothing
NAMES: dict[Language, dict[str, str]] = {
    "en": {"first": "first", "third": "third"},
    "zh": {"first": "第一人称", "third": "第三人称"},
}


def narration(text: str) -> str:
    """The text with everything inside quotation marks blanked out, so that places stay the same."""
    told = list(text)
    for start, end in speech(text):
        told[start:end] = " " * (end - start)
    return "".join(told)


def density(text: str, language: Language) -> float | None:
    """First-person pronouns in a thousand words or characters of narration; null where there is too little of it."""
    told = narration(text)
    length = count(told, language)
    if length < FEWEST_WORDS:
        return None
    return len(_FIRST[language].findall(told)) * 1000 / length


def person(text: str, context: CheckContext) -> list[Finding]:
    """The narration is in another grammatical person than the book's."""
    found = density(text, context.language)
    if found is None:
        return []
    if context.style.person == "third":
        wrong = found > MOST_IN_THIRD[context.language]
    else:
        wrong = found < FEWEST_IN_FIRST[context.language]
    if not wrong:
        return []
    told = narration(text)
    places = [s for s in sentences(text, context.language) if _FIRST[context.language].search(told, s.start, s.end)]
    shown = places if context.style.person == "third" else []
    return [
        Finding(
            code="person-001",
            severity="warning",
            metric="first-person pronouns per 1,000",
            expected=NAMES[context.language][context.style.person],
            actual=f"{found:.1f}",
            quotes=tuple(quote_of(text, s.start, s.end) for s in shown[:QUOTES_SHOWN]),
            structural=True,
        )
    ]
