"""Every command of docs/batch.md, run as it stands there: on SQLite, and on a PostgreSQL of the test's own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from inkos.hosts.wire import demo_brief
from tests.data import ROOT
from tests.hosts.cli import OFFLINE, inkos
from tests.journeys.many import postgres, until

pytest.importorskip("dbos", reason="the extra `batch` is not installed")

PAGE = (ROOT / "docs/batch.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+) ?([\w.]*)\n(.*?)^```$", re.M | re.S)


def blocks(kind: str, name: str) -> list[str]:
    return [body for found, named, body in BLOCK.findall(PAGE) if (found, named) == (kind, name)]


def workspace(folder: Path) -> Path:
    (folder / "books").mkdir(parents=True)
    (folder / "inkos.yaml").write_text(OFFLINE, encoding="utf-8")
    [plan] = blocks("yaml", "tonight.yaml")
    (folder / "tonight.yaml").write_text(plan, encoding="utf-8")
    for name in ("river.md", "salt.md"):
        (folder / name).write_text(demo_brief("en"), encoding="utf-8")
    return folder


def run(folder: Path, body: str, **environment: str) -> None:
    for line in body.splitlines():
        words = shlex.split(line)
        if words[0] == "export":
            continue
        assert words[0] == "inkos"
        ran = inkos(folder, *words[1:], env=environment)
        assert ran.code == 0, (line, ran)


def test_the_commands_of_one_machine_run_as_they_stand(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws")
    for body in blocks("sh", ""):
        run(folder, body)
    status = {row["book"]: row["done"] for row in inkos(folder, "--json", "batch", "status", "tonight").json["rows"]}
    assert status == {"river": 2, "salt": 2}
    assert (folder / "deliveries/tonight/salt.epub").exists()


def test_the_commands_of_many_machines_run_as_they_stand(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws")
    [body] = blocks("sh", "postgres")
    with postgres() as url:
        run(folder, body, INKOS_DATABASE_URL=url, PYTHONPATH=str(ROOT))
        until(lambda: inkos(folder, "--json", "batch", "status", "--database-url", url).json["status"] == "over")
        # Both workers are gone before the server is.
        until(lambda: inkos(folder, "--json", "batch", "status", "--database-url", url).json["workers"] == 0)
    assert not (folder / ".inkos/batch.sqlite").exists()
    assert "Traceback" not in (folder / ".inkos/batch.log").read_text(encoding="utf-8")
