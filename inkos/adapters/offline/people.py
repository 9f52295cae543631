"""Who and what a chapter is about, as slots for sentence patterns; does not know what happens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from inkos.kernel.papers import Plan
from inkos.kernel.story import Entity, StoryState
from inkos.messages import Language

PRONOUNS = {"she": ("she", "her", "her", "herself"), "he": ("he", "him", "his", "himself")}
_FEMALE = re.compile(r"女|\b(?:woman|girl|female|she|her|widow|mother|daughter|sister|aunt|wife)\b", re.I)
_MALE = re.compile(r"男|\b(?:man|boy|male|he|his|widower|father|son|brother|uncle|husband)\b", re.I)
_FEMALE_NAME = re.compile(r"(?:a|ie|y|ine|elle|eth|een)$|[娘姑婶嫂婆妹姐妃嫣婉娟芳秀婷娜]")
_TITLES = frozenset(
    {"Old", "Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Lady", "Aunt", "Uncle", "Captain", "Master", "Father"}
)
_ARTICLE = re.compile(r"(?:the|a|an|his|her|their|its|my|our|one|some|two|three)\b|.*[’']s\b", re.I)
# Verbs of the plot that stand after a name and change when the person speaks of himself.
_IRREGULAR = {"has": "have", "is": "am", "was": "was", "does": "do", "goes": "go"}
# Words after which a name is the object also where another word follows it.
_GOVERNS = (
    "for|to|from|of|with|by|past|at|than|let|get|have|bring|keep|warn|persuade|leave|give|see|ask|show|send|beat|make|"
    "help|hear|watch|pay|follow|send|turn"
)
_FIXED = frozenset({"may", "must", "can", "cannot", "will", "would", "could", "should", "swore", "gave"})


class Person(NamedTuple):
    """`name` as in the papers, `short` as in prose, `she` or `he`."""

    id: str
    name: str
    short: str
    pronoun: str


class Cast:
    """Names and pronouns of a chapter's people, in one language."""

    def __init__(self, language: Language, plan: Plan, state: StoryState | None, partner: tuple[str, str]) -> None:
        self.language, self._state = language, state
        ids = list(dict.fromkeys([plan.pov, *(member.who for member in plan.cast)]))
        self.all = [self._person(who) for who in ids if who]
        self.pov = self.all[0]
        stranger = Person("", partner[0], partner[0], _pronoun_of(partner[1]))
        self.others = self.all[1:] or [stranger]

    def _person(self, who: str) -> Person:
        entity = self._state.entities.get(who) if self._state else None
        name = entity.name if entity else who
        return Person(who, name, short_name(name, self.language), self._pronoun(who, entity, name))

    def _pronoun(self, who: str, entity: Entity | None, name: str) -> str:
        told = [entity.note] if entity else []
        if self._state:
            told += [
                f"{fact.object} {fact.evidence.quote}"
                for fact in self._state.facts.values()
                if fact.subject == who and fact.predicate in ("trait", "note")
            ]
        for text in told:
            if found := next((p for p, sign in (("she", _FEMALE), ("he", _MALE)) if sign.search(text)), None):
                return found
        return "she" if _FEMALE_NAME.search(name.split()[0]) else "he"

    def short(self, text: str) -> str:
        """`text` with the names as prose has them."""
        for person in sorted(self.all, key=lambda p: -len(p.name)):
            text = text.replace(person.name, person.short)
        return text

    def in_text(self, text: str) -> Person | None:
        """The first of the others whom `text` names."""
        found = [(text.find(p.name), p) for p in self.others if p.name and p.name in text]
        return min(found, key=lambda pair: pair[0])[1] if found else None


def _pronoun_of(word: str) -> str:
    return {"她": "she", "他": "he"}.get(word, word)


def short_name(name: str, language: Language) -> str:
    """The name that narration uses: the given name, unless a title stands before it."""
    words = name.split()
    if language == "zh" or len(words) < 2 or words[0].rstrip(".") in _TITLES or not words[0][:1].isupper():
        return name
    return words[0]


def with_article(name: str, language: Language) -> str:
    """An English thing or place as it stands in a sentence; proper names and what has an article stay."""
    if language == "zh" or not name or _ARTICLE.match(name) or name[:1].isupper():
        return name
    return f"the {name}"


def person_slots(who: Person, prefix: str, language: Language) -> dict[str, str]:
    """Slots of one person: P and p, o, s, r for the viewpoint, O and q, qo, qs, qr for the other."""
    if language == "zh":
        word = "她" if who.pronoun == "she" else "他"
        return {prefix: who.short, {"P": "p", "O": "q"}[prefix]: word}
    own = PRONOUNS[who.pronoun]
    names = {"P": ("p", "o", "s", "r"), "O": ("q", "qo", "qs", "qr")}[prefix]
    possessive = f"{who.short}’s"
    return {prefix: who.short, f"{prefix}s": possessive, **dict(zip(names, own, strict=True))}


def spoken(text: str, speaker: Person, hearer: Person, language: Language) -> str:
    """`text` about two people as one of them says it to the other: names become I and you."""
    if language == "zh":
        return text.replace(speaker.short, "我").replace(hearer.short, "你")
    text = _as_pronoun(text, speaker.short, "I", "me", "my")
    return _as_pronoun(text, hearer.short, "you", "you", "your")


def _as_pronoun(text: str, name: str, subject: str, object_: str, possessive: str) -> str:
    """English: a name before a verb becomes the subject form, with the verb to match; elsewhere the object form."""
    word = re.escape(name)
    text = re.sub(rf"\b{word}[’']s\b", possessive, text)
    text = re.sub(rf"\b({_GOVERNS}) {word}\b", lambda found: f"{found.group(1)} {object_}", text)
    text = re.sub(rf"\b{word} ([a-z]+)\b", lambda found: f"{subject} {_base(found.group(1), subject)}", text)
    return re.sub(rf"\b{word}\b", object_, text)


def _base(verb: str, subject: str) -> str:
    if verb in _FIXED or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb == "is" and subject == "you":
        return "are"
    if verb == "was" and subject == "you":
        return "were"
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("shes", "ches", "sses", "xes")) else verb[:-1]


def place_of(state: StoryState | None, who: str) -> str:
    """The id of the place where a person is, or nothing."""
    if state is None:
        return ""
    return next((str(f.object) for f in state.facts.values() if f.subject == who and f.predicate == "location"), "")


def holders(state: StoryState | None) -> Mapping[str, str]:
    """Item id → id of whoever holds it."""
    if state is None:
        return {}
    return {f.subject: str(f.object) for f in state.facts.values() if f.predicate == "holder"}
