"""A model service that answers from a recording after a fixed time, cheaply and many at once; a process of its own.

    python -m tests.bench.slow_service TAPE SECONDS [REQUESTS_A_MINUTE]

Prints its port. Each reply streams in a few events of 400 characters after SECONDS. Where REQUESTS_A_MINUTE is given, a
request beyond that number within any sixty seconds gets 429 with Retry-After, at once. GET tells how many came, how
many were refused, and the most that were answered at the same time."""

from __future__ import annotations

import asyncio
import json
import math
import sys
import time
from collections import deque
from pathlib import Path
from typing import Any

from inkos.records import digest, dump

PIECE = 400


class Service:
    def __init__(self, tape: Path, seconds: float, a_minute: int | None) -> None:
        rows = [json.loads(line) for line in tape.read_text(encoding="utf-8").splitlines()]
        self.replies = {row["request"]: _events(row["reply"]) for row in rows}
        self.seconds, self.a_minute = seconds, a_minute
        self.recent: deque[float] = deque()
        self.asked = self.refused = self.running = self.most = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, as many requests as the client likes."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n")
                               if line.startswith(b"content-length")), 0)  # fmt: skip
                body = await reader.readexactly(length)
                writer.write(self.told() if head.startswith(b"GET") else await self.answer(body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, body: bytes) -> bytes:
        self.asked += 1
        if (wait := self.beyond()) is not None:
            self.refused += 1
            return _response("429 Too Many Requests", "application/json", b'{"error": {"message": "too many"}}',
                             f"Retry-After: {wait}\r\n")  # fmt: skip
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(self.seconds)
        self.running -= 1
        reply = self.reply_to(json.loads(body)["messages"])
        if reply is None:
            return _response("400 Bad Request", "application/json", b'{"error": {"message": "not recorded"}}')
        return _response("200 OK", "text/event-stream; charset=utf-8", reply)

    def beyond(self) -> int | None:
        """Whole seconds until another request fits; null: this one does."""
        if self.a_minute is None:
            return None
        now = time.monotonic()
        while self.recent and self.recent[0] <= now - 60:
            self.recent.popleft()
        if len(self.recent) >= self.a_minute:
            return math.ceil(self.recent[0] + 60 - now)
        self.recent.append(now)
        return None

    def reply_to(self, messages: list[dict[str, Any]]) -> bytes | None:
        shown = [[m["role"], m["content"]] for m in messages]
        keys = (digest(dump({"messages": shown, "reply": form})) for form in ("json", "prose"))
        return next((self.replies[key] for key in keys if key in self.replies), None)

    def told(self) -> bytes:
        counts = {"asked": self.asked, "refused": self.refused, "most": self.most}
        return _response("200 OK", "application/json", json.dumps(counts).encode())


def _events(reply: dict[str, Any]) -> bytes:
    text, used = reply["text"], reply["usage"]
    pieces = [_event({"choices": [_choice({"content": text[at : at + PIECE]})]}) for at in range(0, len(text), PIECE)]
    usage = {"prompt_tokens": used["input"], "completion_tokens": used["output"],
             "total_tokens": used["input"] + used["output"]}  # fmt: skip
    tail = [_event({"choices": [_choice({}, "stop")]}), _event({"choices": [], "usage": usage}), b"data: [DONE]\n\n"]
    return b"".join([*pieces, *tail])


def _choice(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _event(part: dict[str, Any]) -> bytes:
    data = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m-1", **part}
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _response(status: str, kind: str, body: bytes, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    return head.encode() + body


async def main(tape: str, seconds: str, a_minute: str = "") -> None:
    service = Service(Path(tape), float(seconds), int(a_minute) if a_minute else None)
    server = await asyncio.start_server(service.talk, "127.0.0.1", 0, limit=2**22, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
