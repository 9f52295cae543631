"""How many tokens a text is about, where a service does not say; knows no tokenizer (they download vocabularies)."""

from __future__ import annotations

import re

from inkos.ports import Usage

# Tokens per character, tried by hand on mixed prose (design/dependencies.md): CJK 0.95, Latin 0.25, other 0.4, +10 %.
CJK_RATIO, LATIN_RATIO, OTHER_RATIO, MARGIN = 0.95, 0.25, 0.4, 1.1
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_LATIN = re.compile(r"[\x20-\u024f\n\t]")


def tokens(text: str) -> int:
    """Tokens of `text`, rounded up; 0 for an empty text."""
    cjk, latin = len(_CJK.findall(text)), len(_LATIN.findall(text))
    other = len(text) - cjk - latin
    exact = (cjk * CJK_RATIO + latin * LATIN_RATIO + other * OTHER_RATIO) * MARGIN
    return int(exact) + (exact > int(exact))


def usage(prompt: str, reply: str, reasoning: str = "") -> Usage:
    """The estimated usage of one call."""
    thought = tokens(reasoning)
    return Usage(input=tokens(prompt), output=tokens(reply) + thought, reasoning=thought, estimated=True)
