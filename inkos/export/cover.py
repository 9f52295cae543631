"""A typographic cover as SVG from title, author and series; knows no images and no fonts beyond rough widths."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from inkos.export.manuscript import Manuscript, book_title, series_line
from inkos.messages import Language, Messages
from inkos.records import digest
from inkos.text.characters import CJK_MARKS, HAN, KANA

WIDTH, HEIGHT = 1600, 2400  # pixels, 2:3 as most book covers
MARGIN = 200
LEADING = 1.4  # from line to line, in sizes of the type
TITLE_TOP, TITLE_HEIGHT = 560, 760

# Ground, ink, line. Dark grounds with pale ink: they stay legible as a thumbnail in grey.
PALETTES = (
    ("#22303c", "#f3ede0", "#b08d57"),
    ("#3a2a2a", "#f4ece0", "#c0a070"),
    ("#1f3a34", "#f1eee2", "#c2a866"),
    ("#2e2a44", "#f0ecf2", "#b79a6b"),
    ("#4a2f22", "#f6eee2", "#d0a868"),
    ("#25343f", "#eef1ef", "#a8b8a0"),
)
FONTS: dict[Language, str] = {
    "zh": "'Source Han Serif SC','Noto Serif CJK SC','Songti SC',STSong,SimSun,serif",
    "en": "Palatino,'Palatino Linotype','Book Antiqua',Georgia,serif",
}

_WIDE_RANGES = HAN + KANA + CJK_MARKS
_WIDE = re.compile(rf"[{_WIDE_RANGES}“”‘’…—]")
# What may stand alone on a line: one wide character, or a word.
_PIECE = re.compile(rf"[{_WIDE_RANGES}]|[^\s{_WIDE_RANGES}]+|\s+")
_NOT_FIRST = frozenset("，。！？；：、）》」』】〉”’…—·～")
_NOT_LAST = frozenset("（《「『【〈“‘")


class Fitted(NamedTuple):
    lines: list[str]
    size: int


def width(text: str) -> float:
    """In em, as wide as the wider of the common book faces set it: nothing may run over the frame."""
    return sum(
        1.0 if _WIDE.match(c) else 0.32 if c.isspace() else 0.72 if c.isupper() or c.isdigit() else 0.57 for c in text
    )


def fit(text: str, largest: int, smallest: int, room: int, height: int) -> Fitted:
    """The largest size at which the text, broken into lines of even length, fits a box of `room` × `height` pixels.
    What does not fit at the smallest size is cut with an ellipsis: the title page has it whole."""
    size = largest
    while True:
        pieces = _pieces(text, room / size)
        lines = _lines(pieces, room / size)
        if len(lines) * size * LEADING <= height:
            break
        if size <= smallest:
            shown = lines[: int(height / (size * LEADING))]
            return Fitted([*shown[:-1], shown[-1][:-1] + "…"], size)
        size = max(smallest, size - 6)
    narrow = max(width(text) / len(lines), *(width(piece) for piece in pieces))
    while narrow < room / size and len(_lines(pieces, narrow)) > len(lines):
        narrow += 0.25
    return Fitted(_lines(pieces, min(narrow, room / size)), size)


def _pieces(text: str, em: float) -> list[str]:
    """What is not parted: words, characters with the marks that must not begin or end a line beside them. Only what is
    wider than a whole line is cut."""
    pieces: list[str] = []
    for whole in _PIECE.findall(text):
        parts = [whole] if width(whole) <= em else list(whole)
        for part in parts:
            last = pieces[-1] if pieces else ""
            cut = len(parts) > 1 and not last.isspace()
            bound = not part.isspace() and (part[0] in _NOT_FIRST or last[-1:] in _NOT_LAST)
            if last and (cut or bound) and width(last + part) <= em:
                pieces[-1] += part
            else:
                pieces.append(part)
    return pieces


def _lines(pieces: list[str], em: float) -> list[str]:
    lines = [""]
    for piece in pieces:
        if lines[-1] and width((lines[-1] + piece).rstrip()) > em:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return [line.rstrip() for line in lines if line.strip()]


def _text(fitted: Fitted, top: float, ink: str) -> str:
    """Centred lines; `top` is the upper edge of the first."""
    size = fitted.size
    return "".join(
        f'<text x="{WIDTH // 2}" y="{top + size * (0.9 + LEADING * at):.0f}" font-size="{size}" fill="{ink}" '
        f'text-anchor="middle">{escape(line)}</text>\n'
        for at, line in enumerate(fitted.lines)
    )


def cover_words(manuscript: Manuscript, messages: Messages) -> str:
    """Everything that stands on the cover, for whoever must know whether there are letters for it."""
    mark = messages.say("export.rehearsal-mark") if manuscript.rehearsal else ""
    return book_title(manuscript, messages) + manuscript.author + series_line(manuscript, messages) + mark


def cover_svg(manuscript: Manuscript, messages: Messages, height: int = HEIGHT) -> str:
    """The whole picture, `WIDTH` × `height` (not less than 2,000). The palette follows from the title: a book keeps its
    cover, a shelf is not one colour."""
    title, series = book_title(manuscript, messages), series_line(manuscript, messages)
    ground, ink, line = PALETTES[int(digest(title)[:8], 16) % len(PALETTES)]
    room = WIDTH - 2 * MARGIN
    big = fit(title, 260 if _WIDE.search(title) else 210, 44, room, TITLE_HEIGHT)
    tall = len(big.lines) * big.size * LEADING
    top = TITLE_TOP + (TITLE_HEIGHT - tall) * 0.38
    rule = top + tall + 70
    parts = [_text(big, top, ink)]
    parts.append(f'<rect x="{WIDTH // 2 - 90}" y="{rule:.0f}" width="180" height="5" fill="{line}"/>\n')
    if manuscript.author:
        parts.append(_text(fit(manuscript.author, 84, 40, room, 240), rule + 80, ink))
    if series:
        parts.append(_text(fit(series, 56, 32, room, 160), 250, line))
    if manuscript.rehearsal:
        parts.append(_text(Fitted([messages.say("export.rehearsal-mark")], 52), height - 290, line))
    frames = "".join(
        f'<rect x="{inset}" y="{inset}" width="{WIDTH - 2 * inset}" height="{height - 2 * inset}" fill="none" '
        f'stroke="{line}" stroke-width="{stroke}"/>\n'
        for inset, stroke in ((90, 6), (112, 2))
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="{FONTS[manuscript.language]}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{height}" fill="{ground}"/>\n{frames}{"".join(parts)}</svg>\n'
    )
