"""A book of five accepted chapters, and what tests of moves ask about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hosts.cli import BRIEF, files_of, inkos, workspace

CHAPTERS = 5


def make(folder: Path) -> Path:
    workspace(folder)
    assert inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md"), "--length", "900").code == 0
    written = inkos(folder, "write", "next", "--count", str(CHAPTERS))
    assert written.code == 0, written
    return folder


def book_of(folder: Path) -> Path:
    return folder / "books/b"


def manuscript(folder: Path) -> dict[str, bytes]:
    return files_of(book_of(folder) / "chapters")


def state(folder: Path) -> dict[str, bytes]:
    return files_of(book_of(folder) / "story/state")


def rows(folder: Path) -> list[dict[str, Any]]:
    index = json.loads((book_of(folder) / "story/index.json").read_text())
    return list(index["chapters"])


def titles(folder: Path) -> list[str]:
    return [row["title"] for row in rows(folder)]


def clean(folder: Path) -> bool:
    return inkos(folder, "state", "check").code == 0
