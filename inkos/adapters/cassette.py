"""Replies by request, recorded and played again: a double of the model port; knows no task and no service."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from inkos.adapters.disk import read_bytes
from inkos.errors import InkosError, ModelFault
from inkos.ports import ModelPort, OnText, Reply
from inkos.prompts.request import Request
from inkos.runs.record import request_digest


@dataclass
class Recording:
    """Lets a model answer and keeps what it said, in the order of asking."""

    model: ModelPort
    lines: list[str] = field(default_factory=list)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        reply = await self.model.complete(request, on_text)
        row = {"request": request_digest(request), "task": request.task, "reply": reply.model_dump(mode="json")}
        self.lines.append(json.dumps(row, ensure_ascii=False, sort_keys=True))
        return reply

    def save(self, path: Path) -> None:
        path.write_text("".join(f"{line}\n" for line in self.lines), encoding="utf-8")


class Replaying:
    """Answers from a cassette, or from a run's export. A request never recorded is a ModelFault `request`: the prompts
    have changed. One that was recorded several times is answered in that order, and by the last from then on."""

    def __init__(self, path: Path) -> None:
        self._where = str(path)
        self._replies: dict[str, list[Reply]] = {}
        lines = read_bytes(path).decode("utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                if "reply" in row:  # others tell of the run, or of a call that failed
                    self._replies.setdefault(row["request"], []).append(Reply.model_validate(row["reply"]))
            except (ValueError, KeyError, TypeError) as error:
                raise InkosError("file-damaged", where=self._where, detail=f"line {number}: {error}"[:200]) from error

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        replies = self._replies.get(request_digest(request))
        if not replies:
            raise ModelFault("request", where=self._where, detail=f"no reply recorded for this {request.task}")
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if on_text is not None:
            on_text(reply.text)
        return reply
