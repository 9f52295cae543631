"""Fits the thresholds of the density check on human novels and writes them into the house's lists.

    python -m tests.bench.fit [--write]

Of each group, `allowed` is the largest 90 % quantile of any human work. Limits are taken from works that were not
looked at: each work is scored by `allowed` of the others; `limit` is the largest 95 % quantile of the chapters of any
work, times 1.1; `window_limit` the highest score of ten chapters, times 1.25, since windows are few. Models take no
part: what they reach is measured afterwards (prose.py).
"""

from __future__ import annotations

import argparse
import re
from functools import cache
from pathlib import Path

import yaml

from inkos.gates.check import HouseLists
from inkos.gates.density import Measured, measure, score, together
from inkos.messages import Language
from tests.bench import corpora
from tests.data import ROOT

FLOOR = 0.5  # phrases in a thousand: what is rarer than that among people is chance
QUANTILE = 0.9
CHAPTERS = 0.95
WINDOW = 10
Works = dict[str, list[Measured]]


def house(language: Language) -> HouseLists:
    return HouseLists.build(yaml.safe_load(path_of(language).read_text("utf-8")))


def path_of(language: Language) -> Path:
    return ROOT / "inkos" / "gates" / "data" / f"{language}.yaml"


def quantile(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]


def allowed(works: Works, lists: HouseLists) -> HouseLists:
    groups = [
        g.model_copy(update={"allowed": round(max(FLOOR, *(quantile([m.density(g.name) for m in chapters], QUANTILE)
                                                          for chapters in works.values())), 2)})
        for g in lists.worn
    ]  # fmt: skip
    return lists.model_copy(update={"worn": tuple(groups)})


def windows(chapters: list[Measured]) -> list[Measured]:
    return [together(chapters[at : at + WINDOW]) for at in range(0, len(chapters) - WINDOW // 2 + 1, WINDOW)]


@cache
def measured(language: Language) -> Works:
    """Every chapter of every human work."""
    lists, works = house(language), corpora.novels(language)
    return {name: [measure(text, lists, language) for text in texts] for name, texts in works.items()}


@cache
def fitted(language: Language, without: str = "") -> HouseLists:
    """The lists fitted on all works but one: what a book is judged by that nobody looked at."""
    lists = house(language)
    works = {name: chapters for name, chapters in measured(language).items() if name != without}
    one, ten = 0.0, 0.0
    for name, chapters in works.items():
        others = allowed({k: v for k, v in works.items() if k != name}, lists)
        one = max(one, quantile([score(m, others) for m in chapters], CHAPTERS))
        ten = max(ten, *(score(m, others) for m in windows(chapters)))
    return allowed(works, lists).model_copy(update={"limit": round(one * 1.1, 2), "window_limit": round(ten * 1.25, 2)})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    for language in ("en", "zh"):
        lists = fitted(language)
        print(language, lists.limit, lists.window_limit, {g.name: g.allowed for g in lists.worn})
        if write:
            path = path_of(language)
            text = re.sub(r"^limit: .*$", f"limit: {lists.limit}", path.read_text("utf-8"), flags=re.M)
            text = re.sub(r"^window_limit: .*$", f"window_limit: {lists.window_limit}", text, flags=re.M)
            for group in lists.worn:
                line = rf"(  - name: {re.escape(group.name)}\n    allowed: ).*"
                text = re.sub(line, lambda m, g=group: f"{m[1]}{g.allowed}", text)  # type: ignore[misc]
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
