"""YAML as people write it, read safely: one document, plain values, no key twice, bounded; knows no schema.

The loader walks the node graph itself, because the library's own constructor lets the last of two equal keys win,
builds whatever an alias bomb asks for, and has forgotten the line by the time a value turns out to be wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from inkos.errors import UsageFault

MAX_BYTES = 512 * 1024  # a book.yaml with 300 predicates of its own is about 40 KB
MAX_DEPTH = 24
MAX_ALIASES = 16  # an alias may name a node that holds aliases: 16 cannot grow beyond 2^8 copies

_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Lines:
    """Where each key stood: dotted path → line number from 1."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}


def parse_yaml(text: str, *, where: str, trusted: bool = False, lines: Lines | None = None) -> dict[str, Any]:
    """The mapping that a YAML text holds; an empty text is an empty mapping.

    Raises UsageFault `yaml-broken`, `yaml-duplicate-key`, `yaml-not-a-mapping`, `yaml-too-large`. `trusted` is for the
    program's own data files, which may be large.
    """
    if not trusted and len(text.encode()) > MAX_BYTES:
        raise UsageFault("yaml-too-large", where=where, limit=MAX_BYTES // 1024)
    try:
        events = () if trusted else yaml.parse(text, Loader=_Loader)
        aliases = sum(isinstance(event, yaml.AliasEvent) for event in events)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        detail = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise UsageFault("yaml-broken", where=where, line=mark.line + 1 if mark else 1, detail=detail) from error
    except RecursionError as error:
        raise UsageFault("yaml-too-large", where=where, limit=MAX_BYTES // 1024) from error
    if aliases > MAX_ALIASES:
        raise UsageFault("yaml-too-large", where=where, limit=MAX_BYTES // 1024)
    if node is None:
        return {}
    value = _Builder(where, lines or Lines()).build(node, "", 0)
    if not isinstance(value, dict):
        raise UsageFault("yaml-not-a-mapping", where=where)
    return value


class _Builder:
    def __init__(self, where: str, lines: Lines) -> None:
        self._where = where
        self._lines = lines
        self._scalars = yaml.SafeLoader("")

    def build(self, node: yaml.Node, path: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise UsageFault("yaml-too-large", where=self._where, limit=MAX_BYTES // 1024)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.build(item, f"{path}[{number}]", depth + 1) for number, item in enumerate(node.value)]
        if node.tag == "tag:yaml.org,2002:timestamp":
            return node.value  # a title or a label that looks like a date is a text
        try:
            return self._scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            line = node.start_mark.line + 1
            raise UsageFault("yaml-broken", where=self._where, line=line, detail=str(node.tag)) from error

    def _mapping(self, node: yaml.MappingNode, path: str, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            # A key is the word as it is written: `no`, `1` or `on` as a key is that word, never a boolean or number.
            if not isinstance(key_node, yaml.ScalarNode) or key_node.tag == "tag:yaml.org,2002:merge":
                raise UsageFault("yaml-broken", where=self._where, line=line, detail="key")
            key = str(key_node.value)
            if key in made:
                raise UsageFault("yaml-duplicate-key", where=self._where, line=line, key=key)
            inner = f"{path}.{key}" if path else key
            self._lines.of[inner] = line
            made[key] = self.build(value_node, inner, depth + 1)
        return made


def write_yaml(data: Mapping[str, Any], *, head: str = "") -> str:
    """Plain block YAML in the order given, every text quoted only where YAML needs it; `head` is put above."""
    body = yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False, width=110, default_flow_style=False)
    return head + body
