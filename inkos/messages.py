"""What people read, by code and language; does not know where the catalogues lie on disk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "zh"]


class Messages:
    """One language's catalogue: dotted code → text with `{name}` fields.

    A catalogue is nested mappings of strings, as YAML gives them. A missing code or field is a bug
    (KeyError); tests/house checks that both languages have the same codes and fields.
    """

    def __init__(self, language: Language, catalogue: Mapping[str, object]) -> None:
        self.language: Language = language
        self._texts: dict[str, str] = {}
        self._flatten("", catalogue)

    def _flatten(self, prefix: str, node: Mapping[str, object]) -> None:
        for key, value in node.items():
            if isinstance(value, Mapping):
                self._flatten(f"{prefix}{key}.", value)
            else:
                self._texts[f"{prefix}{key}"] = str(value).rstrip("\n")

    def __contains__(self, code: str) -> bool:
        return code in self._texts

    def codes(self) -> list[str]:
        return sorted(self._texts)

    def raw(self, code: str) -> str:
        return self._texts[code]

    def say(self, code: str, /, **values: object) -> str:
        """The text of `code` with its fields filled in. Values are data: they are never read as formats."""
        return filled(self._texts[code], {name: Field(value) for name, value in values.items()})


_STOPPED = re.compile(r"\{(\w+)(?::[^{}]*)?\}([”」』»]?)(?:。|\.(?=\s|$|[”»]))")
_STOPS = ("。", "？", "！", "?", "!", ".", "…")


def filled(text: str, fields: Mapping[str, object]) -> str:
    """A text with its fields. A value that ends with a stop of its own takes no second one."""

    def once(found: re.Match[str]) -> str:
        value = fields.get(found[1], "")
        return found[0][:-1] if str(value).rstrip("”」』»").endswith(_STOPS) else found[0]

    return _STOPPED.sub(once, text).format_map(fields)


class Field:
    """A value in a text. `{count:chapter|chapters}` counts it: `1 chapter`, `3 chapters`."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __format__(self, spec: str) -> str:
        one, counts, many = spec.partition("|")
        return f"{self.value} {one if self.value == 1 else many}" if counts else format(self.value, spec)

    def __str__(self) -> str:
        return str(self.value)
