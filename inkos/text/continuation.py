"""Joins a text that was cut off and what was written on from there; does not know who cut it."""

from __future__ import annotations

import re

from inkos.text.characters import CLOSING, IS_CJK, IS_LETTER, STOPS
from inkos.text.fold import fold
from inkos.text.lang import language_of

# A line of its own, or a bracketed word at the front, that only says that something goes on.
_FROM = "(?: from (?:above|before|the last (?:sentence|line|page)))?"
_SAYS_SO = rf"(?:接上(?:文|一?段)|(?:上?接|承接?|续)[前上]文|续写?|继续|(?:to be )?continu(?:ed|ing|ation){_FROM})"
_ENDED = r"\s*[：:。.…]*\s*"
_MARKER = re.compile(
    rf"\s*(?:[（(\[【〔*_—…-]+\s*{_SAYS_SO}{_ENDED}[）)\]】〕*_—…-]+|{_SAYS_SO}{_ENDED}(?<=\n))\s*", re.IGNORECASE
)
# Fewer characters in common happen by chance; after a cut in mid sentence the last word alone is taken up again.
_LEAST = {"zh": 8, "en": 16}
_LEAST_CUT = {"zh": 3, "en": 4}


def join(first: str, continuation: str) -> str:
    """`first` and what `continuation` has beyond it: a repeated end once only, no "(continued)", a clean seam.

    Returns `first` unchanged where nothing new came, so that a loop of continuations can end.
    """
    more = _unmarked(continuation)
    end = first.rstrip()
    if not end or not more.strip():
        return first if end else more
    overlap = _overlap(end, more)
    rest = more[overlap:]
    if not rest.strip():
        return first
    return end + rest if overlap else end + _seam(first, rest) + rest.lstrip()


def _unmarked(text: str) -> str:
    match = _MARKER.match(text)
    return text[match.end() :] if match and match.group().strip() else text


def _overlap(end: str, more: str) -> int:
    """How many characters of `more` only repeat the end of `end`; 0 where nothing is repeated."""
    tail, head = fold(end[-len(more) - 2000 :]), fold(more)
    least = _least(end)
    if tail.text.endswith(head.text):
        return len(more)
    seed = head.text[:least]
    at = tail.text.find(seed) if len(seed) == least else -1
    while at >= 0:
        size = len(tail.text) - at
        if head.text[:size] == tail.text[at:] and not _inside_word(tail.text, at):
            return head.span(0, size)[1]
        at = tail.text.find(seed, at + 1)
    return 0


def _least(end: str) -> int:
    language = "zh" if language_of(end[-400:]) == "zh" else "en"
    return (_LEAST if _is_closed(end) else _LEAST_CUT)[language]


def _is_closed(end: str) -> bool:
    return end.rstrip(CLOSING + "\"'").endswith(tuple(STOPS))


def _inside_word(text: str, at: int) -> bool:
    return at > 0 and IS_LETTER.match(text, at - 1) is not None and IS_LETTER.match(text, at) is not None


def _seam(first: str, rest: str) -> str:
    """What stands between two halves: a new paragraph after a closed sentence, else a blank where words need one."""
    if first.endswith("\n") or rest.startswith("\n") or _is_closed(first.rstrip()):
        return "\n\n"
    left, right = first.rstrip()[-1], rest.lstrip()[0]
    if IS_CJK.match(left) or IS_CJK.match(right):
        return ""
    if first[-1].isspace() or rest[0].isspace():
        return " "
    if not IS_LETTER.match(right):
        return " " if right in "“‘(\"" else ""
    return "" if _is_one_word(first, rest) else " "


def _is_one_word(first: str, rest: str) -> bool:
    """Whether the cut went through a word: both halves together are a word of the text, the first half is not."""
    left = re.search(r"[^\W\d_]+$", first)
    right = re.match(r"[^\W\d_]+", rest)
    if left is None or right is None or right.group() != right.group().lower():
        return False
    words = set(re.findall(r"[^\W\d_]+", (first[: left.start()] + " " + rest[right.end() :]).lower()))
    return (left.group() + right.group()).lower() in words and left.group().lower() not in words
