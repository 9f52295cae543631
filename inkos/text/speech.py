"""Which stretches of a text stand inside quotation marks; cannot tell speech from an ironic word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkos.text.characters import IS_LETTER, STOPS
from inkos.text.segment import paragraphs

_CLOSED_BY = {
    "“": "”", "„": "“”", "‟": "”", "「": "」", "『": "』", "﹁": "﹂", "﹃": "﹄", "〝": "〞〟",
    "«": "»", "»": "«", "‹": "›", "›": "‹", '"': '"', "＂": "＂", "‘": "’", "'": "'",
}  # fmt: skip
_MARK = re.compile("[" + "".join(_CLOSED_BY) + "]")
_SINGLE = "‘'"
# English words that begin with an apostrophe: never the opening of speech.
_ELIDED = "tis twas twere twill twould em un uns ere im er e n cause cos cuz til till bout round neath gainst"
_ELISION = re.compile(rf"['‘’](?:{_ELIDED.replace(' ', '|')}|\d0s)\b", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_HEAD_CHARACTERS, _HEAD_WORDS = 20, 6  # who speaks to whom, before the colon
_BEFORE_OPENING = re.compile(r"[\s(\[（【“\"‘「『—–\-:：，,。！？]")


def speech(text: str) -> list[tuple[int, int]]:
    """Spans between quotation marks (curly, straight, corner, guillemets), marks left out, in order and disjoint.

    Marks inside speech belong to it. Speech that a paragraph opens and does not close ends with the paragraph.
    """
    found: list[tuple[int, int]] = []
    for paragraph in paragraphs(text):
        found.extend((paragraph.start + start, paragraph.start + end) for start, end in _in_paragraph(paragraph.text))
    return found


def spoken(line: str) -> str:
    """The words to be spoken of a line that may say who speaks to whom (`Nell to Duffy: “Hat.”`): what stands in the
    first quotation marks, else what follows a short head and its colon (up to 20 characters, 6 words), else all."""
    quoted = speech(line)
    if quoted:
        start, end = quoted[0]
        return line[start:end].strip()
    head, colon, words = line.partition("：") if "：" in line else line.partition(":")
    short = len(head) <= _HEAD_CHARACTERS if _HAN.search(head) else len(head.split()) <= _HEAD_WORDS
    return words.strip() if colon and short and head.strip() and words.strip() else line.strip()


def _in_paragraph(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while mark := _MARK.search(text, at):
        start = at = mark.end()
        opening = mark.group()
        if opening in _SINGLE:
            end = _single_end(text, mark.start())
        elif opening == '"' and _is_measure(text, mark.start()):
            end = None
        else:
            end = _end(text, start, _CLOSED_BY[opening], opening)
        if end is not None:
            if end > start:
                yield start, end
            at = end + 1


def is_elision(text: str, at: int) -> bool:
    """Whether the mark at `at` begins an English word that has lost its first letters (`'tis`, `'em`, `'90s`)."""
    return _ELISION.match(text, at) is not None


def _is_measure(text: str, at: int) -> bool:
    """`6'2"`: inches, not speech."""
    return at > 0 and text[at - 1].isdigit()


def _end(text: str, start: int, closing: str, opening: str) -> int:
    """Where speech that begins at `start` ends: at its closing mark, else with the paragraph. Marks set by mistake are
    taken for what they do: `“走吧。“他说` after a stop, and curly and straight ones that close each other."""
    for at in range(start, len(text)):
        if text[at] in closing:
            return at
        if text[at] == opening and at > start and text[at - 1] in STOPS + "，,—":
            return at
        if opening == '"' and text[at] == "”" and "“" not in text[start:at]:
            return at
        if opening == "“" and text[at] == '"' and _next_curly(text, at) != "”":
            return at
    return len(text)


def _next_curly(text: str, at: int) -> str:
    match = re.compile("[“”]").search(text, at)
    return match.group() if match else ""


def _single_end(text: str, at: int) -> int | None:
    """The end of speech in single marks, or None where the mark is an apostrophe."""
    opening = text[at]
    if at > 0 and not _BEFORE_OPENING.match(text, at - 1) and (opening == "'" or IS_LETTER.match(text, at - 1)):
        return None
    if at + 1 >= len(text) or text[at + 1].isspace() or is_elision(text, at):
        return None
    loose: int | None = None
    for place in range(at + 1, len(text)):
        if text[place] == "‘" and place > at + 1:
            break
        if text[place] != _CLOSED_BY[opening] or IS_LETTER.match(text, place + 1):
            continue
        if text[place - 1] in STOPS + "，,—-;；:：~”\"":
            return place
        loose = place
    if loose is not None and opening == "‘":
        return loose
    return len(text) if at == 0 else None
