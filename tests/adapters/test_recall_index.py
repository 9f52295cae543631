"""The index of what a book said: a view that follows its chapters and finds by rare words only."""

from __future__ import annotations

from pathlib import Path

from inkos.adapters.recall_index import NAME, RecallIndex
from inkos.prompts.recall import RARE, Said, mark_of


def rows(chapter: str, position: int) -> list[Said]:
    about = (f"{chapter}.p1",)
    texts = [f"林风在{chapter}号码头等船", f"keeper {chapter} hid the copper seal"]
    return [Said(chapter=position, kind="fact", ref=f"{chapter}.f{n}", about=about, text=text)
            for n, text in enumerate(texts)]  # fmt: skip


def chapters(count: int) -> list[tuple[str, str]]:
    return [(f"c{n:04d}", f"digest{n}") for n in range(1, count + 1)]


def test_a_name_of_two_characters_and_a_word_and_an_id_are_found(tmp_path: Path) -> None:
    index = RecallIndex(tmp_path)
    assert index.refresh(chapters(3), rows) == 3
    for term, found in (("林风", 3), ("copper", 3), (mark_of("c0002.p1"), 2), ("absent", 0)):
        assert len(index.ask({term}, 9).rows) == found
    assert {row.chapter for row in index.ask({"林风"}, 3).rows} == {1, 2}


def test_the_view_follows_the_chapters_and_a_damaged_one_is_built_again(tmp_path: Path) -> None:
    index = RecallIndex(tmp_path)
    index.refresh(chapters(5), rows)
    changed = [*chapters(2), ("c0009", "other"), *chapters(5)[3:]]
    assert index.refresh(changed, rows) == 3 and index.refresh(changed, rows) == 0
    fresh = RecallIndex(tmp_path / "fresh")
    fresh.refresh(changed, rows)
    terms = {"林风", "copper", mark_of("c0003.p1"), mark_of("c0009.p1")}
    assert index.ask(terms, 99) == fresh.ask(terms, 99)._replace(total=index.ask(terms, 99).total)
    (tmp_path / NAME).write_bytes(b"no database at all" * 100)
    assert index.refresh(changed, rows) == 5


def test_what_every_chapter_says_is_not_looked_up(tmp_path: Path) -> None:
    index = RecallIndex(tmp_path)
    index.refresh(chapters(RARE + 1), rows)
    answer = index.ask({"林风", mark_of("c0002.p1")}, 999)
    assert {row.chapter for row in answer.rows} == {2} and answer.counts["林风"] == RARE + 1
