"""What reading a reply gives: a value, or the one fault that a re-ask names; does not know any contract."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from inkos.kernel.papers import ReplyFault

T = TypeVar("T")

MAX_PLACES = 5  # places of one fault that a re-ask names (design/prompts.md §4)

# The re-ask names the first fault in this order (design/prompts.md §4): not JSON, key, value, handle, quote, limit.
_RANKS: tuple[tuple[str, ...], ...] = (
    ("reply-json", "prose", "language"),
    ("reply-key", "missing", "unanswered"),
    ("reply-value", "predicate", "source", "number", "verdict"),
    ("reply-handle",),
    ("reply-quote", "reply-twice", "beat", "old"),
    ("figure", "truth", "count", "beats", "outline", "early", "place"),
)
RANK: dict[str, int] = {code: rank for rank, codes in enumerate(_RANKS) for code in codes}


class Read(NamedTuple, Generic[T]):
    """`notes` record what was repaired, mapped or dropped. With a `fault`, `value` is null, or what can be used all the
    same when even the re-ask does not mend it (patches for some of the findings, a delta without some entries)."""

    value: T | None
    notes: tuple[str, ...] = ()
    fault: ReplyFault | None = None


class _Place(NamedTuple):
    code: str
    where: str
    values: dict[str, str]


class Faults:
    """Collects what does not fit while a reply is walked through; `first` is what the re-ask will name."""

    def __init__(self) -> None:
        self._places: list[_Place] = []

    def add(self, code: str, where: str, **values: str) -> None:
        self._places.append(_Place(code, where, values))

    def __bool__(self) -> bool:
        return bool(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def codes(self) -> set[str]:
        return {place.code for place in self._places}

    def count(self, code: str) -> int:
        return sum(place.code == code for place in self._places)

    def first(self, keys: tuple[str, ...] | None = None) -> ReplyFault | None:
        """The fault to name, with every place of the same code and values; `keys` in place of the keys touched."""
        if not self._places:
            return None
        chosen = min(self._places, key=lambda place: RANK[place.code])
        same = [place for place in self._places if place.code == chosen.code and place.values == chosen.values]
        touched = tuple(dict.fromkeys(top_key(place.where) for place in same))
        where = tuple(dict.fromkeys(place.where for place in same))[:MAX_PLACES]
        return ReplyFault(code=chosen.code, where=where, keys=touched if keys is None else keys, values=chosen.values)


def top_key(where: str) -> str:
    """`facts[2].quote` → `facts`."""
    return where.split("[", 1)[0].split(".", 1)[0]
