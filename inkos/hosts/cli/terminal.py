"""What reaches the terminal: every line of ours goes through here; does not know what the lines say."""

from __future__ import annotations

import errno
import json
import os
import re
import sys

# Controls but line end and tab, what turns the direction of writing, and what ends a line unseen: a title or a reply of
# a model must not steer the terminal.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def shown(text: str) -> str:
    """A text as it may be printed: what would steer the terminal becomes U+FFFD."""
    return _STEERING.sub("\ufffd", text)


def as_json(data: object) -> str:
    """One line of JSON; what would steer a terminal is escaped in it, so that nothing is lost."""
    text = json.dumps(data, ensure_ascii=False)
    return _STEERING.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def say(line: str, *, error: bool = False, end: str = "\n") -> None:
    """Print one line of words."""
    print(shown(line), file=sys.stderr if error else sys.stdout, end=end, flush=error)


def open_streams() -> None:
    """All three streams are there, also where whoever started us closed them, and speak UTF-8 whatever the code page
    says. In the order of their numbers: no file opened later may get one of these."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the process lives
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        reconfigure = getattr(getattr(sys, name), "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def close_output() -> None:
    """Nobody takes what we print: the rest goes nowhere, so that the interpreter's own last flush does not fail too."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def no_room(trouble: OSError) -> bool:
    """Whether it was a stream that failed and not a file: a stream has no name."""
    return not trouble.filename and trouble.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
