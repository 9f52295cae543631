"""What stands before readers against what the book says now: differences, errata.md, stock; changes no chapter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from inkos.config import BookConfig
from inkos.errors import InkosError
from inkos.export.errata import ChangedChapter, errata_page
from inkos.kernel.book import ChapterEntry
from inkos.ports import BookStore
from inkos.records import Record

FOLDER = "story/published"
ERRATA = "errata.md"
WEEKS = timedelta(weeks=4)  # over which the pace of a site is taken, where book.yaml names none


class Stock(Record):
    """`ready`: accepted chapters that are not on the site yet; `scheduled` of the published ones lie ahead. `days`: how
    long both last at `per_day`; null where no pace is known. `differs`: positions of chapters whose text is no longer
    the published one."""

    site: str
    published: int
    scheduled: int
    ready: int
    per_day: float | None
    days: float | None
    differs: tuple[int, ...] = ()


def published_path(site: str, chapter: str) -> str:
    return f"{FOLDER}/{site}/{chapter}.md"


def errata_file(
    store: BookStore, title: str, old: Sequence[ChapterEntry], rows: Sequence[ChapterEntry], touched: Sequence[str],
    files: Mapping[str, bytes | None],
) -> dict[str, bytes | None]:  # fmt: skip
    """errata.md as it is after a change, where the change touches what is published; nothing otherwise."""
    if not any(row.published and row.id in touched for row in (*old, *rows)):
        return {}
    page = errata_page(title, differences(store, old, rows, files))
    there = store.file(ERRATA)
    if not page:
        return {ERRATA: None} if there is not None else {}
    return {ERRATA: page.encode()} if there != page.encode() else {}


def differences(
    store: BookStore, old: Sequence[ChapterEntry], rows: Sequence[ChapterEntry], files: Mapping[str, bytes | None]
) -> Iterator[ChangedChapter]:
    """Published chapters that are another now, or gone. `files`: what is about to be written."""
    here = {row.id for row in rows}
    gone = [(position, row) for position, row in enumerate(old, 1) if row.id not in here]
    for position, row in (*enumerate(rows, 1), *gone):
        for publication in row.published:
            path = published_path(publication.site, row.id)
            before = files.get(path) or store.file(path)
            after = (files[row.file] if row.file in files else store.file(row.file)) if row.id in here else None
            if before is not None and before != after:
                yield ChangedChapter(
                    site=publication.site, position=position, title=row.title, before=_text(before),
                    after=None if after is None else _text(after), reasons=tuple(each.reason for each in row.errata),
                )  # fmt: skip


def _text(content: bytes) -> str:
    return content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")


def stocks(store: BookStore, config: BookConfig, rows: Sequence[ChapterEntry], today: date) -> tuple[Stock, ...]:
    """One row for each site that has a chapter, or that book.yaml names."""
    differing: dict[str, list[int]] = {}
    for changed in differences(store, rows, rows, {}):
        differing.setdefault(changed.site, []).append(changed.position)
    sites = sorted({*config.sites, *(each.site for row in rows for each in row.published)})
    return tuple(_stock(site, config, rows, today, tuple(differing.get(site, ()))) for site in sites)


def _stock(
    site: str, config: BookConfig, rows: Sequence[ChapterEntry], today: date, differs: tuple[int, ...]
) -> Stock:
    days = [date.fromisoformat(each.at) for row in rows for each in row.published if each.site == site]
    ahead = sum(day > today for day in days)
    ready = len(rows) - len(days)
    given = config.sites[site].per_day if site in config.sites else None
    pace = given or _pace(days, today)
    left = (ready + ahead) / pace if pace else None
    return Stock(site=site, published=len(days) - ahead, scheduled=ahead, ready=ready, per_day=pace, days=left,
                 differs=differs)  # fmt: skip


def _pace(days: Sequence[date], today: date) -> float | None:
    """Chapters a day over the last four weeks, or since the first day if later; null before the second day."""
    late = [day for day in days if today - WEEKS < day <= today]
    if not late or min(late) == today:
        return None
    return len(late) / ((today - min(late)).days + 1)


def held(row: ChapterEntry, position: int) -> InkosError:
    """Why the text of a locked chapter does not change: readers of a site have it, or the author locked it."""
    sites = ", ".join(each.site for each in row.published)
    code = "chapter-published" if sites else "chapter-locked"
    return InkosError(code, where=row.file, chapter=position, title=row.title, sites=sites)
