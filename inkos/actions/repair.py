"""The verbs for a damaged book: name each damage with its way out, mend what can be derived; asks no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from inkos.actions.chapter_run import load_run
from inkos.actions.table import Door, action
from inkos.actions.telling import founding, state_before, told_chapters
from inkos.cycle.chapter import ChapterState
from inkos.cycle.refold import refold
from inkos.errors import InkosError
from inkos.kernel.book import Book, ChapterEntry, Index
from inkos.kernel.papers import Outline
from inkos.kernel.replay import empty
from inkos.kernel.rules import Rules
from inkos.ports import BookStore, FileProblem, FileSet, Refolded, Rewrite, RunStore
from inkos.records import GENESIS, Record, digest

# repair: inkos chapter repair · settle: inkos settle N · adopt: inkos chapter adopt FILE · keep: repair --keep ·
# state: inkos state adopt, or repair · cancel: inkos run cancel · hand: mend it yourself · backup: bring it back
# free: make it readable, or move away what stands in its place
Way = Literal["repair", "settle", "adopt", "keep", "state", "cancel", "hand", "backup", "free", "none"]
DERIVED = ("story/index.json", "story/state/", "story/snapshots/", "story/pieces/", "story/revision.json", ".inkos/")


class Damage(Record):
    """One file that is not as it should be, and the way out. `position` where it belongs to a chapter of the index;
    `run` where it is a run's record."""

    path: str
    kind: str
    detail: str = ""
    position: int | None = None
    run: str = ""
    way: Way


def damages(door: Door, name: str) -> tuple[Damage, ...]:
    """Every damage of a book, also where its state or its settings cannot be read."""
    store = door.workspace.store(name)
    try:
        rows: Sequence[ChapterEntry] = store.index().chapters
    except InkosError:
        rows = ()
    found = [_damage(problem, rows) for problem in store.problems(deep=True)]
    return (*found, *_conflict(store), *_runs(door.workspace.runs(name)))


def _damage(problem: FileProblem, rows: Sequence[ChapterEntry]) -> Damage:
    path = problem.path
    position = next((n for n, row in enumerate(rows, 1) if path in (row.file, f"story/chapters/{row.id}/delta.json")),
                    None)  # fmt: skip
    way: Way = "backup"
    if problem.kind == "unreadable":
        way = "free"
    elif path.startswith(DERIVED) or path.endswith("/entry.json"):
        way = "state" if problem.kind == "changed" and path.startswith("story/state/") else "repair"
    elif path.startswith("chapters/"):
        ways: dict[str, Way] = {"extra": "adopt", "changed": "settle"}
        way = ways.get(problem.kind, "repair")
    elif path.endswith("/delta.json") and position is not None:
        way = "settle"
    elif not path.startswith("story/"):
        way = "hand" if problem.kind == "damaged" else "backup"
    return Damage(path=path, kind=problem.kind, detail=problem.detail, position=position, way=way)


def _conflict(store: BookStore) -> list[Damage]:
    """An interrupted change that cannot be finished over a file somebody saved meanwhile."""
    return [Damage(path=path, kind="conflict", way="keep") for path in store.conflicts()]


def _runs(runs: RunStore) -> list[Damage]:
    found = []
    for run in runs.list():
        try:
            load_run(runs, run)
        except InkosError as error:
            detail = str(error.values.get("detail", ""))
            found.append(Damage(path=f"runs/{run}/run.json", kind="damaged", detail=detail, run=run, way="cancel"))
    try:
        torn = runs.ledger_problems()
    except InkosError as error:
        detail = str(error.values.get("detail", ""))
        return [*found, Damage(path="runs/ledger.jsonl", kind="unreadable", detail=detail, way="free")]
    return [*found, *(Damage(path=p.path, kind=p.kind, detail=p.detail, way="none") for p in torn)]


class Repair(Record):
    """`keep`: which side of an interrupted change stays, where a file was saved by hand meanwhile: the one on `disk`,
    or the `set`'s."""

    book: str
    keep: Literal["", "disk", "set"] = ""


class Repaired(Record):
    """`mended`: what was written anew; `kept`: copies of what lost; `left`: what needs another way."""

    book: str
    mended: tuple[str, ...]
    kept: tuple[str, ...] = ()
    left: tuple[Damage, ...] = ()


