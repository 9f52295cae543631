"""What comes back from a service, put together piece by piece; does not know how the call was made or why it failed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from inkos.adapters.models.bodies import Completion, content_text
from inkos.ports import OnText, Usage
from inkos.text.characters import whole

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

Finish = Literal["stop", "length", "filtered", "refused", "error", "incomplete"]

# Services name endings as they like. What is not listed is taken for an ordinary ending: text came, and a name with it.
FINISH: dict[str, Finish] = {
    "length": "length", "max_tokens": "length", "max_output_tokens": "length", "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "filtered", "sensitive": "filtered", "safety": "filtered", "recitation": "filtered",
    "prohibited_content": "filtered", "blocklist": "filtered", "spii": "filtered", "refusal": "refused",
    "error": "error", "network_error": "error", "insufficient_system_resource": "error", "other": "error",
    "malformed_function_call": "error", "malformed_response": "error",
    "abort": "incomplete", "aborted": "incomplete", "cancelled": "incomplete",
}  # fmt: skip


class Gathered:
    """One reply while it comes. `hard` is the length in characters at which it is cut by us (0: never)."""

    def __init__(self, hard: int, on_text: OnText | None) -> None:
        self._hard, self._on_text = hard, on_text
        self._pieces: list[str] = []
        self._thought: list[str] = []
        self._length = 0
        self.cut = False
        self.raw_finish = ""
        self.refusal = ""
        self.model = ""
        self.usage: Usage | None = None

    @property
    def text(self) -> str:
        return whole("".join(self._pieces))

    @property
    def reasoning(self) -> str:
        return whole("".join(self._thought))

    @property
    def finish(self) -> Finish:
        if self.cut:
            return "length"
        if self.refusal:
            return "refused"
        return FINISH.get(self.raw_finish.lower(), "stop") if self.raw_finish else "incomplete"

    def add(self, piece: str) -> None:
        """TypeError where a broken reply brings something else: the libraries hand on whatever stands in its place."""
        _check_text(piece)
        if self._hard and self._length + len(piece) > self._hard:
            piece, self.cut = piece[: self._hard - self._length], True
        if piece:
            self._pieces.append(piece)
            self._length += len(piece)
            if self._on_text is not None:
                self._on_text(piece)

    def _think(self, piece: str) -> None:
        _check_text(piece)
        self._thought.append(piece)

    def take_event(self, event: object) -> None:
        """One event of the library's stream. The first characters of a part come in its start event."""
        from pydantic_ai.messages import (
            PartDeltaEvent,
            PartStartEvent,
            TextPart,
            TextPartDelta,
            ThinkingPart,
            ThinkingPartDelta,
        )

        if isinstance(event, PartStartEvent):
            if isinstance(event.part, TextPart):
                self.add(event.part.content)
            elif isinstance(event.part, ThinkingPart):
                self._think(event.part.content)
        elif isinstance(event, PartDeltaEvent):
            if isinstance(event.delta, TextPartDelta):
                self.add(event.delta.content_delta)
            elif isinstance(event.delta, ThinkingPartDelta):
                self._think(event.delta.content_delta or "")

    def take_end(self, response: ModelResponse) -> None:
        """What stands at the end of a reply: ending, usage, model, refusal; not its text."""
        details = response.provider_details or {}
        self.raw_finish = str(details.get("finish_reason") or "")
        if not self.raw_finish and response.finish_reason not in (None, "stop"):
            self.raw_finish = str(response.finish_reason)
        self.refusal = str(details.get("refusal") or "")
        self.model = whole(response.model_name or "")
        usage = response.usage
        counts = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens)
        if any(counts) and all(isinstance(count, int) and count >= 0 for count in counts):
            reasoning = usage.output_reasoning_tokens or int(usage.details.get("reasoning_tokens", 0))
            self.usage = Usage(
                input=usage.input_tokens,
                output=usage.output_tokens,
                cached=usage.cache_read_tokens,
                reasoning=reasoning,
            )

    def take_response(self, response: ModelResponse) -> None:
        """A whole reply that was not streamed. Such a reply is complete, also without a named ending."""
        from pydantic_ai.messages import TextPart, ThinkingPart

        for part in response.parts:
            if isinstance(part, TextPart):
                self.add(part.content)
            elif isinstance(part, ThinkingPart):
                self._think(part.content)
        self.take_end(response)
        self.raw_finish = self.raw_finish or "stop"

    def take_completion(self, data: Completion) -> None:
        """A completion that was read without the library (bodies.py)."""
        choice = (data.get("choices") or [{}])[0]
        message = choice.get("message") or {}
        self._thought.append(str(message.get("reasoning_content") or message.get("reasoning") or ""))
        self.add(content_text(message.get("content")))
        self.raw_finish = str(choice.get("finish_reason") or "")
        self.refusal = str(message.get("refusal") or "")
        self.model = whole(str(data.get("model") or ""))
        counted = data.get("usage")
        if isinstance(counted, Mapping) and counted.get("prompt_tokens"):
            cached = (counted.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
            counts = (counted["prompt_tokens"], counted.get("completion_tokens") or 0, cached)
            if all(isinstance(count, int) and count >= 0 for count in counts):
                self.usage = Usage(input=counts[0], output=counts[1], cached=counts[2])


def _check_text(piece: object) -> None:
    if not isinstance(piece, str):
        raise TypeError(f"text of the kind {type(piece).__name__}")


def page_words(body: str) -> str:
    """The title of a web page, or its first words; of a large page, of its beginning."""
    body = body[:20_000]
    if found := re.search(r"(?is)<title[^>]*>(.*?)</title>", body):
        return re.sub(r"\s+", " ", found.group(1)).strip()[:200]
    return re.sub(r"\s+", " ", re.sub(r"(?s)<[^>]*>", " ", body)).strip()[:200]
