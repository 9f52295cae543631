"""More entries for an outline from people, places and things of the state; knows no chapter and no file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inkos.adapters.offline import material
from inkos.adapters.offline.grammar import fill
from inkos.adapters.offline.people import with_article
from inkos.cycle.extension import shared
from inkos.kernel.papers import Outline, Volume
from inkos.kernel.story import Entity, StoryState
from inkos.prompts.relevance import features
from inkos.prompts.request import Papers

Object = dict[str, Any]
BEATS = 3  # of an entry
TRIES = 2000  # combinations looked at for one that is new
KINDS = ("half_reveal", "countermove", "choice", "result", "danger", "arrival", "countdown")
GONE = ("dead", "missing", "captive")


class Outliner:
    """The next entries of an outline as the object that the contract asks for: turns of a fixed list of beats, each
    turn with another person, place, thing and clue, so that no scene comes twice within a book's length."""

    def __init__(self, papers: Papers, seed: int) -> None:
        self.papers, self.language, self.plot = papers, papers.language, material.plot(papers.language)
        self.outline = papers.outline or Outline()
        state = papers.state or StoryState(book_id="", language=papers.language)
        gone = {f.subject for f in state.facts.values() if f.predicate == "status" and f.object in GONE}
        self.people = [entity for entity in _of_kind(state, "person") if entity.id not in gone]
        self.places = [with_article(entity.name, self.language) for entity in _of_kind(state, "place")]
        self.things = [with_article(entity.name, self.language) for entity in _of_kind(state, "item")]
        self.seed = seed
        self.told = [(entry.title, features(beat.text)) for entry in self.outline.entries for beat in entry.beats]

    def extend(self) -> Object:
        first = len(self.outline.entries)
        taken = {entry.title for entry in self.outline.entries}
        chapters = []
        for number in range(first, first + self.papers.amount):
            title = self._title(number, taken)
            taken.add(title)
            functions = material.strings(self.plot["onward_functions"])
            chapters.append({
                "volume": self._volume(number), "title": title, "function": functions[number % len(functions)],
                "beats": [self._new(title, number * BEATS + at) for at in range(BEATS)], "required": "",
                "end_kind": KINDS[number % len(KINDS)],
            })  # fmt: skip
        return {"chapters": chapters}

    def _new(self, title: str, number: int) -> str:
        """The first beat from this number on that tells no scene again."""
        made = (self._beat(number + step) for step in range(TRIES))
        beat = next((text for text in made if not shared(text, self.told)), self._beat(number))
        self.told.append((title, features(beat)))
        return beat

    def _beat(self, number: int) -> str:
        rows: Sequence[Sequence[str]] = self.plot["onward"]
        round_, slots = number // len(rows), self._slots(number)
        form: Mapping[str, str] = self.plot["beat"]
        # Round after round a wish meets what stood against another one, at the price of a third.
        who, want, *_ = rows[number % len(rows)]
        _, _, against, outcome, cost = rows[(number + round_) % len(rows)]
        if round_ % 2:
            cost = rows[(number + 3 * round_) % len(rows)][4]
        result = str(form[outcome]).replace("{C}", fill(cost, slots))
        line = str(form["line"]).replace("{who}", slots["P" if who == "p1" else who])
        return line.replace("{W}", fill(want, slots)).replace("{A}", fill(against, slots)).replace("{R}", result)

    def _slots(self, number: int) -> dict[str, str]:
        """The `number`-th combination: every list goes round at a pace of its own."""
        turn = number // len(self.plot["onward"]) + number + self.seed
        partner = str(material.phrases(self.language)["extras"]["partner"][0])
        others = [entity.name for entity in self.people[1:]] or [partner]
        clues = material.strings(self.plot["clues"])
        return {
            "P": self.people[0].name if self.people else partner,
            "O": others[turn % len(others)],
            "L": _turned(self.places, turn + turn // 7) or str(self.plot["places"][0][0]),
            "T": _turned(self.things, turn + turn // 5) or str(self.plot["items"][0][0]),
            "k": clues[(turn + turn // 3) % len(clues)],
        }

    def _title(self, number: int, taken: set[str]) -> str:
        """The first of the titles, from this entry's on, that no entry bears."""
        patterns = material.strings(self.plot["onward_titles"])
        made = ""
        for step in range(len(patterns) * 60):
            made = fill(patterns[(number + step) % len(patterns)], self._slots(number + step))
            made = made[:1].upper() + made[1:]
            if made not in taken:
                return made
        return f"{made} ({number + 1})"

    def _volume(self, number: int) -> str:
        """By an even share of the book, and never behind the last entry's."""
        volumes: Sequence[Volume] = self.outline.volumes
        if not volumes:
            return ""
        titles = [volume.title for volume in volumes]
        last = self.outline.entries[-1].volume if self.outline.entries else titles[0]
        least = titles.index(last) if last in titles else 0
        share = number * len(titles) // max(self.papers.chapters, 1)
        return titles[min(max(share, least), len(titles) - 1)]


def _of_kind(state: StoryState, kind: str) -> list[Entity]:
    found = [entity for entity in state.entities.values() if entity.kind == kind]
    return sorted(found, key=lambda entity: (len(entity.handle), entity.handle, entity.id))


def _turned(names: Sequence[str], turn: int) -> str:
    return names[turn % len(names)] if names else ""
