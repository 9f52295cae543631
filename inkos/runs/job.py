"""One run being driven: its machine, its record and the ports that it needs; decides nothing and calls nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from inkos.config import BookLimits, RunLimits
from inkos.cycle.wants import CommitWant, Outcome, Want
from inkos.ports import Clock, Limiter, ModelDesk, Purse, RunStore
from inkos.records import dump
from inkos.runs import budget
from inkos.runs.booking import Price
from inkos.runs.events import Emit
from inkos.runs.record import Attempt, RunRecord, RunStatus, WantRecord

WATCH_SECONDS = 1.0  # how long a person who asked to stop waits at most while a call is pending


class Machine(Protocol):
    """A pure machine with what it reads, as runs see it."""

    @property
    def stage(self) -> str: ...
    @property
    def status(self) -> RunStatus: ...
    def wants(self) -> tuple[Want, ...]: ...
    def advance(self, outcome: Outcome) -> Machine: ...
    def dump(self) -> dict[str, object]: ...


Commit = Callable[[Machine, CommitWant, tuple[str, bytes]], int]
Until = Callable[[Machine], bool]


@dataclass
class Job:
    """One run being driven. `commit` makes a machine's result visible together with the run record it is given;
    `share` in [0, 1) spreads retries; `stopped` says that a person asked to end: it is
    looked at before each new call, so the run ends at the next consistency boundary. `book` and `elsewhere` are the
    limits of the whole book and what its other runs have spent. `insist`: a person said go on, so that what came to
    nothing before does not count against another try. `purse`: hard caps over more runs than this one."""

    machine: Machine
    record: RunRecord
    runs: RunStore
    models: ModelDesk
    clock: Clock
    limiter: Limiter
    price: Price
    limits: RunLimits
    commit: Commit
    emit: Emit
    share: float = 0.0
    stopped: Callable[[], bool] = lambda: False
    book: BookLimits | None = None
    elsewhere: budget.Elsewhere | None = None
    insist: bool = False
    purse: Purse | None = None
    began: float = 0.0
    worked: float = 0.0
    forgiven: dict[str, int] = field(default_factory=dict)

    def save(self, **changes: object) -> None:
        """Write run.json with the machine as it stands now."""
        now = self.clock.now()
        self.record = self.record.model_copy(
            update={
                "revision": self.record.revision + 1,
                "updated": now,
                "working_seconds": self.worked + (now - self.began),
                "machine": self.machine.dump(),
                "stage": self.machine.stage,
                **changes,
            }
        )
        self.runs.save(self.record.id, dump(self.record))

    def put(self, want: WantRecord) -> None:
        self.record = self.record.model_copy(update={"wants": {**self.record.wants, want.id: want}})

    def attempt(self, want_id: str, attempt: Attempt) -> None:
        """Replace an attempt of a want by its id, or add it."""
        want = self.record.wants[want_id]
        kept = tuple(a for a in want.attempts if a.id != attempt.id)
        self.put(want.model_copy(update={"attempts": (*kept, attempt)}))

    def postpone(self, want_id: str, seconds: float | None) -> None:
        """The time before which the next try must not start survives a restart."""
        if seconds is not None:
            want = self.record.wants[want_id]
            self.put(want.model_copy(update={"not_before": self.clock.now() + seconds}))
        self.save()
