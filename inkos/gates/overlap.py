"""How much of one sentence another text gives away, by shared names and rare words; understands neither of them.

Used to see whether a plan uses what it must not. Paraphrase escapes it and that is meant: a false alarm costs a call
and confuses the planner, while draft, settlement and audit look again.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from inkos.messages import Language
from inkos.text.names import names_of
from inkos.text.segment import sentences

# A sentence is given away when this share of its rare words stands in the other text, and at least so many of them.
# With a name in common less is enough than without one.
SHARE_WITH_NAME, SHARE_WITHOUT = 0.6, 0.8
FEWEST: dict[Language, tuple[int, int]] = {"en": (3, 5), "zh": (4, 7)}  # words, or pairs of characters: with, without

_WORD = re.compile(r"[A-Za-z]{4,}")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_STEM = 5  # letters that inflected forms of an English word share
_COMMON_WORDS = """
    about after again against also another because before behind being between beyond both could does doing down
    each else even ever every find finds first from gets gives goes gone have having here into itself just keep
    keeps knows last leave leaves made make makes more most much must near never next only onto other over says
    seen sees shall should some someone something still such take takes tell tells than that their them then
    there these they thing things this those through time told under until upon very want wants went were what
    when where which while whom whose will with without would your
"""
_COMMON_EN = frozenset(_COMMON_WORDS.split())
_COMMON_ZH = frozenset(
    "的了着过在是有和与及把被从到去来又也都还就才不没要会能可这那他她它们个一上下里中外前后对向给让使为而但却所以因且其之于"
)


class Speaker(NamedTuple):
    """A language with the names known in a book: how its sentences are taken apart."""

    language: Language
    names: tuple[str, ...]

    def named(self, text: str) -> set[str]:
        """The names that stand in the text."""
        return names_of(self.names).inside(text)

    def rare(self, text: str) -> set[str]:
        """The rare words of a text without its names: stems (en), pairs of characters (zh)."""
        for name in sorted(self.named(text), key=len, reverse=True):
            text = text.replace(name, " ")
        if self.language == "en":
            words = (word.lower() for word in _WORD.findall(text))
            return {word[:_STEM] for word in words if word not in _COMMON_EN}
        runs = "".join(c if c not in _COMMON_ZH else " " for c in text)
        return {run[i : i + 2] for run in _HAN.findall(runs) for i in range(len(run) - 1)}

    def gives_away(self, text: str, secret: str, known: Collection[str] = ()) -> bool:
        """Does `text` say a sentence of `secret`? Words in `known` are open to all and prove nothing."""
        words, names = self.rare(text), self.named(text)
        return any(self._says(words, names, span.text, known) for span in sentences(secret, self.language))

    def _says(self, words: set[str], names: set[str], sentence: str, known: Collection[str]) -> bool:
        telling = self.rare(sentence) - set(known)
        shared = len(telling & words)
        with_name = bool(names & self.named(sentence))
        share, fewest = (SHARE_WITH_NAME, 0) if with_name else (SHARE_WITHOUT, 1)
        return shared >= FEWEST[self.language][fewest] and shared >= share * len(telling)

    def rare_of(self, texts: Iterable[str]) -> set[str]:
        return {word for text in texts for word in self.rare(text)}
