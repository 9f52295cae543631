"""Commands about what is true: state check, at, diff, facts, hooks, who-knows, replay, adopt; judges nothing itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.chapter import stale_chapter
from inkos.hosts.cli.flags import Book, Json, position
from inkos.hosts.cli.session import Build, Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

state = typer.Typer(help=help_for("state.about"), rich_markup_mode=None, no_args_is_help=True)
At = Annotated[int | None, typer.Option("--at", min=0, help=help_for("option.at"))]
Position = Annotated[str, typer.Argument(metavar="CHAPTER", help=help_for("argument.position"))]


def register(app: typer.Typer) -> None:
    app.add_typer(state, name="state")


def _of_book(session: Session) -> Record:
    from inkos.actions.reports import OfBook

    return OfBook(book=session.book())


def _position(chapter: str, session: Session) -> int:
    """0 is before the first chapter."""
    return 0 if chapter == "0" else position(chapter, session.book(), session.workspace) or 0


def finding_lines(messages: Messages, finding: Any) -> Iterator[str]:
    """A finding with its words: those of the chapter it was found in, then the earlier ones they collide with."""
    from inkos.gates.numbering import wrong

    severity = messages.say(f"cli.severity.{finding.severity}")
    chapter = finding.values.get("chapter")
    head = messages.say("cli.state.in-chapter", chapter=chapter) if chapter else ""
    yield f"{head}[{finding.code} {severity}] {wrong(finding, messages)}"
    for quote in finding.quotes:
        source = quote.source
        if source in ("text", "chapter"):
            number = quote.chapter if quote.chapter is not None else chapter
            source = messages.say("cli.state.chapter", chapter=number) if number else ""
        often = messages.say("cli.state.places", places=quote.places) if quote.places > 1 else ""
        yield f"    {source} «{quote.text}»{often}".rstrip()


# -- checking


@state.command("check", help=help_for("state.check"))
def check(
    context: typer.Context,
    book: Book = None,
    cases: Annotated[str | None, typer.Option("--cases", metavar="FILE", help=help_for("option.cases"))] = None,
    json: Json = False,
) -> None:
    chosen = options(context, book, json)
    if cases is None:
        perform(chosen, "state-check", _of_book, _checked, lambda result: 0 if result.clean else 1)
        return
    file: str = cases

    def build(session: Session) -> Record:
        from inkos.actions.truth import CheckCases

        of_book = session.book() if chosen.book else ""
        return CheckCases(file=file, text=session.workspace.read_text(file), book=of_book)

    perform(chosen, "state-cases", build, _cases, lambda result: 0 if result.total.good else 1)


def in_words(messages: Messages, line: str) -> str:
    """A line about a fact with its predicate in the reader's words; scripts get the name, in the JSON."""
    subject, *rest = line.split(" · ", 2)
    code = f"predicates.{rest[0]}" if len(rest) == 2 else ""
    return " · ".join((subject, messages.say(code), rest[1])) if code in messages else line


def _checked(messages: Messages, result: Any) -> Iterator[str]:
    for problem in result.problems:
        yield messages.say(f"cli.problem.{problem.kind}", path=problem.path)
    for finding in result.findings:
        yield from finding_lines(messages, finding)
    for row in result.stale:
        yield from stale_chapter(messages, row)
    verdict = "clean" if result.clean else "not-clean"
    yield messages.say(f"cli.state.{verdict}", chapters=result.chapters)
    if not result.replayed:
        yield messages.say("cli.state.replay-differs")
    if any(problem.kind == "changed" for problem in result.problems):
        yield messages.say("cli.state.edited")


def _cases(messages: Messages, result: Any) -> Iterator[str]:
    for name, family in result.families.items():
        yield messages.say("cli.cases.family", family=name, found=family.found, seeded=family.seeded,
                           flagged=family.flagged, clean=family.clean)  # fmt: skip
        for case in result.cases:
            if case.family == name and case.seeded and case.flagged:
                yield messages.say("cli.cases.found", id=case.id, codes=", ".join(case.codes))
        for case in family.missed:
            yield messages.say("cli.cases.missed", id=case.id)
        for case in family.wrong:
            yield messages.say("cli.cases.wrong", id=case.id, codes=", ".join(case.codes))
    total = result.total
    shares = {"found_share": f"{total.found_share:.1%}", "flagged_share": f"{total.flagged_share:.1%}"}
    yield messages.say("cli.cases.total", found=total.found, seeded=total.seeded, flagged=total.flagged,
                       clean=total.clean, **shares)  # fmt: skip
    yield messages.say("cli.cases.good" if total.good else "cli.cases.bad")


