"""`inkos audit`: one chapter by a model, or many by deterministic checks alone; shows results, judges nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json, position
from inkos.hosts.cli.session import Options, Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

EACH_KIND = 20  # things shared between books that are named, of each kind; --json has all
TITLE = 22  # columns of a chapter's title in the table


def register(app: typer.Typer) -> None:
    app.command("audit", help=help_for("step.audit"))(audit)


def audit(
    context: typer.Context,
    what: Annotated[list[str] | None, typer.Argument(metavar="CHAPTER|FILE…", help=help_for("argument.audit"))] = None,
    text: Annotated[bool, typer.Option("--text", help=help_for("option.text"))] = False,
    whole: Annotated[bool, typer.Option("--all", help=help_for("option.audit-all"))] = False,
    across: Annotated[bool, typer.Option("--across", help=help_for("option.across"))] = False,
    language: Annotated[str, typer.Option("--language", metavar="en|zh", help=help_for("option.of-text"))] = "",
    html: Annotated[Path | None, typer.Option("--html", help=help_for("option.html"))] = None,
    book: Book = None,
    json: Json = False,
) -> None:
    chosen = options(context, book, json)
    named = tuple(what or ())
    if text:
        perform(chosen, "audit-text", lambda session: _text(named, language), _shown(html, chosen))
    elif across:
        perform(chosen, "audit-across", _across, _across_lines)
    elif whole:
        perform(chosen, "audit-book", _whole, _shown(html, chosen))
    else:
        from inkos.hosts.cli.production import outcome_code, outcome_lines

        perform(chosen, "step", lambda session: _step(session, named), outcome_lines, outcome_code)


def _text(files: tuple[str, ...], language: str) -> Record:
    from inkos.actions.auditing import AuditText
    from inkos.errors import UsageFault

    if not files:
        raise UsageFault("audit-no-text", where="--text")
    if language not in ("", "en", "zh"):
        raise UsageFault("choice", where="--language", given=language, allowed="en, zh")
    return AuditText.model_validate({"files": files, "language": language or None})


def _whole(session: Session) -> Record:
    from inkos.actions.auditing import AuditBook

    return AuditBook(book=session.book())


def _across(session: Session) -> Record:
    from inkos.actions.auditing import AuditAcross

    return AuditAcross()


def _step(session: Session, named: tuple[str, ...]) -> Record:
    from inkos.actions.production import Step

    book = session.book()
    chapter = position(named[0] if named else None, book, session.workspace)
    return Step.model_validate({"book": book, "step": "audit", "chapter": chapter})


def _shown(html: Path | None, chosen: Options) -> Any:
    """How the table is shown; with `--html` the same as a page of its own."""

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield from survey_lines(messages, result)
        if html is not None:
            yield messages.say("survey.page", file=_save(html, chosen, messages, result))

    return lines


def _save(path: Path, chosen: Options, messages: Messages, result: Any) -> str:
    from inkos.hosts.cli.session import open_session
    from inkos.hosts.cli.survey_page import page

    open_session(chosen).workspace.write_file(str(path), page(messages, result).encode())
    return str(path)


def survey_lines(messages: Messages, result: Any) -> Iterator[str]:
    """The table, the course of each measure, the worst passages, and what the codes mean."""
    from inkos.gates.survey import sparkline

    survey = result.survey
    rows = survey.chapters
    words = sum(row.measures.length for row in rows)
    yield messages.say("survey.head", name=result.name, chapters=len(rows), words=words, language=survey.language)
    yield from _rows(messages, survey)
    if len(rows) > 1:
        yield ""
        for name, values in survey.trend.items():
            extent = f"{written(name, min(values))} – {written(name, max(values))}"
            yield f"  {_pad(messages.say(f'survey.column.{name}'), 12)} {sparkline(values)}  {extent}"
    if survey.worst:
        yield ""
        yield messages.say("survey.worst")
        for passage in survey.worst:
            yield f"  {passage.chapter:>4}  {passage.code}  «{_short(passage.quote, 160)}»"
    if survey.codes:
        yield ""
    for mark, code in zip(_marks(survey), survey.codes, strict=True):
        yield f"  {mark}  {code}: {messages.say(f'findings.{code}.about')}"
    if not survey.codes:
        yield messages.say("survey.clean")


def _rows(messages: Messages, survey: Any) -> Iterator[str]:
    """The table: measures with their names, checks under one letter each, so that it fits a terminal."""
    rows = survey.chapters
    names = ("length", "habits", "reused", "dialogue")
    scored = any(row.score is not None for row in rows)
    head = [messages.say(f"survey.column.{name}") for name in (*names, *(["score"] if scored else []))]
    table = [
        [*(written(name, getattr(row.measures, name)) for name in names), *([score_cell(row)] if scored else [])]
        for row in rows
    ]
    widths = [max(map(_width, column)) for column in zip(head, *table, strict=True)]
    yield _line("", messages.say("survey.column.title"), head, widths, _marks(survey))
    for row, cells in zip(rows, table, strict=True):
        yield _line(str(row.number), row.title, cells, widths, [_cell(row, code) for code in survey.codes])


def _marks(survey: Any) -> list[str]:
    """A letter for each code of the table."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    return list(letters[: len(survey.codes)])


