"""Bodies read without the client library, brought into the shape of a chat completion; knows no fault by name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Completion = dict[str, Any]  # choices[0].message.{content, reasoning_content, refusal}, finish_reason; usage; model


def content_text(content: object) -> str:
    """The text of a message's content: a string, null, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") if isinstance(part, Mapping) else str(part) for part in content)
    return ""


def read_json(body: str) -> object:
    """The JSON of a body, or null where it is none."""
    try:
        return json.loads(body)
    except ValueError:
        return None


def read_events(body: str) -> list[Mapping[str, Any]]:
    """The data of an event stream that came whole, event by event; what is no JSON object is left out."""
    rows = (read_json(line[5:].strip()) for line in body.splitlines() if line.startswith("data:"))
    return [row for row in rows if isinstance(row, Mapping)]


def completion_of(protocol: str, events: Sequence[Mapping[str, Any]]) -> Completion | None:
    """One completion out of the events of a stream, or out of one whole body; null where they hold none, or an error.
    An ending that did not come stays missing."""
    made: Completion = {"text": [], "thought": [], "finish": None, "usage": {}, "model": "", "seen": False}
    for event in events:
        if event.get("error"):
            return None
        _TAKE[protocol](event, made)
    if not made["seen"]:
        return None
    message = {"content": "".join(made["text"]), "reasoning_content": "".join(made["thought"])}
    return {"choices": [{"message": message, "finish_reason": made["finish"]}], "usage": made["usage"] or None,
            "model": made["model"]}  # fmt: skip


def _openai(event: Mapping[str, Any], made: Completion) -> None:
    made["usage"] = event.get("usage") or made["usage"]
    made["model"] = event.get("model") or made["model"]
    for choice in (event.get("choices") or [])[:1]:
        made["seen"] = True
        part = choice.get("delta") or choice.get("message") or {}
        made["text"].append(content_text(part.get("content")))
        made["thought"].append(str(part.get("reasoning_content") or part.get("reasoning") or ""))
        made["finish"] = choice.get("finish_reason") or made["finish"]


def _anthropic(event: Mapping[str, Any], made: Completion) -> None:
    whole = event.get("message") if event.get("type") == "message_start" else event
    if isinstance(whole, Mapping) and whole.get("type") == "message":
        made["seen"], made["model"] = True, whole.get("model") or ""
        made["finish"] = whole.get("stop_reason")
        for block in whole.get("content") or []:
            made["text"].append(str(block.get("text") or ""))
            made["thought"].append(str(block.get("thinking") or ""))
    delta = event.get("delta") or {}
    made["text"].append(str(delta.get("text") or ""))
    made["thought"].append(str(delta.get("thinking") or ""))
    made["finish"] = delta.get("stop_reason") or made["finish"]
    used = (whole if isinstance(whole, Mapping) else event).get("usage") or event.get("usage") or {}
    names = {"input_tokens": "prompt_tokens", "output_tokens": "completion_tokens"}
    made["usage"] |= {names[name]: value for name, value in used.items() if name in names and value}


def _google(event: Mapping[str, Any], made: Completion) -> None:
    made["model"] = event.get("modelVersion") or made["model"]
    for candidate in (event.get("candidates") or [])[:1]:
        made["seen"] = True
        for part in (candidate.get("content") or {}).get("parts") or []:
            made["thought" if part.get("thought") else "text"].append(str(part.get("text") or ""))
        made["finish"] = candidate.get("finishReason") or made["finish"]
    used = event.get("usageMetadata") or {}
    if used.get("promptTokenCount"):
        made["usage"] = {"prompt_tokens": used["promptTokenCount"],
                         "completion_tokens": used.get("candidatesTokenCount") or 0}  # fmt: skip


_TAKE: dict[str, Callable[[Mapping[str, Any], Completion], None]] = {
    "openai": _openai, "anthropic": _anthropic, "google": _google,
}  # fmt: skip
