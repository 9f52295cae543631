"""Takes apart sentences that forbid (rules of the world, vows), finds acts against them; knows only the rules' words.

"No magic after sunset" is a kind of act and a kind of time; what cannot be taken apart is left to the audit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from inkos.kernel.delta import Observation
from inkos.kernel.rules import Rules
from inkos.kernel.story import Fact
from inkos.kernel.transaction import Transaction
from inkos.kernel.values import plain
from inkos.kernel.wording import stands, stem, stems

_NOT_EN = re.compile(
    r"\b(no one|no|nobody|never|none|not|cannot|can't|forbidden|banned|illegal|abstain from|refrain from|renounces?|"
    r"forswears?|refuses? to|gives? up)\b"
)
_NOT_ZH = re.compile(
    r"(不得|不能|不可|不准|不许|禁止|严禁|无人能|无人可|没有人能|无法|再也不|不再|绝不|永不|决不|不会|戒|勿|莫|禁|没有|不|无)"
)
_WHEN_EN = re.compile(r"\b(after|before|during|in|inside|within|under|at|on|while|by|near|without)\b")
_WHEN_ZH = re.compile(r"(之后|以后|后|之前|以前|前|时|之内|内|中|里|期间)")
_UNTIL_EN = re.compile(r"[,;]?\s*\b(until|till|unless|as long as|for as long as)\b.*")
_UNTIL_ZH = re.compile(r"[，；]?(直到|直至|除非).*?(，|$)")
_ONLY_EN = re.compile(
    r"\b(?:only|none but|nobody but|no one but)\s+(?P<who>.+?)\s+(?:may|can|is allowed to|are allowed to)\s+(?P<act>.+)"
)
_ONLY_ZH = re.compile(r"(?:只有|唯有|唯|仅|只准|只许)(?P<who>.+?)(?:才能|才可以|才可|可以|能|可|才准|才许)(?P<act>.+)")
_STOP = frozenset(
    stem(word)
    for word in re.findall(
        r"\w+",
        "the of are can may must not one nobody never who any anyone all its his her their there has have cannot used "
        "use work works allowed forbidden banned again ever will would shall swore vowed promised another until and "
        "for with from into upon herself himself themselves themself she him they them",
    )
)


# Verbs that say little of what is done: what a vow is about stands beside them.
_VERBS = frozenset(map(stem, re.findall(r"\w+", "drink touch take use set go come let make get lay raise put see")))


class Ban(NamedTuple):
    """What a sentence forbids and when or where (empty: always, everywhere), as kinds and as bare words. `rest`: the
    words about the act that are of no kind. `whole`: the act must be of all the kinds ("never to eat meat"). `only`:
    those who may do it all the same ("": nobody)."""

    acts: frozenset[str]
    conditions: frozenset[str]
    rest: frozenset[str] = frozenset()
    whole: bool = False
    only: str = ""


class _Concepts(NamedTuple):
    """The rules' kinds of act and time by the words for them: stems, rows of stems, Chinese words."""

    words: dict[str, set[str]]
    phrases: dict[str, list[tuple[tuple[str, ...], str]]]  # by their first stem
    chinese: list[tuple[str, str]]


def _concepts(rules: Rules) -> _Concepts:
    held = rules.bans.get("")
    if isinstance(held, _Concepts):
        return held
    table = _Concepts({}, {}, [])
    for kind, words in rules.concepts.items():
        for word in words:
            row = stems(word)
            if not word.isascii():
                table.chinese.append((word, kind))
            elif len(row) == 1:
                table.words.setdefault(row[0], set()).add(kind)
            else:
                table.phrases.setdefault(row[0], []).append((row, kind))
    rules.bans[""] = table
    return table


def kinds(rules: Rules, text: str) -> set[str]:
    """The kinds of act and time that a text speaks of."""
    table, row = _concepts(rules), stems(text)
    found = {kind for word in row for kind in table.words.get(word, ())}
    found |= {kind for phrase, kind in _phrases(table, row)}
    if not text.isascii():
        found |= {kind for word, kind in table.chinese if word in text}
    return found


