"""What `inkos export` writes, as a person asks for it: ranges, volumes, single chapters, places, checks."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from PIL import Image

from tests.data import ROOT
from tests.hosts.cli import OFFLINE, files_of, inkos, workspace

EN, ZH = "lantern-street", "qingdeng"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The two example books, with pages around the story; nothing in it is changed but exports/."""
    folder = workspace(tmp_path_factory.mktemp("house") / "ws", OFFLINE)
    for name in (EN, ZH):
        shutil.copytree(ROOT / "books" / name, folder / "books" / name)
    book = folder / "books" / EN
    for path, text in (
        ("front/01-dedication.md", "For Ada.\n"), ("back/01-thanks.md", "# Thanks\n\nTo the *harbour*.\n"),
        ("before/every.md", "Hello.\n"), ("before/0002.md", "A *late* one.\n"), ("after/every.md", "Bye.\n"),
    ):  # fmt: skip
        (book / "matter" / path).parent.mkdir(parents=True, exist_ok=True)
        (book / "matter" / path).write_text(text)
    return folder


def copied(house: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(house, tmp_path / "ws", ignore=shutil.ignore_patterns("exports")))


@pytest.mark.parametrize(
    ("told", "kept"), [("2", ["2"]), ("1-2", ["1", "2"]), ("2-", ["2", "3"]), ("-2", ["1", "2"]), ("", ["1", "2", "3"])]
)
def test_a_range_holds_its_chapters_with_the_numbers_of_the_whole_book(house: Path, told: str, kept: list[str]) -> None:
    ran = inkos(house, "-b", EN, "--json", "export", "--format", "md", "--chapters", told)
    assert ran.code == 0 and ran.json["chapters"] == len(kept), ran
    assert re.findall(r"^#+ Chapter (\d)", Path(ran.json["file"]).read_text(), re.MULTILINE) == kept


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--chapters", "9"], "export-range"), (["--chapters", "3-2"], "export-range"),
        (["--chapters", "a"], "export-range"),
        (["--chapters", "0-1"], "export-range"), (["--volume", "9"], "export-volume"), (["--for", "nowhere"], "choice"),
        (["--for", "../x"], "choice"), (["--for", "kdp", "--format", "txt"], "export-format-place"),
        (["--trim", "7x7"], "choice"),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_is_refused_in_words(house: Path, arguments: list[str], code: str) -> None:
    before = files_of(house)
    ran = inkos(house, "-b", EN, "--json", "export", *arguments)
    assert ran.code == 2 and ran.json["error"]["code"] == code and files_of(house) == before
    for language in ("en", "zh"):
        said = inkos(house, "-b", EN, "export", *arguments, env={"INKOS_LANG": language}).err
        assert said.count("\n") >= 3 and "{" not in said


def test_every_format_is_written_the_same_twice(house: Path) -> None:
    for format in ("epub", "docx", "html", "md", "txt", "pdf"):
        files = []
        for name in ("one", "two"):
            ran = inkos(house, "-b", EN, "export", "--format", format, "-o", f"{name}.{format}")
            assert ran.code == 0, ran
            files.append((house / f"{name}.{format}").read_bytes())
        assert files[0] == files[1] and len(files[0]) > 10_000


def test_single_chapters_have_names_that_sort(house: Path) -> None:
    ran = inkos(house, "-b", EN, "--json", "export", "--format", "txt", "--split", "-o", "parts")
    assert ran.code == 0 and ran.json["files"] == 3
    names = [path.name for path in sorted((house / "parts").iterdir())]
    assert [name[:4] for name in names] == ["0001", "0002", "0003"] and all(":" not in name for name in names)
    (house / "parts/0004 gone.txt").write_text("x")
    again = inkos(house, "-b", EN, "--json", "export", "--format", "txt", "--split", "-o", "parts", "--check")
    assert [f["code"] for f in again.json["findings"]] == ["export-022"] and again.code == 0


def test_a_chinese_site_gets_indented_paragraphs_without_marks_and_both_counts(house: Path) -> None:
    ran = inkos(house, "-b", ZH, "--json", "export", "--for", "fanqie")
    assert ran.code == 0 and ran.json["format"] == "txt" and ran.json["files"] == 3, ran
    own, theirs = ran.json["counts"]
    assert 0 < own < theirs
    text = next(iter(sorted(Path(ran.json["file"]).iterdir()))).read_text()
    heading, blank, *lines = text.rstrip("\n").split("\n")
    assert heading.startswith("第一章") and blank == "" and all(line[0] in "　＊" for line in lines)
    said = inkos(house, "-b", ZH, "export", "--for", "fanqie", env={"INKOS_LANG": "zh"}).out
    assert "默认值" in said and "profiles/fanqie.yaml" in said


def test_royal_road_gets_a_fragment_with_the_authors_words(house: Path) -> None:
    ran = inkos(house, "-b", EN, "--json", "export", "--for", "royalroad")
    first, second, _ = (path.read_text() for path in sorted(Path(ran.json["file"]).iterdir()))
    assert "Hello." in first and "Bye." in first and "<em>late</em>" in second and "Hello." not in second
    assert "<html" not in first and "Thanks" not in first


def test_kdp_gets_one_book_with_pages_around_it_and_a_jpeg_of_the_size_asked_for(house: Path) -> None:
    ran = inkos(house, "-b", EN, "--json", "export", "--for", "kdp", "--chapters", "1-2", "--check")
    assert ran.code == 0 and ran.json["chapters"] == 2, ran
    with zipfile.ZipFile(ran.json["file"]) as archive:
        pages = archive.namelist()
        assert {"EPUB/front-01.xhtml", "EPUB/back-01.xhtml"} <= set(pages) and "EPUB/chapter-0003.xhtml" not in pages
        if "EPUB/cover.jpg" in pages:  # a font was found
            with Image.open(io.BytesIO(archive.read("EPUB/cover.jpg"))) as cover:
                assert cover.size == (1600, 2560)


def test_a_check_fails_with_the_chapter_that_is_wrong(house: Path, tmp_path: Path) -> None:
    folder = copied(house, tmp_path)
    book = folder / "books" / EN
    file = book / "chapters/0002.md"
    file.write_text(file.read_text() + "\nShe saw it.[^1] ::: no\n\n{雪|ゆき fell.\n")
    plain = inkos(folder, "-b", EN, "--json", "export")
    assert plain.code == 0 and [f["code"] for f in plain.json["findings"]] == ["export-006", "export-007"]
    ran = inkos(folder, "-b", EN, "export", "--check")
    assert ran.code == 1 and "hapter 2" in ran.out and "[^1]" in ran.out
    Image.new("RGB", (90, 90)).save(book / "small.png")
    (book / "book.yaml").write_text((book / "book.yaml").read_text() + "cover: small.png\n")
    small = inkos(folder, "-b", EN, "--json", "export", "--check", "--format", "html", "--chapters", "1")
    assert {f["code"] for f in small.json["findings"]} == {"export-016", "export-017"} and small.code == 1
    (folder / "profiles").mkdir()
    (folder / "profiles/fanqie.yaml").write_text("chapter: {least: 5, most: 20, title: 2}\n")
    told = inkos(folder, "-b", EN, "--json", "export", "--for", "fanqie", "--check", "--chapters", "1")
    assert [f["code"] for f in told.json["findings"]] == ["export-011", "export-013", "export-014"]
    assert told.code == 1 and told.json["place_file"].endswith("fanqie.yaml")
