"""An OpenAI-compatible server on loopback that answers from a cassette, streamed, as slowly as it is told to."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from inkos.records import digest, dump


class CassetteServer(ThreadingHTTPServer):
    """`asked` counts requests by digest: what was paid, seen from the service's side."""

    daemon_threads = True

    def __init__(self, cassette: Path, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        rows = [json.loads(line) for line in cassette.read_text(encoding="utf-8").splitlines()]
        self.replies: dict[str, dict[str, Any]] = {row["request"]: row["reply"] for row in rows}
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.unknown: list[str] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was killed is no news; everything else is."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def reply_to(self, messages: list[dict[str, Any]]) -> dict[str, Any] | None:
        shown = [[m["role"], _text(m["content"])] for m in messages]
        for form in ("json", "prose"):
            key = digest(dump({"messages": shown, "reply": form}))
            if key in self.replies:
                self.asked[key] += 1
                return self.replies[key]
        self.unknown.append(shown[-1][1][-200:])
        return None


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


class _Handler(BaseHTTPRequestHandler):
    server: CassetteServer
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        raw_body = self.rfile.read(length)
        if len(raw_body) < length:  # who asked was killed while asking
            self.close_connection = True
            return
        body = json.loads(raw_body)
        reply = self.server.reply_to(body["messages"])
        time.sleep(self.server.delay)
        if reply is None:
            raw = b'{"error": {"message": "not recorded"}}'
            self.send_response(400)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        self.end_headers()
        text = reply["text"]
        for start in range(0, len(text), 400):
            self._event({"content": text[start : start + 400]})
        self._event({}, "stop")
        used = reply["usage"]
        usage = {"prompt_tokens": used["input"], "completion_tokens": used["output"],
                 "total_tokens": used["input"] + used["output"]}  # fmt: skip
        tail = {"id": "x", "created": 1, "model": body["model"], "object": "chat.completion.chunk", "choices": [],
                "usage": usage}  # fmt: skip
        self.wfile.write(f"data: {json.dumps(tail)}\n\ndata: [DONE]\n\n".encode())
        self.close_connection = True

    def _event(self, delta: dict[str, str], reason: str | None = None) -> None:
        chunk = {"id": "x", "created": 1, "model": "tape", "object": "chat.completion.chunk",
                 "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}  # fmt: skip
        self.wfile.write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()


@contextmanager
def serving(cassette: Path, delay: float = 0.0) -> Iterator[CassetteServer]:
    server = CassetteServer(cassette, delay)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
