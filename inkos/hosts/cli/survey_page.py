"""A survey as one HTML file with its charts inside; loads nothing from anywhere, and knows only what the table says."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from inkos.hosts.cli.auditing import score_cell, written

if TYPE_CHECKING:
    from inkos.messages import Messages

WIDTH, HEIGHT, LEFT, EDGE = 440, 110, 46, 16  # of one chart, in pixels; room for the figures, room above and below
DOTS = 60  # chapters up to which each has a dot of its own; beyond them a line alone is easier to read
_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #667; --page: #fff; --line: #2b6cb0; --fill: #2b6cb022;
  --grid: #8883; --info: #4a90d922; --warning: #d9822b; --blocking: #c53030; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa4b2; --page: #14181d; --line: #63b3ed;
  --fill: #63b3ed22; --info: #63b3ed33; --warning: #ed9f4f; --blocking: #fc8181; } }
body { font: 15px/1.55 system-ui, "Noto Sans", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  color: var(--ink); background: var(--page); max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
p.lead { color: var(--soft); margin: 0 0 1rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: .4rem 1.6rem; }
figure { margin: 0; } figcaption { font-weight: 600; } figcaption small { font-weight: 400; color: var(--soft); }
svg { width: 100%; height: auto; display: block; }
polyline { fill: none; stroke: var(--line); stroke-width: 1.6; stroke-linejoin: round; }
polygon { fill: var(--fill); } circle { fill: var(--line); }
rect { fill: transparent; } rect:hover { fill: var(--grid); }
line { stroke: var(--grid); } line.limit { stroke: var(--warning); stroke-dasharray: 4 3; }
svg text { font-size: 12px; fill: var(--soft); }
.wide { overflow: auto; max-height: 75vh; border: 1px solid var(--grid); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .18rem .55rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
thead th { position: sticky; top: 0; background: var(--page); font-weight: 600; vertical-align: bottom; }
thead th.code { padding: .4rem .2rem; } thead th.code span { writing-mode: vertical-rl; transform: rotate(180deg); }
td.title, th.title { text-align: left; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; }
td.none { color: #8886; } td.info { background: var(--info); } td.code { text-align: center; }
td.warning, b.warning { color: var(--warning); font-weight: 600; }
td.blocking, b.blocking { color: #fff; background: var(--blocking); font-weight: 700; }
b { padding: 0 .3rem; border-radius: .2rem; } b.info { color: var(--line); }
tbody tr:hover td { background: var(--fill); }
blockquote { margin: .1rem 0 .8rem; padding: .1rem .9rem; border-left: 3px solid var(--grid); }
dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0 0 0 1.2rem; color: var(--soft); }
"""


