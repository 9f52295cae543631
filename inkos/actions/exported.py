"""One manuscript as the bytes of one file, in each format, and what such a file is called; chooses no chapter."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inkos.export.check import check_contents
from inkos.export.manuscript import Manuscript, ManuscriptChapter, plain_heading
from inkos.export.plain import plain_chapter, to_plain
from inkos.export.profile import Format, Profile, Trim
from inkos.export.text import to_markdown, to_text
from inkos.kernel.findings import Finding
from inkos.messages import Messages
from inkos.ports import Workspace

# What some system or other forbids in a file's name.
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]+')
LONGEST_NAME = 60


def chapter_file(position: int, chapter: ManuscriptChapter, format: Format, messages: Messages) -> str:
    """`0012 第十二章 渡口.txt`: sorts by position, and is a name on every system."""
    title = " ".join(_UNSAFE.sub(" ", plain_heading(chapter, position, messages)).split())[:LONGEST_NAME].strip(" .")
    return f"{position:04} {title}.{format}" if title else f"{position:04}.{format}"


def content_of(
    workspace: Workspace, manuscript: Manuscript, profile: Profile, format: Format, trim: Trim, messages: Messages,
    *, single: bool = False, around: tuple[str, str] = ("", ""),
) -> bytes:  # fmt: skip
    """The file. `single`: it is one chapter, and needs no title page where the format can do without. `around`: the
    author's words before and after it. Each format's library is loaded only here."""
    language, chapter = manuscript.language, manuscript.chapters[0]
    if format == "epub":
        from inkos.export.epub import to_epub

        return to_epub(manuscript, messages)
    if format == "docx":
        from inkos.export.docx import to_docx

        return to_docx(manuscript, messages, editors=profile.manuscript, trim=trim)
    if format == "pdf":
        from inkos.export.typst import to_typst

        return workspace.typeset(to_typst(manuscript, messages, trim), language)
    if format == "html":
        from inkos.export.html import fragment, to_html

        if profile.fragment and single:
            return fragment(chapter, language, messages, before=around[0], behind=around[1]).encode()
        return to_html(manuscript, messages).encode()
    if profile.text.marks == "plain" and format == "txt":
        told = plain_chapter(chapter, 1, language, profile.text, messages) + "\n" if single else ""
        return (told or to_plain(manuscript, profile.text, messages)).encode()
    return (to_markdown if format == "md" else to_text)(manuscript, messages).encode()


def made_whole(epub: bytes, manuscript: Manuscript) -> Iterable[Finding]:
    """The finished EPUB against itself and the manuscript."""
    from inkos.export.epub import contents_of

    return check_contents(*contents_of(epub), manuscript)
