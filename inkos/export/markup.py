"""The marks inside a line of the manuscript: emphasis, emphasis dots, ruby, notes; knows no paragraphs and no format.

There are four, and each needs two signs that do not meet by chance; everything else is a literal character.

| mark | is | only where |
|---|---|---|
| `*word*`, `_word_` | emphasis | English; the signs stand outside the word, without a blank inside them |
| `《《字》》` | emphasis dots | no title mark inside, so that 《《史记》研究》 stays a title |
| `{漢字|かんじ}` | ruby, the reading over the word | one side at least is Chinese or Japanese; no blank at the edges |
| `[^1]` | a note, and `[^1]: words` on a line of its own says it | both stand in the same chapter |
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from inkos.messages import Language
from inkos.text.characters import HAN, KANA


class Run(NamedTuple):
    """A stretch of a line. `ruby` is the reading over the text; a `note` (its number in the chapter, from 1) has none
    of its own: its text is the mark as written."""

    text: str
    emphasis: bool = False
    dots: bool = False
    ruby: str = ""
    note: int = 0


Line = tuple[Run, ...]

_EMPHASIS = re.compile(r"(?<![\w*_])(?:\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*|_(?=[^\s_])([^_]+?)(?<=[^\s_])_)(?![\w*_])")
_WIDE = re.compile(f"[{HAN}{KANA}]")
_SIDE = r"[^\s{}|](?:[^\n{}|]{0,58}[^\s{}|])?"
_LABEL = r"[\w-]{1,24}"
_MARK = re.compile(
    rf"《《(?P<dots>[^《》\n]{{1,200}})》》|\{{(?P<base>{_SIDE})\|(?P<over>{_SIDE})\}}|\[\^(?P<note>{_LABEL})\]"
)
NOTE = re.compile(rf"\[\^(?P<label>{_LABEL})\]:[^\S\n]*(?P<words>\S.*)")
_HALF_RUBY = re.compile(rf"\{{[^\n{{}}|]*[{HAN}{KANA}][^\n{{}}|]*\|[^\n{{}}]*$", re.MULTILINE)


def line(text: str, language: Language, notes: Mapping[str, int]) -> Line:
    """One line as runs. `notes`: the labels that this chapter explains, with their numbers."""
    if language != "en" or ("*" not in text and "_" not in text):
        return _marked(text, notes, emphasis=False)
    runs: list[Run] = []
    end = 0
    for found in _EMPHASIS.finditer(text):
        runs += _marked(text[end : found.start()], notes, emphasis=False)
        runs += _marked(found[1] or found[2], notes, emphasis=True)
        end = found.end()
    return (*runs, *_marked(text[end:], notes, emphasis=False))


def _marked(text: str, notes: Mapping[str, int], *, emphasis: bool) -> Line:
    runs: list[Run] = []
    end = 0
    if "《《" in text or "{" in text or "[^" in text:
        for found in _MARK.finditer(text):
            run = _run(found, notes, emphasis)
            if run is not None:
                runs += [Run(text[end : found.start()], emphasis), run]
                end = found.end()
    runs.append(Run(text[end:], emphasis))
    return tuple(run for run in runs if run.text)


def _run(found: re.Match[str], notes: Mapping[str, int], emphasis: bool) -> Run | None:
    if found["dots"]:
        return Run(found["dots"], emphasis, dots=True)
    if found["note"]:
        return Run(found[0], emphasis, note=notes[found["note"]]) if found["note"] in notes else None
    if _WIDE.search(found["base"]) or _WIDE.search(found["over"]):
        return Run(found["base"], emphasis, ruby=found["over"])
    return None


def note_labels(text: str) -> list[str]:
    """Labels of the notes that a text refers to, in order, each once; definitions are no references."""
    found = re.findall(rf"\[\^({_LABEL})\](?!:)|(?<=[^\n])\[\^({_LABEL})\](?=:)", text)
    return list(dict.fromkeys(one or two for one, two in found))


def unclosed(text: str) -> list[str]:
    """Lines where a mark inside a line begins and does not end: the sign with what follows it."""
    found = [match[0] for match in _HALF_RUBY.finditer(text)]
    for match in re.finditer("《《[^\\n]*", text):
        if match[0].count("》") < 2:
            found.append(match[0])
    return found
