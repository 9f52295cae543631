"""Two short chapters that surveys are tried on: one told plainly, one with every habit of models."""

from __future__ import annotations

from pathlib import Path

from tests.data import ROOT

GOLDEN = ROOT / "tests" / "golden"


def _text(path: Path) -> str:
    return path.read_text("utf-8").strip()


_ERRANDS = (
    "He counted the sacks twice and wrote the sum on the door.",
    "The miller asked for eleven shillings, and Tom had nine.",
    "They bargained until the dog went to sleep under the cart.",
    "Because the road was out at Hale, the carrier had come by the ford.",
    "His wheels were wet to the axle, and he wanted beer before he wanted talk.",
    "Mrs. Dunn had the ledger open on the flour bin.",
    "She read him the October figures, then the November ones, and then she shut it.",
    "If the bank would not wait, the mare must go on Thursday.",
    "Tom said that he knew a man at Corby who bought mares.",
    "Nobody believed him, but they let him put his coat on.",
)
PLAIN_EN = "\n\n".join(" ".join(_ERRANDS[at : at + 5]) for at in (0, 5)) + "\n\n" + "\n\n".join(
    f"On the {day} he sold {number} sacks at Hale and drove home by the {road} road, since the other one was {why}."
    for day, number, road, why in (
        ("third", "four", "upper", "flooded"), ("fifth", "nine", "mill", "closed by the council for its bridge"),
        ("ninth", "six", "lower", "full of sheep for the fair"), ("tenth", "two", "chapel", "not yet mended"),
        ("twelfth", "seven", "old turnpike", "watched by his creditors"),
    )
)  # fmt: skip
MODEL_EN = _text(GOLDEN / "prose-004" / "trips.en.md")


def novel(*chapters: str) -> str:
    return "\n\n".join(f"Chapter {n}\n\n{text}" for n, text in enumerate(chapters, 1))

