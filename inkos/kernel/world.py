"""Finds acts against a world rule written as a sentence; knows only the words that the rules hand in.

"No magic after sunset" is taken apart into a kind of act and a kind of time; what cannot be taken apart is left to the
audit."""

from __future__ import annotations

import re
from typing import NamedTuple

from inkos.kernel.delta import Observation
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import plain

_NOT_EN = re.compile(
    r"\b(no one|no|nobody|never|none|cannot|can not|can't|must not|may not|forbidden|banned|not allowed|illegal)\b"
)
_NOT_ZH = re.compile(r"(不得|不能|不可|不准|不许|禁止|严禁|无人能|无人可|没有人能|无法|勿|莫|禁)")
_WHEN_EN = re.compile(r"\b(after|before|during|in|inside|within|under|at|on|while|by|until|near|without)\b")
_WHEN_ZH = re.compile(r"(之后|以后|后|之前|以前|前|时|之内|内|中|里|期间)")
_ONLY_EN = re.compile(
    r"\b(?:only|none but|nobody but|no one but)\s+(?P<who>.+?)\s+(?:may|can|is allowed to|are allowed to)\s+(?P<act>.+)"
)
_ONLY_ZH = re.compile(r"(?:只有|唯有|唯|仅|只准|只许)(?P<who>.+?)(?:才能|才可以|才可|可以|能|可|才准|才许)(?P<act>.+)")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "the of are can may must not one nobody never who any anyone all its his her their there has have cannot used "
        "use work works allowed forbidden banned",
    )
)


class Ban(NamedTuple):
    """What a sentence forbids and when or where (empty: always, everywhere), as kinds and as bare words. `only`: the
    words for those who may do it all the same ("": nobody)."""

    acts: frozenset[str]
    conditions: frozenset[str]
    only: str = ""


def _hits(rules: Rules, text: str) -> set[str]:
    """The kinds of act and time that a text speaks of."""
    folded = " " + re.sub(r"[^\w]+", " ", text.casefold()) + " "
    found = set()
    for kind, words in rules.concepts.items():
        for word in words:
            if (word in folded) if not word.isascii() else (f" {word} " in folded):
                found.add(kind)
    return found


def _words(text: str) -> set[str]:
    """Content words, cut to a stem that plural and tense do not change; in Chinese, pairs of neighbours."""
    words = {word[:5] for word in re.findall(r"[a-z]{3,}", text.casefold()) if word not in _STOP}
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        words |= {run[n : n + 2] for n in range(len(run) - 1)}
    return words


def _about(rules: Rules, text: str) -> frozenset[str]:
    """Kinds where the text has any, else its bare words."""
    return frozenset(_hits(rules, text)) or frozenset(_words(text))


def ban(rules: Rules, sentence: str) -> Ban | None:
    """The sentence taken apart; null when it is no plain ban."""
    folded = sentence.casefold()
    zh = not folded.isascii()
    alone = (_ONLY_ZH if zh else _ONLY_EN).search(folded)
    if alone:
        allowed = _about(rules, alone["act"])
        return Ban(allowed, frozenset(), alone["who"].strip()) if allowed else None
    mark = (_NOT_ZH if zh else _NOT_EN).search(folded)
    if not mark:
        return None
    rest = folded[mark.end() :]
    when = (_WHEN_ZH if zh else _WHEN_EN).search(folded if zh else rest)
    if zh:
        condition = folded[: when.end()] if when and when.end() <= mark.start() else ""
        acts = rest
    else:
        # "After sunset no one can cast" or "no magic after sunset": the condition stands on either side.
        condition = folded[: mark.start()] if _WHEN_EN.match(folded) else (rest[when.start() :] if when else "")
        acts = rest[: when.start()] if when and not _WHEN_EN.match(folded) else rest
    found = Ban(_about(rules, acts), _about(rules, condition) if condition.strip() else frozenset())
    return found if found.acts and (found.conditions or not condition.strip()) else None


def _breaks(rules: Rules, rule: Ban, act: str, when: str) -> bool:
    acts = _hits(rules, act) | _words(act)
    met = rule.acts & acts
    # A kind of act is enough; of bare words half must be met, for one of them may be any word.
    if not met or (not met & rules.concepts.keys() and 2 * len(met) < len(rule.acts)):
        return False
    return not rule.conditions or bool(rule.conditions & (_hits(rules, when) | _words(when)))


def broken(tx: Transaction, shown: Observation, word: str, place: str = "") -> Fact | None:
    """The rule that a narrated act breaks, unless an `exception` is recorded in this chapter; `word` is the act in the
    settler's own word, `place` where it happens."""
    for fact_id in tx.index.rules:
        fact = tx.facts[fact_id]
        rule = ban(tx.rules, str(fact.object))
        if rule is None:
            continue
        act = f"{word} {shown.predicate} {tx.name(shown.object)}"
        if not _breaks(tx.rules, rule, act, f"{shown.when or ''} {place} {tx.name(shown.object)}"):
            continue
        if rule.only and _is_one_of(tx, str(shown.subject), rule.only):
            continue
        if any(e.type == "exception" and e.subject in (fact.subject, shown.subject) for e in tx.happened):
            continue
        return fact
    return None


def _is_one_of(tx: Transaction, who: str, words: str) -> bool:
    """Whether somebody is whom these words name: by name, or by what is recorded of them (office, group, rank …)."""
    said = [tx.name(who), *(tx.entities[who].aliases if who in tx.entities else ())]
    said += [tx.name(tx.facts[fact_id].object) for fact_id in tx.index.about(who)]
    flat = plain(words)
    stems = _words(words)
    return any(plain(each) and (plain(each) in flat or stems & _words(each)) for each in said)
