"""What the shell asks of the world, as protocols: models, a book's store, clock; knows no adapter.

Each port, its adapter and its fake bear one noun: ModelPort — ServiceModel, OfflineAuthor; BookStore — FolderStore.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager
from typing import Literal, Protocol

from inkos.batch_ports import BatchWork, Board, Engine
from inkos.config import BookConfig, CallLimits, WorkspaceConfig
from inkos.gates.check import HouseLists
from inkos.kernel.book import Book, ChapterEntry, Index
from inkos.kernel.delta import Delta
from inkos.kernel.rules import Rules
from inkos.kernel.story import History, StoryState
from inkos.messages import Language, Messages
from inkos.model_ports import (
    CanaryMeasure as CanaryMeasure,
    KnownService as KnownService,
    Limiter as Limiter,
    ModelDesk as ModelDesk,
    ModelPort as ModelPort,
    ModelWork as ModelWork,
    Notice as Notice,
    OnText as OnText,
    ProbeCheck as ProbeCheck,
    Probed as Probed,
    Purse as Purse,
    Reply as Reply,
    Permit as Permit,
    Usage as Usage,
)
from inkos.press_ports import EpubReport as EpubReport, Picture as Picture, Press as Press
from inkos.prompts.kit import Kit
from inkos.prompts.recall import Counted, Said
from inkos.records import Record


class Clock(Protocol):
    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class FileSet(Record):
    """Files that become visible together or not at all: path inside the book → new bytes, null removes.
    `expect` names the SHA-256 a target must have now ("" = must not exist); what is not named there is not checked."""

    files: dict[str, bytes | None]
    expect: dict[str, str] = {}


class Holder(Record):
    """Who writes a book: `pid` on `host`, since (seconds since the epoch), doing what; `token` is the fencing token.
    `took_over` is the dead holder whose place was taken, for a note to people."""

    pid: int
    host: str
    since: float
    doing: str
    token: int
    took_over: Holder | None = None


class Accepted(Record):
    """One accepted chapter, whole: what `BookStore.accept` makes visible in one step, the run record included."""

    entry: ChapterEntry
    text: str
    delta: Delta
    state: StoryState
    history: History
    index: Index
    papers: dict[str, bytes] = {}  # further files: plan, trace, versions, assessments (path inside the book → bytes)
    run: tuple[str, bytes] | None = None  # the run's id and its run.json as it holds after the acceptance


class Refolded(Record):
    """One chapter of a history that is replaced: its row in the index (null: the genesis), the state after it and what
    it laid to rest, what its author adopted after it included."""

    entry: ChapterEntry | None
    state: StoryState
    history: History


class Rewrite(Record):
    """The book's history from position `since` on (0: the genesis too), whole: what `BookStore.rewrite` puts in the
    place of the old one in one step. `chapters` are all from `since` to the end, in order; `deltas` those that change,
    by chapter id. `files` are further files, null removes; `expect` is as in a FileSet."""

    index: Index
    since: int
    chapters: tuple[Refolded, ...]
    deltas: dict[str, Delta] = {}
    files: dict[str, bytes | None] = {}
    expect: dict[str, str] = {}
    run: tuple[str, bytes] | None = None
    anew: bool = False  # store every piece anew: those that lie there cannot be trusted


class FileProblem(Record):
    """A file that is not as the index says. `kind` says in which way."""

    path: str
    kind: Literal["missing", "empty", "unreadable", "damaged", "changed", "extra"]
    detail: str = ""


class BookStore(Protocol):
    """One book's files. Reading never writes. Writing needs the lease from `hold`; a set shows whole or not at all."""

    def hold(self, doing: str) -> AbstractContextManager[Holder]:
        """Become the one writer, finish or discard what a dead one left; BookBusy when another holds the book."""
        ...

    def holder(self) -> Holder | None: ...

    def read(self, *, recent: int = 10) -> Book:
        """The book at one revision, never a mixture. InkosError names the file that is missing, empty, unreadable or
        damaged."""
        ...

    def config(self) -> BookConfig:
        """book.yaml alone: it can be read where the state is damaged."""
        ...

    def index(self) -> Index: ...
    def text(self, chapter_id: str) -> str: ...
    def delta(self, chapter_id: str) -> Delta: ...
    def snapshot(self, chapter_id: str) -> StoryState: ...
    def histories(self) -> Iterator[History]: ...
    def conflicts(self) -> Sequence[str]:
        """Paths that an interrupted change cannot be finished over, because somebody saved them meanwhile."""
        ...

    def problems(self, *, deep: bool = False) -> list[FileProblem]:
        """What is not as it should be. `deep` reads every file: deltas, pieces, the author's own papers."""
        ...


    def commit(self, files: FileSet) -> int:
        """Write a set; the new revision."""
        ...

    def accept(self, accepted: Accepted) -> int: ...

    def author_deltas(self, chapter_id: str) -> Sequence[Delta]:
        """What the author adopted by hand after a chapter (or `genesis`), in order."""
        ...

    def edited_state(self) -> tuple[StoryState, StoryState] | None:
        """The state as the program left it and as somebody edited it in its files; null when nobody did."""
        ...

    def adopt(self, delta: Delta, state: StoryState, history: History, minted: Mapping[str, int]) -> int:
        """Keep an author's delta after the last chapter, and the state and history that it makes."""
        ...

    def rewrite(self, change: Rewrite) -> int:
        """Replace the history from a position on: index, state, snapshots, pieces, and what the change names; what
        stands before the position is not touched."""
        ...

    def chapter_file(self, chapter_id: str, name: str) -> bytes | None:
        """A paper in story/chapters/<id>/, or null."""
        ...

    def file(self, path: str) -> bytes | None:
        """Any file inside the book, or null."""
        ...

    def names(self, folder: str) -> Sequence[str]:
        """Paths of the files directly in a folder of the book, sorted."""
        ...

    def prose(self, path: str, content: bytes) -> str:
        """The prose of a manuscript file with this content."""
        ...


