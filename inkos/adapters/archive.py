"""A book as one file: a zip with every file's digest in it, verified after writing and before use; judges no book.

    inkos-backup.json     what the archive holds: the book's id, title, revision, and each file's SHA-256 and size
    book/…                the files, as they lay in the book's folder

What is of one machine only stays behind (`.inkos/`, but for the bin, from which moves are undone), and so do links and
names that no other system could write; those are listed as left out. Entries bear one fixed date, so the same book
gives the same bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pydantic import ValidationError

from inkos.adapters.config_files import BOOK_FILE
from inkos.adapters.disk import Files, disk_fault, make_folders, read_bytes
from inkos.adapters.file_set import PRIVATE, FileSets, View
from inkos.adapters.names import inside
from inkos.errors import InkosError, UsageFault
from inkos.ports import Backup
from inkos.records import Record, digest, dump

MANIFEST = "inkos-backup.json"
FOLDER = "book/"
DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can say
MOST_FILES = 500_000
MOST_BYTES = 16 * 1024**3  # of all files together: a book of 2,000 chapters has well under 1 GB


class Kept(Record):
    sha256: str
    size: int


class Manifest(Record):
    """`book_id` is the book's own id, whatever its folder is called; `revision` that of its files."""

    schema_version: int = 1
    name: str
    book_id: str
    title: str
    revision: int
    files: dict[str, Kept]
    left_out: tuple[str, ...] = ()


def write_backup(root: Path, name: str, book_id: str, title: str, target: Path, files: Files) -> Backup:
    """All files of the book at one revision, in one verified file that takes its place in one step."""
    staged = target.with_name(f".{target.name}.new")
    make_folders(files, target.parent)
    try:
        manifest = FileSets(root).at_one_revision(lambda view: _pack(root, view, name, book_id, title, staged))
        _verified(staged)
        files.rename(staged, target)
        files.sync_folder(target.parent)
    except OSError as error:
        raise disk_fault(error, target, writing=True) from error
    finally:
        with contextlib.suppress(OSError):
            staged.unlink(missing_ok=True)
    return told(manifest, target)


def told(manifest: Manifest, path: Path) -> Backup:
    return Backup(
        file=str(path), name=manifest.name, book_id=manifest.book_id, title=manifest.title, revision=manifest.revision,
        files=len(manifest.files), bytes=sum(kept.size for kept in manifest.files.values()),
        left_out=manifest.left_out,
    )  # fmt: skip


def _pack(root: Path, view: View, name: str, book_id: str, title: str, target: Path) -> Manifest:
    kept: dict[str, Kept] = {}
    left: list[str] = []
    with _opened(target, "w") as archive:
        for path in _paths(root, view, left):
            content = view.read_if_there(path)
            if content is None:  # a run's paper that was replaced while we looked
                continue
            kept[path] = Kept(sha256=digest(content), size=len(content))
            _put(archive, FOLDER + path, content)
        manifest = Manifest(name=name, book_id=book_id, title=title, revision=view.revision.revision, files=kept,
                            left_out=tuple(sorted(left)))  # fmt: skip
        _put(archive, MANIFEST, dump(manifest))
    return manifest


def _put(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


def _paths(root: Path, view: View, left: list[str]) -> list[str]:
    """Every file of the book as the view has it, sorted; what cannot travel goes to `left`."""
    found: set[str] = set()
    for folder, folders, names in os.walk(root):
        here = Path(folder).relative_to(root)
        folders.sort()
        for name in names:
            path = (here / name).as_posix()
            if not _travels(path):
                continue
            if (root / path).is_symlink() or not (root / path).is_file():
                left.append(path)
                continue
            try:
                inside(root, path)
            except UsageFault:
                left.append(path)
                continue
            if not (name.startswith(".") and name.endswith(".new")):
                found.add(path)
        left += [(here / f).as_posix() for f in folders if (Path(folder) / f).is_symlink()]
    return sorted(view.as_it_is(found))


def _travels(path: str) -> bool:
    """Whether a file is part of a book wherever it stands; of what is private, the bin is."""
    return not path.startswith(f"{PRIVATE}/") or path.startswith(f"{PRIVATE}/bin/")


def _opened(path: Path, mode: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(path, mode, zipfile.ZIP_DEFLATED)  # type: ignore[call-overload,no-any-return]


def verify(path: Path) -> Manifest:
    """The manifest of an archive of which every file is there and is what it says. InkosError `backup-broken`."""
    if not path.is_file():
        raise UsageFault("text-absent", where=str(path))
    return _verified(path)


def _verified(path: Path) -> Manifest:
    try:
        with _opened(path, "r") as archive:
            manifest = _manifest(archive, path)
            for name, content in _contents(archive, manifest, path):
                if digest(content) != manifest.files[name].sha256:
                    raise InkosError("backup-broken", where=str(path), detail=name)
            return manifest
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise InkosError("backup-broken", where=str(path), detail=str(error)[:200]) from error
    except OSError as error:
        raise disk_fault(error, path, writing=False) from error


def _manifest(archive: zipfile.ZipFile, path: Path) -> Manifest:
    try:
        if archive.getinfo(MANIFEST).file_size > 1024**3:
            raise InkosError("backup-broken", where=str(path), detail=MANIFEST)
        manifest = Manifest.model_validate(json.loads(archive.read(MANIFEST)))
    except KeyError:
        raise InkosError("backup-none", where=str(path)) from None
    except ValidationError as error:
        raise InkosError("backup-broken", where=str(path), detail=f"{MANIFEST}: {error.errors()[0]['msg']}") from error
    if manifest.schema_version > 1:
        raise InkosError("schema-newer", where=str(path), found=manifest.schema_version, known=1)
    total = sum(kept.size for kept in manifest.files.values())
    if len(manifest.files) > MOST_FILES or total > MOST_BYTES or BOOK_FILE not in manifest.files:
        raise InkosError("backup-broken", where=str(path), detail=MANIFEST)
    return manifest


def _contents(archive: zipfile.ZipFile, manifest: Manifest, path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file; never more bytes than the manifest says."""
    listed = {FOLDER + name for name in manifest.files} | {MANIFEST}
    there = [entry.filename for entry in archive.infolist()]
    if sorted(there) != sorted(listed):
        odd = sorted(set(there) ^ listed)
        raise InkosError("backup-broken", where=str(path), detail=", ".join(odd[:3]) or MANIFEST)
    for name, kept in manifest.files.items():
        with archive.open(FOLDER + name) as stream:
            content = _bounded(stream, kept.size)
        if len(content) != kept.size:
            raise InkosError("backup-broken", where=str(path), detail=name)
        yield name, content


def _bounded(stream: IO[bytes], size: int) -> bytes:
    return stream.read(size + 1)


def unpack(path: Path, folder: Path, files: Files) -> Manifest:
    """Write a verified archive's files into an empty folder. Nothing is written outside it."""
    manifest = verify(path)
    for name in manifest.files:
        if not _travels(name):
            raise InkosError("backup-broken", where=str(path), detail=name)
        inside(folder, name)
    try:
        with _opened(path, "r") as archive:
            for name, content in _contents(archive, manifest, path):
                place = folder / name
                make_folders(files, place.parent)
                files.write(place, content)
    except OSError as error:
        raise disk_fault(error, folder, writing=True) from error
    wrong = [n for n, kept in manifest.files.items() if digest(read_bytes(folder / n)) != kept.sha256]
    if wrong:
        raise InkosError("backup-broken", where=str(path), detail=wrong[0])
    return manifest
