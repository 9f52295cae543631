"""Counted claims in the prose: “…”，一共八个字; counts what is quoted, and judges nothing else."""

from __future__ import annotations

import re

from inkos.gates.check import CheckContext, quote_of
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.count import count

_ZH_FIGURE = r"(?P<figure>[0-9０-９]{1,3}|[一二两三四五六七八九十百]{1,5})"
_ZH_UNIT = r"个[大小血金黑红墨]?(?P<unit>汉?字)"
_ZH_QUOTED = r"[“「『](?P<quoted>[^“”「」『』\n]{1,60})[”」』]"
# Right after the quoted words, with nothing between but a mark and words of counting.
_ZH_AFTER = re.compile(
    _ZH_QUOTED
    + r"[，,。：——]{0,2}(?:这|那|一共|总共|共|统共|拢共|整整|正好|只有|仅有|不过|就|写的是|是|有|短短){0,3}"
    + _ZH_FIGURE
    + _ZH_UNIT
)
# Right before them: 写着八个字：“…”. Several quotes in a row are left alone: the figure may be that of all.
_ZH_BEFORE = re.compile(_ZH_FIGURE + _ZH_UNIT + "[：:]" + _ZH_QUOTED + "(?![、，]?[“「『])")
_EN_SMALL = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_EN_NUMBERS = {word: n for n, word in enumerate(_EN_SMALL.split(), 1)}
_EN_FIGURE = rf"(?P<figure>\d{{1,3}}|{'|'.join(_EN_NUMBERS)})"
_EN_UNIT = r" (?:\w+ )?(?P<unit>word|letter|character)s?\b"
_EN_QUOTED = r"[“\"](?P<quoted>[^“”\"\n]{1,120})[”\"]"
_EN_AFTER = re.compile(
    _EN_QUOTED
    + r"[.,:;—–\- ]{1,3}(?:All |Only |Just |Those |These |The |Exactly |Barely ){0,2}"
    + _EN_FIGURE
    + _EN_UNIT
    + r"(?=[.,;:!?—–)]| in | of |\s*$)",  # “Go.” Two words would have done: no claim about what stands before
    re.IGNORECASE,
)
_EN_BEFORE = re.compile(rf"\b{_EN_FIGURE}{_EN_UNIT}: {_EN_QUOTED}(?!,? (?:and )?[“\"])", re.IGNORECASE)
_CLAIMS: dict[Language, tuple[re.Pattern[str], ...]] = {
    "zh": (_ZH_AFTER, _ZH_BEFORE),
    "en": (_EN_AFTER, _EN_BEFORE),
}
_HAN_DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}


def counted(text: str, context: CheckContext) -> list[Finding]:
    """The text says how many words or characters some quoted words have, and it is not so."""
    found = []
    for match in [m for pattern in _CLAIMS[context.language] for m in pattern.finditer(text)]:
        claimed = _figure(match["figure"])
        actual = _count(match["quoted"], match["unit"], context)
        if claimed is None or claimed == actual:
            continue
        found.append(
            Finding(
                code="prose-010",
                severity="warning",
                metric="counted claim",
                expected=str(claimed),
                actual=str(actual),
                values={"about": match["quoted"], "unit": match["unit"].lower()},
                quotes=(quote_of(text, *match.span()),),
            )
        )
    return found


def _count(quoted: str, unit: str, context: CheckContext) -> int:
    if unit.lower() in ("letter", "character"):
        return sum(c.isalnum() for c in quoted)
    return count(quoted, context.language)


def _figure(written: str) -> int | None:
    """A small whole number in digits or words; null where it is not plain."""
    if written.isdecimal():
        return int(written)
    if written.lower() in _EN_NUMBERS:
        return _EN_NUMBERS[written.lower()]
    total, digit = 0, 0
    for sign in written:
        if sign in _HAN_DIGITS:
            if digit:
                return None
            digit = _HAN_DIGITS[sign]
        elif sign in "十百":
            total += (digit or 1) * (10 if sign == "十" else 100)
            digit = 0
        else:
            return None
    return total + digit or None
