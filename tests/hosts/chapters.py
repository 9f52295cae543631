"""What tests of moves ask about a book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.hosts.cli import files_of, inkos


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
