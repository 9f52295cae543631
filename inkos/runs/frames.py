"""What has come of a reply while more is coming, kept aside in case the process dies; never taken for a reply."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from inkos.errors import InkosError
from inkos.ports import Clock, RunStore
from inkos.runs.events import Noticed
from inkos.runs.record import Attempt, RunRecord, WantRecord
from inkos.text.characters import whole

FRAME_SECONDS = 10.0  # between two writings of what has come: so much is lost at most
MOST = 200_000  # characters that are kept; no chapter is longer


def partial_name(want_id: str, attempt: Attempt) -> str:
    """The name of what has come of an attempt, beside the name that is reserved for its reply."""
    return f"{want_id}-{attempt.id.rpartition('#')[2]}.partial.txt"


class Frames:
    """One attempt's text as it comes. A later frame replaces the earlier one whole, so there is never half of one."""

    def __init__(self, runs: RunStore, run_id: str, name: str, clock: Clock) -> None:
        self._runs, self._run, self._name, self._clock = runs, run_id, name, clock
        self._pieces: list[str] = []
        self._length = 0
        self._due = clock.now() + FRAME_SECONDS

    def take(self, piece: str) -> None:
        if self._length >= MOST:
            return
        self._pieces.append(piece)
        self._length += len(piece)
        now = self._clock.now()
        if now >= self._due:
            self._due = now + FRAME_SECONDS
            # A disk that is full or gone is told when the reply is stored: a safety net must not end a paid call.
            with contextlib.suppress(InkosError):
                self._runs.put(self._run, self._name, whole("".join(self._pieces)).encode())


def left_behind(record: RunRecord, runs: RunStore) -> Iterator[Noticed]:
    """What a process that died was receiving, one word to whoever goes on with the run for each attempt. The pieces are
    told, not used: what is unfinished is asked for anew."""
    for want in record.wants.values():
        for tried in want.attempts:
            if tried.status == "open" and runs.get(record.id, tried.artefact) is None:
                yield from _told(record, runs, want, tried)


def _told(record: RunRecord, runs: RunStore, want: WantRecord, tried: Attempt) -> Iterator[Noticed]:
    name = partial_name(want.id, tried)
    if (content := runs.get(record.id, name)) is not None:
        characters = len(content.decode("utf-8", errors="replace"))
        yield Noticed(code="partial-kept", values={"path": f"runs/{record.id}/{name}", "characters": str(characters)})
