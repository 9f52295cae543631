"""Finds the quotes of a delta in the texts that they name; does not judge what the quotes are said to prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from inkos.kernel.delta import Delta
from inkos.kernel.story import Evidence
from inkos.kernel.trusted import but, made
from inkos.records import Record
from inkos.text.quotes import Haystack

_HAN = "\u2e80"  # from here on, a script that runs words together
R = TypeVar("R", bound=Record)
# Every list of a delta whose items carry evidence.
QUOTED = ("beats_done", "entities", "events", "facts", "observations", "hook_ops", "truths")


class Sources:
    """The texts that evidence may quote: the chapter as `text`, the author's files by path. A text is prepared for
    tolerant look-up only when a quote does not stand there letter for letter."""

    def __init__(self, text: str, files: Mapping[str, str], *, genesis: bool = False) -> None:
        self._texts: dict[str, str] = dict(files) if genesis else {**files, "text": text}
        self._prepared: dict[str, Haystack] = {}
        self._genesis = genesis

    def __contains__(self, source: str) -> bool:
        return source in self._texts

    def spans(self, quote: str, source: str) -> list[tuple[int, int]]:
        """Where the quote stands in that source, in characters of its text; [] for an empty quote or unknown source."""
        text = self._texts.get(source)
        if not text or not quote.strip():
            return []
        spans = []
        start = text.find(quote)
        while start >= 0:
            if _whole(quote, text, start):
                spans.append((start, start + len(quote)))
            start = text.find(quote, start + 1)
        if spans:
            return spans
        if source not in self._prepared:
            self._prepared[source] = Haystack(text)
        return self._prepared[source].find(quote)

    def located(self, evidence: Evidence, position: int) -> Evidence:
        """The evidence with the span where its quote first stands (−1: nowhere) and how often it does."""
        text = self._texts.get(evidence.source)
        start = evidence.start
        known = text is not None and start >= 0 and text[start : evidence.end] == evidence.quote != ""
        if known and text is not None and _whole(evidence.quote, text, start):
            return _at(evidence, position, evidence.start, evidence.end, max(evidence.places, 1), evidence.source)
        for source in self._candidates(evidence.source):
            spans = self.spans(evidence.quote, source)
            if spans:
                # A span that was found before is kept among several places: an author may have chosen it.
                start, end = next((span for span in spans if span[0] == evidence.start), spans[0])
                return _at(evidence, position, start, end, len(spans), source)
        if self._genesis and evidence.start >= 0:
            # It stood in the author's file at the founding; what the author rewrites later does not undo that.
            return evidence
        return _at(evidence, position, -1, -1, 0 if evidence.quote else evidence.places, evidence.source)

    def _candidates(self, source: str) -> list[str]:
        # A founding's items may leave open which of the author's files they quote.
        return sorted(self._texts) if self._genesis and source == "text" else [source]


def _whole(quote: str, text: str, start: int) -> bool:
    """Whether the quote stands at `start` as whole words. Only where a letter may go on is the text room asked."""
    end = start + len(quote)
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    left = not before or before[-1].isspace() or not (quote[0].isalnum() and quote[0] < _HAN)
    right = not after or after[0].isspace() or not (quote[-1].isalnum() and quote[-1] < _HAN)
    if left and right:
        return True
    return (len(before), len(before) + len(quote)) in Haystack(before + quote + after).find(quote)


def _at(evidence: Evidence, position: int, start: int, end: int, places: int, source: str) -> Evidence:
    chapter = position if source == "text" else evidence.chapter
    if (evidence.start, evidence.end, evidence.places, evidence.chapter, evidence.source) == (
        start,
        end,
        places,
        chapter,
        source,
    ):
        return evidence
    return made(
        Evidence,
        quote=evidence.quote,
        source=source,
        chapter=chapter,
        start=start,
        end=end,
        places=places,
        reason=evidence.reason,
    )


def each_evidence(delta: Delta, change: Callable[[Evidence], Evidence]) -> Delta:
    """The delta with every evidence changed; itself where nothing changes."""
    update: dict[str, object] = {}
    for name in QUOTED:
        items: tuple[Record, ...] = getattr(delta, name)
        changed = tuple(_with(item, change) for item in items)
        if any(new is not old for new, old in zip(changed, items, strict=True)):
            update[name] = changed
    if delta.clock is not None:
        clock = _with(delta.clock, change)
        if clock is not delta.clock:
            update["clock"] = clock
    return but(delta, **update) if update else delta


def _with(item: R, change: Callable[[Evidence], Evidence]) -> R:
    old: Evidence = item.evidence  # type: ignore[attr-defined]
    new = change(old)
    return item if new is old else but(item, evidence=new)


def locate(delta: Delta, text: str, sources: Mapping[str, str] | None = None) -> Delta:
    """The delta with `start`, `end`, `places` of every quote filled in; a quote that stands nowhere keeps −1."""
    found = Sources(text, sources or {}, genesis=delta.kind == "genesis")
    return each_evidence(delta, lambda evidence: found.located(evidence, delta.position))
