"""Different forms of one word, in English and Chinese, brought to one form; knows no predicate and no rule."""

from __future__ import annotations

import re
from functools import lru_cache

_IRREGULAR = {
    form: verb
    for verb, forms in {
        "be": "am is are was were been being", "have": "has had having", "do": "does did done doing",
        "bear": "bore borne born", "begin": "began begun", "break": "broke broken", "bring": "brought",
        "build": "built", "buy": "bought", "catch": "caught", "choose": "chose chosen", "come": "came",
        "die": "died dying dead death", "draw": "drew drawn", "drink": "drank drunk", "drive": "drove driven",
        "eat": "ate eaten", "fall": "fell fallen", "feed": "fed", "fight": "fought", "find": "found",
        "flee": "fled", "fly": "flew flown flies", "forget": "forgot forgotten", "forgive": "forgave forgiven",
        "freeze": "froze frozen", "get": "got gotten", "give": "gave given", "go": "went gone goes",
        "grow": "grew grown", "hear": "heard", "hide": "hid hidden", "hold": "held", "keep": "kept",
        "kneel": "knelt", "know": "knew known", "lead": "led", "leave": "left", "lend": "lent", "lie": "lying lain",
        "light": "lit", "lose": "lost", "make": "made", "meet": "met", "pay": "paid", "read": "read",
        "ride": "rode ridden", "rise": "rose risen", "run": "ran", "say": "said", "see": "saw seen",
        "sell": "sold", "send": "sent", "shake": "shook shaken", "shoot": "shot", "sing": "sang sung",
        "sink": "sank sunk", "sit": "sat", "slay": "slew slain", "sleep": "slept asleep", "speak": "spoke spoken",
        "spend": "spent", "stand": "stood", "steal": "stole stolen", "swear": "swore sworn", "swim": "swam swum",
        "take": "took taken", "teach": "taught", "tear": "tore torn", "tell": "told", "think": "thought",
        "throw": "threw thrown", "wake": "woke woken awaken awakened awakens", "wear": "wore worn",
        "win": "won", "write": "wrote written",
    }.items()
    for form in forms.split()
}  # fmt: skip
# Words that say when, how much or in which voice, and not what: they may stand at either end of a phrase.
_LIGHT_WORDS = (
    "the a an be have do get current currently present now latest actual own his her their its still already in at to "
    "on with from for into onto out up off down back upon number total remaining today"
)
_TURNING = frozenset({"of", "by"})  # what stands before these changes sides with what follows
_ZH_BEFORE = ("当前", "目前", "现在", "如今", "此时", "已经", "终于", "再次", "已", "正", "所")
_ZH_AFTER = ("了", "着", "过", "的", "地", "为", "到", "得", "起", "上", "下", "出", "入", "回", "给", "走", "掉", "完")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """An English word without the endings of number, person and tense; British and American spellings meet."""
    word = _IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zes")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    elif len(word) > 4 and word.endswith("ied"):
        word = word[:-3] + "y"
    elif len(word) > 4 and word.endswith("ed"):
        word = _single(word[:-2])
    elif len(word) > 5 and word.endswith("ing"):
        word = _single(word[:-3])
    word = _IRREGULAR.get(word, word)
    if len(word) > 4 and word.endswith(("ise", "ize")):
        word = word[:-3] + "iz"
    return (word[:-1] if len(word) > 3 and word.endswith("e") else word).replace("our", "or")


def _single(word: str) -> str:
    """`stopp` → `stop`."""
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word


_LIGHT = frozenset(stem(word) for word in _LIGHT_WORDS.split())
_LIGHT_LAST = _LIGHT | {stem("left")}  # "wishes left", but not "left hand"


@lru_cache(maxsize=16384)
def stems(text: str) -> tuple[str, ...]:
    """The stems of the English words of a text, in their order."""
    return tuple(stem(word) for word in re.findall(r"[a-z]+", text.casefold().replace("'s ", " ")))


@lru_cache(maxsize=16384)
def core(text: str) -> tuple[str, ...]:
    """The stems of a phrase without the light words before it."""
    words = list(stems(text))
    while len(words) > 1 and words[0] in _LIGHT:
        del words[0]
        if words[0] == "of":  # "number of ships"
            del words[0]
    return tuple(words)


def shorter(words: tuple[str, ...]) -> tuple[str, ...]:
    """A phrase without the light words after it ("wishes left"), as another might put it."""
    end = len(words)
    while end > 1 and words[end - 1] in _LIGHT_LAST:
        end -= 1
    return words[:end]


def stands(phrase: tuple[str, ...], row: tuple[str, ...]) -> bool:
    """Whether the stems of a phrase stand side by side in a row of stems."""
    size = len(phrase)
    return size > 0 and any(row[n : n + size] == phrase for n in range(len(row) - size + 1))


def turned(words: tuple[str, ...]) -> tuple[str, ...]:
    """A phrase without the last `of` or `by`; empty where it ends otherwise."""
    return words[:-1] if len(words) > 1 and words[-1] in _TURNING else ()


@lru_cache(maxsize=16384)
def bare(text: str) -> tuple[str, ...]:
    """A Chinese word with fewer and fewer of the particles and complements around it (`取出了`: `取出`, `取`)."""
    forms = []
    for before in _ZH_BEFORE:
        if len(text) > len(before) + 1 and text.startswith(before):
            text = text[len(before) :]
            forms.append(text)
    for after in (*_ZH_AFTER, *_ZH_AFTER):
        if len(text) > len(after) and text.endswith(after):
            text = text[: -len(after)]
            forms.append(text)
    return tuple(forms)


def denied(text: str) -> bool:
    """Whether a Chinese word says no."""
    return text[:1] in ("不", "没", "未", "无", "非", "莫", "勿", "假", "诈", "装", "濒", "垂", "险", "将")
