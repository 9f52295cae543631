"""The manuscript as an EPUB 3 file in memory, packed through EbookLib; knows neither disk nor clock.

EbookLib writes package, contents and NCX. Pages go in as finished bytes (its own page class reparses and silently
repairs HTML), and its zip is packed anew, because zip entries carry the time of day: the same book, the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from datetime import UTC, datetime
from typing import Any

from inkos.errors import InkosError
from inkos.export import pages
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
COMPRESSION = 6
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip entry can carry


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
    front = _front(package, epub, book, messages)
    spine, contents = _body(package, epub, book, messages)
    package.toc = contents
    package.spine = [*front, *spine]
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
    return _repacked(raw)


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
    name = {"image/jpeg": "cover.jpg", "image/png": "cover.png", "image/svg+xml": "cover.svg"}[kind]
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


def _body(package: Any, epub: Any, book: Manuscript, messages: Messages) -> tuple[list[Any], list[Any]]:
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
            text = pages.chapter_page(chapter, number, book.language, messages)
            item = _page(epub, f"chapter-{number:04}", text)
            spine.append(item)
            entries.append(epub.Link(item.file_name, heading(chapter, number, messages), f"entry-{number:04}"))
    for item in spine:
        package.add_item(item)
    return spine, contents


def _page(epub: Any, name: str, content: bytes) -> Any:
    """A finished page. Names are ASCII and begin with a letter, whatever the chapter is called."""
    return epub.EpubItem(name, f"{name}.xhtml", "application/xhtml+xml", content)


def _modified(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _repacked(raw: io.BytesIO) -> bytes:
    """The same entries with fixed times and owner, `mimetype` first and stored as the format demands."""
    packed = io.BytesIO()
    with zipfile.ZipFile(raw) as source, zipfile.ZipFile(packed, "w") as target:
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            target.writestr(entry, source.read(name), compresslevel=COMPRESSION)
    return packed.getvalue()
