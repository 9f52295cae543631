"""Chapters that exist already come in: shown in their order, taken byte for byte, settled in as far as asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inkos.actions.chapter_run import open_run
from inkos.actions.chapters import no_open_run, now
from inkos.actions.history import Change, carry_out
from inkos.actions.production import Step, step
from inkos.actions.review import Decide, decide
from inkos.actions.runs import ResumeRun, resume_run
from inkos.actions.table import Door, action
from inkos.cycle.acceptance import next_file
from inkos.errors import BudgetSpent, UsageFault
from inkos.kernel.book import Book, ChapterEntry
from inkos.kernel.delta import Delta
from inkos.ports import BookStore, OutsideFile
from inkos.records import Record, digest
from inkos.text.count import count
from inkos.text.headings import parse_heading
from inkos.text.numerals import number_of

_RUN = re.compile(r"\d+|第[零〇一二三四五六七八九十百千两]+")


def natural(name: str) -> tuple[tuple[int, float, str], ...]:
    """A key that puts `2.md` before `10.md` and `第九章` before `第十章`."""
    key: list[tuple[int, float, str]] = []
    at = 0
    for found in _RUN.finditer(name.casefold()):
        key.append((1, 0.0, name[at : found.start()].casefold()))
        value = number_of(found[0].removeprefix("第"))
        key.append((0, float(value), "") if value is not None else (1, 0.0, found[0]))
        at = found.end()
    return (*key, (1, 0.0, name[at:].casefold()))


class Adopt(Record):
    """`paths`: files or folders; none: go on with settling what was adopted before. `settle`: `recent:N`, `all` or
    `none`. `after`: the position behind which they come (0: the beginning); null: files that lie in chapters/ already
    where their names belong, all others at the end. `tokens`: how much settling may cost in all."""

    book: str
    paths: tuple[str, ...] = ()
    settle: str = "recent:30"
    after: int | None = None
    tokens: int | None = None
    dry_run: bool = False


class AdoptedFile(Record):
    """`file` is its place in the book, `source` where it came from. `known`: it had been adopted before."""

    position: int
    title: str
    source: str
    file: str
    words: int
    known: bool = False


class Adopted(Record):
    """`settled` and `unsettled` are positions: of those taken into the state now, and of those whose text stands in the
    book while the state knows nothing of it. `flagged`: contradictions that stand, because they are published."""

    book: str
    dry_run: bool
    files: tuple[AdoptedFile, ...]
    settled: tuple[int, ...] = ()
    unsettled: tuple[int, ...] = ()
    flagged: tuple[int, ...] = ()
    tokens: int = 0


@action("chapter-adopt", Adopt, Adopted, "pays", undo="chapter undo")
async def adopt(door: Door, command: Adopt) -> Adopted:
    """All texts come in as one change; then each is settled in order. Stopped or out of budget, the same command goes
    on where it was."""
    window = _window(command.settle)
    store = door.workspace.store(command.book)
    outside = door.workspace.read_chapters(command.book, command.paths) if command.paths else ()
    if command.dry_run:
        shown, _ = _planned(store, store.read(recent=0), outside, command)
        return Adopted(book=command.book, dry_run=True, files=shown)
    with store.hold("chapter adopt"):
        no_open_run(door, command.book, but="settle")
        book = store.read(recent=0)
        files, change = _planned(store, book, outside, command, now(door))
        if change is not None:
            carry_out(command.book, store, book, door.workspace.rules(book.config), change)
    return await _settle(door, command, window, files)


def _window(told: str) -> int:
    """How many of the last chapters are settled. UsageFault for another form."""
    if told in ("all", "none"):
        return 0 if told == "none" else 10**9
    found = re.fullmatch(r"recent:(\d{1,6})", told)
    if found is None:
        raise UsageFault("choice", where="--settle", given=told, allowed="recent:N, all, none")
    return int(found[1])


def _planned(
    store: BookStore, book: Book, outside: Sequence[OutsideFile], command: Adopt, at: str = ""
) -> tuple[tuple[AdoptedFile, ...], Change | None]:
    """The files in their order with their places, and the change that brings the new ones in."""
    if command.after is not None and command.after > len(book.index.chapters):
        raise UsageFault("position-unknown", where=command.book, chapter=command.after, last=len(book.index.chapters))
    known = {row.text_digest: row.id for row in book.index.chapters}
    own = {row.file: row.id for row in book.index.chapters}
    rows, added = list(book.index.chapters), 0
    number = max(book.index.minted.get("chapter", 0), 0)
    taken = {*store.names("chapters"), *(row.file for row in rows)}
    contents: dict[str, bytes | None] = {}
    deltas: dict[str, Delta] = {}
    places: list[tuple[OutsideFile, str, bool]] = []
    for source in sorted(outside, key=lambda each: natural(each.path)):
        # A file that lies in chapters/ is one of the index, or is meant: the same words as another's or not.
        there = own.get(source.inside) if source.inside else known.get(digest(source.content))
        if there is not None:
            places.append((source, there, True))
            continue
        number += 1
        chapter = f"c{number:04d}"
        file = source.inside or next_file(taken, taken)
        taken.add(file)
        if not source.inside:
            contents[file] = source.content
        prose = store.prose(file, source.content)
        entry = ChapterEntry(
            id=chapter, title=_title(source), status="accepted", file=file, text_digest=digest(source.content),
            words=count(prose, book.config.language, punctuation=book.config.length.count_punctuation), accepted_at=at,
        )  # fmt: skip
        place = len(rows) if command.after is None else command.after + added
        if command.after is None and source.inside:
            place = sum(1 for row in rows if natural(row.file) < natural(file))
        rows.insert(place, entry)
        added += 1
        deltas[chapter] = Delta(chapter=chapter, position=place + 1, title=entry.title)
        places.append((source, chapter, False))
    ids = {row.id: position for position, row in enumerate(rows, 1)}
    shown = tuple(
        AdoptedFile(position=ids[chapter], title=rows[ids[chapter] - 1].title, source=source.path,
                    file=rows[ids[chapter] - 1].file, words=rows[ids[chapter] - 1].words, known=before)
        for source, chapter, before in places
    )  # fmt: skip
    if not deltas:
        return shown, None
    change = Change(what="insert", rows=tuple(rows), touched=tuple(deltas), at=at, deltas=deltas, files=contents,
                    minted={**book.index.minted, "chapter": number})  # fmt: skip
    return tuple(sorted(shown, key=lambda row: row.position)), change


def _title(source: OutsideFile) -> str:
    """From the heading, else from the file's name without its number."""
    first = source.text.lstrip("\ufeff\n ").split("\n", 1)[0].strip()
    heading = parse_heading(first.lstrip("# "))
    if first.startswith("#"):
        return heading.title if heading and heading.title else first.lstrip("# ")
    if heading is not None and heading.kind == "chapter":
        return heading.title or first
    stem = source.path.rpartition("/")[2].rpartition(".")[0]
    return re.sub(r"^[\d\s._-]+", "", stem) or stem


