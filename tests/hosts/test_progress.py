"""What a person sees of a run while it goes: on a terminal, in a pipe, as JSON lines, as prose."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from inkos.hosts import wire
from inkos.hosts.cli.progress import Progress, columns, fitted
from inkos.ports import Usage
from inkos.runs.events import CallEnded, CallFailed, CallStarted, ChapterBegun, Event, FellBack, Noticed, TextCame
from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf


@contextmanager
def terminal(columns: int = 100) -> Iterator[tuple[TextIO, Callable[[], str]]]:
    """The writing end of a real pseudo-terminal of that width, and what has been drawn on it once that is closed."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals are Unix's")
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    drawn: list[bytes] = []

    def read() -> None:
        with contextlib.suppress(OSError):  # the terminal's other end is closed
            while piece := os.read(master, 65536):
                drawn.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    out = os.fdopen(slave, "w", encoding="utf-8")

    def shown() -> str:
        out.close()
        reader.join(10)
        return b"".join(drawn).decode()

    try:
        yield out, shown
    finally:
        shown()
        os.close(master)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


START = CallStarted(want="draft.1", task="draft", attempt=2, model="m-1")
TEXT = TextCame(want="draft.1", task="draft", piece="他推开门。", characters=1234)
END = CallEnded(want="draft.1", task="draft", usage=Usage(input=900, output=100), money=0.5, seconds=2.0)


def told(*events: Event, out: io.StringIO | None = None, **values: object) -> tuple[str, Progress]:
    stream = out if out is not None else io.StringIO()
    progress = Progress(wire.messages("zh"), out=stream, **values)  # type: ignore[arg-type]
    for event in events:
        progress.hear(event)
    return stream.getvalue(), progress


def test_into_a_pipe_nothing_is_drawn_and_what_ended_is_said() -> None:
    shown, _ = told(ChapterBegun(position=8, number=2, of=5, left=720.0), START, TEXT, END)
    assert "\r" not in shown and "1234" not in shown
    assert "第 2/5 章，还要约 12 分钟" in shown and "起草完成" in shown and "1000 token" in shown


def test_on_a_terminal_one_line_says_chapter_step_attempt_characters_tokens_money_and_time_left() -> None:
    out = Terminal()
    before = END.model_copy(update={"want": "plan.1", "task": "plan"})
    chapter = ChapterBegun(position=8, number=2, of=5, left=720.0)
    _, progress = told(chapter, before, START, TEXT, out=out, currency="CNY")
    line = progress._line()
    for part in ("2/5", "起草", "第 2 次", "1234", "1000 token", "0.50 CNY", "12 分钟"):
        assert part in line, (part, line)
    assert "\r" in out.getvalue()
    progress.close()
    assert out.getvalue().endswith("\r")


def test_silence_is_said_once_it_lasts_and_the_line_is_drawn_again_without_any_event() -> None:
    out = Terminal()
    _, progress = told(START, out=out)
    progress.heard -= 42
    drawn = len(out.getvalue())
    progress.tick()
    assert len(out.getvalue()) > drawn and "42 秒没有动静" in progress._line()


def test_the_prose_is_shown_as_it_comes_and_only_the_prose() -> None:
    plan = TextCame(want="plan.1", task="plan", piece='{"beats"', characters=8)
    shown, _ = told(START, plan, TEXT, TEXT, END, stream=True)
    assert shown.startswith("他推开门。他推开门。\n") and "beats" not in shown and "\r" not in shown


