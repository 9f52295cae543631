"""The manuscript as a DOCX file in memory, through python-docx; knows neither disk nor clock.

python-docx writes the package with its styles, sections and properties. The text goes in as finished XML while the
file is packed, a paragraph at a time: its own way of adding one searches all that stand before it. Notes are
footnotes, which it cannot write, so their part is made here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime
from html import escape
from typing import Any

from inkos.errors import InkosError
from inkos.export.archive import packed_anew
from inkos.export.docx_styles import LOCALES, dress
from inkos.export.manuscript import Manuscript, Matter, book_title, by_volume, heading, normalised, series_line
from inkos.export.markup import Line, Run
from inkos.export.profile import Trim
from inkos.export.prose import Block, Prose, prose
from inkos.export.xhtml import ORNAMENT
from inkos.messages import Messages
from inkos.text.count import count

MAIN = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
NOTES_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
NOTES_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
PLACE = b"<!--text-->"
PAGES: dict[Trim, tuple[float, float]] = {"5x8": (5, 8), "6x9": (6, 9)}  # inches


def to_docx(manuscript: Manuscript, messages: Messages, *, editors: bool = False, trim: Trim = "6x9") -> bytes:
    """The file. `editors`: the form that editors read (wide lines, name and page at the head of each page, no design);
    otherwise a book of the trim size. InkosError `export-nothing` without a chapter."""
    import docx  # heavy: only when a file is really written
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    if not manuscript.chapters:
        raise InkosError("export-nothing", left_out=0)
    book = normalised(manuscript)
    document = docx.Document()
    dress(document, book.language, editors=editors)
    _describe(document, book, messages)
    _page(document, book, messages, editors, trim)
    document.element.body.insert(0, _comment())
    writer = _Writer(book, messages, editors, {style.name: style.style_id for style in document.styles})
    part = Part(PackURI("/word/footnotes.xml"), NOTES_TYPE, b"", document.part.package)
    document.part.relate_to(part, NOTES_RELATION)
    raw = io.BytesIO()
    document.save(raw)
    main = _read(raw, "word/document.xml")
    return packed_anew(raw, {
        "word/document.xml": lambda: _filled(main, writer.text()),
        "word/footnotes.xml": writer.footnotes,  # packed behind the text: by then all are known
    })  # fmt: skip


def _comment() -> Any:
    from docx.oxml import parse_xml

    holder = parse_xml(b"<a>" + PLACE + b"</a>")
    return holder[0]


def _read(raw: io.BytesIO, name: str) -> bytes:
    import zipfile

    with zipfile.ZipFile(raw) as archive:
        return archive.read(name)


def _filled(main: bytes, text: Iterator[bytes]) -> Iterator[bytes]:
    before, _, behind = main.partition(PLACE)
    yield before
    yield from text
    yield behind


def _describe(document: Any, book: Manuscript, messages: Messages) -> None:
    about = document.core_properties
    about.title, about.author, about.last_modified_by = book_title(book, messages), book.author, book.author
    about.language, about.identifier = LOCALES[book.language][book.language == "zh"], book.identifier
    about.comments = messages.say("export.rehearsal") if book.rehearsal else ""
    about.subject = series_line(book, messages)
    about.created = about.modified = datetime.fromisoformat(book.modified).replace(tzinfo=None)
    about.revision = 1


def _page(document: Any, book: Manuscript, messages: Messages, editors: bool, trim: Trim) -> None:
    """Paper, margins, what stands at head and foot of each page but the first."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH as ALIGN
    from docx.shared import Inches

    section = document.sections[0]
    paper = PAGES[trim]
    if editors:
        paper = (8.27, 11.69) if book.language == "zh" else (8.5, 11)
    section.page_width, section.page_height = Inches(paper[0]), Inches(paper[1])
    margin = Inches(1 if editors else 0.75)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = margin
    section.header_distance = section.footer_distance = Inches(0.5 if editors else 0.4)
    section.different_first_page_header_footer = True
    head, foot = section.header.paragraphs[0], section.footer.paragraphs[0]
    title = book_title(book, messages)
    if editors:
        head.add_run(" / ".join(part for part in (book.author, title) if part) + " / ")
        head.alignment = ALIGN.RIGHT
        _field(head)
    else:
        head.add_run(title)
        head.alignment = foot.alignment = ALIGN.CENTER
        _field(foot)


