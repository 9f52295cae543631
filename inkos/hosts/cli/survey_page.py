"""A survey as one HTML file with its charts inside; loads nothing from anywhere, and knows only what the table says."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from inkos.hosts.cli.auditing import score_cell

if TYPE_CHECKING:
    from inkos.messages import Messages

WIDTH, HEIGHT = 720, 90  # of one chart, in pixels
_STYLE = """
:root { color-scheme: light dark; --line: #2b6cb0; --grid: #8884; --bad: #c53030; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .2rem .5rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap; }
th:nth-child(2), td:nth-child(2) { text-align: left; }
td.stops { color: var(--bad); font-weight: bold; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; } polyline { fill: none; stroke: var(--line); stroke-width: 1.5; }
circle { fill: var(--line); } line { stroke: var(--grid); } text { font-size: 10px; fill: currentColor; }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--grid); }
"""


def page(messages: Messages, result: Any) -> str:
    """The whole page as text."""
    survey = result.survey
    words = sum(row.measures.length for row in survey.chapters)
    head = messages.say("survey.head", name=result.name, chapters=len(survey.chapters), words=words,
                        language=survey.language)  # fmt: skip
    parts = [
        f'<!doctype html>\n<html lang="{messages.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(result.name)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(result.name)}</h1><p>{escape(head)}</p>",
        *(_chart(messages.say(f"survey.column.{name}"), values) for name, values in survey.trend.items()),
        _table(messages, survey),
        _passages(messages, survey),
        _codes(messages, survey),
        "</body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _chart(name: str, values: Sequence[float]) -> str:
    """One measure over the chapters: a line, a point for each, and the least and largest value at the side."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    span = (high - low) or 1.0
    step = (WIDTH - 60) / max(1, len(values) - 1)
    points = [(50 + n * step, HEIGHT - 15 - (v - low) / span * (HEIGHT - 30)) for n, v in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2"><title>{n}: {v:g}</title></circle>'
                   for n, ((x, y), v) in enumerate(zip(points, values, strict=True), 1))  # fmt: skip
    return (
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(name)}: {low:g} – {high:g}">'
        f'<line x1="50" x2="{WIDTH - 10}" y1="{HEIGHT - 15}" y2="{HEIGHT - 15}"/>'
        f'<text x="2" y="20">{high:g}</text><text x="2" y="{HEIGHT - 12}">{low:g}</text>'
        f'<polyline points="{line}"/>{dots}</svg></figure>'
    )


def _table(messages: Messages, survey: Any) -> str:
    names = ("title", "length", "habits", "reused", "dialogue", "score")
    head = "".join(f"<th>{escape(messages.say(f'survey.column.{name}'))}</th>" for name in names)
    head += "".join(f"<th>{escape(code)}</th>" for code in survey.codes)
    rows = []
    for row in survey.chapters:
        m = row.measures
        score = score_cell(row)
        cells = [row.number, row.title, m.length, f"{m.habits:.2f}", f"{m.reused:.1%}", f"{m.dialogue:.0%}", score]
        cells_html = "".join(f"<td>{escape(str(cell))}</td>" for cell in cells)
        for code in survey.codes:
            stops = any(f.blocking for f in row.findings if f.code == code)
            cells_html += f'<td{" class=stops" if stops else ""}>{row.number_of(code) or "·"}</td>'
        rows.append(f"<tr>{cells_html}</tr>")
    return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _passages(messages: Messages, survey: Any) -> str:
    if not survey.worst:
        return ""
    rows = "".join(f"<p>{p.chapter} · {escape(p.code)}</p><blockquote>{escape(p.quote)}</blockquote>"
                   for p in survey.worst)  # fmt: skip
    return f"<h2>{escape(messages.say('survey.worst'))}</h2>{rows}"


def _codes(messages: Messages, survey: Any) -> str:
    rows = "".join(f"<dt>{escape(code)}</dt><dd>{escape(messages.say(f'findings.{code}.about'))}</dd>"
                   for code in survey.codes)  # fmt: skip
    return f"<dl>{rows}</dl>" if rows else f"<p>{escape(messages.say('survey.clean'))}</p>"