@state.command("replay", help=help_for("state.replay"))
def replay(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        for finding in result.findings:
            yield from finding_lines(messages, finding)
        for number in result.stale:
            yield messages.say("cli.state.stale", chapter=number)
        yield messages.say("cli.state.replay-equal" if result.equal else "cli.state.replay-differs",
                           chapters=result.chapters)  # fmt: skip

    perform(options(context, book, json), "state-replay", _of_book, lines, lambda result: 0 if result.equal else 1)


# -- looking


def _show(part: str, at: int | str | None) -> Build:
    def build(session: Session) -> Record:
        from inkos.actions.truth import PARTS, ShowState
        from inkos.errors import UsageFault

        if part not in PARTS:
            raise UsageFault("choice", where="PART", given=part, allowed=", ".join(PARTS))
        after = _position(at, session) if isinstance(at, str) else at
        return ShowState.model_validate({"book": session.book(), "part": part, "at": after})

    return build


def _shown(messages: Messages, result: Any) -> Iterator[str]:
    yield messages.say("cli.state.at", at=result.at)
    yield from (in_words(messages, line) for line in result.lines)


@state.command("show", help=help_for("state.show"))
def show(
    context: typer.Context,
    part: Annotated[str, typer.Argument(metavar="PART", help=help_for("argument.part"))] = "all",
    at: At = None,
    book: Book = None,
    json: Json = False,
) -> None:
    perform(options(context, book, json), "state-show", _show(part, at), _shown)


@state.command("at", help=help_for("state.at"))
def at(context: typer.Context, chapter: Position, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "state-show", _show("all", chapter), _shown)


@state.command("diff", help=help_for("state.diff"))
def diff(
    context: typer.Context, before: Position, after: Position, book: Book = None, json: Json = False
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.truth import DiffStates

        return DiffStates(
            book=session.book(), before=_position(before, session), after=_position(after, session)
        )

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.state.between", before=result.before, after=result.after)
        yield from _changes(messages, result.changes)

    perform(options(context, book, json), "state-diff", build, lines)


def _changes(messages: Messages, changes: Any) -> Iterator[str]:
    marks = {"new": "+", "gone": "-", "changed": "~"}
    table = ""
    for change in changes:
        if change.table != table:
            table = change.table
            yield messages.say(f"cli.state.table.{table}")
        was = messages.say("cli.state.was", before=change.before) if change.before else ""
        yield f"  {marks[change.kind]} {in_words(messages, change.line)}{was}"
    if not changes:
        yield messages.say("cli.state.same")


@state.command("facts", help=help_for("state.facts"))
def facts(
    context: typer.Context,
    subject: Annotated[str, typer.Option("--subject", metavar="NAME", help=help_for("option.subject"))] = "",
    history: Annotated[bool, typer.Option("--history", help=help_for("option.history"))] = False,
    at: At = None,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.truth import AskFacts

        return AskFacts(book=session.book(), subject=subject, history=history, at=at)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.state.at", at=result.at)
        for row in result.facts:
            span = "open" if row.until is None else "closed"
            while_ = messages.say(f"cli.state.{span}", since=row.since, until=row.until)
            source = row.source
            if source == "text":
                source = messages.say("cli.state.chapter", chapter=row.since if row.chapter is None else row.chapter)
            quote = f"  {source} «{row.quote}»" if row.quote else ""
            yield f"  {in_words(messages, row.line)}  {while_}{quote}"

    perform(options(context, book, json), "state-facts", build, lines)


@state.command("hooks", help=help_for("state.hooks"))
def hooks(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.state.at", at=result.at)
        for row in result.promises:
            stands = messages.say(f"cli.promise.{row.state}", status=row.status)
            span = messages.say("cli.promise.span", since=row.since, last=row.last, opens=row.opens, closes=row.closes)
            yield f"  {row.handle} [{stands}] {row.core}  {span}"
            if row.waits_for:
                yield "      " + messages.say("cli.promise.waits-for", names="; ".join(row.waits_for))

    perform(options(context, book, json), "state-hooks", _of_book, lines)


@state.command("who-knows", help=help_for("state.who-knows"))
def who_knows(
    context: typer.Context,
    secret: Annotated[str, typer.Argument(metavar="SECRET", help=help_for("argument.secret"))],
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.truth import AskKnowledge

        return AskKnowledge(book=session.book(), secret=secret)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        known = result.knowledge
        yield f"{known.about}: {known.truth}" if known.truth else known.about
        for knower in known.knowers:
            since = "from-start" if knower.since is None else "since"
            quote = f" «{knower.quote}»" if knower.quote else ""
            yield f"  {knower.name}  {messages.say(f'cli.knows.{since}', since=knower.since)}{quote}"
        for name in known.unaware:
            yield "  " + messages.say("cli.knows.unaware", name=name)
        if known.truth:
            reader = "reader-open" if known.reader is None else "reader"
            yield "  " + messages.say(f"cli.knows.{reader}", chapter=known.reader)

    perform(options(context, book, json), "state-who-knows", build, lines)


@state.command("rules", help=help_for("state.rules"))
def rules(context: typer.Context, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "state-rules", _of_book, lambda messages, result: iter(result.lines))


# -- adopting


@state.command("adopt", help=help_for("state.adopt"))
def adopt(
    context: typer.Context,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help=help_for("option.reason"))] = "",
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.truth import AdoptState

        return AdoptState(book=session.book(), reason=reason)

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        yield messages.say("cli.state.adopted", at=result.at)
        yield from _changes(messages, result.changes)

    perform(options(context, book, json), "state-adopt", build, lines)
