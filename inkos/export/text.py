"""The manuscript as Markdown and as plain text; changes no character of the prose that a file can hold."""

from __future__ import annotations

from inkos.export.manuscript import Manuscript, book_title, by_volume, heading, normalised, series_line
from inkos.messages import Messages


def to_markdown(manuscript: Manuscript, messages: Messages) -> str:
    """One heading for the book, one for each volume and chapter, the prose between them as it stands."""
    below = "### " if any(chapter.volume for chapter in manuscript.chapters) else "## "
    return _written(manuscript, messages, ("# ", "## ", below))


def to_text(manuscript: Manuscript, messages: Messages) -> str:
    """The same without marks: headings are lines of their own."""
    return _written(manuscript, messages, ("", "", ""))


def _written(manuscript: Manuscript, messages: Messages, marks: tuple[str, str, str]) -> str:
    book = normalised(manuscript)
    parts = [marks[0] + book_title(book, messages), book.author, series_line(book, messages)]
    if book.rehearsal:
        parts.append(messages.say("export.rehearsal"))
    for volume, chapters in by_volume(book.chapters):
        if volume:
            parts.append(marks[1] + volume)
        for number, chapter in chapters:
            parts.append(marks[2] + heading(chapter, number, messages))
            if chapter.draft:
                parts.append(messages.say("export.draft"))
            parts.append(chapter.text.strip("\n"))
    return "\n\n".join(part for part in parts if part) + "\n"
