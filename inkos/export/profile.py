"""What a place wants of a book that goes there, as data; knows no place by name and does no work.

Whatever a profile says of a platform is a default of this program and no promise of the platform's: platforms change
their rules. A file `profiles/NAME.yaml` in the workspace is laid over the one of that name, or stands for itself.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.messages import Language
from inkos.records import Record

Format = Literal["epub", "docx", "html", "md", "txt", "pdf"]
FORMATS: tuple[Format, ...] = ("epub", "docx", "html", "md", "txt", "pdf")
Trim = Literal["5x8", "6x9"]
TRIMS: tuple[Trim, ...] = ("5x8", "6x9")


class TextForm(Record):
    """How plain text is set. `marks` `keep`: the manuscript as it stands; `plain`: without its marks, and only then the
    rest holds: `indent` before each paragraph, `blank_lines` between two, `scene_break` on a line of its own, empty
    for the book's own ornament."""

    marks: Literal["keep", "plain"] = "keep"
    indent: str = ""
    blank_lines: int = Field(default=1, ge=0, le=3)
    scene_break: str = ""
    heading: bool = True


class CoverForm(Record):
    """A picture fits into `width` × `height` pixels, keeps its shape and is never enlarged; one smaller than
    `least_width` × `least_height`, or with more than `most_kb` kilobytes, is told of. `jpeg`: a PNG becomes one."""

    width: int = Field(default=1200, ge=100, le=6000)
    height: int = Field(default=1800, ge=100, le=6000)
    jpeg: bool = False
    least_width: int = Field(default=600, ge=1, le=6000)
    least_height: int = Field(default=900, ge=1, le=6000)
    most_kb: int = Field(default=5000, ge=10)


class ChapterLimits(Record):
    """In the place's own count; null: none known. `title` in characters."""

    least: int | None = Field(default=None, ge=1)
    most: int | None = Field(default=None, ge=1)
    title: int | None = Field(default=None, ge=1)


class Profile(Record):
    """`formats`: the first is taken unless another is asked for. `count_punctuation`: how the place counts. `fragment`:
    HTML as what is pasted into an editor, not as a page. `author_notes`: with the author's words around each chapter
    (matter/before, matter/after). `matter`: with the pages before and behind the story. `manuscript`: DOCX as editors
    want it, not as a book. `about`: what the figures rest on, by language."""

    schema_version: int = 1
    about: dict[Language, str] = {}
    formats: tuple[Format, ...] = Field(default=FORMATS, min_length=1)
    language: Language | None = None
    split: bool = False
    text: TextForm = TextForm()
    fragment: bool = False
    author_notes: bool = False
    matter: bool = True
    manuscript: bool = False
    count_punctuation: bool = False
    chapter: ChapterLimits = ChapterLimits()
    cover: CoverForm = CoverForm()
    trim: Trim = "6x9"
