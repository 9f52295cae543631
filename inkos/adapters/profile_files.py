"""Profiles of platforms, the program's own and the workspace's, one laid over the other; knows no export."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from inkos.adapters.config_files import validated
from inkos.adapters.disk import read_bytes
from inkos.adapters.package_data import tables
from inkos.adapters.yaml_files import Lines, parse_yaml
from inkos.errors import UsageFault
from inkos.export.profile import Profile

FOLDER = "profiles"
_NAME = re.compile(r"[\w-]{1,40}")


def profile_names(root: Path) -> list[str]:
    own = [path.stem for path in (root / FOLDER).glob("*.yaml") if _NAME.fullmatch(path.stem)]
    return sorted({*tables("inkos.export", FOLDER), *own})


def load_profile(root: Path, name: str) -> tuple[Profile, str]:
    """A profile by its name, and the workspace's file that was laid over it (empty: none). UsageFault `choice` for an
    unknown name, `config-…` and `yaml-…` for a file that is not right."""
    known = tables("inkos.export", FOLDER)
    path = root / FOLDER / f"{name}.yaml"
    own = _NAME.fullmatch(name) is not None and path.is_file()
    if name not in known and not own:
        raise UsageFault("choice", where="--for", given=name, allowed=", ".join(profile_names(root)))
    data: dict[str, object] = dict(known.get(name, {}))
    lines = Lines()
    if own:
        text = read_bytes(path).decode("utf-8-sig", errors="replace")
        given = parse_yaml(text, where=str(path), lines=lines)
        base = given.pop("base", "")
        if base and base not in known:
            raise UsageFault("choice", where=f"{path}: base", given=base, allowed=", ".join(sorted(known)))
        data = _over(known.get(base, data), given)
    return validated(Profile, data, str(path) if own else name, lines, {}), str(path) if own else ""


def _over(lower: Mapping[str, object], upper: Mapping[str, object]) -> dict[str, object]:
    """The upper mapping over the lower one, mappings inside them alike."""
    made = dict(lower)
    for key, value in upper.items():
        below = made.get(key)
        made[key] = _over(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
    return made
