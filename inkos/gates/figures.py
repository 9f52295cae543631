"""The figures of a system panel against the state: same label, same figure; knows no game and reads no sentence."""

from __future__ import annotations

from inkos.gates.check import CheckContext, quote_of
from inkos.kernel.findings import Finding
from inkos.text.blocks import entries
from inkos.text.fold import fold


def panel(text: str, context: CheckContext) -> list[Finding]:
    """A panel shows another figure than the state holds, before the chapter and after it."""
    known: dict[str, set[float]] = {}
    for figure in context.story.figures if context.story else ():
        for label in figure.labels:
            known.setdefault(fold(label).text.casefold(), set()).update(figure.values)
    found = []
    for entry in entries(text):
        values = known.get(fold(entry.label).text.casefold())
        if not values or entry.figure in values:
            continue
        found.append(
            Finding(
                code="figures-001", severity="warning", metric="figure of a panel",
                expected=" / ".join(f"{value:g}" for value in sorted(values)), actual=f"{entry.figure:g}",
                values={"about": entry.label}, quotes=(quote_of(text, entry.start, entry.end),),
            )
        )  # fmt: skip
    return found