class RunStore(Protocol):
    """Run folders: one total run.json each, and artefacts written before it. Ids and names are checked, never paths."""

    def save(self, run_id: str, record: bytes) -> None: ...
    def load(self, run_id: str) -> bytes: ...
    def list(self) -> Sequence[str]: ...
    def put(self, run_id: str, name: str, content: bytes) -> None: ...
    def get(self, run_id: str, name: str) -> bytes | None: ...
    def append_ledger(self, line: Mapping[str, object]) -> None: ...
    def ledger(self) -> Iterator[Mapping[str, object]]: ...
    def ledger_problems(self) -> Sequence[FileProblem]: ...


class RecallIndex(Protocol):
    """What a book's deltas said, found by rare words: a view that can be built again at any time."""

    def refresh(self, chapters: Sequence[tuple[str, str]], rows_of: Callable[[str, int], Sequence[Said]]) -> int:
        """Bring it up to the chapters, each (id, digest of text and settlement) in order; how many had to be read."""
        ...

    def ask(self, terms: Set[str], before: int) -> Counted:
        """Rows of chapters before position `before` that have one of the rarest of `terms`."""
        ...


class ShingleIndex(Protocol):
    """Which runs of words stand in a book's chapters: a view that can be built again at any time."""

    def refresh(self, chapters: Sequence[tuple[str, str]], runs_of: Callable[[str], Set[int]]) -> int:
        """Bring it up to the chapters, each (id, digest of its text) in order; how many had to be read."""
        ...

    def seen(self, runs: Set[int], before: int) -> frozenset[int]:
        """Those of `runs` that stand in a chapter before position `before`."""
        ...


class Backup(Record):
    """A book as one file. `left_out`: what stayed behind because it could not travel (links, names of one system)."""

    file: str
    name: str
    book_id: str
    title: str
    revision: int
    files: int
    bytes: int
    left_out: tuple[str, ...] = ()


class Mender(Protocol):
    """What makes one damaged book fit to be written again. What stood in the way goes to the bin first."""

    def settle(self, keep: Literal["disk", "set"]) -> Sequence[str]:
        """Decide an interrupted change that a hand-save collided with; the paths of copies of what lost."""
        ...

    def restore(self) -> Sequence[str]:
        """Put back index, state and last snapshot from what else says them; the paths that were written."""
        ...

    def let_stand(self, paths: Sequence[str]) -> None:
        """Count these files as the program's own, whatever they hold: they are rebuilt next."""
        ...


class OutsideFile(Record):
    """A text file that a person named: `text` is what it says, `content` its bytes in UTF-8 (as they are, where they
    are UTF-8). `inside` is its path in the book when it lies there already."""

    path: str
    content: bytes
    text: str
    inside: str = ""


class BinnedBook(Record):
    """A deleted or replaced book; `name` is what it is called in the bin."""

    number: int
    book: str
    name: str


