"""What a refusal says about one parameter, and what to send instead; knows words of services, makes no call."""

from __future__ import annotations

import re

from inkos.config import Quirks

_NUMBER = r"(\d+(?:\.\d+)?)"
_NAMES = r"max_(?:completion_|output_|new_)?tokens|max(?:Output)?Tokens"
_NO = (
    r"not support|unsupported|does not|doesn't|not (?:allowed|permitted|accepted|available|recogni[sz]ed)"
    r"|unrecogni[sz]ed|unknown|unexpected|invalid|extra (?:inputs?|fields?)|forbidden|不支持|不允许|无效|非法|未知"
)
_AT_MOST = (
    r"<=|≤|less than(?: or equal to)?|at most|no more than|up to|limit(?: of| is)?|maximum(?: value)?(?: of| is|:)?"
    r"|between \d+ and|\[\s*\d+\s*,|不能(?:超过|大于)|最大(?:值)?(?:为|是)?|不超过"
)
# "max_tokens must be less than or equal to 8192", "valid range of max_tokens is [1, 8192]", "max_tokens 不能超过 8192"
_MOST = re.compile(rf"(?:{_NAMES})[^.;]{{0,80}}?(?:{_AT_MOST})\s*(\d{{2,8}})", re.I)
_RANGE = re.compile(
    rf"temperature[^.;]{{0,80}}?(?:between\s*{_NUMBER}\s*(?:and|-)\s*{_NUMBER}"
    rf"|[\[(（]\s*{_NUMBER}\s*[,，]\s*{_NUMBER}\s*[\])）])",
    re.I,
)
_REFUSED = re.compile(_NO, re.I)
_ROLE = r"system.{0,20}(?:role|message|prompt|instruction)|role.{0,20}system"
_SYSTEM = re.compile(rf"(?:{_ROLE}).{{0,60}}(?:{_NO})|(?:{_NO}).{{0,60}}(?:{_ROLE})", re.I)
_STREAM_ONLY = re.compile(
    r"only (?:support|available|work)\w*[^.]{0,20}stream|仅支持流式|只支持流式|requires? stream", re.I
)
_NO_STREAM = re.compile(rf"stream(?:ing)?(?!_options)\b.{{0,40}}(?:{_NO})", re.I)


def adapted(told: str, *, token_limit: str, cap: int, temperature: float | None, json_mode: bool) -> Quirks | None:
    """What to change after a refusal in the service's own words, or null when they name no parameter that was sent.

    `token_limit`: the name under which `cap` was sent; `temperature` null and `json_mode` false: not sent."""
    lower = told.lower()
    if cap and token_limit != "unsent" and re.search(_NAMES, told):
        return _limit(told, lower, token_limit, cap)
    if temperature is not None and ("temperature" in lower or "温度" in told):
        found = _RANGE.search(told)
        edges = [float(n) for n in found.groups() if n is not None] if found else []
        if len(edges) == 2 and edges[0] < edges[1] and not edges[0] <= temperature <= edges[1]:
            return Quirks(temperature=(edges[0], edges[1]))
        return Quirks(temperature="unsent")  # what is not sent is whatever the service holds right
    if json_mode and ("response_format" in lower or "json_object" in lower or "json mode" in lower):
        return Quirks(json_mode=False)
    if "stream_options" in lower or "include_usage" in lower:
        return Quirks(stream_usage=False)
    if _STREAM_ONLY.search(told):
        return Quirks(stream=True)
    if _NO_STREAM.search(told):
        return Quirks(stream=False)
    if _SYSTEM.search(told):
        return Quirks(system="user")
    return None


def _limit(told: str, lower: str, sent: str, cap: int) -> Quirks | None:
    other = "max_completion_tokens" if sent == "max_tokens" else "max_tokens"
    if other in re.findall(r"max_(?:completion_)?tokens", lower):
        return Quirks(token_limit=other)  # type: ignore[arg-type]
    if (found := _MOST.search(told)) and 0 < int(found.group(1)) < cap:
        return Quirks(max_output=int(found.group(1)))
    return Quirks(token_limit="unsent") if _REFUSED.search(told) else None
