"""What the three protocols look like on the wire, as answers of the loopback server; knows no client."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.adapters import model_server as chat
from tests.adapters.model_server import DONE, JSON, Answer

Pieces = list[bytes | float]


@dataclass(frozen=True)
class Wire:
    """One protocol. `start`, `text`, `thought`, `end` give the bytes of a stream's events; `whole` one reply in one
    piece; `error` an error event inside a stream. `usage`: input, output as the end of a stream tells them."""

    name: str
    start: Callable[[], bytes]
    text: Callable[[str], bytes]
    thought: Callable[[str], bytes]
    end: Callable[[str], bytes]
    whole: Callable[[str, str], Answer]
    error: Callable[[str, str], bytes]
    stop: str
    length: str
    filtered: str
    usage: tuple[int, int]
    cap: Callable[[dict[str, Any]], Any]
    temperature: Callable[[dict[str, Any]], Any]
    system: Callable[[dict[str, Any]], str]

    def stream(self, text: str, finish: str = "", size: int = 6) -> Answer:
        pieces: Pieces = [self.start()]
        pieces += [self.text(text[at : at + size]) for at in range(0, len(text), size)]
        return Answer([*pieces, self.end(finish or self.stop)])


def _data(value: object, event: str = "") -> bytes:
    head = f"event: {event}\n" if event else ""
    return f"{head}data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()


def _answer(value: object) -> Answer:
    return Answer([json.dumps(value, ensure_ascii=False).encode()], kind=JSON)


# ── chat completions ──

OPENAI = Wire(
    name="openai",
    start=lambda: chat.chunk({"role": "assistant", "content": ""}),
    text=lambda text: chat.chunk({"content": text}),
    thought=lambda text: chat.chunk({"reasoning_content": text}),
    end=lambda finish: chat.chunk({}, finish) + chat.chunk(None, usage=chat.USAGE) + DONE,
    whole=lambda text, finish: chat.whole({"content": text}, finish),
    error=lambda kind, told: _data({"error": {"type": kind, "message": told}}),
    stop="stop", length="length", filtered="content_filter", usage=(900, 40),
    cap=lambda body: body["max_tokens"], temperature=lambda body: body.get("temperature"),
    system=lambda body: next(m["content"] for m in body["messages"] if m["role"] == "system"),
)  # fmt: skip

# ── Anthropic messages ──

_MESSAGE = {"id": "m", "type": "message", "role": "assistant", "model": "m-1", "content": [], "stop_reason": None,
            "stop_sequence": None, "usage": {"input_tokens": 900, "output_tokens": 1}}  # fmt: skip


def _block(kind: str, field: str, text: str, index: int) -> bytes:
    """A content block of its own, whole: the client joins blocks of text."""
    opened = {"type": kind, field: "", **({"signature": ""} if kind == "thinking" else {})}
    delta = {"type": f"{field}_delta", field: text}
    return (
        _data({"type": "content_block_start", "index": index, "content_block": opened}, "content_block_start")
        + _data({"type": "content_block_delta", "index": index, "delta": delta}, "content_block_delta")
        + _data({"type": "content_block_stop", "index": index}, "content_block_stop")
    )


def _anthropic_end(finish: str) -> bytes:
    delta = {"type": "message_delta", "delta": {"stop_reason": finish, "stop_sequence": None},
             "usage": {"output_tokens": 40}}  # fmt: skip
    return _data(delta, "message_delta") + _data({"type": "message_stop"}, "message_stop")


ANTHROPIC = Wire(
    name="anthropic",
    start=lambda: _data({"type": "message_start", "message": _MESSAGE}, "message_start"),
    text=lambda text: _block("text", "text", text, 1),
    thought=lambda text: _block("thinking", "thinking", text, 0),
    end=_anthropic_end,
    whole=lambda text, finish: _answer(
        {**_MESSAGE, "content": [{"type": "text", "text": text}], "stop_reason": finish}
    ),
    error=lambda kind, told: _data({"type": "error", "error": {"type": kind, "message": told}}, "error"),
    stop="end_turn", length="max_tokens", filtered="refusal", usage=(900, 40),
    cap=lambda body: body["max_tokens"], temperature=lambda body: body.get("temperature"),
    system=lambda body: _anthropic_system(body["system"]),
)  # fmt: skip


def _anthropic_system(system: str | Sequence[dict[str, Any]]) -> str:
    return system if isinstance(system, str) else "".join(part["text"] for part in system)


# ── Gemini ──


def _candidate(text: str | None, finish: str | None = None, *, thought: bool = False) -> dict[str, Any]:
    part = {"text": text, **({"thought": True} if thought else {})}
    content = {"role": "model", "parts": [] if text is None else [part]}
    row: dict[str, Any] = {"candidates": [{"content": content, "index": 0}], "modelVersion": "m-1", "responseId": "r"}
    if finish:
        row["candidates"][0]["finishReason"] = finish
        row["usageMetadata"] = {"promptTokenCount": 900, "candidatesTokenCount": 40, "totalTokenCount": 940}
    return row


GOOGLE = Wire(
    name="google",
    start=lambda: _data(_candidate("")),
    text=lambda text: _data(_candidate(text)),
    thought=lambda text: _data(_candidate(text, thought=True)),
    end=lambda finish: _data(_candidate("", finish)),
    whole=lambda text, finish: _answer(_candidate(text, finish)),
    error=lambda kind, told: _data({"error": {"status": kind, "code": 503, "message": told}}),
    stop="STOP", length="MAX_TOKENS", filtered="SAFETY", usage=(900, 40),
    cap=lambda body: body["generationConfig"]["maxOutputTokens"],
    temperature=lambda body: body["generationConfig"].get("temperature"),
    system=lambda body: "".join(part["text"] for part in body["systemInstruction"]["parts"]),
)  # fmt: skip

WIRES = (OPENAI, ANTHROPIC, GOOGLE)
