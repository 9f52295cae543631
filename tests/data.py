"""The one door to the shared texts that tests measure on; knows only where they lie beside the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data"


def shared(path: str) -> Path:
    """A file or folder of the shared data; the calling test is skipped with a reason where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"shared data is absent: {path}")
    return found
