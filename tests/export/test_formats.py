"""HTML, DOCX, text without marks and the source of a printed book hold the same words, and the same bytes each time."""

from __future__ import annotations

import io
import re
import zipfile
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkos.export.docx import to_docx
from inkos.export.html import fragment, to_html
from inkos.export.manuscript import Cover, ManuscriptChapter
from inkos.export.plain import plain_chapter
from inkos.export.profile import TextForm
from inkos.export.typst import to_typst
from inkos.messages import Language
from tests.export.books import MARKED, PIXEL, WORDS, book, exported, full_book, paragraphs, parsed, told_words

BOTH: list[Language] = ["en", "zh"]
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
PLAIN = TextForm(marks="plain", indent="　　", blank_lines=0)
ANY = st.text(alphabet=st.characters(exclude_categories=()), max_size=60)


class Page(HTMLParser):
    """Text without readings, styles and the numbers of notes; ids and the targets of links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.ids, self.targets, self._skip = "", [""], [""], 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.targets += [(given["href"] or "")[1:]] if "href" in given else []
        self._skip += tag in ("rt", "rp", "style", "sup", "title")

    def handle_endtag(self, tag: str) -> None:
        self._skip -= tag in ("rt", "rp", "style", "sup", "title")

    def handle_data(self, data: str) -> None:
        self.text += "" if self._skip else data


def docx_parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def docx_text(content: bytes) -> str:
    body = ElementTree.fromstring(docx_parts(content)["word/document.xml"])
    for ruby in body.iter(f"{W}ruby"):
        for reading in ruby.findall(f"{W}rt"):
            ruby.remove(reading)
    return "\n".join("".join(t.text or "" for t in p.iter(f"{W}t")) for p in body.iter(f"{W}p"))


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.reads_data
def test_every_format_holds_the_words_of_the_manuscript(language: Language) -> None:
    manuscript, words = full_book(language), WORDS[language]
    pages = exported(manuscript)
    epub = "".join(Page(content.decode()).text for name, content in pages.items() if "/chapter-" in name)
    printed = re.findall(r'"((?:[^"\\]|\\.)*)"', to_typst(manuscript, words, "6x9"))
    wholes = {
        "html": Page(to_html(manuscript, words)).text,
        "docx": docx_text(to_docx(manuscript, words)),
        "manuscript": docx_text(to_docx(manuscript, words, editors=True)),
        "pdf": "".join(text.replace('\\"', '"').replace("\\\\", "\\") for text in printed),
        "epub": epub,
    }
    bare = {name: re.sub(r"\s|つくよみ|もうじゃ|超电磁炮|（）", "", whole) for name, whole in wholes.items()}
    for text in told_words(manuscript):
        for name, whole in bare.items():
            assert re.sub(r"\s+", "", text) in whole, (name, text)


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.reads_data
def test_the_same_book_gives_the_same_bytes(language: Language) -> None:
    manuscript, words = full_book(language), WORDS[language]
    assert to_docx(manuscript, words) == to_docx(manuscript, words)
    assert to_html(manuscript, words) == to_html(manuscript, words)
    with zipfile.ZipFile(io.BytesIO(to_docx(manuscript, words))) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"2026-03-01T" in archive.read("docProps/core.xml")


@pytest.mark.reads_data
@settings(max_examples=8)
@given(ANY, ANY, st.sampled_from(BOTH))
def test_any_title_and_any_prose_make_well_formed_docx_and_html(title: str, prose: str, language: Language) -> None:
    manuscript = book(language, ManuscriptChapter(title=title, text=prose, volume=title), title=title, author=title)
    for name, content in docx_parts(to_docx(manuscript, WORDS[language])).items():
        if name.endswith(".xml"):
            ElementTree.fromstring(content)
    assert "<script" not in to_html(manuscript, WORDS[language]).lower()


def test_a_page_of_html_needs_no_other_file_and_its_links_lead_somewhere() -> None:
    manuscript = full_book("en").model_copy(update={"cover": Cover(content=PIXEL, media_type="image/png")})
    html = to_html(manuscript, WORDS["en"])
    page = Page(html)
    assert set(page.targets) <= set(page.ids) and len(page.ids) == len(set(page.ids))
    assert not re.search(r'(?:src|href)="(?!data:|#)', html) and "url(" not in html and "data:image/png" in html


def test_notes_in_an_epub_lead_there_and_back() -> None:
    page = parsed(exported(full_book("zh")), "chapter-0006.xhtml")
    assert [e.get("id") for e in page.iter() if (e.get("id") or "").startswith("note-")] == ["note-1"]
    targets = {(e.get("href") or "")[1:] for e in page.iter() if e.get("href", "").startswith("#")}
    assert targets <= {e.get("id") for e in page.iter()}


@pytest.mark.reads_data
def test_styles_and_not_formats_dress_a_docx() -> None:
    parts = docx_parts(to_docx(full_book("zh"), WORDS["zh"]))
    body = ElementTree.fromstring(parts["word/document.xml"])
    styles = ElementTree.fromstring(parts["word/styles.xml"])
    known = {style.get(f"{W}styleId") for style in styles.iter(f"{W}style")}
    used = {e.get(f"{W}val") for tag in ("pStyle", "rStyle", "tblStyle") for e in body.iter(f"{W}{tag}")}
    assert used <= known
    direct = {e.tag.removeprefix(W) for p in body.iter(f"{W}pPr") for e in p} - {"pStyle"}
    assert direct == set(), "a paragraph says nothing but its style"
    notes = ElementTree.fromstring(parts["word/footnotes.xml"])
    assert "冬至夜 <各家> 悬灯。" in "".join(notes.itertext())
    assert {"Heading1", "Heading2"} <= used


def test_text_without_marks_keeps_reading_and_notes() -> None:
    told = plain_chapter(ManuscriptChapter(title="灯", text=MARKED["zh"]), 1, "zh", PLAIN, WORDS["zh"])
    assert "　　她叫月读（つくよみ），她说过不要回头。〔1〕\n" in told and told.endswith("〔1〕冬至夜 <各家> 悬灯。")
    assert "提灯 & 照 | 亡者（もうじゃ）" in told and not re.search(r"[{}]|《《|:::|\[\^", told)


def test_a_fragment_is_what_an_editor_keeps() -> None:
    chapter = ManuscriptChapter(title="A", text=MARKED["en"])
    told = fragment(chapter, "en", WORDS["en"], before="Hello <all>.", behind="*Bye.*")
    assert set(re.findall(r"<(\w+)", told)) <= {
        "p", "em", "strong", "hr", "table", "tbody", "tr", "td", "th", "blockquote", "sup"
    }  # fmt: skip
    assert told.startswith("<table><tbody><tr><td><p>Hello &lt;all&gt;.</p>") and "<em>Bye.</em>" in told
    assert "class=" not in told and "Railgun (超电磁炮)" in told and told.count("<hr/>") == 2


@pytest.mark.parametrize("words", ['#quit()', '"); #panic("x', "\\u{41}", "$x$ *a* _b_ @c <d>", "// no /* comment */"])
def test_prose_is_never_code_of_the_typesetter(words: str) -> None:
    chapter = ManuscriptChapter(title=words, text=f"他说：{words}", volume=words)
    source = to_typst(book("zh", chapter), WORDS["zh"], "5x8")
    held = words.replace("\\", "\\\\").replace('"', '\\"')
    assert source.count(f'"{held}"') == 2 and f'"他说：{held}"' in source


def test_paragraphs_of_the_epub_come_in_order() -> None:
    lines = [text for text in paragraphs(parsed(exported(full_book("en")), "chapter-0006.xhtml")) if text]
    assert lines[1:3] == ["[Level up! 12 > 13]", "[Strength: 40]"]
