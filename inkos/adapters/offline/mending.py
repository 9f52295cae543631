"""Patches for findings, for length, and the second look at one entry; knows no gate."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any

from inkos.adapters.offline import material
from inkos.adapters.offline.draft import Chapter, Unit
from inkos.adapters.offline.faults import PlannedFault
from inkos.adapters.offline.grammar import expand, fill
from inkos.adapters.offline.people import Cast, person_slots
from inkos.adapters.offline.settling import Quoter, kept_in, recall
from inkos.kernel.papers import NumberedFinding
from inkos.prompts.request import Papers
from inkos.text.count import count
from inkos.text.segment import Span, paragraphs, sentences
from inkos.text.speech import speech

Object = dict[str, Any]
LONGEST_NEW = 1.4  # of the length of what it replaces


class Mender:
    def __init__(self, papers: Papers, seed: int, faults: Sequence[PlannedFault]) -> None:
        self.papers, self.language, self.seed, self.faults = papers, papers.language, seed, faults
        self.pools = material.phrases(papers.language)
        self.quoter = Quoter(papers.text, papers.language)
        self.kept = kept_in(papers)
        self.chance = random.Random(f"{seed}|mend|{papers.title}|{papers.position}|{papers.version}")
        self.given: set[str] = set()

    # ── findings ──────────────────────────────────────────────────────────────────────────────────────────────────

    def revise(self) -> Object:
        patches: list[Object] = []
        left: list[Object] = []
        touched: dict[str, Object] = {}
        for numbered in self.papers.findings:
            sentence = self._sentence(numbered)
            if sentence is None:
                left.append({"finding": numbered.id, "why": str(material.plot(self.language)["not_by_patch"])})
            elif sentence.text in touched:
                touched[sentence.text]["also"].append(numbered.id)
            else:
                patch = {"finding": numbered.id, "also": [], "old": sentence.text, "new": self._instead(sentence)}
                touched[sentence.text] = patch
                patches.append(patch)
        return {"patches": patches, "not_by_patch": left}

    def _sentence(self, numbered: NumberedFinding) -> Span | None:
        """The sentence of the text that a finding is about, if a patch may touch it."""
        if numbered.finding.structural or numbered.finding.code.startswith("length"):
            return None
        spans = sentences(self.papers.text, self.language)
        for quote in numbered.finding.quotes:
            if quote.source != "text" or not quote.text:
                continue
            at = self.papers.text.find(quote.text)
            at = quote.start if at < 0 else at
            span = next((s for s in spans if s.start <= at < s.end), None)
            if span and self.quoter.once(span.text) and not any(k in span.text or span.text in k for k in self.kept):
                return span
        return None

    def _instead(self, sentence: Span) -> str:
        stubborn = next((f for f in self.faults if f.kind == "worn" and f.stubborn), None)
        if stubborn is not None:
            own = stubborn.phrases or tuple(self.pools["worn"])
            if len(own) > 1 and self._is(sentence.text, own[0]):
                return fill(own[1], self._slots())
        return self._plain(count(sentence.text, self.language), sentence.text)

    def _is(self, sentence: str, pattern: str) -> bool:
        parts = re.split(r"\{\w+\^?\}", pattern)
        return re.search(".{1,20}".join(map(re.escape, parts)), sentence) is not None

    def _plain(self, length: int, old: str) -> str:
        """A sentence about nothing new, of about the same length."""
        made = []
        for pattern in self.pools["plain"]:
            for turn in range(3):
                text = fill(expand(pattern, turn), self._slots())
                if text not in self.papers.text and text not in self.given:
                    made.append(text[:1].upper() + text[1:])
        if not made:  # every sentence at hand is used up: one stands twice, which an assessment may well find
            made = [fill(expand(pattern, 0), self._slots()) for pattern in self.pools["plain"]]
        if old.startswith("“"):
            made = [text for text in made if count(text, self.language) <= max(length, 4) * LONGEST_NEW] or made
        best = min(made, key=lambda text: abs(count(text, self.language) - length))
        self.given.add(best)
        return best

    def _slots(self) -> dict[str, str]:
        assert self.papers.plan is not None
        cast = Cast(self.language, self.papers.plan, self.papers.state, tuple(self.pools["extras"]["partner"]))
        there = [p for p in cast.others if p.short in self.papers.text]
        other = there[0] if there else cast.others[0]
        return {**person_slots(cast.pov, "P", self.language), **person_slots(other, "O", self.language)}

    # ── length ────────────────────────────────────────────────────────────────────────────────────────────────────

    def length(self) -> Object:
        """Whole stretches out, or sentences in, until the distance to the target is made up."""
        now = count(self.papers.text, self.language)
        target = self.papers.target or (self.papers.plan.target if self.papers.plan else now)
        amount = abs(self.papers.amount) or abs(now - target)
        patches = self._cut(amount) if now > target else self._add(amount)
        return {"patches": patches, "not_by_patch": []}

    def _cut(self, amount: int) -> list[Object]:
        stretches = self._free_stretches()
        self.chance.shuffle(stretches)
        stretches.sort(key=lambda span: -count(span.text, self.language))
        chosen: list[Span] = []
        for span in stretches:
            size = count(span.text, self.language)
            if size <= amount + 5:
                chosen.append(span)
                amount -= size
        if stretches:
            return [self._without(run) for run in _runs(sorted(chosen), self.papers.text)]
        for text in self._narrated():
            size = count(text, self.language)
            if size <= amount + 5 and self.quoter.once(text):
                chosen.append(Span(0, 0, text))
                amount -= size
        return [{"finding": "L1", "also": [], "old": span.text, "new": ""} for span in chosen]

    def _without(self, run: Span) -> Object:
        """A cut of whole paragraphs, taken up to the first sentence of the next one, so that the join is clean."""
        after = next(span for span in paragraphs(self.papers.text) if span.start >= run.end)
        head = sentences(after.text, self.language)[0].text
        old = self.papers.text[run.start : after.start] + head
        return {"finding": "L1", "also": [], "old": old, "new": head}

    def _free_stretches(self) -> list[Span]:
        """Paragraphs that tell nothing a later chapter needs, each group as it was written together."""
        chapter = recall(self.papers, self.seed, self.faults).chapter
        groups: list[list[Unit]] = []
        for unit in chapter.units if chapter else ():
            if unit.joined and groups:
                groups[-1].append(unit)
            else:
                groups.append([unit])
        found: list[Span] = []
        for group in groups:
            text = Chapter(tuple(group), self.language).text
            at = self.papers.text.find(text)
            kept = any(k in text for k in self.kept)
            if at >= 0 and all(unit.free for unit in group) and not kept and self.quoter.once(text):
                found.append(Span(at, at + len(text), text))
        return found

    def _narrated(self) -> list[str]:
        """Sentences of narration in the middle of paragraphs; for a text of another hand."""
        told = speech(self.papers.text)
        spans = sentences(self.papers.text, self.language)[3:-5]
        return [
            span.text
            for span in spans[::2]
            if not any(a < span.end and span.start < b for a, b in told) and not any(k in span.text for k in self.kept)
        ]

    def _add(self, amount: int) -> list[Object]:
        patches: list[Object] = []
        spans = [s for s in sentences(self.papers.text, self.language)[1:-4] if self.quoter.once(s.text)]
        told = speech(self.papers.text)
        spans = [s for s in spans if not any(a < s.end and s.start < b for a, b in told)]
        spans.sort(key=lambda span: -len(span.text))
        for span in spans:
            if amount <= 0 or len(self.given) >= 3 * len(self.pools["plain"]) - 1:
                break
            more = self._plain(count(span.text, self.language) * 2 // 3, span.text)
            joint = "" if self.language == "zh" else " "
            patches.append({"finding": "L1", "also": [], "old": span.text, "new": f"{span.text}{joint}{more}"})
            amount -= count(more, self.language)
        return patches

    # ── again ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def again(self) -> Object:
        """The settler's second look: this author's contradictions stand in the text, so the text is at fault."""
        for numbered in self.papers.findings:
            for quote in numbered.finding.quotes:
                if quote.source == "text" and quote.text in self.papers.text:
                    return {"cause": "text", "quote": quote.text, "fix": None}
        wrong = [u.text for u in recall(self.papers, self.seed, self.faults).units if u.kind == "wrong"]
        stretch = wrong[0] if wrong else next((s.text for s in sentences(self.papers.text, self.language)), "")
        return {"cause": "text", "quote": self.quoter.out_of(stretch) or stretch, "fix": None}


def _runs(spans: Sequence[Span], text: str) -> list[Span]:
    """Neighbouring stretches as one."""
    runs: list[Span] = []
    for span in spans:
        if runs and not text[runs[-1].end : span.start].strip():
            runs[-1] = Span(runs[-1].start, span.end, text[runs[-1].start : span.end])
        else:
            runs.append(span)
    return runs
