"""What a deterministic check is and what it compares a text with; knows no check by name and no list by content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from inkos.config import LengthConfig, StyleConfig
from inkos.kernel.findings import Finding, Quote, Severity
from inkos.kernel.papers import OutlineEntry, Plan
from inkos.messages import Language
from inkos.records import Record

QUOTES_SHOWN = 5  # sentences that one finding points at; more of them help nobody and fill the reviser's prompt


class WornGroup(Record):
    """One habit of model prose: the `phrases` (exact) and `patterns` (regular expressions) by which it is seen, and
    what to do `instead`. `at` opening: the advice is about a chapter's first sentence, and the next draft is told of it
    only where the habit stands there. `allowed` is the density that nine of ten human chapters stay below, per 1,000
    counting units."""

    name: str
    allowed: float = 1.0
    instead: str = ""
    at: Literal["", "opening"] = ""
    phrases: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


class HouseLists(Record):
    """The house's lists of one language, from inkos/gates/data/<language>.yaml. `limit` and `window_limit` are the
    scores that a chapter and ten chapters may reach, `cap` how much one group can weigh (gates/density.py). `stock` are
    the few set phrases that are worth a word where they stand even once (patterns, without regard to case): none of
    them stands in the novels that the lists were measured on. `common` are the runs of words that any novel uses again
    and again, parted by `|` (gates/habits.py). `short`, `sentence`, `causes`: an author's own limits of rhythm; null:
    the house's (gates/rhythm.py)."""

    cap: float = 2.0
    limit: float = 1.0
    window_limit: float = 1.0
    worn: tuple[WornGroup, ...] = ()
    stock: tuple[str, ...] = ()
    common: str = ""
    short: float | None = None
    sentence: float | None = None
    causes: float | None = None
    model_talk: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    chapter_references: tuple[str, ...] = ()

    @classmethod
    def build(cls, data: Mapping[str, object]) -> HouseLists:
        """From the parsed YAML file of one language."""
        return cls.model_validate(data)


class Figure(Record):
    """A number that the state holds: under which labels a panel may show it, and its values before and after."""

    labels: tuple[str, ...]
    values: tuple[float, ...]


class StoryView(Record):
    """Where the chapter stands in its book. `pov`: names of the viewpoint; `given_pov`: whom the outline gives the
    chapter to, where that is somebody else; `goal` of the volume, and `told`: what its chapters came to so far, one
    line each, this one's last (null while there is none); `functions` of the outline entries told so
    far, newest last; `due`: promises due, as (id, core); `moved`, `resolved`: promises that the settlement moves, pays
    (`moved` null while there is none); `since_payoff`: chapters since one was paid, null: none yet."""

    position: int
    pov: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    due: tuple[tuple[str, str], ...] = ()
    moved: tuple[str, ...] | None = None
    resolved: tuple[str, ...] = ()
    since_payoff: int | None = None
    figures: tuple[Figure, ...] = ()
    given_pov: str = ""
    goal: str = ""
    told: tuple[str, ...] | None = None


class CheckContext(Record):
    """What a text is judged by. `target` is the chapter's length in the book's counting unit; `earlier` shingles of
    earlier chapters, or `seen` those of this text's sampled runs that an index of the whole book knows; `recent` the
    texts of the last chapters, newest last; `beats_done` the outline beats that the settlement claims
    (`<entry key>#<n>`), null while there is none; `lists` the house's own lists, handed in because a pure room reads no
    file."""

    language: Language
    target: int
    lists: HouseLists
    length: LengthConfig = LengthConfig()
    style: StyleConfig = StyleConfig()
    title: str = ""
    plan: Plan | None = None
    entry: OutlineEntry | None = None
    next_entry: OutlineEntry | None = None
    names: tuple[str, ...] = ()
    earlier: tuple[frozenset[int], ...] = ()
    seen: frozenset[int] | None = None
    recent: tuple[str, ...] = ()
    beats_done: tuple[str, ...] | None = None
    story: StoryView | None = None


Run = Callable[[str, CheckContext], Sequence[Finding]]


class Check(NamedTuple):
    """One entry of the catalogue. `severity` is the worst that this check gives."""

    code: str
    severity: Severity
    run: Run

    @property
    def about(self) -> str:
        """What authors read about this check: the first line of its docstring."""
        return (self.run.__doc__ or "").strip().partition("\n")[0]


@lru_cache(maxsize=4096)
def compiled(pattern: str, ignore_case: bool = False) -> re.Pattern[str]:
    """A house pattern, compiled once. House patterns are data of this package and bounded by its tests."""
    return re.compile(pattern, re.MULTILINE | (re.IGNORECASE if ignore_case else 0))


def quote_of(text: str, start: int, end: int) -> Quote:
    """The words of `text` from `start` to `end`, without blanks at the edges."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    words = words.strip()
    return Quote(text=words, start=start, end=start + len(words))
