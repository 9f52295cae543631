"""What a run tells whoever watches it, as typed records; does not know who watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from inkos.errors import FaultKind
from inkos.ports import Usage
from inkos.records import Record


class CallWaits(Record):
    """A call that is not made yet, because of its endpoint's limits; `seconds` that this may still take."""

    kind: Literal["call-waits"] = "call-waits"
    want: str
    task: str
    endpoint: str
    seconds: float


class CallStarted(Record):
    kind: Literal["call-started"] = "call-started"
    want: str
    task: str
    attempt: int
    model: str


class TextCame(Record):
    """A piece of a reply as it streams. `characters` counts from the start of this attempt."""

    kind: Literal["text"] = "text"
    want: str
    task: str
    piece: str
    characters: int


class CallEnded(Record):
    """After the reply is stored."""

    kind: Literal["call-ended"] = "call-ended"
    want: str
    task: str
    usage: Usage
    money: float | None
    seconds: float


class CallFailed(Record):
    """`again_in`: seconds until the next try, null when there is none."""

    kind: Literal["call-failed"] = "call-failed"
    want: str
    task: str
    fault: FaultKind
    detail: str
    again_in: float | None


class FellBack(Record):
    """Another route answers from here on, because `route` failed with `fault`."""

    kind: Literal["fell-back"] = "fell-back"
    want: str
    task: str
    fault: FaultKind
    detail: str
    route: str
    other: str


class Noticed(Record):
    """Something to be told once; the words stand under `cli.told.<code>`."""

    kind: Literal["notice"] = "notice"
    code: str
    values: dict[str, str]


class ChapterBegun(Record):
    """Chapter `number` of the `of` that were asked for, at `position` of the book. `left`: seconds until all are done,
    by what the chapters before took; null where there is nothing to go by."""

    kind: Literal["chapter"] = "chapter"
    position: int
    number: int
    of: int
    left: float | None = None


class StageReached(Record):
    """After run.json holds it. `machine` is the machine's state as JSON."""

    kind: Literal["stage"] = "stage"
    run: str
    stage: str
    machine: dict[str, object]


class BatchTold(Record):
    """A line of a batch's log; the words stand under `batch.log.<code>`."""

    kind: Literal["batch"] = "batch"
    batch: str
    book: str
    code: str
    values: dict[str, str]


Event = (
    CallWaits | CallStarted | TextCame | CallEnded | CallFailed | FellBack | Noticed | ChapterBegun | StageReached
    | BatchTold
)  # fmt: skip
Emit = Callable[[Event], None]
