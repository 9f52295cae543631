"""Outline entries that leave no time for what takes long (case C15)."""

from __future__ import annotations

import pytest

from inkos.kernel.haste import too_soon
from inkos.kernel.outline import parse_outline
from tests.kernel.packs import GENERAL

EN = """# Volume one
### The ledger {#e8}
- Nell finds the ledger; it takes a day to copy.
### The slip {#e9}
- {when}, she hands over the copied ledger.
"""
ZH = """# 第一卷
### 账本 {#e8}
- 三更找到账本，抄账本要两天两夜。
### 交账 {#e9}
- {when}，他把抄好的账本交给账房。
"""


@pytest.mark.parametrize(
    ("text", "when", "found"),
    [
        (EN, "The same evening", True),
        (EN, "Two days later", False),
        (EN.replace("a day to copy", "an hour to copy"), "The same evening", False),
        (EN.replace("copied ledger", "house keys"), "The same evening", False),
        (ZH, "当晚", True),
        (ZH, "三天后", False),
    ],
)
def test_c15_an_entry_that_leaves_no_time_is_named(text: str, when: str, found: bool) -> None:
    outline = parse_outline(text.replace("{when}", when))
    assert [(one.key, other.key) for one, other in too_soon(outline.entries, GENERAL)] == [("e8", "e9")] * found
