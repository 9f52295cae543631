"""The verb that lets a book out: which chapters, for whom, in which form, what was left out; knows no file format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Literal

from pydantic import Field

from inkos.actions.chapter_run import open_run
from inkos.actions.exported import chapter_file, content_of, made_whole
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError, UsageFault
from inkos.export import check as coded
from inkos.export.cover import WIDTH, cover_svg, cover_words
from inkos.export.manuscript import Cover, Manuscript, ManuscriptChapter, Matter, identifier_for, numbered
from inkos.export.profile import Format, Profile, Trim
from inkos.kernel.book import Book
from inkos.kernel.findings import Finding
from inkos.messages import Language, Messages
from inkos.ports import BookStore, FileProblem
from inkos.records import Record
from inkos.text.split import heading_and_prose

EPOCH = "2000-01-01T00:00:00Z"  # of a book without an accepted chapter: drafts only
_RANGE = re.compile(r"(\d{1,6})?(-)?(\d{1,6})?")


class Export(Record):
    """`output` empty: exports/ inside the book. `approved`: leave flagged chapters out. `chapters`: a range (`1-40`),
    `volume`: its number from 1 or its title; both empty: all. `place`: the profile. `format` null: the place's."""

    book: str
    format: Format | None = None
    output: str = ""
    drafts: bool = False
    approved: bool = False
    check: bool = False
    chapters: str = ""
    volume: str = ""
    split: bool = False
    place: str = ""
    trim: Trim | None = None


class LeftOut(Record):
    title: str
    position: int
    why: Literal["waiting", "flagged"]


class Exported(Record):
    """`file` is the folder where chapters are files of their own (`files` then counts them). `counts`: the length of
    all chapters by the book's rule and by the place's. `place_file`: the workspace's file behind the profile.
    `epubcheck` (errors, warnings) null: not asked for, or not installed. `checked`: whether findings decide."""

    book: str
    file: str
    format: Format
    chapters: int
    bytes: int
    files: int = 1
    place: str = ""
    place_file: str = ""
    about: dict[Language, str] = {}
    counts: tuple[int, int] = (0, 0)
    left_out: tuple[LeftOut, ...]
    findings: tuple[Finding, ...]
    checked: bool = False
    epubcheck: tuple[int, int] | None = None
    lines: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        wrong = any(finding.severity != "info" for finding in self.findings)
        return (self.checked and wrong) or (self.epubcheck is not None and any(self.epubcheck))


class Chosen(Record):
    """A chapter that goes out, with its position in the whole book and the name of its file."""

    position: int
    stem: str = ""
    chapter: ManuscriptChapter = Field(repr=False)


@action("export", Export, Exported, "writes")
async def export(door: Door, command: Export) -> Exported:
    """Canon in its order; what is left out is named. The same book gives the same bytes."""
    workspace = door.workspace
    if command.output == "-":  # standard output carries the report
        raise UsageFault("export-stdout", where="--output")
    profile, place_file = workspace.profile(command.place) if command.place else (Profile(), "")
    format = _format(command, profile)
    store = workspace.store(command.book)
    book = store.read(recent=0)
    messages = workspace.messages(book.config.language)
    _complete(command.book, store)
    chosen, left = _chosen(command, _chapters(door, command, store, book, messages), book)
    if not chosen:
        raise InkosError("export-nothing", where=command.book, left_out=len(left))
    split = command.split or (profile.split and not command.output.endswith(f".{format}"))
    manuscript, found = _manuscript(door, command, book, store, profile, chosen, format)
    found = [*coded.check(manuscript), *found]
    if command.place:
        found += coded.check_place(manuscript, profile, messages)
    trim = command.trim or profile.trim
    file = command.output or _default_file(workspace.book_folder(command.book), command, format, split)
    if split:
        files = dict(_single(door, store, manuscript, chosen, profile, format, trim, messages))
        others = workspace.write_folder(file, files)
        found += [coded.other_files(list(others))] if others else []
        size, content = sum(map(len, files.values())), b""
    else:
        content = content_of(workspace, manuscript, profile, format, trim, messages)
        workspace.write_file(file, content)
        files, size = {file: content}, len(content)
        found += made_whole(content, manuscript) if format == "epub" else ()
    report = workspace.epubcheck(content) if command.check and content and format == "epub" else None
    lengths = coded.counts(manuscript, profile, book.config.length.count_punctuation)
    return Exported(
        book=command.book, file=file, format=format, chapters=len(chosen), bytes=size, files=len(files),
        place=command.place, place_file=place_file, about=profile.about,
        counts=(sum(own for own, _ in lengths), sum(theirs for _, theirs in lengths)), left_out=tuple(left),
        findings=tuple(found), checked=command.check,
        epubcheck=(report.errors, report.warnings) if report else None, lines=report.lines if report else (),
    )  # fmt: skip


