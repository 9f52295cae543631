"""Each page of an EPUB as XHTML text; knows neither the container nor the contents list."""

from __future__ import annotations

from html import escape
from typing import Literal

from inkos.export.manuscript import Manuscript, ManuscriptChapter, Matter, book_title, plain_heading, series_line
from inkos.export.prose import prose
from inkos.export.xhtml import body
from inkos.messages import Language, Messages


def page(title: str, body: str, language: Language, *, body_class: str = "") -> bytes:
    marked = f' class="{body_class}"' if body_class else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
        f'lang="{language}" xml:lang="{language}">\n<head>\n<title>{escape(title)}</title>\n'
        '<link rel="stylesheet" type="text/css" href="style.css"/>\n</head>\n'
        f"<body{marked}>\n{body}</body>\n</html>\n"
    ).encode()


def cover_page(manuscript: Manuscript, image: str, messages: Messages) -> bytes:
    title = book_title(manuscript, messages)
    code = "export.cover-alt-author" if manuscript.author else "export.cover-alt"
    alt = messages.say(code, title=title, author=manuscript.author)
    body = f'<section epub:type="cover"><img src="{image}" alt="{escape(alt)}" role="doc-cover"/></section>\n'
    return page(messages.say("export.cover"), body, manuscript.language, body_class="cover")


def title_page(manuscript: Manuscript, messages: Messages) -> bytes:
    title, series = book_title(manuscript, messages), series_line(manuscript, messages)
    lines = [f"<h1>{escape(title)}</h1>"]
    if series:
        lines.append(f'<p class="series">{escape(series)}</p>')
    if manuscript.author:
        lines.append(f'<p class="author">{escape(manuscript.author)}</p>')
    if manuscript.rehearsal:
        lines.append(f'<p class="note">{escape(messages.say("export.rehearsal"))}</p>')
    body = '<section epub:type="titlepage" class="titlepage">\n' + "\n".join(lines) + "\n</section>\n"
    return page(title, body, manuscript.language)


def volume_page(volume: str, language: Language) -> bytes:
    body = f'<section epub:type="part" role="doc-part" class="volume">\n<h1>{escape(volume)}</h1>\n</section>\n'
    return page(volume, body, language)


def chapter_page(chapter: ManuscriptChapter, number: int, language: Language, messages: Messages) -> bytes:
    """`number` is the chapter's place from 1; it names a chapter that has neither label nor title."""
    label, title = chapter.label, chapter.title
    if label and title:
        shown = f'<span class="label">{escape(label)}</span> <span class="title">{escape(title)}</span>'
    else:
        shown = escape(plain_heading(chapter, number, messages))
    parts = ['<section epub:type="chapter" role="doc-chapter" aria-labelledby="heading">']
    parts.append(f'<h1 id="heading">{shown}</h1>')
    if chapter.draft:
        parts.append(f'<p class="draft">{escape(messages.say("export.draft"))}</p>')
    parts += body(prose(chapter.text, language), language, messages)
    parts.append("</section>\n")
    return page(plain_heading(chapter, number, messages), "\n".join(parts), language)


def matter_page(
    matter: Matter, where: Literal["front", "back"], language: Language, messages: Messages
) -> bytes:
    """A page before or behind the story; one without a title (a dedication, a motto) has no heading."""
    named = f' aria-label="{escape(matter.title)}"' if matter.title else ""
    parts = [f'<section epub:type="{where}matter" class="matter"{named}>']
    if matter.title:
        parts.append(f"<h1>{escape(matter.title)}</h1>")
    parts += body(prose(matter.text, language), language, messages)
    parts.append("</section>\n")
    return page(matter.title or messages.say(f"export.{where}"), "\n".join(parts), language)
