"""Small manuscripts that tests export, with everything in them that ever went wrong for somebody (cases H01–H13)."""

from __future__ import annotations

import io
import zipfile
from xml.etree import ElementTree

from inkos.adapters.package_data import messages
from inkos.config import SeriesConfig
from inkos.export.epub import to_epub
from inkos.export.manuscript import Manuscript, ManuscriptChapter, Matter, identifier_for, normalised, numbered
from inkos.export.prose import prose
from inkos.export.prose import shown as shown_line
from inkos.messages import Language

WORDS = {"en": messages("en"), "zh": messages("zh")}  # read here once, before the guard of the pure tests is on
XHTML = "{http://www.w3.org/1999/xhtml}"
EPUB_TYPE = "{http://www.idpf.org/2007/ops}type"
NCX = "{http://www.daisy.org/z3986/2005/ncx/}"
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
    "0000000c49444154789c63f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)  # a whole PNG of one white pixel

DECOMPOSED = "Cafe\u0301"
ZH_PROSE = "　　他推开门，\n雪已经停了。\n\n“谁？”\n\n***\n\n她说 <没有人> & 走了……他用\nWeChat 回了 3 条。"
EN_PROSE = (
    "She said <so softly nobody heard> and left. 5 < 7 & 8 > 3.\n\nthe door\nwas open\n\n* * *\n\nIt was *not* shut."
)
PAGE = '<?xml version="1.0"?><html><body>x</body></html>'


def book(language: Language, *chapters: ManuscriptChapter, **fields: object) -> Manuscript:
    """A manuscript of these chapters, or of two plain ones."""
    prose = ZH_PROSE if language == "zh" else EN_PROSE
    plain = (ManuscriptChapter(title="一" if language == "zh" else "One", text=prose),) * 2
    given = {
        "title": "青灯" if language == "zh" else "Lantern Street",
        "author": "沈青",
        "language": language,
        "identifier": identifier_for("book", ""),
        "modified": "2026-03-01T08:00:00+08:00",
        "chapters": chapters or plain,
        **fields,
    }
    return Manuscript.model_validate(given)


def hard_book(language: Language) -> Manuscript:
    """Volumes, a chapter outside them, a draft, an empty chapter, markup and control characters everywhere."""
    prose = ZH_PROSE if language == "zh" else EN_PROSE
    chapters = (
        ManuscriptChapter(label="序章" if language == "zh" else "Prologue", title="& <gate>\x08", text=prose),
        ManuscriptChapter(title="01", text=prose + "\x0b\x00\uffff", volume="I <上>"),
        ManuscriptChapter(title="第 2 章：风?", text=PAGE, volume="I <上>"),
        ManuscriptChapter(title=DECOMPOSED, text=" \n　\n", volume="II & 下"),
        ManuscriptChapter(title="", text=prose, volume="II & 下", draft=True),
    )
    return book(
        language,
        *numbered(chapters, WORDS[language]),
        title="盐 & 铁 <上卷>",
        author="R. \"Ash\" O'Neil",
        series=SeriesConfig(name="A & B", position=1.5),
        rehearsal=True,
    )


def unpacked(epub: bytes) -> dict[str, bytes]:
    """Name inside the EPUB → content, in the order of the file."""
    with zipfile.ZipFile(io.BytesIO(epub)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def exported(manuscript: Manuscript) -> dict[str, bytes]:
    return unpacked(to_epub(manuscript, WORDS[manuscript.language]))


def parsed(files: dict[str, bytes], name: str) -> ElementTree.Element:
    return ElementTree.fromstring(files[f"EPUB/{name}"])


def shown(element: ElementTree.Element) -> str:
    """The text that a reader sees of an element, blanks as they are shown."""
    return " ".join("".join(element.itertext()).split(" ")).strip()


def paragraphs(page: ElementTree.Element) -> list[str]:
    return [shown(p) for p in page.iter(f"{XHTML}p")]


def contents(files: dict[str, bytes], kind: str = "toc") -> list[tuple[int, str, str]]:
    """The nav document's list: depth from 1, text, target."""
    nav = next(nav for nav in parsed(files, "nav.xhtml").iter(f"{XHTML}nav") if nav.get(EPUB_TYPE) == kind)

    def walk(element: ElementTree.Element, depth: int) -> list[tuple[int, str, str]]:
        found: list[tuple[int, str, str]] = []
        for child in element:
            if child.tag == f"{XHTML}a":
                found.append((depth, shown(child), child.get("href") or ""))
            found += walk(child, depth + (child.tag == f"{XHTML}ol"))
        return found

    return walk(nav, 0)


def ncx(files: dict[str, bytes]) -> list[tuple[int, str, str]]:
    def walk(element: ElementTree.Element, depth: int) -> list[tuple[int, str, str]]:
        found: list[tuple[int, str, str]] = []
        for point in element.findall(f"{NCX}navPoint"):
            label, content = point.find(f"{NCX}navLabel"), point.find(f"{NCX}content")
            assert label is not None and content is not None
            found.append((depth, shown(label), content.get("src") or ""))
            found += walk(point, depth + 1)
        return found

    navigation = parsed(files, "toc.ncx").find(f"{NCX}navMap")
    assert navigation is not None
    return walk(navigation, 1)


MARKED: dict[Language, str] = {
    "zh": "她叫{月读|つくよみ}，她说过《《不要回头》》。[^1]\n\n::: system 升级\n等级：12 → 13\n| 技能 | 等级 |\n"
    "|---|---|\n| 提灯 & 照 | {亡者|もうじゃ} |\n:::\n\n> 沈青亲启：\n> 灯在人在。\n\n***\n\n"
    "他又想起那盏灯。[^1]\n\n[^1]: 冬至夜 <各家> 悬灯。",
    "en": "The *{Railgun|超电磁炮}* came.[^a]\n\n[Level up! 12 > 13]\n[Strength: 40]\n\nShe stared.\n\n"
    "| Skill | Rank |\n|---|---|\n| Lamp & light | 3[^b] |\n\n> Dear Ash,\n> come home.\n\n* * *\n\n"
    "She did not.\n\n[^a]: A <note>.\n[^b]: B.",
}


def full_book(language: Language) -> Manuscript:
    """The hard book with every mark of the manuscript, and pages before and behind the story."""
    hard = hard_book(language)
    marked = ManuscriptChapter(title="A", label="B", text=MARKED[language], volume="II & 下")
    dedication, thanks = Matter(text="<For> you & me."), Matter(title="Thanks & <more>", text=MARKED[language])
    return hard.model_copy(
        update={"chapters": (*hard.chapters, marked), "front": (dedication,), "back": (thanks,)}
    )  # fmt: skip


def told_words(manuscript: Manuscript) -> list[str]:
    """Every paragraph, panel line and cell of the chapters as a reader sees them, marks and notes' signs left out."""
    found: list[str] = []
    for chapter in normalised(manuscript).chapters:
        for block in prose(chapter.text, manuscript.language).blocks:
            found += [shown_line(line) for line in block.lines]
            found += [shown_line(cell) for row in block.rows for cell in row]
    return [text for text in found if text]
