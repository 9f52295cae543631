"""Finds the quotes of one reply in the text they name and turns them into evidence; does not know what they prove."""

from __future__ import annotations

from inkos.kernel.findings import Quote
from inkos.kernel.story import Evidence
from inkos.prompts.readers.read import Faults
from inkos.text.quotes import Haystack


class Quoting:
    """One text under many quotes. A quote that is not there is the fault `reply-quote` at its place."""

    def __init__(self, text: str, faults: Faults, notes: list[str], *, source: str = "text") -> None:
        self.haystack = Haystack(text)
        self.text = text
        self.faults = faults
        self.notes = notes
        self.source = source

    def evidence(self, quote: str, where: str) -> Evidence:
        """The quote with its span. Standing in several places it keeps the first, with their number."""
        spans = self.haystack.find(quote)
        if not spans:
            self.faults.add("reply-quote", item_of(where))
            return Evidence(quote=quote, source=self.source)
        start, end = spans[0]
        if len(spans) > 1:
            self.notes.append(f"{where} stands {len(spans)} times: the first is taken")
        return Evidence(quote=self.text[start:end], source=self.source, start=start, end=end, places=len(spans))

    def quote(self, quote: str) -> Quote | None:
        """The words as they stand there, or null."""
        spans = self.haystack.find(quote)
        if not spans:
            return None
        start, end = spans[0]
        return Quote(text=self.text[start:end], source=self.source, start=start, end=end)


def item_of(where: str) -> str:
    """`facts[2].quote` → `facts[2]`: a re-ask names the entry."""
    return where.rsplit(".", 1)[0] if where.endswith(".quote") else where
