"""Which language a text is in."""

from __future__ import annotations

import pytest
from hypothesis import given

from inkos.text.lang import language_of
from tests.text.texts import prose


@given(prose("en"))
def test_english_prose_is_english(text: str) -> None:
    assert language_of(text + " he said") == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("他收到 3 条 WeChat 消息。", "zh"),
        ("後來她說：「走吧。」", "zh"),
        ("She met 林风 at the gate.", "en"),
        ("彼は静かに扉を開けた。雪はもう止んでいた。", "other"),
        ("Он открыл дверь.", "other"),
        ("그는 문을 열었다.", "other"),
        ("123 …", "other"),
        ("", "other"),
    ],
)
def test_the_script_decides(text: str, language: str) -> None:
    assert language_of(text) == language
