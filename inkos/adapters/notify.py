"""Tells the outside what happened: a signed POST to an address, a program with JSON on standard input; knows no batch.

The signature is HMAC-SHA256 over `<timestamp>.<body>`, in hex, as `X-Inkos-Signature: sha256=…`; the receiver compares
it and refuses an old `X-Inkos-Timestamp`. `X-Inkos-Id` is the same when the same thing is told again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence

SECONDS = 15.0


def signature(secret: str, timestamp: int, body: bytes) -> str:
    return "sha256=" + hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """What is signed for one address is not handed on to another."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def post(url: str, secret: str, event_id: str, body: Mapping[str, object]) -> str:
    """What failed, empty when it was received."""
    content, now = _body(body), int(time.time())
    headers = {
        "Content-Type": "application/json; charset=utf-8", "User-Agent": "inkos", "X-Inkos-Id": event_id.encode().hex(),
        "X-Inkos-Timestamp": str(now),
    }  # fmt: skip
    if secret:
        headers["X-Inkos-Signature"] = signature(secret, now, content)
    if not url.startswith(("http://", "https://")):
        return "http://… or https://…"
    try:
        request = urllib.request.Request(url, data=content, headers=headers, method="POST")
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
            return "" if answer.status < 300 else f"HTTP {answer.status}"
    except urllib.error.HTTPError as error:
        return f"HTTP {error.code}"
    except (OSError, ValueError) as error:
        return type(error).__name__


def run(command: Sequence[str], body: Mapping[str, object]) -> str:
    """The program itself, no shell: nothing in a title can become a command."""
    try:
        done = subprocess.run(list(command), input=_body(body), capture_output=True, timeout=SECONDS * 4, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {type(error).__name__}"
    return "" if done.returncode == 0 else f"{command[0]}: {done.returncode}"


def _body(body: Mapping[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False, sort_keys=True).encode()
