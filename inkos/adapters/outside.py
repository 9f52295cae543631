"""Files outside any book that a person named: read within bounds, written whole or not at all; knows no format."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

from inkos.adapters.disk import disk_fault, read_bytes
from inkos.errors import InkosError, UsageFault
from inkos.ports import OutsideFile


def read_text(source: Path | bytes, most: int) -> str:
    """A text in UTF-8, or in another encoding that can be told. UsageFault `text-…` when it is missing, empty, too
    large or no text."""
    where = "-" if isinstance(source, bytes) else str(source)
    if isinstance(source, Path):
        if source.is_dir():
            raise UsageFault("text-folder", where=where)
        if not source.exists():
            raise UsageFault("text-absent", where=where)
        if not source.is_file():
            raise UsageFault("text-special", where=where)
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


PROSE = frozenset({".md", ".txt", ".markdown"})
MOST_CHAPTERS = 20_000


def read_chapters(paths: Iterable[str], book: Path, here: Path, most: int) -> list[OutsideFile]:
    """Existing chapters as files, in no order yet. A folder gives its text files, not those below it."""
    found: dict[Path, None] = {}
    for told in paths:
        place = next((p for p in (here / told, book / told) if p.exists()), here / told)
        if place.is_dir():
            inner = [item for item in place.iterdir() if item.suffix.lower() in PROSE and item.is_file()]
            if not inner:
                raise UsageFault("folder-empty", where=told)
            found |= dict.fromkeys(item for item in inner if not item.name.startswith((".", "~")))
        else:
            found[place] = None
    if len(found) > MOST_CHAPTERS:
        raise UsageFault("text-large", where=str(here), limit=MOST_CHAPTERS)
    return [_outside(place, book, most) for place in found]


def _outside(place: Path, book: Path, most: int) -> OutsideFile:
    text = read_text(place, most)
    content = read_bytes(place)
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError:
        content = text.encode()
    inside = ""
    if place.resolve().parent == (book / "chapters").resolve():
        inside = f"chapters/{place.name}"
        content = read_bytes(place)
    return OutsideFile(path=str(place), content=content, text=text, inside=inside)


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


def unwritable(folder: Path) -> str:
    """What the disk says when a small file is written in a folder and taken away again; empty when that goes well."""
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".inkos-") as probe:
            probe.write(b"inkos")
            probe.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""
