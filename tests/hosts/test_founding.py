"""Books from a brief and from an author's own files, as a person makes them: what is told, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from inkos.hosts.cli.demo import _free
from tests.hosts.cli import BRIEF, Ran, inkos, workspace

OUTLINE = "# Outline\n\n## One\n\n### The gate\n- Mara wants the gate open; Tom refuses.\n"
CAST = "# Cast\n\n## Mara Quill\n\nShe keeps the weir.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return workspace(tmp_path / "ws")


def from_files(folder: Path, files: dict[str, str], *more: str) -> Ran:
    for path, text in files.items():
        (folder / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "mine" / path).write_text(text, encoding="utf-8")
    return inkos(folder, "book", "create", "b", "--from-files", "mine", *more)


@pytest.mark.parametrize(("brief", "language"), [("zh", "en"), ("en", "zh")])
def test_a_brief_in_another_language_than_the_book_is_refused_before_anybody_is_asked(
    folder: Path, brief: str, language: str
) -> None:
    ran = inkos(folder, "book", "create", "b", "--brief", str(BRIEF / f"{brief}.md"), "--language", language)
    assert ran.code == 2 and "--language" in ran.err and f"({brief})" in ran.err, ran
    assert not list((folder / "books").iterdir()) and not (folder / ".inkos/runs").exists()


def test_settings_of_ones_own_files_are_taken_and_options_stand_over_them(folder: Path) -> None:
    settings = "schema_version: 1\nid: x\ntitle: The Weir\nlanguage: en\nchapters: 40\nauthor: A. Quill\n" \
               "length: {target: 700}\ngate: {pass_score: 71}\n"  # fmt: skip
    ran = from_files(folder, {"outline.md": OUTLINE, "bible/cast.md": CAST, "book.yaml": settings}, "--author", "B.")
    assert ran.code == 0, ran
    made = yaml.safe_load((folder / "books/b/book.yaml").read_text("utf-8"))
    assert (made["id"], made["title"], made["author"], made["chapters"]) == ("b", "The Weir", "B.", 40)
    assert made["length"]["target"] == 700 and made["gate"]["pass_score"] == 71
    assert "no facts yet" in ran.out and "genesis.json" in ran.out
    assert inkos(folder, "write", "next").code == 0


def test_settings_that_cannot_be_read_are_named(folder: Path) -> None:
    ran = from_files(folder, {"outline.md": OUTLINE, "book.yaml": "title: [\n"})
    assert ran.code == 2 and "mine/book.yaml" in ran.err, ran


@pytest.mark.parametrize("files", [{}, {"notes.txt": "Nothing of a book."}])
def test_a_folder_without_anything_of_a_book_says_what_it_needs(folder: Path, files: dict[str, str]) -> None:
    (folder / "mine").mkdir()
    ran = from_files(folder, files)
    assert ran.code == 2 and "outline.md" in ran.err and "mine" in ran.err, ran
    assert not list((folder / "books").iterdir())


def test_a_second_demo_takes_the_next_free_folder(tmp_path: Path) -> None:
    assert _free(tmp_path / "d") == tmp_path / "d"
    for name in ("d", "d-2"):
        (tmp_path / name).mkdir()
    assert _free(tmp_path / "d") == tmp_path / "d-3"
