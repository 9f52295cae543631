"""The bounded repairs of a JSON text that is nearly right; does not know contracts, and refuses what has two readings.

One pass over the text. Outside strings: comments and trailing commas go, full-width marks become ASCII, curly marks
may stand for the quotes of a string. Inside a string a straight `"` ends it only where what follows can only be
structure; an odd number of such marks left inside one string means that one of them may have been an end, so the text
is refused."""

from __future__ import annotations

import re
from typing import NamedTuple

_FULL_WIDTH = {"：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]"}
_LITERALS = {"True": "true", "False": "false", "None": "null"}
_WORD = re.compile(r"-?[A-Za-z0-9_.+\-]+")
_BLANK = re.compile(r"\s*")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|#[^\n]*", re.DOTALL)
_KEY_AHEAD = re.compile(r"\s*[\"“”][^\"“”{}\[\]\n]{1,40}[\"“”]\s*[:：]")
_ITEM_AHEAD = re.compile(r"\s*(?:[\"“”{\[｛［]|-?\d|true\b|false\b|null\b)")
_STRUCTURE = re.compile(r"[{\[｛［]\s*\"|\"\s*[:：]|\"\s*,\s*\"")
_CLOSERS = {"{": "}", "[": "]"}
MAX_DEPTH = 40


class Repaired(NamedTuple):
    """`text` is strict JSON with the same strings and figures; `end` is where the object ended in the source."""

    text: str
    end: int
    notes: tuple[str, ...]


class Ambiguous(ValueError):
    """The text has no reading, or more than one, that these repairs may choose."""


class TwoReadings(Ambiguous):
    """A quotation mark may be the end of a string or a part of it: no later rung may choose either."""


class _Pass:
    def __init__(self, source: str, complete: bool) -> None:
        self.source = source
        self.complete = complete
        self.at = 0
        self.out: list[str] = []
        self.stack: list[str] = []
        self.notes: dict[str, None] = {}
        self.key_next = False

    def run(self) -> Repaired:
        while self.at < len(self.source):
            self._step()
            if self.out and not self.stack:
                return Repaired("".join(self.out), self.at, tuple(self.notes))
        if not self.complete or len(self.stack) != 1 or self.stack[0] != "{":
            raise Ambiguous("open brackets at the end")
        self._drop_comma()
        if self.out and self.out[-1] == ":":
            raise Ambiguous("a key without a value at the end")
        self.notes["closing brace added"] = None
        return Repaired("".join([*self.out, "}"]), self.at, tuple(self.notes))

    def _step(self) -> None:
        char = self.source[self.at]
        if char.isspace() or char == "\ufeff":
            self.at += 1
            return
        if char in "/#":
            self._comment()
            return
        if char in _FULL_WIDTH:
            char = _FULL_WIDTH[char]
            self.notes["full-width marks"] = None
        if char in "{[":
            self._open(char)
        elif char in "}]":
            self._close(char)
        elif char in ",:":
            self.out.append(char)
            self.key_next = char == "," and self.stack[-1:] == ["{"]
            self.at += 1
        elif char in '"“”':
            self._string(char)
        else:
            self._word()

    def _comment(self) -> None:
        found = _COMMENT.match(self.source, self.at)
        if found is None:
            raise Ambiguous("a stray mark")
        self.notes["comment"] = None
        self.at = found.end()

    def _open(self, char: str) -> None:
        self.stack.append(char)
        if len(self.stack) > MAX_DEPTH:
            raise Ambiguous("nested too deeply")
        self.out.append(char)
        self.key_next = char == "{"
        self.at += 1

    def _close(self, char: str) -> None:
        if not self.stack or _CLOSERS[self.stack.pop()] != char:
            raise Ambiguous("brackets do not match")
        self._drop_comma()
        self.out.append(char)
        self.key_next = False
        self.at += 1

    def _drop_comma(self) -> None:
        if self.out and self.out[-1] == ",":
            self.out.pop()
            self.notes["trailing comma"] = None

    def _word(self) -> None:
        found = _WORD.match(self.source, self.at)
        if found is None:
            raise Ambiguous("words outside a string")
        word = found.group()
        if word in _LITERALS:
            self.notes["Python literal"] = None
        self.out.append(_LITERALS.get(word, word))
        self.at = found.end()

    def _string(self, opened: str) -> None:
        if opened != '"':
            self.notes["curly marks around a string"] = None
        parts: list[str] = []
        inside = 0
        at = self.at + 1
        while True:
            if at >= len(self.source):
                raise Ambiguous("a string without an end")
            char = self.source[at]
            if char == "\\" and at + 1 < len(self.source):
                parts.append(self.source[at : at + 2])
                at += 2
            elif self._ends(char, opened, at):
                break
            elif char == '"':
                inside += 1
                parts.append('\\"')
                at += 1
            else:
                parts.append(_ESCAPES.get(char, char))
                at += 1
        if inside and _STRUCTURE.search(self.source, self.at + 1, at):
            raise TwoReadings("what looks like structure inside a string")
        if inside and self.key_next:
            raise TwoReadings("quotation marks inside a key")
        if inside % 2:
            raise TwoReadings("an odd number of quotation marks inside a string")
        if inside:
            self.notes["quotation marks inside a string"] = None
        self.out.append('"' + "".join(parts) + '"')
        self.key_next = False
        self.at = at + 1

    def _ends(self, char: str, opened: str, at: int) -> bool:
        """Whether a mark ends the string: only where nothing but structure can follow."""
        if char != '"' and not (opened != '"' and char in "”“"):
            return False
        rest = at + 1
        rest = _BLANK.match(self.source, rest).end()  # type: ignore[union-attr]  # matches the empty string too
        if rest >= len(self.source):
            return True
        after = self.source[rest]
        if self.key_next:
            return after in ":："
        if after == '"' and self._comma_is_missing(rest):
            raise Ambiguous("a comma is missing")
        if after in "}｝]］":
            return self._closes(rest)
        if after in ",，":
            return self._goes_on(rest + 1)
        return after in "/#" and _COMMENT.match(self.source, rest) is not None

    def _comma_is_missing(self, at: int) -> bool:
        """Whether a new key, or in a list a new string, begins at once where a string may have ended."""
        return self.stack[-1:] != ["{"] or _KEY_AHEAD.match(self.source, at) is not None

    def _closes(self, at: int) -> bool:
        """A bracket ends a string only if it is the one that is open."""
        char = _FULL_WIDTH.get(self.source[at], self.source[at])
        return bool(self.stack) and _CLOSERS[self.stack[-1]] == char

    def _goes_on(self, at: int) -> bool:
        """After a comma: a key in an object, a value in a list, or (trailing comma) the closing bracket."""
        rest = _BLANK.match(self.source, at).end()  # type: ignore[union-attr]
        while (comment := _COMMENT.match(self.source, rest)) is not None:
            rest = _BLANK.match(self.source, comment.end()).end()  # type: ignore[union-attr]
        if rest >= len(self.source):
            return True
        if self.source[rest] in "}｝]］":
            return self._closes(rest)
        ahead = _KEY_AHEAD if self.stack[-1:] == ["{"] else _ITEM_AHEAD
        return ahead.match(self.source, rest) is not None


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def repair(source: str, *, complete: bool) -> Repaired:
    """Rewrite `source`, which begins with a brace, as strict JSON; Ambiguous where that takes a guess."""
    return _Pass(source, complete).run()
