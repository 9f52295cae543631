"""What an adversarial tester broke once on the way in and out: arguments, streams, signals, bytes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from inkos.actions.production import WriteNext
from inkos.config import BookConfig, LengthConfig
from inkos.errors import UsageFault
from inkos.hosts.cli.flags import LEAST_LENGTH, MOST_CHAPTERS, MOST_LENGTH
from inkos.hosts.cli.session import _built
from tests.data import ROOT
from tests.hosts.cli import BRIEF, Ran, inkos, workspace
from tests.hosts.conftest import Shelf


@pytest.fixture(scope="module")
def made(shelf: Shelf) -> Path:
    return shelf.at(1)


@pytest.fixture
def ws(shelf: Shelf, tmp_path: Path) -> Path:
    return shelf.copy(1, tmp_path / "ws")


def shell(folder: Path, line: str) -> Ran:
    """A command of ours as `sh` starts it: `inkos` in the line is the program."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("INKOS_")} | {"PYTHONPATH": str(ROOT), "LANG": "C"}
    line = line.replace("inkos", f"'{sys.executable}' -m inkos", 1)
    done = subprocess.run(["sh", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    return Ran(done.returncode, done.stdout, done.stderr)


# ── arguments ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("arguments", [(b"-b", b"\xff", b"status"), (b"book", b"create", b"\xff\xfe", b"--brief", b"x"),
                                       (b"write", b"next", b"--context", b"a\xffb")])  # fmt: skip
def test_bytes_that_are_no_text_in_an_argument_are_no_crash(ws: Path, arguments: tuple[bytes, ...]) -> None:
    ran = inkos(ws, *map(os.fsdecode, arguments))
    assert ran.code in (0, 1, 2) and "Traceback" not in ran.err, ran


def test_a_title_of_undecodable_bytes_makes_a_book_that_can_be_read(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "ws")
    brief = str(BRIEF / "en.md")
    made = inkos(folder, "book", "create", "b", "--brief", brief, "--length", "400", "--title", "a\udcffb")
    assert made.code == 0, made.err
    assert inkos(folder, "--json", "status").json["title"] == "a\ufffdb"


def test_the_bounds_of_the_command_line_are_those_of_the_settings() -> None:
    chapters = BookConfig.model_fields["chapters"].metadata
    length = LengthConfig.model_fields["target"].metadata
    assert [m.le for m in chapters if hasattr(m, "le")] == [MOST_CHAPTERS]
    assert [m.le for m in length if hasattr(m, "le")] == [MOST_LENGTH]
    assert [m.ge for m in length if hasattr(m, "ge")] == [LEAST_LENGTH]


@pytest.mark.parametrize("arguments", [
    ("book", "create", "q", "--brief", "x", "--chapters", "100001"),
    ("book", "create", "q", "--brief", "x", "--length", "50001"), ("write", "next", "--length", "50001"),
    ("plan", "--length", "99999999"), ("write", "redo", "1", "--length", "50001"),
])  # fmt: skip
def test_a_number_beyond_its_bounds_names_its_option(made: Path, arguments: tuple[str, ...]) -> None:
    ran = inkos(made, *arguments)
    assert ran.code == 2 and arguments[-2] in ran.err and "Traceback" not in ran.err, ran


def test_a_value_that_a_command_refuses_names_its_option() -> None:
    with pytest.raises(UsageFault) as caught:
        _built(None, lambda session: WriteNext(book="b", length=1))  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.where) == ("option-value", "--length")


def test_the_offline_author_writes_a_chapter_of_any_length_that_is_allowed(ws: Path) -> None:
    ran = inkos(ws, "write", "next", "--length", "49999")
    assert ran.code in (0, 3) and "Traceback" not in ran.err, ran.err[-500:]


@pytest.mark.parametrize("arguments", [("write", "next", "--json", "--count", "x"), ("--json", "frobnicate"),
                                       ("status", "--json", "--nosuch"), ("--json", "write", "next", "--length", "1")])
