"""`inkos audit --text`: any text, without a book, a workspace or a model."""

from __future__ import annotations

import json
from pathlib import Path

from inkos.hosts import wire
from inkos.records import digest
from tests.hosts.cli import inkos
from tests.hosts.conftest import Shelf
from tests.hosts.surveyed_texts import MODEL_EN, PLAIN_EN, novel


def test_a_text_is_judged_where_there_is_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text(novel(PLAIN_EN, MODEL_EN), encoding="utf-8")
    ran = inkos(tmp_path, "audit", "--text", "novel.txt")
    assert ran.code == 0, ran.err
    assert "Chapter 1" in ran.out and "Chapter 2" in ran.out
    assert "prose-004" in ran.out and "▁" in ran.out
    assert list(tmp_path.iterdir()) == [tmp_path / "novel.txt"]


def test_the_same_as_json_names_chapters_codes_and_quotes(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text(novel(PLAIN_EN, MODEL_EN), encoding="utf-8")
    survey = inkos(tmp_path, "--json", "audit", "--text", "novel.txt").json["survey"]
    assert [row["number"] for row in survey["chapters"]] == [1, 2]
    assert survey["codes"] and survey["language"] == "en"
    assert all(passage["quote"] in novel(PLAIN_EN, MODEL_EN) for passage in survey["worst"])


def test_the_page_holds_its_charts_and_asks_nothing_of_the_net(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text(novel(PLAIN_EN, MODEL_EN), encoding="utf-8")
    ran = inkos(tmp_path, "audit", "--text", "novel.txt", "--html", "report.html")
    assert ran.code == 0, ran.err
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.count("<svg") == 7 and "<polyline" in page
    assert "http" not in page and "<script" not in page and "<link" not in page


def test_several_files_are_one_text_in_the_order_given(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\n{PLAIN_EN}\n", encoding="utf-8")
    survey = inkos(tmp_path, "--json", "audit", "--text", "b.md", "a.md").json["survey"]
    assert [row["title"] for row in survey["chapters"]] == ["b.md", "a.md"]
    assert "prose-006" in survey["codes"], "the second file repeats the first"


def test_no_file_and_an_unknown_language_are_faults_of_use(tmp_path: Path) -> None:
    assert inkos(tmp_path, "audit", "--text").code == 2
    (tmp_path / "a.md").write_text("Text.", encoding="utf-8")
    assert inkos(tmp_path, "audit", "--text", "a.md", "--language", "fr").code == 2
    assert inkos(tmp_path, "audit", "--text", "absent.md").code == 2


def test_f05_an_audit_is_kept_once_with_its_run_and_the_digest_of_its_text(shelf: Shelf, tmp_path: Path) -> None:
    folder = shelf.copy(1, tmp_path / "w")
    shown = inkos(folder, "--json", "audit", "1").json
    kept = json.loads((folder / "books/b/story/chapters/c0001/audit.json").read_text("utf-8"))
    text = wire.open_workspace(folder, {}).store("b").text("c0001")
    assert kept["run"] == shown["run"] and kept["findings"] == shown["findings"]
    assert kept["text_digest"] == shown["text_digest"] == digest(text)
