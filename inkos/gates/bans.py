"""The author's bans, enforced exactly: words, patterns, forms of titles; has no opinion of its own on any word.

A pattern comes from book.yaml, and a book may come from a stranger: `compile_ban` refuses one that could run for ever.
Python's engine backtracks, so the work is bounded before it starts: no quantifier around another one, no alternatives
under one, and all quantifiers together may try `MOST_WAYS` ways at one place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from inkos.errors import UsageFault
from inkos.gates.check import QUOTES_SHOWN, CheckContext, quote_of
from inkos.kernel.findings import Finding
from inkos.text.segment import paragraphs, sentences

LONGEST_PATTERN = 200  # characters
LONGEST_STRETCH = 2000  # a pattern is matched within a paragraph, and in longer ones within a sentence
UNBOUNDED = 300  # what `*`, `+` and `{n,}` count for
MOST_WAYS = 100_000

_QUANTIFIER = re.compile(r"\*|\+|\?|\{(\d*)(,?)(\d*)\}")
_GROUP_HEAD = re.compile(r"\?(?:[:=!>]|<[=!]|P?<\w+>|P=\w+|#)")


@lru_cache(maxsize=512)
def compile_ban(pattern: str, where: str = "book.yaml") -> re.Pattern[str]:
    """The author's pattern, compiled; UsageFault `ban-pattern` says what is wrong. `where`: the file it stands in."""
    if len(pattern) > LONGEST_PATTERN:
        raise UsageFault("ban-pattern", where=where, pattern=pattern[:40] + "…", detail=f"> {LONGEST_PATTERN}")
    try:
        compiled = re.compile(pattern, re.MULTILINE)
    except re.error as error:
        raise UsageFault("ban-pattern", where=where, pattern=pattern, detail=str(error)) from error
    if compiled.match("") is not None:
        raise UsageFault("ban-pattern", where=where, pattern=pattern, detail="matches the empty text")
    trouble = _runs_away(pattern)
    if trouble:
        raise UsageFault("ban-pattern", where=where, pattern=pattern, detail=trouble)
    return compiled


def _runs_away(pattern: str) -> str:
    """What in a valid pattern could cost without bound, or nothing."""
    ways = 1
    inside: list[bool] = [False]  # of each open group: does it hold a quantifier or alternatives?
    closed_wild = False  # did the last thing close a group that does?
    for token in _tokens(pattern):
        if token == "(":
            inside.append(False)
        elif token == ")":
            closed_wild = inside.pop()
            inside[-1] = inside[-1] or closed_wild
            continue
        elif token == "|":
            inside[-1] = True
        elif (times := _times(token)) is not None:
            if closed_wild and token != "?":
                return f"quantifier {token} around a group that repeats or has alternatives"
            ways *= max(1, times)
            inside[-1] = True
        closed_wild = False
    return f"quantifiers multiply to {ways}" if ways > MOST_WAYS else ""


def _tokens(pattern: str) -> Iterator[str]:
    """Groups, alternatives, quantifiers and single items of a valid pattern; what a class holds is one item."""
    at = 0
    while at < len(pattern):
        mark = pattern[at]
        if mark == "\\":
            yield pattern[at : at + 2]
            at += 2
        elif mark == "[":
            close = at + 2 if pattern[at + 1 : at + 2] != "^" else at + 3
            while pattern[close] != "]":
                close += 2 if pattern[close] == "\\" else 1
            yield pattern[at : close + 1]
            at = close + 1
        elif mark == "(":
            yield mark
            head = _GROUP_HEAD.match(pattern, at + 1)
            at = head.end() if head else at + 1
        else:
            found = _QUANTIFIER.match(pattern, at)
            yield found.group() if found else mark
            at = found.end() if found else at + 1


def _times(token: str) -> int | None:
    """How many ways a quantifier can match; null when the token is none."""
    found = _QUANTIFIER.fullmatch(token)
    if found is None:
        return None
    if token in "*+":
        return UNBOUNDED
    if token == "?":
        return 2
    low, comma, high = found.groups()
    if not low and not high:
        return None  # `{,}` is plain text
    if not comma:
        return 1
    return int(high) - int(low or 0) + 1 if high else UNBOUNDED


def _word_pattern(ban: str) -> re.Pattern[str]:
    """The ban as it stands; blanks match any blanks, apostrophes both kinds, Latin words only whole, in any case."""
    parts = [re.escape(part) for part in ban.split()]
    body = re.sub("['’]", "['’]", r"\s+".join(parts))
    before = r"(?<![A-Za-z0-9])" if ban.strip()[:1].isascii() and ban.strip()[:1].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if ban.strip()[-1:].isascii() and ban.strip()[-1:].isalnum() else ""
    return re.compile(before + body + after, re.IGNORECASE)


def words(text: str, context: CheckContext) -> list[Finding]:
    """A word or phrase that the author banned stands in the text."""
    found = []
    for ban in dict.fromkeys(ban.strip() for ban in context.style.bans if ban.strip()):
        spans = [match.span() for match in _word_pattern(ban).finditer(text)]
        if spans:
            found.append(_finding("prose-001", ban, text, spans))
    return found


def patterns(text: str, context: CheckContext) -> list[Finding]:
    """A pattern that the author banned matches in the text."""
    found = []
    for ban in dict.fromkeys(context.style.ban_patterns):
        compiled = compile_ban(ban)
        spans = [
            (start + match.start(), start + match.end())
            for start, stretch in _stretches(text, context)
            for match in compiled.finditer(stretch)
        ]
        if spans:
            found.append(_finding("prose-002", ban, text, spans))
    return found


def _stretches(text: str, context: CheckContext) -> Iterator[tuple[int, str]]:
    for paragraph in paragraphs(text):
        if len(paragraph.text) <= LONGEST_STRETCH:
            yield paragraph.start, paragraph.text
            continue
        for sentence in sentences(paragraph.text, context.language):
            yield paragraph.start + sentence.start, sentence.text[:LONGEST_STRETCH]


def title(text: str, context: CheckContext) -> list[Finding]:
    """The chapter's title has a form that the author banned."""
    name = context.title or (context.plan.title if context.plan else "")
    ban = title_ban(name, context.style.title_bans)
    if not ban:
        return []
    return [
        Finding(
            code="prose-003", severity="blocking", path="title", metric="ban",
            actual=name, values={"ban": ban}, repairable=False,
        )
    ]  # fmt: skip


def title_ban(name: str, bans: tuple[str, ...]) -> str:
    """The first of the author's title bans that `name` falls under, or nothing."""
    return next((ban for ban in bans if name and compile_ban(ban).search(name)), "")


def _finding(code: str, ban: str, text: str, spans: list[tuple[int, int]]) -> Finding:
    return Finding(
        code=code,
        severity="blocking",
        metric="ban",
        expected="0",
        actual=str(len(spans)),
        values={"about": ban, "ban": ban},
        quotes=tuple(quote_of(text, *span) for span in spans[:QUOTES_SHOWN]),
    )
