"""What several books have in common that readers of both would notice; a series may share its names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from inkos.messages import Language
from inkos.records import Record
from inkos.text.blocks import told
from inkos.text.fold import fold
from inkos.text.repeat import shingles
from inkos.text.segment import sentences

Kind = Literal["name", "title", "opening", "passage"]
PASSAGES = 5  # shown for a pair of books
# Runs of words in common that a passage needs: human novels of one author share single runs by chance.
FEWEST_RUNS = 3


class Volume(NamedTuple):
    """One book: its people by name, its chapters as (title, text), the series it belongs to or nothing."""

    name: str
    language: Language
    people: tuple[str, ...]
    chapters: tuple[tuple[str, str], ...]
    series: str = ""


class Shared(Record):
    """`what` stands in all of `books`; `places` says in which chapters, in the order of `books`."""

    kind: Kind
    what: str
    books: tuple[str, ...]
    places: tuple[int, ...] = ()


def shared_between(volumes: Sequence[Volume]) -> Iterator[Shared]:
    """Everything shared, by kind. Names of one series are its own and are not told."""
    yield from _shared("name", volumes, lambda v: [(name, 0) for name in v.people], outside=True)
    yield from _shared("title", volumes, lambda v: [(title, n) for n, (title, _) in enumerate(v.chapters, 1) if title])
    yield from _shared("opening", volumes, lambda v: [(o, n) for n, (_, text) in enumerate(v.chapters, 1)
                                                      if (o := opening(text, v.language))])  # fmt: skip
    for one, two in combinations(volumes, 2):
        if one.language == two.language:
            yield from _passages(one, two)


def opening(text: str, language: Language) -> str:
    """The first sentence of a chapter."""
    first = sentences(told(text)[:2000], language)[:1]
    return first[0].text if first else ""


def _shared(
    kind: Kind, volumes: Sequence[Volume], items: Callable[[Volume], list[tuple[str, int]]], outside: bool = False
) -> Iterator[Shared]:
    places: dict[str, dict[str, int]] = defaultdict(dict)
    words: dict[str, str] = {}
    for volume in volumes:
        for what, number in items(volume):
            key = fold(what).text.casefold()
            words.setdefault(key, what)
            places[key].setdefault(volume.name, number)
    series = {volume.name: volume.series for volume in volumes}
    for key, found in places.items():
        one_series = len({series[name] for name in found}) == 1 and bool(series[next(iter(found))])
        if len(found) > 1 and not (outside and one_series):
            yield Shared(kind=kind, what=words[key], books=tuple(found), places=tuple(n for n in found.values() if n))


def _passages(one: Volume, two: Volume) -> Iterator[Shared]:
    known: dict[int, int] = {}
    for number, (_, text) in enumerate(one.chapters, 1):
        for run in shingles(told(text), one.language):
            known.setdefault(run, number)
    found = []
    for number, (_, text) in enumerate(two.chapters, 1):
        for sentence in sentences(told(text), two.language):
            own = shingles(sentence.text, two.language)
            if len(own & known.keys()) >= max(FEWEST_RUNS, len(own) // 2):
                source = min(known[run] for run in own & known.keys())
                found.append((len(sentence.text), sentence.text, source, number))
    for _, text, source, number in sorted(found, key=lambda row: -row[0])[:PASSAGES]:
        yield Shared(kind="passage", what=text, books=(one.name, two.name), places=(source, number))
