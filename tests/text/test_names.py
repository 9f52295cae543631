"""Names in a text: what is found is what a look at each name by itself would find."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from inkos.text.names import Names

PARTS = ["Li", "List", "Ada", "Ada Pell", "Pell", "林风", "林", "风", "程满仓", "程满", " ", "，", "s", "’s", "É", "7"]


def alone(name: str, text: str) -> bool:
    """By a pattern for this one name: no letter of an alphabet beside a letter of the name."""
    before = r"(?<![^\W_\u3400-\u9fff])" if name[0].isascii() else ""
    behind = r"(?![^\W_\u3400-\u9fff])" if name[-1].isascii() else ""
    return re.search(before + re.escape(name) + behind, text) is not None


@given(st.lists(st.sampled_from(PARTS), max_size=12), st.sets(st.sampled_from(PARTS[:9])))
def test_every_name_is_found_that_stands_there_by_itself(parts: list[str], names: set[str]) -> None:
    text = "".join(parts)
    assert Names(names).inside(text) == {name for name in names if len(name) > 1 and alone(name, text)}


def test_a_name_inside_a_word_is_not_that_name() -> None:
    assert Names(["Li", "林风"]).inside("A List by 林风月") == {"林风"}
    assert list(Names(["Ada", "Ada Pell"]).places("Ada Pell")) == [(0, "Ada Pell"), (0, "Ada")]
