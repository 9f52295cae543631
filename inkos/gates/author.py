"""An author's own hand, from chapters of theirs: thresholds, a profile with a distance, samples by kind of scene.

The house's thresholds come from novels of other people. Where an author's own chapters are denser in some habit, that
is their voice and not a model's: `allowed` rises to what nine of ten of their chapters stay below, and the limits so
that at most one of twenty of them would be warned of. They are never lowered on fewer than TIGHTEN_FROM chapters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, pstdev

from inkos.gates.check import HouseLists, compiled
from inkos.gates.density import WINDOW, Measured, measure, score, together
from inkos.gates.measures import Measures, measures
from inkos.gates.rhythm import CAUSES_ALLOWED, SENTENCE, SHORT_SHARE, causes_in, pace
from inkos.messages import Language
from inkos.records import Record
from inkos.text.blocks import told
from inkos.text.count import count
from inkos.text.segment import paragraphs
from inkos.text.speech import speech

WARNED = 0.05  # share of the author's own chapters that may be warned of
ROOM = 1.15  # above their highest score: the next chapter is another one
TIGHTEN_FROM = 20
TIGHTENED = 0.7  # of the house's threshold: no author's are tightened below that
PARTS = ("dialogue", "sentence", "paragraph", "short", "habits")
SAMPLE: dict[Language, tuple[int, int]] = {"en": (110, 200), "zh": (150, 330)}  # counting units; two fit the prefix
KINDS = ("talk", "action", "description")


class Part(Record):
    """A measure over the author's chapters: its mean and its standard deviation."""

    mean: float
    spread: float


class Learned(Record):
    """What is known of an author's hand. `allowed` by group of habits; `tolerated`: stock patterns they use
    themselves; `short`, `sentence`, `causes`: limits of rhythm where theirs is another than the house's;
    `parts` by name; `samples` by kind of scene, each a whole passage of theirs."""

    schema_version: int = 1
    language: Language
    chapters: int
    words: int
    limit: float
    window_limit: float
    allowed: dict[str, float]
    tolerated: tuple[str, ...] = ()
    short: float | None = None
    sentence: float | None = None
    causes: float | None = None
    parts: dict[str, Part]
    samples: dict[str, str] = {}


class Distance(Record):
    """How far a text lies from an author's: root mean square of its deviations in standard deviations; `parts` says
    where, the farthest first. Below 2 is within the author's own range."""

    value: float
    parts: dict[str, float]


