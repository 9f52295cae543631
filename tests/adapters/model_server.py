"""A loopback HTTP server that plays model services at the level of bytes; knows no client."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

EVENTS = "text/event-stream; charset=utf-8"
JSON = "application/json; charset=utf-8"


@dataclass
class Answer:
    """What one request gets. `pieces` are sent as they stand, one write each: bytes, or a number of seconds to wait.
    `hang` keeps the socket open after the last piece until the server closes; else the connection is closed."""

    pieces: Sequence[bytes | float] = ()
    status: int = 200
    kind: str = EVENTS
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False


@dataclass
class Seen:
    """One request as it came."""

    headers: dict[str, str]
    body: dict[str, Any]


class ModelServer:
    """Answers in order; the last answer is repeated; or by a function of what came. `gone`: a client closed while its
    reply was being written."""

    def __init__(self, answers: Sequence[Answer], by: Callable[[Seen], Answer] | None = None) -> None:
        self.answers, self.by = list(answers), by
        self.seen: list[Seen] = []
        self.gone = threading.Event()
        self.closing = threading.Event()
        self.base_url = ""

    def next_answer(self, seen: Seen) -> Answer:
        self.seen.append(seen)
        if self.by is not None:
            return self.by(seen)
        return self.answers[min(len(self.seen), len(self.answers)) - 1]


@contextmanager
def serving(*answers: Answer, by: Callable[[Seen], Answer] | None = None) -> Iterator[ModelServer]:
    """A server on a free loopback port for the length of a test."""
    script = ModelServer(answers, by)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(script))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    script.base_url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield script
    finally:
        script.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(script: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            answer = script.next_answer(Seen({n.lower(): v for n, v in self.headers.items()}, json.loads(body)))
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Connection", "close")
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.flush()
            try:
                _play(answer, self.wfile.write, self.wfile.flush, script)
            except OSError:
                script.gone.set()
            self.close_connection = True

    return Handler


def _play(answer: Answer, write: Callable[[bytes], object], flush: Callable[[], object], script: ModelServer) -> None:
    for piece in answer.pieces:
        if isinstance(piece, bytes):
            write(piece)
            flush()
        else:
            time.sleep(piece)
    if answer.hang:
        script.closing.wait(30)


def chunk(delta: dict[str, Any] | None, finish: str | None = None, **extra: Any) -> bytes:
    """One event of a chat stream as bytes."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    data = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m-1", "choices": choices, **extra}
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


DONE = b"data: [DONE]\n\n"
USAGE = {
    "prompt_tokens": 900,
    "completion_tokens": 40,
    "total_tokens": 940,
    "prompt_tokens_details": {"cached_tokens": 600},
    "completion_tokens_details": {"reasoning_tokens": 7},
}


def stream(text: str, *, finish: str = "stop", usage: dict[str, Any] | None = USAGE, size: int = 8) -> Answer:
    """An ordinary streamed reply."""
    pieces: list[bytes | float] = [chunk({"role": "assistant", "content": ""})]
    pieces += [chunk({"content": text[at : at + size]}) for at in range(0, len(text), size)]
    pieces.append(chunk({}, finish))
    if usage is not None:
        pieces.append(chunk(None, usage=usage))
    return Answer([*pieces, DONE])


def whole(message: dict[str, Any], finish: str | None = "stop", **extra: Any) -> Answer:
    """An ordinary reply in one piece of JSON."""
    choices = [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}]
    head = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m-1", "usage": USAGE}
    data = {**head, "choices": choices, **extra}
    return Answer([json.dumps(data, ensure_ascii=False).encode()], kind=JSON)


def refusal(status: int, body: object, **headers: str) -> Answer:
    """An error status with a body; header names are written with `_` for `-`."""
    raw = body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer([raw], status=status, kind=JSON, headers=named)
