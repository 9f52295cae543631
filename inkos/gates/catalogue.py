"""docs/checks.md as text, from the catalogue and the words; does not write it."""

from __future__ import annotations

from collections.abc import Mapping

from inkos.gates.check import Check
from inkos.messages import Messages

_PREFIX, _SUFFIX = "findings.", ".about"
_HEAD: dict[str, tuple[str, str]] = {
    "en": (
        "# Checks\n\nGenerated; do not edit. A code is permanent. Worst: the most severe that a check gives.",
        "| code | worst | what it sees |\n|---|---|---|",
    ),
    "zh": (
        "# 检查\n\n由程序生成，不要手改。编号不变。最重：这一项至多给到哪一级。",
        "| 编号 | 最重 | 看什么 |\n|---|---|---|",
    ),
}


def describe(catalogue: Mapping[str, Check], messages: Messages) -> str:
    """One table of every code that has words, checks of other rooms and the audit included (their severity depends)."""
    title, head = _HEAD[messages.language]
    codes = sorted(
        code.removeprefix(_PREFIX).removesuffix(_SUFFIX)
        for code in messages.codes()
        if code.startswith(_PREFIX) and code.endswith(_SUFFIX)
    )
    rows = [
        f"| {code} | {catalogue[code].severity if code in catalogue else '–'} | "
        f"{messages.raw(f'{_PREFIX}{code}{_SUFFIX}').replace('|', '/')} |"
        for code in codes
    ]
    return "\n".join([title, "", head, *rows, ""])
