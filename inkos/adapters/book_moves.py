"""Whole books as folders: renamed, put in the bin and brought back, restored from a backup; knows nothing inside them.

A restore that replaces a book goes through three steps, and a stop between any two is finished or undone by whoever
moves a book next: unpacked and verified under `.new-…` (undone), named `.ready-…` (finished from here on), the old book
in the bin and the new one in its place. A deleted or replaced book lies in `.inkos/bin/books/` of the workspace.
"""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

from inkos.adapters.archive import told, unpack, verify, write_backup
from inkos.adapters.disk import digest_of, disk_fault, make_folders
from inkos.adapters.file_set import PRIVATE
from inkos.adapters.workspace import READY, STAGING, WorkspaceFolder
from inkos.errors import BookBusy, InkosError, UsageFault
from inkos.ports import Backup, BinnedBook

_BINNED = re.compile(r"(\d{5})-(.+)")


class BookMoves:
    """The moves of one workspace's books. A book that is being written is not moved (BookBusy)."""

    def __init__(self, workspace: WorkspaceFolder) -> None:
        self._workspace = workspace
        self._files = workspace.files

    @property
    def _bin(self) -> Path:
        return self._workspace.root / PRIVATE / "bin" / "books"

    # --- backup

    def backup(self, book: str, output: str) -> Backup:
        root = self._workspace.path(book)
        config = self._workspace.store(book).config()
        target = Path(output) if output else self._workspace.root / "backups" / f"{book}.zip"
        if target.is_dir():
            target = target / f"{book}.zip"
        return write_backup(root, book, config.id, config.title, target, self._files)

    def read_backup(self, path: str) -> Backup:
        return told(verify(Path(path)), Path(path))

    def restore(self, path: str, name: str, *, replace: bool) -> tuple[Backup, str]:
        """A book from a backup; what it replaces goes to the bin, whose name for it comes second ("" when none)."""
        there = name in self._workspace.books()
        if there and not replace:
            raise UsageFault("book-exists", where=str(self._workspace.path(name)), book=name)
        if not there:
            self._workspace.check_new(name)
        staging = self._workspace.books_folder / f"{STAGING}{name}"
        ready = self._workspace.books_folder / f"{READY}{name}"
        with self._workspace.moving():
            if not there and name in self._workspace.books():
                # What a stopped restoring had left was finished just now; more often than not it was this one.
                manifest, place = verify(Path(path)), self._workspace.path(name)
                if all(digest_of(place / file) == kept.sha256 for file, kept in manifest.files.items()):
                    return told(manifest, Path(path)), ""
                raise UsageFault("book-exists", where=str(place), book=name)
            try:
                make_folders(self._files, staging)
                manifest = unpack(Path(path), staging, self._files)
                if there:
                    with self._workspace.store(name).hold("book restore"):
                        pass
                self._files.rename(staging, ready)
                binned = self._throw(name) if there else ""
                self._files.rename(ready, self._workspace.path(name))
                self._files.sync_folder(self._workspace.books_folder)
            except OSError as error:
                raise disk_fault(error, self._workspace.path(name), writing=True) from error
            finally:
                with contextlib.suppress(OSError):
                    self._files.remove_folder(staging)
        return told(manifest, Path(path)), binned

    # --- rename, delete, bring back

    def rename(self, book: str, name: str) -> None:
        """Only the folder's name changes: the book's id, and every id in it, stays."""
        self._workspace.check_new(name)
        with self._workspace.moving():
            with self._workspace.store(book).hold("book rename"):
                pass
            try:
                self._files.rename(self._workspace.path(book), self._workspace.path(name))
                self._files.sync_folder(self._workspace.books_folder)
            except OSError as error:
                raise disk_fault(error, self._workspace.path(book), writing=True) from error

    def delete(self, book: str) -> str:
        """Into the bin, whole; its name there."""
        with self._workspace.moving():
            try:
                with self._workspace.store(book).hold("book delete"):
                    pass
            except BookBusy:
                raise
            except InkosError:
                pass  # a damaged book may go to the bin as it is
            try:
                return self._throw(book)
            except OSError as error:
                raise disk_fault(error, self._workspace.path(book), writing=True) from error

    def _throw(self, book: str) -> str:
        make_folders(self._files, self._bin)
        number = max((int(row.number) for row in self.binned()), default=0) + 1
        name = f"{number:05d}-{book}"
        self._files.rename(self._workspace.path(book), self._bin / name)
        for folder in (self._bin, self._workspace.books_folder):
            self._files.sync_folder(folder)
        return name

    def binned(self) -> tuple[BinnedBook, ...]:
        """What lies in the bin, oldest first."""
        found = [_BINNED.fullmatch(item.name) for item in self._bin.iterdir()] if self._bin.is_dir() else []
        rows = [BinnedBook(number=int(match[1]), book=match[2], name=match[0]) for match in found if match]
        return tuple(sorted(rows, key=lambda row: row.number))

    def bring_back(self, wanted: str, name: str) -> str:
        """A book out of the bin, the newest of that name or the one named exactly; its folder's name now."""
        row = next((r for r in reversed(self.binned()) if wanted in (r.book, r.name)), None)
        if row is None:
            raise UsageFault("bin-none", where=str(self._bin), book=wanted)
        chosen = name or row.book
        self._workspace.check_new(chosen)
        with self._workspace.moving():
            try:
                self._files.rename(self._bin / row.name, self._workspace.path(chosen))
                self._files.sync_folder(self._workspace.books_folder)
            except OSError as error:
                raise disk_fault(error, self._workspace.path(chosen), writing=True) from error
        return chosen
