"""The texts that checks are fitted and measured on; knows where they lie and nothing of the checks.

Works of human hands: published novels out of copyright. There is no contemporary human novel among them: say so beside
figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from inkos.messages import Language
from inkos.text.count import count
from tests.data import SHARED

_HEADINGS: dict[Language, str] = {"en": r"^Chapter \d+:.*$", "zh": r"^第[^\n]{1,8}[回章篇节](?:[ 　].*)?$"}
SLICE = 3000  # characters: about one chapter of a serial; those of the Chinese classics are several times as long
FEWEST = 400  # counting units of a chapter that is measured
FEWEST_OF_MODELS = 300
# Told in the first person, wholly or in good part.
FIRST = "burroughs christie dickens doyle fitzgerald hammett hemingway hulanhezhuan luxun stoker wodehouse"
FIRST_PERSON = frozenset(FIRST.split())


@cache
def novels(language: Language) -> dict[str, list[str]]:
    """Chapters of human novels, in order, by work; empty where the data is absent."""
    found: dict[str, list[str]] = {}
    for path in sorted((SHARED / f"pd-novels-{language}").glob("*.txt")):
        text = path.read_text("utf-8-sig").replace("\r", "")
        chapters = re.split(_HEADINGS[language], text, flags=re.MULTILINE)[1:]
        if language == "zh":
            chapters = [c[at : at + SLICE] for c in chapters for at in range(0, len(c), SLICE)]
        found[re.sub(r"\.raw$", "", path.stem)] = [c.strip() for c in chapters if count(c, language) >= FEWEST]
    return found


@cache
def models(language: Language) -> dict[str, list[str]]:
    """Texts of models: eight-chapter novellas and short stories (en), twelve chapters (zh), by model or by book."""
    if language == "zh":
        paths = sorted((SHARED / "ai-novel-zh" / "chapters").glob("*.md"))
        return {"qwen3-8b novel": _long([path.read_text("utf-8") for path in paths], language)} if paths else {}
    found: dict[str, list[str]] = {}
    for row in _rows(SHARED / "ai-novellas-en" / "novellas.jsonl"):
        chapters = [c if isinstance(c, str) else str(c["text"]) for c in row["chapters"]]  # type: ignore[attr-defined]
        found[f"{row['model']}: {row['title']}"] = _long(chapters, language)
    for row in _rows(SHARED / "ai-prose-en" / "samples.jsonl"):
        found.setdefault(f"{row['model']} stories", []).extend(_long([str(row["text"])], language))
    return {name: texts for name, texts in found.items() if texts}


def _rows(path: Path) -> list[Mapping[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _long(texts: list[str], language: Language) -> list[str]:
    return [text for text in texts if count(text, language) >= FEWEST_OF_MODELS]
