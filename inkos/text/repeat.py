"""How much of a text stands already somewhere else, in short runs of words; does not judge how much is too much.

Measure (design/bars.md): the share of 6-word or 12-character runs seen in earlier chapters is at most 0.1 % in human
novels and 3 to 13 % in model prose that repeats itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from hashlib import blake2b

from inkos.messages import Language
from inkos.text.characters import HAN, LETTER
from inkos.text.count import count
from inkos.text.fold import fold
from inkos.text.lang import language_of
from inkos.text.segment import Span, paragraphs, sentences

EN_WORDS = 6
ZH_CHARACTERS = 12

_HAN = re.compile(f"[{HAN}]+")
_HAN_ONE = re.compile(f"[{HAN}]")
_WORD = re.compile(rf"{LETTER}+(?:['’]{LETTER}+)*")

# Shorter ones recur by nature (“是。”, "He nodded."); in units of count.py.
_SHORTEST: dict[Language, int] = {"zh": 12, "en": 8}
# A paragraph is a retelling when this share of its runs stood in earlier paragraphs.
_RETOLD = 0.6


def shingles(text: str, language: Language) -> set[int]:
    """The runs of 6 words (en) or 12 Han characters (zh) as 64-bit numbers, the same in every process.

    Case, punctuation and paragraph breaks do not matter; a text shorter than one run has none.
    """
    if language == "zh":
        line = "".join(_HAN.findall(text))
        return {_number(line[at : at + ZH_CHARACTERS]) for at in range(len(line) - ZH_CHARACTERS + 1)}
    words = [word.replace("’", "'") for word in _WORD.findall(text.casefold())]
    return {_number(" ".join(words[at : at + EN_WORDS])) for at in range(len(words) - EN_WORDS + 1)}


SAMPLED = 4


def sampled(runs: Iterable[int]) -> frozenset[int]:
    """Every fourth run, the same ones in every text: what an index of a long book keeps, since the share that stood
    before is the same among them."""
    return frozenset(run for run in runs if run % SAMPLED == 0)


def _number(run: str) -> int:
    return int.from_bytes(blake2b(run.encode(), digest_size=8).digest())


def reused(text: str, earlier: Iterable[Set[int]], language: Language) -> float:
    """The share, 0 to 1, of the text's runs that stand in any of the `earlier` sets of shingles."""
    own = shingles(text, language)
    seen: set[int] = set()
    for other in earlier:
        seen |= own & other
    return len(seen) / len(own) if own else 0.0


def repeated_paragraphs(text: str) -> list[Span]:
    """Paragraphs that stood before in the same text, word for word or nearly so; short ones are never counted."""
    language: Language = "zh" if language_of(text) == "zh" else "en"
    found: list[Span] = []
    known: set[str] = set()
    runs: set[int] = set()
    for paragraph in paragraphs(text):
        if count(paragraph.text, language) < _SHORTEST[language]:
            continue
        form = fold(paragraph.text).text
        own = shingles(paragraph.text, language)
        if form in known or (own and len(own & runs) >= _RETOLD * len(own)):
            found.append(paragraph)
        known.add(form)
        runs |= own
    return found


def repeated_sentences(text: str, language: Language) -> list[Span]:
    """Sentences that stood before in the same text, the same but for how they are set; short ones are never counted."""
    found: list[Span] = []
    known: set[str] = set()
    for sentence in sentences(text, language):
        if count(sentence.text, language) < _SHORTEST[language]:
            continue
        form = fold(sentence.text).text
        if form in known:
            found.append(sentence)
        known.add(form)
    return found


# A draft that has run into a loop: measured on published novels, the share of the last LOOP_LEAST runs (4 words, 8
# characters) that stood before in the same chapter is at most 0.11; in drafts that loop it is 0.6 to 1.
LOOP_RUN: dict[Language, int] = {"en": 4, "zh": 8}
LOOP_LEAST: dict[Language, int] = {"en": 120, "zh": 240}
LOOP_SHARE = 0.5


def loop_start(text: str, language: Language) -> int | None:
    """Where a text begins to say only what it said before, up to its end: the beginning of a sentence; null where it
    does not. What is said for the first time stays, also the first round of the loop."""
    pattern = _HAN_ONE if language == "zh" else _WORD
    tokens = [(match.group().casefold(), match.start()) for match in pattern.finditer(text)]
    size = LOOP_RUN[language]
    seen: set[tuple[str, ...]] = set()
    stale: list[bool] = []
    for at in range(len(tokens) - size + 1):
        run = tuple(word for word, _ in tokens[at : at + size])
        stale.append(run in seen)
        seen.add(run)
    # The suffix in which repeated runs outweigh fresh ones by the most.
    gain, best, start = 0, 0, len(stale)
    for at in range(len(stale) - 1, -1, -1):
        gain += 1 if stale[at] else -1
        if gain > best:
            best, start = gain, at
    tail = stale[start:]
    if len(tail) < LOOP_LEAST[language] or sum(tail) < LOOP_SHARE * len(tail):
        return None
    place = tokens[start][1]
    return max((s.start for s in sentences(text, language) if s.start <= place), default=0)
