"""What draws, sets type and opens files, for real: covers, PDF, and DOCX in LibreOffice."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from inkos.adapters.pictures import drawn, fitted
from inkos.adapters.profile_files import load_profile, profile_names
from inkos.adapters.typesetter import CHINESE, typeset
from inkos.errors import InkosError, UsageFault
from inkos.export.cover import cover_svg, cover_words
from inkos.export.docx import to_docx
from inkos.export.manuscript import ManuscriptChapter
from inkos.export.profile import CoverForm, Profile
from inkos.export.typst import MOST_CHARACTERS, to_typst
from inkos.messages import Language
from tests.export.books import WORDS, book, full_book, told_words

FORM = CoverForm()


def picture(width: int, height: int, kind: str = "JPEG", mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height), 128 if mode == "L" else None).save(out, kind)
    return out.getvalue()


def size_of(content: bytes) -> tuple[str | None, tuple[int, int]]:
    with Image.open(io.BytesIO(content)) as image:
        return image.format, image.size


def test_a_cover_that_fits_stays_byte_for_byte_and_a_large_one_keeps_its_shape() -> None:
    small = picture(800, 1200, "PNG")
    assert fitted(small, "c", FORM).content == small
    large = fitted(picture(3000, 4000), "c", FORM)
    assert (large.width, large.height) == (3000, 4000) and size_of(large.content) == ("JPEG", (1200, 1600))
    assert size_of(fitted(small, "c", CoverForm(jpeg=True)).content) == ("JPEG", (800, 1200))
    assert size_of(fitted(picture(300, 300, "PNG", "LA"), "c", CoverForm(jpeg=True)).content) == ("JPEG", (300, 300))


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"<svg/>", "export-cover"), (picture(40, 40)[:200], "export-cover-broken"),
     (b"GIF89a" + bytes(40), "export-cover")],
)  # fmt: skip
def test_what_is_no_picture_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(InkosError) as refused:
        fitted(content, "cover.jpg", FORM)
    assert (refused.value.code, refused.value.where) == (code, "cover.jpg")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_drawn_cover_is_a_picture_and_the_same_each_time(language: Language) -> None:
    if language == "zh" and not shutil.which("fc-list"):
        pytest.skip("no way to ask for fonts")
    manuscript, words = full_book(language), WORDS[language]
    made = drawn(cover_svg(manuscript, words, 2560), cover_words(manuscript, words), CoverForm(width=400))
    if made is None:
        pytest.skip("no font with these letters on this machine")
    assert size_of(made.content) == ("JPEG", (400, 640))
    again = drawn(cover_svg(manuscript, words, 2560), cover_words(manuscript, words), CoverForm(width=400))
    assert again == made
    with Image.open(io.BytesIO(made.content)) as image:
        assert len(image.convert("L").getcolors(256) or ()) > 20, "letters, not a bare ground"


def test_letters_that_no_font_has_are_noticed() -> None:
    assert drawn("<svg/>", "\U0001f9ff\U000e0041 \ue123", FORM) is not None, "signs are no letters"
    assert drawn("<svg/>", "\U00016a40", FORM) is None  # Mro; no font for it comes with anything installed here


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_typesetter_sets_every_word(language: Language) -> None:
    pytest.importorskip("typst")
    source = to_typst(full_book(language), WORDS[language], "5x8")
    try:
        pdf = typeset(source, CHINESE if language == "zh" else frozenset())
    except InkosError as missing:
        assert missing.code == "export-pdf-font"
        pytest.skip("no Chinese font")
    assert pdf.startswith(b"%PDF") and pdf == typeset(source)
    if not shutil.which("pdftotext"):
        pytest.skip("pdftotext is not installed")
    told = subprocess.run(["pdftotext", "-", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    page = re.sub(r"[\s•·\u00ad-]", "", told)
    for word in re.findall(r"\w{3,}", " ".join(told_words(full_book(language)))):
        assert word in page or (language == "zh" and set(word) <= set(page)), word
    info = subprocess.run(["pdfinfo", "-"], input=pdf, capture_output=True, check=True).stdout.decode()
    assert "360 x 576 pts" in info and "盐 & 铁 <上卷>" in info


def test_a_book_too_long_for_one_volume_is_refused() -> None:
    chapters = [ManuscriptChapter(title=str(n), text="a" * 3_100_000) for n in range(2)]
    with pytest.raises(UsageFault) as refused:
        to_typst(book("en", *chapters), WORDS["en"], "6x9")
    assert refused.value.code == "export-pdf-long" and refused.value.values["limit"] == f"{MOST_CHARACTERS:,}"


def test_a_docx_opens_in_libreoffice_with_every_word(tmp_path: Path) -> None:
    """One start for all of them."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    made: dict[str, Language] = {}
    for language in ("en", "zh"):
        for editors in (False, True):
            name = f"{language}{int(editors)}"
            (tmp_path / f"{name}.docx").write_bytes(to_docx(full_book(language), WORDS[language], editors=editors))
            made[name] = language
    subprocess.run(
        [office, f"-env:UserInstallation=file://{tmp_path}/office", "--headless", "--convert-to",
         "txt:Text (encoded):UTF8", "--outdir", str(tmp_path), *(str(tmp_path / f"{name}.docx") for name in made)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    for name, language in made.items():
        bare = re.sub(r"\s", "", (tmp_path / f"{name}.txt").read_text(encoding="utf-8-sig"))
        for words in told_words(full_book(language)):
            assert re.sub(r"\s", "", words) in bare, (name, words)


# ── profiles ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_profile_is_right_and_says_that_its_figures_are_defaults(tmp_path: Path) -> None:
    assert profile_names(tmp_path) == ["fanqie", "kdp", "manuscript", "plain", "qidian", "royalroad"]
    for name in profile_names(tmp_path):
        profile, own = load_profile(tmp_path, name)
        assert own == "" and set(profile.about) == {"en", "zh"} and profile != Profile()
        if profile.chapter.most:
            assert "inkos" in profile.about["en"] and "inkos" in profile.about["zh"]


def test_a_file_of_the_workspace_is_laid_over_or_stands_for_itself(tmp_path: Path) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/fanqie.yaml").write_text("chapter: {most: 9000}\n")
    (tmp_path / "profiles/jinjiang.yaml").write_text("base: qidian\ntext: {blank_lines: 1}\n")
    over, own = load_profile(tmp_path, "fanqie")
    assert (over.chapter.most, over.chapter.least) == (9000, 1000) and own.endswith("fanqie.yaml")
    based, _ = load_profile(tmp_path, "jinjiang")
    assert (based.text.blank_lines, based.text.indent, based.chapter.title) == (1, "　　", 20)


@pytest.mark.parametrize(
    ("text", "code"),
    [("chaptr: {}\n", "config-unknown-key"), ("base: nowhere\n", "choice"), ("cover: {width: -1}\n", "config-value"),
     ("- a\n", "yaml-not-a-mapping")],
)  # fmt: skip
def test_a_profile_that_is_not_right_is_named_with_its_file(tmp_path: Path, text: str, code: str) -> None:
    (tmp_path / "profiles").mkdir()
    (tmp_path / "profiles/mine.yaml").write_text(text)
    with pytest.raises(UsageFault) as refused:
        load_profile(tmp_path, "mine")
    assert refused.value.code == code and "mine.yaml" in refused.value.where
    with pytest.raises(UsageFault):
        load_profile(tmp_path, "../mine")
