"""What is measured of every chapter, as numbers that can be drawn over a book; says of none what is good."""

from __future__ import annotations

from collections.abc import Set

from inkos.gates.check import HouseLists
from inkos.gates.density import measure, score
from inkos.gates.person import density as first_person
from inkos.messages import Language
from inkos.records import Record
from inkos.text.blocks import told
from inkos.text.characters import STOPS
from inkos.text.count import count
from inkos.text.quotes import speech
from inkos.text.repeat import shingles
from inkos.text.segment import paragraphs, sentences


class Measures(Record):
    """`length` in counting units; `habits`: score of model habits (gates/density.py); `reused`: share of runs of words
    that stand in an earlier chapter; `dialogue`: share of counting units inside quotation marks; `sentence`,
    `paragraph`: mean length in counting units; `short`: share of narrated sentences of at most three words or five
    characters; `first`: first-person pronouns in a thousand units of narration, null where there is too little."""

    length: int
    habits: float
    reused: float
    dialogue: float
    sentence: float
    paragraph: float
    short: float
    first: float | None = None


MEASURES = ("length", "habits", "reused", "dialogue", "sentence", "paragraph", "short")
SHORT: dict[Language, int] = {"en": 3, "zh": 5}


def measures(text: str, language: Language, lists: HouseLists, earlier: Set[int]) -> Measures:
    """All of one chapter. Panels and quoted documents count into its length and into nothing else."""
    plain = told(text)
    units = count(plain, language)
    said = sum(count(plain[start:end], language) for start, end in speech(plain))
    narrated = narrated_lengths(plain, language)
    whole = [count(s.text, language) for s in sentences(plain, language)]
    blocks = paragraphs(plain)
    own = shingles(plain, language)
    first = first_person(plain, language)
    return Measures(
        length=count(text, language),
        habits=round(score(measure(text, lists, language), lists), 3),
        reused=round(len(own & earlier) / len(own), 4) if own else 0.0,
        dialogue=_share(said, units),
        sentence=round(sum(whole) / len(whole), 1) if whole else 0.0,
        paragraph=round(units / len(blocks), 1) if blocks else 0.0,
        short=_share(sum(n <= SHORT[language] for n in narrated), len(narrated)),
        first=None if first is None else round(first, 1),
    )


def ends(sentence: str) -> bool:
    """Is it a whole sentence? A line of verse, of a list or of a sign mostly has no stop at its end."""
    return sentence.rstrip().rstrip("”’」』\"')）").endswith(tuple(STOPS))


def narrated_lengths(text: str, language: Language, *, ended: bool = False) -> list[int]:
    """Lengths of the sentences that hold no speech, in counting units; `ended`: of whole sentences only."""
    said = speech(text)
    found: list[int] = []
    at = 0
    for sentence in sentences(text, language):
        while at < len(said) and said[at][1] <= sentence.start:
            at += 1
        if at < len(said) and said[at][0] < sentence.end:
            continue
        if ended and not ends(sentence.text):
            continue
        found.append(count(sentence.text, language))
    return [n for n in found if n]


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
