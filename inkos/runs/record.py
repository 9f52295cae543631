"""run.json: everything about one production run in one record; knows no machine by name and no file path but names."""

from __future__ import annotations

import re
from typing import Literal

from inkos.config import RunLimits
from inkos.errors import FaultKind
from inkos.ports import Usage
from inkos.prompts.request import Request
from inkos.records import Record, digest, dump

_WIDE = re.compile("[\u2e80-\ud7ff\uf900-\uffef]+")
RunStatus = Literal["running", "waiting", "needs-review", "completed", "failed", "cancelled"]
OPEN: frozenset[str] = frozenset({"running", "waiting", "needs-review"})


class Attempt(Record):
    """One try of a want. `artefact` is reserved before the call, so a reply that was stored is found again even when
    the process died before it could say so. `open` in a run that nobody drives means: outcome unknown. `asked` is the
    digest of the messages that were sent."""

    id: str
    asked: str = ""
    artefact: str
    at: float
    status: Literal["open", "replied", "failed", "unknown"] = "open"
    fault: FaultKind | None = None
    detail: str = ""
    usage: Usage = Usage()
    money: float | None = None
    model: str = ""
    seconds: float = 0.0


class WantRecord(Record):
    """A model call that was wanted: the digest of its messages, its attempts, and when the next may start (seconds
    since the epoch)."""

    id: str
    task: str
    digest: str
    characters: int
    attempts: tuple[Attempt, ...] = ()
    not_before: float = 0.0


class Pause(Record):
    """Why a run waits for a person: the error's code and its values, as they were told."""

    code: str
    values: dict[str, str] = {}


class Artefact(Record):
    sha256: str
    size: int


class RunRecord(Record):
    """Total: whoever reads the latest can go on without any older one. `machine` is the machine's own state as JSON;
    `revision` grows by one with every save; `base_revision` is the book's when the run began. `limits` and `roles` are
    what a person chose for this run when it was paused; they hold after a restart too."""

    schema_version: int = 1
    id: str
    kind: Literal["chapter", "founding", "judging", "outline"]
    book: str
    chapter: str = ""
    status: RunStatus = "running"
    stage: str = ""
    revision: int = 0
    base_revision: int = 0
    started: float
    updated: float
    working_seconds: float = 0.0
    machine: dict[str, object]
    wants: dict[str, WantRecord] = {}
    artefacts: dict[str, Artefact] = {}
    note: str = ""
    paused: Pause | None = None
    limits: RunLimits | None = None
    roles: dict[str, str] = {}

    def attempts(self) -> list[Attempt]:
        return [attempt for want in self.wants.values() for attempt in want.attempts]

    @property
    def tokens(self) -> int:
        """Tokens booked so far, input and output, unknown attempts at their estimate."""
        return sum(a.usage.input + a.usage.output for a in self.attempts())

    @property
    def money(self) -> float | None:
        """Money booked so far; null as soon as one attempt's price is unknown."""
        sums = [a.money for a in self.attempts() if a.usage.input or a.usage.output]
        return None if any(m is None for m in sums) else sum(m for m in sums if m is not None)


def request_digest(request: Request) -> str:
    """What a stored reply answers: the messages and the form of reply, not the papers, not the cap."""
    return digest(dump({"messages": [[m.role, m.text] for m in request.messages], "reply": request.reply}))


def estimate(request: Request) -> Usage:
    """Tokens of a call whose usage nobody reported: CJK 0.95, other 0.27 a character (design/dependencies.md, +10 %
    left to the caller), the reply at its cap."""
    text = "".join(m.text for m in request.messages)
    wide = sum(len(run) for run in _WIDE.findall(text))
    return Usage(input=int(wide * 0.95 + (len(text) - wide) * 0.27) + 1, output=request.cap, estimated=True)
