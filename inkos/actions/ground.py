"""Whether a chapter can be begun on a book as it stands, asked before anything is paid; changes nothing."""

from __future__ import annotations

from inkos.actions.chapter_run import Bench
from inkos.actions.table import Door
from inkos.cycle.acceptance import next_file
from inkos.errors import InkosError, UsageFault
from inkos.kernel.outline import repeated_keys
from inkos.runs.events import Noticed


def check_ground(bench: Bench) -> None:
    """UsageFault or InkosError for what would stop the next chapter only after it was paid for."""
    _same_book(bench)
    _outline(bench)
    file = next_file([row.file for row in bench.book.index.chapters], bench.store.names("chapters"))
    try:
        bench.store.file(file)
    except InkosError as error:  # a link that leads out of the book, a folder of that name
        raise InkosError("chapter-place-taken", where=file, chapter=bench.book.next_position) from error


def tell_edits(door: Door, bench: Bench) -> tuple[str, ...]:
    """What was changed beside the program, told before a chapter is written on it."""
    problems = bench.store.problems()
    rows = {row.file: position for position, row in enumerate(bench.book.index.chapters, 1)}
    for problem in problems:
        edited = problem.kind == "changed" and problem.path in rows
        values = {"path": problem.path, "chapter": str(rows.get(problem.path, ""))}
        door.emit(Noticed(code="edited" if edited else f"beside-{problem.kind}", values=values))
    return tuple(f"{problem.kind}: {problem.path}" for problem in problems)


def _same_book(bench: Bench) -> None:
    """book.yaml still speaks of the book that the story was made for."""
    config, state = bench.book.config, bench.book.state
    for key, given, made in (("id", config.id, state.book_id), ("language", config.language, state.language)):
        if given != made:
            raise UsageFault("config-changed", where=f"{bench.name}/book.yaml", key=key, given=given, made=made)


def _outline(bench: Bench) -> None:
    """No key twice, and no entry again from which a chapter was written under a key that is gone."""
    text = (bench.store.file("outline.md") or b"").decode(errors="replace")
    where = f"{bench.name}/outline.md"
    for key, line in repeated_keys(text):
        raise UsageFault("outline-key-twice", where=where, key=key, line=line)
    keys = {entry.key for entry in bench.book.outline.entries}
    for position, row in enumerate(bench.book.index.chapters, 1):
        gone = row.outline_key and row.outline_key not in keys
        if bench.entry is not None and gone and row.title == bench.entry.title:
            raise UsageFault("outline-again", where=where, title=row.title, chapter=position, key=row.outline_key)
