"""What two books have in common that readers of both would notice; knows neither where books lie nor who asks.

Titles, people's names, first lines, and passages that stand in both word for word. A studio's books come from the same
models, and models have favourites: the warning comes before a reader's.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from inkos.messages import Language
from inkos.records import Record

SAME_TITLE, SAME_OPENING = 80.0, 75.0  # of 100, by the longest common subsequence of characters; chosen by hand
OPENING = 120  # characters of the first lines that are compared
LEAST_NAMES = 2  # one name in common is chance; or one that both books give to their leading person
LEAST_SHARED = 3  # sampled runs of words that stand in both; one is a saying
LEAST_NAME = 2  # characters: what is shorter is a pronoun or a nickname

Kind = Literal["title", "people", "opening", "passages"]


class Portrait(Record):
    """What is compared of a book. `people`: full names, the leading person first. `opening`: its first lines, empty
    before there are any. `runs`: sampled runs of words of its papers and first chapter (text/repeat.py)."""

    book: str
    language: Language
    title: str
    people: tuple[str, ...] = ()
    opening: str = ""
    runs: tuple[int, ...] = ()


class Alike(NamedTuple):
    kind: Kind
    other: str
    what: str


def alike(one: Portrait, others: list[Portrait]) -> list[Alike]:
    """What a book has in common with each of the others, the others in their order."""
    return [found for other in others if other.book != one.book for found in _between(one, other)]


def _between(one: Portrait, other: Portrait) -> list[Alike]:
    found = []
    if fuzz.ratio(one.title.casefold(), other.title.casefold()) >= SAME_TITLE:
        found.append(Alike("title", other.book, other.title))
    names = [name for name in one.people if len(name) >= LEAST_NAME and name in other.people]
    leading = one.people and other.people and one.people[0] == other.people[0]
    if len(names) >= LEAST_NAMES or (names and leading):
        found.append(Alike("people", other.book, ", ".join(names[:5])))
    first, second = one.opening[:OPENING], other.opening[:OPENING]
    if first and second and fuzz.ratio(first, second) >= SAME_OPENING:
        found.append(Alike("opening", other.book, first[:40]))
    shared = len(set(one.runs) & set(other.runs))
    if shared >= LEAST_SHARED:
        found.append(Alike("passages", other.book, str(shared)))
    return found
