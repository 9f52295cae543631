"""What an adversarial tester broke once: runs, reviews and decisions, each command a process of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.hosts.cli import BRIEF, inkos, workspace


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one book of one chapter; tests work on copies."""
    folder = workspace(tmp_path_factory.mktemp("w") / "ws")
    assert inkos(folder, "book", "create", "b", "--brief", str(BRIEF / "en.md"), "--length", "400").code == 0
    assert inkos(folder, "write", "next").code == 0
    return folder


@pytest.fixture
def ws(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "ws")
    return tmp_path / "ws"


def configured(folder: Path, lines: str) -> Path:
    """The book with more lines in its book.yaml."""
    path = folder / "books/b/book.yaml"
    path.write_text(path.read_text() + lines)
    return folder


@pytest.fixture
def held(ws: Path) -> Path:
    """Chapter 2 waits for a person, for its score alone."""
    configured(ws, "gate: {pass_score: 100, on_low_score: hold}\n")
    assert inkos(ws, "write", "next").code == 3
    return ws


# ── runs ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_judging_an_accepted_chapter_hides_no_run_in_production(ws: Path) -> None:
    assert inkos(ws, "draft").code == 0
    run = inkos(ws, "--json", "status").json["run"]["id"]
    assert inkos(ws, "audit", "1").code == 0
    assert inkos(ws, "--json", "status").json["run"]["id"] == run
    went = inkos(ws, "--json", "write", "next").json["chapters"]
    assert [(chapter["run"], chapter["position"]) for chapter in went] == [(run, 2)]


def test_judging_an_accepted_chapter_hides_none_that_waits_for_review(held: Path) -> None:
    assert inkos(held, "audit", "1").code == 0
    assert [row["position"] for row in inkos(held, "--json", "review", "list").json["waiting"]] == [2]
    assert inkos(held, "write", "next").code == 3


# ── review ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_chapter_held_for_its_score_can_be_allowed_and_says_why(held: Path) -> None:
    ran = inkos(held, "--json", "review", "decide", "allow", "--reason", "quiet on purpose", "--by", "Ed")
    assert ran.code == 0 and ran.json["status"] == "flagged", ran
    delta = (held / "books/b/story/chapters/c0002/delta.json").read_text()
    assert "gate-score" in delta and "quiet on purpose" in delta
    assert inkos(held, "state", "check").code == 0
    assert inkos(held, "write", "next").code == 3, "the next chapter is held on its own"


def test_a_code_that_nothing_was_found_under_cannot_be_allowed(held: Path) -> None:
    ran = inkos(held, "review", "decide", "allow", "--reason", "x", "--code", "length-099")
    assert ran.code == 2 and "length-099" in ran.err and "gate-score" in ran.err


def test_an_edit_of_the_text_that_waits_is_taken_or_refused_never_lost(held: Path) -> None:
    path = held / "books/b/story/chapters/c0002/review/text.md"
    path.write_text(path.read_text() + "\nThe tide clock stopped at nine.\n")
    for way in (("allow", "--reason", "x"), ("revise",), ("drop",), ("text", "--file", "inkos.yaml")):
        ran = inkos(held, "review", "decide", *way)
        assert ran.code == 2 and "review/text.md" in ran.err and "--kept" in ran.err, ran
    ran = inkos(held, "--json", "review", "decide", "text")
    assert ran.json["stage"] == "review", ran
    assert inkos(held, "review", "decide", "allow", "--reason", "mine").code == 0
    assert "tide clock" in (held / "books/b/chapters/0002.md").read_text()


def test_an_edit_of_the_text_that_waits_can_be_left_out_by_a_word(held: Path) -> None:
    path = held / "books/b/story/chapters/c0002/review/text.md"
    path.write_text(path.read_text() + "\nThe tide clock stopped at nine.\n")
    assert inkos(held, "review", "decide", "allow", "--reason", "x", "--kept").code == 0
    assert "tide clock" not in (held / "books/b/chapters/0002.md").read_text()


@pytest.mark.parametrize(("content", "word"), [(None, "--file"), ("{", "JSON"), ("{}", "chapter")])
def test_a_settlement_of_ones_own_that_does_not_fit_is_told(held: Path, content: str | None, word: str) -> None:
    (held / "d.json").write_text(content or "")
    ran = inkos(held, "review", "decide", "delta", *(("--file", "d.json") if content else ()))
    assert ran.code == 2 and word in ran.err and "pydantic.dev" not in ran.err, ran


# ── single steps ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_step_never_says_accepted_before_the_chapter_is_canon(ws: Path) -> None:
    said = [inkos(ws, step).out for step in ("plan", "draft", "audit", "settle", "revise")]
    assert not any("accepted, score" in out for out in said), said
    assert "write next" in said[-1]
    assert not (ws / "books/b/chapters/0002.md").exists()
    assert "accepted, score" in inkos(ws, "write", "next").out
