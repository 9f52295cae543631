"""Sets marks, line ends and scene breaks of prose in one way; changes no word and knows nothing of pages."""

from __future__ import annotations

import re
from itertools import pairwise

from inkos.messages import Language
from inkos.text.characters import IS_CJK, IS_LETTER, STOPS, UNSEEN, is_scene_break
from inkos.text.segment import paragraphs
from inkos.text.speech import is_elision

SCENE_BREAK: dict[Language, str] = {"zh": "＊", "en": "*"}

_LINE_ENDS = re.compile(r"\r\n?|[\u2028\u2029\u0085]")
_CONTROL = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f{UNSEEN}\u2066-\u2069\ufffe\uffff]")
_EMPHASIS = re.compile(r"(?<![A-Za-z0-9*_])(\*{1,3}|_{2,3})(?=[^\s*_])([^\n]*?[^\s*_])\1(?![A-Za-z0-9*_])")
_DOUBLE = '"＂'
_SINGLE = "'＇"


def unwrap(paragraph: str, language: Language) -> str:
    """One paragraph as one line: hard wraps joined with a blank between words, with none between Chinese halves."""
    lines = [line.strip() for line in paragraph.splitlines()]
    joined = ""
    for line in filter(None, lines):
        joined += (_joint(joined, line, language) if joined else "") + line
    return joined


def _joint(left: str, right: str, language: Language) -> str:
    if IS_CJK.match(left[-1]) or IS_CJK.match(right[0]):
        return ""
    if language == "zh" and not (IS_LETTER.match(left[-1]) and IS_LETTER.match(right[0])):
        return ""
    # A compound or a dash set without blanks goes on after the wrap as it began.
    return "" if re.search(r"\w[-‐—]$|\S--$", left) else " "


def set_marks(text: str, language: Language) -> str:
    """Straight quotation marks made curly, balanced paragraph by paragraph; marks that are curly already stay.

    en: also apostrophes (’). zh: ` " ` becomes “ ” and ` ' ` becomes ‘ ’ in turn. Idempotent.
    """
    pieces: list[str] = []
    done = 0
    for paragraph in paragraphs(text):
        pieces += [text[done : paragraph.start], _set_paragraph(paragraph.text, language)]
        done = paragraph.end
    return "".join([*pieces, text[done:]])


def _set_paragraph(text: str, language: Language) -> str:
    if any(mark in text for mark in _SINGLE):
        text = _set_singles(text, language)
    return _set_doubles(text, language) if any(mark in text for mark in _DOUBLE) else text


def _set_doubles(text: str, language: Language) -> str:
    by_place = _doubles(text, trust_place=True) if language == "en" else None
    return by_place if by_place is not None and _alternates(by_place) else _doubles(text, trust_place=False)


def _doubles(text: str, *, trust_place: bool) -> str:
    """Opening and closing in turn; with `trust_place` a mark's neighbours decide where they are clear."""
    out: list[str] = []
    opened = False
    for at, character in enumerate(text):
        if character in _DOUBLE:
            before, after = text[at - 1 : at], text[at + 1 : at + 2]
            opens = not opened
            if trust_place and _is_edge(before) != _is_edge(after):
                opens = _is_edge(before)
            character = "“" if opens else "”"
        opened = {"“": True, "”": False}.get(character, opened)
        out.append(character)
    return "".join(out)


def _is_edge(neighbour: str) -> bool:
    """Whether nothing, a blank, a bracket or a dash stands there."""
    return not neighbour or neighbour.isspace() or neighbour in "([{—–-‘"


def _alternates(text: str) -> bool:
    marks = re.findall("[“”]", text)
    return all(left != right for left, right in pairwise(marks))


def _set_singles(text: str, language: Language) -> str:
    out: list[str] = []
    opened = False
    for at, character in enumerate(text):
        if character in _SINGLE:
            before, after = text[at - 1 : at], text[at + 1 : at + 2]
            if before and after and IS_LETTER.match(before) and IS_LETTER.match(after):
                character = "’"
            elif language == "zh":
                character = "’" if opened else "‘"
            else:
                character = "‘" if _opens_single(text, at) else "’"
            opened = {"‘": True, "’": False}.get(character, opened) if not _is_inner(before, after) else opened
        out.append(character)
    return "".join(out)


def _is_inner(before: str, after: str) -> bool:
    return bool(before and after and IS_LETTER.match(before) and IS_LETTER.match(after))


def _opens_single(text: str, at: int) -> bool:
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    starts = not before or before.isspace() or before in "([{—–-“\"＂"
    return starts and bool(after) and not after.isspace() and not is_elision(text, at) and not after.isdigit()


def clean_prose(text: str, language: Language) -> tuple[str, list[str]]:
    """`text` as a manuscript has it, and what was done, as codes: `line-ends`, `unseen`, `indents`, `paragraphs`,
    `scene-breaks`, `emphasis`.

    One blank line between paragraphs, no blanks at their ends, a scene break as `＊` (zh) or `*` (en) alone on a line,
    no Markdown emphasis in zh (kept in en as italics). Words and quotation marks stay. Idempotent.
    """
    notes: list[str] = []
    steps = (
        ("line-ends", lambda old: _LINE_ENDS.sub("\n", old)),
        ("unseen", lambda old: _CONTROL.sub("", old)),
        ("indents", lambda old: "\n".join(line.strip() for line in old.split("\n")).strip()),
        ("paragraphs", _part_paragraphs),
        ("scene-breaks", lambda old: _set_breaks(old, language)),
        ("emphasis", _without_emphasis if language == "zh" else str),
    )
    for name, step in steps:
        before, text = text, step(text)
        if text != before:
            notes.append(name)
    return text, notes


def _part_paragraphs(text: str) -> str:
    """Exactly one blank line between paragraphs; lines of one block stay together where they look hard-wrapped."""
    has_blank = "\n\n" in text
    blocks: list[str] = []
    for block in text.split("\n\n"):
        lines: list[str] = []
        for line in [*block.split("\n"), "***"]:
            if line and not is_scene_break(line):
                lines.append(line)
                continue
            blocks += ["\n".join(lines)] if has_blank and _is_wrapped(lines) else lines
            blocks += [line] if line else []
            lines = []
        blocks.pop()
    return "\n\n".join(blocks)


def _is_wrapped(lines: list[str]) -> bool:
    """Whether most lines end in mid sentence."""
    ended = sum(line.rstrip("”’」』\"')）").endswith(tuple(STOPS + "：:—")) for line in lines[:-1])
    return len(lines) > 1 and ended * 2 < len(lines) - 1


def _set_breaks(text: str, language: Language) -> str:
    return "\n".join(SCENE_BREAK[language] if is_scene_break(line) else line for line in text.split("\n"))


def _without_emphasis(text: str) -> str:
    while (plain := _EMPHASIS.sub(r"\2", text)) != text:
        text = plain
    return text
