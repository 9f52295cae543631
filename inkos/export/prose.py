"""A chapter's prose as paragraphs and scene breaks, for formats with a layout; knows no format.

Every character of the prose is literal. The only marks with a meaning are a line that is a scene break and, in English,
*asterisks* or _underscores_ around emphasis.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal, NamedTuple

from inkos.messages import Language
from inkos.text.characters import IS_CJK, is_scene_break


class Run(NamedTuple):
    text: str
    emphasis: bool = False


class Block(NamedTuple):
    """A paragraph, or a break without runs."""

    kind: Literal["paragraph", "break"]
    runs: tuple[Run, ...] = ()

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


_EMPHASIS = re.compile(r"(?<![\w*_])(?:\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*|_(?=[^\s_])([^_]+?)(?<=[^\s_])_)(?![\w*_])")
_ZH_MARKS = "“”‘’…—·"  # as wide as a Han character in Chinese prose, narrow in English
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")


def blocks(text: str, language: Language) -> tuple[Block, ...]:
    """The prose in order. Breaks at the start, at the end and beside another break are dropped."""
    found: list[Block] = []
    wrapped = _is_wrapped(text)
    for chunk in _BLANK_LINE.split(text):
        pending: list[str] = []
        for line in [*(line.strip() for line in chunk.split("\n")), ""]:
            ends = not line or is_scene_break(line) or not wrapped
            if pending and ends and not (line and not is_scene_break(line) and _cuts_sentence(pending[-1])):
                found.append(Block("paragraph", _runs(_join(pending, language), language)))
                pending = []
            if line and is_scene_break(line):
                found.append(Block("break"))
            elif line:
                pending.append(line)
    return tuple(
        block
        for at, block in enumerate(found)
        if block.kind == "paragraph" or (0 < at < len(found) - 1 and found[at - 1].kind != "break")
    )


def _is_wrapped(text: str) -> bool:
    """Is a single newline a wrap inside a paragraph, or the end of one?

    Files that part paragraphs by blank lines wrap inside them (or not at all); files with one newline after each
    paragraph may still have blank lines around their scene breaks. So: the commoner separation counts, unless many
    single newlines cut a sentence, which only a hard wrap does.
    """
    lines = [line.strip() for line in text.strip().split("\n")]
    pairs = [(one, two) for one, two in pairwise(lines) if one and two]
    blanks = sum(1 for one, two in pairwise(lines) if one and not two)
    return blanks >= len(pairs) or 3 * sum(_cuts_sentence(one) for one, _ in pairs) >= len(pairs)


def _cuts_sentence(line: str) -> bool:
    """Does a sentence go on after this line? It does when it ends in a letter or in a mark that cannot end one."""
    return line[-1].isalnum() or line[-1] in ",;，、；"


def _join(lines: list[str], language: Language) -> str:
    """Hard-wrapped lines as one: one blank between words, none beside a Chinese character or mark."""
    text = lines[0]
    for line in lines[1:]:
        wide = any(IS_CJK.match(c) or (language == "zh" and c in _ZH_MARKS) for c in (text[-1], line[0]))
        text += line if wide else f" {line}"
    return text


def _runs(text: str, language: Language) -> tuple[Run, ...]:
    if language != "en":
        return (Run(text),)
    runs: list[Run] = []
    end = 0
    for found in _EMPHASIS.finditer(text):
        runs += [Run(text[end : found.start()]), Run(found[1] or found[2], emphasis=True)]
        end = found.end()
    runs.append(Run(text[end:]))
    return tuple(run for run in runs if run.text)
