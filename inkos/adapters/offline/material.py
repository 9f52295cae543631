"""The offline author's phrase material and plot, by language; knows no story that is being told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from inkos.adapters.package_data import tables
from inkos.messages import Language

Beat = tuple[str, str, str, str, str]  # who, wants, against, outcome, cost


@cache
def _tables() -> dict[str, Mapping[str, object]]:
    return tables("inkos.adapters.offline", "data")


def _curly(value: Any) -> Any:
    """Apostrophes as print has them: the pipeline sets them so, and a text must be found again."""
    if isinstance(value, str):
        return value.replace("'", "’")
    if isinstance(value, Mapping):
        return {key: _curly(item) for key, item in value.items()}
    return [_curly(item) for item in value] if isinstance(value, list) else value


@cache
def phrases(language: Language) -> Mapping[str, Any]:
    """Pools of sentence patterns by name (data/en.yaml, data/zh.yaml)."""
    return cast(Mapping[str, Any], _curly(_tables()[language]))


@cache
def plot(language: Language) -> Mapping[str, Any]:
    """Names, found, outline and plan material (data/en_story.yaml, data/zh_story.yaml)."""
    return cast(Mapping[str, Any], _curly(_tables()[f"{language}_story"]))


def strings(value: object) -> Sequence[str]:
    """A list of strings out of parsed data."""
    return [str(item) for item in value] if isinstance(value, list | tuple) else []
