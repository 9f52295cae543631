"""An earlier chapter accepted in its place: its text, delta and papers as one change of the history; makes no text."""

from __future__ import annotations

from inkos.actions.history import Change, What, carry_out
from inkos.cycle.acceptance import accept, inserted_file
from inkos.cycle.chapter import ChapterState, Desk
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry
from inkos.kernel.delta import Delta
from inkos.ports import BookStore
from inkos.records import digest
from inkos.text.split import chapter_file

# What stays in a chapter's folder when it is told again: marks of others, and what its author adopted.
KEPT = ("delta.json", "entry.json", "audit.json")


def tell_anew(
    name: str, store: BookStore, desk: Desk, state: ChapterState, run: tuple[str, bytes], at: str
) -> int:
    """Make the best version canon at its position, in one set with the run record that holds afterwards."""
    book = store.read(recent=0)
    rows = list(book.index.chapters)
    place = state.position - 1
    old: ChapterEntry | None = None
    if state.place == "insert":
        file = state.file or free_file(store, rows, place)
        rows.insert(place, ChapterEntry(id=state.chapter, title="", status="accepted", file=file, text_digest="",
                                        words=0))  # fmt: skip
    else:
        old = rows[place]
        if old.id != state.chapter:
            raise InkosError("run-overtaken", where=f"{name}: {run[0]}", chapter=state.position, run=run[0])
        file = old.file
    made = accept(state, desk, run[0], at, file, delta_or_none(store, state.chapter) if old else None)
    rows[place] = _row(made.entry, old, state)
    content = _text(store, file, made.entry.title, made.text)
    files: dict[str, bytes | None] = {}
    if not _judged_already(state, old, content):
        files = dict.fromkeys(_old_papers(store, state.chapter))
        files |= {f"story/chapters/{state.chapter}/{key}": value for key, value in made.papers.items()}
    files[file] = content
    change = Change(
        what=_what(state), rows=tuple(rows), touched=(state.chapter,), at=at, deltas={state.chapter: made.delta},
        files=files, minted=made.index.minted, reason=state.erratum, run=run,
    )  # fmt: skip
    carry_out(name, store, book, desk.rules, change)
    return book.revision + 1


def _judged_already(state: ChapterState, old: ChapterEntry | None, content: bytes) -> bool:
    """A text that is only settled again, as it was judged: its plan, versions and scores stay its papers."""
    return state.purpose == "settle" and old is not None and bool(old.run) and digest(content) == old.text_digest


def delta_or_none(store: BookStore, chapter: str) -> Delta | None:
    """A chapter's delta; one that is lost or damaged is what settling again mends."""
    try:
        return store.delta(chapter)
    except InkosError:
        return None


def _what(state: ChapterState) -> What:
    if state.place == "insert":
        return "insert"
    return "settle" if state.purpose == "settle" else "pick" if state.take else "redo"


def _row(made: ChapterEntry, old: ChapterEntry | None, state: ChapterState) -> ChapterEntry:
    """The new row; what a chapter is called and whether it is published outlives its telling."""
    if old is None:
        return made
    kept: dict[str, object] = {"label": old.label, "locked": old.locked, "errata": old.errata,
                               "published": old.published}
    if state.purpose == "settle":  # nobody scored the text again
        kept |= {"score": old.score, "run": old.run or made.run}
    return made.model_copy(update=kept)


def _text(store: BookStore, file: str, title: str, text: str) -> bytes:
    """The manuscript file; one that holds this prose already keeps its bytes."""
    there = store.file(file)
    if there is not None and there.strip() and store.prose(file, there) == text.strip("\n"):
        return there
    return chapter_file(title, text).encode()


def _old_papers(store: BookStore, chapter: str) -> list[str]:
    """The papers of the telling that is replaced."""
    folder = f"story/chapters/{chapter}"
    names = [path for path in store.names(folder) if not path.endswith(KEPT) and "/author-" not in path]
    return [*names, *store.names(f"{folder}/review")]


def free_file(store: BookStore, rows: list[ChapterEntry], place: int) -> str:
    """The file of a chapter that is to stand at this place (from 0) of `rows`."""
    before = rows[place - 1].file if place else ""
    behind = rows[place].file if place < len(rows) else ""
    return inserted_file(before, behind, {*store.names("chapters"), *(row.file for row in rows)})
