"""`inkos style`: a hand is learnt for a book, kept in its folder, and its samples reach the prompt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.cli import BRIEF, inkos, workspace
from tests.hosts.surveyed_texts import MODEL_EN, PLAIN_EN


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = workspace(tmp_path_factory.mktemp("style") / "ws")
    made = inkos(folder, "book", "create", "mill", "--brief", str(BRIEF / "en.md"))
    assert made.code == 0, made.err
    for name, text in (("one", PLAIN_EN), ("two", PLAIN_EN.replace("Hale", "Corby")), ("three", MODEL_EN)):
        (folder / f"{name}.md").write_text(f"# {name}\n\n{text}\n", encoding="utf-8")
    return folder


def test_what_is_learnt_is_kept_with_the_book_and_said(book: Path) -> None:
    ran = inkos(book, "--json", "style", "learn", "one.md", "two.md", "three.md", "--samples")
    assert ran.code == 0, ran.err
    assert ran.json["learned"]["chapters"] == 3
    assert ran.json["warned"] <= ran.json["warned_before"] == 1
    assert (book / "books" / "mill" / ran.json["file"]).is_file()


def test_samples_stand_in_the_prompt_and_the_rest_of_the_file_is_as_it_was(book: Path) -> None:
    before = (book / "books" / "mill" / "book.yaml").read_text("utf-8")
    assert inkos(book, "style", "learn", "one.md", "two.md", "three.md", "--samples").code == 0
    after = (book / "books" / "mill" / "book.yaml").read_text("utf-8")
    assert "samples:" in after and all(line in after for line in before.splitlines())
    shown = inkos(book, "compose", "--full")
    assert shown.code == 0, shown.err
    assert any(line in shown.out for line in PLAIN_EN.split("\n\n"))


def test_a_text_has_a_distance_with_its_parts(book: Path) -> None:
    assert inkos(book, "style", "learn", "one.md", "two.md", "one.md").code == 0
    (row,) = inkos(book, "--json", "style", "distance", "three.md").json["rows"]
    (own,) = inkos(book, "--json", "style", "distance", "two.md").json["rows"]
    assert row["distance"]["value"] > own["distance"]["value"]
    assert "habits" in row["distance"]["parts"]


def test_too_little_and_nothing_learnt_are_said(book: Path, tmp_path: Path) -> None:
    assert inkos(book, "style", "learn", "one.md").code == 2
    other = workspace(tmp_path / "ws")
    assert inkos(other, "book", "create", "x", "--brief", str(BRIEF / "en.md")).code == 0
    (other / "a.md").write_text("Text.", encoding="utf-8")
    assert inkos(other, "style", "distance", "a.md").code == 2