def page(messages: Messages, result: Any) -> str:
    """The whole page as text: what was found, the course of each measure, the places, the table, what codes mean."""
    survey = result.survey
    words = sum(row.measures.length for row in survey.chapters)
    head = messages.say("survey.head", name=result.name, chapters=len(survey.chapters), words=words,
                        language=survey.language)  # fmt: skip
    charts = "".join(
        _chart(messages, name, values, survey.limit if name == "habits" else None)
        for name, values in survey.trend.items()
    )
    parts = [
        f'<!doctype html>\n<html lang="{messages.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(result.name)}</title><style>{_STYLE}</style></head><body>",
        f'<h1>{escape(result.name)}</h1><p class="lead">{escape(head)}</p>',
        f'<div class="charts">{charts}</div>' if len(survey.chapters) > 1 else "",
        _passages(messages, survey),
        _table(messages, survey),
        _codes(messages, survey),
        "</body></html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _chart(messages: Messages, name: str, values: Sequence[float], limit: float | None) -> str:
    """One measure over the chapters, from nothing to its largest value; the figure of each chapter under the mouse."""
    label = messages.say(f"survey.column.{name}")
    high = max(*values, limit or 0.0, 1e-9)
    step = (WIDTH - LEFT - 6) / max(1, len(values) - 1)
    floor = HEIGHT - EDGE

    def at(value: float) -> float:
        return round(floor - value / high * (floor - EDGE), 1)

    points = [(round(LEFT + n * step, 1), at(value)) for n, value in enumerate(values)]
    line = " ".join(f"{x},{y}" for x, y in points)
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="2.2"/>' for x, y in points) if len(points) <= DOTS else ""
    told = "".join(
        f'<rect x="{x - step / 2:.1f}" y="{EDGE}" width="{step:.1f}" height="{floor - EDGE}">'
        f"<title>{n}: {escape(written(name, value))}</title></rect>"
        for n, ((x, _), value) in enumerate(zip(points, values, strict=True), 1)
    )
    bar = f'<line class="limit" x1="{LEFT}" x2="{WIDTH - 6}" y1="{at(limit)}" y2="{at(limit)}"/>' if limit else ""
    about = messages.say(f"survey.about.{name}")
    extent = f"{written(name, min(values))} – {written(name, max(values))}"
    return (
        f"<figure><figcaption>{escape(label)} <small>{escape(about)}</small></figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(label)}: {escape(extent)}">'
        f'<line x1="{LEFT}" x2="{WIDTH - 6}" y1="{floor}" y2="{floor}"/>'
        f'<text x="{LEFT - 5}" y="{EDGE + 4}" text-anchor="end">{escape(written(name, high))}</text>'
        f'<text x="{LEFT - 5}" y="{floor + 3}" text-anchor="end">0</text>'
        f'<text x="{LEFT}" y="{HEIGHT - 3}">1</text>'
        f'<text x="{WIDTH - 6}" y="{HEIGHT - 3}" text-anchor="end">{len(values)}</text>'
        f'<polygon points="{LEFT},{floor} {line} {points[-1][0]},{floor}"/>{bar}<polyline points="{line}"/>{dots}{told}'
        "</svg></figure>"
    )


def _table(messages: Messages, survey: Any) -> str:
    scored = any(row.score is not None for row in survey.chapters)
    names = ["length", "habits", "reused", "dialogue", *(["score"] if scored else [])]
    head = f'<th></th><th class="title">{escape(messages.say("survey.column.title"))}</th>'
    head += "".join(f"<th>{escape(messages.say(f'survey.column.{name}'))}</th>" for name in names)
    head += "".join(f'<th class="code"><span>{escape(code)}</span></th>' for code in survey.codes)
    rows = []
    for row in survey.chapters:
        cells = [written(name, getattr(row.measures, name)) for name in names if name != "score"]
        cells += [score_cell(row)] if scored else []
        html = f'<td>{row.number}</td><td class="title" title="{escape(row.title)}">{escape(row.title)}</td>'
        html += "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        for code in survey.codes:
            found = [f.severity for f in row.findings if f.code == code]
            worst = next((s for s in ("blocking", "warning", "info") if s in found), "none")
            html += f'<td class="code {worst}">{len(found) or "·"}</td>'
        rows.append(f"<tr>{html}</tr>")
    title = f"<h2>{escape(messages.say('survey.table'))}</h2>"
    return f'{title}<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


def _passages(messages: Messages, survey: Any) -> str:
    if not survey.worst:
        return ""
    rows = "".join(
        f'<b class="{p.severity}">{p.chapter} · {escape(p.code)}</b><blockquote>{escape(p.quote)}</blockquote>'
        for p in survey.worst
    )
    return f"<h2>{escape(messages.say('survey.worst'))}</h2>{rows}"


def _codes(messages: Messages, survey: Any) -> str:
    rows = "".join(f"<dt>{escape(code)}</dt><dd>{escape(messages.say(f'findings.{code}.about'))}</dd>"
                   for code in survey.codes)  # fmt: skip
    return f"<dl>{rows}</dl>" if rows else f"<p>{escape(messages.say('survey.clean'))}</p>"
