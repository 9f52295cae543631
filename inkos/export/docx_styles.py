"""The styles of a DOCX file, for a book and for an editor's manuscript; knows no text.

All layout is here: paragraphs name their style and say nothing else, so an author changes the look of a whole book in
one place."""

from __future__ import annotations

from typing import Any

from inkos.messages import Language

FACES: dict[Language, tuple[str, str]] = {"en": ("Georgia", "SimSun"), "zh": ("Times New Roman", "SimSun")}
EDITORS: dict[Language, tuple[str, str]] = {"en": ("Times New Roman", "SimSun"), "zh": ("Times New Roman", "SimSun")}
SIZES: dict[Language, float] = {"en": 11, "zh": 10.5}  # points; zh: 五号, as books are set
EDITORS_SIZE = 12  # 小四 in Chinese
LOCALES: dict[Language, tuple[str, str]] = {"en": ("en-US", "zh-CN"), "zh": ("en-US", "zh-CN")}


def dress(document: Any, language: Language, *, editors: bool) -> None:
    """Give the document its styles: `Body Text` and `First Paragraph` for prose, `Heading 1` and `2`, `Scene Break`,
    `Panel`, `Quote`, `Panel Table`, notes, and two of characters, `Emphasis` and `Emphasis Dots`."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_ALIGN_PARAGRAPH as ALIGN
    from docx.shared import Pt

    styles = document.styles
    size = EDITORS_SIZE if editors else SIZES[language]
    _defaults(styles, language, size, editors)
    spacing = (2.0 if editors else 1.2) if language == "en" else (2.0 if editors else 1.5)
    body = _paragraph(styles, "Body Text", spacing=spacing)
    _indent(body, language, editors)
    body.paragraph_format.alignment = ALIGN.LEFT if editors else ALIGN.JUSTIFY
    body.paragraph_format.widow_control = True
    first = _added(styles, "First Paragraph", WD_STYLE_TYPE.PARAGRAPH, body)
    if language == "en":
        first.paragraph_format.first_line_indent = Pt(0)
    for name, points in (("Heading 1", size * 1.6), ("Heading 2", size * 1.4)):
        heading = _paragraph(styles, name, spacing=1.3, before=0 if editors else 60, after=24, size=points)
        heading.paragraph_format.alignment = ALIGN.CENTER
        heading.paragraph_format.page_break_before = True
        heading.paragraph_format.keep_with_next = True
    for name, points, before in (("Title", size * 2.4, 150), ("Subtitle", size * 1.2, 12), ("Author", size * 1.3, 24)):
        if name == "Author":
            _added(styles, name, WD_STYLE_TYPE.PARAGRAPH, styles["Normal"])
        _paragraph(styles, name, spacing=1.2, before=before, size=points).paragraph_format.alignment = ALIGN.CENTER
    scene = _added(styles, "Scene Break", WD_STYLE_TYPE.PARAGRAPH, styles["Normal"])
    _plain(scene, spacing=spacing, before=0 if editors else 8, after=0 if editors else 8)
    scene.paragraph_format.alignment = ALIGN.CENTER
    scene.paragraph_format.keep_with_next = True
    quote = _paragraph(styles, "Quote", spacing=spacing, before=4, after=4)
    quote.paragraph_format.left_indent = quote.paragraph_format.right_indent = Pt(24)
    panel = _added(styles, "Panel", WD_STYLE_TYPE.PARAGRAPH, styles["Normal"])
    _plain(panel, spacing=1.2, before=2, after=2)
    panel.paragraph_format.left_indent = panel.paragraph_format.right_indent = Pt(18)
    panel.paragraph_format.keep_together = True
    _frame(panel)
    cell = _added(styles, "Panel Cell", WD_STYLE_TYPE.PARAGRAPH, styles["Normal"])
    _plain(cell, spacing=1.2, before=3, after=3)
    note = _added(styles, "footnote text", WD_STYLE_TYPE.PARAGRAPH, styles["Normal"])
    _plain(note, spacing=1.1)
    note.font.size = Pt(size - 2)
    _characters(styles, language)
    for name in ("Header", "Footer"):
        _plain(styles[name], spacing=1.0)
        styles[name].font.size = Pt(size if editors else size - 2)


def _defaults(styles: Any, language: Language, size: float, editors: bool) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Pt

    normal = styles["Normal"]
    _face(normal, *(EDITORS if editors else FACES)[language])
    normal.font.size = Pt(size)
    _plain(normal, spacing=1.0)
    for lang in styles.element.iter(qn("w:lang")):
        latin, asian = LOCALES[language]
        lang.set(qn("w:val"), latin)
        lang.set(qn("w:eastAsia"), asian)


def _face(style: Any, latin: str, asian: str) -> None:
    from docx.oxml.ns import qn

    style.font.name = latin
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for name in [key for key in fonts.attrib if "heme" in key]:
        del fonts.attrib[name]  # a theme's face would win over a named one
    for key, face in (("w:ascii", latin), ("w:hAnsi", latin), ("w:cs", latin), ("w:eastAsia", asian)):
        fonts.set(qn(key), face)


def _added(styles: Any, name: str, kind: Any, base: Any) -> Any:
    style = styles.add_style(name, kind)
    style.base_style = base
    style.quick_style = True
    return style


def _paragraph(
    styles: Any, name: str, *, spacing: float, before: float = 0, after: float = 0, size: float | None = None
) -> Any:
    """A style that comes with Word, freed from the colours and faces of its theme."""
    from docx.shared import Pt, RGBColor

    style = styles[name]
    normal = styles["Normal"].element.rPr.rFonts
    _face(style, *(normal.get(key) for key in normal.attrib if key.endswith(("}ascii", "}eastAsia"))))
    style.font.color.rgb = RGBColor(0, 0, 0)
    style.font.bold = style.font.italic = False
    if size is not None:
        style.font.size = Pt(round(size * 2) / 2)
    for border in style.element.xpath("w:pPr/w:pBdr"):
        border.getparent().remove(border)
    for spaced in style.element.xpath("w:rPr/w:spacing | w:rPr/w:kern"):
        spaced.getparent().remove(spaced)
    _plain(style, spacing=spacing, before=before, after=after)
    return style


def _plain(style: Any, *, spacing: float, before: float = 0, after: float = 0) -> None:
    from docx.shared import Pt

    form = style.paragraph_format
    form.space_before, form.space_after, form.line_spacing = Pt(before), Pt(after), spacing


def _indent(body: Any, language: Language, editors: bool) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Pt

    body.paragraph_format.first_line_indent = Pt(36 if editors and language == "en" else 16 if language == "en" else 21)
    if language == "zh":  # two characters, whatever their size
        body.element.pPr.ind.set(qn("w:firstLineChars"), "200")


def _frame(style: Any) -> None:
    """A thin line around neighbouring paragraphs of this style, which makes them one box."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    borders = OxmlElement("w:pBdr")
    for side in ("top", "left", "bottom", "right"):
        line = OxmlElement(f"w:{side}")
        for key, value in (("val", "single"), ("sz", "6"), ("space", "6"), ("color", "808080")):
            line.set(qn(f"w:{key}"), value)
        borders.append(line)
    properties = style.element.get_or_add_pPr()
    successors = ("w:shd", "w:tabs", "w:suppressAutoHyphens", "w:spacing", "w:ind", "w:jc", "w:outlineLvl")
    properties.insert_element_before(borders, *successors)


def _characters(styles: Any, language: Language) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    emphasis = styles["Emphasis"]
    emphasis.font.italic = language == "en"
    dots = styles.add_style("Emphasis Dots", WD_STYLE_TYPE.CHARACTER)
    reference = styles.add_style("footnote reference", WD_STYLE_TYPE.CHARACTER)
    for style, marks in ((dots, (emphasis,) if language == "zh" else ()), (reference, ())):
        for each in (style, *marks):
            tag, value = ("w:vertAlign", "superscript") if each is reference else ("w:em", "dot")
            mark = OxmlElement(tag)
            mark.set(qn("w:val"), value)
            each.element.get_or_add_rPr().append(mark)
