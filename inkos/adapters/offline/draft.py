"""The prose of a chapter, made of units that remember what they tell; knows a plan and a state, no pipeline."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from inkos.adapters.offline import material
from inkos.adapters.offline.beats import Wish, partner, wish_of
from inkos.adapters.offline.faults import PlannedFault
from inkos.adapters.offline.grammar import Bank, expand, fill
from inkos.adapters.offline.people import Cast, Person, holders, person_slots, place_of, spoken, with_article
from inkos.kernel.papers import Plan
from inkos.messages import Language
from inkos.prompts.request import Papers
from inkos.text.count import count

OVERLONG = 1.4
# How many patterns of a pool one chapter may take, so that few come back within ten chapters (a pattern has three
# wordings, and mixtures of them): what a chapter needs beyond that is put together from short lines (`small`).
QUOTAS = {
    "travel": 3, "company": 2, "want": 4, "against": 4, "press": 9, "business": 9, "watch": 3, "cause": 3, "yes_but": 3,
    "cost": 4, "plain": 3, "small": 7, "task": 24, "manner": 10, "outside": 4, "ask": 13, "reply": 12,
}  # fmt: skip
MORE = {"zh": {"press": 14, "business": 16, "watch": 5, "cause": 5}, "en": {"press": 12, "business": 11}}
FILL = ("press", "business", "small", "press", "cause", "business", "press", "watch", "small", "business")
FILL_OTHER = ("press_other", "business", "watch", "small", "business")
ROOMY = {"en": 700, "zh": 900}  # a shorter chapter goes without a look back, links and the thing on the table
CONCLUDING = ("So ", "There was", "这样", "眼下")  # no chapter begins with a conclusion
SMALLEST = {"en": 14, "zh": 22}  # a gap below this is left


class Unit(NamedTuple):
    """Some paragraphs. `mark` says what they tell (`clock`, `travel:<place id>`, `done:<outline key>` …), `beat` is the
    number of the plan's beat, `free`: may be cut without loss. `joined`: goes on in the paragraph before it."""

    text: str
    kind: str
    beat: int
    mark: str = ""
    free: bool = False
    joined: bool = False
    other: str = ""


class Chapter(NamedTuple):
    units: tuple[Unit, ...]
    language: Language

    @property
    def text(self) -> str:
        parts: list[str] = []
        for unit in self.units:
            if unit.joined and parts:
                parts[-1] += ("" if self.language == "zh" else " ") + unit.text
            else:
                parts.append(unit.text)
        return "\n\n".join(parts)


def compose(papers: Papers, seed: int, faults: Sequence[PlannedFault]) -> Chapter:
    """The chapter that a plan asks for. The same papers give the same chapter."""
    assert papers.plan is not None
    return _Writer(papers, papers.plan, seed, faults).chapter()


