"""Many taped books in one workspace, workers as real processes, and a PostgreSQL of a test's own; no test."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.data import ROOT
from tests.hosts.cli import inkos
from tests.journeys.cassette_server import CassetteServer
from tests.journeys.taped import over_http

LEASE = "2"  # seconds


def many(taped: tuple[Path, Path, Path], folder: Path, server: CassetteServer, books: int) -> Path:
    """A workspace with copies of the taped book, b1 …, that asks this server."""
    shutil.copytree(taped[0], folder)
    for number in range(1, books + 1):
        shutil.copytree(folder / "books/b", folder / f"books/b{number}")
    shutil.rmtree(folder / "books/b")
    over_http(folder, server)
    return folder


def plan(folder: Path, books: int, chapters: int, **more: Any) -> Path:
    import yaml

    path = folder / "plan.yaml"
    data = {"name": "night", "chapters": chapters, "concurrency": {"books": books},
            "books": [{"book": f"b{number}"} for number in range(1, books + 1)], **more}  # fmt: skip
    path.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return path


_started: list[subprocess.Popen[bytes]] = []


@contextmanager
def reaped() -> Iterator[None]:
    """No worker outlives its test, however that ends."""
    try:
        yield
    finally:
        while _started:
            process = _started.pop()
            if process.poll() is None:
                process.kill()
                process.wait()


def start(folder: Path, *arguments: str, url: str = "") -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "INKOS_LEASE_SECONDS": LEASE, "INKOS_DATABASE_URL": url}
    log = (folder / f"worker-{time.monotonic_ns()}.log").open("wb")
    command = [sys.executable, "-m", "inkos", "--progress", "plain", *arguments]
    _started.append(subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment))
    return _started[-1]


def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.02)


def chapters_of(folder: Path) -> int:
    return sum(1 for _ in folder.glob("books/*/chapters/*.md"))


def said(folder: Path) -> str:
    return "\n".join(path.read_text(errors="replace")[-1500:] for path in sorted(folder.glob("worker-*.log")))


def check_whole(folder: Path, whole: Path, books: int) -> None:
    """Every book is byte for byte what one undisturbed run makes of it."""
    for number in range(1, books + 1):
        book = folder / f"books/b{number}"
        for path in sorted((whole / "books/b").rglob("*")):
            name = path.relative_to(whole / "books/b").as_posix()
            if path.is_file() and name.startswith(("chapters/", "story/state/", "story/snapshots/")):
                assert (book / name).read_bytes() == path.read_bytes(), (book.name, name)
        names = {path.name for path in (book / "chapters").iterdir()}
        assert names == {path.name for path in (whole / "books/b/chapters").iterdir()}, book.name
        assert inkos(folder, "-b", book.name, "state", "check").code == 0, book.name


# --- PostgreSQL

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def _install() -> str:
    """Debian's own package; why not, where that cannot be done."""
    if PROGRAMS:
        return ""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "PostgreSQL is not installed, and this user cannot install it (apt-get install postgresql)"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "postgresql"]
    done = subprocess.run(command, env=quiet, capture_output=True, timeout=300)
    PROGRAMS.extend(sorted(Path("/usr/lib/postgresql").glob("*/bin")))
    return "" if PROGRAMS else f"apt-get install postgresql failed: {done.stderr.decode(errors='replace')[-200:]}"


@contextmanager
def postgres() -> Iterator[str]:
    """A server on loopback with a folder of its own; skips where there can be none. It refuses root, so a root that
    runs the tests hands it to the user that Debian's package makes, who must be able to come there."""
    missing = _install()
    if missing:
        pytest.skip(missing)
    with tempfile.TemporaryDirectory(prefix="inkos-pg-", ignore_cleanup_errors=True) as name:
        folder, as_user = Path(name), {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(folder, user.pw_uid, user.pw_gid)
            as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        with _serving(PROGRAMS[-1], folder, as_user) as url:
            yield url


@contextmanager
def _serving(programs: Path, folder: Path, as_user: dict[str, Any]) -> Iterator[str]:
    data = folder / "data"
    run = {"check": True, "capture_output": True, "cwd": folder, **as_user}
    subprocess.run([programs / "initdb", "-D", data, "-A", "trust", "-U", "inkos", "--no-sync", "-E", "UTF8",
                    "--locale=C"], **run)  # fmt: skip
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c " \
               "max_connections=200"  # fmt: skip
    subprocess.run([programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", settings, "start"],
                   **{**run, "capture_output": False, "stdout": subprocess.DEVNULL})  # fmt: skip
    try:
        yield f"postgresql://inkos@127.0.0.1:{port}/postgres"
    finally:
        stopped = subprocess.run([programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"],
                                 **{**run, "check": False})  # fmt: skip
        assert stopped.returncode == 0, stopped.stderr.decode(errors="replace") + stopped.stdout.decode()
