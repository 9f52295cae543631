"""Failures of the world, as one small tree; knows neither languages nor terminals.

    InkosError                 exit code 1: refused or failed; the failing step changed nothing
    ├── UsageFault             exit code 2: the command or a file a person wrote is wrong
    ├── BudgetSpent            exit code 4: paused, resumable
    ├── BookBusy               exit code 5: another process holds the book
    └── ModelFault             a model service did not give a usable reply (has a `kind`)
    Cancelled(BaseException)   exit code 130: a person stopped the work

A flaw of the story is not an error but a finding (inkos/kernel/findings.py).
An error carries a permanent message code and values; the words stand in the catalogues
(inkos/words/{en,zh}/errors.yaml), each with what failed, what was kept and what to do next.
"""

from __future__ import annotations

from typing import Literal

FaultKind = Literal[
    "unreachable",  # no connection, or it broke before anything came
    "timeout",  # one of the three clocks ran out (first event, silence, whole call)
    "key",  # 401 or 403
    "balance",  # 402: money is gone, nothing is retried
    "rate",  # 429: come back later
    "server",  # 5xx, or an error inside a stream
    "request",  # 400, 404 …: the same request must not be sent again unchanged
    "context",  # the request is too long for the model
    "incomplete",  # the stream ended without an ending
    "truncated",  # finish reason `length`
    "empty",  # nothing but blanks came
    "refused",  # the model declines
    "filtered",  # the provider's content filter
    "unreadable",  # a reply came, but it does not fit the contract even after one re-ask
]

# Worth another try of the same request after a pause; the others need something to change first.
TRANSIENT: frozenset[str] = frozenset({"unreachable", "timeout", "rate", "server", "incomplete", "empty"})


class InkosError(Exception):
    """A failure of the world: `code` names the message, `values` fill it in.

    `where` is the file or call concerned, as a person would look for it.
    """

    exit_code = 1

    def __init__(self, code: str, *, where: str = "", **values: object) -> None:
        self.code = code
        self.where = where
        self.values = values
        super().__init__(code, where, values)

    def __str__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self.values.items())
        return f"{self.code} at {self.where or '?'} ({shown})"


class UsageFault(InkosError):
    """The command line or a file that a person wrote is wrong."""

    exit_code = 2


class BudgetSpent(InkosError):
    """A budget is used up; the run is paused and can be resumed."""

    exit_code = 4


class BookBusy(InkosError):
    """Another process is writing this book."""

    exit_code = 5


class ModelFault(InkosError):
    """A model call failed. `retry_after` is in seconds, where the service named a time."""

    def __init__(
        self,
        kind: FaultKind,
        *,
        where: str = "",
        detail: str = "",
        retry_after: float | None = None,
        partial: str = "",
    ) -> None:
        super().__init__(f"model-{kind}", where=where, detail=detail)
        self.kind: FaultKind = kind
        self.detail = detail
        self.retry_after = retry_after
        self.partial = partial

    @property
    def transient(self) -> bool:
        return self.kind in TRANSIENT


class Cancelled(BaseException):
    """A person stopped the work; what was accepted stays, the run can be resumed."""

    exit_code = 130