def _phrases(table: _Concepts, row: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    """The phrases that stand in a row of stems, each with its kind."""
    return [each for word in row for each in table.phrases.get(word, ()) if stands(each[0], row)]


def speaks_of(text: str, words: Iterable[str]) -> bool:
    """Whether one of the words stands in the text, in whatever form."""
    row = stems(text)
    return any(stands(stems(word), row) if word.isascii() else word in text for word in words)


def _words(text: str) -> set[str]:
    """Stems of the content words; in Chinese, pairs of neighbours."""
    words = {stem(word) for word in re.findall(r"[a-z]{3,}", text.casefold())} - _STOP
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        words |= {run[n : n + 2] for n in range(len(run) - 1)}
    return words


def _rest(rules: Rules, text: str) -> frozenset[str]:
    """The words of a text that are of no kind."""
    table = _concepts(rules)
    for word, _ in table.chinese:
        text = text.replace(word, " ")
    row = stems(text)
    spent = table.words.keys() | {each for phrase, _ in _phrases(table, row) for each in phrase}
    return frozenset(_words(text) - spent - _VERBS)


def _about(rules: Rules, text: str) -> frozenset[str]:
    """Kinds where the text has any, else its bare words."""
    return frozenset(kinds(rules, text)) or frozenset(_words(text))


def ban(rules: Rules, sentence: str) -> Ban | None:
    """The sentence taken apart; null when it is no plain ban."""
    if sentence not in rules.bans:
        rules.bans[sentence] = _taken_apart(rules, sentence)
    held = rules.bans[sentence]
    return held if isinstance(held, Ban) else None


def _taken_apart(rules: Rules, sentence: str) -> Ban | None:
    folded = sentence.casefold()
    zh = not folded.isascii()
    alone = (_ONLY_ZH if zh else _ONLY_EN).search(folded)
    if alone:
        allowed = _about(rules, alone["act"])
        return Ban(allowed, frozenset(), only=alone["who"].strip()) if allowed else None
    folded = (_UNTIL_ZH if zh else _UNTIL_EN).sub("", folded)
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
    about = _about(rules, acts)
    if not zh and re.match(r"\s*be\b", rest):  # "the dead cannot be raised": what it is done to stands before
        about |= _rest(rules, folded[: mark.start()] + acts)
    whole = not zh or re.search("[或和与、]", acts) is None
    whole = whole and re.search(r"\b(or|nor|and)\b", acts) is None
    found = Ban(
        about, _about(rules, condition) if condition.strip() else frozenset(), _rest(rules, acts), whole
    )
    return found if found.acts and (found.conditions or not condition.strip()) else None


def own_ban(rules: Rules, sentence: str, *, plainly: bool) -> Ban | None:
    """What somebody's own vow or lack (`plainly`: the bare thing they cannot do) keeps them from. A vow to do something
    forbids its opposite."""
    key = f"{'-' if plainly else '+'}{sentence}"
    if key not in rules.bans:
        rules.bans[key] = _own_ban(rules, sentence, plainly)
    held = rules.bans[key]
    return held if isinstance(held, Ban) else None


def _own_ban(rules: Rules, sentence: str, plainly: bool) -> Ban | None:
    folded = _UNTIL_ZH.sub("", _UNTIL_EN.sub("", sentence.casefold()))
    mark = (_NOT_EN if folded.isascii() else _NOT_ZH).search(folded)
    if plainly or mark:
        rest = folded if plainly or mark is None else folded[mark.end() :]
        about = _about(rules, rest)
        whole = re.search(r"\b(or|nor|and)\b|[,、或和与]", rest) is None
        return Ban(about, frozenset(), _rest(rules, rest), whole) if about else None
    meant = kinds(rules, folded)
    against = {there for pair in rules.opposites for here, there in (pair, pair[::-1]) if here in meant}
    return Ban(frozenset(against), frozenset(), _rest(rules, folded)) if against else None


def breaks_own(rules: Rules, rule: Ban, act: str) -> bool:
    """Whether an act is what a vow or lack forbids: of that kind, and about what the sentence names, if it names
    anything."""
    words, meant = _words(act), kinds(rules, act)
    if rule.acts & rules.concepts.keys():
        # What is of no kind in the sentence names about whom or what it is, and an act may name nothing at all.
        strange = _rest(rules, act)
        about = bool(rule.rest & words) or not rule.rest or not strange
        if rule.whole and strange and not rule.acts & rules.concepts.keys() <= meant:
            return False
        return about and bool(rule.acts & meant)
    return 2 * len(rule.acts & words) >= len(rule.acts)


def _breaks(rules: Rules, rule: Ban, act: str, when: str) -> bool:
    acts = kinds(rules, act) | _words(act)
    met = rule.acts & acts
    # A kind of act is enough; of bare words half must be met, for one of them may be any word.
    if not met or (not met & rules.concepts.keys() and 2 * len(met) < len(rule.acts)):
        return False
    if rule.whole and _rest(rules, act) and not rule.acts & rules.concepts.keys() <= acts:
        return False
    return not rule.conditions or bool(rule.conditions & (kinds(rules, when) | _words(when)))


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
        lifting = tx.rules.predicates[fact.predicate].licensed_by
        if any(e.type in lifting and e.subject in (fact.subject, shown.subject) for e in tx.happened):
            continue
        return fact
    return None


def _is_one_of(tx: Transaction, who: str, words: str) -> bool:
    """Whether somebody is whom these words name: by name, or by what is recorded of them (office, group, rank …)."""
    said = [tx.name(who), *(tx.entities[who].aliases if who in tx.entities else ())]
    said += [tx.name(tx.facts[fact_id].object) for fact_id in tx.index.about(who)]
    flat = plain(words)
    named = _words(words)
    return any(plain(each) and (plain(each) in flat or named & _words(each)) for each in said)
