"""The offline author before two openings: prefers the richer vocabulary, whichever comes first; reads nothing."""

from __future__ import annotations

from typing import Any


def duel(first: str, second: str) -> dict[str, Any]:
    """The reply of the contract: by the share of different pairs of characters, an even one below a hundredth."""
    one, two = _variety(first), _variety(second)
    if abs(one - two) < 0.01:
        return {"better": "even", "margin": 0, "quote": "", "why": "rehearsal: equally rich"}
    better, text = ("A", first) if one > two else ("B", second)
    margin = 2 if abs(one - two) > 0.03 else 1
    return {"better": better, "margin": margin, "quote": text.strip()[:20], "why": "rehearsal: more different words"}


def _variety(text: str) -> float:
    pairs = [text[at : at + 2] for at in range(len(text) - 1)]
    return len(set(pairs)) / len(pairs) if pairs else 0.0
