"""Runs the command line as a person does: a process of its own, in a folder, with what it printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.data import ROOT

BRIEF = ROOT / "inkos" / "hosts" / "briefs"
OFFLINE = """schema_version: 1
language: en
providers: {offline: {protocol: offline}}
routes: {rehearsal: {provider: offline, model: offline-author}}
roles: {default: rehearsal}
"""


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def inkos(folder: Path, *arguments: str, stdin: str | None = None, env: dict[str, str] | None = None) -> Ran:
    """`python -m inkos …` in `folder`; environment variables of ours do not leak in."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("INKOS_") and k not in ("LANG", "LC_ALL")}
    done = subprocess.run(
        [sys.executable, "-m", "inkos", *arguments], cwd=folder, input=stdin, capture_output=True, text=True,
        encoding="utf-8", env={**clean, "PYTHONPATH": str(ROOT), **(env or {})}, timeout=120,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


def workspace(folder: Path, config: str = OFFLINE) -> Path:
    """A workspace by hand, as a person would write it."""
    (folder / "books").mkdir(parents=True)
    (folder / "inkos.yaml").write_text(config, encoding="utf-8")
    return folder


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but locks: path → bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("lock", "books.lock", "holder.json")
    }