def learn(texts: Sequence[str], language: Language, lists: HouseLists) -> Learned:
    """From the author's chapters, in order."""
    found = [measure(text, lists, language) for text in texts]
    measured = [measures(text, language, lists, frozenset()) for text in texts]
    allowed = {g.name: _allowed([m.density(g.name) for m in found], g.allowed) for g in lists.worn}
    groups = tuple(g.model_copy(update={"allowed": allowed[g.name]}) for g in lists.worn)
    own = lists.model_copy(update={"worn": groups})
    starts = range(0, max(1, len(found) - WINDOW + 1), WINDOW // 2)
    windows = [together(found[at : at + WINDOW]) for at in starts]
    paces = [one for one in (pace(text, language) for text in texts) if one is not None]
    reasons = [one for one in (causes_in(texts[at : at + WINDOW], language) for at in starts) if one is not None]
    return Learned(
        language=language,
        chapters=len(texts),
        words=sum(m.length for m in measured),
        limit=_limit(found, own, lists.limit),
        window_limit=_limit(windows, own, lists.window_limit),
        allowed=allowed,
        tolerated=tuple(p for p in lists.stock if any(compiled(p, True).search(text) for text in texts)),
        short=_most([one.short for one in paces], SHORT_SHARE[language]),
        sentence=_least([one.mean for one in paces], SENTENCE[language]),
        causes=_least(reasons, CAUSES_ALLOWED[language]),
        parts={name: _part([float(getattr(m, name)) for m in measured]) for name in PARTS},
        samples=samples(texts, language),
    )


def _allowed(densities: Sequence[float], house: float) -> float:
    ranked = sorted(densities)
    theirs = ranked[min(len(ranked) - 1, int(0.9 * len(ranked)))]
    least = house * TIGHTENED if len(ranked) >= TIGHTEN_FROM else house
    return round(max(theirs, least), 2)


def _limit(found: Sequence[Measured], lists: HouseLists, house: float) -> float:
    """The score that at most WARNED of them pass; never below the house's on few chapters."""
    ranked = sorted(score(m, lists) for m in found)
    theirs = ranked[max(0, len(ranked) - 1 - int(WARNED * len(ranked)))] * ROOM
    least = house * TIGHTENED if len(ranked) >= TIGHTEN_FROM else house
    return math.ceil(max(theirs, least) * 1000) / 1000


def _most(values: Sequence[float], house: float) -> float | None:
    """The limit above all but WARNED of the author's values; null where the house's is above it."""
    ranked = sorted(values)
    theirs = ranked[max(0, len(ranked) - 1 - int(WARNED * len(ranked)))] * ROOM if ranked else 0.0
    return round(theirs, 3) if theirs > house else None


def _least(values: Sequence[float], house: float) -> float | None:
    """The limit below all but WARNED of the author's values; null where the house's is below it."""
    ranked = sorted(values)
    theirs = ranked[int(WARNED * len(ranked))] / ROOM if ranked else house
    return round(theirs, 2) if theirs < house else None


def _part(values: Sequence[float]) -> Part:
    mean = fmean(values)
    # A spread of nothing would make every other text infinitely far away.
    return Part(mean=round(mean, 4), spread=round(max(pstdev(values), 0.1 * abs(mean), 0.01), 4))


def applied(lists: HouseLists, learned: Learned) -> HouseLists:
    """The house's lists with the author's thresholds."""
    groups = tuple(g.model_copy(update={"allowed": learned.allowed.get(g.name, g.allowed)}) for g in lists.worn)
    return lists.model_copy(
        update={
            "worn": groups,
            "limit": learned.limit,
            "window_limit": learned.window_limit,
            "short": learned.short,
            "sentence": learned.sentence,
            "causes": learned.causes,
            "stock": tuple(pattern for pattern in lists.stock if pattern not in learned.tolerated),
        }
    )


def distance(text: str, learned: Learned, lists: HouseLists) -> Distance:
    """How far one text lies from the author's hand, and in what."""
    found: Measures = measures(text, learned.language, lists, frozenset())
    off = {name: (float(getattr(found, name)) - part.mean) / part.spread for name, part in learned.parts.items()}
    ranked = dict(sorted(((n, round(v, 1)) for n, v in off.items()), key=lambda row: -abs(row[1])))
    return Distance(value=round(math.sqrt(fmean(v * v for v in off.values())), 2), parts=ranked)


def samples(texts: Sequence[str], language: Language) -> dict[str, str]:
    """For each kind of scene the passage that is most of its kind: whole paragraphs of one chapter."""
    best: dict[str, tuple[float, str]] = {}
    for text in texts:
        for passage in _passages(told(text), language):
            for kind, value in _kinds(passage, language).items():
                if kind not in best or value > best[kind][0]:
                    best[kind] = (value, passage)
    return {kind: best[kind][1] for kind in KINDS if kind in best and best[kind][0] > 0}


def _passages(text: str, language: Language) -> list[str]:
    least, most = SAMPLE[language]
    spans = paragraphs(text)
    found = []
    for first in range(0, len(spans), 2):
        length = 0
        for last in range(first, len(spans)):
            length += count(spans[last].text, language)
            if length > most:
                break
            if length >= least:
                found.append("\n".join(span.text for span in spans[first : last + 1]))
                break
    return found


def _kinds(passage: str, language: Language) -> dict[str, float]:
    """How much a passage is talk, action (short paragraphs with little talk), description (long ones without)."""
    length = count(passage, language)
    said = sum(count(passage[start:end], language) for start, end in speech(passage)) / length
    many = passage.count("\n") + 1
    return {
        "talk": said - 0.4 if many >= 4 else 0.0,
        "action": (1 - said) * min(1.0, many / 6) - 0.5 if 0.0 < said < 0.3 else 0.0,
        "description": 0.5 - said * 5 - 0.1 * many,
    }