def _format(command: Export, profile: Profile) -> Format:
    if command.format is None:
        return profile.formats[0]
    if command.format not in profile.formats:
        raise UsageFault("export-format-place", where="--format", given=command.place, format=command.format,
                         allowed=", ".join(profile.formats))  # fmt: skip
    return command.format


def _complete(name: str, store: BookStore) -> None:
    def gone(problem: FileProblem) -> bool:
        return problem.kind in ("missing", "empty", "unreadable") and "chapters/" in problem.path

    missing = [problem.path for problem in store.problems() if gone(problem)]
    if missing:
        raise InkosError("export-incomplete", where=missing[0], book=name, count=len(missing))


def _default_file(folder: str, command: Export, format: Format, split: bool) -> str:
    """exports/<book>[-<place>][-<range or volume>].<format>, or a folder of that name where chapters are files."""
    told = command.chapters.replace(" ", "")
    told = f"1{told}" if told.startswith("-") else f"{told}on" if told.endswith("-") else told
    part = told or (f"v{command.volume}" if command.volume.isdecimal() else command.volume and "volume")
    name = "-".join(each for each in (command.book, command.place, part) if each)
    return f"{folder}/exports/{name}-{format}" if split else f"{folder}/exports/{name}.{format}"


def _single(
    door: Door, store: BookStore, manuscript: Manuscript, chosen: list[Chosen], profile: Profile, format: Format,
    trim: Trim, messages: Messages,
) -> Iterator[tuple[str, bytes]]:  # fmt: skip
    """Each chapter as a file of its own, with the author's words around it where the place has room for them."""

    def words(folder: str, stem: str) -> str:
        found = store.file(f"matter/{folder}/{stem}.md") or store.file(f"matter/{folder}/every.md") or b""
        return found.decode("utf-8-sig", errors="replace") if profile.author_notes and stem else ""

    for at, each in enumerate(chosen):
        one = manuscript.model_copy(update={"chapters": (manuscript.chapters[at],), "front": (), "back": ()})
        around = (words("before", each.stem), words("after", each.stem))
        name = chapter_file(each.position, one.chapters[0], format, messages)
        yield name, content_of(door.workspace, one, profile, format, trim, messages, single=True, around=around)


# ── which chapters ───────────────────────────────────────────────────────────────────────────────────────────────────


def _waiting(door: Door, name: str) -> ChapterState | None:
    """A chapter kept for review: a draft to readers of the book."""
    record = open_run(door.workspace.runs(name))
    if record is None or record.status != "needs-review":
        return None
    return ChapterState.model_validate(record.machine)


def _chapters(door: Door, command: Export, store: BookStore, book: Book, messages: Messages) -> list[Chosen]:
    """Canon in order, and behind it the chapter that waits, marked as a draft. Labels count through the whole book."""
    volumes = {entry.key: entry.volume for entry in book.outline.entries}
    chapters = [
        ManuscriptChapter(
            label=entry.label, title=entry.title, text=store.text(entry.id), volume=volumes.get(entry.outline_key, "")
        )
        for entry in book.index.chapters
    ]
    stems = [PurePosixPath(entry.file).stem for entry in book.index.chapters]
    waiting = _waiting(door, command.book)
    if waiting is not None and waiting.position == len(chapters) + 1:
        title = waiting.plan.title if waiting.plan else waiting.entry.title
        text = waiting.version(waiting.best).text
        chapters.append(ManuscriptChapter(title=title, text=text, volume=waiting.entry.volume, draft=True))
        stems.append("")
    return [
        Chosen(position=position, stem=stem, chapter=chapter)
        for position, (stem, chapter) in enumerate(zip(stems, numbered(chapters, messages), strict=True), 1)
    ]


