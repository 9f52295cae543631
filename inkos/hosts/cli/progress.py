"""One live line about a run on a terminal, plain lines elsewhere; hears typed events, knows no action."""

from __future__ import annotations

import sys
import time

from inkos.messages import Messages
from inkos.runs.events import CallEnded, CallFailed, CallStarted, Event, StageReached, TextCame


class Progress:
    """Writes to standard error, never to standard output. On a terminal the line is redrawn at most ten times a second;
    into a pipe nothing is drawn, only what ended is said."""

    def __init__(self, messages: Messages, *, quiet: bool) -> None:
        self.messages, self.quiet = messages, quiet
        self.live = sys.stderr.isatty() and not quiet
        self.drawn = 0.0
        self.began = time.monotonic()
        self.tokens = 0
        self.width = 0

    def hear(self, event: Event) -> None:
        if self.quiet:
            return
        if isinstance(event, TextCame):
            self._draw(self.messages.say("cli.progress.text", task=self._task(event.task), characters=event.characters))
        elif isinstance(event, CallStarted):
            self._draw(self.messages.say("cli.progress.started", task=self._task(event.task), model=event.model), True)
        elif isinstance(event, CallEnded):
            self.tokens += event.usage.input + event.usage.output
            self.say(
                self.messages.say("cli.progress.ended", task=self._task(event.task), seconds=f"{event.seconds:.1f}",
                                  tokens=event.usage.input + event.usage.output, total=self.tokens)
            )  # fmt: skip
        elif isinstance(event, CallFailed):
            code = "cli.progress.again" if event.again_in is not None else "cli.progress.failed"
            self.say(self.messages.say(code, task=self._task(event.task), fault=event.fault,
                                       seconds=f"{event.again_in or 0:.0f}"))  # fmt: skip
        elif isinstance(event, StageReached):
            self._stage(event)

    def _stage(self, event: StageReached) -> None:
        code = f"cli.stage.{event.stage}"
        if code in self.messages:
            self.say(self.messages.say(code))

    def _task(self, task: str) -> str:
        return self.messages.say(f"cli.task.{task}")

    def say(self, line: str) -> None:
        """A line that stays."""
        if self.quiet:
            return
        self.close()
        print(line, file=sys.stderr)

    def _draw(self, line: str, now: bool = False) -> None:
        if not self.live or (not now and time.monotonic() - self.drawn < 0.1):
            return
        self.drawn = time.monotonic()
        sys.stderr.write("\r" + line + " " * max(0, self.width - len(line)))
        sys.stderr.flush()
        self.width = len(line)

    def close(self) -> None:
        """Take the live line away."""
        if self.width:
            sys.stderr.write("\r" + " " * (self.width * 2) + "\r")
            sys.stderr.flush()
            self.width = 0
