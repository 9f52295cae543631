"""Whether a truth shows outside the secrets: its names with what it says; does not know what readers may know.

A false fault costs a call and makes the founder write fog, so a field is named only when one sentence of a truth
stands in it nearly whole: a name of the truth, and most of its other words."""

from __future__ import annotations

import re

from inkos.messages import Language
from inkos.prompts.contracts import FoundReply, OutlineReply, PersonReply
from inkos.prompts.readers.found import placed_strings

SHARE = {"zh": 0.6, "en": 0.7}  # of the words of a truth's sentence
LEAST = {"zh": 6, "en": 4}  # words or letter pairs that a sentence needs to be told apart
_SENTENCES = re.compile(r"[。！？!?;；\n]|\.(?=\s|$)")
_FILLERS_ZH = "的了着过是在有和与也就都把被给让向从到于之其他她它这那个只不"
_FILLERS_EN = frozenset(
    ("a", "an", "the", "and", "or", "but", "of", "to", "in", "on", "at", "by", "for", "with", "from", "as", "is", "are",
     "was", "were", "be", "been", "has", "have", "had", "did", "do", "does", "his", "her", "their", "its", "he", "she",
     "they", "it", "him", "them", "who", "whom", "that", "which", "this", "not", "no", "never", "into", "out", "up",
     "down", "all")
)  # fmt: skip


def leaks(found: FoundReply, language: Language, outline: OutlineReply | None = None) -> list[str]:
    """Places of the reply under judgement (the outline's where there is one) that tell a truth."""
    told = [sentence for secret in found.secrets for sentence in _SENTENCES.split(secret.truth) if sentence.strip()]
    open_words = [w for s in found.secrets for w in (s.question, s.surface, *s.clues)]
    names = [name for person in found.cast for name in (person.name, *person.aliases) if name]
    names += [person.h for person in found.cast] + [
        thing.name for thing in (*found.places, *found.items, *found.groups)
    ]
    fields = placed_strings(found if outline is None else outline)
    return [
        where
        for where, text in fields
        if not _is_the_authors(where) and any(_tells(text, sentence, names, open_words, language) for sentence in told)
    ]


def _is_the_authors(where: str) -> bool:
    return where.startswith("secrets") or where.endswith(".believes")


def _tells(text: str, sentence: str, names: list[str], open_words: list[str], language: Language) -> bool:
    words = _words(sentence, names, language)
    if len(words) < LEAST[language] or any(words <= _words(said, names, language) for said in open_words):
        return False
    named = [name for name in names if name in sentence]
    if named and not any(name in text for name in named):
        return False
    return len(words & _words(text, names, language)) >= SHARE[language] * len(words)


def _words(text: str, names: list[str], language: Language) -> set[str]:
    """What a text says, without names and fillers: letter pairs in Chinese, word stems in English."""
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    if language == "en":
        return {word[:6] for word in re.findall(r"[a-z']+", text.casefold()) if word not in _FILLERS_EN}
    runs = re.findall(r"[\u4e00-\u9fff]+", re.sub(f"[{_FILLERS_ZH}]", " ", text))
    return {run[n : n + 2] for run in runs for n in range(len(run) - 1)}


def only_in_truths(found: FoundReply, brief: str) -> list[PersonReply]:
    """People of the cast whom nothing but a truth names, and who know no secret: they were to stay out of it."""
    truths = "\n".join(secret.truth for secret in found.secrets)
    alone = []
    for n, person in enumerate(found.cast):
        marks = [person.name, *person.aliases]
        elsewhere = [
            text for where, text in placed_strings(found)
            if not where.startswith("secrets") and not where.startswith(f"cast[{n}]")
        ]  # fmt: skip
        rest = "\n".join([brief, *elsewhere])
        named = any(mark and mark in truths for mark in marks) or re.search(rf"\b{re.escape(person.h)}\b", truths)
        held = any(mark and mark in rest for mark in marks) or re.search(rf"\b{re.escape(person.h)}\b", rest)
        if named and not held and all(person.h not in secret.known_by for secret in found.secrets):
            alone.append(person)
    return alone
