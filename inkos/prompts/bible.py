"""What of the bible a prompt shows: an extract that stays the same, and lines that a text touches; knows no task.

The extract has what holds for any chapter: lines about nobody in particular (engine, rules, units, calendar), those of
the viewpoint, one line of everybody else. What did not fit is looked up: by the outline entry for the plan, by the plan
for all after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import add
from typing import NamedTuple

from inkos.kernel.book import Book
from inkos.kernel.story import Entity
from inkos.prompts.budget import fair_shares
from inkos.prompts.rarity import TOGETHER, Reader, rarity_of
from inkos.prompts.relevance import kept, mentioned, viewpoint

# Files and sections of the bible that only the author reads (voices go to the draft, truths to plan and audit), and the
# section in which founding keeps the brief's words, so that facts may quote them.
_PRIVATE = (
    r"voices?|secrets?|truths?|beliefs?|promises|the brief['’]s own words|"
    r"声口|秘密|真相|错信|误以为|伏笔|梗概原话"
)
_PRIVATE_FILE = re.compile(rf"(?:^|[/_-])(?:{_PRIVATE}|author|作者)(?:\.\w+)?$", re.IGNORECASE)
_PRIVATE_HEADING = re.compile(rf"^(?:(?:for the author|作者才看).*|(?:{_PRIVATE})\W*)$", re.IGNORECASE)
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
# Other names stand beside the handles, once.
_ALIASES = re.compile(r"^\s*[-*+]\s*\**(?:别名|又名|外号|aliases|also called|also known as)\**\s*[:：]", re.IGNORECASE)
_LABEL = re.compile(r"[:：]")
# Why a line that did not fit is not looked up (words of a layer's reason).
AWAY, FAR, APART = "of people not in the chapter", "of other routes", "about something else"


class Section(NamedTuple):
    """A heading of the bible with the lines below it; `heading` empty: lines before the first heading of a file."""

    heading: str
    lines: tuple[str, ...]

    @property
    def level(self) -> int:
        return len(self.heading) - len(self.heading.lstrip("#"))

    @property
    def name(self) -> str:
        return self.heading.lstrip("# ")


class Line(NamedTuple):
    """One line under its heading. `owners`: whom or what the heading, else the words before the colon, are about."""

    section: str
    text: str
    owners: tuple[Entity, ...]

    @property
    def places(self) -> list[str]:
        """Ids of the places it is about: two are the ends of a route."""
        return [known.id for known in self.owners if known.kind == "place"]

    @property
    def shown(self) -> str:
        return f"{self.section} — {self.text}" if self.section else self.text


class Touched(NamedTuple):
    """Lines, the most needed first, and how many others there are by the reason why they are not among them."""

    lines: tuple[str, ...]
    left: Counter[str]


# ── the files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def public_bible(book: Book) -> list[list[Section]]:
    """The bible's files without what only the author reads, each as sections whose lines say something."""
    files = [_sections(_public_lines(text)) for path, text in book.bible if not _PRIVATE_FILE.search(path)]
    return [sections for sections in files if sections]


def public_lines(book: Book) -> list[str]:
    return [line for sections in public_bible(book) for section in sections for line in section.lines]


def _public_lines(text: str) -> list[str]:
    lines: list[str] = []
    private = 0  # the level of the private heading that we are under
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            if private and level > private:
                continue
            private = level if _PRIVATE_HEADING.match(heading[2].strip()) else 0
            if private:
                continue
            line = f"{'#' * min(level + 1, 4)} {heading[2].strip()}"
        if not private and line.strip() and not _ALIASES.match(line):
            lines.append(line.rstrip())
    return lines


def _sections(lines: Sequence[str]) -> list[Section]:
    """A heading with the lines below it, in order."""
    sections: list[Section] = []
    for line in lines:
        if line.startswith("#"):
            sections.append(Section(line, ()))
        else:
            last = sections.pop() if sections else Section("", ())
            sections.append(Section(last.heading, (*last.lines, line)))
    return sections


# ── the extract ──────────────────────────────────────────────────────────────────────────────────────────────────────

HOLDS, WHO, LAST = 0, 1, 2  # what holds for any chapter, a line of each person, what is somebody's or some place's own
Place = tuple[int, int]  # number of a section in its file, of a line in it


