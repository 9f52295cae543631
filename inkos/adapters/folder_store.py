"""A book's folder as the BookStore port: reading at one revision, accepting in one step; judges nothing."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Literal

from inkos.adapters import hand_edits
from inkos.adapters.book_files import (
    INDEX,
    VOICES,
    author_text,
    chapter_bytes,
    delta_bytes,
    delta_path,
    parse_voices,
    prose_of,
)
from inkos.adapters.canon_files import story_files
from inkos.adapters.config_files import BOOK_FILE, parse_book
from inkos.adapters.damage import find_problems, problem_of
from inkos.adapters.disk import Files
from inkos.adapters.file_set import PRIVATE, FileSets, View
from inkos.adapters.lease import Lease
from inkos.adapters.names import check_artefact
from inkos.adapters.pieces import (
    EMPTY_SHELF,
    SNAPSHOTS,
    Packs,
    Shelf,
    SnapshotFile,
    load_shelf,
    load_snapshot,
    pack_path,
)
from inkos.adapters.rewriting import rewritten
from inkos.adapters.state_files import STATE_FILES, LoadedState, Order, load_record, load_state
from inkos.adapters.upgrade import bring_up_to_date
from inkos.config import BookConfig
from inkos.errors import InkosError
from inkos.kernel.book import Book, ChapterEntry, Index
from inkos.kernel.delta import Delta
from inkos.kernel.outline import parse_outline
from inkos.kernel.papers import Outline
from inkos.kernel.story import History, StoryState
from inkos.ports import Accepted, FileProblem, FileSet, Holder, Rewrite
from inkos.records import GENESIS, digest


class FolderStore:
    """One book's folder. See inkos/ports.py BookStore; what it adds is said at each method."""

    def __init__(
        self,
        root: Path,
        *,
        files: Files | None = None,
        now: Callable[[], float] = time.time,
        host: str | None = None,
        lease: Lease | None = None,
    ) -> None:
        self.root = root
        doer = files or Files()
        self.sets = FileSets(root, doer, watched=(INDEX, "story/state/"))
        self.lease = lease or Lease(root / PRIVATE, doer, now=now, host=host)
        # The state as it was last read or written, with the bytes it stood in: equal bytes are not parsed again.
        self._loaded: tuple[Index, dict[str, bytes], LoadedState] | None = None
        self._shelf: tuple[str, Shelf] | None = None
        self._known_index: tuple[bytes, Index] | None = None
        self._known_outline: tuple[str, Outline] = ("", Outline())

    # --- one writer

    @contextlib.contextmanager
    def hold(self, doing: str, *, take_over: bool = False) -> Iterator[Holder]:
        """A book of an older format is rewritten first, with a backup. `take_over`: a person says that the holder on
        another host is gone. Raises `set-conflict` when a recorded set cannot be finished over what somebody saved
        meanwhile; `settle` decides it."""
        self._check_there()
        with self.lease.hold(doing, least_token=self.sets.revision().token, take_over=take_over) as holder:
            self.sets.recover(holder.token)
            bring_up_to_date(self.sets, holder.token)
            yield holder

    @contextlib.contextmanager
    def hold_new(self, doing: str) -> Iterator[Holder]:
        """`hold` for a folder that is about to become a book."""
        with self.lease.hold(doing) as holder:
            yield holder

    def holder(self) -> Holder | None:
        return self.lease.holder()

    def settle(self, doing: str, keep: Literal["disk", "set"]) -> list[str]:
        """Decide a conflict that `hold` named; the paths of the copies of what lost."""
        self._check_there()
        with self.lease.hold(doing, least_token=self.sets.revision().token):
            return self.sets.settle(keep)

    def _check_there(self) -> None:
        """Before a lock is left in it: that this is a book, of a format that this program knows."""
        self.sets.revision()
        if not (self.root / BOOK_FILE).is_file():
            raise InkosError("book-missing", where=str(self.root), book=self.root.name)

    def _token(self) -> int:
        holder = self.lease.mine
        if holder is None:
            raise AssertionError("writing needs the lease: use `with store.hold(...)`")
        return holder.token

    # --- reading

    def read(self, *, recent: int = 10) -> Book:
        """Raises `state-refused` when the state was edited by hand to what cannot be, and `state-edited` when it was
        edited at all and the book is read to work on it (`recent` > 0)."""
        return self.sets.at_one_revision(lambda view: self._read(view, recent))

    def _read(self, view: View, recent: int) -> Book:
        config = parse_book(view.read(BOOK_FILE), self.where(BOOK_FILE))
        index = self._index(view)
        loaded = self.loaded(view, index)
        edited, known = hand_edits.look(view, loaded.state, lambda: self._last_snapshot(view, index))
        if edited:
            hand_edits.refuse_faults(known, loaded.state, config, self.where(edited))
            if recent:
                raise InkosError("state-edited", where=self.where(edited))
        bible = tuple((path, self._text(view, path)) for path in view.names("bible") if path.endswith(".md"))
        outline = self._text(view, "outline.md", "")
        if self._known_outline[0] != outline:
            self._known_outline = (outline, parse_outline(outline))
        return Book(
            revision=view.revision.revision,
            config=config,
            index=index,
            state=loaded.state,
            outline=self._known_outline[1],
            intent=self._text(view, "intent.md", "").strip(),
            focus=self._text(view, "focus.md", "").strip(),
            bible=bible,
            voices=parse_voices(dict(bible).get(VOICES, "")),
            recent=tuple(self._prose(view, entry) for entry in index.chapters[max(0, len(index.chapters) - recent) :]),
            prompts={path.removeprefix("prompts/"): self._text(view, path) for path in view.names("prompts")},
        )

    def config(self) -> BookConfig:
        return self.sets.at_one_revision(lambda view: parse_book(view.read(BOOK_FILE), self.where(BOOK_FILE)))

    def index(self) -> Index:
        return self.sets.at_one_revision(self._index)

    def state(self) -> StoryState:
        return self.sets.at_one_revision(lambda view: self.loaded(view, self._index(view)).state)

    def text(self, chapter_id: str) -> str:
        def work(view: View) -> str:
            return self._prose(view, self._entry(self._index(view), chapter_id))

        return self.sets.at_one_revision(work)

    def delta(self, chapter_id: str) -> Delta:
        path = delta_path(chapter_id)

        def work(view: View) -> Delta:
            order = Order(entry.id for entry in self._index(view).chapters)
            return load_record(Delta, view.read(path), self.where(path), order.context)

        return self.sets.at_one_revision(work)

    def snapshot(self, chapter_id: str) -> StoryState:
        return self.sets.at_one_revision(lambda view: self._snapshot(view, self._index(view), chapter_id))

    def _snapshot(self, view: View, index: Index, chapter_id: str) -> StoryState:
        path = f"{SNAPSHOTS}/{check_artefact(chapter_id)}.json"
        order = Order(entry.id for entry in index.chapters)
        snapshot = load_record(SnapshotFile, view.read(path), self.where(path))
        return load_snapshot(snapshot, Packs(view.read), order, self.where(path))

    def histories(self) -> Iterator[History]:
        """In the order of the index, genesis first; chapters that laid nothing to rest have none."""

        def work(view: View) -> tuple[Order, dict[str, str]]:
            index = self._index(view)
            return Order(entry.id for entry in index.chapters), self.loaded(view, index).history

        order, references = self.sets.at_one_revision(work)
        packs = Packs(self.read_now)
        for chapter in (GENESIS, *order):
            if chapter in references:
                yield load_record(History, packs.get(references[chapter]), self.where(chapter), order.context)

    def chapter_file(self, chapter_id: str, name: str) -> bytes | None:
        path = f"story/chapters/{check_artefact(chapter_id)}/{check_artefact(name)}"
        return self.sets.at_one_revision(lambda view: view.read_if_there(path))

    def file(self, path: str) -> bytes | None:
        return self.sets.at_one_revision(lambda view: view.read_if_there(path))

    def names(self, folder: str) -> list[str]:
        return self.sets.at_one_revision(lambda view: view.names(folder))

    def prose(self, path: str, content: bytes) -> str:
        return prose_of(content, self.where(path))

    def conflicts(self) -> list[str]:
        return self.sets.conflicts()

    def problems(self, *, deep: bool = False) -> list[FileProblem]:
        """`deep` also reads every delta and every piece; the rest takes well under a second for 2,000 chapters."""
        sound = self._loaded[:2] if self._loaded else None
        try:
            return self.sets.at_one_revision(lambda view: find_problems(self.root, view, deep, sound))
        except InkosError as error:
            if error.code in ("book-moving", "schema-newer"):
                raise
            return [problem_of(Path(error.where).relative_to(self.root).as_posix(), error)]

    def where(self, path: str) -> str:
        return str(self.root / path)

    def _text(self, view: View, path: str, absent: str | None = None) -> str:
        content = view.read(path) if absent is None else view.read_if_there(path)
        return absent or "" if content is None else author_text(content, self.where(path))

    def _index(self, view: View) -> Index:
        content = view.read(INDEX)
        if self._known_index is None or self._known_index[0] != content:
            self._known_index = (content, load_record(Index, content, self.where(INDEX)))
        return self._known_index[1]

    def _entry(self, index: Index, chapter_id: str) -> ChapterEntry:
        for entry in index.chapters:
            if entry.id == chapter_id:
                return entry
        raise InkosError("chapter-unknown", where=self.where(INDEX), chapter=chapter_id)

    def _prose(self, view: View, entry: ChapterEntry) -> str:
        content = view.read(entry.file)
        if not content.strip():
            raise InkosError("file-empty", where=self.where(entry.file))
        return prose_of(content, self.where(entry.file))

    def loaded(self, view: View, index: Index) -> LoadedState:
        contents = {path: view.read(path) for path in STATE_FILES}
        if self._loaded is None or self._loaded[1] != contents or self._loaded[0] != index:
            order = Order(entry.id for entry in index.chapters)
            self._loaded = (index, contents, load_state(contents, order, self.where))
        return self._loaded[2]

    # --- writing

    def commit(self, files: FileSet) -> int:
        """A run's run.json is moved last of all."""
        last = [path for path in files.files if path.startswith("runs/") and path.endswith("/run.json")]
        return self.sets.commit(files, token=self._token(), last=last, still_mine=self.lease.check)

    def accept(self, accepted: Accepted) -> int:
        """The next chapter, or the last one settled again. A chapter's file that holds the accepted prose already (it
        was edited or added by hand) keeps its bytes.

        Raises `file-changed` when a file that the program keeps, or the chapter's own, is not as it was left."""
        self._token()
        if accepted.state.last_applied_chapter != len(accepted.index.chapters):
            raise AssertionError("only the last chapter can be accepted; what follows an earlier one is replayed")
        index = self.index()
        before = self.sets.at_one_revision(lambda view: self.loaded(view, index))
        content, found = self._manuscript(accepted, index)
        entry = accepted.entry.model_copy(update={"text_digest": digest(content)})
        chapters = tuple(entry if row.id == entry.id else row for row in accepted.index.chapters)
        replaced = accepted.index.model_copy(update={"chapters": chapters})
        own = self._after_adoptions(accepted, index)
        files, loaded, shelf = story_files(
            replaced, *own, before, self._shelf_of(index, before), self.free_pack(accepted.entry.id)
        )
        files[delta_path(accepted.entry.id)] = delta_bytes(accepted.delta, loaded.rows.order)
        files[entry.file] = content
        files.update(accepted.papers)
        expect = dict(self.sets.revision().digests)
        expect[entry.file] = found
        if accepted.run is not None:
            files[f"runs/{check_artefact(accepted.run[0])}/run.json"] = accepted.run[1]
        revision = self.commit(FileSet(files=files, expect=expect))
        written = {path: body for path in STATE_FILES if (body := files[path]) is not None}
        self._known_index = (files[INDEX] or b"", replaced)
        self._loaded = (replaced, written, loaded)
        self._shelf = (entry.id, shelf)
        return revision

    def rewrite(self, change: Rewrite) -> int:
        """A run's run.json is moved last. Raises `file-changed` when a file that the program keeps, or one that the
        change expects otherwise, is not as it was left."""
        self._token()
        old = self.index()
        chapters = (GENESIS, *(entry.id for entry in change.index.chapters))
        pack = self.free_pack(chapters[min(change.since, len(chapters) - 1)])
        files = self.sets.at_one_revision(lambda view: rewritten(view, old, change, pack))
        if change.run is not None:
            files[f"runs/{check_artefact(change.run[0])}/run.json"] = change.run[1]
        self._loaded = self._shelf = None
        return self.commit(FileSet(files=files, expect={**self.sets.revision().digests, **change.expect}))

    def _manuscript(self, accepted: Accepted, index: Index) -> tuple[bytes, str]:
        """The bytes of the chapter's file, and the digest that the file must have now."""
        path = accepted.entry.file
        old = next((row.text_digest for row in index.chapters if row.id == accepted.entry.id), "")
        there = self.sets.at_one_revision(lambda view: view.read_if_there(path))
        prose = accepted.text.strip("\n")
        if there is not None and digest(there) != old and prose_of(there, self.where(path)) == prose:
            return there, digest(there)
        return chapter_bytes(accepted.entry.title, accepted.text), old

    def found(
        self,
        files: Mapping[str, bytes],
        genesis: Delta,
        state: StoryState,
        history: History,
        minted: Mapping[str, int],
    ) -> int:
        """The first set of a new book: the author's files and delta 0."""
        index = Index(book_id=state.book_id, minted=dict(minted))
        made, _, _ = story_files(index, state, history, None, EMPTY_SHELF, GENESIS)
        made[delta_path(GENESIS)] = delta_bytes(genesis, Order(()))
        return self.commit(FileSet(files={**files, **made}, expect={INDEX: ""}))

    # --- the state as its author edited it

    def author_deltas(self, chapter_id: str) -> tuple[Delta, ...]:
        def work(view: View) -> tuple[Delta, ...]:
            order = Order(entry.id for entry in self._index(view).chapters)
            return hand_edits.author_deltas(view, chapter_id, order, self.where)

        return self.sets.at_one_revision(work)

    def edited_state(self) -> tuple[StoryState, StoryState] | None:
        def work(view: View) -> tuple[StoryState, StoryState] | None:
            state = self.loaded(view, self._index(view)).state
            edited, known = hand_edits.look(view, state, lambda: self._last_snapshot(view, self._index(view)))
            return (known, state) if edited and known is not None else None

        return self.sets.at_one_revision(work)

    def adopt(self, delta: Delta, state: StoryState, history: History, minted: Mapping[str, int]) -> int:
        self._token()
        index = self.index().model_copy(update={"minted": dict(minted)})
        order = Order(entry.id for entry in index.chapters)
        chapter = order.id_at(state.last_applied_chapter)
        before = self.sets.at_one_revision(lambda view: self.loaded(view, index))
        number = len(self.author_deltas(chapter)) + 1
        told = next((each for each in self.histories() if each.chapter == state.last_applied_chapter), None)
        laid = hand_edits.joined(told, history)
        shelf = self._shelf_of(index, before)
        files, loaded, shelf = story_files(index, state, laid, None, shelf, self.free_pack(chapter))
        files[hand_edits.author_path(chapter, number)] = delta_bytes(delta, order)
        revision = self.commit(FileSet(files=files, expect={}))
        written = {path: body for path in STATE_FILES if (body := files[path]) is not None}
        self._loaded, self._shelf = (index, written, loaded), (chapter, shelf)
        return revision

    def _after_adoptions(self, accepted: Accepted, index: Index) -> tuple[StoryState, History]:
        """The state after the chapter; settled again, with what its author adopted after it still in place."""
        if all(entry.id != accepted.entry.id for entry in index.chapters):
            return accepted.state, accepted.history
        deltas = self.author_deltas(accepted.entry.id)
        return hand_edits.again(accepted.state, accepted.history, deltas, self.config())

    def _last_snapshot(self, view: View, index: Index) -> StoryState:
        return self._snapshot(view, index, index.chapters[-1].id if index.chapters else GENESIS)

    def read_now(self, path: str) -> bytes:
        return self.sets.at_one_revision(lambda view: view.read(path))

    def free_pack(self, chapter: str) -> str:
        name, number = chapter, 1
        while (self.root / pack_path(name)).exists():
            number += 1
            name = f"{chapter}-{number}"
        return name

    def _shelf_of(self, index: Index, loaded: LoadedState) -> Shelf:
        """The pieces of the last chapter's snapshot. Without a readable one everything is written anew: a missing
        snapshot (`problems` names it) does not stop the next chapter."""
        chapter = index.chapters[-1].id if index.chapters else GENESIS
        if self._shelf is not None and self._shelf[0] == chapter:
            return self._shelf[1]
        path = f"{SNAPSHOTS}/{chapter}.json"

        def work(view: View) -> Shelf:
            return load_shelf(load_record(SnapshotFile, view.read(path), self.where(path)), Packs(view.read))

        try:
            return self.sets.at_one_revision(work)
        except InkosError:
            return EMPTY_SHELF._replace(history=dict(loaded.history))
