"""The verbs that compare: versions of a chapter, and what later chapters rest on; changes nothing."""

from __future__ import annotations

import difflib
import json

from inkos.actions.bin import BIN, moves
from inkos.actions.chapters import row_at
from inkos.actions.edited import Lost, lost_from
from inkos.actions.table import Door, action
from inkos.actions.telling import told_chapters
from inkos.cycle.ripple import Rest, difference, resting
from inkos.errors import InkosError, UsageFault
from inkos.kernel.book import Book, ChapterEntry, Stale
from inkos.kernel.findings import Finding
from inkos.ports import BookStore
from inkos.records import GENESIS, Record, digest
from inkos.text.segment import paragraphs

NOW = "now"


def resting_on(door: Door, store: BookStore, book: Book, position: int) -> list[Rest]:
    """Everything in later chapters that rests on what a chapter made true."""
    rows = book.index.chapters
    before = store.snapshot(rows[position - 2].id if position > 1 else GENESIS)
    after = store.snapshot(rows[position - 1].id)
    later = told_chapters(store, rows[position:], rows, None)
    rules = door.workspace.rules(book.config)
    return resting(difference(before, after), later, position + 1, book.state, rules, book.config.language)


class Ripple(Record):
    book: str
    chapter: int


class Marked(Record):
    position: int
    title: str
    stale: tuple[Stale, ...]


class Rippled(Record):
    """`edited`: the chapter's file is not as it was accepted; `lost` is then what it no longer says. `marked`: later
    chapters that are stale since this one was changed. `rests`: all that rests on this chapter, changed or not."""

    book: str
    chapter: int
    title: str
    edited: bool
    lost: tuple[Lost, ...]
    marked: tuple[Marked, ...]
    rests: tuple[Rest, ...]


@action("chapter-ripple", Ripple, Rippled, "reads")
async def ripple(door: Door, command: Ripple) -> Rippled:
    """What later chapters rest on this one, from the quotes that are kept; what is done about it is the author's."""
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    row = row_at(book, command.book, command.chapter)
    content = store.file(row.file) or b""
    marked = [
        Marked(position=number, title=other.title,
               stale=tuple(mark for mark in other.stale if mark.chapter == row.id))
        for number, other in enumerate(book.index.chapters, 1)
        if any(mark.chapter == row.id for mark in other.stale)
    ]  # fmt: skip
    return Rippled(
        book=command.book, chapter=command.chapter, title=row.title, edited=digest(content) != row.text_digest,
        lost=lost_from(store, book, row), marked=tuple(marked),
        rests=tuple(resting_on(door, store, book, command.chapter)),
    )  # fmt: skip


class Told(Record):
    """One version of a chapter. `label`: its number in the run that made the chapter, the id of the move that replaced
    it, or `now` for the file as it stands."""

    label: str
    text: str
    findings: tuple[Finding, ...] = ()
    score: float | None = None


class Diff(Record):
    """`versions`: two labels; empty: the first and the last that there are."""

    book: str
    chapter: int
    versions: tuple[str, ...] = ()


class Line(Record):
    """A paragraph that is only in the earlier (`-`) or the later (`+`) version, or words of both around it (` `)."""

    mark: str
    text: str


class Differs(Record):
    book: str
    chapter: int
    labels: tuple[str, ...]
    earlier: str
    later: str
    scores: tuple[float | None, float | None]
    lines: tuple[Line, ...]
    resolved: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    new: tuple[Finding, ...]


@action("chapter-diff", Diff, Differs, "reads")
async def diff(door: Door, command: Diff) -> Differs:
    """Two versions of one chapter: what words changed, and which findings went, stayed and came."""
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    row = row_at(book, command.book, command.chapter)
    known = {version.label: version for version in versions_of(store, row)}
    labels = tuple(known)
    if len(labels) < 2 and not command.versions:
        raise UsageFault("one-version", where=row.file, chapter=command.chapter)
    chosen = command.versions or (labels[0], labels[-1])
    for label in chosen:
        if label not in known:
            raise UsageFault("choice", where="--version", given=label, allowed=", ".join(labels))
    if len(chosen) != 2:
        raise UsageFault("choice", where="--version", given=" ".join(chosen), allowed=", ".join(labels))
    one, two = known[chosen[0]], known[chosen[1]]
    before, after = {f.place for f in one.findings}, {f.place for f in two.findings}
    return Differs(
        book=command.book, chapter=command.chapter, labels=labels, earlier=one.label, later=two.label,
        scores=(one.score, two.score), lines=tuple(_lines(one.text, two.text)),
        resolved=tuple(f for f in one.findings if f.place not in after),
        remaining=tuple(f for f in two.findings if f.place in before),
        new=tuple(f for f in two.findings if f.place not in before),
    )  # fmt: skip


def versions_of(store: BookStore, row: ChapterEntry) -> list[Told]:
    """Tellings that were replaced, oldest first; then the versions of the run that made the present one; then the file
    as it stands, where it was edited since."""
    made: list[Told] = []
    for move in moves(store):
        if row.file in move.kept and any(each.chapter == row.id for each in move.rows):
            content = store.file(f"{BIN}/{move.id}/{row.file}") or b""
            paper = store.file(f"{BIN}/{move.id}/story/chapters/{row.id}/assessment.json")
            best = next((v for v in _judged(paper, move.id) if v.label == "best"), Told(label=move.id, text=""))
            made.append(best.model_copy(update={"label": move.id, "text": store.prose(row.file, content)}))
    now = store.file(row.file)
    text = store.prose(row.file, now) if now else ""
    folder = f"story/chapters/{row.id}"
    for version in _judged(store.file(f"{folder}/assessment.json"), ""):
        if version.label == "best":
            continue
        paper = store.file(f"{folder}/version-{version.label}.md")
        if paper is not None:
            made.append(version.model_copy(update={"text": paper.decode(errors="replace")}))
        elif digest(text) == version.text:
            made.append(version.model_copy(update={"text": text}))
    if all(version.text != text for version in made):
        made.append(Told(label=NOW, text=text))
    return made


def _judged(paper: bytes | None, where: str) -> list[Told]:
    """The versions in an assessment.json: `text` holds the digest, and the best one comes once more as `best`."""
    if paper is None:
        return []
    try:
        data = json.loads(paper)
        rows = data["versions"]
        found = []
        for version in rows:
            judged = version["assessment"] or {}
            findings = tuple(Finding.model_validate(each) for each in judged.get("findings", ()))
            score = ((judged.get("audit") or {}).get("score")) or None
            total = sum(score.values()) if score else None
            made = Told(label=str(version["number"]), text=version["text_digest"], findings=findings, score=total)
            found.append(made)
            if version["number"] == data["best"]:
                found.append(made.model_copy(update={"label": "best"}))
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise InkosError("file-damaged", where=f"{where} assessment.json".strip(), detail=str(fault)[:200]) from fault
    return found


def _lines(one: str, two: str) -> list[Line]:
    """Changed paragraphs with the unchanged one before them."""
    before, after = [p.text for p in paragraphs(one)], [p.text for p in paragraphs(two)]
    lines: list[Line] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if i:
            lines.append(Line(mark=" ", text=before[i - 1]))
        lines += [Line(mark="-", text=text) for text in before[i:j]]
        lines += [Line(mark="+", text=text) for text in after[k:m]]
    return lines
