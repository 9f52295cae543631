"""The verbs on whole books: back up, restore, rename, delete and bring back; does not know how a book lies on disk."""

from __future__ import annotations

from inkos.actions.table import Door, action
from inkos.errors import UsageFault
from inkos.ports import Backup, BinnedBook
from inkos.records import Record


class BackUp(Record):
    """`output`: a file or folder; empty: backups/ in the workspace."""

    book: str
    output: str = ""


class BackedUp(Record):
    backup: Backup


@action("book-backup", BackUp, BackedUp, "writes")
async def back_up(door: Door, command: BackUp) -> BackedUp:
    """The book as one verified file; reads only, so it works beside a writer."""
    return BackedUp(backup=door.workspace.moves.backup(command.book, command.output))


class RestoreBook(Record):
    """`source`: a backup's path, or the name of a book in the bin. `name`: the folder's name; empty: as it was."""

    source: str
    name: str = ""
    replace: bool = False


class RestoredBook(Record):
    """`binned`: what the replaced book is called in the bin, empty when nothing was replaced."""

    book: str
    folder: str
    backup: Backup | None = None
    binned: str = ""


@action("book-restore", RestoreBook, RestoredBook, "destroys", undo="book restore NAME")
async def restore_book(door: Door, command: RestoreBook) -> RestoredBook:
    """From a backup, or out of the bin."""
    moves = door.workspace.moves
    if any(command.source in (row.book, row.name) for row in moves.binned()):
        name = moves.bring_back(command.source, command.name)
        return RestoredBook(book=name, folder=door.workspace.book_folder(name))
    backup = moves.read_backup(command.source)
    name = command.name or backup.name
    restored, binned = moves.restore(command.source, name, replace=command.replace)
    return RestoredBook(book=name, folder=door.workspace.book_folder(name), backup=restored, binned=binned)


class RenameBook(Record):
    book: str
    name: str


class RenamedBook(Record):
    book: str
    folder: str


@action("book-rename", RenameBook, RenamedBook, "writes", undo="book rename NEW OLD")
async def rename_book(door: Door, command: RenameBook) -> RenamedBook:
    """Another folder name; ids, title and everything else stay."""
    door.workspace.moves.rename(command.book, command.name)
    return RenamedBook(book=command.name, folder=door.workspace.book_folder(command.name))


class DeleteBook(Record):
    """`sure`: a person confirmed it."""

    book: str
    sure: bool = False


class DeletedBook(Record):
    book: str
    binned: str


@action("book-delete", DeleteBook, DeletedBook, "destroys", undo="book restore BOOK")
async def delete_book(door: Door, command: DeleteBook) -> DeletedBook:
    """Into the workspace's bin, whole."""
    if not command.sure:
        raise UsageFault("unsure", where=command.book)
    return DeletedBook(book=command.book, binned=door.workspace.moves.delete(command.book))


class LookInBin(Record):
    pass


class Binned(Record):
    books: tuple[BinnedBook, ...]


@action("book-bin", LookInBin, Binned, "reads")
async def look_in_bin(door: Door, command: LookInBin) -> Binned:
    return Binned(books=tuple(door.workspace.moves.binned()))
