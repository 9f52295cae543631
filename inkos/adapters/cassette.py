"""Replies by request, recorded and played again: a double of the model port; knows no task and no service."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from inkos.errors import ModelFault
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
    """Answers from a cassette. A request never recorded is a ModelFault `request`: the prompts have changed."""

    def __init__(self, path: Path) -> None:
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self._replies = {row["request"]: Reply.model_validate(row["reply"]) for row in rows}
        self._where = str(path)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        reply = self._replies.get(request_digest(request))
        if reply is None:
            raise ModelFault("request", where=self._where, detail=f"no reply recorded for this {request.task}")
        if on_text is not None:
            on_text(reply.text)
        return reply
