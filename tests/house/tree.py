"""Which files the house rules look at; asks git, so that what is not tracked does not count."""

from __future__ import annotations

import subprocess

from tests.data import ROOT

ROOMS = (
    "actions", "adapters", "cycle", "export", "gates", "hosts", "kernel", "prompts", "runs", "text",
)  # fmt: skip
PURE_ROOMS = ("cycle", "export", "gates", "kernel", "prompts", "text")


def tracked(*patterns: str) -> list[str]:
    """Paths relative to the repository, of tracked files that still exist."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def modules() -> list[str]:
    return tracked("inkos/*.py")
