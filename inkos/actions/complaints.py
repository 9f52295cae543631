"""What readers find that the checks let pass: kept as findings with ways out; judges nothing itself.

    patch     the author's words take the place of the quote; the chapter is settled again
    explain   a line for the plan of the next chapter
    rule      a line in bible/rules.md, which every later prompt holds
    dismiss   it is no mistake
"""

from __future__ import annotations

from typing import Literal, get_args

from inkos.actions.chapter_run import ChapterOutcome, iso
from inkos.actions.complaint_file import FILE, Complaint, ComplaintsFile, complaints
from inkos.actions.production import Step, step
from inkos.actions.table import Door, action
from inkos.errors import UsageFault
from inkos.kernel.book import Index
from inkos.ports import BookStore, FileSet
from inkos.records import Record, digest, dump
from inkos.text.patch import Edit, apply
from inkos.text.quotes import find, nearest

RULES = "bible/rules.md"
Answer = Literal["patch", "explain", "rule", "dismiss"]
ANSWERS: tuple[str, ...] = get_args(Answer)


def _keep(known: tuple[Complaint, ...]) -> dict[str, bytes | None]:
    return {FILE: dump(ComplaintsFile(complaints=known))}


class AddReview(Record):
    """`against` null: the quote alone is the complaint."""

    book: str
    chapter: int
    quote: str
    against: int | None = None
    against_quote: str = ""
    note: str = ""
    by: str = ""


class ReviewAdded(Record):
    book: str
    complaint: Complaint
    position: int
    ways: tuple[str, ...] = ANSWERS


@action("review-add", AddReview, ReviewAdded, "writes", undo="review answer ID dismiss")
async def add(door: Door, command: AddReview) -> ReviewAdded:
    """Keep a reader's finding. Both quotes must stand in their chapters."""
    store = door.workspace.store(command.book)
    with store.hold("review add"):
        index = store.index()
        chapter = _quoted(store, index, command.book, command.chapter, command.quote)
        against = ""
        if command.against is not None:
            against = _quoted(store, index, command.book, command.against, command.against_quote)
        known = complaints(store)
        made = Complaint(
            id=f"r{len(known) + 1:04d}", chapter=chapter, quote=command.quote, against=against,
            against_quote=command.against_quote, note=command.note, by=command.by, at=iso(door.workspace.clock.now()),
        )  # fmt: skip
        store.commit(FileSet(files=_keep((*known, made))))
    return ReviewAdded(book=command.book, complaint=made, position=command.chapter)


def _quoted(store: BookStore, index: Index, name: str, position: int, quote: str) -> str:
    """The chapter's id; UsageFault when there is none, or when the words do not stand there."""
    if not 1 <= position <= len(index.chapters):
        raise UsageFault("position-unknown", where=name, chapter=position, last=len(index.chapters))
    row = index.chapters[position - 1]
    text = store.text(row.id)
    if not find(quote, text):
        near = nearest(quote, text, 1)
        raise UsageFault("quote-absent", where=row.file, quote=quote, nearest=near[0] if near else "–")
    return row.id


class AnswerReview(Record):
    """`text`: what takes the quote's place, or the line to plan by or to keep as a rule; for `explain` it may be left
    out: the complaint itself is then the line."""

    book: str
    id: str
    answer: Answer
    text: str = ""


class ReviewAnswered(Record):
    """`outcome`: of settling the patched chapter again."""

    book: str
    complaint: Complaint
    outcome: ChapterOutcome | None = None


@action("review-answer", AnswerReview, ReviewAnswered, "pays", undo="chapter undo")
async def answer(door: Door, command: AnswerReview) -> ReviewAnswered:
    """Take a way out of a reader's finding. It stays counted as a miss, whatever the answer."""
    store = door.workspace.store(command.book)
    position = 0
    with store.hold("review answer"):
        known = complaints(store)
        chosen = next((c for c in known if c.id == command.id), None)
        if chosen is None:
            raise UsageFault("complaint-unknown", where=command.book, id=command.id)
        line = command.text.strip()
        if command.answer in ("patch", "rule") and not line:
            raise UsageFault("text-missing", where="--text")
        files: dict[str, bytes | None] = {}
        if command.answer == "patch":
            position = store.index().position(chosen.chapter)
            files |= _patched(store, chosen, line)
        elif command.answer == "rule":
            there = store.file(RULES) or b""
            files[RULES] = there.rstrip(b"\n") + (b"\n" if there.strip() else b"") + f"- {line}\n".encode()
        elif command.answer == "explain" and not line:
            quotes = " / ".join(f"“{quote}”" for quote in (chosen.quote, chosen.against_quote) if quote)
            line = f"{quotes} {chosen.note}".strip()
        made = chosen.model_copy(update={"answer": command.answer, "line": line,
                                           "chapters": len(store.index().chapters)})  # fmt: skip
        everything = tuple(made if c.id == made.id else c for c in known)
        expect = {path: digest(store.file(path) or b"") if store.file(path) is not None else "" for path in files}
        store.commit(FileSet(files={**files, **_keep(everything)}, expect=expect))
    outcome = None
    if command.answer == "patch":
        again = Step(book=command.book, step="settle", chapter=position, erratum=made.note or made.id)
        outcome = await step(door, again)
    return ReviewAnswered(book=command.book, complaint=made, outcome=outcome)


def _patched(store: BookStore, complaint: Complaint, words: str) -> dict[str, bytes | None]:
    """The chapter's file with the quote replaced, everything else as it is."""
    row = next(row for row in store.index().chapters if row.id == complaint.chapter)
    text = (store.file(row.file) or b"").decode("utf-8")
    done = apply(text, [Edit(complaint.quote, words)])
    if done.refused:
        raise UsageFault("quote-absent", where=row.file, quote=complaint.quote, nearest=done.refused[0].reason)
    return {row.file: done.text.encode()}


class ListComplaints(Record):
    book: str


class Complaints(Record):
    book: str
    complaints: tuple[Complaint, ...]
    positions: dict[str, int]


@action("review-complaints", ListComplaints, Complaints, "reads")
async def list_complaints(door: Door, command: ListComplaints) -> Complaints:
    store = door.workspace.store(command.book)
    positions = {row.id: number for number, row in enumerate(store.index().chapters, 1)}
    return Complaints(book=command.book, complaints=complaints(store), positions=positions)
