"""Reads the drafter's reply into prose: takes off what stands around it, not what is inside; knows no story."""

from __future__ import annotations

import json
import re

from inkos.kernel.papers import Plan, ReplyFault
from inkos.messages import Language
from inkos.prompts.readers.ladder import without_reasoning
from inkos.prompts.readers.read import Read
from inkos.text.characters import whole
from inkos.text.count import count
from inkos.text.lang import language_of
from inkos.text.repeat import loop_start
from inkos.text.style import clean_prose, set_marks

NAMES: dict[Language, str] = {"zh": "中文", "en": "English"}

_FENCE = re.compile(r"^\s*```[\w-]*\s*$")
_HEADING = re.compile(r"^\s{0,3}#{1,6}\s+\S.*$")
_RULE = re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|—{3,})\s*$")
_BOLD_LINE = re.compile(r"^\s*(?:\*\*|__)([^*_]{1,60})(?:\*\*|__)\s*$")
_CHAPTER = re.compile(
    r"^\s*(?:第\s*[0-9０-９零〇一二两三四五六七八九十百千]+\s*[章回节话](?:[\s:：·—-].{0,40}|.{0,20})"
    r"|chapter\s+(?:\d+|[ivxlc]+|[a-z-]+)(?:\s*[:.·—-].{0,80})?)\s*$",
    re.IGNORECASE,
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\s*(?:{pattern})\s*" for pattern in patterns), re.IGNORECASE)


_COURTESY = r"(?:sure|certainly|of course|okay|ok|understood|got it|absolutely)"
_WORK = r"(?:chapter|prose|draft|text|scene|version|story|rewrite|continuation)"
_WORK_ZH = r"(?:正文|本章|章节|初稿|草稿|全文|续写|重写|小说)"
_COURTESY_ZH = r"(?:好的|当然|没问题|明白了?|收到|遵命)"
# A remark before the prose names the work and ends like a heading or a sentence of its own.
_OPENING = _any(
    rf"(?:{_COURTESY}[,.!:—\s-]*)?(?:here(?:['’]s| is| you go| are)|below is|the following is|this is|i(?:['’]ve| have)"
    rf" written)\b.{{0,120}}\b{_WORK}\b.{{0,80}}[:.!]",
    rf"{_COURTESY}[!.,:]*",
    rf"(?:{_COURTESY_ZH}[，,。！!]?\s*)?(?:以下|下面|这|如下)[^“「]{{0,30}}{_WORK_ZH}[^“「]{{0,20}}[:：。！]",
    rf"{_COURTESY_ZH}[，,。！!：:]*(?:[^“「]{{0,30}}{_WORK_ZH}[^“「]{{0,20}}[:：。！])?",
)
_ROUND = r"[（(\[【*_]*"
_ROUND_END = r"[）)\]】*_]*"
_CLOSING = _any(
    rf"{_ROUND}(?:(?:本章|全文|正文|未完|待续|完|章末)(?:完|结束|待续)?|the end"
    rf"|end(?: of (?:the )?(?:chapter|draft|scene))?|to be continued|fin)\s*[.。!！]?{_ROUND_END}",
    rf"{_ROUND}\s*(?:本章|全文|正文)?(?:总|共|约)?(?:字数|word ?count|words|total words)"
    rf"\s*[:：]?\s*(?:约|about|approximately|~|≈)?\s*[\d,，]+\s*(?:字|words)?\s*[.。]?\s*{_ROUND_END}",
    r"[（(\[【*_]+\s*(?:本章|全文|正文)?(?:约|共|about|approximately|~)?\s*[\d,，]+\s*(?:字|words)\s*[.。]?[）)\]】*_]+",
    r"(?:let me know|i hope (?:this|you)|feel free|would you like me|please let me know"
    r"|if you(?:['’]d)? (?:like|want|need))\b.*",
    r"(?:如果?(?:您|你)?(?:需要|想要|希望)|希望(?:您|你|这)|请告诉我|需要我|以上(?:就是|是|为)|注[:：]|说明[:：]).*",
)
_BEAT = _any(
    r"[#*_\[【（(]*\s*(?:b\d{1,2}|beat\s*\d{1,2}|第[一二三四五六七八九十\d]+拍|拍\s*\d{1,2})(?![\w])[^。！？.!?”]{0,30}"
)
_BULLET = re.compile(
    r"\s*(?:[-*+•]\s+\S|\d{1,2}[.、)）]\s*\S|[（(]\d{1,2}[）)]|b\d{1,2}\b|第[一二三四五六七八九十]+拍|beat\s*\d|#{1,6}\s)",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\s*(?:i(?:['’]m| am) (?:sorry|unable|not able)|i (?:can(?:no|['’])t|cannot|won['’]t|must decline)"
    r"|sorry,? (?:but )?i (?:can|am)|as an ai\b|unfortunately,? i (?:can|am))"
    r"|\s*(?:抱歉|对不起|很抱歉|非常抱歉)[，,。]?\s*(?:我|本模型|这|您|作为)"
    r"|\s*(?:我(?:无法|不能)(?:提供|生成|写|继续|协助|完成|满足)|作为(?:一个)?(?:AI|人工智能|语言模型))",
    re.IGNORECASE,
)
REFUSAL = 600  # characters: a refusal is short; a chapter that begins with “I can’t” is not
OUTLINE_SHARE = 0.6  # of the lines are bullets or labels: an outline
LEAST_LINES = 3
LEAST_BEFORE_A_LOOP = 100  # counting units: of a draft that was a loop from the start nothing can be kept


def read_draft(text: str, *, language: Language, plan: Plan) -> Read[str]:
    """The prose of one chapter, scene breaks and quotation marks set as the book has them.

    A fault is `prose` (`values["kind"]`: `empty`, `outline`), `language`, or `refused`: the model declines, and asking
    once more in the same words is of no use. A cut reply is read like a whole one. Where the end only goes round in
    what it said before, it is taken off."""
    notes: list[str] = []
    body = without_reasoning(text, notes)
    if body is None or not body.strip():
        return _fault("prose", notes, kind="empty")
    body = _unwrapped(body.replace("\r\n", "\n").replace("\r", "\n"), notes)
    lines = _off_the_end(_off_the_start(body.split("\n"), plan, notes), notes)
    lines = _without_beat_headings(lines, plan, notes)
    prose = "\n".join(lines).strip("\n")
    if not prose.strip():
        return _fault("prose", notes, kind="empty")
    if _REFUSAL.match(prose) and len(prose) < REFUSAL and sum(bool(line.strip()) for line in lines) <= LEAST_LINES:
        return _fault("refused", notes)
    if is_outline(prose):
        return _fault("prose", notes, kind="outline")
    if language_of(prose) != language:
        return _fault("language", notes, language=NAMES[language])
    clean, done = clean_prose(prose, language)
    marked = set_marks(clean, language)
    if marked != clean:
        done = [*done, "quotation marks set"]
    loop = loop_start(marked, language)
    if loop is not None:
        done = [*done, f"loop taken off: {count(marked[loop:], language)} at the end said only what stood before"]
        marked = marked[:loop].rstrip()
        if count(marked, language) < LEAST_BEFORE_A_LOOP:
            return _fault("prose", [*notes, *done], kind="empty")
    return Read(marked, (*notes, *done), None)


def _fault(code: str, notes: list[str], **values: str) -> Read[str]:
    return Read(None, tuple(notes), ReplyFault(code=code, values=values))


def _unwrapped(body: str, notes: list[str]) -> str:
    """The prose of a reply that is a JSON object with one string in it; anything else as it is."""
    inner = body.strip().removeprefix("```json").removesuffix("```").strip()
    if not inner.startswith("{"):
        return body
    try:
        value = json.loads(inner, strict=False)
    except (ValueError, RecursionError):
        return body
    strings = [item for item in value.values() if isinstance(item, str)] if isinstance(value, dict) else []
    long = [item for item in strings if len(item) > 0.8 * len(inner)]
    if len(long) != 1:
        return body
    notes.append("prose taken out of a JSON object")
    return whole(long[0])


def _off_the_start(lines: list[str], plan: Plan, notes: list[str]) -> list[str]:
    """Without fence, remark, heading and title before the first line of prose."""
    at = 0
    while at < len(lines):
        line = lines[at]
        what = _before_prose(line, plan)
        if line.strip() and what is None:
            break
        if what is not None:
            notes.append(f"{what} taken off: {line.strip()[:40]}")
        at += 1
    return lines[at:]


def _before_prose(line: str, plan: Plan) -> str | None:
    if _FENCE.match(line):
        return "fence"
    if _RULE.match(line):
        return "rule"
    if _HEADING.match(line) or _CHAPTER.match(line):
        return "heading"
    bold = _BOLD_LINE.match(line)
    if bold is not None or _bare(line) == _bare(plan.title):
        return "title"
    if _OPENING.fullmatch(line):
        return "remark"
    return None


def _bare(line: str) -> str:
    return re.sub(r"[\s#*_《》“”\"'「」:：]", "", line).casefold()


def _off_the_end(lines: list[str], notes: list[str]) -> list[str]:
    end = len(lines)
    while end > 0:
        line = lines[end - 1]
        if line.strip():
            what = "fence" if _FENCE.match(line) else "rule" if _RULE.match(line) else None
            what = what or ("remark" if _CLOSING.fullmatch(line) else None)
            if what is None:
                break
            notes.append(f"{what} taken off: {line.strip()[:40]}")
        end -= 1
    return lines[:end]


def _without_beat_headings(lines: list[str], plan: Plan, notes: list[str]) -> list[str]:
    """Sub-headings made of the plan's beats, alone on a line, are no prose."""
    said = {_bare(part) for beat in plan.beats for part in (beat.wants, beat.against, beat.cost, beat.thing) if part}
    kept = []
    for line in lines:
        marked = _HEADING.match(line) is not None or _BOLD_LINE.match(line) is not None
        if line.strip() and (_BEAT.fullmatch(line) or (marked and _bare(line) in said)):
            notes.append(f"beat heading taken off: {line.strip()[:40]}")
        else:
            kept.append(line)
    return kept


def is_outline(prose: str) -> bool:
    """Whether most lines are bullets or labels."""
    lines = [line for line in prose.split("\n") if line.strip()]
    marked = sum(_BULLET.match(line) is not None for line in lines)
    return len(lines) >= LEAST_LINES and marked >= OUTLINE_SHARE * len(lines)
