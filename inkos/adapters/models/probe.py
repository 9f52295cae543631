"""Finds out by trying what a model can do, and keeps it: window, stream, parameters, reasoning, JSON, tools."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any

from inkos.adapters.models.answered import Answered
from inkos.adapters.models.reach import MARK, REALISTIC, asked, marked_request
from inkos.adapters.models.service import Call, ServiceModel
from inkos.config import Quirks
from inkos.errors import ModelFault
from inkos.ports import ProbeCheck, Probed, Reply, Usage

SMALLEST = 500  # tokens: a window below that is of no use to anybody
WARM = 0.7  # the temperature that is tried where the route names none
COUNT = "Count from one to forty in English words, one number a line, and write nothing else."
OBJECT = 'Reply with a JSON object that has the one key "ready" with the value true, and nothing else.'
TOOL = "Use the tool to look up the entry of the ferryman."
FOUND = {"context", "json_mode", "reasoning", "tools"}  # what has a check of its own
_LIMIT = re.compile(r"(?:maximum|max|limit|window|上限|最大)\D{0,40}(\d{3,8})", re.I)


@dataclass
class Findings:
    checks: list[ProbeCheck] = field(default_factory=list)
    quirks: Quirks = field(default_factory=Quirks)
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    reasoning: str = "none"

    def say(self, name: str, state: str, detail: str) -> None:
        self.checks.append(ProbeCheck.model_validate({"name": name, "state": state, "detail": detail}))

    def take(self, reply: Reply) -> Reply:
        used = reply.usage
        self.calls += 1
        self.usage = Usage(input=self.usage.input + used.input, output=self.usage.output + used.output)
        if reply.reasoning:
            self.reasoning = "field"
        elif re.match(r"\s*<(think|thinking|reasoning)>", reply.text):
            self.reasoning = "tags"
        return reply


async def probe(model: ServiceModel, route: str, *, largest: int = REALISTIC, at: float = 0.0) -> Probed:
    """Try everything once; what holds is kept in the model's memory. `largest`: tokens up to which the window is tried
    (a prompt of that size is paid for). Raises nothing of a call: a check that failed says with what."""
    found = Findings()
    if model.route.temperature is None:
        warm = model.route.model_copy(update={"temperature": WARM})
        model = ServiceModel(warm, model.provider, model.key, model.memory)
    if await _window(model, found, largest):
        await _stream(model, found)
        await _json(model, found)
        await _tools(model, found)
        found.say("reasoning", "good", found.reasoning)
    learned = model.memory.of(model.provider.base_url, model.route.model)
    changes = learned.quirks.model_dump(exclude_none=True, mode="json", exclude=FOUND)
    if any(check.name == "key" and check.state == "good" for check in found.checks):
        found.say("parameters", "good", ", ".join(f"{name} {value}" for name, value in changes.items()) or "–")
        found.quirks = found.quirks.over(Quirks(reasoning=found.reasoning))  # type: ignore[arg-type]
    quirks = found.quirks.over(learned.quirks)
    kept = {check.name: f"{check.state} {check.detail}" for check in found.checks}
    model.memory.keep(model.provider.base_url, model.route.model,
                      learned.model_copy(update={"quirks": quirks, "probe": kept, "at": at}))  # fmt: skip
    return Probed(route=route, provider=model.route.provider, model=model.route.model, checks=tuple(found.checks),
                  calls=found.calls, usage=found.usage)  # fmt: skip


async def _window(model: ServiceModel, found: Findings, largest: int) -> bool:
    """Ask for the mark at realistic size, then smaller or larger. False: the line itself does not work."""
    sizes, good, bad, limit = [REALISTIC], 0, 0, 0
    free = _without_window(model)
    while sizes:
        size = sizes.pop()
        try:
            reply = found.take(await free.complete(marked_request(size)))
            arrived = MARK in reply.text
        except ModelFault as fault:
            if fault.kind != "context":
                return _line(found, fault, good)
            named = _LIMIT.search(fault.detail)
            limit = int(named.group(1)) if named else limit
            arrived = False
        good, bad = (max(good, size), bad) if arrived else (good, min(bad or size, size))
        if not arrived and not good and size > SMALLEST:
            sizes.append(size // 2)
        elif arrived and not bad and size < largest:
            sizes.append(min(size * 2, largest))
    found.say("reachable", "good", model.provider.base_url)
    found.say("key", "good", "–" if model.key is None else "…")
    if bad:
        # What the service says itself goes before what was tried; either way a prompt beyond it is not sent again.
        found.quirks = found.quirks.over(Quirks(context=limit or good or SMALLEST))
    found.say("window", "bad" if bad and max(good, limit) < REALISTIC else "good",
              f"{limit or good}" if bad else f"≥ {good}")  # fmt: skip
    return good > 0


def _without_window(model: ServiceModel) -> ServiceModel:
    """The model with what was known of its window set aside: it is being found anew."""
    learned = model.memory.of(model.provider.base_url, model.route.model)
    forgotten = learned.model_copy(update={"quirks": learned.quirks.model_copy(update={"context": None})})
    model.memory.keep(model.provider.base_url, model.route.model, forgotten)
    route = model.route.model_copy(update={"context": None})
    return ServiceModel(route, model.provider, model.key, model.memory)


def _line(found: Findings, fault: ModelFault, good: int) -> bool:
    """What a failure that is not about the window says."""
    if fault.kind in ("unreachable", "timeout"):
        found.say("reachable", "bad", f"{fault.kind}: {fault.detail}")
        return False
    found.say("reachable", "good", fault.where)
    found.say("key", "bad" if fault.kind in ("key", "balance") else "good", f"{fault.kind}: {fault.detail}")
    if fault.kind not in ("key", "balance"):
        found.say("window", "bad", f"{fault.kind}: {fault.detail}")
    return good > 0


async def _stream(model: ServiceModel, found: Findings) -> None:
    pieces: list[str] = []
    try:
        found.take(await model.complete(asked(COUNT), pieces.append))
    except ModelFault as fault:
        found.say("stream", "bad", f"{fault.kind}: {fault.detail}")
        return
    found.say("stream", "good" if len(pieces) > 1 else "unknown", str(len(pieces)))


async def _json(model: ServiceModel, found: Findings) -> None:
    """JSON mode, asked for whatever is known; used from now on only where an object came."""
    call = Call(model, asked(OBJECT, reply="json"), model.quirks, None)
    call.json_mode = True
    fault, works, detail = await call.run(), False, ""
    if fault is None:
        try:
            works = json.loads(found.take(call.reply(0.0, ())).text) == {"ready": True}
        except (ModelFault, ValueError) as wrong:
            detail = str(wrong)[:120]
    else:
        detail = fault.detail
    found.quirks = found.quirks.over(Quirks(json_mode=works))
    found.say("json", "good" if works else "unknown", detail)


async def _tools(model: ServiceModel, found: Findings) -> None:
    """One call with one tool; only later rooms need it, so its lack is no fault."""
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest, ToolCallPart, UserPromptPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    from inkos.adapters.models.protocols import open_model

    schema: dict[str, Any] = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    tool = ToolDefinition(name="look_up", description="Looks up a person by name.", parameters_json_schema=schema)
    answered = Answered(False)
    works, detail = False, ""
    try:
        async with (
            asyncio.timeout(model.route.timeouts.total),
            open_model(model.route, model.provider, model.key, model.quirks, answered.look) as opened,
        ):
            response = await model_request(
                opened, [ModelRequest(parts=[UserPromptPart(TOOL)])], model_settings={"max_tokens": 1024},
                model_request_parameters=ModelRequestParameters(function_tools=[tool], allow_text_output=True),
            )  # fmt: skip
        found.calls += 1
        works = any(isinstance(part, ToolCallPart) and part.tool_name == "look_up" for part in response.parts)
    except Exception as error:
        detail = type(error).__name__
    found.quirks = found.quirks.over(Quirks(tools=works))
    found.say("tools", "good" if works else "unknown", detail)
