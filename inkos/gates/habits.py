"""What a book does again and again over its last chapters: phrases, similes, openings, endings; judges no single use.

A phrase is a run of four words or five characters of narration that stands in several of the last ten chapters and is
not one that any novel repeats (`HouseLists.common`, taken from published novels). Names and speech are left out: what a
person always says is theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from inkos.gates.check import CheckContext, quote_of
from inkos.gates.person import narration
from inkos.kernel.findings import Finding, Quote
from inkos.messages import Language
from inkos.text.blocks import told
from inkos.text.segment import sentences

Kind = Literal["phrase", "simile", "opening", "ending"]
WINDOW = 10
RUN: dict[Language, int] = {"en": 4, "zh": 5}
# Chapters of the window that must have it: what two chapters share is chance.
FEWEST: dict[Kind, int] = {"phrase": 4, "simile": 3, "opening": 3, "ending": 3}
SHOWN = 5
EDGE = 1500  # characters in which the first or last sentence is looked for

_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_CLAUSE = re.compile(r"[^.,;:!?…—–\n“”\"()]+")
_SIMILE: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"\blike (an? (?:\w+ ){0,2}\w+)", re.IGNORECASE),
    "zh": re.compile(r"像(?:是)?([^，。！？；\n“”]{2,8}?)(?:一样|似的|一般|那样|般)"),
}


class Habit(NamedTuple):
    """`words` stand in `chapters` of the last `of` chapters."""

    kind: Kind
    words: str
    chapters: int
    of: int


@lru_cache(maxsize=64)
def runs(text: str, language: Language) -> frozenset[str]:
    """Every run of words of the narration, within a clause, in lower case."""
    return frozenset(_runs(narration(told(text)), language))


def _runs(plain: str, language: Language) -> Iterator[str]:
    size = RUN[language]
    if language == "zh":
        for clause in _HAN.findall(plain):
            yield from (clause[at : at + size] for at in range(len(clause) - size + 1))
        return
    for clause in _CLAUSE.findall(plain.lower().replace("’", "'")):
        words = _WORD.findall(clause)
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))


@lru_cache(maxsize=64)
def similes(text: str, language: Language) -> frozenset[str]:
    """What things are likened to."""
    return frozenset(m[1].lower() for m in _SIMILE[language].finditer(told(text)))


@lru_cache(maxsize=128)
def edge(text: str, language: Language, kind: Kind) -> str:
    """The words that a chapter begins or ends with: two words or three characters."""
    plain = told(text).strip()
    spans = sentences(plain[:EDGE] if kind == "opening" else plain[-EDGE:], language)
    if not spans:
        return ""
    sentence = spans[0].text if kind == "opening" else spans[-1].text
    if language == "zh":
        han = "".join(_HAN.findall(sentence))
        return han[:3] if kind == "opening" else han[-3:]
    words = _WORD.findall(sentence.lower())
    return " ".join(words[:2] if kind == "opening" else words[-2:])


def habits(
    texts: Sequence[str], language: Language, common: str, names: Sequence[str] = (), most: int = SHOWN
) -> tuple[Habit, ...]:
    """What these chapters do again and again, the most frequent first. Of phrases that overlap, one stands for all."""
    return tuple(_apart(_found(texts[-WINDOW:], language, common, names), language))[:most]


def _found(
    texts: Sequence[str], language: Language, common: str, names: Sequence[str],
    among: Mapping[Kind, frozenset[str]] | None = None,
) -> list[Habit]:  # fmt: skip
    """The habits of these texts, the most frequent first; `among`: only these words are of interest."""
    usual = _usual(common)
    taken = _name_pattern(tuple(sorted(names)))
    found: list[Habit] = []
    for kind, fewest in FEWEST.items():
        places: Counter[str] = Counter()
        for text in texts:
            words = _of(kind, text, language)
            places.update(words & among[kind] if among is not None else words)
        found += [
            Habit(kind, words, chapters, len(texts)) for words, chapters in places.items()
            if chapters >= fewest and words not in usual and not (taken and taken.search(words))
        ]  # fmt: skip
    return sorted(found, key=lambda h: (-h.chapters, h.kind, h.words))


def _of(kind: Kind, text: str, language: Language) -> frozenset[str]:
    if kind == "phrase":
        return runs(text, language)
    if kind == "simile":
        return similes(text, language)
    words = edge(text, language, kind)
    return frozenset({words} if words else ())


def _apart(found: Sequence[Habit], language: Language) -> Iterator[Habit]:
    """One habit of each stretch of words: a phrase that goes on from one already met belongs to it."""
    blank = " " if language == "en" else ""
    met: list[str] = []
    for habit in found:
        parts = habit.words.split() if language == "en" else list(habit.words)
        ends = (blank.join(parts[:-1]), blank.join(parts[1:]))
        fresh = habit.kind != "phrase" or not any(end in other for end in ends for other in met)
        if habit.kind == "phrase":
            met.append(habit.words)
        if fresh:
            yield habit


@lru_cache(maxsize=4)
def _usual(common: str) -> frozenset[str]:
    return frozenset(words.strip() for words in common.split("|"))


@lru_cache(maxsize=8)
def _name_pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    parts = {part.lower() for name in names for part in (name, *name.split()) if len(part) > 1}
    return re.compile("|".join(re.escape(part) for part in sorted(parts, key=len, reverse=True))) if parts else None


def again(text: str, context: CheckContext) -> list[Finding]:
    """A phrase or simile that several of the last chapters have comes once more."""
    mine = {kind: _of(kind, text, context.language) for kind in FEWEST}
    texts = context.recent[-(WINDOW - 1) :]
    found = _found(texts, context.language, context.lists.common, context.names, mine)
    found = list(_apart(found, context.language))
    return [
        Finding(
            code="prose-013",
            severity="info",
            metric="worn in recent chapters",
            expected=str(FEWEST[habit.kind] - 1),
            actual=str(habit.chapters + 1),
            values={"about": habit.words, "of": str(habit.of + 1)},
            quotes=_quotes(text, habit, context.language),
        )
        for habit in found[:SHOWN]
    ]


def _quotes(text: str, habit: Habit, language: Language) -> tuple[Quote, ...]:
    words = [re.escape(w).replace("'", "['’]") for w in habit.words.split()]
    pattern = re.compile(r"\W+".join(words), re.IGNORECASE) if language == "en" else re.compile(re.escape(habit.words))
    match = pattern.search(text)
    if match is None:
        return ()
    holder = next((s for s in sentences(text, language) if s.start <= match.start() < s.end), None)
    return (quote_of(text, holder.start, holder.end),) if holder else ()
