"""Carries out a change of a book's history: what follows is folded anew, what is removed goes to the bin; chooses none.

Every move on an accepted chapter (write it again, settle it, insert, delete, move, pick, rename, undo) comes here as a
`Change`. It is worked out whole before anything is written, so a preview is the change itself without its last line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from inkos.actions.bin import Binned, binned_files, new_move
from inkos.actions.published import errata_file, held
from inkos.actions.telling import Anew, delta_path, founding, state_before, told_chapters
from inkos.cycle.refold import Folded, refold, suspensions
from inkos.cycle.ripple import Rest, Touched, difference, marks, resting
from inkos.errors import InkosError
from inkos.kernel.book import Book, ChapterEntry, Erratum, Stale
from inkos.kernel.delta import Delta
from inkos.kernel.rules import Rules
from inkos.kernel.story import StoryState
from inkos.ports import BookStore, Refolded, Rewrite
from inkos.records import GENESIS, Record, digest

What = Literal["redo", "settle", "insert", "delete", "move", "pick", "keep", "lock", "unlock", "rename", "undo",
               "publish", "withdraw"]  # fmt: skip
MARKING = ("lock", "unlock", "publish", "withdraw")  # says something about chapters, changes nothing of them


@dataclass(frozen=True)
class Change:
    """`rows` are the chapters in their new order; `touched` the ids of those that change, come, go or move. `deltas`
    and `files` are what is new (null removes). `at`: ISO 8601 time in UTC. `reason`: the erratum of a locked chapter.
    `rests` false: nothing that is said changes, so nothing is marked. `undoes`: the move in the bin it takes back."""

    what: What
    rows: tuple[ChapterEntry, ...]
    touched: tuple[str, ...]
    at: str
    deltas: Mapping[str, Delta] = field(default_factory=dict)
    files: Mapping[str, bytes | None] = field(default_factory=dict)
    minted: Mapping[str, int] | None = None
    reason: str = ""
    rests: bool = True
    undoes: str = ""
    run: tuple[str, bytes] | None = None


class FileTouched(Record):
    path: str
    how: Literal["added", "removed", "changed"]


class Later(Record):
    """A later chapter that a change reaches: its position afterwards, and the marks it bears then."""

    position: int
    title: str
    chapter: str
    locked: bool = False
    stale: tuple[Stale, ...] = ()


def stale_rows(rows: Sequence[ChapterEntry], since: int = 1) -> tuple[Later, ...]:
    """The chapters from a position on that bear marks."""
    return tuple(
        Later(position=position, title=row.title, chapter=row.id, locked=row.locked, stale=row.stale)
        for position, row in enumerate(rows, 1)
        if position >= since and row.stale
    )


class Moved(Record):
    """What a change does. `move` is its id in the bin ("" in a preview, and where nothing is kept); `untouched` counts
    the later chapters that stay as they are."""

    book: str
    what: str
    dry_run: bool
    move: str = ""
    position: int = 0
    title: str = ""
    files: tuple[FileTouched, ...] = ()
    later: tuple[Later, ...] = ()
    untouched: int = 0


@dataclass(frozen=True)
class Planned:
    """A change worked out: what is written, what goes to the bin, and what a person is shown."""

    change: Change
    rewrite: Rewrite
    binned: Binned | None
    shown: Moved


def carry_out(
    name: str, store: BookStore, book: Book, rules: Rules, change: Change, *, dry_run: bool = False
) -> Moved:
    """Work the change out and, unless `dry_run`, make it in one step."""
    planned = plan(name, store, book, rules, change)
    if dry_run:
        return planned.shown.model_copy(update={"dry_run": True, "move": ""})
    store.rewrite(planned.rewrite)
    return planned.shown


def plan(name: str, store: BookStore, book: Book, rules: Rules, change: Change) -> Planned:
    old = book.index.chapters
    _check_locks(old, change)
    move = "" if change.what in MARKING else new_move(store)
    since = _since(old, change)
    if change.what not in MARKING:
        since = _readable(store, old, min(since, len(change.rows)))
    told = told_chapters(store, change.rows[max(since - 1, 0) :], change.rows, _told_anew(change))
    founded = founding(store, book, rules, _genesis(store, change)) if since == 0 else None
    base = founded[0] if founded else state_before(store, book, since, rules) if told else book.state
    folded = refold(base, told, rules)
    rests = _resting(store, book, rules, change, base, folded, since) if change.rests else []
    rows = _marked(change, folded, rests, move, max(since, 1))
    minted = dict(change.minted if change.minted is not None else book.index.minted)
    index = book.index.model_copy(update={"chapters": rows, "minted": minted})
    files = {**change.files, **errata_file(store, book.config.title, old, rows, change.touched, change.files)}
    binned, kept = binned_files(store, book.index, change.what, move, change.at, rows, changed_paths(change),
                                change.touched, change.undoes) if move else (None, {})  # fmt: skip
    rewrite = Rewrite(
        index=index, since=since, deltas=dict(change.deltas), files={**files, **kept}, run=change.run,
        chapters=(
            *([Refolded(entry=None, state=founded[0], history=founded[1])] if founded else []),
            *(Refolded(entry=row, state=each.state, history=each.history)
              for row, each in zip(rows[max(since - 1, 0) :], folded, strict=True)),
        ),
        expect={path: _digest(store, path) for path in files if path.startswith("chapters/")},
    )  # fmt: skip
    return Planned(change, rewrite, binned, _shown(name, store, old, rows, change, move, since))


def _genesis(store: BookStore, change: Change) -> Delta:
    """Delta 0 as it is after the change."""
    content = change.files.get(delta_path(GENESIS))
    if content is not None:
        return Delta.model_validate_json(content, context={"chapters": ()})
    return change.deltas.get(GENESIS) or store.delta(GENESIS)


def _readable(store: BookStore, old: Sequence[ChapterEntry], since: int) -> int:
    """The same position, or the last before it behind a snapshot that can be read: a hole is mended on the way."""
    while since:
        try:
            store.snapshot(old[since - 2].id if since > 1 else GENESIS)
            return since
        except InkosError:
            since -= 1
    return 0


def changed_paths(change: Change) -> list[str]:
    return [*change.files, *(delta_path(chapter) for chapter in change.deltas)]


def _told_anew(change: Change) -> Anew:
    return Anew(change.files, change.deltas)


def _digest(store: BookStore, path: str) -> str:
    content = store.file(path)
    return "" if content is None else digest(content)


def _check_locks(old: Sequence[ChapterEntry], change: Change) -> None:
    """A locked chapter changes with an erratum only; locking itself, and marks on it, change nothing of it."""
    if change.what in (*MARKING, "keep") or change.reason.strip():
        return
    after = {row.id: position for position, row in enumerate(change.rows, 1)}
    for position, row in enumerate(old, 1):
        settled = change.files.get(row.file) if change.what == "settle" else None
        same = settled is not None and digest(settled) == row.text_digest  # the published text stays as it is
        moved = bool(row.published) and after.get(row.id) != position  # readers know it by its number
        if (row.locked and row.id in change.touched and not same) or moved:
            raise held(row, position)


def _since(old: Sequence[ChapterEntry], change: Change) -> int:
    """The first position that has another state afterwards (0: the genesis); one behind the last where only rows
    change."""
    if GENESIS in change.deltas or delta_path(GENESIS) in change.files:
        return 0
    told = {*change.deltas, *(row.id for row in change.rows if row.file in change.files)}
    told |= {path.split("/")[2] for path in change.files if path.startswith("story/chapters/")}
    for position, row in enumerate(change.rows, 1):
        if position > len(old) or old[position - 1].id != row.id or row.id in told:
            return position
    return len(change.rows) + 1


def _resting(
    store: BookStore, book: Book, rules: Rules, change: Change, base: StoryState, folded: Sequence[Folded],
    since: int,
) -> list[Rest]:  # fmt: skip
    """What later chapters rest on of what the touched ones no longer say, or newly say."""
    old = {row.id: number for number, row in enumerate(book.index.chapters, 1)}
    new = {row.id: number for number, row in enumerate(change.rows, 1)}
    touched, first = Touched(frozenset(), frozenset(), frozenset()), len(change.rows) + 1

    def before(position: int) -> StoryState | None:
        return _try_snapshot(store, book, position - 1)

    def after_fold(position: int) -> StoryState | None:
        return base if position == since - 1 else folded[position - since].state if position >= since else None

    for chapter in change.touched:
        was, now = old.get(chapter), new.get(chapter)
        if was is not None and was == now:
            pairs = [(_try_snapshot(store, book, was), after_fold(now))]
        else:
            pairs = [(before(was), _try_snapshot(store, book, was))] if was else []
            pairs += [(after_fold(now - 1), after_fold(now))] if now else []
        for one, other in pairs:
            if one is not None and other is not None:
                more = difference(one, other)
                touched = touched.and_also(more)
        first = min([first, *(position for position in (was, now) if position)])
    if not touched or not folded:
        return []
    reached = [each for each in folded if each.state.last_applied_chapter >= first]
    later = told_chapters(store, [each.entry for each in reached], change.rows, _told_anew(change))
    state = folded[-1].state
    known = state.model_copy(update={"entities": {**book.state.entities, **state.entities},
                                     "hooks": {**book.state.hooks, **state.hooks}})  # fmt: skip
    found = resting(touched, later, len(change.rows) + 1 - len(later), known, rules, book.config.language)
    return [rest for rest in found if rest.chapter not in change.touched]


def _try_snapshot(store: BookStore, book: Book, position: int) -> StoryState | None:
    try:
        return store.snapshot(book.index.chapters[position - 1].id if position else GENESIS)
    except InkosError:
        return None


def _marked(
    change: Change, folded: Sequence[Folded], rests: Sequence[Rest], move: str, since: int
) -> tuple[ChapterEntry, ...]:
    """The rows with their marks, digests and errata as they hold afterwards."""
    cause = change.touched[0] if change.touched else ""
    found = marks(rests, cause, move)
    rows: list[ChapterEntry] = []
    for position, row in enumerate(change.rows, 1):
        update: dict[str, object] = {}
        if position >= since:
            out = _known_first(suspensions(folded[position - since].suspended, cause, move), row.stale)
            told = {mark.quote for mark in out if mark.quote}
            old = [mark for mark in row.stale if mark.kind == "rests" and mark.move != change.undoes]
            more = [mark for mark in found.get(row.id, ()) if mark.quote not in told and not _has(old, mark)]
            update["stale"] = (*out, *old, *more)
        content = change.files.get(row.file)
        if content is not None:
            update["text_digest"] = digest(content)
        if row.locked and row.id in change.touched and change.reason.strip():
            update["errata"] = (*row.errata, Erratum(at=change.at, reason=change.reason.strip()))
        rows.append(row.model_copy(update=update) if update else row)
    return tuple(rows)


def _known_first(found: Sequence[Stale], known: Sequence[Stale]) -> list[Stale]:
    """What was suspended before keeps the mark that says since when."""
    before = {(mark.code, mark.path): mark for mark in known if mark.kind == "suspended"}
    return [before.get((mark.code, mark.path), mark) for mark in found]


def _has(known: Sequence[Stale], mark: Stale) -> bool:
    return any((other.about, other.quote) == (mark.about, mark.quote) for other in known)


def _shown(
    name: str, store: BookStore, old: Sequence[ChapterEntry], rows: Sequence[ChapterEntry], change: Change, move: str,
    since: int,
) -> Moved:  # fmt: skip
    files = []
    for path, content in sorted(change.files.items()):
        if path.startswith("chapters/"):
            there = store.file(path)
            if content != there:
                how: Literal["added", "removed", "changed"] = "changed" if content is not None else "removed"
                files.append(FileTouched(path=path, how="added" if there is None else how))
    later, quiet = [], 0
    for position, row in enumerate(rows, 1):
        if row.id in change.touched or position < since:
            continue
        if row.stale:
            later.append(
                Later(position=position, title=row.title, chapter=row.id, locked=row.locked, stale=row.stale)
            )
        else:
            quiet += 1
    ids = [row.id for row in rows]
    was = {row.id: number for number, row in enumerate(old, 1)}
    first = change.touched[0] if change.touched else ""
    position = ids.index(first) + 1 if first in ids else was.get(first, 0)
    title = next((row.title for row in (*rows, *old) if row.id == first), "")
    return Moved(book=name, what=change.what, dry_run=False, move=move, position=position, title=title,
                 files=tuple(files), later=tuple(later), untouched=quiet)  # fmt: skip
