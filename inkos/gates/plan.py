"""A plan against outline and state, and the plan made to fit its target; does not know how a plan is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inkos.gates.bans import title_ban
from inkos.gates.overlap import Speaker
from inkos.kernel.book import Book
from inkos.kernel.papers import Beat, OutlineEntry, Plan, ReplyFault
from inkos.kernel.story import Entity, StoryState
from inkos.kernel.views import facts_of, secrets_not_due

FEWEST_BEATS, MOST_BEATS = 3, 9  # asked for are 4–7; what is near is taken (design/prompts.md §5.2)
SMALLEST_BEAT = 0.08  # of the target: a beat below it is merged with the next
PLACES = 5  # places that one re-ask names

_HANDLE = re.compile(r"(?<![A-Za-z0-9])[pligk]\d{1,5}(?![A-Za-z0-9])")
_GRAVE = {"en": "their grave (dead)", "zh": "坟里（已死）"}
_COMMA = {"en": ", ", "zh": "、"}


def check_plan(plan: Plan, book: Book, entry: OutlineEntry, next_entry: OutlineEntry | None) -> tuple[ReplyFault, ...]:
    """What does not fit: beats, outline, early, truth, place, pov, title, in this order; up to five places each."""
    page = _Page(plan, book)
    faults = (
        _beats(plan),
        _outline(plan, entry, book),
        _early(page, entry, next_entry),
        _truth(page, entry),
        _place(page),
        _viewpoint(plan, entry, book),
        _title(plan, book),
    )
    return tuple(fault for fault in faults if fault is not None)


class _Page:
    """The plan's words by their place, with names where the plan has handles."""

    def __init__(self, plan: Plan, book: Book) -> None:
        self.plan, self.book, self.state = plan, book, book.state
        self.language = book.config.language
        self._named = {e.handle: e.name for e in book.state.entities.values() if e.handle}
        names = (name for e in book.state.entities.values() for name in (e.name, *e.aliases))
        self.speaker = Speaker(self.language, tuple(dict.fromkeys(name for name in names if len(name) > 1)))
        self.beats = [
            (f"beats[{n}]", self.read(beat.wants, beat.against, beat.cost, beat.thing))
            for n, beat in enumerate(plan.beats)
        ]

    def read(self, *texts: str) -> str:
        joined = " ".join(text for text in texts if text)
        return _HANDLE.sub(lambda match: self._named.get(match.group(), match.group()), joined)

    def strings(self) -> list[tuple[str, str]]:
        """Every string of the plan that the drafter will see, with its place."""
        plan = self.plan
        found = [("change", plan.change), ("keep", plan.keep), ("end", plan.end), ("title", plan.title)]
        for name in ("knows", "believes", "asks", "avoid", "open"):
            found += [(f"{name}[{n}]", text) for n, text in enumerate(getattr(plan, name))]
        found += [(f"cast[{n}]", f"{c.wants} {c.unsaid}") for n, c in enumerate(plan.cast)]
        found += [(f"promises[{n}]", p.how) for n, p in enumerate(plan.promises)]
        return [*self.beats, *((place, self.read(text)) for place, text in found if text.strip())]


def _beats(plan: Plan) -> ReplyFault | None:
    number = len(plan.beats)
    if FEWEST_BEATS <= number <= MOST_BEATS:
        return None
    return ReplyFault(code="beats", where=("beats",), keys=("beats",), values={"n": str(number)})


def _outline(plan: Plan, entry: OutlineEntry, book: Book) -> ReplyFault | None:
    planned = {key for beat in plan.beats for key in beat.outline}
    lacking = [beat.handle for beat in entry.beats if beat.key not in planned]
    if not lacking:
        return None
    named = _COMMA[book.config.language].join(lacking)
    return ReplyFault(code="outline", where=("beats",), keys=("beats",), values={"o": named})


def _early(page: _Page, entry: OutlineEntry, next_entry: OutlineEntry | None) -> ReplyFault | None:
    """A beat, or the end, that says what a beat of the next entry says and this entry does not."""
    if next_entry is None:
        return None
    own = page.speaker.rare_of(_texts(entry))
    candidates = [*page.beats, ("end", page.read(page.plan.end))]
    where = [
        place
        for place, text in candidates
        if any(page.speaker.gives_away(text, beat.text, own) for beat in next_entry.beats)
    ]
    return _fault("early", where)


def _texts(entry: OutlineEntry) -> list[str]:
    return [entry.title, entry.function, entry.required, *(beat.text for beat in entry.beats)]


def _truth(page: _Page, entry: OutlineEntry) -> ReplyFault | None:
    """A string that says a sentence of a truth that is not due. What its question, surface and clues show is open."""
    own = page.speaker.rare_of(_texts(entry))
    strings = page.strings()
    where: list[str] = []
    for truth in secrets_not_due(page.state, page.book.next_position):
        known = own | page.speaker.rare_of((truth.question, truth.surface, *truth.clues))
        where += [place for place, text in strings if page.speaker.gives_away(text, truth.truth, known)]
    return _fault("truth", where)


def _fault(code: str, where: Iterable[str]) -> ReplyFault | None:
    places = tuple(dict.fromkeys(where))[:PLACES]
    if not places:
        return None
    keys = tuple(dict.fromkeys(place.partition("[")[0] for place in places))
    return ReplyFault(code=code, where=places, keys=keys)


