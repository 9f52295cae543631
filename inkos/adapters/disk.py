"""Every touch of the disk, one method each, and what its failures are called; knows no book.

A test double of `Files` stops before or after any of these operations; what is not here cannot be interrupted there.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

from inkos.errors import InkosError
from inkos.records import digest

# Another program (a sync client, a virus scanner, an editor) may hold a file for a moment on Windows: in all about 2 s.
HELD_TRIES = 12
HELD_PAUSE = 0.03

FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
FORBIDDEN = {errno.EACCES, errno.EPERM}


class Files:
    """The changing operations. Written files and moved names are synced, so that they survive a power cut.

    `durable` false leaves out the syncs; only tests that count something else use it.
    """

    def __init__(self, *, durable: bool = True) -> None:
        self._durable = durable

    def make_folder(self, path: Path) -> None:
        path.mkdir(exist_ok=True)

    def write(self, path: Path, content: bytes) -> None:
        """A new file, or the whole of an old one; only for names that nobody reads yet."""
        with open(path, "wb") as stream:
            stream.write(content)
            stream.flush()
            if self._durable:
                os.fsync(stream.fileno())

    def append(self, path: Path, content: bytes) -> None:
        with open(path, "ab") as stream:
            stream.write(content)
            stream.flush()
            if self._durable:
                os.fsync(stream.fileno())

    def rename(self, source: Path, target: Path) -> None:
        """Takes the target's place in one step."""
        for tried in range(HELD_TRIES):
            try:
                os.replace(source, target)
                return
            except PermissionError:
                if os.name != "nt" or tried == HELD_TRIES - 1:
                    raise
                time.sleep(HELD_PAUSE * (tried + 1))

    def remove(self, path: Path) -> None:
        for tried in range(HELD_TRIES):
            try:
                path.unlink(missing_ok=True)
                return
            except PermissionError:
                if os.name != "nt" or tried == HELD_TRIES - 1:
                    raise
                time.sleep(HELD_PAUSE * (tried + 1))

    def remove_folder(self, path: Path) -> None:
        """A folder with what is in it; one that is not there is fine."""
        if path.exists():
            shutil.rmtree(path)

    def sync_folder(self, path: Path) -> None:
        """Makes names in a folder last. Windows cannot open folders and needs no such call."""
        if os.name == "nt" or not self._durable:
            return
        handle = os.open(path, os.O_RDONLY)
        try:
            # Some network and FUSE file systems refuse to sync a folder; their names are as safe as they get.
            with contextlib.suppress(OSError):
                os.fsync(handle)
        finally:
            os.close(handle)


def disk_fault(error: OSError, path: Path | str, *, writing: bool) -> InkosError:
    """The InkosError that an operating system's error stands for; never more than one cause in one name."""
    where = str(path)
    detail = error.strerror or type(error).__name__
    if error.errno in FULL:
        return InkosError("disk-full", where=where)
    if error.errno == errno.EROFS or (writing and error.errno in FORBIDDEN):
        held = os.name == "nt" and Path(path).exists()
        return InkosError("file-held" if held else "folder-read-only", where=where, detail=detail)
    if error.errno in (errno.ENOENT, errno.ENOTDIR) and not writing:
        return InkosError("file-missing", where=where)
    if error.errno in FORBIDDEN or not writing:
        return InkosError("file-unreadable", where=where, detail=detail)
    return InkosError("disk-error", where=where, detail=detail)


def read_bytes(path: Path) -> bytes:
    """Raises `file-missing` or `file-unreadable`; an empty file is returned as such."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise disk_fault(error, path, writing=False) from error


def file_names(folder: Path) -> list[str]:
    """Names of the files directly in a folder; none where it is not there."""
    try:
        with os.scandir(folder) as listed:
            return [item.name for item in listed if item.is_file()]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise disk_fault(error, folder, writing=False) from error


def digest_of(path: Path) -> str:
    """SHA-256 of the file, "" where there is none."""
    try:
        return digest(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        raise disk_fault(error, path, writing=False) from error


def parse_json(content: bytes, where: Path | str) -> Any:
    """Raises `file-empty` or `file-damaged` (with line and column)."""
    if not content.strip():
        raise InkosError("file-empty", where=str(where))
    try:
        value = json.loads(content.decode("utf-8"))
        if b"\\u" in content:
            json.dumps(value, ensure_ascii=False).encode()  # half a character can be named, but not written down
        return value
    except UnicodeEncodeError as error:
        raise InkosError("file-damaged", where=str(where), detail="half a surrogate pair") from error
    except UnicodeDecodeError as error:
        raise InkosError("file-damaged", where=str(where), detail=f"not UTF-8 at byte {error.start}") from error
    except json.JSONDecodeError as error:
        detail = f"{error.msg}, line {error.lineno} column {error.colno}"
        raise InkosError("file-damaged", where=str(where), detail=detail) from error
    except RecursionError as error:
        raise InkosError("file-damaged", where=str(where), detail="nested too deeply") from error


def put_file(files: Files, path: Path, content: bytes, temporary: Path) -> None:
    """One file, old or new but never half; `temporary` lies in the same file system."""
    try:
        files.write(temporary, content)
        files.rename(temporary, path)
        files.sync_folder(path.parent)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise disk_fault(error, path, writing=True) from error


def make_folders(files: Files, folder: Path) -> list[Path]:
    """Creates what is missing of a folder's path; the folders whose lists of names changed by that."""
    missing: list[Path] = []
    here = folder
    while not here.is_dir():
        missing.append(here)
        here = here.parent
    try:
        for made in reversed(missing):
            files.make_folder(made)
    except OSError as error:
        raise disk_fault(error, folder, writing=True) from error
    return [made.parent for made in missing]
