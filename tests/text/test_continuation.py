"""Laws and cases of joining a text that was cut off and its continuation (case E07)."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from inkos.text.continuation import join
from tests.text.texts import messy, prose

WHOLE = (
    "雪停了以后，老周把三十两银子一枚一枚数过去。数到第二十七枚，他停了手，抬头去看门口。门口站着一个人，斗笠压得很低，"
    "肩上的雪还没有化。\n\n“路上好走吗？”老周问。那人没有答话，只把一封信推过来，信封上没有字，封口的蜡却是新的。他认得那蜡的颜色，"
    "也认得压在蜡上的半枚印。\n\n“谁给你的？”他又问，手已经按在抽屉上。"
)


@given(st.integers(150, len(WHOLE) - 1), st.integers(12, 120))
def test_an_end_that_is_repeated_stands_once(cut: int, overlap: int) -> None:
    assume(not WHOLE[cut - overlap].isspace())
    assert join(WHOLE[:cut], "（接上文）\n" + WHOLE[cut - overlap :]) == WHOLE


@given(prose("zh") | prose("en"))
def test_where_nothing_new_comes_the_text_stays(text: str) -> None:
    assert join(text, "") == text
    assert join(text, "\n（接上文）\n") == text
    assert join(text, text) == text


@given(messy.filter(str.strip), messy)
def test_what_stands_already_is_kept(first: str, continuation: str) -> None:
    assert join(first, continuation).startswith(first.rstrip())


@pytest.mark.parametrize(
    ("first", "continuation", "expected"),
    [
        ("门外站着一个", "人。", "门外站着一个人。"),
        ("门外站着一个人。", "他没有动。", "门外站着一个人。\n\n他没有动。"),
        ("门外站着一个", "（接上文）\n\n人。", "门外站着一个人。"),
        ("He opened the door and", "went in.", "He opened the door and went in."),
        ("He opened the", "[Continued]\nHe opened the door.", "He opened the door."),
        ("A doorway. He was in the doo", "rway and wept.", "A doorway. He was in the doorway and wept."),
        ("“Go,” he said", ". “Now.”", "“Go,” he said. “Now.”"),
        ("他说", "继续往前走。", "他说继续往前走。"),
        ("He left.", "Continuing, he met Ann.", "He left.\n\nContinuing, he met Ann."),
        ("", "Snow.", "Snow."),
    ],
)
def test_the_seam_reads_on(first: str, continuation: str, expected: str) -> None:
    assert join(first, continuation) == expected
