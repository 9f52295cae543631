"""One question to a model until it is answered or given up: one re-ask, one larger cap; knows no task by name.

    asked ──▶ readable ──────────────────────────────▶ value
      │ └───▶ fault ──▶ re-ask names it ──▶ readable ─▶ value   (the answer's keys are put in place of the old ones)
      │                               └───▶ fault ────▶ what can be used all the same, else given up: unreadable
      ├─────▶ the model declines ────────────────────▶ given up: refused
      ├─────▶ cut at the cap ──▶ twice the cap ──▶ …                  (another fault than a malformed reply)
      └─────▶ the service failed ─────────────────────▶ given up: its fault
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from inkos.cycle.wants import Failed, ModelWant, Replied
from inkos.kernel.papers import ReplyFault
from inkos.prompts.kit import Kit
from inkos.prompts.readers import Read, merge
from inkos.prompts.render import reask_request
from inkos.prompts.request import Request
from inkos.records import Record

T = TypeVar("T")
REFUSED = "refused"  # a fault of a reply that is a fault of the call: asked unchanged, it would be declined again


class Asked(Record):
    """What is known of one question that is not answered yet. `first` is the reply that had `fault`."""

    first: str = ""
    fault: ReplyFault | None = None
    wide: bool = False


class Settled(NamedTuple, Generic[T]):
    """The end of a question: a value, or why there is none (a fault kind of errors.FaultKind)."""

    value: T | None
    notes: tuple[str, ...] = ()
    given_up: str = ""


def want(kit: Kit, base: str, asked: Asked, request: Request) -> ModelWant:
    """The model call that goes on with a question. `base` is its id without suffix."""
    suffix = ".wide" if asked.wide else ""
    if asked.wide:
        request = request.model_copy(update={"cap": request.cap * 2})
    if asked.fault is not None:
        return ModelWant(id=f"{base}{suffix}.ask", request=reask_request(kit, request, asked.first, asked.fault))
    return ModelWant(id=f"{base}{suffix}", request=request)


def base_of(want_id: str) -> str:
    return want_id.removesuffix(".ask").removesuffix(".wide")


def hear(
    outcome: Replied | Failed, asked: Asked, read: Callable[[str], Read[T]], *, whole: bool = False
) -> Asked | Settled[T]:
    """Take one outcome of a question: a new standing (ask again), or its end.

    `whole`: a re-asked reply stands for the whole (prose); otherwise its keys replace those of the first one.
    """
    if isinstance(outcome, Failed):
        return Settled(None, (outcome.detail,), outcome.fault)
    if not outcome.complete and not whole:
        return Settled(None, (), "truncated") if asked.wide else Asked(wide=True)
    text = outcome.text
    if asked.fault is not None and not whole:
        text = merge(asked.first, text, asked.fault.keys)
    got = read(text)
    if got.fault is None:
        return Settled(got.value, got.notes)
    if got.fault.code == REFUSED:
        return Settled(None, got.notes, REFUSED)
    if asked.fault is not None:
        return Settled(got.value, (*got.notes, got.fault.code), "" if got.value is not None else "unreadable")
    return asked.model_copy(update={"first": text, "fault": got.fault})
