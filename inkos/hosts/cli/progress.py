"""What a run is doing, as it does it: a live line, plain lines, JSON lines or the prose itself; knows no action."""

from __future__ import annotations

import shutil
import sys
import time
import unicodedata
from typing import Any, TextIO

from inkos.hosts.cli.terminal import as_json, shown
from inkos.messages import Messages
from inkos.runs.events import (
    BatchTold,
    CallEnded,
    CallFailed,
    CallStarted,
    CallWaits,
    ChapterBegun,
    Event,
    FellBack,
    Noticed,
    StageReached,
    TextCame,
)

MODES = ("auto", "plain", "json", "quiet")
REDRAW = 0.1  # seconds between two drawings of the live line
TEXT_LINE = 1.0  # seconds between two JSON lines about text of one call
ENDS = frozenset({"hold", "accepted"})  # stages in which nothing more is asked
PROSE = frozenset({"draft"})  # tasks whose reply is the prose that a reader would see
SILENT = 5  # seconds of silence from which they are said


class Progress:
    """Writes to standard error, never to standard output. `auto`: on a terminal one line, redrawn at most ten times a
    second; into a pipe nothing is drawn, only what ended is said. `json`: one object a line. `stream`: the prose of
    the draft as it comes, in place of the live line. Call `tick` each second while nothing happens."""

    def __init__(
        self, messages: Messages, *, quiet: bool = False, mode: str = "auto", stream: bool = False,
        currency: str = "", out: TextIO | None = None,
    ) -> None:  # fmt: skip
        self.messages, self.stream, self.currency = messages, stream, currency
        self.out = out or sys.stderr
        self.mode = "quiet" if quiet and mode == "auto" else mode
        self.live = self.mode == "auto" and self.out.isatty() and not stream
        self.drawn = self.told = 0.0
        self.heard = time.monotonic()
        self.tokens = 0
        self.money: float | None = 0.0
        self.width = 0
        self.middle = False  # of a line of prose
        self.chapter: ChapterBegun | None = None
        self.stage = ""  # reached and not yet told: it is told once its first call begins, or when it is the last
        self.calls: dict[str, CallStarted] = {}
        self.characters: dict[str, int] = {}

    def hear(self, event: Event) -> None:
        self.heard = time.monotonic()
        self._count(event)
        if self.mode == "json":
            self._json(event)
        elif self.mode != "quiet":
            self._tell(event)

    def tick(self) -> None:
        """Draw the live line again: silence grows although nothing comes."""
        if self.live and self.calls:
            self._draw()

    def _count(self, event: Event) -> None:
        if isinstance(event, ChapterBegun):
            self.chapter = event
        elif isinstance(event, CallStarted):
            self.calls[event.want], self.characters[event.want] = event, 0
        elif isinstance(event, TextCame):
            self.characters[event.want] = event.characters
        elif isinstance(event, CallEnded):
            self.calls.pop(event.want, None)
            self.tokens += event.usage.input + event.usage.output
            self.money = None if self.money is None or event.money is None else self.money + event.money
        elif isinstance(event, CallFailed):
            self.calls.pop(event.want, None)

    def _tell(self, event: Event) -> None:
        say = self.messages.say
        if isinstance(event, TextCame):
            if self.stream and event.task in PROSE:
                self._prose(event.piece)
            elif self.live and time.monotonic() - self.drawn >= REDRAW:
                self._draw()
        elif isinstance(event, CallStarted):
            if self.stage:
                self.say(say(f"cli.stage.{self.stage}"))
                self.stage = ""
            if self.live:
                self._draw()
        elif isinstance(event, CallEnded):
            self.say(say("cli.progress.ended", task=self._task(event.task), seconds=f"{event.seconds:.1f}",
                         tokens=event.usage.input + event.usage.output, total=self.tokens))  # fmt: skip
        elif isinstance(event, CallFailed):
            code = "cli.progress.again" if event.again_in is not None else "cli.progress.failed"
            self.say(say(code, task=self._task(event.task), fault=event.fault, seconds=f"{event.again_in or 0:.0f}"))
        elif isinstance(event, CallWaits):
            self.say(say("cli.progress.waits", task=self._task(event.task), endpoint=event.endpoint,
                         seconds=f"{event.seconds:.0f}"))  # fmt: skip
        elif isinstance(event, FellBack):
            self.say(say("cli.progress.fell-back", task=self._task(event.task), fault=event.fault, route=event.route,
                         other=event.other))  # fmt: skip
        elif isinstance(event, Noticed):
            self.say(say(f"cli.told.{event.code}", **event.values))
        elif isinstance(event, BatchTold):
            self.say(batch_line(self.messages, event))
        elif isinstance(event, ChapterBegun):
            if event.of > 1:
                self.say(say("cli.progress.chapter", number=event.number, of=event.of, left=self._left()))
        elif isinstance(event, StageReached) and f"cli.stage.{event.stage}" in self.messages:
            self.stage = event.stage
            if event.stage in ENDS:
                self.say(say(f"cli.stage.{event.stage}"))
                self.stage = ""

    def _json(self, event: Event) -> None:
        """Text is told once a second without its words; with `stream` every piece of prose with them."""
        data = event.model_dump(mode="json", exclude={"machine"})
        if isinstance(event, TextCame) and not (self.stream and event.task in PROSE):
            if time.monotonic() - self.told < TEXT_LINE:
                return
            self.told = time.monotonic()
            del data["piece"]
        print(as_json(data), file=self.out, flush=True)

    def _prose(self, piece: str) -> None:
        self.out.write(shown(piece))
        self.out.flush()
        self.middle = not piece.endswith("\n")

    def _task(self, task: str) -> str:
        return self.messages.say(f"cli.task.{task}")

    def _left(self) -> str:
        seconds = self.chapter.left if self.chapter else None
        if seconds is None:
            return self.messages.say("cli.progress.left-unknown")
        return self.messages.say("cli.progress.left", minutes=max(1, round(seconds / 60)))

    def say(self, line: str) -> None:
        """A line that stays."""
        if self.mode in ("quiet", "json"):
            return
        self.close()
        print(shown(line), file=self.out)

    def hint(self, line: str) -> None:
        """Words for whoever pressed Ctrl-C: said in every mode."""
        self.close()
        if self.mode == "json":
            print(as_json({"kind": "hint", "text": line}), file=self.out, flush=True)
        else:
            print(shown(line), file=self.out, flush=True)

    def _line(self) -> str:
        """Everything worth knowing at this moment, the most telling first."""
        say, parts = self.messages.say, []
        if self.chapter and self.chapter.of > 1:
            parts.append(f"{self.chapter.number}/{self.chapter.of}")
        for want, call in self.calls.items():
            task = self._task(call.task)
            attempt = say("cli.progress.attempt", number=call.attempt) if call.attempt > 1 else ""
            came = self.characters.get(want, 0)
            parts.append(say("cli.progress.text", task=task, characters=came) + attempt if came
                         else say("cli.progress.started", task=task, model=call.model) + attempt)  # fmt: skip
        silent = int(time.monotonic() - self.heard)
        if silent >= SILENT:
            parts.append(say("cli.progress.silent", seconds=silent))
        if self.tokens:
            parts.append(f"{self.tokens} token")
            if self.money:
                parts.append(f"{self.money:.2f} {self.currency}".rstrip())
        if self.chapter and self.chapter.of > 1 and self.chapter.left is not None:
            parts.append(self._left())
        return " · ".join(parts)

    def _draw(self) -> None:
        line = fitted(shown(self._line()), shutil.get_terminal_size().columns - 1)
        self.drawn = time.monotonic()
        width = columns(line)
        self.out.write("\r" + line + " " * max(0, self.width - width))
        self.out.flush()
        self.width = width

    def close(self) -> None:
        """Take the live line away, end a line of prose."""
        if self.width:
            self.out.write("\r" + " " * self.width + "\r")
            self.width = 0
        if self.middle:
            self.out.write("\n")
            self.middle = False
        self.out.flush()


def batch_line(messages: Messages, line: Any) -> str:
    """A line of a batch's log in words: which book, and what happened."""
    told = dict(line.values)
    if "why" in told:
        told["why"] = reason(messages, told["why"], told)
    head = f"{line.book}: " if line.book else ""
    return head + messages.raw(f"batch.log.{line.code}").format_map(_Given(told))


def reason(messages: Messages, code: str, values: dict[str, str]) -> str:
    """Why a book or a route stands: an error's own words, or those of the batch."""
    known = f"batch.why.{code}" if f"batch.why.{code}" in messages else f"errors.{code}.what"
    return messages.raw(known).format_map(_Given(values)) if known in messages else code


class _Given(dict[str, str]):
    """A log must come out even where one of its values is missing."""

    def __missing__(self, key: str) -> str:
        return "?"


def columns(text: str) -> int:
    """Columns that a text takes on a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def fitted(line: str, room: int) -> str:
    """The beginning of a line that fits: one that wraps cannot be drawn over."""
    if columns(line) <= room:
        return line
    while line and columns(line) > room - 1:
        line = line[:-1]
    return line + "…" if room > 0 else ""
