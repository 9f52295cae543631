"""What stands in an EPUB file, by unpacking it (group H of the cases; epubcheck's word is in tests/adapters)."""

from __future__ import annotations

import io
import re
import zipfile
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkos.errors import InkosError
from inkos.export.epub import to_epub
from inkos.export.manuscript import Cover, ManuscriptChapter, normalise
from inkos.messages import Language
from tests.export.books import (
    DC,
    DECOMPOSED,
    EN_PROSE,
    OPF,
    PAGE,
    PIXEL,
    WORDS,
    XHTML,
    ZH_PROSE,
    book,
    contents,
    exported,
    hard_book,
    ncx,
    paragraphs,
    parsed,
    shown,
)

BOTH: list[Language] = ["en", "zh"]
ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


@settings(max_examples=60)
@given(ANY, ANY, ANY, ANY, st.sampled_from(BOTH))
def test_any_title_and_any_prose_give_well_formed_pages_that_show_them(
    title: str, author: str, name: str, prose: str, language: Language
) -> None:
    chapter = ManuscriptChapter(title=name, text=prose, volume=title)
    files = exported(book(language, chapter, title=title, author=author))
    for file, content in files.items():
        if file.endswith((".xhtml", ".opf", ".ncx", ".svg", ".xml")):
            ElementTree.fromstring(content)

    def letters(text: str) -> str:
        return "".join(c for c in normalise(text)[0] if c.isalnum() or c in "<&>\"'")

    page = parsed(files, "chapter-0001.xhtml")
    assert "".join(letters(text) for text in paragraphs(page)) == letters(prose)
    if letters(name):
        assert letters(name) in letters(contents(files)[-1][1])


@pytest.mark.parametrize("language", BOTH)
def test_the_same_book_gives_the_same_bytes(language: Language) -> None:
    once = to_epub(hard_book(language), WORDS[language])
    assert once == to_epub(hard_book(language), WORDS[language])
    with zipfile.ZipFile(io.BytesIO(once)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_mimetype_comes_first_and_is_not_compressed() -> None:
    with zipfile.ZipFile(io.BytesIO(to_epub(book("en"), WORDS["en"]))) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, archive.read(first)) == (
            "mimetype", zipfile.ZIP_STORED, b"application/epub+zip",
        )  # fmt: skip


def test_markup_characters_in_the_metadata_are_shown() -> None:
    package = parsed(exported(hard_book("zh")), "content.opf")
    assert [shown(e) for e in package.iter(f"{DC}title")] == ["盐 & 铁 <上卷>"]
    assert [shown(e) for e in package.iter(f"{DC}creator")] == ["R. \"Ash\" O'Neil"]


def test_markup_characters_in_the_prose_are_shown_literally() -> None:
    page = parsed(exported(book("en", ManuscriptChapter(title="<b>", text=EN_PROSE))), "chapter-0001.xhtml")
    assert paragraphs(page)[0] == "She said <so softly nobody heard> and left. 5 < 7 & 8 > 3."


def test_a_chapter_that_looks_like_a_page_is_text() -> None:
    page = parsed(exported(book("en", ManuscriptChapter(title="Page", text=PAGE))), "chapter-0001.xhtml")
    assert paragraphs(page) == [PAGE]


def test_control_characters_are_left_out_and_the_rest_is_whole() -> None:
    chapter = ManuscriptChapter(title="Ti\x08tle", text="a\x0bb\x00c\uffffd")
    files = exported(book("en", chapter))
    assert contents(files)[0][1] == "Title"
    assert paragraphs(parsed(files, "chapter-0001.xhtml")) == ["abcd"]
    assert chapter.text == "a\x0bb\x00c\uffffd"


def test_an_empty_chapter_is_exported_as_its_heading() -> None:
    page = parsed(exported(book("en", ManuscriptChapter(title="Blank", text=" \n\n　"))), "chapter-0001.xhtml")
    assert paragraphs(page) == [] and [shown(h) for h in page.iter(f"{XHTML}h1")] == ["Blank"]


def test_a_book_without_chapters_is_refused() -> None:
    empty = book("en").model_copy(update={"chapters": ()})
    with pytest.raises(InkosError) as refused:
        to_epub(empty, WORDS["en"])
    assert refused.value.code == "export-nothing"


def test_ids_and_names_are_ascii_and_titles_are_untouched() -> None:
    titles = ["01", "第 2 章：风?", DECOMPOSED]
    files = exported(book("zh", *(ManuscriptChapter(title=title, text=ZH_PROSE) for title in titles)))
    assert [text for _, text, _ in contents(files)] == titles
    items = list(parsed(files, "content.opf").iter(f"{OPF}item"))
    assert all(re.fullmatch(r"[a-z][\w.-]*", item.get("id") or "", re.ASCII) for item in items)
    assert all(re.fullmatch(r"[\w./-]+", name, re.ASCII) for name in files)


def test_the_date_is_the_books_and_in_utc() -> None:
    package = parsed(exported(book("zh", modified="2026-03-01T08:00:00+08:00")), "content.opf")
    dates = [shown(meta) for meta in package.iter(f"{OPF}meta") if meta.get("property") == "dcterms:modified"]
    assert dates == ["2026-03-01T00:00:00Z"]


