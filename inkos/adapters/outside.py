"""Files outside any book that a person named: read within bounds, written whole or not at all; knows no format."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Collection
from pathlib import Path

from inkos.adapters.disk import disk_fault, read_bytes
from inkos.errors import InkosError, UsageFault


def read_text(source: Path | bytes, most: int) -> str:
    """A text in UTF-8, or in another encoding that can be told. UsageFault `text-…` when it is missing, empty, too
    large or no text."""
    where = "-" if isinstance(source, bytes) else str(source)
    if isinstance(source, Path):
        if not source.is_file():
            raise UsageFault("text-absent", where=where)
        if source.stat().st_size > most:
            raise UsageFault("text-large", where=where, limit=most)
        content = read_bytes(source)
    else:
        content = source
    if len(content) > most:
        raise UsageFault("text-large", where=where, limit=most)
    text = decoded(content, where)
    if not text.strip():
        raise UsageFault("text-empty", where=where)
    return text


def decoded(content: bytes, where: str) -> str:
    """UTF-8 with or without a mark; otherwise what charset-normalizer is sure of; line ends become `\\n`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        from charset_normalizer import from_bytes

        best = from_bytes(content).best()
        if best is None:
            raise UsageFault("text-encoding", where=where) from None
        text = str(best)
    if "\x00" in text:
        raise UsageFault("text-encoding", where=where)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_folder(folder: Path, endings: Collection[str], most: int) -> dict[str, str]:
    """Text files of a folder and one level below: relative path with `/` → text."""
    if not folder.is_dir():
        raise UsageFault("folder-absent", where=str(folder))
    found: dict[str, str] = {}
    for path in sorted([*folder.glob("*"), *folder.glob("*/*")]):
        if path.is_file() and path.suffix.lower() in endings and not path.is_symlink():
            if path.stat().st_size > most or len(found) >= 200:
                raise UsageFault("text-large", where=str(path), limit=most)
            found[path.relative_to(folder).as_posix()] = decoded(read_bytes(path), str(path))
    return found


def write_file(path: Path, content: bytes) -> None:
    """Replace a file as a whole; the old one stays when anything fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, staged = tempfile.mkstemp(dir=path.parent, prefix=".inkos-")
    except OSError as error:
        raise disk_fault(error, path, writing=True) from error
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        Path(staged).chmod(0o644)
        os.replace(staged, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(staged)
        fault: InkosError = disk_fault(error, path, writing=True)
        raise fault from error
