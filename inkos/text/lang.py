"""Which of the two languages a text is in, judged by its script alone; tells no other languages apart."""

from __future__ import annotations

import re
from typing import Literal

from inkos.text.characters import HAN, KANA

_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile(f"[{KANA}]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f]+)*")
_LETTER = re.compile(r"[^\W\d_]")

# Japanese prose is about half kana; a Chinese text that quotes a Japanese line stays far below this share.
_KANA_SHARE = 0.2


def language_of(text: str) -> Literal["en", "zh", "other"]:
    """`zh` where Han characters outnumber Latin words, `en` where Latin words do, else `other`.

    A text without letters, in Japanese (by its kana), or mostly in a third script is `other`.
    """
    han = len(_HAN.findall(text))
    kana = len(_KANA.findall(text))
    words = _LATIN_WORD.findall(text)
    third = len(_LETTER.findall(text)) - han - kana - sum(len(_LETTER.findall(word)) for word in words)
    if kana > _KANA_SHARE * (han + kana) or third > max(han, sum(map(len, words))):
        return "other"
    if han == 0 and not words:
        return "other"
    return "zh" if han >= len(words) else "en"
