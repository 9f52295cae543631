"""The settlement of a chapter: what its text tells, with quotes from it; recalls a text it wrote, reads any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from inkos.adapters.offline import material
from inkos.adapters.offline.beats import wish_of
from inkos.adapters.offline.draft import Chapter, Unit, compose, kept_line
from inkos.adapters.offline.faults import PlannedFault
from inkos.adapters.offline.grammar import fill
from inkos.adapters.offline.people import Cast
from inkos.kernel.papers import Plan
from inkos.messages import Language
from inkos.prompts.request import Papers
from inkos.text.quotes import Haystack
from inkos.text.segment import sentences

Object = dict[str, Any]
LONGEST = {"en": 24, "zh": 38}  # words, characters of a quote
SHORTEST = {"en": 4, "zh": 8}


class Recalled(NamedTuple):
    """The chapter that the author wrote from the same plan, and the units of it that still stand in the text."""

    chapter: Chapter | None
    units: tuple[Unit, ...]


def recall(papers: Papers, seed: int, faults: Sequence[PlannedFault]) -> Recalled:
    """What of `papers.text` this author wrote: the version with most units still standing."""
    if papers.plan is None:
        return Recalled(None, ())
    best = Recalled(None, ())
    for version in range(1, max(papers.version, 1) + 1):
        again = papers.model_copy(update={"version": version})
        chapter = compose(again, seed, faults if version == 1 else ())
        standing = tuple(unit for unit in chapter.units if unit.text in papers.text)
        if len(standing) > len(best.units):
            best = Recalled(chapter, standing)
    return best


class Quoter:
    """Quotes of one text: short enough, and standing there once."""

    def __init__(self, text: str, language: Language) -> None:
        self.text, self.language = text, language
        self._haystack = Haystack(text)

    def once(self, quote: str) -> bool:
        return len(self._haystack.find(quote)) == 1

    def out_of(self, stretch: str, *, about: str = "") -> str:
        """A quote out of a stretch of the text, with `about` in it where given; empty where none stands once."""
        for paragraph in stretch.split("\n\n"):
            spans = [span.text for span in sentences(paragraph, self.language)]
            for sentence in [s for s in spans if about in s]:
                if quote := self._fit(sentence, about):
                    return quote
        return ""

    def _fit(self, sentence: str, about: str) -> str:
        marks = r"(?<=[，；：、。！？])" if self.language == "zh" else r"(?<=[,;:.!?])\s+"
        parts = [part for part in re.split(marks, sentence) if part]
        joint = "" if self.language == "zh" else " "
        for first in range(len(parts)):
            taken = ""
            for part in parts[first:]:
                more = f"{taken}{joint if taken else ''}{part}"
                if self._size(more) > LONGEST[self.language]:
                    break
                taken = more
            quote = taken.strip("“”，；：、 " if self.language == "zh" else "“” ,;:")
            fits = SHORTEST[self.language] <= self._size(quote) <= LONGEST[self.language]
            if fits and about in quote and "“" not in quote and "”" not in quote and self.once(quote):
                return quote
        return ""

    def _size(self, text: str) -> int:
        return len(text) if self.language == "zh" else len(text.split())


class Settler:
    """One settlement. `faults` are those of this chapter's first draft: what they put into it is told as it is."""

    def __init__(self, papers: Papers, seed: int, faults: Sequence[PlannedFault]) -> None:
        self.papers, self.language = papers, papers.language
        self.state = papers.state
        self.quoter = Quoter(papers.text, papers.language)
        self.units = recall(papers, seed, faults).units

    def settle(self) -> Object:
        plan = self.papers.plan
        return {
            "entities": [],
            "events": self._events(plan),
            "facts": self._facts(plan),
            "observations": self._observations(),
            "hook_ops": self._hooks(plan),
            "beats_done": self._beats(plan),
            "summary": self._summary(plan),
            "clock": self._clock(plan),
        }

    def _marked(self, mark: str) -> list[tuple[str, Unit]]:
        return [(unit.mark.partition(":")[2], unit) for unit in self.units if unit.mark.partition(":")[0] == mark]

    def _ref(self, entity: str) -> str:
        known = self.state.entities.get(entity) if self.state else None
        return (known.handle or known.name) if known else entity

    def _name(self, entity: str) -> str:
        known = self.state.entities.get(entity) if self.state else None
        return known.name.removeprefix("the ") if known else entity

    def _events(self, plan: Plan | None) -> list[Object]:
        if plan is None:
            return []
        rows = []
        for place, unit in self._marked("travel"):
            if quote := self.quoter.out_of(unit.text, about=self._name(place)):
                rows.append(
                    {"type": "travel", "subject": self._ref(plan.pov), "object": self._ref(place), "quote": quote}
                )
        for hook, unit in self._marked("learn"):
            how = next((p.how.strip("。. ") for p in plan.promises if p.hook == hook), "")
            if how and (quote := self.quoter.out_of(unit.text, about=how[:12])):
                rows.append({"type": "learn", "subject": self._ref(plan.pov), "object": how, "quote": quote})
        return rows

    def _facts(self, plan: Plan | None) -> list[Object]:
        rows: list[Object] = []
        for item, unit in self._marked("wrong"):
            if plan and (quote := self.quoter.out_of(unit.text, about=self._name(item))):
                rows.append({
                    "subject": self._ref(item), "predicate": "holder", "object": self._ref(plan.pov), "closes": None,
                    "quote": quote,
                })  # fmt: skip
        return rows

    def _observations(self) -> list[Object]:
        rows: list[Object] = []
        for other, unit in self._marked("meets"):
            quote = self.quoter.out_of(unit.text)
            if other and quote:
                rows.append({
                    "mode": "narrated", "source": None, "subject": self._ref(other), "predicate": "acts",
                    "object": None, "when": None, "quote": quote,
                })  # fmt: skip
        return rows[:3]

    def _hooks(self, plan: Plan | None) -> list[Object]:
        rows: list[Object] = []
        for number, promise in enumerate(plan.promises if plan else (), 1):
            quote = next((self.quoter.out_of(u.text) for h, u in self._marked("learn") if h == promise.hook), "")
            quote = quote or next((self.quoter.out_of(u.text) for _, u in self._marked("end")), "") or self._any(-1)
            if not quote:
                continue
            hook = self.state.hooks.get(promise.hook) if self.state else None
            known = hook is not None
            op = {"advance": "upsert", "resolve": "resolve", "plant": "upsert"}[promise.do]
            rows.append({
                "op": op, "hook": (hook.handle or hook.id) if hook else f"n{number}",
                "core": "" if known else promise.hook, "timing": None if known else "near-term",
                "trigger": "" if known else promise.how, "quote": quote,
            })  # fmt: skip
        return rows

    def _beats(self, plan: Plan | None) -> list[Object]:
        """Each outline beat with the words of the place where it comes out."""
        done: dict[str, str] = {}
        for keys, unit in self._marked("done"):
            if quote := self.quoter.out_of(unit.text) or self._near(unit):
                done.update(dict.fromkeys(filter(None, keys.split(",")), quote))
        own = {beat.key: beat.handle for beat in self.papers.entry.beats} if self.papers.entry else {}
        if not done and plan:
            planned = list(dict.fromkeys(key for beat in plan.beats for key in beat.outline))
            quotes = [self._any((n + 1) / (len(planned) + 1)) for n in range(len(planned))]
            done = {key: quote for key, quote in zip(planned, quotes, strict=True) if quote}
        return [{"beat": own.get(key, key), "quote": quote} for key, quote in done.items()]

    def _near(self, unit: Unit) -> str:
        """A quote of the same beat where the unit itself gives none."""
        near = [u for u in self.units if u.beat == unit.beat and u.kind in ("cost", "against", "want")]
        return next(filter(None, (self.quoter.out_of(u.text) for u in near)), "")

    def _any(self, share: float) -> str:
        """A sentence at that share of the text (-1: the last) that can be quoted."""
        spans = sentences(self.papers.text, self.language)
        start = len(spans) - 1 if share < 0 else int(share * len(spans))
        order = range(start, -1, -1) if share < 0 else [*range(start, len(spans)), *range(start - 1, -1, -1)]
        return next(filter(None, (self.quoter.out_of(spans[at].text) for at in order)), "")

    def _summary(self, plan: Plan | None) -> str:
        if plan is None:
            return self.papers.text.strip().split("\n")[0]
        cast = Cast(self.language, plan, self.state, tuple(material.phrases(self.language)["extras"]["partner"]))
        wishes = [wish_of(beat, cast, self.language) for beat in plan.beats]
        first, last = wishes[0], wishes[-1]
        own = [wish for wish in wishes[1:] if wish.who == cast.pov.name]
        text = fill(str(material.plot(self.language)["summary"]), {
            "P": cast.pov.short, "W1": first.want, "A1": first.against, "C1": first.cost,
            "W2": (own[-1] if own else last).want, "E": plan.end.strip("。. "),
        })  # fmt: skip
        return text if self.language == "zh" else re.sub(r", and at the end ([A-Z])(?=[a-z]* )", _lowered(cast), text)

    def _clock(self, plan: Plan | None) -> Object | None:
        if plan is None or self.state is None:
            return None
        quote = next((self.quoter.out_of(unit.text) for _, unit in self._marked("clock")), "")
        day = max(plan.ends.day or plan.starts.day, self.state.clock.day)
        if not quote:
            return None
        return {"day": day, "time": None, "label": plan.ends.label or plan.starts.label, "quote": quote}


def _lowered(cast: Cast) -> Callable[[re.Match[str]], str]:
    """The end of a plan goes on in a sentence: a small letter, unless a name stands first."""
    initials = {person.short[:1] for person in cast.all}
    return lambda m: f", and at the end {m.group(1) if m.group(1) in initials else m.group(1).lower()}"


def kept_in(papers: Papers) -> list[str]:
    """Stretches that no patch may touch: the plan's line and what the request names."""
    own = [kept_line(papers.plan.keep)] if papers.plan and papers.plan.keep else []
    return [text for text in (*own, *papers.must_keep) if text]
