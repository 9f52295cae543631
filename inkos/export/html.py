"""The manuscript as one page of HTML that needs no other file, and a chapter as a fragment to paste; knows no disk."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from html import escape

from inkos.export.manuscript import (
    Manuscript,
    ManuscriptChapter,
    Matter,
    book_title,
    by_volume,
    heading,
    normalised,
    series_line,
)
from inkos.export.markup import Line
from inkos.export.prose import Block, prose
from inkos.export.stylesheet import page_stylesheet
from inkos.export.xhtml import body
from inkos.messages import Language, Messages


def to_html(manuscript: Manuscript, messages: Messages) -> str:
    """The whole book: title page, contents, chapters. A cover that the author gives is inside the page."""
    book = normalised(manuscript)
    title = escape(book_title(book, messages))
    author = f'<meta name="author" content="{escape(book.author)}"/>\n' if book.author else ""
    head = (
        f'<!DOCTYPE html>\n<html lang="{book.language}">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{title}</title>\n{author}<style>\n{page_stylesheet(book.language)}</style>\n</head>\n<body>\n"
    )
    return head + "\n".join([*_head(book, messages), "<main>", *_told(book, messages), "</main>", "</body>", "</html>"])


def _head(book: Manuscript, messages: Messages) -> Iterator[str]:
    title, series = book_title(book, messages), series_line(book, messages)
    yield '<header class="titlepage">'
    if book.cover:
        code = "export.cover-alt-author" if book.author else "export.cover-alt"
        alt = escape(messages.say(code, title=title, author=book.author))
        data = b64encode(book.cover.content).decode()
        yield f'<img src="data:{book.cover.media_type};base64,{data}" alt="{alt}"/>'
    yield f"<h1>{escape(title)}</h1>"
    for name, line in (("series", series), ("author", book.author)):
        if line:
            yield f'<p class="{name}">{escape(line)}</p>'
    if book.rehearsal:
        yield f'<p class="note">{escape(messages.say("export.rehearsal"))}</p>'
    yield "</header>"
    name = escape(messages.say("export.contents"))
    yield f'<nav aria-label="{name}">\n<h2>{name}</h2>\n<ol>'
    yield from _matter_links(book.front, "front")
    for volume, chapters in by_volume(book.chapters):
        if volume:
            yield f"<li>{escape(volume)}\n<ol>"
        for number, chapter in chapters:
            yield f'<li><a href="#c{number}">{escape(heading(chapter, number, messages))}</a></li>'
        if volume:
            yield "</ol></li>"
    yield from _matter_links(book.back, "back")
    yield "</ol>\n</nav>"


def _matter_links(matter: tuple[Matter, ...], where: str) -> Iterator[str]:
    for number, page in enumerate(matter, 1):
        if page.title:
            yield f'<li><a href="#{where}{number}">{escape(page.title)}</a></li>'


def _told(book: Manuscript, messages: Messages) -> Iterator[str]:
    volumes = any(chapter.volume for chapter in book.chapters)
    yield from _matter(book, "front", book.front, messages)
    for volume, chapters in by_volume(book.chapters):
        if volume:
            yield f'<h2 class="volume">{escape(volume)}</h2>'
        for number, chapter in chapters:
            level = "h3" if volumes else "h2"
            yield f'<section class="chapter" id="c{number}" aria-labelledby="h{number}">'
            yield f'<{level} id="h{number}">{escape(heading(chapter, number, messages))}</{level}>'
            if chapter.draft:
                yield f'<p class="draft">{escape(messages.say("export.draft"))}</p>'
            told = prose(chapter.text, book.language)
            yield from body(told, book.language, messages, prefix=f"{number}-", epub=False)
            yield "</section>"
    yield from _matter(book, "back", book.back, messages)


def _matter(book: Manuscript, where: str, matter: tuple[Matter, ...], messages: Messages) -> Iterator[str]:
    for number, page in enumerate(matter, 1):
        yield f'<section class="matter" id="{where}{number}">'
        if page.title:
            yield f"<h2>{escape(page.title)}</h2>"
        told = prose(page.text, book.language)
        yield from body(told, book.language, messages, prefix=f"{where}{number}-", epub=False)
        yield "</section>"


# ── a fragment ───────────────────────────────────────────────────────────────────────────────────────────────────────


def fragment(
    chapter: ManuscriptChapter, language: Language, messages: Messages, *, before: str = "", behind: str = ""
) -> str:
    """A chapter for the editor of a site: elements that such editors keep, no class, no id. `before` and `behind` are
    the author's own words around it."""
    told = prose(chapter.text, language)
    parts = [*_aside(before, language, messages), *(_pasted(block, messages) for block in told.blocks)]
    if told.notes:
        parts.append("<hr/>")
        for number, note in enumerate(told.notes, 1):
            parts.append(f"<p>{escape(messages.say('export.note-mark', number=number))} {_plain(note, messages)}</p>")
    return "\n".join([*parts, *_aside(behind, language, messages)]) + "\n"


def _aside(text: str, language: Language, messages: Messages) -> list[str]:
    if not text.strip():
        return []
    cells = "".join(_pasted(block, messages) for block in prose(text, language).blocks)
    return [f"<table><tbody><tr><td>{cells}</td></tr></tbody></table>"]


def _pasted(block: Block, messages: Messages) -> str:
    if block.kind == "break":
        return "<hr/>"
    lines = "".join(f"<p>{_plain(line, messages)}</p>" for line in block.lines)
    if block.kind == "paragraph":
        return lines
    if block.kind == "quote":
        return f"<blockquote>{lines}</blockquote>"
    if block.kind == "box":
        return f"<table><tbody><tr><td>{lines}</td></tr></tbody></table>"
    rows = []
    for at, row in enumerate(block.rows):
        tag = "th" if block.head and at == 0 else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{_plain(cell, messages)}</{tag}>" for cell in row) + "</tr>")
    return f"<table><tbody>{''.join(rows)}</tbody></table>"


def _plain(line: Line, messages: Messages) -> str:
    parts = []
    for run in line:
        text = escape(run.text, quote=False)
        if run.note:
            text = f"<sup>{escape(messages.say('export.note-mark', number=run.note))}</sup>"
        elif run.ruby:
            text = escape(messages.say("export.ruby", text=run.text, reading=run.ruby), quote=False)
        parts.append(f"<strong>{text}</strong>" if run.dots else f"<em>{text}</em>" if run.emphasis else text)
    return "".join(parts)
