"""A chapter's prose as XHTML, for the pages of an EPUB and for one page of HTML; knows no heading and no page.

`prefix` keeps the ids of several chapters on one page apart.
"""

from __future__ import annotations

import re
from html import escape

from inkos.export.markup import Line, Run
from inkos.export.prose import Block, Prose
from inkos.messages import Language, Messages

ORNAMENT: dict[Language, str] = {"zh": "＊　＊　＊", "en": "* * *"}


def body(prose: Prose, language: Language, messages: Messages, *, prefix: str = "", epub: bool = True) -> list[str]:
    """The lines of the section, notes at its end. `epub`: with the types that reading systems know."""
    parts: list[str] = []
    first = True
    for block in prose.blocks:
        if block.kind == "paragraph":
            parts.append(('<p class="first">' if first else "<p>") + inline(block.lines[0], prefix, epub) + "</p>")
        elif block.kind == "break":
            name = escape(messages.say("export.scene-break"))
            parts.append(f'<div class="scene" role="separator" aria-label="{name}">{ORNAMENT[language]}</div>')
        else:
            parts.append(_set_apart(block, messages, prefix, epub))
        first = block.kind == "break"
    parts += _notes(prose, messages, prefix, epub)
    return _once(parts) if prose.notes else parts


def _once(parts: list[str]) -> list[str]:
    """A note may be pointed to more than once; the way back leads to the first place, which alone bears the id."""
    seen: set[str] = set()

    def kept(match: re.Match[str]) -> str:
        again = match[0] in seen
        seen.add(match[0])
        return "" if again else match[0]

    return [re.sub(r' id="ref-[\w-]+"', kept, part) for part in parts]


def _set_apart(block: Block, messages: Messages, prefix: str, epub: bool) -> str:
    lines = "".join(f"<p>{inline(line, prefix, epub)}</p>" for line in block.lines)
    if block.kind == "quote":
        return f"<blockquote>{lines}</blockquote>"
    name = escape(messages.say("export.panel"))
    if block.kind == "box":
        return f'<div class="panel" role="group" aria-label="{name}">{lines}</div>'
    rows = [[inline(cell, prefix, epub) for cell in row] for row in block.rows]
    head = ""
    if block.head:
        cells = "".join(f'<th scope="col">{cell}</th>' for cell in rows.pop(0))
        head = f"<thead><tr>{cells}</tr></thead>"
    told = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    told = f"<tbody>{told}</tbody>" if rows else ""
    return f'<table class="panel">{head}{told}</table>'


def inline(runs: Line, prefix: str = "", epub: bool = True) -> str:
    return "".join(_run(run, prefix, epub) for run in runs)


def _run(run: Run, prefix: str, epub: bool) -> str:
    text = escape(run.text, quote=False)
    if run.note:
        kind = 'epub:type="noteref" ' if epub else ""
        at = f"{prefix}{run.note}"
        return f'<sup><a {kind}role="doc-noteref" id="ref-{at}" href="#note-{at}">{run.note}</a></sup>'
    if run.ruby:
        reading = escape(run.ruby, quote=False)
        text = f"<ruby>{text}<rp>（</rp><rt>{reading}</rt><rp>）</rp></ruby>"
    if run.dots:
        text = f'<em class="dots">{text}</em>'
    return f"<em>{text}</em>" if run.emphasis else text


def _notes(prose: Prose, messages: Messages, prefix: str, epub: bool) -> list[str]:
    if not prose.notes:
        return []
    kind = 'epub:type="footnote" ' if epub else ""
    back = escape(messages.say("export.note-back"))
    parts = [f'<section class="notes" role="doc-endnotes" aria-label="{escape(messages.say("export.notes"))}">']
    for number, note in enumerate(prose.notes, 1):
        at = f"{prefix}{number}"
        parts.append(
            f'<aside {kind}role="doc-footnote" id="note-{at}"><p><a href="#ref-{at}" role="doc-backlink" '
            f'aria-label="{back}">{number}</a> {inline(note, prefix, epub)}</p></aside>'
        )
    return [*parts, "</section>"]
