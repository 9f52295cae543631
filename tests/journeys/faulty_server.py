"""A service on loopback that answers from a recording and fails as it is told to, task by task; knows no client."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inkos.records import digest, dump
from tests.adapters.model_server import Answer, ModelServer, Seen, refusal, serving, stream

Fault = Callable[[str], Answer]  # from the reply that was due to what is answered instead


@dataclass
class Playing:
    """`faults`: by task, what comes in place of the next replies, first come first served; `always`: in place of every
    one. `asked`: each call as task and body, in order."""

    tape: Path
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    always: dict[str, Fault] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        rows = [json.loads(line) for line in self.tape.read_text(encoding="utf-8").splitlines()]
        self.rows: dict[str, dict[str, Any]] = {row["request"]: row for row in rows}

    def __call__(self, seen: Seen) -> Answer:
        messages = [[m["role"], _text(m["content"])] for m in seen.body["messages"]]
        keys = [digest(dump({"messages": messages, "reply": form})) for form in ("json", "prose")]
        row = next((self.rows[key] for key in keys if key in self.rows), None)
        if row is None:  # a question that no recorded run asked: a re-ask after a fault of ours
            self.asked.append(("other", seen.body))
            return self.always.get("other", lambda text: refusal(400, {"error": {"message": "not recorded"}}))("")
        task, text = row["task"], row["reply"]["text"]
        self.asked.append((task, seen.body))
        if self.faults.get(task):
            return self.faults[task].pop(0)(text)
        return self.always.get(task, lambda text: stream(text, size=200))(text)

    def tasks(self) -> list[str]:
        return [task for task, _ in self.asked]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


@contextmanager
def playing(tape: Path, **faults: Any) -> Iterator[tuple[Playing, ModelServer]]:
    service = Playing(tape, **faults)
    with serving(by=service) as server:
        yield service, server