def _line(number: str, title: str, cells: list[str], widths: list[int], counts: list[str]) -> str:
    measured = "  ".join(_pad(cell, width, right=True) for cell, width in zip(cells, widths, strict=True))
    found = "".join(_pad(count, 4, right=True) for count in counts)
    return f"{number:>4}  {_pad(_short(title, TITLE), TITLE)}  {measured} {found}".rstrip()


FORMS = {
    "habits": "{:.2f}", "reused": "{:.1%}", "dialogue": "{:.0%}", "short": "{:.0%}", "sentence": "{:.1f}",
    "paragraph": "{:.1f}",
}  # fmt: skip


def written(name: str, value: float) -> str:
    """A measure as people read it."""
    return FORMS.get(name, "{:,.0f}").format(value)


def score_cell(row: Any) -> str:
    """`82`, with its percentile behind it where the judge was measured: `82 · 65 %`."""
    if row.score is None:
        return "–"
    return f"{row.score:.0f}" if row.percentile is None else f"{row.score:.0f} · {row.percentile} %"


def _cell(row: Any, code: str) -> str:
    """How often a chapter trips a check, `!` where it would be stopped."""
    number = row.number_of(code)
    blocks = any(f.blocking for f in row.findings if f.code == code)
    return f"{number}{'!' if blocks else ''}" if number else "·"


def _width(text: str) -> int:
    """Columns in a terminal: a Han character takes two."""
    return sum(2 if "\u2e80" <= c <= "\uffdc" else 1 for c in text)


def _pad(text: str, width: int, *, right: bool = False) -> str:
    blanks = " " * max(0, width - _width(text))
    return blanks + text if right else text + blanks


def _short(text: str, width: int) -> str:
    text = " ".join(text.split())
    while _width(text) > width:
        text = text[: max(1, len(text) - max(1, (_width(text) - width) // 2) - 1)].rstrip() + "…"
    return text


def _across_lines(messages: Messages, result: Any) -> Iterator[str]:
    yield messages.say("survey.across.head", books=len(result.books), shared=len(result.shared))
    told: Counter[str] = Counter()
    for item in result.shared:
        told[item.kind] += 1
        if told[item.kind] > EACH_KIND:
            continue
        places = ", ".join(str(n) for n in item.places)
        what, books = _short(item.what, 120), ", ".join(item.books)
        yield "  " + messages.say(f"survey.across.{item.kind}", what=what, books=books, places=places or "–")
    for kind, number in told.items():
        if number > EACH_KIND:
            kinds = messages.say(f"survey.across.of.{kind}")
            yield "  " + messages.say("survey.across.more", number=number - EACH_KIND, kind=kinds)