def _place(page: _Page) -> ReplyFault | None:
    """Somebody in the cast who is dead, or elsewhere on the same day without a beat that speaks of them."""
    for n, member in enumerate(page.plan.cast):
        person = page.state.entities.get(member.who)
        if person is None or person.kind != "person":
            continue
        where = _dead(page, person, member.wants) or _far(page, person)
        if where:
            return ReplyFault(
                code="place",
                where=(f"cast[{n}]",),
                keys=("cast", "beats"),
                values={"who": person.name, "where": where},
            )
    return None


def _dead(page: _Page, person: Entity, wants: str) -> str:
    """The dead may lie there; they may not want anything."""
    held = facts_of(page.state, [person.id])
    dead = any(f.object == "dead" for f in held if _of(f.subject, f.predicate, person, "status"))
    return _GRAVE[page.language] if dead and wants.strip() else ""


def _far(page: _Page, person: Entity) -> str:
    plan, state = page.plan, page.state
    places = {p for p in plan.places if p in state.entities}
    if not places or len(places) < len(plan.places) or person.id == plan.pov or plan.ends.day > state.clock.day:
        return ""
    here = [str(f.object) for f in facts_of(state, [person.id]) if _of(f.subject, f.predicate, person, "location")]
    if not here or here[0] not in state.entities:
        return ""
    if any(_touch(state, here[0], place) for place in places):
        return ""
    spoken = " ".join(text for _, text in page.beats)
    names = (person.name, *person.aliases)
    return "" if any(name and name in spoken for name in names) else state.entities[here[0]].name


def _of(subject: str, predicate: str, known: Entity | None, wanted: str) -> bool:
    return known is not None and subject == known.id and predicate == wanted


def _touch(state: StoryState, a: str, b: str) -> bool:
    """Are they the same place, is one in the other, or both in a third?"""
    return bool(_around(state, a) & _around(state, b))


def _around(state: StoryState, place: str) -> set[str]:
    found: set[str] = set()
    while place and place not in found:
        found.add(place)
        known = state.entities.get(place)
        held = [f for f in facts_of(state, [place]) if _of(f.subject, f.predicate, known, "part_of")]
        place = str(held[0].object) if held else ""
    return found


def _viewpoint(plan: Plan, entry: OutlineEntry, book: Book) -> ReplyFault | None:
    """The outline gives this chapter to somebody, and the plan tells it from somebody else."""
    if not entry.pov or told_from(plan.pov, entry, book.state):
        return None
    return ReplyFault(code="pov", where=("pov",), keys=("pov", "knows", "believes", "asks"), values={"who": entry.pov})


def told_from(pov: str, entry: OutlineEntry, state: StoryState) -> bool:
    """Is `pov` (an entity's id, or a name) whom the entry names? True where it names nobody."""
    known = state.entities.get(pov)
    return not entry.pov or entry.pov in ((known.name, *known.aliases) if known else (pov,))


def _title(plan: Plan, book: Book) -> ReplyFault | None:
    ban = title_ban(plan.title, book.config.style.title_bans)
    return ReplyFault(code="title", where=("title",), keys=("title",), values={"ban": ban}) if ban else None


# ── fitting ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def fit_plan(plan: Plan, target: int) -> Plan:
    """The plan with its words scaled to add up to `target`; a beat below 8 % of it is merged with the next, down to
    three beats. Handles are given anew, b1, b2 …"""
    beats = list(plan.beats)
    weights = [max(0, beat.words) for beat in beats]
    if not any(weights):
        weights = [1] * len(beats)
    words = _shared(weights, target)
    while len(beats) > FEWEST_BEATS and min(words) < SMALLEST_BEAT * target:
        at = words.index(min(words))
        first = min(at, len(beats) - 2)
        beats[first : first + 2] = [_merged(beats[first], beats[first + 1])]
        words[first : first + 2] = [words[first] + words[first + 1]]
    fitted = tuple(
        beat.model_copy(update={"handle": f"b{n}", "words": count, "link": None if n == 1 else beat.link})
        for n, (beat, count) in enumerate(zip(beats, words, strict=True), 1)
    )
    return plan.model_copy(update={"beats": fitted, "target": target})


def _shared(weights: list[int], target: int) -> list[int]:
    """`target` shared out by weight in whole numbers that add up to it exactly."""
    total, done, shares, given = sum(weights), 0, [], 0
    for weight in weights:
        done += weight
        upto = round(target * done / total)
        shares.append(upto - given)
        given = upto
    return shares


def _merged(first: Beat, second: Beat) -> Beat:
    """Two beats as one: it begins as the first and comes out as the second."""

    def both(a: str, b: str) -> str:
        stop = "；" if re.search(r"[\u4e00-\u9fff]", a + b) else "; "
        return stop.join(dict.fromkeys(part for part in (a, b) if part))

    return first.model_copy(
        update={
            "outline": tuple(dict.fromkeys((*first.outline, *second.outline))),
            "wants": both(first.wants, second.wants),
            "against": both(first.against, second.against),
            "outcome": second.outcome,
            "cost": both(first.cost, second.cost),
            "thing": both(first.thing, second.thing),
        }
    )
