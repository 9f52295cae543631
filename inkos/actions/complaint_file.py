"""Readers' findings as they are kept in a book; knows no verb."""

from __future__ import annotations

from typing import Literal

from pydantic import ValidationError

from inkos.errors import InkosError
from inkos.ports import BookStore
from inkos.records import Record

FILE = "story/complaints.json"


class Complaint(Record):
    """A reader's finding: words of one chapter, and those (of another, or of the same) that they collide with.
    `chapter` and `against` are ids. `answer` is the way that was taken, "" while it is open; `line` what it left, and
    `chapters` how many chapters the book had then."""

    id: str
    chapter: str
    quote: str
    against: str = ""
    against_quote: str = ""
    note: str = ""
    by: str = ""
    at: str = ""
    answer: Literal["", "patch", "explain", "rule", "dismiss"] = ""
    line: str = ""
    chapters: int = 0


class ComplaintsFile(Record):
    schema_version: int = 1
    complaints: tuple[Complaint, ...] = ()


def complaints(store: BookStore) -> tuple[Complaint, ...]:
    content = store.file(FILE)
    if content is None:
        return ()
    try:
        return ComplaintsFile.model_validate_json(content).complaints
    except ValidationError as fault:
        raise InkosError("file-damaged", where=FILE, detail=str(fault.errors()[0]["msg"])) from fault


def to_explain(store: BookStore, chapters: int) -> tuple[str, ...]:
    """Lines that the plan of the next chapter is to take up, in a book of so many chapters."""
    return tuple(c.line for c in complaints(store) if c.answer == "explain" and c.chapters == chapters)
