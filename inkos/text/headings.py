"""Whether one line is a heading, and of what; knows nothing of the lines around it.

A line is a heading by its form: decoration, number and unit, separator, a title that does not read as a sentence (the
patterns stand in heading_forms.py). Forms that prose may have too (a bare numeral, `3. Ashes`) come back with
`sure=False`: split.py believes them only in company.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from inkos.text import heading_forms as forms
from inkos.text.characters import is_scene_break
from inkos.text.numerals import number_of, ordinal_of, roman

Kind = Literal["chapter", "volume", "special", "notice", "scene_break"]


class Heading(NamedTuple):
    """`number` as printed (12.5 occurs), `title` without number, decoration and remarks to the reader, `volume` where
    the line names one too, `part` of a chapter in several parts."""

    kind: Kind
    number: int | float | None = None
    title: str | None = None
    volume: int | None = None
    part: int | None = None
    sure: bool = True


class _Line(NamedTuple):
    """A line as it was written, and `plain`, as long, in one width and script, for matching."""

    text: str
    plain: str

    def cut(self, start: int, end: int | None = None) -> _Line:
        return _Line(self.text[start:end], self.plain[start:end])

    def stripped(self, characters: str) -> _Line:
        start = len(self.plain) - len(self.plain.lstrip(characters))
        return self.cut(start, max(start, len(self.plain.rstrip(characters))))

    def rest(self, match: re.Match[str]) -> _Line:
        span = match.span("rest")
        return self.cut(*span) if span[0] >= 0 else _Line("", "")


def parse_heading(line: str) -> Heading | None:
    """What heading `line` is, or None for prose. `line` is one line, blanks around it do not matter."""
    if len(line) > forms.LONGEST:
        return None
    if is_scene_break(line):
        return Heading("scene_break")
    whole = _Line(line, line.translate(forms.PLAIN)).stripped(" \t\r\n")
    bare = _without_brackets(whole.stripped(forms.DECORATION).stripped("、 "))
    bare = _without_remarks(bare)
    if not bare.plain or forms.END_MARK.fullmatch(bare.plain):
        return None
    body, part = _without_part(bare)
    if found := _sure(body) or _likely(body):
        return found if part is None else found._replace(part=part)
    return _counted(bare) or _marked(bare, whole)


def _without_brackets(line: _Line) -> _Line:
    """`【第三章】旧友`, `《第三章：破局》`: the pair of brackets that opens the line made blanks."""
    closing = forms.BRACKETS.get(line.plain[:1])
    at = line.plain.find(closing) if closing else -1
    if at < 0:
        return line
    text, plain = (f" {form[1:at]} {form[at + 1 :]}" for form in line)
    return _Line(text, plain).stripped(forms.DECORATION)


def _without_remarks(line: _Line) -> _Line:
    while match := forms.REMARK.search(line.plain):
        line = line.cut(0, match.start())
    return line


def _without_part(line: _Line) -> tuple[_Line, int | None]:
    """A part's number in brackets at the end, taken off; a line that is nothing else keeps it."""
    match = forms.PART.search(line.plain)
    if match is None or match.start() == 0:
        return line, None
    number = forms.THIRDS.get(match["n"]) or number_of(match["n"]) or roman(match["n"].upper())
    return (line.cut(0, match.start()), number) if isinstance(number, int) else (line, None)


def _sure(line: _Line) -> Heading | None:
    if forms.NOTICE.fullmatch(line.plain):
        return Heading("notice")
    for form in (_zh_in_company, _zh_chapter, _zh_volume, _special, _en_in_volume, _en_chapter):
        if found := form(line):
            return found
    return None


def _title(line: _Line) -> str | None:
    text = line.stripped(forms.DECORATION + ":：·、—–-|").text.strip()
    if len(text) > 2 and forms.WRAPPED.get(text[0]) == text[-1] and text.count(text[-1]) == 1:
        text = text[1:-1]
    return text or None


def _number(text: str) -> int | float | None:
    text = re.sub(r"^the ", "", text, flags=re.IGNORECASE)
    return value if (value := number_of(text)) is not None else roman(text.upper())


def _zh_in_company(line: _Line) -> Heading | None:
    """A chapter after its volume (`第一卷 青云之志 第三章 再会`), a word (`番外 第1章`) or the book's title."""
    if match := forms.ZH_IN_VOLUME.match(line.plain):
        chapter = _zh_chapter(line.cut(match.end()))
        return chapter and chapter._replace(volume=_volume_number(match))
    if match := forms.ZH_SPECIAL_CHAPTER.match(line.plain):
        chapter = _zh_chapter(line.cut(match.end()))
        return chapter and chapter._replace(kind="special", title=chapter.title or line.text[: match.end("word")])
    if match := forms.ZH_AFTER_TITLE.match(line.plain):
        chapter = _zh_chapter(line.cut(match.end()))
        return chapter and chapter._replace(sure=False)
    return None


def _zh_chapter(line: _Line) -> Heading | None:
    match = forms.ZH_CHAPTER.fullmatch(line.plain) or forms.ZH_BARE_CHAPTER.fullmatch(line.plain)
    if match is None or not _zh_title_fits(match, match["unit"]):
        return None
    number = ordinal_of(match["n"])
    if number is None:
        return None
    rest = line.rest(match)
    again = _zh_chapter(rest.stripped(" "))
    if again and again.number == number:
        return again
    if forms.ZH_CHAPTER.search(rest.plain):
        return None
    return Heading("chapter", number, _title(rest))


