"""Founding and outline from a brief: the plot's papers under the brief's names; knows no chapter."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from inkos.adapters.offline import material
from inkos.adapters.offline.brief import read_brief
from inkos.adapters.offline.grammar import SLOT
from inkos.adapters.offline.people import with_article
from inkos.messages import Language
from inkos.prompts.request import Papers

Object = dict[str, Any]
DETAILED = 10  # chapters that an outline details
PEOPLE = 6  # that the plot needs


class Founder:
    """One brief, one plot. `found` and `outline` give the objects that their contracts ask for."""

    def __init__(self, papers: Papers, seed: int) -> None:
        self.papers, self.language = papers, papers.language
        self.plot = material.plot(papers.language)
        self.brief = read_brief(papers.brief, papers.language, self.plot)
        given = papers.found or {}
        self.cast = _cast_of(given, self.language) or self._people(seed)
        self.places = _named(given, "places") or self._places()
        self.items = _named(given, "items") or self._items()
        groups = _named(given, "groups")
        self.group = groups[0] if groups else str(self.plot["group"][0])
        self.slots = self._slots()

    # ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _people(self, seed: int) -> list[tuple[str, str]]:
        people = [(name, pronoun) for name, pronoun in self.brief.people]
        own = [(" ".join(row[:-1]) if self.language == "en" else row[0], row[-1]) for row in self.plot["names"]]
        used = {name[0] for name, _ in people} | {name.split()[-1][0] for name, _ in people}
        own = [row for row in own if not ({row[0][0], row[0].split()[-1][0]} & used)] + [
            row for row in own if {row[0][0], row[0].split()[-1][0]} & used
        ]
        taken = {name for name, _ in people}
        while len(people) < PEOPLE:
            people.append(next(row for row in own if row[0] not in taken))
            taken.add(people[-1][0])
        unsaid = "他" if self.language == "zh" else "he"
        return [(name, pronoun or unsaid) for name, pronoun in people]

    def _places(self) -> list[str]:
        own = [str(row[0]).removeprefix("the ") for row in self.plot["places"]]
        given = [place for place in self.brief.places if place not in own]
        # the lead's home and the opponent's house take the brief's names first, then the crossing
        order = [0, 1, 3, 4, 2]
        for slot, place in zip(order, given, strict=False):
            own[slot] = place
        return [*own, *given[len(order) :]]

    def _items(self) -> list[str]:
        own = [str(row[0]) for row in self.plot["items"]]
        things = [thing for thing in self.brief.things if not any(thing in name or name in thing for name in own)]
        if self.brief.things and not any(self.brief.things[0] in name for name in own):
            own[0] = self.brief.things[0]
            things = [thing for thing in things if thing != own[0]]
        return [*own, *things[:2]]

    def _slots(self) -> dict[str, str]:
        slots: dict[str, str] = {"g1": with_article(self.group, self.language)}
        for n, (name, pronoun) in enumerate(self.cast, 1):
            slots[f"p{n}"] = name
            slots[f"p{n}q"] = {"she": "her", "he": "his"}.get(pronoun, pronoun)
            slots[f"p{n}q2"] = f"{name}’s"
        for letter, names in (("l", self.places), ("i", self.items)):
            for n, name in enumerate(names, 1):
                slots[f"{letter}{n}"] = with_article(name, self.language)
        return slots

    def say(self, text: object, **more: str) -> str:
        """A string of the plot with the book's names; English sentences begin with a capital."""
        slots = {**self.slots, **more}

        def one(found: re.Match[str]) -> str:
            value = slots[found.group(1)]
            return value[:1].upper() + value[1:] if found.group(2) else value

        said = SLOT.sub(one, str(text))
        return said[:1].upper() + said[1:] if said.endswith((".", "?")) else said

    # ── found ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def found(self) -> Object:
        plot, brief = self.plot, self.brief
        engine = {key: self.say(text) for key, text in plot["engine"].items()}
        if brief.want:
            engine["want"] = brief.want
        if brief.against and brief.against != brief.want:
            engine["opposition"] = brief.against
        keys = ("arena", "opponent", "price", "breaks")
        used = {engine["want"], engine["opposition"]}
        return {
            "engine": engine,
            "ladder": [dict(zip(keys, map(self.say, row), strict=True)) for row in plot["ladder"]],
            "ceiling": self.say(plot["ceiling"]),
            "secrets": [self._secret(n, row) for n, row in enumerate(plot["secrets"], 1)],
            "cast": [self._person(n) for n in range(len(self.cast))],
            "rules": [
                dict(zip(("can", "cannot", "price", "enforcer"), map(self.say, row), strict=True))
                for row in plot["rules"]
            ],
            "units": [*map(self.say, plot["units"]), *(line for line in brief.figures if line not in used)],
            "calendar": {"day": 1, **{key: str(text) for key, text in plot["calendar"].items()}},
            "places": self._things("l", self.places, [str(row[1]) for row in plot["places"]]),
            "items": self._things("i", self.items, [str(row[1]) for row in plot["items"]]),
            "groups": [{"h": "g1", "name": self.group, "note": self.say(plot["group"][1])}],
            "routes": [
                {"from": row[0], "to": row[1], "by": str(row[2]), "takes": str(row[3])} for row in plot["routes"]
            ],
            "style": {"person": "third", "pov": "p1", "tense": "past" if self.language == "en" else None, "wants": [],
                      "bans": []},
        }  # fmt: skip

    def _secret(self, number: int, row: Mapping[str, Any]) -> Object:
        total = max(self.papers.chapters, 2)
        return {
            "h": f"s{number}",
            "question": self.say(row["question"]),
            "truth": self.say(row["truth"]),
            "known_by": list(row["known"]),
            "surface": self.say(row["surface"]),
            "clues": [self.say(clue) for clue in row["clues"]],
            "out_from": max(2, total * 8 // 10),
            "out_by": total,
        }

    def _person(self, at: int) -> Object:
        name, pronoun = self.cast[at]
        row = self.plot["cast"][at % len(self.plot["cast"])]
        more = {"name": name, "sex": str(self.plot["sex"].get(pronoun, next(iter(self.plot["sex"].values()))))}
        told = {key: self.say(row[key], **more) for key in ("function", "want", "limit", "believes", "tie", "offstage")}
        own = self._mentions([name])[name]
        if own != name and at < len(self.brief.people):
            told["function"] = own if own.endswith((".", "。")) else own + ("。" if self.language == "zh" else ".")
        return {"h": f"p{at + 1}", **told, "lines": list(row["lines"]), "name": name, "aliases": self._aliases(name)}

    def _aliases(self, name: str) -> list[str]:
        words = name.split()
        return [words[0]] if self.language == "en" and len(words) > 1 and len(words[0]) > 2 else []

    def _things(self, letter: str, names: Sequence[str], notes: Sequence[str]) -> list[Object]:
        spare = self._mentions(names[len(notes) :])
        return [
            {"h": f"{letter}{n}", "name": name, "note": self.say(notes[n - 1] if n <= len(notes) else spare[name])}
            for n, name in enumerate(names, 1)
        ]

    def _mentions(self, names: Sequence[str]) -> dict[str, str]:
        """The brief's own sentence about a name."""
        lines = [line.strip() for line in re.split(r"[\n。.!?！？]", self.papers.brief)]
        told: dict[str, str] = {}
        for name in names:
            first = [line for line in lines if line.startswith(name)] + [
                line for line in lines if name.lower() in line.lower()
            ]
            told[name] = next(iter(first), name).replace("{", "").replace("}", "")
        return told

    # ── outline ───────────────────────────────────────────────────────────────────────────────────────────────────

    def outline(self) -> Object:
        plot, total = self.plot, max(self.papers.chapters, 1)
        return {
            "promises": [
                {"h": f"h{n}", "type": row[0], "core": self.say(row[1]), "timing": row[2],
                 "trigger": self.say(row[3]), "depends_on": []}
                for n, row in enumerate(plot["promises"], 1)
            ],
            "volumes": self._volumes(total),
            "chapters": [self._chapter(row) for row in plot["chapters"][: min(DETAILED, total)]],
            "last_image": self.say(plot["last_image"]),
            "title": self.brief.title or str(plot["title"]),
            "intent": self.say(plot["intent"]),
            "focus": self.say(plot["focus"]),
            "predicates": [],
            "state": {"facts": self._facts(), "clock": {"day": 1, "time": "08:00", "label": plot["calendar"]["label"]}},
        }  # fmt: skip

    def _volumes(self, total: int) -> list[Object]:
        rows = self.plot["volumes"] if total > 1 else self.plot["volumes"][:1]
        half = (total + 1) // 2
        spans = [(1, half), (half + 1, total)] if total > 1 else [(1, 1)]
        return [
            {"title": str(row[0]), "from": span[0], "to": span[1], "goal": self.say(row[1]), "loss": self.say(row[2])}
            for row, span in zip(rows, spans, strict=True)
        ]

    def _chapter(self, row: Mapping[str, Any]) -> Object:
        return {
            "title": str(row["title"]),
            "function": self.say(row["function"]),
            "beats": [self.beat_line(beat) for beat in row["beats"]],
            "required": self.brief.each,
            "end_kind": row["end_kind"],
        }

    def beat_line(self, beat: Sequence[str]) -> str:
        """An outline beat in the plot's own form, which the planner can take apart again."""
        form = self.plot["beat"]
        result = str(form[beat[3]]).replace("{C}", self.say(beat[4]))
        line = str(form["line"]).replace("{who}", self.slots[beat[0]]).replace("{W}", self.say(beat[1]))
        return line.replace("{A}", self.say(beat[2])).replace("{R}", result)

    def _facts(self) -> list[Object]:
        """What the papers say of sex, office, place and holder, each with the string that says it."""
        found: Mapping[str, Any] = self.papers.found or self.found()
        rows: list[Object] = []
        for person in found["cast"]:
            tie, offstage = str(person.get("tie", "")), str(person.get("offstage", ""))
            if sex := self._sex(tie):
                key = "gender: " if self.language == "en" else "性别："
                rows.append(_fact(person["h"], "trait", f"{key}{sex}", tie))
            if place := self._place_in(offstage):
                rows.append(_fact(person["h"], "location", place, offstage))
        people = {person["name"]: person["h"] for person in found["cast"]}
        for item in found["items"]:
            note = str(item.get("note", ""))
            if holder := next((h for name, h in people.items() if name in note), ""):
                rows.append(_fact(item["h"], "holder", holder, note))
        return rows[:30]

    def _sex(self, text: str) -> str:
        for word in self.plot["sex"].values():
            if re.search(rf"\b{word}\b" if self.language == "en" else f"，{word}，", text):
                return str(word)
        return ""

    def _place_in(self, text: str) -> str:
        found = [(text.find(name), -len(name), f"l{n}") for n, name in enumerate(self.places, 1) if name in text]
        return min(found)[2] if found else ""


def _fact(subject: object, predicate: str, value: str, quote: str) -> Object:
    return {"subject": subject, "predicate": predicate, "object": value, "quote": quote}


def _named(found: Mapping[str, object], key: str) -> list[str]:
    rows = found.get(key)
    return [str(row["name"]) for row in rows if isinstance(row, Mapping)] if isinstance(rows, list | tuple) else []


def _cast_of(found: Mapping[str, object], language: Language) -> list[tuple[str, str]]:
    rows = found.get("cast")
    if not isinstance(rows, list | tuple):
        return []
    people = []
    for row in rows:
        text = f"{row.get('function', '')} {row.get('want', '')}"
        female = re.search(r"\b(?:woman|girl|she|her)\b|女", text)
        words = ("她", "他") if language == "zh" else ("she", "he")
        people.append((str(row["name"]), words[0 if female else 1]))
    return people
