"""What moves removed or replaced, kept for undoing them: one record and copies of the files a move; changes nothing.

    .inkos/bin/m0007.json           what the move was, and the rows of its chapters before it
    .inkos/bin/m0007/chapters/…     each file as it was, under its path in the book
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inkos.errors import UsageFault
from inkos.kernel.book import ChapterEntry, Index
from inkos.ports import BookStore
from inkos.records import Record, digest, dump

BIN = ".inkos/bin"


class RowBefore(Record):
    """A chapter's row before a move (null: the move made it), and the id of the chapter that stood before it."""

    chapter: str
    entry: ChapterEntry | None = None
    after: str = ""


class Binned(Record):
    """One move. `kept`: paths whose content is kept; `added`: paths that did not exist before it. `digests`: SHA-256 of
    the manuscript files as the move left them, "" for those it removed. `undone` by another move."""

    schema_version: int = 1
    id: str
    what: str
    at: str
    position: int
    title: str
    rows: tuple[RowBefore, ...]
    kept: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    digests: dict[str, str] = {}
    undoes: str = ""
    undone: bool = False


def moves(store: BookStore) -> list[Binned]:
    """All moves, oldest first; a record that cannot be read is passed over, its files stay."""
    found = []
    for path in store.names(BIN):
        if path.endswith(".json"):
            try:
                found.append(Binned.model_validate_json(store.file(path) or b""))
            except ValueError:
                continue
    return sorted(found, key=lambda move: move.id)


def new_move(store: BookStore) -> str:
    names = [path.rpartition("/m")[2].removesuffix(".json") for path in store.names(BIN)]
    used = [int(name) for name in names if name.isdigit()]
    return f"m{max(used, default=0) + 1:04d}"


def binned_files(
    store: BookStore, index: Index, what: str, move: str, at: str, rows: Sequence[ChapterEntry], paths: Iterable[str],
    touched: Sequence[str], undoes: str,
) -> tuple[Binned, dict[str, bytes | None]]:  # fmt: skip
    """The record of a move and the files of the bin, the record of the undone move among them."""
    old = index.chapters
    at_old = {row.id: number for number, row in enumerate(old)}
    files: dict[str, bytes | None] = {}
    kept, added = [], []
    for path in sorted(set(paths)):
        content = store.file(path)
        if content is None:
            added.append(path)
        else:
            kept.append(path)
            files[f"{BIN}/{move}/{path}"] = content
    before = tuple(
        RowBefore(chapter=chapter, entry=old[at_old[chapter]] if chapter in at_old else None,
                  after=old[at_old[chapter] - 1].id if at_old.get(chapter) else "")
        for chapter in touched
    )  # fmt: skip
    texts = {row.file: row.text_digest for row in rows}
    digests = {path: texts.get(path, "") for path in (*kept, *added) if path.startswith("chapters/")}
    places = {row.id: number for number, row in enumerate(rows, 1)} | {row.id: n for n, row in enumerate(old, 1)}
    first = touched[0]
    title = next((row.title for row in (*rows, *old) if row.id == first), "")
    record = Binned(id=move, what=what, at=at, position=places.get(first, 0), title=title, rows=before,
                    kept=tuple(kept), added=tuple(added), digests=digests, undoes=undoes)  # fmt: skip
    files[f"{BIN}/{move}.json"] = dump(record)
    for other in moves(store) if undoes else ():
        if other.id == undoes:
            files[f"{BIN}/{undoes}.json"] = dump(other.model_copy(update={"undone": True}))
    return record, files


def find(store: BookStore, move: str) -> Binned:
    """A move by its id; without one, the newest that can be undone and is no undoing itself."""
    known = moves(store)
    if move:
        found = next((each for each in known if each.id == move), None)
        if found is None:
            raise UsageFault("move-unknown", where=BIN, move=move)
        if found.undone:
            raise UsageFault("move-undone", where=BIN, move=move)
        return found
    open_ones = [each for each in known if not each.undone and not each.undoes]
    if not open_ones:
        raise UsageFault("nothing-to-undo", where=BIN)
    return open_ones[-1]


def changed_since(store: BookStore, move: Binned) -> list[str]:
    """Manuscript files that are not as the move left them."""
    changed = []
    for path, expected in move.digests.items():
        content = store.file(path)
        if ("" if content is None else digest(content)) != expected:
            changed.append(path)
    return changed
