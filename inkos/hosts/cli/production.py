"""Commands that make chapters: write next and the single steps; shows results, makes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Chapter, Json, Length, ProgressMode, Stream, position
from inkos.hosts.cli.session import Session, options, perform
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

write = typer.Typer(help=help_for("write.about"), rich_markup_mode=None, no_args_is_help=True)
PlanFrom = Annotated[str, typer.Option("--plan", metavar="model|outline", help=help_for("option.plan"))]
Steer = Annotated[str, typer.Option("--context", help=help_for("option.context"))]


def register(app: typer.Typer) -> None:
    app.add_typer(write, name="write")
    for step in ("plan", "draft", "revise", "settle"):
        app.command(step, help=help_for(f"step.{step}"))(_step(step))


def checked_plan(plan: str) -> str:
    if plan not in ("model", "outline"):
        from inkos.errors import UsageFault

        raise UsageFault("choice", where="--plan", given=plan, allowed="model, outline")
    return plan


@write.command("next", help=help_for("write.next"))
def write_next(
    context: typer.Context,
    book: Book = None,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help=help_for("option.count"))] = 1,
    until: Annotated[int | None, typer.Option("--until", min=1, help=help_for("option.until"))] = None,
    steer: Steer = "",
    length: Length = None,
    budget: Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.budget"))] = None,
    plan: PlanFrom = "model",
    forecast: Annotated[bool, typer.Option("--forecast", help=help_for("option.forecast"))] = False,
    stream: Stream = False,
    progress: ProgressMode = "",
    json: Json = False,
) -> None:
    def foresee(session: Session) -> Record:
        from inkos.actions.forecast import AskForecast

        return AskForecast(book=session.book(), count=count, until=until, length=length)

    def build(session: Session) -> Record:
        from inkos.actions.production import WriteNext

        return WriteNext.model_validate(
            {"book": session.book(), "count": count, "until": until, "steer": steer, "length": length,
             "tokens": budget, "plan_from": checked_plan(plan)}
        )  # fmt: skip

    chosen = options(context, book, json, progress, stream)
    if forecast:
        perform(chosen, "forecast", foresee, forecast_lines)
    perform(chosen, "write-next", build, _written, _written_code)


def forecast_lines(messages: Messages, result: Any) -> Iterator[str]:
    """A forecast in words; what is not known is said to be unknown."""
    found = result.forecast
    yield messages.say(f"cli.forecast.{found.basis}", chapters=found.chapters, seen=found.seen)
    for name, span, form in (
        ("tokens", found.tokens, "{:,.0f}"), ("money", found.money, "{:.2f} " + result.currency),
        ("minutes", found.seconds, "{:.0f}"),
    ):  # fmt: skip
        scale = 60 if name == "minutes" else 1
        unknown = messages.say("cli.forecast.unknown")
        both = [unknown if edge is None else form.format(edge / scale) for edge in (span.low, span.high)]
        yield "  " + messages.say(f"cli.forecast.{name}", range=" – ".join(dict.fromkeys(both)))


def _step(name: str) -> Any:
    hidden = name != "settle"
    only_settle: Any = typer.Option("", "--erratum", metavar="REASON", hidden=hidden, help=help_for("option.erratum"))

    def command(
        context: typer.Context,
        chapter: Chapter = None,
        book: Book = None,
        steer: Steer = "",
        length: Length = None,
        plan: PlanFrom = "model",
        erratum: str = only_settle,
        json: Json = False,
    ) -> None:
        def build(session: Session) -> Record:
            from inkos.actions.production import Step

            chosen = session.book()
            return Step.model_validate(
                {"book": chosen, "step": name, "chapter": position(chapter, chosen, session.workspace),
                 "steer": steer, "length": length, "plan_from": checked_plan(plan), "erratum": erratum}
            )  # fmt: skip

        perform(options(context, book, json), "step", build, outcome_lines, outcome_code)

    return command


def _written_code(result: Any) -> int:
    return {"done": 0, "needs-review": 3}.get(result.stopped, 1)


def outcome_code(result: Any) -> int:
    return 3 if result.status == "needs-review" else 0


def _written(messages: Messages, result: Any) -> Iterator[str]:
    for notice in result.notices:
        yield messages.say("cli.notice", notice=notice)
    for chapter in result.chapters:
        yield from outcome_lines(messages, chapter)
    if result.stopped == "outline-ends":
        yield messages.say("cli.outline-ends")


def outcome_lines(messages: Messages, chapter: Any) -> Iterator[str]:
    """One chapter's outcome in words: where it stands, what it measures, what is open, what to do next."""
    score = score_of(messages, chapter.score, chapter.percentile)
    # What the gate said shows once it is done: until then the chapter stands where its stage says.
    done = chapter.stage in ("accepted", "review") and chapter.status
    yield messages.say(
        f"cli.outcome.{chapter.status if done else chapter.stage}", position=chapter.position, title=chapter.title,
        score=score, words=chapter.words, target=chapter.target, file=chapter.file, book=chapter.book,
    )  # fmt: skip
    if chapter.plan is not None and chapter.stage == "draft":
        for beat in chapter.plan.beats:
            yield f"  {beat.handle} ({beat.words}) {beat.wants} → {beat.against} → {beat.thing}"
    for finding in chapter.findings:
        if finding.severity != "info":
            yield "  " + finding_line(messages, finding)
    money = messages.say("cli.money-unknown") if chapter.money is None else f"{chapter.money:.4f}"
    yield "  " + messages.say("cli.spent", calls=chapter.calls, tokens=chapter.tokens, money=money, run=chapter.run)


def score_of(messages: Messages, score: float | None, percentile: int | None) -> str:
    """A raw score, and where it stands among its judge's, where that was measured."""
    if score is None:
        return "–"
    if percentile is None:
        return f"{score:.0f}"
    return messages.say("survey.judge.percentile", score=f"{score:.0f}", percentile=percentile)


def finding_line(messages: Messages, finding: Any) -> str:
    """A finding on one line, with its quotes behind it."""
    from inkos.gates.numbering import wrong

    quotes = "".join(f" «{quote.text}»" for quote in finding.quotes[:2])
    severity = messages.say(f"cli.severity.{finding.severity}")
    return f"[{finding.code} {severity}] {wrong(finding, messages)}{quotes}"
