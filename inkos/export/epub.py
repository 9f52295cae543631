"""The manuscript as an EPUB 3 file in memory, packed through EbookLib; knows neither disk nor clock.

EbookLib writes package, contents and NCX. Pages go in as finished bytes (its own page class reparses and silently
repairs HTML), and its zip is packed anew, because zip entries carry the time of day: the same book, the same bytes.
Pages of prose are made while they are packed, one at a time, so a long book takes little more room than its text.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal

from inkos.errors import InkosError
from inkos.export import pages
from inkos.export.archive import packed_anew
from inkos.export.cover import cover_svg
from inkos.export.manuscript import Manuscript, book_title, by_volume, heading, normalised
from inkos.export.stylesheet import stylesheet
from inkos.messages import Messages

# What a reading system may tell a reader who cannot see, or does not want to (names of schema.org).
ACCESSIBILITY = (
    ("schema:accessMode", "textual"),
    ("schema:accessModeSufficient", "textual"),
    ("schema:accessibilityFeature", "structuralNavigation"),
    ("schema:accessibilityFeature", "tableOfContents"),
    ("schema:accessibilityFeature", "readingOrder"),
    ("schema:accessibilityFeature", "alternativeText"),
    ("schema:accessibilityHazard", "none"),
)
COVERS = {"image/jpeg": "cover.jpg", "image/png": "cover.png", "image/svg+xml": "cover.svg"}
Pages = dict[str, Callable[[], bytes]]  # a page's name in the file → what makes it


def to_epub(manuscript: Manuscript, messages: Messages) -> bytes:
    """The file. `messages` are in the book's language. InkosError `export-nothing` when there is no chapter, since an
    EPUB without a page is not one. Characters that XML forbids are left out (`check` counts them)."""
    from ebooklib import epub  # heavy: only when a book is really exported

    if not manuscript.chapters:
        raise InkosError("export-nothing", left_out=0)
    book = normalised(manuscript)
    package = epub.EpubBook()
    _describe(package, book, messages)
    style = epub.EpubItem("style", "style.css", "text/css", stylesheet(book.language).encode())
    package.add_item(style)
    late: Pages = {}
    cover, *front = _front(package, epub, book, messages)
    spine, contents = _body(package, epub, late, book, messages)
    before = _matter(package, epub, late, book, "front", messages)
    behind = _matter(package, epub, late, book, "back", messages)
    package.toc = [*_links(epub, before), *contents, *_links(epub, behind)]
    package.spine = [cover, *front, *(item for item, _ in before), *spine, *(item for item, _ in behind)]
    package.guide = [
        {"type": "cover", "href": "cover.xhtml", "title": messages.say("export.cover")},
        {"type": "toc", "href": "nav.xhtml", "title": messages.say("export.contents")},
        {"type": "text", "href": spine[0].file_name, "title": messages.say("export.begin")},
    ]
    raw = io.BytesIO()
    options = {
        "mtime": _modified(book.modified),
        "landmark_title": messages.say("export.landmarks"),
        "epub3_pages": False,  # it would parse every page again to look for page numbers that are not there
        "raise_exceptions": True,
        "compresslevel": 0,
    }
    epub.write_epub(raw, package, options)
    return packed_anew(raw, late)


def _describe(package: Any, book: Manuscript, messages: Messages) -> None:
    package.set_identifier(book.identifier)
    package.set_title(book_title(book, messages))
    package.set_language(book.language)
    if book.author:
        package.add_author(book.author, role="aut")
    if book.rehearsal:
        package.add_metadata("DC", "description", messages.say("export.rehearsal"))
    if book.series:
        series = {"property": "belongs-to-collection", "id": "series"}
        package.add_metadata(None, "meta", book.series.name, series)
        package.add_metadata(None, "meta", "series", {"refines": "#series", "property": "collection-type"})
        position = f"{book.series.position:g}"
        package.add_metadata(None, "meta", position, {"refines": "#series", "property": "group-position"})
    for name, value in ACCESSIBILITY:
        package.add_metadata(None, "meta", value, {"property": name})
    summary = messages.say("export.accessibility")
    package.add_metadata(None, "meta", summary, {"property": "schema:accessibilitySummary"})


def _front(package: Any, epub: Any, book: Manuscript, messages: Messages) -> list[Any]:
    """Cover, title page and contents, in reading order."""
    kind: str = book.cover.media_type if book.cover else "image/svg+xml"
    picture = book.cover.content if book.cover else cover_svg(book, messages).encode()
    name = COVERS[kind]
    image = epub.EpubCover("cover-image", name)
    image.media_type, image.content = kind, picture
    package.add_item(image)
    package.add_metadata(None, "meta", "", {"name": "cover", "content": "cover-image"})  # where EPUB 2 readers look
    cover = _page(epub, "cover", pages.cover_page(book, name, messages))
    title = _page(epub, "titlepage", pages.title_page(book, messages))
    contents = epub.EpubNav(title=messages.say("export.contents"))
    contents.add_link(href="style.css")
    for item in (cover, title, contents, epub.EpubNcx()):
        package.add_item(item)
    return [cover, title, contents]


def _body(
    package: Any, epub: Any, late: Pages, book: Manuscript, messages: Messages
) -> tuple[list[Any], list[Any]]:
    """Chapters with their volumes' title pages: the reading order, and the contents, nested once where there are
    volumes and flat where there are none."""
    spine: list[Any] = []
    contents: list[Any] = []
    for volume_number, (volume, chapters) in enumerate(by_volume(book.chapters), 1):
        entries: list[Any] = []
        if volume:
            opening = _page(epub, f"volume-{volume_number:03}", pages.volume_page(volume, book.language))
            spine.append(opening)
            contents.append((epub.Section(volume, opening.file_name), entries))
        else:
            entries = contents
        for number, chapter in chapters:
            item = _page(epub, f"chapter-{number:04}", b"")
            late[f"EPUB/{item.file_name}"] = partial(pages.chapter_page, chapter, number, book.language, messages)
            spine.append(item)
            entries.append(epub.Link(item.file_name, heading(chapter, number, messages), f"entry-{number:04}"))
    for item in spine:
        package.add_item(item)
    return spine, contents


def _matter(
    package: Any, epub: Any, late: Pages, book: Manuscript, where: Literal["front", "back"], messages: Messages
) -> list[tuple[Any, str]]:
    """The pages before or behind the story, with their titles."""
    made = []
    for number, matter in enumerate(getattr(book, where), 1):
        item = _page(epub, f"{where}-{number:02}", b"")
        late[f"EPUB/{item.file_name}"] = partial(pages.matter_page, matter, where, book.language, messages)
        package.add_item(item)
        made.append((item, matter.title))
    return made


def _links(epub: Any, matter: list[tuple[Any, str]]) -> list[Any]:
    return [epub.Link(item.file_name, title, f"entry-{item.id}") for item, title in matter if title]


def _page(epub: Any, name: str, content: bytes) -> Any:
    """A finished page. Names are ASCII and begin with a letter, whatever the chapter is called."""
    return epub.EpubItem(name, f"{name}.xhtml", "application/xhtml+xml", content)


def _modified(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def contents_of(epub: bytes) -> tuple[list[str], list[str], int]:
    """What a finished file holds: names of its pages, those that its contents lead to, and how many of these are
    chapters."""
    with zipfile.ZipFile(io.BytesIO(epub)) as archive:
        names = [name.removeprefix("EPUB/") for name in archive.namelist()]
        linked = re.findall(r'href="([\w.-]+\.xhtml)"', archive.read("EPUB/nav.xhtml").decode())
    return names, linked, len({name for name in linked if name.startswith("chapter-")})
