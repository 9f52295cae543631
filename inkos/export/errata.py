"""What was published and has changed since, by chapter and paragraph, to be pasted where it stands; knows no store.

The page has no words but the book's own, so it reads the same in each language: − what stands there, + what belongs
there, ¶ the paragraph of the published text, counted from 1, headings left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from inkos.records import Record
from inkos.text.split import heading_and_prose


class ChangedChapter(Record):
    """`after` null: the chapter was taken out. `reasons`: of its errata, oldest first."""

    site: str
    position: int
    title: str
    before: str
    after: str | None
    reasons: tuple[str, ...] = ()


class Change(Record):
    """`paragraph` counts in the published text; 0: the title. `old` or `new` is empty where something came or went."""

    paragraph: int
    old: str
    new: str


def changes(before: str, after: str) -> Iterator[Change]:
    """Paragraphs that differ, in order."""
    (old_title, old_prose), (new_title, new_prose) = heading_and_prose(before), heading_and_prose(after)
    if old_title != new_title:
        yield Change(paragraph=0, old=old_title, new=new_title)
    old, new = (_paragraphs(text) for text in (old_prose, new_prose))
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            for at in range(max(b - a, d - c)):
                yield Change(paragraph=min(a + at, max(b - 1, a)) + 1, old="".join(old[a + at : min(a + at + 1, b)]),
                             new="".join(new[c + at : min(c + at + 1, d)]))  # fmt: skip


def _paragraphs(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def errata_page(title: str, chapters: Iterable[ChangedChapter]) -> str:
    """errata.md: sites, in them chapters, in them paragraphs; empty where nothing differs."""
    parts: list[str] = []
    site = ""
    for chapter in sorted(chapters, key=lambda each: (each.site, each.position)):
        if chapter.site != site:
            site = chapter.site
            parts.append(f"## {site}\n")
        parts.append(f"### {chapter.position} · {chapter.title}\n")
        parts += [f"> {reason}\n" for reason in chapter.reasons]
        for change in changes(chapter.before, chapter.after or ""):
            at = f"¶ {change.paragraph}" if change.paragraph else "#"
            rows = [f"{sign} {text}" for sign, text in (("−", change.old), ("+", change.new)) if text]
            parts.append("\n".join([at, "", *(f"{row}  " for row in rows)]) + "\n")
    return "\n".join([f"# {title}\n", *parts]) if parts else ""
