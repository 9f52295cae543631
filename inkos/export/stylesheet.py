"""How a page looks, for Chinese and for English, each as it is set in print; knows nothing of the text.

Readers choose size and face themselves, so neither is fixed here: measures are in em, faces are only a preference.
"""

from __future__ import annotations

from inkos.messages import Language

_BOTH = """\
html { -webkit-text-size-adjust: 100%; }
body { margin: 0 5%; padding: 0; text-align: justify; overflow-wrap: break-word; }
p { margin: 0; orphans: 2; widows: 2; }
em { font-style: italic; }
h1 { font-weight: normal; text-align: center; break-after: avoid; page-break-after: avoid;
  hyphens: none; text-wrap: balance; }
h1 .label, h1 .title { display: block; }
.scene { margin: 1.4em 0; text-align: center; text-indent: 0; break-after: avoid; page-break-after: avoid; }
em.dots { font-style: normal; text-emphasis: filled dot; text-emphasis-position: under right;
  -webkit-text-emphasis: filled dot; -webkit-text-emphasis-position: under; }
ruby rt { font-size: 0.5em; }
.panel { margin: 1.2em auto; padding: 0.7em 1em; border: 1px solid currentColor; border-radius: 0.3em;
  text-align: left; break-inside: avoid; page-break-inside: avoid; font-size: 0.92em; }
.panel p { text-indent: 0; margin: 0.15em 0; }
table.panel { border-collapse: collapse; border-radius: 0; padding: 0; }
table.panel th, table.panel td { border: 1px solid currentColor; padding: 0.25em 0.8em; text-align: left; }
blockquote { margin: 1.2em 2em; }
blockquote p { text-indent: 0; margin: 0.3em 0; }
.notes { margin-top: 2.5em; border-top: 1px solid currentColor; padding-top: 0.8em; font-size: 0.85em; }
.notes p { text-indent: 0; margin: 0.3em 0; }
sup { line-height: 0; font-size: 0.7em; }
sup a, .notes a { text-decoration: none; }
.draft { margin: 0 0 2em; text-align: center; text-indent: 0; font-size: 0.85em; }
.volume { break-before: page; page-break-before: always; break-after: page; page-break-after: always; }
.volume h1 { margin-top: 35%; }
.titlepage { text-align: center; }
.titlepage h1 { margin: 30% 0 0; }
.titlepage p { text-indent: 0; }
.titlepage .author { margin-top: 2.4em; font-size: 1.1em; }
.titlepage .series { margin-top: 0.9em; font-size: 0.9em; }
.titlepage .note { margin: 5em 12% 0; font-size: 0.8em; border-top: 1px solid currentColor; padding-top: 1em;
  text-wrap: balance; }
.cover { margin: 0; padding: 0; text-align: center; }
.cover img { display: block; margin: 0 auto; height: 100vh; max-width: 100%; max-height: 100vh; object-fit: contain; }
nav h2 { font-weight: normal; text-align: center; margin: 2em 0 1.6em; }
nav ol { list-style: none; margin: 0; padding: 0; text-align: left; }
nav ol ol { margin: 0.2em 0 0.9em 1.4em; }
nav li { margin: 0.45em 0; }
nav a { color: inherit; text-decoration: none; }
nav#id ~ nav { display: none; }
"""

_STYLES: dict[Language, str] = {
    # Two characters of indent on every paragraph, lines wide apart, no hyphens, no blank between Chinese and Latin
    # beyond what stands in the text, emphasis by dots: slanted Chinese type does not exist in print.
    "zh": """\
body { font-family: "Source Han Serif SC", "Noto Serif CJK SC", "Songti SC", STSong, SimSun, serif;
  line-height: 1.85; line-break: strict; text-justify: inter-ideograph; hyphens: none; }
p { text-indent: 2em; }
em { font-style: normal; text-emphasis: filled dot; text-emphasis-position: under right;
  -webkit-text-emphasis: filled dot; -webkit-text-emphasis-position: under; }
h1 { margin: 3.2em 0 2.4em; font-size: 1.45em; line-height: 1.5; letter-spacing: 0.08em; word-break: keep-all; }
h1 .label { font-size: 0.68em; letter-spacing: 0.3em; margin-bottom: 0.5em; }
.scene { letter-spacing: 0.2em; }
.titlepage h1 { font-size: 2.1em; letter-spacing: 0.12em; }
.titlepage .author { letter-spacing: 0.2em; }
""",
    # Indents of 1.2 em, none after a heading or a break, hyphenated where the reader can.
    "en": """\
body { font-family: "Iowan Old Style", Palatino, "Palatino Linotype", "Book Antiqua", Georgia, serif;
  line-height: 1.45; hyphens: auto; -webkit-hyphens: auto; adobe-hyphenate: auto; }
p { text-indent: 1.2em; }
p.first { text-indent: 0; }
h1 { margin: 3.6em 0 2.6em; font-size: 1.6em; line-height: 1.25; }
h1 .label { font-size: 0.58em; letter-spacing: 0.14em; text-transform: uppercase; margin-bottom: 0.9em; }
.scene { letter-spacing: 0.5em; }
.titlepage h1 { font-size: 2.2em; }
""",
}


def stylesheet(language: Language) -> str:
    return _BOTH + _STYLES[language]


_PAGE = """\
body { max-width: 38em; margin: 0 auto; padding: 0 1.2em 4em; }
header.titlepage h1 { margin-top: 3em; }
header.titlepage img { display: block; margin: 2em auto 0; max-width: 60%; height: auto; }
h2, h3 { font-weight: normal; text-align: center; margin: 4em 0 2em; line-height: 1.4; text-wrap: balance; }
h2.volume { margin-top: 6em; font-size: 1.8em; }
nav { margin: 4em 0; }
nav a:hover, nav a:focus { text-decoration: underline; }
@media (prefers-color-scheme: dark) { html { background: #181818; color: #d8d4cc; } a { color: inherit; } }
@media print { .chapter { break-before: page; } }
"""


def page_stylesheet(language: Language) -> str:
    """For a whole book on one page, in a browser."""
    return stylesheet(language) + _PAGE
