"""Runs the command line as a person does, in a folder, and hands back its exit code and what it printed."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TextIO
from unittest import mock

import typer

from inkos.__main__ import run
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


def inkos(
    folder: Path, *arguments: str, stdin: str = "", env: dict[str, str] | None = None, terminal: TextIO | None = None
) -> Ran:
    """The program from its entry point on, in this process: with arguments, streams and environment of its own.
    `terminal` takes the place of standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: object = 0
    with _started(folder, arguments, stdin, env or {}), redirect_stdout(out), redirect_stderr(terminal or err):
        try:
            run()
        except SystemExit as end:
            code = end.code
        except Exception:  # a bug: the interpreter shows it like this
            traceback.print_exc(file=err)
            code = 1
    return Ran(int(code or 0), _printed(out), _printed(err))  # type: ignore[call-overload]


def process(
    folder: Path, *arguments: str, stdin: str = "", env: dict[str, str] | None = None, **popen: Any
) -> Ran:
    """`python -m inkos …`, for tests to which the process is the point."""
    done = subprocess.run(
        [sys.executable, "-m", "inkos", *arguments], cwd=folder, input=stdin, capture_output=True, text=True,
        encoding="utf-8", env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})}, timeout=120, **popen,
    )  # fmt: skip
    return Ran(done.returncode, done.stdout, done.stderr)


_tree = cache(typer.main.get_command)  # the tree of commands is the same each time


@contextmanager
def _started(folder: Path, arguments: tuple[str, ...], typed: str, env: dict[str, str]) -> Iterator[None]:
    stdin = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    with (
        mock.patch.object(typer.main, "get_command", _tree), mock.patch.dict(os.environ, env),
        chdir(folder), mock.patch.object(sys, "argv", ["inkos", *arguments]), mock.patch.object(sys, "stdin", stdin),
    ):  # fmt: skip
        yield


def _printed(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "replace")  # type: ignore[attr-defined, no-any-return]


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
