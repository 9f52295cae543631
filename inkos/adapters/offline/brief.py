"""What a stranger's brief names: people, places, things, figures, its own sentences; understands no story."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inkos.adapters.offline.material import strings
from inkos.messages import Language
from inkos.text.segment import sentences

MOST = 10  # people and places of a brief that are taken
_HEADING = re.compile(r"^#{1,3}\s+(.+?)\s*$", re.M)
_FIGURE = re.compile(
    r"[0-9０-９]|[一二三四五六七八九十百千两]+(?:里|天|日|年|个月|两|文|岁|人|丈|尺|斤|时辰|层|步|枚|次)"
)
_WISH = {
    "en": re.compile(r"\b(?:wants?|must|needs?|has to|hopes?|tries)\b", re.I),
    "zh": re.compile("想|要|必须|得在|为了"),
}
_BAR = {
    "en": re.compile(r"\b(?:but|against|refuses?|enemy|stops?|forbid)", re.I),
    "zh": re.compile("可是|但|却|不许|不肯|拦|对头"),
}
_EACH = {"en": re.compile(r"\b(?:each|every) chapter\b", re.I), "zh": re.compile("每一?章|章章")}
_ABOUT_THE_BOOK = re.compile(r"人称|连载|\d\s*[章字]|\b(?:chapters?|novel|tense|person)\b", re.I)
_BEFORE_PLACE = frozenset("到在去回来过从往的了是和与、，。进出城里有住名叫为个一座条家这那当于离经")
_AFTER_NAME = frozenset(
    "的是在和与说想要不一有被把对，。、：；！？”“（）\n 去来得到从也就都又却曾只带看找听会能用叫住将为才"
)


# What may follow a name behind an office: 师姐柳如烟待…, 掌柜钱四海拿…
_AFTER_OFFICE = "，。、；\\n不想要是在和与把说去来的手待却处一也都就被让给从对向劝带正为如今看知"


class Brief(NamedTuple):
    """`people` are (name, pronoun or ""); `figures` are the sentences that hold a figure."""

    title: str
    people: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    things: tuple[str, ...]
    figures: tuple[str, ...]
    want: str
    against: str
    each: str


def read_brief(text: str, language: Language, plot: Mapping[str, Any]) -> Brief:
    """The parts of a brief that founding and outline put to use; empty where it has none."""
    heading = _HEADING.search(text)
    body = _HEADING.sub("", text)
    told = [_plain(span.text) for span in sentences(body, language)]
    whole = told = [sentence for sentence in told if sentence]
    places = _places_zh(body, plot) if language == "zh" else _places_en(body, plot)
    people = _people_zh(body, plot, places) if language == "zh" else _people_en(body, plot, places)
    elsewhere = body
    for name in (*places, *(name for name, _ in people)):
        elsewhere = elsewhere.replace(name, " ")
    things = tuple(_things(elsewhere, language, plot))
    lead = people[0][0] if people else ""
    short = lead.split()[0] if lead else ""
    parts = [part for name, _ in people[1:] for part in (name.split() if language == "en" else (name,))]

    def of_another(sentence: str) -> bool:
        """Whether it tells of somebody who is not the lead."""
        return any(sentence.startswith(part) for part in parts)

    told = [sentence for sentence in told if not _ABOUT_THE_BOOK.search(sentence)]
    wants = [s for s in told if _WISH[language].search(s)]
    own = [s for s in wants if not of_another(s)]
    bars = [s for s in told if _BAR[language].search(s)]
    return Brief(
        title=re.sub(r"^《|》$", "", heading.group(1)).strip() if heading else "",
        people=people,
        places=places,
        things=things,
        figures=tuple(s for s in told if _FIGURE.search(s))[:12],
        want=next(iter([*(s for s in wants if short and s.startswith(short)), *own]), ""),
        against=bars[0] if bars else "",
        each=next((s for s in whole if _EACH[language].search(s)), ""),
    )


def _plain(sentence: str) -> str:
    """A sentence of the brief without list marks and labels of Markdown."""
    line = re.sub(r"\s+", " ", re.sub(r"[*_`>#]+", "", sentence)).strip()
    return re.sub(r"^(?:[-+•]|\d+[.、)])\s*", "", line).strip()


_KIN = r"(?:brother|sister|mother|father|wife|husband|son|daughter|uncle|aunt|cousin|friend|hand|voice|eyes)"
_ACTS = r"(?:wants|must|knows|has|had|owes|keeps|finds|hides|says|said|sees|saw|writes|drinks|lies|lied|asks|tells)"


# ── English ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _runs_en(text: str, plot: Mapping[str, Any]) -> Counter[str]:
    stop = set(strings(plot["stop_names"]))
    found: Counter[str] = Counter()
    for match in re.finditer(r"(?<![A-Za-z’'])(?:[A-Z][a-z’'-]+)(?:[ ](?:[A-Z][a-z’'-]+))*", text):
        words = match.group().split(" ")
        words[-1] = re.sub(r"[’']s$", "", words[-1])
        start = text[: match.start()].rstrip(" “\"'(")
        titled = start.endswith(".") and start.rstrip(".").split()[-1:] in [[title] for title in plot["titles"]]
        first = not titled and (not start or start[-1] in ".!?:\n*-#")
        while words and words[0] in stop:
            words.pop(0)
            first = False
        if not words or (first and len(words) == 1 and len(re.findall(rf"\b{re.escape(words[0])}\b", text)) < 2):
            continue
        found[" ".join(words)] += 1
    return found


def _places_en(text: str, plot: Mapping[str, Any]) -> tuple[str, ...]:
    ends = set(strings(plot["place_words"]))
    runs = [run for run in _runs_en(text, plot) if " " in run and run.split()[-1] in ends]
    runs += [run for run in _runs_en(text, plot) if run not in runs and _is_located(run, text)]
    return tuple(runs[:MOST])


def _is_located(run: str, text: str) -> bool:
    """Whether it stands mostly where places do, and never does what people do: has a brother, wants, says."""
    if re.search(rf"\b{re.escape(run)}(?:[’']s (?:[a-z]+ )?{_KIN}| {_ACTS})\b", text):
        return False
    near = len(re.findall(rf"\b(?:in|at|to|from|near|of|into|through)\s+{re.escape(run)}\b", text))
    return near > 0 and near * 2 > len(re.findall(rf"\b{re.escape(run)}\b", text))


def _people_en(text: str, plot: Mapping[str, Any], places: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    titles = set(strings(plot["titles"]))
    runs = [_untitled(run, titles) for run in _runs_en(text, plot) if run not in places]
    runs = [run for run in dict.fromkeys(runs) if len(run.split()) <= 3]
    whole = [run for run in runs if not any(run != other and set(run.split()) < set(other.split()) for other in runs)]
    whole = [run for run in whole if " " in run or len(re.findall(rf"\b{re.escape(run)}\b", text)) > 1]
    whole = [run for run in whole if run not in titles and not _dead_en(run, text)]
    female = set(strings(plot["feminine"]))
    return tuple((name, _pronoun_en(name, text, female)) for name in whole[:MOST])


def _untitled(run: str, titles: set[str]) -> str:
    """Superintendent Maud Brill → Maud Brill; Captain Reed stays."""
    words = run.split()
    while len(words) > 2 and words[0].rstrip(".") in titles:
        words = words[1:]
    return " ".join(words)


def _dead_en(name: str, text: str) -> bool:
    """Somebody of whom the brief says that they are dead has no part to play."""
    word, died = re.escape(name), "(?:drowned|died|is dead|was killed|was murdered|was found dead)"
    near = rf"(?:late|dead) {word}\b|\b{word}(?:, (?:who )?|\s(?:\w+ ){{0,2}}){died}"
    return re.search(near, text) is not None


def _pronoun_en(name: str, text: str, female: set[str]) -> str:
    """By a name that is a woman's; else the pronoun that follows the name most often in its sentence, or that the next
    one begins with."""
    if name.split()[0] in female or re.search(rf"\b(?:Lady|Mrs|Miss|Ms|Aunt|Queen|Madame)\.? {re.escape(name)}", text):
        return "she"
    counts = Counter[str]()
    for match in re.finditer(rf"\b{re.escape(name.split()[0])}\b", text):
        rest = text[match.end() : match.end() + 200]
        after = re.split(r"[.!?\n]|[A-Z][a-z]+ [A-Z]", rest[:120])[0]
        found = re.search(r"\b(she|her|he|his|him|woman|girl|man|boy)\b", after, re.I)
        if found := found or re.match(r"[^.!?\n]*[.!?]\s+(she|her|he|his)\b", rest, re.I):
            counts["she" if found.group(1).lower() in ("she", "her", "woman", "girl") else "he"] += 1
    return counts.most_common(1)[0][0] if counts else ""


# ── Chinese ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _places_zh(text: str, plot: Mapping[str, Any]) -> tuple[str, ...]:
    found: dict[str, int] = {}
    for end in strings(plot["place_words"]):
        for match in re.finditer(rf"[\u4e00-\u9fff]{{1,3}}{end}", text):
            name = match.group()
            cut = max((i for i, mark in enumerate(name[: -len(end)]) if mark in _BEFORE_PLACE), default=-1)
            name = name[cut + 1 :]
            before, follows = text[: match.start() + cut + 1][-1:], text[match.end() : match.end() + 1]
            whole = cut >= 0 or not re.match(r"[\u4e00-\u9fff]", before)
            if len(name) > len(end) and whole and follows not in ("子", "门") and not _speaks_of_more(name, plot):
                found[name] = text.count(name)
    kept = [
        name
        for name in found
        if not any(name != other and name in other and found[other] >= found[name] for other in found)
    ]
    kept = [name for name in kept if not any(name != other and other in name for other in kept)]
    return tuple(sorted(kept, key=lambda name: (-found[name], text.find(name)))[:MOST])


def _speaks_of_more(name: str, plot: Mapping[str, Any]) -> bool:
    """A person (温如山 is one where a surname begins three characters that stand before a comma or verb), or a verb."""
    if name[0] in "得认替帮走修看关一二三四五六七八九十两几":
        return True
    return len(name) == 3 and name[0] in str(plot["surnames"]) and name[-1] in "山河湖关楼"


def _people_zh(text: str, plot: Mapping[str, Any], places: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    for place in places:
        text = text.replace(place, "，" * len(place))
    surnames = set(str(plot["surnames"]))
    counts: dict[str, int] = {}
    for at, mark in enumerate(text):
        if mark not in surnames:
            continue
        for size in (3, 2):
            name = text[at : at + size]
            if len(name) == size and re.fullmatch(r"[\u4e00-\u9fff]+", name) and not set(name[1:]) & _AFTER_NAME:
                counts[name] = text.count(name)
    label = r"(?:叫|名叫|主角|女主|男主|对手)[：:“]?"
    named = set(re.findall(rf"{label}([\u4e00-\u9fff]{{2,3}})(?=[，。、；：”\n（(])", text))
    # “陆婆，卖灯油” after a stop or a heading: somebody who is introduced
    opening = re.findall(r"(?:^|[。：；\n])\s*([\u4e00-\u9fff]{2,3}?)(?=[，是])", text)
    office = "|".join(strings(plot["offices"]))
    opening += re.findall(
        rf"(?:{office})([\u4e00-\u9fff]{{3}}|[\u4e00-\u9fff]{{2}})(?=[{_AFTER_OFFICE}])", text
    )
    opening += re.findall(r"[和与]([\u4e00-\u9fff]{2,3}?)(?=[，。、去来在到是都一])", text)
    named |= {name for name in opening if name[0] in surnames and text.count(name) >= 1}
    kept: list[str] = []
    for name in sorted(counts, key=lambda n: (-counts[n], -len(n), text.find(n))):
        often = counts[name] > 1 or name in named
        free = not any(name in other or other in name for other in kept)
        longer = next((o for o in counts if len(o) == 3 and o.startswith(name) and o != name), "")
        if often and free and not (longer and counts[longer] * 2 > counts[name]):
            kept.append(name)
    kept = [name for name in kept if not re.search(rf"{name}[^。！？\n]{{0,12}}(?:死|亡|淹死|过世|去世)", text)]
    stop = set(strings(plot["stop_names"]))
    titled = {name for name in kept if name[1:] in strings(plot["offices"])}
    kept = [name for name in kept if name not in titled or not any(o[0] == name[0] for o in kept if o not in titled)]
    kept = sorted((name for name in kept if name not in stop), key=text.find)
    return tuple((name, _pronoun_zh(name, text, kept)) for name in kept[:MOST])


_KIN_ZH = re.compile(
    "(师姐|师妹|妹妹|姐姐|母亲|妻子|女儿|公主|夫人|太太|姑娘|小姐)$|(?:师兄|师弟|弟弟|哥哥|父亲|丈夫|儿子|王爷|先生|老爷)$"
)


def _pronoun_zh(name: str, text: str, people: Sequence[str]) -> str:
    """A word for the sex near the name, or the pronoun that a clause after it begins with: in the name's sentence, and
    in those after it where the name begins one. Others speak of somebody else (陆明川劝她)."""
    counts = Counter[str]()
    others = "|".join(re.escape(other) for other in people if other != name) or "(?!)"
    for match in re.finditer(re.escape(name), text):
        begins = text[: match.start()].rstrip()[-1:] in ("", "。", "！", "？", "#")
        after = re.split(others if begins else rf"{others}|[。！？\n]", text[match.end() : match.end() + 60])[0]
        told = _KIN_ZH.search(text[: match.start()][-3:])
        if told:
            counts["她" if told[1] else "他"] += 1
            continue
        found = re.search(r"[女男婆娘]", name + after[:12]) or re.search(r"(?<=[，。；！？\n])[她他]", after)
        if found:
            counts["他" if found.group() in "他男" else "她"] += 1
    return counts.most_common(1)[0][0] if counts else ""


def _things(text: str, language: Language, plot: Mapping[str, Any]) -> list[str]:
    """Concrete things of the house's list that the brief speaks of, most often named first."""
    counts: dict[str, int] = {}
    for thing in strings(plot["things"]):
        number = text.count(thing) if language == "zh" else len(re.findall(rf"\b{thing}s?\b", text, re.I))
        if number and not any(thing in other for other in counts):
            counts[thing] = number
    return sorted(counts, key=lambda thing: -counts[thing])