class BookMoves(Protocol):
    """Moves of whole books. None of them touches a book that is being written (BookBusy)."""

    def backup(self, book: str, output: str) -> Backup:
        """One verified file. `output` empty: backups/<book>.zip of the workspace; a folder: <book>.zip in it."""
        ...

    def read_backup(self, path: str) -> Backup:
        """Verified whole. UsageFault or InkosError `backup-…` when it is none, or not as it was written."""
        ...

    def restore(self, path: str, name: str, *, replace: bool) -> tuple[Backup, str]:
        """Verified before anything is touched; what is replaced goes to the bin, whose name for it comes second."""
        ...

    def rename(self, book: str, name: str) -> None: ...
    def delete(self, book: str) -> str:
        """To the bin; its name there."""
        ...

    def binned(self) -> Sequence[BinnedBook]: ...
    def bring_back(self, wanted: str, name: str) -> str:
        """A book out of the bin under `name` (empty: its own); the folder name that it bears now."""
        ...


class Workspace(ModelWork, BatchWork, Press, Protocol):
    """Everything that actions need of the world. One implementation, in inkos/hosts/wire.py, knows the adapters."""

    @property
    def clock(self) -> Clock: ...
    @property
    def limiter(self) -> Limiter: ...
    @property
    def config(self) -> WorkspaceConfig: ...
    @property
    def origins(self) -> Mapping[str, str]:
        """Where each configured value came from, by dotted key."""
        ...

    @property
    def root(self) -> str: ...
    def books(self) -> Sequence[str]: ...
    def resolve(self, book: str | None) -> str:
        """A book's folder name: the one named, the one we stand in, or the only one. UsageFault otherwise."""
        ...

    def store(self, book: str) -> BookStore: ...
    def runs(self, book: str | None) -> RunStore:
        """A book's runs; None: the workspace's own, for founding."""
        ...

    def kit(self, language: Language, overrides: Mapping[str, str]) -> Kit: ...
    def rules(self, config: BookConfig) -> Rules: ...
    def messages(self, language: Language) -> Messages: ...
    def unwritable(self) -> str:
        """What the disk says when a file is written in the workspace's folder; empty when it is."""
        ...

    def free_name(self, title: str) -> str:
        """A folder name for a new book that is safe on every system and not taken."""
        ...

    def check_new(self, name: str) -> None:
        """UsageFault when a new book cannot bear this folder name: unsafe, or taken."""
        ...

    @property
    def moves(self) -> BookMoves: ...
    def mender(self, book: str) -> Mender: ...

    def packs(self, genre: str) -> Sequence[Mapping[str, object]]:
        """The predicate packs of a genre: general first, then its own."""
        ...

    def rehearses(self) -> bool:
        """Is some role of this workspace played by the offline author? Its books say so to their readers."""
        ...

    def create(self, name: str, config: BookConfig, files: Mapping[str, str], genesis: Delta, state: StoryState,
               history: History, minted: Mapping[str, int]) -> None:
        """A new book, whole or not at all."""
        ...

    def read_text(self, path: str) -> str:
        """A text that a person named on the command line, `-` for standard input. InkosError when it cannot be read."""
        ...

    def book_settings(self, text: str, where: str) -> BookConfig:
        """A book.yaml that a person wrote, `where` for messages. UsageFault as for a book's own."""
        ...

    def read_folder(self, path: str) -> Mapping[str, str]:
        """The text files of a folder that a person named: relative path → text."""
        ...

    def read_chapters(self, book: str, paths: Sequence[str]) -> Sequence[OutsideFile]:
        """The text files that these paths are or hold (folders not deeper than one level); a path that is not there
        may be meant inside the book. UsageFault `text-…`, `folder-…`."""
        ...

    def read_book_file(self, book: str, path: str) -> bytes:
        """A file inside a book's folder, such as its cover; never outside it."""
        ...

    def book_folder(self, book: str) -> str: ...
    def write_file(self, path: str, content: bytes) -> None: ...
    def house_lists(self, language: Language) -> HouseLists: ...
    def shingles(self, book: str) -> ShingleIndex: ...
    def house_kit(self, language: Language) -> Kit:
        """The prompts as they come with the program."""
        ...

    def own_prompts(self) -> Mapping[str, str]:
        """The workspace's own role prompts, by path."""
        ...
    def recall(self, book: str) -> RecallIndex: ...
    def at_work(self, board: Board, engine: Engine, purse: Purse, narrower: Mapping[str, CallLimits]) -> Workspace:
        """This workspace as a worker of a batch sees it: books held by the database's leases, endpoints shared with all
        workers within `narrower` limits, every call paid from `purse`."""
        ...

    def write_folder(self, folder: str, files: Mapping[str, bytes]) -> Sequence[str]:
        """Files by their names in one folder; the names of other files that lie there."""
        ...