def _zh_volume(line: _Line) -> Heading | None:
    match = forms.ZH_VOLUME.fullmatch(line.plain)
    if match is None or not _zh_title_fits(match, match["unit"] or "部"):
        return None
    number = _volume_number(match)
    return None if number is None else Heading("volume", number, _title(line.rest(match)))


def _volume_number(match: re.Match[str]) -> int | None:
    number = forms.THIRDS.get(match["third"] or "") or number_of(match["v1"] or match["v2"] or "")
    return number if isinstance(number, int) else None


def _zh_title_fits(match: re.Match[str], unit: str) -> bool:
    """Whether what follows number and unit reads as a title and not as the rest of a sentence."""
    rest = match["rest"].strip()
    if not rest:
        return True
    if forms.END_MARK.fullmatch(rest) or forms.SENTENCE_END.search(rest) or "。" in rest:
        return False
    if match["sep"] is not None:
        return len(rest) <= forms.LONGEST_ZH_TITLE
    if unit not in forms.COMPOUNDS or rest[0] in forms.COMPOUNDS[unit]:
        return False
    return len(rest) <= forms.LONGEST_ZH_TITLE // 2 and not forms.ZH_SENTENCE.search(rest)


def _special(line: _Line) -> Heading | None:
    match = forms.ZH_SPECIAL.fullmatch(line.plain) or forms.EN_SPECIAL.fullmatch(line.plain)
    if match is None:
        return None
    rest = match["rest"] or ""
    if forms.SENTENCE_END.search(rest) or "。" in rest or forms.END_MARK.fullmatch(rest):
        return None
    word = line.text[match.start("word") : match.end("word")]
    return Heading("special", _number(match["n"] or ""), _title(line.rest(match)) or word)


def _en_in_volume(line: _Line) -> Heading | None:
    match = forms.EN_VOLUME.fullmatch(line.plain)
    if match is None or (volume := _number(match["n"])) is None:
        return None
    rest = line.rest(match)
    chapter = _en_chapter(rest.stripped(" ,"))
    if chapter:
        return chapter._replace(volume=int(volume))
    return Heading("volume", volume, _title(rest)) if _en_title_fits(match) else None


def _en_chapter(line: _Line) -> Heading | None:
    match = forms.EN_CHAPTER.fullmatch(line.plain)
    if match is None or not _en_title_fits(match):
        return None
    number = _number(match["n"])
    return None if number is None else Heading("chapter", number, _title(line.rest(match)))


def _en_title_fits(match: re.Match[str]) -> bool:
    """Whether the words after the number can be a title. After a mark they may be anything short of a paragraph; after
    a blank alone they begin with a capital and do not end like a sentence."""
    rest = match["rest"].strip()
    if not rest:
        return True
    if match["sep"].strip():
        return len(rest.split()) <= 16
    starts = not rest[0].islower() and rest[0] not in ",;'"
    return starts and len(rest.split()) <= 10 and not forms.SENTENCE_END.search(rest) and match["word"][0].isupper()


def _likely(line: _Line) -> Heading | None:
    """Forms that prose and lists have too."""
    found = _bare(line) or _listed(line)
    return found and found._replace(sure=False)


def _counted(line: _Line) -> Heading | None:
    """The book's title and a number: `我有一座恐怖屋(12)`."""
    match = forms.BOOK_AND_NUMBER.fullmatch(line.plain)
    return match and Heading("chapter", int(match["n"]), sure=False)


def _bare(line: _Line) -> Heading | None:
    match = forms.BARE.fullmatch(line.plain)
    if match:
        number = number_of(match["n"])
        is_year = isinstance(number, int) and match["n"].isdigit() and 1000 <= number <= 2100
        return None if number is None or is_year or match["n"] in "百千万两零〇○" else Heading("chapter", number)
    # A single Roman letter is as likely a pronoun, an initial or a vitamin.
    value = roman(line.plain.rstrip(".")) if len(line.plain.rstrip(".")) > 1 else None
    return Heading("chapter", value) if value and value < 400 else None


def _listed(line: _Line) -> Heading | None:
    """`3.再会故人`, `03 再会故人`, `一、起风`, `7. Ashes`, `IV. Salt`."""
    if match := forms.ROMAN_LISTED.fullmatch(line.plain):
        number: int | float | None = roman(match["n"])
    elif match := forms.LISTED.fullmatch(line.plain):
        number = number_of(match["n"])
    else:
        return None
    rest, blank_only = match["rest"], not match["sep"].strip()
    if number is None or forms.NO_LISTED_TITLE.search(rest) or len(rest) > forms.LONGEST_ZH_TITLE:
        return None
    if rest[0].isascii():
        padded = match["n"].startswith("0")
        if (blank_only and not padded) or not rest[0].isupper() or len(rest.split()) > 8 or rest[-1] in ".:":
            return None
    elif blank_only and forms.MEASURE.match(rest):
        return None
    return Heading("chapter", number, _title(line.rest(match)))


def _marked(line: _Line, whole: _Line) -> Heading | None:
    """A line without a number that its marks alone make a heading: `☆、再会故人`, `## Ashes`."""
    lead = forms.LEAD.match(whole.plain)
    if lead is None or forms.SENTENCE_END.search(line.plain) or "。" in line.plain:
        return None
    return Heading("chapter", None, _title(line), sure=not lead["markdown"])
