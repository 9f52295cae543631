"""The plan of a chapter from its outline entry and the state; knows no prose."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from inkos.adapters.offline import material
from inkos.adapters.offline.beats import Parsed, Wish, parse_line
from inkos.adapters.offline.grammar import fill
from inkos.adapters.offline.people import place_of, short_name, with_article
from inkos.kernel.papers import Outcome, OutlineBeat
from inkos.kernel.story import Entity, Hook, StoryState
from inkos.prompts.request import Papers

Object = dict[str, Any]
FEWEST, MOST = 4, 7
OUTCOMES: tuple[Outcome, ...] = ("yes_but", "no", "yes_but", "no_and")
GONE = ("dead", "missing", "captive")
LONGEST = {"en": 12, "zh": 20}  # words, characters of one field of a beat


class Planner:
    """One chapter's plan as the object that the contract asks for."""

    def __init__(self, papers: Papers, seed: int) -> None:
        self.papers, self.language = papers, papers.language
        self.plot = material.plot(papers.language)
        self.state = papers.state or StoryState(book_id="", language=papers.language)
        gone = {f.subject for f in self.state.facts.values() if f.predicate == "status" and f.object in GONE}
        self.people = [e for e in self.state.entities.values() if e.kind == "person" and e.id not in gone]
        self.people.sort(key=lambda e: (len(e.handle), e.handle, e.id))
        self.items = [e for e in self.state.entities.values() if e.kind == "item"]
        self.items.sort(key=lambda e: (len(e.handle), e.handle, e.id))
        self.chance = random.Random(f"{seed}|plan|{papers.title}|{papers.position}")

    def plan(self) -> Object:
        wishes = self._wishes()
        pov = self._pov(wishes)
        partners = [self._partner(wish, pov) for _, wish, _ in wishes]
        cast = [p for p in dict.fromkeys(partners) if p is not None]
        places = [place_of(self.state, person.id) for person in (*cast, *([pov] if pov else []))]
        people = [*([pov] if pov else []), *cast]
        ends = self._end(pov, cast[-1] if cast else None)
        label, day = self._day()
        moved = self._promise()
        names = {"i1": self._item_name(0)}
        return {
            "title": self.papers.entry.title if self.papers.entry else str(self.papers.position),
            "pov": _ref(pov),
            "cast": [{"who": _ref(p), "wants": self._wants(p, wishes), "unsaid": ""} for p in people],
            "places": [self._place(place) for place in dict.fromkeys(places) if place],
            "starts": {"day": day, "label": label},
            "ends": {"day": day, "label": label},
            "change": fill(str(self.plot["change"]), {"P": pov.name if pov else "", "T2": self._item_name(0)}),
            "knows": [fill(text, names) for text in self.plot["knows"]],
            "believes": [fill(text, names) for text in self.plot["believes"]],
            "asks": [fill(text, names) for text in self.plot["asks"]],
            "beats": self._beats(wishes),
            "promises": [moved] if moved else [],
            "keep": self._keep(pov, partners),
            "avoid": list(self.plot["avoid"]),
            "end": ends[0],
            "end_kind": ends[1],
            "open": [],
        }  # fmt: skip

    # ── beats ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _wishes(self) -> list[tuple[str, Wish, Outcome]]:
        """Outline handle, phrases and outcome of each beat."""
        given = self.papers.entry.beats if self.papers.entry else ()
        rows = [self._read(n, beat) for n, beat in enumerate(given[:MOST])]
        spare = 0
        while len(rows) < FEWEST:
            handle = rows[-1][0] if rows else ""
            rows.append(self._spare(spare, handle))
            spare += 1
        return rows

    def _read(self, number: int, beat: OutlineBeat) -> tuple[str, Wish, Outcome]:
        names = [person.name for person in self.people]
        parsed: Parsed | None = parse_line(beat.text, names, self.plot["beat"], self.language)
        if parsed is not None:
            return beat.handle, parsed.wish, parsed.outcome
        against = fill(self._one("against", number), {"O": self._other_name(beat.text, number)})
        want = self._cut(beat.text)
        return beat.handle, Wish("", want, against, self._one("costs", number)), OUTCOMES[number % len(OUTCOMES)]

    def _spare(self, number: int, handle: str) -> tuple[str, Wish, Outcome]:
        rows = self.plot["spare"]
        row = rows[(number + self.papers.position) % len(rows)]
        lead = self.people[0].name if self.people else ""
        names = {"p1": lead, "p2": self._other_name("", number), "i1": self._item_name(0)}
        return handle, Wish(lead, fill(row[1], names), fill(row[2], names), str(row[4])), row[3]

    def _one(self, key: str, number: int) -> str:
        rows = material.strings(self.plot[key])
        return rows[(number + self.papers.position) % len(rows)]

    def _other_name(self, text: str, number: int) -> str:
        named = [p.name for p in self.people[1:] if p.name in text]
        others = (
            named or [p.name for p in self.people[1:]] or [str(material.phrases(self.language)["extras"]["partner"][0])]
        )
        return others[number % len(others)]

    def _cut(self, text: str) -> str:
        text = text.strip().rstrip("。.；;")
        if self.language == "zh":
            head = text.split("；")[0]
            return head if len(head) <= LONGEST["zh"] else head[: LONGEST["zh"]].rstrip("，、：")
        return " ".join(text.split()[: LONGEST["en"]]).rstrip(",;:")

    def _beats(self, wishes: Sequence[tuple[str, Wish, Outcome]]) -> list[Object]:
        shares = [self.chance.uniform(0.9, 1.1) for _ in wishes]
        words = [int(self.papers.target * share / sum(shares)) for share in shares]
        words[-1] += self.papers.target - sum(words)
        beats = []
        for n, ((handle, wish, outcome), amount) in enumerate(zip(wishes, words, strict=True)):
            link = None if n == 0 else ("but" if outcome in ("no", "no_and") else "so")
            beats.append({
                "h": f"b{n + 1}", "outline": [handle] if handle else [], "link": link, "wants": self._line(wish),
                "against": wish.against, "outcome": outcome, "cost": wish.cost, "thing": self._thing(wish),
                "words": amount,
            })  # fmt: skip
        return beats

    def _line(self, wish: Wish) -> str:
        if not wish.who:
            return wish.want
        return f"{wish.who}要{wish.want}" if self.language == "zh" else f"{wish.who} wants to {wish.want}"

    def _thing(self, wish: Wish) -> str:
        text = f"{wish.want} {wish.against}"
        named = next((item.name for item in self.items if item.name in text), "")
        return with_article(named or self._item_name(0), self.language)

    def _item_name(self, at: int) -> str:
        if self.items:
            return with_article(self.items[min(at, len(self.items) - 1)].name, self.language)
        return "那张纸" if self.language == "zh" else "the paper"

    # ── people and places ─────────────────────────────────────────────────────────────────────────────────────────

    def _pov(self, wishes: Sequence[tuple[str, Wish, Outcome]]) -> Entity | None:
        if not self.people:
            return None
        lead = self.people[0]
        told = [wish.who for _, wish, _ in wishes if wish.who]
        return lead if not told or lead.name in told else next((p for p in self.people if p.name == told[0]), lead)

    def _partner(self, wish: Wish, pov: Entity | None) -> Entity | None:
        others = [person for person in self.people if person is not pov]
        for text in (wish.against, f"{wish.who} {wish.want}", wish.cost):
            found = [person for person in others if person.name in text]
            if found:
                return min(found, key=lambda person: text.find(person.name))
        return others[0] if others else None

    def _wants(self, person: Entity, wishes: Sequence[tuple[str, Wish, Outcome]]) -> str:
        """What somebody is after: the own wish, else what that person stands for against another's."""
        own = [wish for _, wish, _ in wishes if wish.who == person.name]
        if own:
            return self._line(own[0])
        return next((wish.against for _, wish, _ in wishes if person.name in wish.against), self._one("against", 0)
                    .replace("{O}", person.name))  # fmt: skip

    def _place(self, place: str) -> str:
        entity = self.state.entities.get(place)
        return (entity.handle or entity.name) if entity else place

    def _day(self) -> tuple[str, int]:
        day = self.state.clock.day + (1 if self.papers.position > 1 else 0)
        ordinals, times = material.strings(self.plot["ordinals"]), material.strings(self.plot["times"])
        nth = ordinals[day - 1] if 0 < day <= len(ordinals) else (str(day) if self.language == "zh" else f"{day}th")
        return fill(str(self.plot["day"]), {"n": nth, "time": times[self.papers.position % len(times)]}), day

    def _keep(self, pov: Entity | None, partners: Sequence[Entity | None]) -> str:
        speaker = partners[max(0, len(partners) - 2)] if partners else None
        if speaker is None or pov is None:
            return ""
        line = self._one("keeps", 0)
        return (
            f"{speaker.name}对{pov.name}：“{line}”"
            if self.language == "zh"
            else f"{speaker.name} to {pov.name}: “{line}”"
        )

    # ── promises, end ─────────────────────────────────────────────────────────────────────────────────────────────

    def _promise(self) -> Object | None:
        alive: list[Hook] = [h for h in self.state.hooks.values() if h.status in ("open", "progressing", "deferred")]
        alive.sort(key=lambda hook: (hook.last_advanced_chapter, len(hook.handle), hook.handle, hook.id))
        if not alive:
            return None
        return {"hook": alive[0].handle or alive[0].id, "do": "advance", "how": self._one("clues", 0)}

    def _end(self, pov: Entity | None, other: Entity | None) -> tuple[str, str]:
        kinds = material.phrases(self.language)["ends"]
        kind = self.papers.entry.end_kind if self.papers.entry else ""
        if kind not in kinds or kind == "plain":
            kind = sorted(set(kinds) - {"plain"})[self.papers.position % (len(kinds) - 1)]
        rows = kinds[kind]
        row = rows[self.papers.position % len(rows)]
        name = short_name(pov.name, self.language) if pov else ""
        slots = {"P": name, "Ps": f"{name}’s", "p": _pronoun(pov, self.state), "O": other.name if other else ""}
        if not other:
            slots["O"] = str(material.phrases(self.language)["extras"]["partner"][0])
        text = fill(row["plan"], slots)
        return (text[:1].upper() + text[1:] if self.language == "en" else text), kind


def _pronoun(pov: Entity | None, state: StoryState) -> str:
    told = " ".join(
        str(f.object) for f in state.facts.values() if pov and f.subject == pov.id and f.predicate == "trait"
    )
    return "she" if "woman" in told or "girl" in told else "he"


def _ref(person: Entity | None) -> str:
    return (person.handle or person.name) if person else ""
