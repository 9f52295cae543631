"""What a machine wants done next and what came of it; does not know who does it, when, or how often it is tried.

A machine is `advance(state, outcomes, …) -> (state, wants)`. It never does anything itself: it is handed outcomes and
answers with wants. A want's id is its step and number (`draft.1`, `settle.2`, `audit.2.ask`), the same each time that
state is advanced, so a run can be stopped anywhere and resumed: what has an outcome is not wanted again.
"""

from __future__ import annotations

from typing import Literal

from inkos.errors import FaultKind
from inkos.prompts.request import Request
from inkos.records import Record


class ModelWant(Record):
    """One model call. Its outcome is Replied or Failed."""

    id: str
    request: Request


class CommitWant(Record):
    """Make the result visible, whole or not at all. What is committed is in the machine's state, which then holds."""

    id: str


Want = ModelWant | CommitWant


class Replied(Record):
    """The service said this reply ended (`complete`), or it was cut at its cap (`complete` false)."""

    kind: Literal["replied"] = "replied"
    want: str
    text: str
    complete: bool = True


class Failed(Record):
    """The call failed for good: `fault` is the last one after the tries that runs allows."""

    kind: Literal["failed"] = "failed"
    want: str
    fault: FaultKind
    detail: str = ""


class Committed(Record):
    kind: Literal["committed"] = "committed"
    want: str
    revision: int


Outcome = Replied | Failed | Committed