class _Writer:
    def __init__(self, papers: Papers, plan: Plan, seed: int, faults: Sequence[PlannedFault]) -> None:
        self.papers, self.plan, self.language = papers, plan, papers.language
        self.pools = material.phrases(papers.language)
        key = f"{seed}|{papers.title}|{papers.language}"
        another = max(papers.take - 1, 0)  # take of the same plan
        self.bank = Bank(self.pools, key, papers.position + 5 * (papers.version - 1) + 3 * another,
                         QUOTAS | MORE[papers.language])  # fmt: skip
        self.chance = random.Random(f"{key}|{papers.position}|{papers.version}|{plan.title}" + "|" * another)
        self.cast = Cast(papers.language, plan, papers.state, tuple(self.pools["extras"]["partner"]))
        self.faults = {fault.kind: fault for fault in faults}
        self.roomy = plan.target >= ROOMY[papers.language]
        self.units: list[Unit] = []
        self.seen: set[str] = set()
        self.here = place_of(papers.state, plan.pov)
        self.other: Person = self.cast.others[0]
        self.thing = ""

    # ── the chapter ───────────────────────────────────────────────────────────────────────────────────────────────

    def chapter(self) -> Chapter:
        before: Person | None = None
        stretch = OVERLONG if "overlong" in self.faults else 1.0
        for number, beat in enumerate(self.plan.beats):
            self.other = partner(beat, self.cast, before)
            self.thing = beat.thing or self.thing
            started = len(self.units)
            self._enter(number, before)
            self._beat(number, beat.words * stretch, started)
            before = self.other
        self._end()
        return Chapter(tuple(self.units), self.language)

    def _enter(self, number: int, before: Person | None) -> None:
        there = place_of(self.papers.state, self.other.id) or self.here
        moves = bool(there) and there != self.here
        if number == 0:
            if moves:
                self._travel(0, there)
                self._add("open_clock", 0, mark="clock", joined=True)
                self._add("open_act", 0)
            else:
                self._add("open_act", 0)
                self._add("open_clock", 0, mark="clock", joined=not self.units[-1].text.endswith("”"))
            return
        link = self.plan.beats[number].link
        if link and self.roomy and self.bank.left(f"link_{link}"):
            self._add(f"link_{link}", number)
        if moves:
            self._travel(number, there)
        if (moves or self.other != before) and self.bank.left("company"):
            self._add("company", number, joined=moves, mark=f"meets:{self.other.id}")

    def _travel(self, number: int, there: str) -> None:
        self.here = there
        unit = self._make("travel", number, {}, mark=f"travel:{there}")
        while number == 0 and unit.text.startswith(CONCLUDING):
            unit = self._make("travel", number, {}, mark=unit.mark)
        self._take(unit)

    def _beat(self, number: int, words: float, started: int) -> None:
        beat = self.plan.beats[number]
        wish = wish_of(beat, self.cast, self.language)
        other_wants = wish.who == self.other.name
        slots = self._wish_slots(wish, other_wants, number)
        self._add("want_other" if other_wants else "want", number, slots)
        said = self._add("against_self" if other_wants else "against", number, slots)
        if not other_wants:
            self.units[-1] = said._replace(mark=f"said:{self.other.id}")
        self._plant(number)
        tail = self._tail(number, wish, other_wants, slots)
        spent = sum(self._length(unit) for unit in (*self.units[started:], *tail))
        self._fill(number, words - spent, FILL_OTHER if other_wants else FILL)
        self.units += tail

    def _plant(self, number: int) -> None:
        """What a chapter has once: a look back, the thing on the table, a planned fault."""
        last = len(self.plan.beats) - 1
        if number == min(1, last) and self.roomy:
            self._add("back", number)
        if number == min(2, last) and self.roomy:
            self._add("thing", number)
        if number == min(1, last) and "worn" in self.faults:
            self._literal(self._worn(0), number, "worn")
        if number == min(2, last) and "contradict" in self.faults:
            self._contradict(number)

    def _tail(self, number: int, wish: Wish, other_wants: bool, slots: Mapping[str, str]) -> list[Unit]:
        beat, kept = self.plan.beats[number], len(self.units)
        if number == len(self.plan.beats) - 1:
            self._learn(number)
        if self.plan.keep and number == max(0, len(self.plan.beats) - 2):
            self._add("keep", number, {**slots, "K": kept_line(self.plan.keep)}, mark="keep")
        pool = beat.outcome
        if other_wants:
            pool = "win_other" if beat.outcome.startswith("yes") else "fail_other"  # type: ignore[assignment]
        self._add(pool, number, slots, mark=f"done:{','.join(beat.outline)}")
        if wish.cost:
            self._add("cost", number, slots)
        tail = self.units[kept:]
        del self.units[kept:]
        return tail

    def _learn(self, number: int) -> None:
        moved = next((p for p in self.plan.promises if p.do == "advance" and p.how), None)
        if moved is not None:
            self._add("learn", number, {"K": moved.how.strip("。. ")}, mark=f"learn:{moved.hook}")

    def _fill(self, number: int, room: float, cycle: Sequence[str]) -> None:
        turn = 0
        while room > SMALLEST[self.language] and turn < 400:
            pool = cycle[turn % len(cycle)]
            turn += 1
            unit = self._make(pool if self.bank.left(pool) else "small", number, {}, free=True)
            length = self._length(unit)
            if abs(room - length) > room:
                if length > 2 * SMALLEST[self.language]:
                    continue
                break
            self._take(unit)
            room -= length

    def _end(self) -> None:
        slots = {
            **self._slots(),
            "E": self.cast.short(self.plan.end.strip("。. ")),
            "D2": self._label(self.plan.ends.label),
        }
        for rows in self.pools["ends"].values():
            for row in rows if isinstance(rows, list) else ():
                if fill(row["plan"], slots).casefold() == slots["E"].casefold():
                    text = self._written(row["prose"], slots)
                    self._take(Unit(text, "end", len(self.plan.beats) - 1, "end"))
                    return
        if self.language == "en" and not any(slots["E"].startswith(p.short) for p in self.cast.all):
            slots["E"] = slots["E"][:1].lower() + slots["E"][1:]
        plain = self._written(str(self.pools["ends"]["plain"]), slots)
        self._take(Unit(plain, "end", len(self.plan.beats) - 1, "end"))

    # ── faults ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _worn(self, which: int) -> str:
        own = self.faults["worn"].phrases or tuple(self.pools["worn"])
        return fill(own[min(which, len(own) - 1)], self._slots())

    def _contradict(self, number: int) -> None:
        state, pov = self.papers.state, self.plan.pov
        item = next(
            (i for i, who in sorted(holders(state).items()) if who != pov and state and i in state.entities), ""
        )
        if not item or state is None:
            return
        name = state.entities[item].name
        pattern = self.chance.choice(self.pools["contradict"])
        slots = {**self._slots(), "T": with_article(name, self.language)}
        self._literal(fill(pattern, slots), number, f"wrong:{item}")

    def _literal(self, text: str, number: int, mark: str) -> None:
        kind = mark.partition(":")[0]
        self._take(Unit(text[:1].upper() + text[1:], kind, number, mark))

    # ── units ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _add(
        self, pool: str, number: int, more: Mapping[str, str] | None = None, *, mark: str = "", joined: bool = False
    ) -> Unit:
        return self._take(self._make(pool, number, more or {}, mark=mark, joined=joined))

    def _make(
        self, pool: str, number: int, more: Mapping[str, str], *, mark: str = "", joined: bool = False,
        free: bool = False,
    ) -> Unit:  # fmt: skip
        slots = {**self._slots(), **more}
        for _ in range(8):  # a sentence that stands already is drawn again
            text = self._paragraphs(fill(self.bank.draw(pool), slots))
            if text not in self.seen:
                break
        return Unit(text, pool, number, mark, free, joined, self.other.id)

    def _written(self, pattern: str, slots: Mapping[str, str]) -> str:
        return self._paragraphs(fill(expand(pattern, self.papers.position), slots))

    def _paragraphs(self, text: str) -> str:
        text = re.sub(r"(?<=[?？])[,.。]", "", text)
        paragraphs = [part.strip() for part in text.split("¶")]
        if self.language == "en":
            paragraphs = [_sentence_case(part) for part in paragraphs]
        return "\n\n".join(paragraphs)

    def _take(self, unit: Unit) -> Unit:
        self.seen.add(unit.text)
        before = self.units[-1] if self.units else None
        single = "\n\n" not in unit.text and not unit.text.startswith("“")
        if before and single and unit.kind in ("business", "watch", "cause") and self._may_join(before):
            unit = unit._replace(joined=True)
        if unit.joined and before:
            unit = unit._replace(text=self._pronounced(before.text, unit.text))
        self.units.append(unit)
        return unit

    def _may_join(self, before: Unit) -> bool:
        run = 0
        for unit in reversed(self.units):
            run += 1
            if not unit.joined:
                break
        return "\n\n" not in before.text and not before.text.endswith("”") and run < 3 and self.chance.random() < 0.7

    def _pronounced(self, before: str, text: str) -> str:
        """A sentence that goes on about the same person takes the pronoun."""
        last = re.split(r"(?<=[.。!?！？])\s*", before.strip())
        opening = next((s for s in reversed(last) if s), "")
        for who in (self.cast.pov, self.other):
            if opening.startswith(who.short) and text.startswith(
                f"{who.short}" + (" " if self.language == "en" else "")
            ):
                word = {"she": "她", "he": "他"}[who.pronoun] if self.language == "zh" else who.pronoun.capitalize()
                return word + text[len(who.short) :]
        return text

    def _length(self, unit: Unit) -> int:
        return count(unit.text, self.language)

    # ── slots ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _slots(self) -> dict[str, str]:
        return {
            **person_slots(self.cast.pov, "P", self.language),
            **person_slots(self.other, "O", self.language),
            "T": self._named(self.thing) or ("那张纸" if self.language == "zh" else "the paper"),
            "L": self._named(self.here) or ("街口" if self.language == "zh" else "the corner"),
            "D": self._label(self.plan.starts.label),
            "D2": self._label(self.plan.ends.label or self.plan.starts.label),
        }

    def _wish_slots(self, wish: Wish, other_wants: bool, number: int) -> dict[str, str]:
        asks, bars = (self.other, self.cast.pov) if other_wants else (self.cast.pov, self.other)
        spare = material.strings(material.plot(self.language)["against"])
        against = wish.against or fill(spare[number % len(spare)], {"O": bars.short})
        return {
            "W": wish.want,
            "V": spoken(wish.want, asks, bars, self.language),
            "A": against,
            "B": spoken(against, bars, asks, self.language),
            "C": wish.cost,
        }

    def _named(self, ref: str) -> str:
        state = self.papers.state
        entity = state.entities.get(ref) if state else None
        return with_article(entity.name if entity else ref, self.language)

    def _label(self, label: str) -> str:
        if label:
            return label
        return "这一天" if self.language == "zh" else "that same day"


def kept_line(keep: str) -> str:
    """The line itself out of a plan's keep, which also says who says it to whom."""
    found = re.search(r"[“「\"](.+?)[”」\"]", keep)
    return (found.group(1) if found else keep).strip()


def _sentence_case(text: str) -> str:
    """English sentences begin with a capital: at the start, after a stop, after an opening quotation mark."""
    text = re.sub(r"^([“‘]?)([a-z])", lambda m: m.group(1) + m.group(2).upper(), text)
    return re.sub(r"([.!?]\s+“?)([a-z])", lambda m: m.group(1) + m.group(2).upper(), text)
