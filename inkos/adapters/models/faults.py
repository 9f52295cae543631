"""What an answer of a service that is not a reply means, as a ModelFault; does not know how the call was made."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from inkos.errors import FaultKind, ModelFault
from inkos.text.characters import whole

# A service may name any time, a year included; whoever waits must be able to say "come back in an hour" instead.
RETRY_AFTER_CAP = 3600.0
DETAIL_CHARACTERS = 500  # of a service's own message: enough to act on, too little for an echoed prompt
BODY_CHARACTERS = 20_000  # of an error's body that are looked at: a page may be megabytes, and its words stand early

_CONTEXT = re.compile(
    r"context[ _-]?(length|window|size|limit)|maximum context|context too long|too long|too many (input )?tokens"
    r"|input length|prompt is too|exceeds? (the )?(max|limit|available)"
    r"|超出.{0,8}(长度|上限|限制)|(上下文|输入).{0,6}过长",
    re.I,
)
_FILTER = re.compile(
    r"content[ _-]?(filter|policy|management|moderation)|safety (system|filter|policy)|data_?inspection_?failed"
    r"|inappropriate content|responsible ai|敏感|违规|不合规|内容安全|内容审核|风控",
    re.I,
)
_BALANCE = re.compile(
    r"insufficient[ _](balance|quota|funds|credit)|exceeded your current quota|余额不足|欠费|额度不足", re.I
)
_BODY_HINTS = (
    re.compile(r'"?retry_?(?:after|delay)(?:_seconds)?"?\s*[:=]\s*"?(\d+(?:\.\d+)?)\s*(ms|s)?', re.I),
    re.compile(r"(?:try|retry) again in\s+(\d+(?:\.\d+)?)\s*(ms|s)\b", re.I),
)
_SECRETS = re.compile(r"(?i)(bearer\s+|api[-_]?key\W{1,4})[^\s\"',;}]+|\bsk-[A-Za-z0-9_\-*.]{6,}")


def scrub(text: str, key: str | None) -> str:
    """`text` without the key, without whatever stands behind `Bearer`, and without what looks like a key."""
    if key:
        text = text.replace(key, "[key]")
    return whole(_SECRETS.sub(lambda found: (found.group(1) or "") + "[key]", text))


def retry_after(headers: Mapping[str, str], body: str, now: datetime | None = None) -> float | None:
    """Seconds that the service asks to wait: header in milliseconds, seconds or as a date, else a hint in the body.
    A date in the past is 0, a far one is capped, an unreadable header is no word at all."""
    lower = {name.lower(): value for name, value in headers.items()}
    named = _milliseconds(lower.get("retry-after-ms")) if "retry-after-ms" in lower else None
    if named is None and "retry-after" in lower:
        named = _seconds_or_date(lower["retry-after"].strip(), now or datetime.now(UTC))
    if named is None:
        for pattern in _BODY_HINTS:
            if found := pattern.search(body):
                named = float(found.group(1)) / (1000 if (found.group(2) or "s").lower() == "ms" else 1)
                break
    return None if named is None else min(max(named, 0.0), RETRY_AFTER_CAP)


def _milliseconds(raw: str | None) -> float | None:
    return float(raw) / 1000 if raw and re.fullmatch(r"\d+(\.\d+)?", raw.strip()) else None


def _seconds_or_date(raw: str, now: datetime) -> float | None:
    if re.fullmatch(r"-?\d+(\.\d+)?", raw):
        return float(raw)
    try:
        date = parsedate_to_datetime(raw)
    except ValueError:
        return None
    return ((date if date.tzinfo else date.replace(tzinfo=UTC)) - now).total_seconds()


def kind_of(status: int | None, message: str) -> FaultKind:
    """What a status and the service's own words mean. Without a status (an error inside a stream): by the words."""
    if status == 402 or _BALANCE.search(message):
        return "balance"
    if status in (401, 403):
        return "filtered" if _FILTER.search(message) else "key"
    if status in (425, 429):
        return "rate"
    if status == 408:
        return "timeout"
    if status == 413:
        return "context"
    if status is not None and status >= 500:
        return "server"
    if _FILTER.search(message):
        return "filtered"
    if _CONTEXT.search(message):
        return "context"
    return "server" if status is None else "request"


def words_of(body: object, fallback: str = "") -> str:
    """The service's own message in an error body of whatever shape, else the body itself."""
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            for name in ("message", "msg", "detail", "error_msg"):
                if isinstance(inner.get(name), str) and inner[name]:
                    return str(inner[name])
        elif isinstance(inner, str) and inner:
            return inner
        return json.dumps(body, ensure_ascii=False)
    if isinstance(body, str) and body.strip():
        body = body[:BODY_CHARACTERS]
        return re.sub(r"\s+", " ", re.sub(r"(?s)<(style|script).*?</\1>|<[^>]+>", " ", body)).strip() or fallback
    return fallback


def status_of(status: int | None, body: object) -> int | None:
    """The status of an error inside a stream that came with HTTP 200: its own `code`, where that is a number."""
    if status is not None and status >= 400:
        return status
    inner = body.get("error", body) if isinstance(body, Mapping) else None
    if isinstance(inner, Mapping):
        for name in ("code", "status", "status_code", "http_code"):
            raw = inner.get(name)
            if isinstance(raw, int | str) and re.fullmatch(r"[45]\d\d", str(raw)):
                return int(raw)
    return None


def refusal(
    status: int | None, body: object, headers: Mapping[str, str], *, where: str, key: str | None, partial: str = ""
) -> ModelFault:
    """The fault of an HTTP error status, or of an error object inside a stream."""
    status = status_of(status, body)
    whole = json.dumps(body, ensure_ascii=False) if isinstance(body, Mapping | list) else str(body or "")
    whole = whole[:BODY_CHARACTERS]
    message = words_of(body, fallback=f"HTTP {status}" if status else "no message")[:BODY_CHARACTERS]
    kind = kind_of(status, f"{message} {whole}")
    wait = retry_after(headers, whole) if kind in ("rate", "server") else None
    detail = scrub(f"{status}: {message}" if status else message, key)[:DETAIL_CHARACTERS]
    return ModelFault(kind, where=where, detail=detail, retry_after=wait, partial=partial)
