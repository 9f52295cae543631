"""What is wrong with a manuscript before it is packed, as coded findings; knows no file format and changes nothing.

`path` is `book` or `chapters[n]`, n the place among those that go out, from 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkos.export.manuscript import Manuscript, ManuscriptChapter, normalise, plain_heading
from inkos.export.markup import NOTE, note_labels, unclosed
from inkos.export.profile import CoverForm, Profile
from inkos.export.prose import closed
from inkos.kernel.findings import Finding, Severity
from inkos.messages import Messages
from inkos.text.blocks import blocks
from inkos.text.count import count
from inkos.text.headings import parse_heading

OPENS_BOOK = re.compile(r"序|楔子|引子|prologue|foreword|preface|introduction", re.IGNORECASE)
ENDS_BOOK = re.compile(r"尾声|终章|终曲|大结局|后记|epilogue|afterword", re.IGNORECASE)
SHOWN = 40  # characters of a quote
ODD_SHAPE = 0.15  # a cover that is so much wider or narrower than asked for shows bars


def check(manuscript: Manuscript) -> tuple[Finding, ...]:
    """Findings `export-001` … in the order of the book; only `export-001` (nothing to export) blocks."""
    found: list[Finding] = []
    if not manuscript.chapters:
        found.append(_finding("export-001", "blocking", "book"))
    if not normalise(manuscript.title)[0].strip():
        found.append(_finding("export-002", "warning", "book"))
    series = manuscript.series.name if manuscript.series else ""
    title = normalise(manuscript.title)[0]
    found += _removed("book", title, manuscript.title, manuscript.author, series)
    for number, chapter in enumerate(manuscript.chapters, 1):
        found += _check_chapter(chapter, number)
    return (*found, *_order(manuscript))


def _finding(code: str, severity: Severity, path: str, **values: object) -> Finding:
    told = {key: str(value) for key, value in values.items()}
    return Finding(code=code, severity=severity, path=path, values=told, repairable=False)


def _title(chapter: ManuscriptChapter) -> str:
    return " ".join(normalise(f"{chapter.label} {chapter.title}")[0].split())


def _check_chapter(chapter: ManuscriptChapter, number: int) -> list[Finding]:
    path, title = f"chapters[{number}]", _title(chapter)
    found: list[Finding] = []
    if not normalise(chapter.text)[0].strip():
        found.append(_finding("export-003", "warning", path, chapter=number, title=title))
    if not title:
        found.append(_finding("export-004", "warning", path, chapter=number, title=title))
    found += _removed(path, title, chapter.label, chapter.title, chapter.volume, chapter.text)
    for code, words in _half_marks(chapter.text):
        found.append(_finding(code, "warning", path, chapter=number, title=title, words=words.strip()[:SHOWN]))
    return found


def _removed(path: str, title: str, *texts: str) -> list[Finding]:
    removed = sum(normalise(text)[1] for text in texts)
    return [_finding("export-005", "info", path, count=removed, title=title)] if removed else []


def _half_marks(text: str) -> Iterator[tuple[str, str]]:
    """A mark without its other half, and a note without its words or its place."""
    for words in unclosed(text):
        yield "export-006", words
    if ":::" in text:
        for block in blocks(text):
            if not closed(text[block.start : block.end]):
                yield "export-006", text[block.start : block.end].strip().split("\n")[0]
    if "[^" in text:
        said = [match["label"] for line in text.split("\n") if (match := NOTE.fullmatch(line.strip()))]
        asked = note_labels(text)
        yield from (("export-007", f"[^{label}]") for label in asked if label not in said)
        yield from (("export-008", f"[^{label}]") for label in said if label not in asked or said.count(label) > 1)


def _order(manuscript: Manuscript) -> Iterator[Finding]:
    """Chapters that name their number or their place, and stand elsewhere. A number that falls back to 1 begins a new
    count, as in a new volume."""
    last = 0.0
    chapters = manuscript.chapters
    for number, chapter in enumerate(chapters, 1):
        named = parse_heading(chapter.label or chapter.title)
        if named is None:
            continue
        values = {"chapter": number, "title": _title(chapter)}
        path = f"chapters[{number}]"
        if named.kind == "special":
            early = OPENS_BOOK.match(chapter.label or chapter.title)
            late = ENDS_BOOK.match(chapter.label or chapter.title)
            begins = number == 1 or chapters[number - 2].volume != chapter.volume
            rest = chapters[number:]
            ends = all(_is_special(each) or each.volume != chapter.volume for each in rest)
            if (early and not begins and not _is_special(chapters[number - 2])) or (late and not ends):
                yield _finding("export-009", "warning", path, **values)
        elif named.kind == "chapter" and named.number is not None and named.sure:
            if named.number <= last and named.number != 1 and not named.part:
                yield _finding("export-010", "warning", path, number=f"{named.number:g}", last=f"{last:g}", **values)
            last = named.number


def _is_special(chapter: ManuscriptChapter) -> bool:
    named = parse_heading(chapter.label or chapter.title)
    return named is not None and named.kind == "special"


# ── what a place asks for ────────────────────────────────────────────────────────────────────────────────────────────


def counts(manuscript: Manuscript, profile: Profile, own_punctuation: bool) -> list[tuple[int, int]]:
    """The length of each chapter by the book's own count and by the place's."""
    language = manuscript.language
    return [
        (count(chapter.text, language, punctuation=own_punctuation),
         count(chapter.text, language, punctuation=profile.count_punctuation))
        for chapter in manuscript.chapters
    ]  # fmt: skip


def check_place(manuscript: Manuscript, profile: Profile, messages: Messages) -> Iterator[Finding]:
    """What the place would not take: language, length of chapters and of titles, marks that it would show as they are
    (`export-011` …)."""
    if profile.language not in (None, manuscript.language):
        yield _finding("export-011", "warning", "book", language=manuscript.language, wanted=profile.language)
    limits = profile.chapter
    lengths = counts(manuscript, profile, own_punctuation=False)
    for number, (chapter, (_, length)) in enumerate(zip(manuscript.chapters, lengths, strict=True), 1):
        path, values = f"chapters[{number}]", {"chapter": number, "title": _title(chapter)}
        if limits.least and length < limits.least:
            yield _finding("export-012", "warning", path, count=length, limit=limits.least, **values)
        if limits.most and length > limits.most:
            yield _finding("export-013", "warning", path, count=length, limit=limits.most, **values)
        title = plain_heading(chapter, number, messages)
        if limits.title and len(title) > limits.title:
            yield _finding("export-014", "warning", path, count=len(title), limit=limits.title, **values)
        left = LEFT_MARK.search(chapter.text) if profile.text.marks == "plain" else None
        if left:
            yield _finding("export-015", "warning", path, words=left[0].strip()[:SHOWN], **values)


# Marks of Markdown that this manuscript does not know, and that would stand on the page as they are.
LEFT_MARK = re.compile(r"\*\*[^*\n]+\*\*|^#{1,6} .*|`[^`\n]+`|!?\[[^\]\n]+\]\([^)\n]+\)", re.MULTILINE)


def check_cover(width: int, height: int, size: int, form: CoverForm) -> Iterator[Finding]:
    """A given picture of `width` × `height` pixels, `size` bytes as it goes out."""
    if width < form.least_width or height < form.least_height:
        least = f"{form.least_width} × {form.least_height}"
        yield _finding("export-016", "warning", "book", size=f"{width} × {height}", least=least)
    shape = (width / height) / (form.width / form.height)
    if not 1 - ODD_SHAPE <= shape <= 1 + ODD_SHAPE:
        yield _finding("export-017", "info", "book", size=f"{width} × {height}", wanted=f"{form.width} × {form.height}")
    if size > form.most_kb * 1000:
        yield _finding("export-018", "warning", "book", size=size // 1000, limit=form.most_kb)


# ── the finished file ────────────────────────────────────────────────────────────────────────────────────────────────


def check_contents(names: list[str], linked: list[str], entries: int, manuscript: Manuscript) -> Iterator[Finding]:
    """An EPUB against itself: every page that the contents lead to is there, and every chapter has its entry."""
    missing = sorted(set(linked) - set(names))
    for name in missing:
        yield _finding("export-019", "warning", "book", file=name)
    if entries < len(manuscript.chapters):
        yield _finding("export-020", "warning", "book", entries=entries, chapters=len(manuscript.chapters))


def no_letters() -> Finding:
    """The cover could not be drawn as a picture (export-021)."""
    return _finding("export-021", "warning", "book")


def other_files(names: list[str]) -> Finding:
    """Other files lie in the folder of single chapters (export-022)."""
    return _finding("export-022", "info", "book", count=len(names), file=names[0])
