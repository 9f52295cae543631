"""The manuscript as the source of a printed book for the typesetter Typst; knows neither the typesetter nor a disk.

Every word of the book stands in a string of code, never in markup, so no character of the prose can mean anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from inkos.errors import UsageFault
from inkos.export.manuscript import Manuscript, Matter, book_title, by_volume, heading, normalised, series_line
from inkos.export.markup import Line, Run
from inkos.export.profile import Trim
from inkos.export.prose import Block, Prose, prose
from inkos.export.xhtml import ORNAMENT
from inkos.messages import Language, Messages

MOST_CHARACTERS = 6_000_000  # the typesetter holds all pages at once: about 1.5 GB at this length (measured)
PAPER: dict[Trim, str] = {
    # Margins as printers ask for them at this size: more inside, where the pages are bound.
    "5x8": "width: 5in, height: 8in, margin: (inside: 0.75in, outside: 0.5in, top: 0.8in, bottom: 0.75in)",
    "6x9": "width: 6in, height: 9in, margin: (inside: 0.85in, outside: 0.65in, top: 0.9in, bottom: 0.85in)",
}
# The first comes with the typesetter; the others are looked for on the machine.
FACES: dict[Language, str] = {
    "en": '("Libertinus Serif",)',
    "zh": '((name: "Libertinus Serif", covers: "latin-in-cjk"), "Source Han Serif SC", "Noto Serif CJK SC", '
    '"Songti SC", "STSong", "SimSun")',
}
LAYOUT: dict[Language, str] = {
    "en": '#set text(lang: "en", size: 11pt)\n#set par(justify: true, leading: 0.62em, spacing: 0.62em, '
    "first-line-indent: 1.3em)\n",
    "zh": '#set text(lang: "zh", region: "cn", size: 10.5pt)\n#set par(justify: true, leading: 0.9em, spacing: 0.9em, '
    "first-line-indent: (amount: 2em, all: true))\n",
}
# Running heads: the book's title on left pages, the chapter's on right ones, none where a chapter opens.
PRELUDE = """\
#let opens(page) = query(<opening>).any(mark => mark.location().page() == page)
#let running = context {
  let page = here().page()
  if not opens(page) {
    let heads = query(selector(<head>).before(here()))
    let said = if calc.even(page) { book } else if heads.len() > 0 { heads.last().value } else { book }
    align(center, text(size: 0.8em, tracking: 0.05em, said))
  }
}
#let foot = context {
  let page = here().page()
  let first = query(<story>)
  if first.len() > 0 and page >= first.first().location().page() {
    align(center, text(size: 0.85em, counter(std.page).display()))
  }
}
#set page(header: running, footer: foot)
#set document(title: book, author: author, date: none)
#show heading: set text(weight: "regular")
#show heading: set par(justify: false, first-line-indent: 0em)
#let chapter(level, said) = {
  pagebreak(weak: true)
  [#metadata(none)<opening>#metadata(said)<head>]
  v(14%)
  align(center, heading(level: level, text(size: 1.25em, said)))
  v(3em)
}
#let volume(said) = {
  pagebreak(weak: true)
  [#metadata(none)<opening>#metadata(said)<head>]
  v(1fr)
  align(center, heading(level: 1, text(size: 1.5em, said)))
  v(2fr)
}
#let scene(ornament) = block(above: 1.5em, below: 1.5em, width: 100%, align(center, ornament))
#let ruby(base, over) = box(context {
  set par(first-line-indent: 0em)
  let small = text(size: 0.5em, over)
  let wide = calc.max(measure(base).width, measure(small).width)
  box(width: wide, align(center, base))
  place(top + left, dy: -0.55em, box(width: wide, align(center, small)))
})
#let dotted(cluster) = box({
  set par(first-line-indent: 0em)
  cluster
  place(bottom + center, dy: 0.42em, text(size: 0.5em, "•"))
})
#let dots(said) = said.clusters().map(dotted).join()
#let slanted(said) = if text-language == "zh" { dots(said) } else { emph(said) }
#let panel(..lines) = block(above: 1.2em, below: 1.2em, width: 100%, stroke: 0.6pt, radius: 2pt, inset: 0.8em,
  { set par(first-line-indent: 0em, justify: false); lines.pos().join(parbreak()) })
#let quoted(..lines) = block(above: 1.2em, below: 1.2em, inset: (x: 2em),
  { set par(first-line-indent: 0em); lines.pos().join(parbreak()) })