def _field(paragraph: Any) -> None:
    """The page's number."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    paragraph._p.append(field)


class _Writer:
    """Makes the text in order, and gathers its footnotes on the way."""

    def __init__(self, book: Manuscript, messages: Messages, editors: bool, styles: dict[str, str]) -> None:
        self._book, self._messages, self._editors, self._styles = book, messages, editors, styles
        self._notes: list[Line] = []
        size = 24 if editors else 22 if book.language == "en" else 21
        self._ruby = (size // 2, size)  # half points

    def text(self) -> Iterator[bytes]:
        yield from self._opening()
        for page in self._book.front:
            yield from self._matter(page)
        level = "Heading 2" if any(chapter.volume for chapter in self._book.chapters) else "Heading 1"
        for volume, chapters in by_volume(self._book.chapters):
            if volume:
                yield self._paragraph("Heading 1", (Run(volume),))
            for number, chapter in chapters:
                yield self._paragraph(level, (Run(heading(chapter, number, self._messages)),))
                if chapter.draft:
                    yield self._paragraph("Subtitle", (Run(self._messages.say("export.draft")),))
                yield from self._prose(prose(chapter.text, self._book.language))
        for page in self._book.back:
            yield from self._matter(page)

    def footnotes(self) -> bytes:
        """The part of the notes; the first two are the lines that Word draws above them."""
        rows = [
            '<w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>',
            '<w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p>'
            "</w:footnote>",
        ]
        mark = f'<w:r><w:rPr><w:rStyle w:val="{self._styles["footnote reference"]}"/></w:rPr><w:footnoteRef/></w:r>'
        for number, note in enumerate(self._notes, 1):
            told = "".join(self._run(run, ()) for run in (Run(" "), *note))
            rows.append(
                f'<w:footnote w:id="{number}"><w:p><w:pPr><w:pStyle w:val="{self._styles["footnote text"]}"/></w:pPr>'
                f"{mark}{told}</w:p></w:footnote>"
            )
        head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        return f"{head}<w:footnotes {MAIN}>{''.join(rows)}</w:footnotes>".encode()

    def _opening(self) -> Iterator[bytes]:
        book, messages = self._book, self._messages
        if self._editors:
            words = sum(count(chapter.text, book.language) for chapter in book.chapters)
            said = messages.say("export.length", count=f"{words:,}")
            yield self._paragraph("Normal", (Run(book.author),))
            yield self._paragraph("Normal", (Run(said),))
        yield self._paragraph("Title", (Run(book_title(book, messages)),))
        for style, line in (("Subtitle", series_line(book, messages)), ("Author", book.author)):
            if line:
                yield self._paragraph(style, (Run(line),))
        if book.rehearsal:
            yield self._paragraph("Subtitle", (Run(messages.say("export.rehearsal")),))

    def _matter(self, page: Matter) -> Iterator[bytes]:
        if page.title:
            yield self._paragraph("Heading 1", (Run(page.title),))
        else:
            yield b'<w:p><w:r><w:br w:type="page"/></w:r></w:p>'
        yield from self._prose(prose(page.text, self._book.language))

    def _prose(self, told: Prose) -> Iterator[bytes]:
        first = True
        for block in told.blocks:
            yield self._block(block, told, first)
            first = block.kind == "break"

    def _block(self, block: Block, told: Prose, first: bool) -> bytes:
        if block.kind == "break":
            return self._paragraph("Scene Break", (Run("#" if self._editors else ORNAMENT[self._book.language]),))
        if block.kind == "table":
            return self._table(block, told)
        styles = {"paragraph": "First Paragraph" if first else "Body Text", "box": "Panel", "quote": "Quote"}
        return b"".join(self._paragraph(styles[block.kind], line, told.notes) for line in block.lines)

    def _table(self, block: Block, told: Prose) -> bytes:
        rows = []
        for at, row in enumerate(block.rows):
            mark = "<w:trPr><w:tblHeader/></w:trPr>" if block.head and at == 0 else ""
            cells = b"".join(
                b'<w:tc><w:tcPr><w:tcW w:w="0" w:type="auto"/></w:tcPr>'
                + self._paragraph("Panel Cell", cell, told.notes) + b"</w:tc>"
                for cell in row
            )  # fmt: skip
            rows.append(f"<w:tr>{mark}".encode() + cells + b"</w:tr>")
        grid = f'<w:gridCol w:w="{6000 // len(block.rows[0])}"/>' * len(block.rows[0])
        head = (
            f'<w:tbl><w:tblPr><w:tblStyle w:val="{self._styles["Table Grid"]}"/><w:tblW w:w="5000" w:type="pct"/>'
            f'<w:jc w:val="center"/><w:tblLook w:firstRow="{int(block.head)}"/></w:tblPr><w:tblGrid>{grid}</w:tblGrid>'
        )
        between = self._paragraph("Normal", ())  # two tables that touch would become one
        return between + head.encode() + b"".join(rows) + b"</w:tbl>" + between

    def _paragraph(self, style: str, line: Line, notes: tuple[Line, ...] = ()) -> bytes:
        runs = "".join(self._run(run, notes) for run in line)
        return f'<w:p><w:pPr><w:pStyle w:val="{self._styles[style]}"/></w:pPr>{runs}</w:p>'.encode()

    def _run(self, run: Run, notes: tuple[Line, ...]) -> str:
        if run.note:
            self._notes.append(notes[run.note - 1] if notes else ())
            style = self._styles["footnote reference"]
            return (f'<w:r><w:rPr><w:rStyle w:val="{style}"/></w:rPr>'
                    f'<w:footnoteReference w:id="{len(self._notes)}"/></w:r>')  # fmt: skip
        named = "Emphasis Dots" if run.dots else "Emphasis" if run.emphasis else ""
        form = f'<w:rPr><w:rStyle w:val="{self._styles[named]}"/></w:rPr>' if named else ""
        text = f"<w:r>{form}{_text(run.text)}</w:r>"
        if not run.ruby:
            return text
        small, size = self._ruby
        return (
            f'<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/><w:hps w:val="{small}"/><w:hpsRaise w:val="{size}"/>'
            f'<w:hpsBaseText w:val="{size}"/><w:lid w:val="zh-CN"/></w:rubyPr><w:rt><w:r>'
            f'<w:rPr><w:sz w:val="{small}"/></w:rPr>{_text(run.ruby)}</w:r></w:rt><w:rubyBase>{text}</w:rubyBase>'
            "</w:ruby></w:r>"
        )


def _text(text: str) -> str:
    told = escape(text, quote=False).replace("\t", '</w:t><w:tab/><w:t xml:space="preserve">')
    return f'<w:t xml:space="preserve">{told}</w:t>'
