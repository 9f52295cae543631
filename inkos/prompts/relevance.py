"""Which known things a piece of text speaks of; does not know what they are wanted for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import add
from typing import TypeVar

from inkos.kernel.papers import OutlineEntry, Plan
from inkos.kernel.story import Entity, StoryState
from inkos.kernel.views import entity

_WORD = re.compile(r"[a-z0-9][a-z0-9'’-]*", re.IGNORECASE)
# Words that two English texts share whatever they speak of.
_COMMON_WORDS = (
    "the and but for nor not with without from into onto over under about after before than then that this these "
    "those there here what when where which who whom whose why how will would shall should can could may might must "
    "does did has have had having was were are been being she her hers him his they them their its our your you one "
    "once ever still yet all any some each every both more most much many only just also very first last next time "
    "other thing put get got off call stand come came goes went gone speak say says said year old new somebody anybody "
    "nobody"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_ENDINGS = ("ors", "or", "ing", "ed", "es", "s")
_HAN = re.compile(r"[\u3400-\u9fff]+")


def entry_text(entry: OutlineEntry | None) -> str:
    """All that an outline entry says, as one text."""
    if entry is None:
        return ""
    return "\n".join([entry.title, entry.function, entry.required, *(beat.text for beat in entry.beats)])


def plan_text(plan: Plan) -> str:
    """All that a plan says about what happens, as one text."""
    beats = [" ".join((beat.wants, beat.against, beat.cost, beat.thing)) for beat in plan.beats]
    told = [part for member in plan.cast for part in (member.wants, member.unsaid)]
    hows = [promise.how for promise in plan.promises]
    return "\n".join([plan.title, plan.change, *plan.knows, *plan.believes, *beats, *told, *hows, plan.keep, plan.end])


def _lower_article(text: str) -> str:
    """`The dock` at the start of a sentence is `the dock`."""
    return text.replace("The ", "the ") if "The " in text else text


def _stands(name: str, text: str) -> bool:
    """Whether a name that is somewhere in the text is a word of its own there."""
    if not (name[0].isascii() and name[-1].isascii()):
        return True
    return re.search(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", text) is not None


def mentioned(entities: Iterable[Entity], text: str) -> list[Entity]:
    """Those whose name or alias stands in the text, in the order in which they first stand there. The longest name wins
    a place: 程满仓 is not also 程满; one name borne by two stands for both. A name of one letter is no evidence of
    anybody."""
    return _mentioned(_by_head(entities), text)


def mentioned_in(state: StoryState, text: str) -> list[Entity]:
    """`mentioned` of all that the state knows: its names are sorted by their beginnings once."""
    return _mentioned(kept(state, "_by_head", lambda: _by_head(state.entities.values())), text)


T = TypeVar("T")


def kept(state: StoryState, name: str, make: Callable[[], T]) -> T:
    """What is worked out from a state's tables, once for all who ask in a chapter; beside the fields, so that it is no
    part of the state's value. A copy with other tables works it out anew."""
    tables = (state.entities, state.facts, state.hooks, state.truths)
    held = state.__dict__.get(name)
    if held is None or any(one is not other for one, other in zip(held[0], tables, strict=True)):
        held = state.__dict__[name] = (tables, make())
    made: T = held[1]
    return made


Bearers = Mapping[str, Sequence[tuple[str, Entity]]]


def _by_head(entities: Iterable[Entity]) -> Bearers:
    """Names and who bears them, by the first two characters."""
    found: dict[str, list[tuple[str, Entity]]] = {}
    for known in entities:
        for name in (known.name, *known.aliases):
            plain = _lower_article(name) if name.startswith("The ") else name
            if len(plain) > 1:
                found.setdefault(plain[:2], []).append((plain, known))
    return found


def _mentioned(names: Bearers, text: str) -> list[Entity]:
    text = _lower_article(text)
    bearers: dict[str, list[Entity]] = {}
    for head in dict.fromkeys(map(add, text, text[1:])):
        for plain, known in names.get(head, ()):
            if plain in text and _stands(plain, text):
                bearers.setdefault(plain, []).append(known)
    found: dict[str, tuple[int, Entity]] = {}
    for name in sorted(bearers, key=lambda name: -len(name)):
        at = text.find(name)
        if at >= 0:
            for known in bearers[name]:
                if known.id not in found or at < found[known.id][0]:
                    found[known.id] = (at, known)
            text = text.replace(name, "\0" * len(name))
    return [known for _, known in sorted(found.values(), key=lambda pair: (pair[0], pair[1].id))]


def features(text: str) -> frozenset[str]:
    """What a text is compared by: pairs of Han characters, and words of three letters and more but the commonest."""
    pairs = {run[n : n + 2] for run in _HAN.findall(text) for n in range(len(run) - 1)}
    return frozenset(pairs | {word for word in words(text) if word})


def words(text: str) -> list[str]:
    """The words of a text in Latin letters, one form for all of a word's endings; empty where a common word stands."""
    return [_plain(word.lower()) for word in _WORD.findall(text)]


@lru_cache(maxsize=16384)
def _plain(word: str) -> str:
    """`invoices`, `invoice` → `invoic`: crude, the same for both sides of a comparison, which is all that is needed."""
    word = re.split(r"['’]", word)[0]
    if len(word) < 3 or word in _COMMON:
        return ""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + 3 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending)
            break
    if word in _COMMON:
        return ""
    return word.removesuffix("e") if len(word) > 3 else word


def overlap(wanted: str, present: frozenset[str]) -> float:
    """The share of `wanted`'s features that are present, 0 to 1."""
    mine = features(wanted)
    return len(mine & present) / len(mine) if mine else 0.0


def last_active(state: StoryState) -> dict[str, int]:
    """Entity id → the last position that says anything about it, in one walk over the open facts."""
    return kept(state, "_seen", lambda: _last_active(state))


def _last_active(state: StoryState) -> dict[str, int]:
    seen = {known.id: known.introduced_at for known in state.entities.values()}
    for fact in state.facts.values():
        for who in (fact.subject, fact.object):
            if isinstance(who, str) and who in seen and fact.valid_from_chapter > seen[who]:
                seen[who] = fact.valid_from_chapter
    return seen


def viewpoint(state: StoryState, pov: str) -> Entity | None:
    return entity(state, pov) if pov else None


def planned(state: StoryState, plan: Plan) -> list[Entity]:
    """Known people, places and things that the plan puts on the page, viewpoint first."""
    refs = [plan.pov, *(member.who for member in plan.cast), *plan.places]
    found = {known.id: known for ref in refs if ref and (known := entity(state, ref)) is not None}
    for known in mentioned_in(state, plan_text(plan)):
        found.setdefault(known.id, known)
    return list(found.values())
