"""A model service that follows the probe's and the canary's questions, with failings to choose; knows no client."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from inkos.adapters.models import estimate
from tests.adapters.model_server import Answer, Seen, refusal, stream, whole


@dataclass
class Playing:
    """`window`: tokens of a prompt that reach the model; what is before them is cut off in silence, or refused where
    `refuses`. `json`, `tools`: whether it has them. `tags`: reasoning comes inside the text. `dull`: copies badly."""

    window: int = 10**9
    refuses: bool = False
    json: bool = True
    tools: bool = True
    tags: bool = False
    dull: bool = False
    key: str = ""

    def __call__(self, seen: Seen) -> Answer:
        if self.key and self.key not in seen.headers.get("authorization", ""):
            return refusal(401, {"error": {"message": "invalid api key"}})
        text = "\n".join(str(message["content"]) for message in seen.body["messages"])
        size = estimate.tokens(text)
        if size > self.window and self.refuses:
            told = f"This model's maximum context length is {self.window} tokens, you sent {size}"
            return refusal(400, {"error": {"message": told}})
        if "response_format" in seen.body and not self.json:
            return refusal(400, {"error": {"message": "response_format is not supported"}})
        if size > self.window:
            text = text[-int(len(text) * self.window / size) :]
        return self._reply(seen.body, text)

    def _reply(self, body: dict[str, Any], text: str) -> Answer:
        if body.get("tools") and self.tools:
            call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": '{"name": "ferryman"}'}}
            return whole({"content": None, "tool_calls": [call]}, "tool_calls")
        said = self._say(text)
        if self.tags:
            said = f"<think>let me see</think>{said}"
        return stream(said) if body.get("stream") else whole({"content": said})

    def _say(self, text: str) -> str:
        if "password" in text:
            found = re.search(r"The password of this page is (\S+)\.", text)
            return found.group(1) if found else "I see no password."
        if "Count from one" in text:
            return "one\ntwo\nthree\nfour\nfive"
        if '"ready"' in text:
            return '{"ready": true}'
        if "crates" in text and "JSON" in text:
            return '{"crates": 9, "men": 2, "animals": ["dog"]}'
        if "Copy the fourth" in text:
            return "Nobody asked for him." if self.dull else "Nobody had asked for the ferryman since Tuesday."
        if "逐字抄出" in text:
            return "打礼拜二起就没人找过艄公。"
        return "她推门出去，河风一下子灌进来。" * 10
