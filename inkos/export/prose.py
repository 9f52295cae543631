"""A chapter's prose as paragraphs, scene breaks, panels, documents, tables and notes; knows no format.

Every character of the prose is literal but for the marks: a line that is a scene break, the marks inside a line
(`markup`), and three forms of block: a panel of a system (`::: system` … `:::`, or lines in brackets), a document that
is quoted (lines that begin with `>`), and a table (`| a | b |` in a panel, or with a line of dashes under its head).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from inkos.export.markup import NOTE, Line, note_labels
from inkos.export.markup import line as read_line
from inkos.messages import Language
from inkos.text.blocks import blocks as set_apart
from inkos.text.characters import IS_CJK, is_scene_break


class Block(NamedTuple):
    """A paragraph has one line, a `box` (a panel) or a `quote` (a document) one or more, a break none. A table has
    `rows` of cells; `head`: the first row names the columns."""

    kind: Literal["paragraph", "break", "box", "quote", "table"]
    lines: tuple[Line, ...] = ()
    rows: tuple[tuple[Line, ...], ...] = ()
    head: bool = False

    @property
    def text(self) -> str:
        """What a reader sees of it, marks without their signs."""
        rows = ("\t".join(shown(cell) for cell in row) for row in self.rows)
        return "\n".join([*map(shown, self.lines), *rows])


class Prose(NamedTuple):
    """`notes` in the order of their numbers, from 1."""

    blocks: tuple[Block, ...]
    notes: tuple[Line, ...] = ()


def shown(runs: Line) -> str:
    return "".join("" if run.note else run.text for run in runs)


_ZH_MARKS = "“”‘’…—·"  # as wide as a Han character in Chinese prose, narrow in English
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_FENCE = re.compile(r"[ \t]*:{3,}[ \t]*(?:\w+(?P<rest>[^\n]*))?$")
_ROW = r"[ \t]*\|[^\n]*\|[ \t]*"
_UNDER = r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*"
_TABLE = re.compile(rf"^{_ROW}\n{_UNDER}(?:\n{_ROW})*$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|(?![^{}|]*\})")  # not the bar inside ruby


def prose(text: str, language: Language) -> Prose:
    """The prose in order. Breaks at the start, at the end and beside another break are dropped."""
    wrapped = _is_wrapped(text)
    text, notes = _without_notes(text, language, wrapped) if "[^" in text else (text, {})
    numbers = {label: number for number, label in enumerate(notes, 1)}

    def read(words: str) -> Line:
        return read_line(words, language, numbers)

    found: list[Block] = []
    end = 0
    for start, stop, kind in _spans(text):
        found += _told(text[end:start], language, wrapped, read)
        found += _set(text[start:stop], kind, read)
        end = stop
    found += _told(text[end:], language, wrapped, read)
    kept = tuple(
        block
        for at, block in enumerate(found)
        if block.kind != "break" or (0 < at < len(found) - 1 and found[at - 1].kind != "break")
    )
    return Prose(kept, tuple(read(words) for words in notes.values()))


Read = Callable[[str], Line]


def _told(text: str, language: Language, wrapped: bool, read: Read) -> Iterator[Block]:
    """Paragraphs and breaks."""
    for chunk in _BLANK_LINE.split(text):
        pending: list[str] = []
        for line in [*(line.strip() for line in chunk.split("\n")), ""]:
            ends = not line or is_scene_break(line) or not wrapped
            if pending and ends and not (line and not is_scene_break(line) and _cuts_sentence(pending[-1])):
                yield Block("paragraph", (read(_join(pending, language)),))
                pending = []
            if line and is_scene_break(line):
                yield Block("break")
            elif line:
                pending.append(line)


def _is_wrapped(text: str) -> bool:
    """Is a single newline a wrap inside a paragraph, or the end of one?

    Files that part paragraphs by blank lines wrap inside them (or not at all); files with one newline after each
    paragraph may still have blank lines around their scene breaks. So: the commoner separation counts, unless many
    single newlines cut a sentence, which only a hard wrap does.
    """
    lines = [line.strip() for line in text.strip().split("\n")]
    pairs = [(one, two) for one, two in pairwise(lines) if one and two]
    blanks = sum(1 for one, two in pairwise(lines) if one and not two)
    return blanks >= len(pairs) or 3 * sum(_cuts_sentence(one) for one, _ in pairs) >= len(pairs)


def _cuts_sentence(line: str) -> bool:
    """Does a sentence go on after this line? It does when it ends in a letter or in a mark that cannot end one."""
    return line[-1].isalnum() or line[-1] in ",;，、；"


def _join(lines: list[str], language: Language) -> str:
    """Hard-wrapped lines as one: one blank between words, none beside a Chinese character or mark."""
    text = lines[0]
    for line in lines[1:]:
        wide = any(IS_CJK.match(c) or (language == "zh" and c in _ZH_MARKS) for c in (text[-1], line[0]))
        text += line if wide else f" {line}"
    return text


# ── notes ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _without_notes(text: str, language: Language, wrapped: bool) -> tuple[str, dict[str, str]]:
    """The prose without the lines that say a note, and the words of each by its label, in the order in which the prose
    refers to them. A line that nothing refers to, or that says a note again, is prose."""
    wanted = set(note_labels(text))
    words: dict[str, str] = {}
    kept: list[str] = []
    saying: list[str] | None = None
    label = ""
    for row in [*text.split("\n"), ""]:
        match = NOTE.fullmatch(row.strip())
        goes_on = saying is not None and row.strip() and match is None and wrapped
        if goes_on and saying is not None:
            saying.append(row.strip())
            continue
        if saying is not None:
            words[label] = _join(saying, language)
            saying = None
        if match and match["label"] in wanted and match["label"] not in words:
            saying, label = [match["words"]], match["label"]
        else:
            kept.append(row)
    left = "\n".join(kept[:-1])
    return left, {name: words[name] for name in note_labels(left) if name in words}


# ── what is set apart ────────────────────────────────────────────────────────────────────────────────────────────────


def _spans(text: str) -> list[tuple[int, int, str]]:
    """Where something is set apart, in order: start, end, `box`, `quote` or `table`. A fence that is never closed is
    prose: it would swallow the chapter."""
    if not any(sign in text for sign in (":::", "【", "[", ">", "|")):
        return []
    found: list[tuple[int, int, str]] = []
    for block in set_apart(text):
        if closed(text[block.start : block.end]):
            found.append((block.start, block.end, "box" if block.kind == "system" else "quote"))
    for match in _TABLE.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end, _ in found):
            found.append((*match.span(), "table"))
    return sorted(found)


def closed(block: str) -> bool:
    """Whether a block that begins with a fence also ends with one."""
    first, *_, last = block.strip().split("\n") * 2
    return not first.startswith(":::") or (last != first and re.fullmatch(r"\s*:{3,}\s*", last) is not None)


def _set(text: str, kind: str, read: Read) -> Iterator[Block]:
    """The blocks of one stretch: a table in a panel stands for itself."""
    rows = [row.strip() for row in text.split("\n") if row.strip()]
    fence = _FENCE.fullmatch(rows[0]) if kind != "table" else None
    if fence:
        title = (fence["rest"] or "").strip()
        rows = [*([title] if title else []), *rows[1:-1]]
    elif kind == "quote":
        rows = [bare for row in rows if (bare := row[1:].strip())]
    plain: list[str] = []
    table: list[str] = []
    for row in [*rows, ""]:
        is_row = len(row) > 1 and row.startswith("|") and row.endswith("|")
        if plain and (is_row or not row):
            yield Block("quote" if kind == "quote" else "box", tuple(map(read, plain)))
            plain = []
        if table and not is_row:
            yield _table(table, read)
            table = []
        if row:
            (table if is_row else plain).append(row)


def _table(rows: list[str], read: Read) -> Block:
    """Every row with as many cells as the widest. A line of dashes under the first row makes it the head."""
    head = len(rows) > 1 and re.fullmatch(_UNDER, rows[1]) is not None
    cells = [[cell.strip().replace("\\|", "|") for cell in _CELL.split(row[1:-1])] for row in rows]
    cells = [row for at, row in enumerate(cells) if not (head and at == 1)]
    most = max(map(len, cells))
    filled = tuple(tuple(read(cell) for cell in [*row, *[""] * (most - len(row))]) for row in cells)
    return Block("table", rows=filled, head=head)
