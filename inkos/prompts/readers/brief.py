"""A founding against the author's brief: names, figures, windows, wishes; does not know how the founding was read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from inkos.messages import Language
from inkos.prompts.readers.figures import figures
from inkos.prompts.readers.words import HAN_RUN, number_of

_TITLE = re.compile(r"《([^》]{2,12})》")
_CAPITALS = re.compile(r"\b[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
_SENTENCE_END = re.compile(r"(?:^|[.!?…:\n“\"])\s*$")
_LABELLED = re.compile(
    r"(?:名叫|叫作|叫做|名为|(?:主角|女主|男主|主人公)(?!名|叫)[是：:，,\s]*)([\u4e00-\u9fff]{2,3}?)(?=[，。、；：！？的在是和与要（(\s]|$)"
)
_FIGURE = re.compile(rf"\d[\d,]*(?:\.\d+)?|{HAN_RUN}|\b[a-z]+(?:-[a-z]+)?\b", re.IGNORECASE)
# How long the book is to be, and where in it something happens, is no figure of the story.
_OF_THE_BOOK = re.compile(
    rf"(?:\d[\d,]*|{HAN_RUN})\s*[多余来]?\s*(?:字|章|词|[wW]ords?|[cC]hapters?)|[cC]hapters?\s+\d+"
)
_NUMERAL = r"第?\s*([0-9零一二三四五六七八九十百]+)\s*章"
_BEFORE_ZH = re.compile(rf"{_NUMERAL}(?:之)?前[^。；]{{0,12}}(?:不|别|莫|瞒|藏)|(?:不|别)[^。；]{{0,8}}早于{_NUMERAL}")
_BEFORE_EN = re.compile(
    r"\b(?:not?|never|nobody|hidden|kept|secret)\b[^.;]{0,60}\b(?:before|until|till)\s+chapter\s+(\d+|[a-z-]+)",
    re.IGNORECASE,
)
# Capitalised words that name nobody.
_NOBODY = frozenset(
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "chapter", "chapters",
     "english", "chinese", "i", "the", "a", "an", "in", "on", "at", "he", "she", "they", "it", "his", "her", "their",
     "no", "and", "but", "when", "if", "as", "for", "to", "nobody", "somebody", "style", "title")
)  # fmt: skip


class Altered(NamedTuple):
    """A figure of the brief that a reply has under the same words with another value."""

    stated: str
    found: str


def absent_names(brief: str, text: str, language: Language) -> list[str]:
    """Names of the brief that do not stand in `text`: capitalised words, quoted titles, names that it introduces."""
    brief = re.sub(r"^#.*$", "", brief, flags=re.MULTILINE)  # the heading is the title
    if language == "zh":
        names = [*_TITLE.findall(brief), *_LABELLED.findall(brief)]
        return [name for name in dict.fromkeys(names) if name not in text]
    flat = text.casefold()
    return [name for name in dict.fromkeys(_english_names(brief)) if name.split()[-1].casefold() not in flat]


def _english_names(brief: str) -> list[str]:
    """Capitalised words; a single one at the beginning of a sentence may be any word and is left out."""
    names = []
    for match in _CAPITALS.finditer(brief):
        words = match.group().split()
        first = _SENTENCE_END.search(brief[: match.start()]) is not None
        while words and words[0].casefold() in _NOBODY:
            words, first = words[1:], False
        if words and not (first and len(words) == 1) and words[-1].casefold() not in _NOBODY:
            names.append(" ".join(words))
    return names


def absent_figures(brief: str, text: str, language: Language) -> list[str]:
    """Figures of the brief, small ones in words apart, whose value stands nowhere in `text`."""
    known = figures(text, language)
    stated = figures(_OF_THE_BOOK.sub(" ", brief), language, least=3)
    return [words for value, words in stated.items() if value not in known]


def altered_figures(brief: str, texts: Iterable[str], language: Language) -> list[Altered]:
    """Figures between the same words in brief and reply with another value, the brief's own being nowhere."""
    reply = list(texts)
    known = figures("\n".join(reply), language)
    held = [context for text in reply for context in _contexts(text, language)]
    found = []
    for before, value, words, after in _contexts(brief, language):
        if value in known or not before or not after:
            continue
        for other_before, other_value, other_words, other_after in held:
            if other_before == before and other_after == after and other_value != value:
                found.append(Altered(words, other_words))
                break
    return list(dict.fromkeys(found))


def _contexts(text: str, language: Language) -> list[tuple[str, float, str, str]]:
    """Each figure with the words before and after it: in Chinese two characters, in English one word."""
    flat = unicodedata.normalize("NFKC", text)
    found = []
    for match in _FIGURE.finditer(flat):
        value = number_of(match.group())
        if value is None:
            continue
        if language == "zh":
            before, after = flat[max(0, match.start() - 2) : match.start()], flat[match.end() : match.end() + 1]
        else:
            words_before = re.findall(r"[A-Za-z']+", flat[: match.start()][-40:])
            words_after = re.findall(r"[A-Za-z']+", flat[match.end() :][:40])
            before, after = (words_before or [""])[-1].lower(), (words_after or [""])[0].lower()
        found.append((before.strip(), float(value), match.group(), after.strip()))
    return found


def windows(brief: str, language: Language) -> list[tuple[str, int]]:
    """What the brief keeps back until a chapter: (the sentence that says so, the chapter)."""
    found = []
    for sentence in re.split(r"(?<=[。！？!?\n])|(?<=\.)\s", brief):
        match = (_BEFORE_ZH if language == "zh" else _BEFORE_EN).search(sentence)
        if match is not None:
            figure = number_of(next(group for group in match.groups() if group))
            if isinstance(figure, int):
                found.append((sentence.strip(), figure))
    return found


def pairs(text: str) -> set[str]:
    """Letter pairs of a text, to tell whether two sentences speak of the same."""
    flat = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text).casefold())
    return {flat[n : n + 2] for n in range(len(flat) - 1)}


def wished(wish: str, brief: str) -> bool:
    """Whether a rule of style stands in the brief, in these or nearly these words."""
    wanted = pairs(wish)
    return bool(wanted) and len(wanted & pairs(brief)) >= 0.6 * len(wanted)
