"""The book as it leaves: title, people, chapters in order; does not know the store it came from or a file format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from inkos.config import SeriesConfig
from inkos.errors import InkosError
from inkos.messages import Language, Messages
from inkos.records import Record, digest
from inkos.text.headings import parse_heading

CoverType = Literal["image/jpeg", "image/png"]


class Cover(Record):
    """A cover that the author gives."""

    content: bytes
    media_type: CoverType


class ManuscriptChapter(Record):
    """`label` is what stands before the title (`Chapter 3`, 序章), `text` the prose without the heading, `volume` the
    title of its volume or empty. `draft`: not accepted, and marked as such wherever a reader meets it."""

    label: str = ""
    title: str = ""
    text: str
    volume: str = ""
    draft: bool = False


class Matter(Record):
    """A page before or behind the story: dedication, thanks, other books."""

    title: str = ""
    text: str


class Manuscript(Record):
    """`identifier` is the book's permanent name (`identifier_for`), `modified` an ISO 8601 time that comes from the
    book and not from the clock, so that the same book gives the same bytes. `rehearsal`: the offline author's prose."""

    title: str
    author: str = ""
    language: Language
    identifier: str
    modified: str
    series: SeriesConfig | None = None
    rehearsal: bool = False
    cover: Cover | None = None
    chapters: tuple[ManuscriptChapter, ...]
    front: tuple[Matter, ...] = ()
    back: tuple[Matter, ...] = ()


# Control characters but tab and newline, surrogates without a partner, and the non-characters. XML 1.0 forbids most of
# them; the rest (DEL, C1, U+FDD0 and such) shows as boxes in readers.
_ILLEGAL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    + "".join(chr(plane << 16 | 0xFFFE) + chr(plane << 16 | 0xFFFF) for plane in range(1, 17))
    + "]"
)
_NEWLINES = re.compile("\r\n?|[\x85\u2028\u2029]")


def normalise(text: str) -> tuple[str, int]:
    """The text with one kind of newline and without characters that no file format can carry; how many were removed."""
    return _ILLEGAL.subn("", _NEWLINES.sub("\n", text))


def normalised(manuscript: Manuscript) -> Manuscript:
    """Every text of the manuscript, normalised; titles besides on one line."""

    def line(text: str) -> str:
        return " ".join(normalise(text)[0].split("\n")).strip()

    def matter(pages: tuple[Matter, ...]) -> tuple[Matter, ...]:
        return tuple(Matter(title=line(page.title), text=normalise(page.text)[0]) for page in pages)

    series = manuscript.series
    return manuscript.model_copy(
        update={
            "title": line(manuscript.title),
            "author": line(manuscript.author),
            "series": series and series.model_copy(update={"name": line(series.name)}),
            "front": matter(manuscript.front),
            "back": matter(manuscript.back),
            "chapters": tuple(
                chapter.model_copy(
                    update={
                        "label": line(chapter.label),
                        "title": line(chapter.title),
                        "volume": line(chapter.volume),
                        "text": normalise(chapter.text)[0],
                    }
                )
                for chapter in manuscript.chapters
            ),
        }
    )


def identifier_for(book_id: str, author: str) -> str:
    """A permanent `urn:uuid:` (version 8: made from a digest) for a book without an ISBN."""
    name = digest(f"inkos\n{book_id}\n{author}")
    return f"urn:uuid:{name[:8]}-{name[8:12]}-8{name[13:16]}-a{name[17:20]}-{name[20:32]}"


def cover_of(content: bytes, where: str) -> Cover:
    """A given image as a cover. InkosError `export-cover` when it is neither JPEG nor PNG by its first bytes."""
    if content.startswith(b"\xff\xd8\xff"):
        return Cover(content=content, media_type="image/jpeg")
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return Cover(content=content, media_type="image/png")
    raise InkosError("export-cover", where=where)


def heading(chapter: ManuscriptChapter, number: int, messages: Messages) -> str:
    """A chapter's line in the contents, draft mark included. `number`, its place from 1, names one without a title."""
    entry = plain_heading(chapter, number, messages)
    return messages.say("export.draft-entry", entry=entry) if chapter.draft else entry


def plain_heading(chapter: ManuscriptChapter, number: int, messages: Messages) -> str:
    if chapter.label and chapter.title:
        return messages.say("export.entry", label=chapter.label, title=chapter.title)
    return chapter.label or chapter.title or chapter_label(number, messages)


def book_title(manuscript: Manuscript, messages: Messages) -> str:
    return manuscript.title or messages.say("export.untitled")


def series_line(manuscript: Manuscript, messages: Messages) -> str:
    """`Harbour Lights, book 2`, 临江旧事 · 第二部, or nothing. A half place stays a figure: book 1.5."""
    if manuscript.series is None:
        return ""
    at = manuscript.series.position
    chinese = messages.language == "zh" and at >= 1 and at.is_integer()
    position = chinese_number(int(at)) if chinese else f"{at:g}"
    return messages.say("export.series", name=manuscript.series.name, position=position)


def chapter_label(number: int, messages: Messages) -> str:
    shown = chinese_number(number) if messages.language == "zh" else str(number)
    return messages.say("export.chapter-label", number=shown)


def numbered(chapters: Iterable[ManuscriptChapter], messages: Messages) -> tuple[ManuscriptChapter, ...]:
    """Chapters without a label get theirs by counting through the whole book. A label or title that names the chapter
    itself stays; it takes a number when it is a chapter (`01`, 第 2 章), and none when it stands beside them (序章,
    番外, Interlude)."""
    result: list[ManuscriptChapter] = []
    count = 0
    for chapter in chapters:
        named = parse_heading(chapter.label or chapter.title)
        count += named is None or named.kind != "special"
        if not chapter.label and named is None:
            chapter = chapter.model_copy(update={"label": chapter_label(count, messages)})
        result.append(chapter)
    return tuple(result)


def by_volume(chapters: Sequence[ManuscriptChapter]) -> list[tuple[str, list[tuple[int, ManuscriptChapter]]]]:
    """Runs of chapters of one volume with their numbers from 1; the volume is empty for those outside any."""
    groups: list[tuple[str, list[tuple[int, ManuscriptChapter]]]] = []
    for number, chapter in enumerate(chapters, 1):
        if not groups or groups[-1][0] != chapter.volume:
            groups.append((chapter.volume, []))
        groups[-1][1].append((number, chapter))
    return groups


_DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")


def chinese_number(number: int) -> str:
    """1 → 一, 12 → 十二, 105 → 一百零五, 20,010 → 二万零一十; from 0 to 99,999,999."""
    if number >= 10_000:
        high, low = divmod(number, 10_000)
        gap = "零" if 0 < low < 1000 else ""
        return chinese_number(high) + "万" + gap + (_four(low) if low else "")
    plain = _four(number)
    return plain[1:] if plain.startswith("一十") else plain


def _four(number: int) -> str:
    if number == 0:
        return "零"
    text, skipped = "", False
    for power in range(3, -1, -1):
        digit = number // 10**power % 10
        if digit:
            text += ("零" if skipped and text else "") + _DIGITS[digit] + _UNITS[power]
        skipped = digit == 0
    return text