def test_json_lines_hold_every_event_and_no_prose_unless_it_is_asked_for() -> None:
    failed = CallFailed(want="draft.1", task="draft", fault="rate", detail="slow down", again_in=3.0)
    fell = FellBack(want="audit.1", task="audit", fault="server", detail="", route="a", other="b")
    events = (START, TEXT, TEXT, failed, fell, Noticed(code="adapted", values={"where": "p/m", "what": "x"}), END)
    shown, _ = told(*events, mode="json")
    rows = [json.loads(line) for line in shown.splitlines()]
    assert [row["kind"] for row in rows] == ["call-started", "text", "call-failed", "fell-back", "notice", "call-ended"]
    assert rows[1]["characters"] == 1234 and "piece" not in rows[1]
    with_prose = [json.loads(line) for line in told(START, TEXT, TEXT, mode="json", stream=True)[0].splitlines()]
    assert [row.get("piece") for row in with_prose] == [None, "他推开门。", "他推开门。"]


def test_quiet_is_quiet_and_what_was_learnt_or_changed_is_told_otherwise() -> None:
    fell = FellBack(want="audit.1", task="audit", fault="server", detail="", route="a", other="b")
    notice = Noticed(code="adapted", values={"where": "p/m", "what": "temperature unsent"})
    assert told(START, TEXT, END, fell, notice, quiet=True)[0] == ""
    shown, _ = told(fell, notice)
    assert "换 b" in shown and "temperature unsent" in shown


@pytest.mark.parametrize("line", ["起草……已来 1234 字 · 静默", "plain ascii line of words", "混 mixed 的 line"])
def test_a_line_is_cut_to_the_width_of_the_terminal_by_columns(line: str) -> None:
    for room in range(0, 60):
        assert columns(fitted(line, room)) <= room
    assert fitted(line, 99) == line


@pytest.mark.parametrize(
    ("before", "after", "draws", "prose"),
    [((), (), True, False), ((), ("--stream",), False, True), (("--quiet",), (), False, False),
     ((), ("--progress", "json"), False, False)],
)  # fmt: skip
def test_on_a_real_terminal_each_mode_draws_what_it_says_and_standard_output_stays_clean(
    shelf: Shelf, tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...], draws: bool, prose: bool
) -> None:
    folder = shelf.copy(0, tmp_path / "ws", "zh")
    with terminal() as (out, shown):
        ran = inkos(folder, *before, "write", "next", *after, terminal=out)
        seen = shown()
    assert ran.code == 0, seen
    first = next((folder / "books" / "b" / "chapters").glob("*.md")).read_text(encoding="utf-8").splitlines()[2][:12]
    assert "\r" not in ran.out and first not in ran.out and "\x1b" not in ran.out + seen
    assert ("\r" in seen.replace("\r\n", "\n")) == draws
    assert (first in seen) == prose
    if before:
        assert seen == ""
    if "json" in after:
        assert all(json.loads(line)["kind"] for line in seen.splitlines())


def test_the_command_line_takes_the_modes_and_forecasts(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(0, tmp_path / "ws", "zh")
    ahead = inkos(folder, "--json", "write", "next", "-n", "10", "--forecast")
    assert ahead.code == 0 and ahead.json["forecast"]["basis"] == "plan" and ahead.json["forecast"]["chapters"] == 10
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    ran = inkos(folder, "write", "next", "-n", "3", "--progress", "json")
    rows = [json.loads(line) for line in ran.err.splitlines()]
    assert [row["number"] for row in rows if row["kind"] == "chapter"] == [1, 2, 3]
    assert {row["of"] for row in rows if row["kind"] == "chapter"} == {3}
    streamed = inkos(copy, "write", "next", "--stream")
    prose = next((copy / "books" / "b" / "chapters").glob("*.md")).read_text(encoding="utf-8").splitlines()[2:]
    assert prose[0][:12] in streamed.err and "\r" not in streamed.err
    ahead = inkos(folder, "--json", "write", "next", "--until", "5", "--forecast")
    found = ahead.json["forecast"]
    assert found["basis"] == "records" and found["seen"] == 3 and found["chapters"] == 2
    assert 0 < found["tokens"]["low"] <= found["tokens"]["high"]
    assert inkos(folder, "write", "next", "--progress", "loud").code == 2
