"""The editors' queue over all books as a table, and the decisions that come back in it; decides nothing itself."""

from __future__ import annotations

import csv
import io
from typing import Literal

from inkos.actions.chapter_run import open_run
from inkos.actions.review import Decide, ListReviews, decide, list_reviews, review_file
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState
from inkos.errors import InkosError, UsageFault
from inkos.kernel.findings import Finding
from inkos.records import Record, digest

COLUMNS = ("book", "chapter", "title", "score", "blocking", "findings", "reasons", "text_file", "mark", "way", "reason")
NEEDED = ("book", "mark", "way")
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with these a spreadsheet would begin to calculate
MARK = 16  # hex digits of the digest of the text that was shown


class QueueTable(Record):
    """`book` empty: all books. `output`: a file."""

    book: str = ""
    output: str


class TableWritten(Record):
    file: str
    rows: int


@action("review-table", QueueTable, TableWritten, "writes")
async def write_table(door: Door, command: QueueTable) -> TableWritten:
    """What waits, one row each, with empty columns for the way out and its reason. UTF-8 with byte-order mark."""
    waiting = (await list_reviews(door, ListReviews(book=command.book))).waiting
    rows = []
    for row in waiting:
        state = _standing(door, row.book, row.run)
        if state is None:
            continue
        rows.append({
            "book": row.book, "chapter": row.position, "title": row.title,
            "score": "" if row.score is None else f"{row.score:.0f}", "blocking": row.blocking,
            "findings": " ".join(dict.fromkeys(f.code for f in _findings(state))), "reasons": " ".join(row.reasons),
            "text_file": review_file(state), "mark": mark_of(state), "way": "", "reason": "",
        })  # fmt: skip
    door.workspace.write_file(command.output, table_of(rows))
    return TableWritten(file=command.output, rows=len(rows))


def table_of(rows: list[dict[str, object]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _harmless(str(value)) for key, value in row.items()})
    return out.getvalue().encode("utf-8-sig")


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) else cell


def read_table(content: str, where: str) -> list[dict[str, str]]:
    """The rows in which something was decided. UsageFault `csv-columns` when it is not such a table."""
    text = content.removeprefix("\ufeff")
    first = text.split("\n", 1)[0]
    mark = max(",;\t", key=first.count)  # spreadsheets write what their country writes
    reader = csv.DictReader(io.StringIO(text), delimiter=mark)
    missing = next((name for name in NEEDED if name not in (reader.fieldnames or ())), None)
    if missing is not None:
        raise UsageFault("csv-columns", where=where, column=missing)
    rows = [{key: (value or "").strip() for key, value in row.items() if isinstance(key, str)} for row in reader]
    return [row for row in rows if row["way"]]


class DecideMany(Record):
    """`table`: its content; `by`: who decides."""

    table: str
    where: str = ""
    by: str


class DecidedRow(Record):
    """`result`: `decided`, or `refused` with the error's code, its place and values: nothing was changed then."""

    book: str
    way: str
    result: Literal["decided", "refused"]
    status: str = ""
    code: str = ""
    place: str = ""
    values: dict[str, str] = {}


class DecidedTable(Record):
    rows: tuple[DecidedRow, ...]


@action("review-decide-table", DecideMany, DecidedTable, "pays")
async def decide_table(door: Door, command: DecideMany) -> DecidedTable:
    """Each row by itself: one that is out of date or cannot be carried out is refused, the others are."""
    if not command.by.strip():
        raise UsageFault("by-missing", where="--by")
    rows = read_table(command.table, command.where)
    return DecidedTable(rows=tuple([await _one(door, row, command.by) for row in rows]))


async def _one(door: Door, row: dict[str, str], by: str) -> DecidedRow:
    book, way = row["book"].removeprefix("'"), row["way"]
    try:
        if book not in door.workspace.books():
            raise UsageFault("book-missing", where=door.workspace.root, book=book)
        state = _standing(door, book)
        if state is None:
            raise InkosError("nothing-waits", where=book)
        if mark_of(state) != row["mark"].removeprefix("'"):
            raise InkosError("review-stale", where=review_file(state), book=book)
        made = await decide(door, Decide(book=book, way=way, reason=row.get("reason", "").removeprefix("'"), by=by))
    except InkosError as error:
        return DecidedRow(book=book, way=way, result="refused", code=error.code, place=error.where,
                          values={key: str(value) for key, value in error.values.items()})  # fmt: skip
    return DecidedRow(book=book, way=way, result="decided", status=made.status or made.stage)


def _standing(door: Door, book: str, run: str = "") -> ChapterState | None:
    record = open_run(door.workspace.runs(book))
    if record is None or record.status != "needs-review" or run not in ("", record.id):
        return None
    return ChapterState.model_validate(record.machine)


def mark_of(state: ChapterState) -> str:
    """What tells the text that was shown from any other."""
    return digest(state.version(state.best).text)[:MARK]


def _findings(state: ChapterState) -> list[Finding]:
    judged = state.version(state.best).assessment
    return [f for f in judged.findings if f.severity != "info"] if judged is not None else []
