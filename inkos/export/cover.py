"""A typographic cover as SVG from title, author and series; knows no images and no fonts beyond rough widths."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

from inkos.export.manuscript import Manuscript, book_title, series_line
from inkos.messages import Messages
from inkos.records import digest
from inkos.text.characters import CJK_MARKS, HAN, KANA

WIDTH, HEIGHT = 1600, 2400  # pixels, 2:3 as most book covers
MARGIN = 200
TITLE_TOP, TITLE_HEIGHT = 520, 1000

# Ground, ink, line. Dark grounds with pale ink: they stay legible as a thumbnail in grey.
PALETTES = (
    ("#22303c", "#f3ede0", "#b08d57"),
    ("#3a2a2a", "#f4ece0", "#c0a070"),
    ("#1f3a34", "#f1eee2", "#c2a866"),
    ("#2e2a44", "#f0ecf2", "#b79a6b"),
    ("#4a2f22", "#f6eee2", "#d0a868"),
    ("#25343f", "#eef1ef", "#a8b8a0"),
)
FONTS = "'Source Han Serif SC','Noto Serif CJK SC','Songti SC',SimSun,Georgia,'Times New Roman',serif"

_WIDE_RANGES = HAN + KANA + CJK_MARKS
_WIDE = re.compile(rf"[{_WIDE_RANGES}“”‘’…—]")
# What may stand alone on a line: one wide character, or a word.
_PIECE = re.compile(rf"[{_WIDE_RANGES}]|[^\s{_WIDE_RANGES}]+|\s+")
_NOT_FIRST = "，。！？；：、）》」』】〉”’…—·～"
_NOT_LAST = "（《「『【〈“‘"


class Fitted(NamedTuple):
    lines: list[str]
    size: int


def width(text: str) -> float:
    """In em, roughly: a wide character is 1, a capital or digit 0.68, any other letter 0.52, a blank 0.28."""
    return sum(
        1.0 if _WIDE.match(c) else 0.28 if c.isspace() else 0.68 if c.isupper() or c.isdigit() else 0.52 for c in text
    )


def fit(text: str, largest: int, smallest: int, room: int, height: int) -> Fitted:
    """The largest size at which the text, broken into lines of even length, fits a box of `room` × `height` pixels.
    What does not fit at the smallest size is cut with an ellipsis: the title page has it whole."""
    size = largest
    while True:
        lines = _break(text, room / size)
        if len(lines) * size * 1.4 <= height:
            even = _break(text, max(width(text) / len(lines) * 1.08, max(width(line) for line in lines) * 0.6))
            fits = len(even) <= len(lines) and all(width(line) <= room / size for line in even)
            return Fitted(even if fits else lines, size)
        if size <= smallest:
            shown = lines[: int(height / (size * 1.4))]
            return Fitted([*shown[:-1], shown[-1][:-1] + "…"], size)
        size = max(smallest, size - 6)


def _break(text: str, em: float) -> list[str]:
    """Lines of at most `em`, none beginning with a closing or ending with an opening mark, words whole if they fit."""
    pieces: list[str] = []
    for piece in _PIECE.findall(text):
        glue = pieces and not piece.isspace() and (piece[0] in _NOT_FIRST or pieces[-1][-1] in _NOT_LAST)
        if glue:
            pieces[-1] += piece
        elif width(piece) > em:
            pieces += [piece[at : at + max(1, int(em / 0.7))] for at in range(0, len(piece), max(1, int(em / 0.7)))]
        else:
            pieces.append(piece)
    lines = [""]
    for piece in pieces:
        if lines[-1] and width((lines[-1] + piece).rstrip()) > em:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += piece.lstrip() if not lines[-1] else piece
    return [line.rstrip() for line in lines if line.strip()] or [text]


def _text(fitted: Fitted, top: float, ink: str, spacing: float = 0.0) -> str:
    """Centred lines; `top` is the upper edge of the first."""
    return "".join(
        f'<text x="{WIDTH // 2}" y="{top + fitted.size * (0.9 + 1.4 * at):.0f}" font-size="{fitted.size}" fill="{ink}" '
        f'letter-spacing="{spacing}" text-anchor="middle">{escape(line)}</text>\n'
        for at, line in enumerate(fitted.lines)
    )


def cover_svg(manuscript: Manuscript, messages: Messages) -> str:
    """The whole picture. The palette follows from the title: a book keeps its cover, a shelf is not one colour."""
    title, series = book_title(manuscript, messages), series_line(manuscript, messages)
    ground, ink, line = PALETTES[int(digest(title)[:8], 16) % len(PALETTES)]
    room = WIDTH - 2 * MARGIN
    big = fit(title, 260 if _WIDE.search(title) else 210, 44, room, TITLE_HEIGHT)
    top = TITLE_TOP + (TITLE_HEIGHT - len(big.lines) * big.size * 1.4) * 0.38
    rule = top + len(big.lines) * big.size * 1.4 + 70
    parts = [_text(big, top, ink)]
    parts.append(f'<rect x="{WIDTH // 2 - 90}" y="{rule:.0f}" width="180" height="5" fill="{line}"/>\n')
    if manuscript.author:
        parts.append(_text(fit(manuscript.author, 84, 40, room, 240), rule + 80, ink))
    if series:
        parts.append(_text(fit(series, 56, 32, room, 160), 250, line))
    if manuscript.rehearsal:
        parts.append(_text(Fitted([messages.say("export.rehearsal-mark")], 52), HEIGHT - 290, line))
    frames = "".join(
        f'<rect x="{inset}" y="{inset}" width="{WIDTH - 2 * inset}" height="{HEIGHT - 2 * inset}" fill="none" '
        f'stroke="{line}" stroke-width="{stroke}"/>\n'
        for inset, stroke in ((90, 6), (112, 2))
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONTS}">\n<title>{escape(title)}</title>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>\n{frames}{"".join(parts)}</svg>\n'
    )
