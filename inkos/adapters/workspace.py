"""The folder that holds books: finding it, listing, choosing, creating; does not know what is in a book.

    <workspace>/inkos.yaml  .gitignore  .gitattributes  books/<book>/…  .inkos/ (runs without a book, lock, schema)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from filelock import FileLock

from inkos.adapters.book_files import author_text
from inkos.adapters.config_files import (
    BOOK_FILE,
    WORKSPACE_FILE,
    book_yaml,
    load_workspace,
    schema_json,
    workspace_yaml,
)
from inkos.adapters.disk import Files, disk_fault, file_names, make_folders, put_file, read_bytes
from inkos.adapters.file_set import PRIVATE
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.lease import Lease
from inkos.adapters.names import check_name, folder_name, inside, key_of
from inkos.config import BookConfig, WorkspaceConfig
from inkos.errors import InkosError, UsageFault
from inkos.kernel.delta import Delta
from inkos.kernel.story import History, StoryState

BOOKS = "books"
STAGING = ".new-"  # a book that is being made: nobody's, thrown away by who comes next
READY = ".ready-"  # a book restored whole, on its way to its place: put there by who comes next
_IGNORE = "# What is rebuilt, or is of this machine only.\n.inkos/\nruns/\nexports/\n"
# Digests are taken of bytes: git must not change line ends.
_ATTRIBUTES = "* -text\n"
LOCK_SECONDS = 30.0


def find_workspace(start: Path) -> Path | None:
    """The nearest folder at or above `start` that has an inkos.yaml."""
    here = start.resolve()
    return next((folder for folder in (here, *here.parents) if (folder / WORKSPACE_FILE).is_file()), None)


def create_workspace(folder: Path, config: WorkspaceConfig, files: Files | None = None) -> Path:
    """inkos.yaml and an empty `books/`; UsageFault `workspace-exists` where there is one. inkos.yaml comes last."""
    doer = files or Files()
    if (folder / WORKSPACE_FILE).exists():
        raise UsageFault("workspace-exists", where=str(folder))
    make_folders(doer, folder / BOOKS)
    make_folders(doer, folder / PRIVATE)
    put_file(doer, folder / PRIVATE / "schema.json", schema_json(WorkspaceConfig), folder / PRIVATE / "schema.new")
    contents = {".gitignore": _IGNORE, ".gitattributes": _ATTRIBUTES, WORKSPACE_FILE: workspace_yaml(config)}
    for name, text in contents.items():
        if not (folder / name).exists():
            put_file(doer, folder / name, text.encode(), folder / PRIVATE / "file.new")
    return folder


class WorkspaceFolder:
    """One workspace. `root` has an inkos.yaml, or is where one would stand."""

    def __init__(self, root: Path, files: Files | None = None) -> None:
        self.root = root
        self._files = files or Files()
        self.lease_of: Callable[[Path], Lease] | None = None  # null: a book is held by its own folder's lock

    def exists(self) -> bool:
        return (self.root / WORKSPACE_FILE).is_file()

    def require(self) -> None:
        """UsageFault `workspace-missing` where there is none."""
        if not self.exists():
            raise UsageFault("workspace-missing", where=str(self.root))

    @property
    def files(self) -> Files:
        return self._files

    @property
    def books_folder(self) -> Path:
        return self.root / BOOKS

    def config(self, env: Mapping[str, str]) -> tuple[WorkspaceConfig, dict[str, str]]:
        return load_workspace(self.root, env)

    def books(self) -> list[str]:
        """Folder names of the books, sorted; a book is a folder with a book.yaml."""
        try:
            found = list(self.books_folder.iterdir()) if self.books_folder.is_dir() else []
        except OSError as error:
            raise disk_fault(error, self.books_folder, writing=False) from error
        return sorted(item.name for item in found if not item.name.startswith(".") and (item / BOOK_FILE).is_file())

    def resolve(self, book: str | None, here: Path) -> str:
        """The folder name of the book meant: the one named (by folder name, whatever its case), the one that `here`
        lies in, or the only one. UsageFault `book-missing`, `book-which`, `book-none`, `name-unsafe`."""
        names = self.books()
        if not names:
            self.require()
        if book is not None:
            if book in names:
                return book
            same = [name for name in names if key_of(name) == key_of(book)]
            if len(same) == 1:
                return same[0]
            check_name(book)
            raise UsageFault("book-missing", where=str(self.books_folder), book=book)
        inside = here.resolve()
        for name in names:
            if inside.is_relative_to((self.books_folder / name).resolve()):
                return name
        if len(names) == 1:
            return names[0]
        if not names:
            raise UsageFault("book-none", where=str(self.root))
        raise UsageFault("book-which", where=str(self.root), known=", ".join(names))

    def path(self, book: str) -> Path:
        """The folder of a book that `books` lists."""
        return self.books_folder / book

    def store(self, book: str) -> FolderStore:
        place = self.path(book)
        return FolderStore(place, files=self._files, lease=self.lease_of(place) if self.lease_of else None)

    def prompts(self) -> dict[str, str]:
        """Role prompts for all books: texts by path, `prompts/<language>/<file>`."""
        found = {}
        for language in ("en", "zh"):
            folder = self.root / "prompts" / language
            for name in sorted(file_names(folder)):
                path = f"prompts/{language}/{name}"
                if name.endswith((".md", ".j2", ".txt")) and not name.startswith("."):
                    found[path] = author_text(read_bytes(inside(self.root, path)), str(folder / name))
        return found

    def free_name(self, title: str) -> str:
        """A folder name for a new book: safe on every system, and no other name in `books/` on any."""
        return folder_name(title, self._taken())

    def check_new(self, name: str) -> None:
        """UsageFault `name-unsafe` or `book-exists` when a new book cannot bear this folder name."""
        check_name(name)
        if key_of(name) in {key_of(taken) for taken in self._taken()}:
            raise UsageFault("book-exists", where=str(self.books_folder / name), book=name)

    def _taken(self) -> list[str]:
        return [item.name for item in self.books_folder.iterdir()] if self.books_folder.is_dir() else []

    def create_book(
        self,
        name: str,
        config: BookConfig,
        files: Mapping[str, str],
        genesis: Delta,
        state: StoryState,
        history: History,
        minted: Mapping[str, int],
    ) -> Path:
        """A new book, whole or not at all: built beside the others under a name that no command sees, and renamed.

        Raises UsageFault `name-unsafe`, `book-exists`, and what the disk says (`disk-full` …)."""
        self.check_new(name)
        make_folders(self._files, self.books_folder)
        with self.moving():
            self.check_new(name)
            staging = self.books_folder / f"{STAGING}{name}"
            contents = {path: text.encode() for path, text in files.items()}
            contents[BOOK_FILE] = book_yaml(config).encode()
            try:
                self._build(staging, contents, genesis, state, history, minted)
                self._files.rename(staging, self.books_folder / name)
                self._files.sync_folder(self.books_folder)
            except BaseException as error:
                with contextlib.suppress(OSError):
                    self._files.remove_folder(staging)
                if isinstance(error, OSError):
                    raise disk_fault(error, self.books_folder / name, writing=True) from error
                raise
        return self.books_folder / name

    def _build(
        self,
        staging: Path,
        contents: Mapping[str, bytes],
        genesis: Delta,
        state: StoryState,
        history: History,
        minted: Mapping[str, int],
    ) -> None:
        make_folders(self._files, staging / PRIVATE)
        schema = staging / PRIVATE / "schema.json"
        put_file(self._files, schema, schema_json(BookConfig), schema.with_suffix(".new"))
        store = FolderStore(staging, files=self._files)
        with store.hold_new("create"):
            store.found(contents, genesis, state, history, minted)

    @contextlib.contextmanager
    def moving(self) -> Iterator[None]:
        """One creation, restoring or renaming at a time; what a killed one left is finished where it was whole, else
        removed, for nobody else can be at it."""
        make_folders(self._files, self.root / PRIVATE)
        path = self.root / PRIVATE / "books.lock"
        lock = FileLock(path, timeout=LOCK_SECONDS, preserve_lock_file=True)
        try:
            lock.acquire()
        except TimeoutError as error:
            raise InkosError("book-moving", where=str(self.books_folder)) from error
        except OSError as error:
            raise disk_fault(error, path, writing=True) from error
        try:
            for left in self.books_folder.glob(f"{STAGING}*"):
                self._files.remove_folder(left)
            for left in self.books_folder.glob(f"{READY}*"):
                place = self.books_folder / left.name.removeprefix(READY)
                if place.exists():
                    self._files.remove_folder(left)
                else:
                    self._files.rename(left, place)
            yield
        finally:
            lock.release()