class Extract(NamedTuple):
    """Lines that fit, with their headings, and those that do not; `known`: whom the bible names at all."""

    taken: list[str]
    left: list[Line]
    known: list[Entity]


def extract(book: Book, budget: int) -> Extract:
    """The cut depends on the bible and on who
    there is, not on the chapter. Each file has a fair share of the room; in it the sections grow alike."""
    files = public_bible(book)
    known = _named_in(book, files)
    pov = viewpoint(book.state, book.config.style.pov)
    orders = [_order(sections, known, pov) for sections in files]
    first = [[place for rank, place in order if rank < LAST] for order in orders]
    wanted = [_cost(sections, places) for sections, places in zip(files, first, strict=True)]
    shares = fair_shares(wanted, budget)
    kept = [_kept(*each) for each in zip(files, first, shares, strict=True)]
    room = budget - sum(_cost(sections, places) for sections, places in zip(files, kept, strict=True))
    taken: list[str] = []
    left: list[Line] = []
    for sections, order, have in zip(files, orders, kept, strict=True):
        held = _cost(sections, have)
        have = _kept(sections, [*have, *(place for _, place in order if place not in have)], held + room)
        room -= _cost(sections, have) - held
        for number, section in enumerate(sections):
            if section.heading and _stands(sections, have, number):
                taken.append(section.heading)
            for at, line in enumerate(section.lines):
                if (number, at) in have:
                    taken.append(line)
                else:
                    left.append(Line(section.name, line.lstrip("-* "), _owners(known, section.name, line)))
    return Extract(taken, left, known)


def _named_in(book: Book, files: Iterable[Sequence[Section]]) -> list[Entity]:
    """Whom the bible speaks of, so that no line is searched for the others."""
    lines = (line for sections in files for part in sections for line in (part.heading, *part.lines))
    said = "\n".join(lines).casefold()
    return kept(book.state, f"_named_in {said}", lambda: _named(said, book.state.entities.values()))


def _named(said: str, things: Iterable[Entity]) -> list[Entity]:
    heads = set(map(add, said, said[1:]))  # most names are ruled out by their first two characters
    return [known for known in things
            if any((len(name) < 2 or name[:2].casefold() in heads) and name.casefold() in said
                   for name in (known.name, *known.aliases))]  # fmt: skip


def _owners(known: Sequence[Entity], heading: str, line: str) -> tuple[Entity, ...]:
    label = _LABEL.split(line, maxsplit=1)
    return tuple(mentioned(known, heading) or (mentioned(known, label[0]) if len(label) > 1 else []))


def _order(sections: Sequence[Section], known: Sequence[Entity], pov: Entity | None) -> list[tuple[int, Place]]:
    """All lines of a file with their rank, the first to be kept first."""
    rows = []
    for number, section in enumerate(sections):
        before = 0  # characters above the line: long and short lines share the room alike
        for at, line in enumerate(section.lines):
            owners = _owners(known, section.name, line)
            mine = not owners or (pov is not None and owners[0].id == pov.id and len(owners) == 1)
            person = bool(owners) and at == 0 and owners[0].kind == "person"
            rows.append((HOLDS if mine else WHO if person else LAST, before, number, at))
            before += len(line) + 1
    return [(rank, (number, at)) for rank, _, number, at in sorted(rows)]


def _cost(sections: Sequence[Section], places: Iterable[Place]) -> int:
    """Characters of these lines with the headings they need and those that stand for themselves."""
    listed = list(places)
    heads = {number for number, _ in listed} | {n for n, part in enumerate(sections) if not part.lines}
    return sum(len(sections[n].lines[at]) + 1 for n, at in listed) + sum(len(sections[n].heading) + 1 for n in heads)


def _kept(sections: Sequence[Section], places: Sequence[Place], room: int) -> list[Place]:
    """Of the places, in the order given, those that fit into `room` characters with their headings."""
    kept: list[Place] = []
    room -= _cost(sections, [])
    heads: set[int] = set()
    for number, at in places:
        section = sections[number]
        cost = len(section.lines[at]) + 1 + (0 if number in heads else len(section.heading) + 1)
        if cost <= room:
            kept.append((number, at))
            heads.add(number)
            room -= cost
    return kept


