"""One value set in a configuration file that a person wrote: comments and order stay; knows which files, no meaning."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from inkos.adapters.config_files import BOOK_FILE, WORKSPACE_FILE, check_workspace, parse_book
from inkos.adapters.disk import Files, make_folders, put_file, read_bytes
from inkos.errors import InkosError, UsageFault


def set_workspace_value(root: Path, key: str, value: str, files: Files | None = None) -> str:
    """Set a dotted key of inkos.yaml. UsageFault as when the file is read; then nothing is written."""
    return _set(root / WORKSPACE_FILE, key, value, check_workspace, files or Files())


def set_book_value(folder: Path, key: str, value: str, files: Files | None = None) -> str:
    return _set(folder / BOOK_FILE, key, value, parse_book, files or Files())


def _set(path: Path, key: str, value: str, check: Callable[[bytes, str], object], files: Files) -> str:
    parts = key.split(".")
    if not all(parts):
        raise UsageFault("config-missing-key", where=str(path), line=1, key=key)
    old = read_bytes(path).decode("utf-8-sig") if path.exists() else ""
    new = _checked(old, parts, value, check, str(path))
    make_folders(files, path.parent)
    put_file(files, path, new.encode(), path.with_name(f".{path.name}.new"))
    return str(path)


def _checked(old: str, parts: list[str], value: str, check: Callable[[bytes, str], object], where: str) -> str:
    """The new text, valid. A value that YAML takes for a number may be meant as a word (a title, a model's name)."""
    trouble: UsageFault | None = None
    for meant in (_meant(value), value):
        text = with_value(old, parts, meant)
        try:
            check(text.encode(), where)
        except UsageFault as fault:
            trouble = trouble or fault
            continue
        return text
    assert trouble is not None
    raise trouble


def _meant(value: str) -> Any:
    try:
        return yaml.safe_load(value)
    except yaml.YAMLError:
        return value  # a colon or a bracket inside a plain sentence


def _shown(value: Any) -> str:
    """A value on one line of YAML, such as may stand inside brackets, too: there more has to be quoted."""
    text = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=10**6, sort_keys=False)
    return text.strip()[1:-1]


def with_value(text: str, path: list[str], value: Any) -> str:
    """`text` with the value at `path`; everything else byte for byte as it was."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        return f"{text.rstrip()}\n{_entry(path, value)}\n".lstrip("\n")
    if not isinstance(node, yaml.MappingNode):
        raise InkosError("yaml-not-a-mapping", where=WORKSPACE_FILE)
    at: yaml.Node = node
    left = list(path)
    while left and isinstance(at, yaml.MappingNode):
        below = next((v for k, v in at.value if k.value == left[0]), None)
        if below is None:
            return _insert(text, at, _entry(left, value))
        at, left = below, left[1:]
    rest = value
    for part in reversed(left):  # a scalar stood where a mapping is wanted
        rest = {part: rest}
    start = at.start_mark.index
    end = start + len(text[start : at.end_mark.index].rstrip())
    gap = "" if text[:start].endswith((" ", "\t", "[", "{")) or start == end == 0 else " "
    if "\n" in text[text.rfind(":", 0, start) + 1 : start]:  # a block below its key becomes one line behind it
        start = text.rfind(":", 0, start) + 1
        gap = " "
    return text[:start] + gap + _shown(rest) + text[end:]


def _entry(path: list[str], value: Any) -> str:
    rest = value
    for part in reversed(path[1:]):
        rest = {part: rest}
    return f"{_shown(path[0])}: {_shown(rest)}"


def _insert(text: str, node: yaml.MappingNode, entry: str) -> str:
    """An entry as the last one of a mapping."""
    if node.flow_style:
        end = node.end_mark.index - 1
        before = text[:end].rstrip()
        return f"{before}{'' if before.endswith(('{', ',')) else ', '}{entry}{text[end:]}"
    last = _end(node.value[-1][1])
    stop = text.find("\n", last)
    stop = len(text) if stop < 0 else stop
    indent = " " * node.value[0][0].start_mark.column
    return f"{text[:stop]}\n{indent}{entry}{text[stop:] or chr(10)}"


def _end(node: yaml.Node) -> int:
    """Where the last thing of a node ends; the library counts what follows a block to it."""
    if isinstance(node, yaml.MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1])
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1])
    return int(node.end_mark.index)
