"""Mutated replies for every reader, and what must hold of each reading.

`python -m tests.prompts.fuzz 100000` runs long.

Three laws: no reader crashes; an object that is read holds nothing that the reply does not hold; a reading without a
note has lost nothing of an object that was whole."""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from inkos.prompts.contracts import ALL_KEYS
from inkos.prompts.readers import (
    read_again,
    read_audit,
    read_draft,
    read_found,
    read_length,
    read_outline,
    read_plan,
    read_revise,
    read_settle,
)
from inkos.prompts.readers.ladder import read_list, read_object
from inkos.prompts.readers.merge import merge
from tests.cycle.founding_replies import found, outline, reply
from tests.prompts.reading import (
    PROSE,
    QUESTIONS,
    audited,
    book,
    entry,
    finding,
    plan,
    planned,
    rules,
    settled,
    text_of,
)
from tests.prompts.settling import delta

LANGUAGES: tuple[Any, ...] = ("zh", "en")
PATCH = {
    "zh": ("她把壶挪了挪", "她把壶转了半圈"),
    "en": ("she moved the kettle an inch", "she turned the kettle about"),
}
Reader = Callable[[str, bool], Any]


@cache
def seeds() -> tuple[tuple[str, str, Reader], ...]:
    """A sound reply of each role in each language: name, text, and its reader."""
    rows: list[tuple[str, str, Reader]] = []
    for language in LANGUAGES:
        rows += list(_of(language))
    return tuple(rows)


def _of(language: Any) -> Iterator[tuple[str, str, Reader]]:
    prose, findings = PROSE[language], [finding(language, 1), finding(language, 2)]
    old, new = PATCH[language]
    patch = {"finding": "F1", "also": [], "old": old, "new": new}
    left = {"finding": "F2", "why": "结构" if language == "zh" else "plot"}
    patches = text_of({"patches": [patch], "not_by_patch": [left]})
    yield "plan", text_of(planned(language)), lambda text, whole: read_plan(
        text, book=book(language), entry=entry(), target=600, complete=whole
    )
    yield "settle", text_of(settled(language)), lambda text, whole: read_settle(
        text, book=book(language), entry=entry(), next_entry=entry("c2"), rules=rules(), prose=prose,
        chapter_id="c0001", position=1, plan=plan(language), complete=whole,
    )  # fmt: skip
    yield "audit", text_of(audited(language)), lambda text, whole: read_audit(
        text, questions=QUESTIONS, prose=prose, papers=prose, complete=whole
    )
    yield "revise", patches, lambda text, whole: read_revise(text, findings=findings, prose=prose, complete=whole)
    yield "length", patches.replace("F1", "L1"), lambda text, whole: read_length(text, prose=prose, complete=whole)
    yield "found", reply(found(language)), lambda text, whole: read_found(text, complete=whole)
    yield "outline", reply(outline(language)), lambda text, whole: read_outline(
        text, chapters=40, rules=rules(), complete=whole
    )
    yield "draft", prose, lambda text, whole: read_draft(text, language=language, plan=plan(language))
    if language == "en":
        again = text_of({"cause": "text", "quote": "Pym nodded", "fix": None})
        yield "again", again, lambda text, whole: read_again(
            text, book=book("en"), entry=entry(), rules=rules(), prose=PROSE["en"], delta=delta(), number=1,
            plan=plan("en"),
        )  # fmt: skip


# ── mutations ──

MARKS = '{}[]"“”‘’:：,，\\/`<>｛｝\n\t \'|…'
PIECES = (
    "```json\n", "\n```", "<think>", "</think>", "null", "true", "NaN", "1e999", "\\u", "\\n", "\x00", "\ufeff",
    "\u2028", "\U0001f600", "// x\n", "/* y */", "...", "……", "Sure:\n", "以下：", '"extra": ["一", {"a": 1}],',
    "0" * 40, "[" * 30, "{" * 30, "-", "．", "%",
)  # fmt: skip
SWAPS = (
    ('"', "“"), ('"', "'"), (":", "："), (",", "，"), ("{", "｛"), ("}", "｝"), ("null", "None"), ("null", '"null"'),
    ("\\n", "\n"), ('\\"', '"'), ("[]", "{}"), ("]", "}"),
)  # fmt: skip
WRAPS = (
    ("```json\n", "\n```"), ('<think>想想 {"a": 1}</think>', ""), ("好的，如下：\n", "\n希望有用。"), ("[", "]"),
    ('{"reply": ', "}"),
)  # fmt: skip


def _at(chance: random.Random, text: str) -> int:
    return chance.randint(0, len(text))


def _span(chance: random.Random, text: str, most: int = 60) -> tuple[int, int]:
    start = _at(chance, text)
    return start, min(len(text), start + chance.randint(1, most))


def cut(chance: random.Random, text: str) -> str:
    return text[: _at(chance, text)]


