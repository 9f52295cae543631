"""What is wrong with a manuscript before it is packed, as coded findings; knows no file format and changes nothing."""

from __future__ import annotations

from inkos.export.manuscript import Manuscript, ManuscriptChapter, normalise
from inkos.kernel.findings import Finding


def check(manuscript: Manuscript) -> tuple[Finding, ...]:
    """Findings `export-001` … in the order of the book; only `export-001` (nothing to export) blocks.
    `path` is `book` or `chapters[n]` with n from 1."""
    found: list[Finding] = []
    if not manuscript.chapters:
        found.append(Finding(code="export-001", severity="blocking", path="book", repairable=False))
    if not normalise(manuscript.title)[0].strip():
        found.append(Finding(code="export-002", severity="warning", path="book"))
    series = manuscript.series.name if manuscript.series else ""
    title = normalise(manuscript.title)[0]
    found += _removed("book", title, manuscript.title, manuscript.author, series)
    for number, chapter in enumerate(manuscript.chapters, 1):
        found += _check_chapter(chapter, number)
    return tuple(found)


def _check_chapter(chapter: ManuscriptChapter, number: int) -> list[Finding]:
    path = f"chapters[{number}]"
    title = " ".join(normalise(f"{chapter.label} {chapter.title}")[0].split())
    values = {"chapter": str(number), "title": title}
    found: list[Finding] = []
    if not normalise(chapter.text)[0].strip():
        found.append(Finding(code="export-003", severity="warning", path=path, values=values))
    if not title:
        found.append(Finding(code="export-004", severity="warning", path=path, values=values))
    return found + _removed(path, title, chapter.label, chapter.title, chapter.volume, chapter.text)


def _removed(path: str, title: str, *texts: str) -> list[Finding]:
    count = sum(normalise(text)[1] for text in texts)
    values = {"count": str(count), "title": title}
    return [Finding(code="export-005", severity="info", path=path, values=values)] if count else []