def test_package_and_ncx_name_the_same_identifier() -> None:
    files = exported(book("en"))
    identifiers = [shown(e) for e in parsed(files, "content.opf").iter(f"{DC}identifier")]
    uid = [meta.get("content") for meta in parsed(files, "toc.ncx").iter() if meta.get("name") == "dtb:uid"]
    assert identifiers == uid == [book("en").identifier]


@pytest.mark.parametrize("language", BOTH)
def test_nav_and_ncx_list_the_same_items(language: Language) -> None:
    files = exported(hard_book(language))
    assert contents(files) == ncx(files)
    assert [depth for depth, _, _ in contents(files)] == [1, 1, 2, 2, 1, 2, 2]


@pytest.mark.parametrize("language", BOTH)
def test_a_flat_book_has_flat_contents(language: Language) -> None:
    files = exported(book(language, *(ManuscriptChapter(title=f"T{n}", text="x") for n in range(5))))
    assert [(depth, text) for depth, text, _ in contents(files)] == [(1, f"T{n}") for n in range(5)]
    assert [depth for depth, _, _ in ncx(files)] == [1] * 5


def test_landmarks_lead_to_cover_contents_and_story() -> None:
    files = exported(book("zh"))
    assert [target for _, _, target in contents(files, "landmarks")] == [
        "cover.xhtml", "nav.xhtml", "chapter-0001.xhtml",
    ]  # fmt: skip
    assert all(f"EPUB/{target}" in files for _, _, target in contents(files, "landmarks"))


def test_every_page_is_in_the_reading_order() -> None:
    files = exported(hard_book("zh"))
    package = parsed(files, "content.opf")
    pages = {item.get("id"): item.get("href") for item in package.iter(f"{OPF}item")}
    order = [(pages[ref.get("idref")], ref.get("linear")) for ref in package.iter(f"{OPF}itemref")]
    assert [name for name, _ in order[:5]] == [
        "cover.xhtml", "titlepage.xhtml", "nav.xhtml", "chapter-0001.xhtml", "volume-002.xhtml",
    ]  # fmt: skip
    assert {f"EPUB/{name}" for name, _ in order} == {name for name in files if name.endswith(".xhtml")}
    assert {linear for _, linear in order} == {None}


@pytest.mark.parametrize("language", BOTH)
def test_every_page_carries_the_books_language(language: Language) -> None:
    files = exported(hard_book(language))
    for name in files:
        if name.endswith(".xhtml"):
            page = parsed(files, name.removeprefix("EPUB/"))
            assert page.get("lang") == page.get("{http://www.w3.org/XML/1998/namespace}lang") == language
    assert [shown(e) for e in parsed(files, "content.opf").iter(f"{DC}language")] == [language]


def test_hard_wraps_are_joined_as_each_language_joins_them() -> None:
    chinese = parsed(exported(book("zh")), "chapter-0001.xhtml")
    english = parsed(exported(book("en")), "chapter-0001.xhtml")
    assert paragraphs(chinese)[0] == "他推开门，雪已经停了。"
    assert paragraphs(english)[1] == "the door was open"


def test_the_first_paragraph_and_the_one_after_a_break_are_marked_as_such() -> None:
    page = parsed(exported(book("en")), "chapter-0001.xhtml")
    assert [p.get("class") for p in page.iter(f"{XHTML}p")] == ["first", None, "first"]
    assert [div.get("role") for div in page.iter(f"{XHTML}div")] == ["separator"]
    assert [shown(em) for em in page.iter(f"{XHTML}em")] == ["not"]


def test_the_series_is_named_with_its_place() -> None:
    metas = list(parsed(exported(hard_book("en")), "content.opf").iter(f"{OPF}meta"))
    known = {meta.get("property"): shown(meta) for meta in metas}
    assert (known["belongs-to-collection"], known["collection-type"], known["group-position"]) == (
        "A & B", "series", "1.5",
    )  # fmt: skip


@pytest.mark.parametrize("language", BOTH)
def test_drafts_and_rehearsal_prose_say_what_they_are(language: Language) -> None:
    files, words = exported(hard_book(language)), WORDS[language]
    assert words.say("export.draft") in paragraphs(parsed(files, "chapter-0005.xhtml"))
    assert words.say("export.rehearsal") in paragraphs(parsed(files, "titlepage.xhtml"))
    assert words.say("export.rehearsal-mark") in shown(parsed(files, "cover.svg"))
    plain = exported(book(language))
    assert words.say("export.rehearsal") not in paragraphs(parsed(plain, "titlepage.xhtml"))


def test_a_given_cover_is_taken_as_it_is() -> None:
    files = exported(book("en", cover=Cover(content=PIXEL, media_type="image/png")))
    assert files["EPUB/cover.png"] == PIXEL and "EPUB/cover.svg" not in files
    (image,) = parsed(files, "cover.xhtml").iter(f"{XHTML}img")
    assert image.get("src") == "cover.png" and image.get("alt") == "Cover: Lantern Street, by 沈青"
    items = parsed(files, "content.opf").iter(f"{OPF}item")
    assert [item.get("href") for item in items if item.get("properties") == "cover-image"] == ["cover.png"]
