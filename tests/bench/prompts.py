"""Rows 2, 4, 5, 6 and 10 of design/bars.md: what chapters on a seeded book send, share and take beside the model.

    python -m tests.bench.prompts

The chapters are written on a copy of the book by the offline author, whose own time is not counted. Shared: of the
characters of all calls but the first of a chapter, those that an earlier call of it had at the same place; of two
chapters, the share of the later one's layers that begin as the former's did.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from inkos.actions import ACTIONS, Door
from inkos.adapters.offline import OfflineAuthor
from inkos.hosts import wire
from inkos.messages import Language
from inkos.ports import OnText, Reply
from inkos.prompts.request import Request
from tests.bench.long_book import BOOK
from tests.bench.seeded import LANGUAGES, SIZES, seeded

CLEAN = ("plan", "draft", "settle", "audit")
CHAPTERS = 10  # written on each book; the sawtooth of halved layers is seen from several sides
SECONDS = 2.0  # that a call takes in row 10


@dataclass(frozen=True)
class Took:
    """Seconds by the clock on the wall and of the processor: on a busy machine only the latter says much."""

    wall: float
    processor: float

    @classmethod
    def now(cls) -> Took:
        return cls(time.perf_counter(), time.process_time())

    def __add__(self, other: Took) -> Took:
        return Took(self.wall + other.wall, self.processor + other.processor)

    def __sub__(self, other: Took) -> Took:
        return Took(self.wall - other.wall, self.processor - other.processor)


class Sent(NamedTuple):
    """One call: its task, the characters of its messages, and when it began and ended by the process's clock."""

    task: str
    text: str
    began: float
    ended: float


class Listening:
    """A model that keeps what it was sent. `seconds`: how long each call waits before it answers."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.author = OfflineAuthor()
        self.seconds = seconds
        self.sent: list[Sent] = []
        self.own = Took(0.0, 0.0)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        began, worked = time.perf_counter(), Took.now()
        reply = await self.author.complete(request, on_text)
        worked = Took.now() - worked
        self.own = self.own + worked
        await asyncio.sleep(max(0.0, self.seconds - worked.wall))
        text = "\0".join(message.text for message in request.messages)
        self.sent.append(Sent(request.task, text, began, time.perf_counter()))
        return reply


class Shape(NamedTuple):
    """Of one book: calls of a clean chapter and of those in sequence, characters, shared shares; of local work, what
    one more chapter takes, and a whole command for one."""

    calls: int
    in_sequence: int
    characters: float
    within: float
    between: float
    chapter: Took
    command: Took


def written(workspace: Path, model: Listening, chapters: int) -> Took:
    """What the command took without the model's own time."""
    opened = wire.open_workspace(workspace, {}, offline=model)
    verb = ACTIONS["write-next"]
    began, own = Took.now(), model.own
    command = verb.command.model_validate({"book": BOOK, "count": chapters})
    asyncio.run(verb.run(Door(opened, lambda event: None, lambda: False), command))
    return Took.now() - began - (model.own - own)


def chapters_of(sent: Sequence[Sent]) -> list[list[Sent]]:
    """The calls by chapter, without those of a chapter that needed more than the clean four."""
    found: list[list[Sent]] = []
    for call in sent:
        if call.task == "plan":
            found.append([])
        found[-1].append(call)
    return [calls for calls in found if sorted(call.task for call in calls) == sorted(CLEAN)]


def common(one: str, other: str) -> int:
    """Characters that two texts begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def within(calls: Sequence[Sent]) -> float:
    later = [(call, max(common(call.text, before.text) for before in calls[:n])) for n, call in enumerate(calls) if n]
    return sum(shared for _, shared in later) / sum(len(call.text) for call, _ in later)


def in_sequence(calls: Sequence[Sent]) -> int:
    """The longest row of calls of which each began after the one before had ended."""
    steps, ended = 0, 0.0
    for call in sorted(calls, key=lambda call: call.ended):
        if call.began >= ended:
            steps, ended = steps + 1, call.ended
    return steps


def shape(language: Language, size: int) -> Shape:
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "book"
        shutil.copytree(seeded(language, size), copy)
        model = Listening()
        written(copy, model, 1)  # views are built and imports read here
        model.sent.clear()
        many = written(copy, model, CHAPTERS)
        clean = chapters_of(model.sent)
        layers = [calls[0].text[: common(calls[0].text, calls[1].text)] for calls in clean]
        between = [common(a, b) / len(b) for a, b in pairwise(layers)]
        one = min((written(copy, model, 1) for _ in range(3)), key=lambda took: took.processor)
        more = many - one
        return Shape(
            calls=len(clean[0]), in_sequence=max(in_sequence(calls) for calls in clean),
            characters=statistics.mean(sum(len(call.text) for call in calls) for calls in clean),
            within=statistics.mean(within(calls) for calls in clean), between=statistics.mean(between),
            chapter=Took(more.wall / (CHAPTERS - 1), more.processor / (CHAPTERS - 1)), command=one,
        )  # fmt: skip


def waiting(language: Language, size: int, chapters: int = 3) -> float:
    """Row 10: wall time of chapters over the model's own time on the longest way, when each call takes two seconds."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "book"
        shutil.copytree(seeded(language, size), copy)
        written(copy, Listening(), 1)
        model = Listening(SECONDS)
        opened = wire.open_workspace(copy, {}, offline=model)
        verb = ACTIONS["write-next"]
        command = verb.command.model_validate({"book": BOOK, "count": chapters})
        began = time.perf_counter()
        asyncio.run(verb.run(Door(opened, lambda event: None, lambda: False), command))
        wall = time.perf_counter() - began
        clean = chapters_of(model.sent)
        return wall / len(clean) / (3 * SECONDS)


def main() -> None:
    for language in LANGUAGES:
        for size in SIZES:
            print(language, size, shape(language, size))
    print("row 10", waiting("zh", 1_000))


if __name__ == "__main__":
    main()
