"""Every code that the kernel gives has words in both languages, and every word a code."""

from __future__ import annotations

import re
import string
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2] / "inkos"
SOURCE = "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "kernel").glob("*.py")))
SOURCE += "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "kernel" / "rules").glob("*.yaml")))
USED = set(re.findall(r"\b(?:continuity|knowledge|time|hook|kernel)-\d{3}\b", SOURCE))
WORDS: dict[str, dict[str, Any]] = {
    language: yaml.safe_load((ROOT / "words" / language / "findings.yaml").read_text("utf-8"))
    for language in ("en", "zh")
}
FIELDS = {"expected", "actual", "note", "metric", "about", "subject", "predicate", "events", "since"}


def test_every_code_has_words_and_no_words_stand_idle() -> None:
    for words in WORDS.values():
        known = {code for code in words if re.match(r"(continuity|knowledge|time|hook|kernel)-", code)}
        assert known == USED


def test_words_use_only_fields_that_every_finding_of_the_kernel_has() -> None:
    for words in WORDS.values():
        for code in USED:
            assert set(words[code]) == {"wrong", "settle", "about"}
            for text in words[code].values():
                assert {name for _, name, _, _ in string.Formatter().parse(text) if name} <= FIELDS
