"""The checks on published novels and on model prose: what stops a chapter of a human novel is a fault of the check.

Figures are printed (`pytest -s`). The target of each slice is its own length, so that length says nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from inkos.config import StyleConfig
from inkos.gates.check import CheckContext, HouseLists
from inkos.gates.checks import run
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.repeat import shingles
from tests.data import shared

pytestmark = pytest.mark.reads_data
DATA = Path(__file__).parents[2] / "inkos" / "gates" / "data"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
HEADINGS: dict[Language, str] = {"en": r"^Chapter \d+:.*$", "zh": r"^第[^\n]{1,8}[回章篇节](?:[ 　].*)?$"}
EVERY = 2  # every second slice is measured; over all of them the figures are the same
SLICE = 3000  # characters: about one chapter of a serial; zh chapters of the classics are several times as long
# Told in the first person, wholly or in good part; person-001 is measured on the others.
FIRST_PERSON = "burroughs christie dickens doyle fitzgerald hammett hemingway hulanhezhuan luxun stoker wodehouse"
FIRST = frozenset(FIRST_PERSON.split())


def novels(language: Language) -> Iterator[tuple[str, list[str]]]:
    """Published novels: name, and slices in order."""
    for path in sorted(shared(f"pd-novels-{language}").glob("*.txt")):
        text = path.read_text("utf-8-sig").replace("\r", "")
        chapters = re.split(HEADINGS[language], text, flags=re.MULTILINE)[1:]
        if language == "zh":
            chapters = [c[at : at + SLICE] for c in chapters for at in range(0, len(c), SLICE)]
        slices = [c.strip() for c in chapters if count(c, language) >= 400]
        yield re.split(r"[_.]", path.name)[0], slices[::EVERY]


def findings(name: str, slices: list[str], language: Language) -> Iterator[Counter[tuple[str, str]]]:
    """For each slice: the codes it trips with their severity."""
    lists = HouseLists.build(yaml.safe_load((DATA / f"{language}.yaml").read_text("utf-8")))
    earlier: list[frozenset[int]] = []
    for text in slices:
        context = CheckContext(
            language=language,
            target=count(text, language),
            lists=lists,
            style=StyleConfig(person="first" if name in FIRST else "third"),
            earlier=tuple(earlier[-10:]),
        )
        found = {(f.code, f.severity) for f in run(text, context)}
        if name in FIRST and language == "zh":
            found = {key for key in found if key[0] != "person-001"}  # these change person from story to story
        earlier.append(frozenset(shingles(text, language)))
        yield Counter(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_published_novels_are_let_through(language: Language) -> None:
    total, seen = 0, Counter[tuple[str, str]]()
    warned = blocked = 0
    for name, slices in novels(language):
        for found in findings(name, slices, language):
            total += 1
            seen += found
            blocked += any(severity == "blocking" for _, severity in found)
            warned += any(
                code in ("prose-004", "prose-005", "prose-006", "prose-011", "person-001") for code, _ in found
            )
    print(f"\n{language}: {total} slices of novels; blocked {blocked}, warned of their prose {warned}; {dict(seen)}")
    assert total >= 80
    assert blocked * 100 <= total
    assert warned * 100 <= 5 * total


def model_prose(language: Language) -> list[str]:
    if language == "zh":
        return [path.read_text("utf-8") for path in sorted(shared("ai-novel-zh/chapters").glob("*.md"))]
    lines = shared("ai-prose-en/samples.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


@pytest.mark.parametrize(("language", "least"), [("zh", 0.9), ("en", 0.25)])
def test_worn_phrases_are_seen_in_model_prose(language: Language, least: float) -> None:
    texts = [text for text in model_prose(language) if count(text, language) >= 300]
    seen = sum(("prose-004", "warning") in found for found in findings("model", texts, language))
    print(f"\n{language}: worn phrases in {seen} of {len(texts)} texts of models")
    assert seen >= least * len(texts)