def _stands(sections: Sequence[Section], kept: Sequence[Place], number: int) -> bool:
    """Whether a heading is shown: a line below it is, or something under its own headings; a bare name stands for
    itself."""
    below = []
    for other in range(number + 1, len(sections)):
        if sections[other].level <= sections[number].level:
            break
        below.append(other)
    shown = {n for n, _ in kept}
    return number in shown or bool(shown & set(below)) or not (below or sections[number].lines)


# ── what a text touches ──────────────────────────────────────────────────────────────────────────────────────────────


class Wanted(NamedTuple):
    """What a chapter is about: its text, the known things that it puts on the page, and the place it starts from.
    `settled`: no place beside the named ones is looked for."""

    text: str
    things: Sequence[Entity]
    start: str = ""  # an id, empty: unknown
    settled: bool = False


def touched(book: Book, bible: Extract, wanted: Wanted, key: str) -> Touched:
    """Of the lines that did not fit those that `wanted` needs, the most needed first: notes of its places, routes
    between them, lines of its people and things, then whatever shares rare words with it (rules, units). `key`: of the
    chapter's outline entry."""
    reader = rarity_of(book, public_lines(book), key).reader(wanted.text)
    places = _places(bible.left, wanted, reader)
    here, pov = {known.id for known in wanted.things}, viewpoint(book.state, book.config.style.pov)
    people = [known for known in bible.known if known.kind == "person" and known is not pov]
    why: Counter[str] = Counter()
    rows = []
    for number, line in enumerate(bible.left):
        need = _need(line, here, places, reader, people)
        if isinstance(need, str):
            why[need] += 1
        else:
            rows.append((-need, number, line))
    return Touched(tuple(line.shown for _, _, line in sorted(rows, key=lambda row: row[:2])), why)


# What a line is worth beside the rare words that it shares: notes and routes first; then a rule that shares many before
# what is only somebody's own.
PLACE, ROUTE, OWN = 60.0, 50.0, 8.0
GUESSED = 2  # places at most that are known so
DESCRIBED = 3  # pieces of evidence by which a text speaks of a place or thing without its name


def _places(left: Sequence[Line], wanted: Wanted, reader: Reader) -> frozenset[str]:
    """Ids of the places that are named, of the one where the chapter starts, and, where an entry does not say its place
    by name, of those whose notes it uses most."""
    named = {known.id for known in wanted.things if known.kind == "place"} | {wanted.start}
    notes = [] if wanted.settled else [line for line in left if len(line.places) == 1 and line.places[0] not in named]
    found = [(shared.weight, line.places[0]) for line in notes
             if (shared := reader.evidence(line.text)).points >= DESCRIBED]  # fmt: skip
    return frozenset(named | {place for _, place in sorted(found, reverse=True)[:GUESSED]})


def _need(line: Line, here: set[str], places: frozenset[str], reader: Reader, people: Sequence[Entity]) -> float | str:
    """How much a line is needed, or why it is not."""
    owners, spots = {known.id for known in line.owners}, set(line.places)
    shared = reader.evidence(line.text)
    if len(spots) > 1:
        return ROUTE + shared.weight if spots <= places else FAR
    if spots and spots <= places:
        return PLACE + shared.weight
    if any(known.kind == "person" for known in line.owners):
        others = [known for known in mentioned(people, line.text) if known.id not in owners]
        absent = not owners & here or (others and not any(known.id in here for known in others))
        return AWAY if absent else OWN + shared.weight
    if owners & here:
        return OWN + shared.weight
    return shared.weight if shared.points >= (DESCRIBED if owners else TOGETHER) else APART


def has_route(book: Book, places: frozenset[str]) -> bool:
    """Whether the bible says how one gets from one of these places to another."""
    files = public_bible(book)
    known = [each for each in _named_in(book, files) if each.id in places and each.kind == "place"]
    return any(
        len(_owners(known, part.name, line)) > 1 for sections in files for part in sections for line in part.lines
    )


def is_described(book: Book, known: Entity) -> bool:
    """Whether a heading or label of the public bible is somebody's."""
    return any(_owners([known], part.name, line) for sections in public_bible(book) for part in sections
               for line in part.lines)  # fmt: skip


def told_left(left: Counter[str]) -> str:
    """The reasons for a layer's record: `3 lines of other routes`."""
    return "; ".join(f"{count} lines {why}" for why, count in sorted(left.items()) if count)