@action("chapter-repair", Repair, Repaired, "writes")
async def repair(door: Door, command: Repair) -> Repaired:
    """Mend what other files of the book still say: index, state, snapshots and summaries from the deltas, a lost text
    from its run. A lost delta needs the settler (`inkos settle N`); what nothing else says needs a backup."""
    mender = door.workspace.mender(command.book)
    kept = tuple(mender.settle(command.keep)) if command.keep else ()
    mended: list[str] = []
    try:
        mended += mender.restore()
    except InkosError as error:
        if error.code in ("set-conflict", "book-busy", "book-held-elsewhere", "schema-newer"):
            raise
    store = door.workspace.store(command.book)
    try:
        index = store.index()
    except InkosError:
        return Repaired(book=command.book, mended=tuple(mended), kept=kept, left=damages(door, command.book))
    mended += _texts(door, command.book, store, index)
    while more := _refolded(door, command.book, store, index, known=mended):
        mended += more
    return Repaired(book=command.book, mended=tuple(dict.fromkeys(mended)), kept=kept,
                    left=damages(door, command.book))  # fmt: skip


def _texts(door: Door, name: str, store: BookStore, index: Index) -> list[str]:
    """Chapter files that are gone or cannot be read, from the run that made them, where it made exactly these bytes."""
    broken = {p.path for p in store.problems() if p.kind in ("missing", "empty", "damaged")}
    files: dict[str, bytes | None] = {}
    for row in index.chapters:
        if row.file in broken and row.run:
            content = _from_run(door.workspace.runs(name), row)
            if content is not None:
                files[row.file] = content
    if files:
        with store.hold("chapter repair"):
            store.commit(FileSet(files=files))
    return list(files)


def _from_run(runs: RunStore, row: ChapterEntry) -> bytes | None:
    try:
        state = ChapterState.model_validate(load_run(runs, row.run).machine)
    except (InkosError, ValueError):
        return None
    for version in state.versions:
        content = f"# {' '.join(row.title.split())}\n\n{version.text.strip()}\n".encode()
        if digest(content) == row.text_digest:
            return content
    return None


def _refolded(door: Door, name: str, store: BookStore, index: Index, known: Sequence[str]) -> list[str]:
    """Fold the deltas again from the first snapshot, entry, piece or state that cannot be read."""
    since, paths = _first_broken(store, index)
    if since is None or set(paths) <= set(known):
        return []
    config = store.config()
    rules = door.workspace.rules(config)
    bible = tuple((path, (store.file(path) or b"").decode("utf-8-sig", errors="replace")) for path in
                  store.names("bible"))  # fmt: skip
    nothing = empty(index.book_id, config.language)
    book = Book(revision=0, config=config, index=index, state=nothing, outline=Outline(), bible=bible)
    try:
        change = _rewrite(store, book, since, rules)
    except InkosError:
        return []  # a delta or a text on the way is lost: named in what is left, with its own way out
    packs = [path for path in paths if path.startswith("story/pieces/")]
    change = change.model_copy(update={"files": dict.fromkeys(packs)})
    door.workspace.mender(name).let_stand([*packs, *(path for path in paths if path.startswith("story/state/"))])
    fresh = door.workspace.store(name)
    with fresh.hold("chapter repair"):
        fresh.rewrite(change)
    return paths


def _rewrite(store: BookStore, book: Book, since: int, rules: Rules) -> Rewrite:
    rows = book.index.chapters
    founded = founding(store, book, rules, store.delta(GENESIS)) if since == 0 else None
    base = founded[0] if founded else state_before(store, book, since, rules)
    folded = refold(base, told_chapters(store, rows[max(since - 1, 0) :], rows, None), rules)
    first = [Refolded(entry=None, state=founded[0], history=founded[1])] if founded else []
    return Rewrite(
        index=book.index, since=since, anew=True,
        chapters=(*first, *(Refolded(entry=each.entry, state=each.state, history=each.history) for each in folded)),
    )  # fmt: skip


def _first_broken(store: BookStore, index: Index) -> tuple[int | None, list[str]]:
    """The first position whose snapshot or entry cannot be read (the last one for a broken state), and the files."""
    places = {GENESIS: 0} | {row.id: number for number, row in enumerate(index.chapters, 1)}
    found: list[tuple[int, str]] = []
    for problem in store.problems(deep=True):
        path = problem.path
        if path.startswith("story/snapshots/"):
            found.append((places[path.removeprefix("story/snapshots/").removesuffix(".json")], path))
        elif path.endswith("/entry.json"):
            found.append((places[path.split("/")[2]], path))
        elif path.startswith("story/pieces/"):
            chapter = re.sub(r"(-\d+)?\.pack$", "", path.removeprefix("story/pieces/"))
            found.append((places.get(chapter, len(index.chapters)), path))
        elif path.startswith("story/state/") and problem.kind != "changed":
            found.append((len(index.chapters), path))
    return min((position for position, _ in found), default=None), sorted(path for _, path in found)