def headless(chance: random.Random, text: str) -> str:
    return text[_at(chance, text) :]


def lose(chance: random.Random, text: str) -> str:
    start, end = _span(chance, text)
    return text[:start] + text[end:]


def double(chance: random.Random, text: str) -> str:
    start, end = _span(chance, text, 400)
    return text[:end] + text[start:end] + text[end:]


def mark(chance: random.Random, text: str) -> str:
    at = _at(chance, text)
    return text[:at] + chance.choice(MARKS) + text[at:]


def piece(chance: random.Random, text: str) -> str:
    at = _at(chance, text)
    return text[:at] + chance.choice(PIECES) + text[at:]


def drop_mark(chance: random.Random, text: str) -> str:
    places = [found.start() for found in re.finditer(r'[{}\[\]",:]', text)]
    if not places:
        return text
    at = chance.choice(places)
    return text[:at] + text[at + 1 :]


def swap_marks(chance: random.Random, text: str) -> str:
    old, new = chance.choice(SWAPS)
    return text.replace(old, new, chance.choice([1, 2, -1]))


def wrap(chance: random.Random, text: str) -> str:
    around = (*WRAPS, ("", "\n" + text[:200]), (text[:300] + "\n", ""))
    before, after = chance.choice(around)
    return before + text + after


def mix(chance: random.Random, text: str) -> str:
    other = chance.choice(seeds())[1]
    start, end = _span(chance, other, 300)
    at = _at(chance, text)
    return text[:at] + other[start:end] + text[at:]


MUTATIONS = (cut, headless, lose, double, mark, piece, drop_mark, swap_marks, wrap, mix)


# ── laws ──


def _words(text: str) -> list[str]:
    """Runs of letters and figures; escapes of JSON read as what they stand for."""
    text = re.sub(r"\\u[0-9a-fA-F]{4}", lambda found: chr(int(found.group()[2:], 16)), text)
    text = re.sub(r'\\[nrtbf"\\/]', " ", text)
    return re.findall(r"[^\W_]+", text)


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, below in value.items():
            yield str(key)
            yield from _leaves(below)
    elif isinstance(value, list):
        for below in value:
            yield from _leaves(below)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(abs(value))


def invented(text: str, value: dict[str, object]) -> list[str]:
    """Strings and whole numbers of an object that do not stand in the reply, letters and figures compared."""
    held = ("".join(_words(text)), "".join(re.findall(r"[^\W_]+", text)))  # escapes read, and as they stand
    return [leaf for leaf in _leaves(value) if all("".join(_words(leaf)) not in kept for kept in held)]


def lost(text: str, value: dict[str, object]) -> list[str]:
    """Words of a reply that is JSON and nothing else which its object does not hold. An envelope's name is none, nor is
    a null: where a key stands twice, the value stays and the null goes."""
    try:
        whole = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return []
    while isinstance(whole, dict | list) and len(whole) == 1 and not set(ALL_KEYS).intersection(map(str, whole)):
        whole = whole[0] if isinstance(whole, list) else next(iter(whole.values()))
        text = json.dumps(whole, ensure_ascii=False)
    held = {"null", *_words(json.dumps(value, ensure_ascii=False))}
    return [word for word in _words(text) if word not in held]


def check(name: str, text: str, reader: Reader, whole: bool) -> None:
    """Raises AssertionError where a law is broken, and lets every other exception through: a crash."""
    reader(text, whole)
    merge(text, text, frozenset({"patches", "facts"}))
    read_list(text)
    got = read_object(text, ALL_KEYS, complete=whole)
    if got.object is None:
        assert got.fault is not None, "neither an object nor a fault"
        return
    assert not (made := invented(text, got.object)), f"{name}: not in the reply: {made[:3]}"
    if all(note.startswith("json: ") for note in got.notes):  # which rung it was; nothing was taken away
        assert not (gone := lost(text, got.object)), f"{name}: lost without a note: {gone[:5]}"


def run(count: int, seed: int = 0) -> int:
    """Check `count` mutated replies; how many still gave an object to a reader without a fault."""
    chance = random.Random(seed)
    sound = 0
    for number in range(count):
        name, text, reader = chance.choice(seeds())
        for _ in range(chance.choice((1, 1, 1, 2, 3, 5))):
            text = chance.choice(MUTATIONS)(chance, text)
        whole = chance.random() < 0.7
        try:
            check(name, text, reader, whole)
        except Exception as broken:
            told = f"reply {number} of seed {seed}, {name}, complete={whole}: {broken!r}\n{text!r}"
            raise AssertionError(told) from broken
        sound += read_object(text, ALL_KEYS, complete=whole).object is not None
    return sound


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = time.monotonic()
    kept = run(asked, first)
    print(f"{asked} mutated replies, seed {first}: no crash, nothing invented, nothing lost in silence; {kept} gave an "
          f"object. {time.monotonic() - began:.0f} s")  # fmt: skip
