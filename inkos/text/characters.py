"""Classes of characters that the other modules of this room share; knows no words and no language's rules."""

from __future__ import annotations

import re
from typing import Any, TypeVar, cast

# Bodies of regular-expression classes, without brackets.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
# A letter or digit of a script that sets blanks between words.
LETTER = rf"[^\W_{HAN}{KANA}]"
# Marks that are set full width in Chinese print.
CJK_MARKS = "\u3001-\u3004\u3006\u3008-\u3020\u3030\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"

OPENING = "“‘「『«‹（(【[《〈〔｛{"
CLOSING = "”’」』»›）)】]》〉〕｝}"
STOPS = "。！？!?….｡．‥⋯"

IS_HAN = re.compile(f"[{HAN}]")
IS_CJK = re.compile(f"[{HAN}{KANA}{CJK_MARKS}]")
IS_LETTER = re.compile(LETTER)

# What never shows: byte-order mark, zero-width characters, soft hyphen, variation selectors.
UNSEEN = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"

# One of the first kind alone on a line is a scene break; of the second kind it takes three.
_ORNAMENT = "*＊※⁂✱∗◇◆☆★○●◎□■△▲▽▼❖✦❦❧§#＃"
_RULE = "-－–—―─━=＝_~～〜·•・"
_BLANK = "[ \u3000]*"
_SCENE_BREAK = re.compile(
    rf"[{re.escape(_ORNAMENT)}](?:{_BLANK}[{re.escape(_ORNAMENT)}])*"
    rf"|[{re.escape(_RULE)}](?:{_BLANK}[{re.escape(_RULE)}]){{2,}}"
)


def is_scene_break(line: str) -> bool:
    """Whether a line holds nothing but an ornament or a rule (`***`, `* * *`, `※`, `---`)."""
    return _SCENE_BREAK.fullmatch(line.strip()) is not None


def whole(text: str) -> str:
    """The text with halves of a surrogate pair joined where both stand together, else replaced by U+FFFD: a lone half
    is no character and cannot be written down."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


V = TypeVar("V")


def written(value: V) -> V:
    """A value as JSON gives it, every text in it made of whole characters: JSON can name half of one."""
    made: Any = value
    if isinstance(value, str):
        made = whole(value)
    elif isinstance(value, dict):
        made = {whole(key): written(item) for key, item in value.items()}
    elif isinstance(value, list):
        made = [written(item) for item in value]
    return cast(V, made)
