"""The index of runs of words: the same rows whether built at once or chapter by chapter, and thrown away when torn."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkos.adapters.shingle_index import ShingleIndex

CHAPTERS = st.lists(st.frozensets(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=8), min_size=1, max_size=6)


def rows(index: ShingleIndex) -> list[tuple[int, int]]:
    with sqlite3.connect(index.path) as base:
        return list(base.execute("select run, chapter from runs order by run"))


def named(texts: list[frozenset[int]]) -> list[tuple[str, str]]:
    return [(f"c{n}", str(sorted(text))) for n, text in enumerate(texts, 1)]


def fill(index: ShingleIndex, texts: list[frozenset[int]]) -> int:
    return index.refresh(named(texts), lambda chapter: texts[int(chapter[1:]) - 1])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(CHAPTERS, CHAPTERS)
def test_a_book_that_changed_has_the_rows_of_one_built_anew(
    tmp_path: Path, old: list[frozenset[int]], new: list[frozenset[int]]
) -> None:
    changed, anew = ShingleIndex(tmp_path / "changed"), ShingleIndex(tmp_path / "anew")
    changed.path.unlink(missing_ok=True)
    anew.path.unlink(missing_ok=True)
    fill(changed, old)
    fill(changed, new)
    fill(anew, new)
    assert rows(changed) == rows(anew)


def test_only_chapters_before_count_and_only_new_ones_are_read(tmp_path: Path) -> None:
    index = ShingleIndex(tmp_path)
    texts = [frozenset({1, 2**64 - 1}), frozenset({2, 3})]
    assert fill(index, texts[:1]) == 1
    assert fill(index, texts) == 1
    assert fill(index, texts) == 0
    asked = frozenset({1, 2, 7, 2**64 - 1})
    assert index.seen(asked, 2) == {1, 2**64 - 1}
    assert index.seen(asked, 3) == {1, 2, 2**64 - 1}


def test_a_file_that_is_no_index_is_built_again(tmp_path: Path) -> None:
    index = ShingleIndex(tmp_path)
    index.path.write_bytes(b"torn" * 1000)
    assert fill(index, [frozenset({5})]) == 1
    assert index.seen(frozenset({5}), 2) == {5}
