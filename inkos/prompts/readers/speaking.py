"""The spoken words within a line of the plan (`Nell to Duffy: “Hat.”`); does not know who speaks."""

from __future__ import annotations

import re

_SPOKEN = re.compile(r"“([^”]+)”|「([^」]+)」|『([^』]+)』|\"([^\"]+)\"")


def spoken_parts(line: str) -> list[str]:
    """What stands in quotation marks; a line without any is taken whole."""
    parts = [next(group for group in found.groups() if group) for found in _SPOKEN.finditer(line)]
    return parts or ([line] if line.strip() else [])