def _chosen(command: Export, chapters: list[Chosen], book: Book) -> tuple[list[Chosen], list[LeftOut]]:
    """What goes out of what was asked for, and what of it is left out."""
    kept: list[Chosen] = []
    left: list[LeftOut] = []
    first, last = _range(command.chapters, len(chapters))
    volume = _volume(command.volume, chapters) if command.volume else None
    for each in chapters:
        if not first <= each.position <= last or volume not in (None, each.chapter.volume):
            continue
        at = each.position - 1
        flagged = at < len(book.index.chapters) and book.index.chapters[at].status == "flagged"
        if each.chapter.draft and not command.drafts:
            left.append(LeftOut(title=each.chapter.title, position=each.position, why="waiting"))
        elif flagged and command.approved:
            left.append(LeftOut(title=each.chapter.title, position=each.position, why="flagged"))
        else:
            kept.append(each)
    return kept, left


def _range(told: str, last: int) -> tuple[int, int]:
    """`5`, `1-40`, `41-`, `-40`; empty: all. UsageFault `export-range`."""
    if not told:
        return 1, max(last, 1)
    match = _RANGE.fullmatch(told.replace(" ", ""))
    low, high = (int(match[1] or 1), int(match[3] or last) if match[2] else int(match[1] or 0)) if match else (0, 0)
    if not 1 <= low <= high <= last:
        raise UsageFault("export-range", where="--chapters", given=told, last=last)
    return low, high


def _volume(told: str, chapters: list[Chosen]) -> str:
    known = list(dict.fromkeys(each.chapter.volume for each in chapters if each.chapter.volume))
    if told in known:
        return told
    if told.isdecimal() and 1 <= int(told) <= len(known):
        return known[int(told) - 1]
    raise UsageFault("export-volume", where="--volume", given=told, known=", ".join(known) or "–")


# ── the book around them ─────────────────────────────────────────────────────────────────────────────────────────────


def _manuscript(
    door: Door, command: Export, book: Book, store: BookStore, profile: Profile, chosen: list[Chosen], format: Format
) -> tuple[Manuscript, list[Finding]]:
    """The book as it leaves, and what is wrong with its cover."""
    config = book.config
    dates = [c.accepted_at for c in book.index.chapters if re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]{8}Z", c.accepted_at)]
    matter = profile.matter and format not in ("md", "txt")
    manuscript = Manuscript(
        title=config.title, author=config.author, language=config.language,
        identifier=identifier_for(config.id, config.author), modified=max(dates, default=EPOCH), series=config.series,
        rehearsal=config.rehearsal, chapters=tuple(each.chapter for each in chosen),
        front=_matter(store, "front") if matter else (), back=_matter(store, "back") if matter else (),
    )  # fmt: skip
    if format not in ("epub", "html"):
        return manuscript, []
    cover, found = _cover(door, command.book, manuscript, config.cover, profile, drawn=format == "epub")
    return manuscript.model_copy(update={"cover": cover}), found


def _cover(
    door: Door, name: str, manuscript: Manuscript, given: str, profile: Profile, *, drawn: bool
) -> tuple[Cover | None, list[Finding]]:
    form, workspace = profile.cover, door.workspace
    if given:
        picture = workspace.fitted_cover(workspace.read_book_file(name, given), given, form)
        found = list(coded.check_cover(picture.width, picture.height, len(picture.content), form))
        return Cover(content=picture.content, media_type=picture.media_type), found
    if not drawn:
        return None, []
    messages = workspace.messages(manuscript.language)
    height = max(2000, min(WIDTH * form.height // form.width, 2700))
    made = workspace.drawn_cover(cover_svg(manuscript, messages, height), cover_words(manuscript, messages), form)
    if made is None:
        return None, [coded.no_letters()]
    return Cover(content=made.content, media_type=made.media_type), []


def _matter(store: BookStore, where: str) -> tuple[Matter, ...]:
    pages = []
    for path in store.names(f"matter/{where}"):
        if path.endswith(".md"):
            text = (store.file(path) or b"").decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
            title, prose = heading_and_prose(text)
            pages.append(Matter(title=title, text=prose))
    return tuple(pages)
