"""The manuscript as text without its marks, set as a place wants it; knows no place and no file.

Ruby stands behind its word in brackets, notes at the end of the chapter, the cells of a table with a bar between them.
"""

from __future__ import annotations

from inkos.export.manuscript import Manuscript, ManuscriptChapter, book_title, by_volume, heading, normalised
from inkos.export.markup import Line
from inkos.export.profile import TextForm
from inkos.export.prose import Block, Prose, prose
from inkos.export.xhtml import ORNAMENT
from inkos.messages import Language, Messages


def to_plain(manuscript: Manuscript, form: TextForm, messages: Messages) -> str:
    """The whole book: title and author, then volumes and chapters with their headings."""
    book = normalised(manuscript)
    parts = [book_title(book, messages), book.author, *_marks(book, messages)]
    for volume, chapters in by_volume(book.chapters):
        parts.append(volume)
        parts += [plain_chapter(chapter, number, book.language, form, messages) for number, chapter in chapters]
    return "\n\n".join(part for part in parts if part) + "\n"


def _marks(book: Manuscript, messages: Messages) -> list[str]:
    return [messages.say("export.rehearsal")] if book.rehearsal else []


def plain_chapter(
    chapter: ManuscriptChapter, number: int, language: Language, form: TextForm, messages: Messages
) -> str:
    """One chapter, its heading first where the form has one. `number` names one without label and title."""
    told = prose(chapter.text, language)
    parts = [heading(chapter, number, messages)] if form.heading else []
    if chapter.draft:
        parts.append(messages.say("export.draft"))
    between = "\n" * (form.blank_lines + 1)
    lines = [line for block in told.blocks for line in _lines(block, form, language, messages)]
    parts += [between.join(lines), *_notes(told, messages)]
    return "\n\n".join(part for part in parts if part)


def _lines(block: Block, form: TextForm, language: Language, messages: Messages) -> list[str]:
    if block.kind == "break":
        return [form.scene_break or ORNAMENT[language]]
    if block.kind == "table":
        return ["\n".join(" | ".join(unmarked(cell, messages) for cell in row) for row in block.rows)]
    if block.kind == "paragraph":
        return [form.indent + unmarked(block.lines[0], messages)]
    return ["\n".join(form.indent + unmarked(line, messages) for line in block.lines)]


def unmarked(line: Line, messages: Messages) -> str:
    """A line as it is read without any mark."""
    return "".join(
        messages.say("export.note-mark", number=run.note) if run.note
        else messages.say("export.ruby", text=run.text, reading=run.ruby) if run.ruby
        else run.text
        for run in line
    )  # fmt: skip


def _notes(told: Prose, messages: Messages) -> list[str]:
    rows = [
        f"{messages.say('export.note-mark', number=number)}{unmarked(note, messages)}"
        for number, note in enumerate(told.notes, 1)
    ]
    return ["\n".join(rows)] if rows else []
