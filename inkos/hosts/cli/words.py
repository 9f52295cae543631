"""The help texts of the command line in the user's language; does not know the commands."""

from __future__ import annotations

from functools import cache

from inkos.hosts import wire
from inkos.messages import Messages


@cache
def _texts() -> Messages:
    return wire.help_texts(wire.interface_language())


def help_for(code: str) -> str:
    return _texts().raw(code)