#let sheet(columns, ..cells) = block(above: 1.2em, below: 1.2em, width: 100%,
  { set par(first-line-indent: 0em, justify: false)
    align(center, table(columns: columns, stroke: 0.5pt, inset: 0.6em, align: left, ..cells)) })
"""


def to_typst(manuscript: Manuscript, messages: Messages, trim: Trim) -> str:
    """The source. UsageFault `export-pdf-long` for a book too long to be one printed volume."""
    book = normalised(manuscript)
    length = sum(len(chapter.text) for chapter in book.chapters)
    if length > MOST_CHARACTERS:
        raise UsageFault("export-pdf-long", where="--format pdf", length=f"{length:,}", limit=f"{MOST_CHARACTERS:,}")
    parts = [
        f"#set page({PAPER[trim]})\n#set text(font: {FACES[book.language]})\n{LAYOUT[book.language]}",
        f"#let book = {_string(book_title(book, messages))}\n#let author = {_string(book.author)}\n",
        f"#let text-language = {_string(book.language)}\n",
        PRELUDE,
        *_title_page(book, messages),
        *(part for page in book.front for part in _matter(page, book.language)),
        *_story(book, messages),
        *(part for page in book.back for part in _matter(page, book.language)),
    ]
    return "".join(parts)


def _string(text: str) -> str:
    """A string of code: only a backslash and a quotation mark mean anything in one."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'


def _title_page(book: Manuscript, messages: Messages) -> Iterator[str]:
    yield "#[#metadata(none)<opening>]\n#{ set par(first-line-indent: 0em, justify: false); set align(center)\nv(25%)\n"
    yield f"text(size: 2.2em, {_string(book_title(book, messages))})\n"
    for size, line in ((1.0, series_line(book, messages)), (1.3, book.author)):
        if line:
            yield f"parbreak()\nv(1.5em)\ntext(size: {size}em, {_string(line)})\n"
    if book.rehearsal:
        yield f"parbreak()\nv(1fr)\ntext(size: 0.8em, {_string(messages.say('export.rehearsal'))})\n"
    yield "}\n"


def _matter(page: Matter, language: Language) -> Iterator[str]:
    if page.title:
        yield f"#chapter(1, {_string(page.title)})\n"
    else:
        yield "#pagebreak(weak: true)\n#[#metadata(none)<opening>]\n#v(25%)\n"
    yield from _prose(prose(page.text, language), language)


def _story(book: Manuscript, messages: Messages) -> Iterator[str]:
    level = 2 if any(chapter.volume for chapter in book.chapters) else 1
    yield "#pagebreak(weak: true)\n#counter(page).update(1)\n#[#metadata(none)<story>]\n"
    for volume, chapters in by_volume(book.chapters):
        if volume:
            yield f"#volume({_string(volume)})\n"
        for number, chapter in chapters:
            yield f"#chapter({level}, {_string(heading(chapter, number, messages))})\n"
            if chapter.draft:
                yield f"#align(center, {_string(messages.say('export.draft'))})\n"
            yield from _prose(prose(chapter.text, book.language), book.language)


def _prose(told: Prose, language: Language) -> Iterator[str]:
    for block in told.blocks:
        yield _block(block, told, language)


def _block(block: Block, told: Prose, language: Language) -> str:
    if block.kind == "paragraph":
        return _line(block.lines[0], told) + "\n\n"
    if block.kind == "break":
        return f"#scene({_string(ORNAMENT[language])})\n\n"
    if block.kind == "table":
        cells = ", ".join(f"[{_line(cell, told)}]" for row in block.rows for cell in row)
        return f"#sheet({len(block.rows[0])}, {cells})\n\n"
    lines = ", ".join(f"[{_line(line, told)}]" for line in block.lines)
    return f"#{'panel' if block.kind == 'box' else 'quoted'}({lines})\n\n"


def _line(line: Line, told: Prose) -> str:
    return "".join(_run(run, told) for run in line)


def _run(run: Run, told: Prose) -> str:
    if run.note:
        note = "".join(_run(each, told) for each in told.notes[run.note - 1] if not each.note)
        return f"#footnote[{note}];"
    said = _string(run.text)
    if run.ruby:
        return f"#ruby({said}, {_string(run.ruby)});"
    if run.dots:
        return f"#dots({said});"
    return f"#slanted({said});" if run.emphasis else f"#{said};"