Fate = Literal["settled", "flagged", "unsettled"]


async def _settle(door: Door, command: Adopt, window: int, files: tuple[AdoptedFile, ...]) -> Adopted:
    spent = 0
    fates: dict[int, Fate] = {}
    for position in _unsettled(door, command.book, window):
        if command.tokens is not None and spent >= command.tokens:
            raise BudgetSpent("adopt-budget", where=command.book, spent=spent, limit=command.tokens,
                              left=len(_unsettled(door, command.book, window)))  # fmt: skip
        fate, tokens = await _settle_one(door, command.book, position)
        fates[position] = fate
        spent += tokens
    left = _unsettled(door, command.book, 10**9)
    return Adopted(
        book=command.book, dry_run=False, files=files, tokens=spent, unsettled=tuple(left),
        settled=tuple(p for p, fate in fates.items() if fate != "unsettled"),
        flagged=tuple(p for p, fate in fates.items() if fate == "flagged"),
    )  # fmt: skip


def _unsettled(door: Door, name: str, window: int) -> list[int]:
    """Positions among the last `window` whose delta was never made from the text."""
    store = door.workspace.store(name)
    rows = store.index().chapters
    return [position for position, row in enumerate(rows, 1)
            if position > len(rows) - window and not row.run and not store.delta(row.id).text_digest]  # fmt: skip


async def _settle_one(door: Door, name: str, position: int) -> tuple[Fate, int]:
    """One chapter into the state. What contradicts stands, because it is published; what cannot be read is left."""
    waiting = open_run(door.workspace.runs(name))
    if waiting is None:
        outcome = await step(door, Step(book=name, step="settle", chapter=position))
    elif waiting.status == "needs-review":
        outcome = None
    else:
        outcome = await resume_run(door, ResumeRun(book=name, run=waiting.id))
    tokens = outcome.tokens if outcome else 0
    if outcome is not None and outcome.stage == "accepted":
        return "settled", tokens
    reason = door.workspace.messages(door.workspace.config.language).say("cli.adopt.published")
    try:
        allowed = await decide(door, Decide(book=name, way="allow", reason=reason, by="chapter adopt"))
        if allowed.stage == "accepted":
            return "flagged", tokens
    except UsageFault:
        pass  # this chapter could not be read at all: there is nothing to allow
    await decide(door, Decide(book=name, way="drop", by="chapter adopt"))
    return "unsettled", tokens