def test_a_command_line_that_is_not_understood_is_one_json_object_too(made: Path, arguments: tuple[str, ...]) -> None:
    ran = inkos(made, *arguments)
    assert ran.code == 2
    told = json.loads(ran.out)
    assert told["ok"] is False and told["error"]["code"] == "usage" and told["error"]["exit"] == 2
    assert told["error"]["what"] and told["error"]["next"]


def test_ok_is_false_exactly_when_the_exit_code_is_not_0(ws: Path) -> None:
    outline = ws / "books/b/outline.md"
    outline.write_text("### ".join(outline.read_text().split("### ")[:3]))
    ran = inkos(ws, "--json", "write", "next", "--until", "1000")
    assert (ran.code, ran.json["ok"], ran.json["exit"]) == (1, False, 1), ran.out
    good = inkos(ws, "--json", "status")
    assert (good.code, good.json["ok"], good.json["exit"]) == (0, True, 0)


def test_a_command_line_that_is_not_understood_is_told_in_chinese_first(made: Path) -> None:
    ran = inkos(made, "frobnicate", env={"INKOS_LANG": "zh"})
    assert ran.code == 2 and ran.err.startswith("命令看不懂"), ran.err


# ── streams ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_closed_streams_are_no_reason_to_fail(ws: Path) -> None:
    assert "of 100 chapters" in shell(ws, "inkos status 2>&-").out
    assert shell(ws, "inkos write next >&- 2>&- <&-").code == 0
    assert len(list((ws / "books/b/chapters").glob("*.md"))) == 2
    for line in ("inkos book create q --brief - <&-", "inkos write next --nosuch 2>&-"):
        ran = shell(ws, line)
        assert ran.code == 2 and "Traceback" not in ran.err, ran


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("line", ["inkos status --json", "inkos --help", "inkos audit 99 --json"])
def test_an_output_that_takes_nothing_is_named(made: Path, line: str) -> None:
    ran = shell(made, f"{line} >/dev/full")
    assert ran.code in (1, 2) and "Traceback" not in ran.err and "Exception ignored" not in ran.err, ran
    assert "tandard output cannot be written" in ran.err or "audit" in line, ran


# ── signals ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def begun(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "inkos", *arguments], cwd=folder, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)})  # fmt: skip


def test_a_stop_is_answered_with_a_hint_whatever_the_output_is(ws: Path) -> None:
    process = begun(ws, "write", "next", "--count", "20", "--json")
    deadline = time.monotonic() + 60
    while not list((ws / "books/b/runs").glob("00002-*")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Ctrl-C" in err, err
    assert json.loads(out)["error"]["exit"] == 130


def test_a_stop_in_the_first_moments_is_no_traceback(made: Path) -> None:
    script = "import sys, types; m = types.ModuleType('inkos.hosts.cli.main')\n" \
             "import importlib.abc\n" \
             "class Stop(importlib.abc.MetaPathFinder):\n" \
             "    def find_spec(self, name, path, target=None):\n" \
             "        if name == 'inkos.hosts.cli.main': raise KeyboardInterrupt\n" \
             "sys.meta_path.insert(0, Stop())\n" \
             "from inkos.__main__ import run; run()"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], cwd=made, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, timeout=60)  # fmt: skip
    assert done.returncode == 130 and "Traceback" not in done.stderr, done


# ── the terminal ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_nothing_that_steers_a_terminal_reaches_it(ws: Path) -> None:
    path = ws / "books/b/book.yaml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("title:")]
    path.write_text("\n".join([*lines, 'title: "\\u202eEvil\\e[31m\\0\\x9b"']) + "\n")
    index = ws / "books/b/story/index.json"
    data: Any = json.loads(index.read_text())
    assert data["chapters"]
    for arguments in (("status",), ("book", "list"), ("export", "-o", "x\x1b[2J.md", "--format", "md"),
                      ("audit", "\x1b[31m"), ("-b", "\x1b[31m", "status")):  # fmt: skip
        ran = inkos(ws, *arguments)
        assert not set("\x1b\x00\x9b\u202e") & set(ran.out + ran.err), ran
    assert "\ufffd" in inkos(ws, "status").out
    told = inkos(ws, "--json", "status")
    assert told.json["title"].startswith("\u202eEvil\x1b[31m") and not set("\x1b\x00\x9b\u202e") & set(told.out), told
