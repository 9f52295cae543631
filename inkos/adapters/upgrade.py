"""Rewrites a book of an older format, with a backup first; knows the files, not what a version means (migrations)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from inkos.adapters.book_files import INDEX
from inkos.adapters.file_set import FileSets
from inkos.adapters.migrations import backup, rewritten, version_of
from inkos.adapters.pieces import SNAPSHOTS
from inkos.adapters.state_files import STATE_FILES
from inkos.kernel.story import SCHEMA_VERSION
from inkos.ports import FileSet
from inkos.records import digest


def backup_path(version: int) -> str:
    return f"backup-v{version}.zip"


def bring_up_to_date(sets: FileSets, token: int) -> int | None:
    """The version that the book had, or null when it is current. For the holder of the book; whole or not at all: the
    backup and every rewritten file are one set."""
    index = sets.at_one_revision(lambda view: view.read_if_there(INDEX))
    if index is None or version_of(index) >= SCHEMA_VERSION:
        return None
    version = version_of(index)
    old: dict[str, bytes] = {}
    new: dict[str, bytes] = {}
    for path in _files(sets.root):
        content = (sets.root / path).read_bytes()
        made = rewritten(content, str(sets.root / path))
        if made is not None:
            old[path], new[path] = content, made
    files: dict[str, bytes | None] = dict(new)
    if not (sets.root / backup_path(version)).exists():  # one that is there may be the only copy of something
        files[backup_path(version)] = backup(old.items())
    expect = {path: digest(content) for path, content in old.items()}
    sets.commit(FileSet(files=files, expect=expect), token=token)
    return version


def _files(root: Path) -> Iterator[str]:
    """The program's own JSON files of a book."""
    yield INDEX
    yield from STATE_FILES
    for pattern in (f"{SNAPSHOTS}/*.json", "story/chapters/*/*.json"):
        for place in sorted(root.glob(pattern)):
            if pattern.startswith(SNAPSHOTS) or place.name.startswith(("delta", "entry", "author-")):
                yield place.relative_to(root).as_posix()
