"""Commands on accepted chapters: tell one anew, insert, delete, move, lock, compare, undo; makes nothing itself."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from inkos.hosts.cli.flags import Book, Json, Length, position
from inkos.hosts.cli.production import Steer, finding_line, outcome_lines, write
from inkos.hosts.cli.session import Build, Session, fail, open_session, options, perform
from inkos.hosts.cli.terminal import say
from inkos.hosts.cli.words import help_for

if TYPE_CHECKING:
    from inkos.messages import Messages
    from inkos.records import Record

chapter = typer.Typer(help=help_for("chapter.about"), rich_markup_mode=None, no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="CHAPTER", help=help_for("argument.chapter"))]
Erratum = Annotated[str, typer.Option("--erratum", metavar="REASON", help=help_for("option.erratum"))]
DryRun = Annotated[bool, typer.Option("--dry-run", help=help_for("option.dry-run"))]
Budget = Annotated[int | None, typer.Option("--budget", min=1, help=help_for("option.budget"))]


def register(app: typer.Typer) -> None:
    app.add_typer(chapter, name="chapter")


def _at(which: str, session: Session, book: str) -> int:
    found = position(which, book, session.workspace)
    assert found is not None
    return found


# ── telling anew ─────────────────────────────────────────────────────────────────────────────────────────────────────


@write.command("redo", help=help_for("write.redo"))
def redo(
    context: typer.Context,
    which: Which,
    takes: Annotated[int, typer.Option("--takes", min=1, help=help_for("option.takes"))] = 1,
    steer: Steer = "",
    length: Length = None,
    budget: Budget = None,
    plan: Annotated[str, typer.Option("--plan", metavar="model|outline|kept", help=help_for("option.plan-redo"))]
    = "model",
    erratum: Erratum = "",
    dry_run: DryRun = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.redo import Redo
        from inkos.errors import UsageFault

        if plan not in ("model", "outline", "kept"):
            raise UsageFault("choice", where="--plan", given=plan, allowed="model, outline, kept")
        chosen = session.book()
        return Redo(book=chosen, chapter=_at(which, session, chosen), takes=takes, steer=steer, length=length,
                    tokens=budget, plan_from=plan, erratum=erratum, dry_run=dry_run)  # fmt: skip

    perform(options(context, book, json), "write-redo", build, _retold, _retold_code)


@chapter.command("insert", help=help_for("chapter.insert"))
def insert(
    context: typer.Context,
    after: Annotated[str, typer.Option("--after", metavar="CHAPTER", help=help_for("option.after"))],
    title: Annotated[str, typer.Option("--title", help=help_for("option.chapter-title"))] = "",
    file: Annotated[Path | None, typer.Option("--file", help=help_for("option.chapter-file"))] = None,
    steer: Steer = "",
    length: Length = None,
    budget: Budget = None,
    dry_run: DryRun = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.redo import Insert

        chosen = session.book()
        text = session.workspace.read_text(str(file)) if file is not None else ""
        at = 0 if after == "0" else _at(after, session, chosen)
        return Insert(book=chosen, after=at, title=title, steer=steer, text=text, length=length, tokens=budget,
                      dry_run=dry_run)  # fmt: skip

    perform(options(context, book, json), "chapter-insert", build, _retold, _retold_code)


@chapter.command("takes", help=help_for("chapter.takes"))
def takes(context: typer.Context, which: Which, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.redo import OfTakes

        chosen = session.book()
        return OfTakes(book=chosen, chapter=_at(which, session, chosen))

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        if not result.takes:
            yield messages.say("cli.chapter-moves.no-takes", chapter=result.chapter)
        for row in result.takes:
            score = "–" if row.score is None else f"{row.score:.0f}"
            code = "take-chosen" if row.chosen else "take"
            yield messages.say(f"cli.chapter-moves.{code}", number=row.number, score=score, words=row.words,
                               blocking=row.blocking, findings=row.findings, file=row.file)  # fmt: skip

    perform(options(context, book, json), "chapter-takes", build, lines)


@chapter.command("pick", help=help_for("chapter.pick"))
def pick(
    context: typer.Context,
    which: Which,
    take: Annotated[int, typer.Argument(metavar="TAKE", min=1, help=help_for("argument.take"))],
    erratum: Erratum = "",
    dry_run: DryRun = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.redo import Pick

        chosen = session.book()
        return Pick(book=chosen, chapter=_at(which, session, chosen), take=take, erratum=erratum, dry_run=dry_run)

    perform(options(context, book, json), "chapter-pick", build, _retold, _retold_code)


def _retold(messages: Messages, result: Any) -> Iterator[str]:
    if result.takes:
        yield messages.say("cli.chapter-moves.drawn", takes=", ".join(map(str, result.takes)))
    if result.outcome is not None:
        yield from outcome_lines(messages, result.outcome)
    if result.moved is not None:
        yield from moved_lines(messages, result.moved)


def _retold_code(result: Any) -> int:
    return 3 if result.outcome is not None and result.outcome.status == "needs-review" else 0


# ── moving ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def moved_lines(messages: Messages, moved: Any) -> Iterator[str]:
    """What a move did or would do: files, and later chapters with the reasons for their marks."""
    state = "would" if moved.dry_run else "did"
    said = messages.say(f"cli.chapter-moves.what.{moved.what}", position=moved.position, title=moved.title)
    yield messages.say(f"cli.chapter-moves.{state}", what=said)
    for file in moved.files:
        yield "  " + messages.say(f"cli.chapter-moves.file.{file.how}", path=file.path)
    for later in moved.later:
        yield from stale_chapter(messages, later)
    if moved.untouched:
        yield "  " + messages.say("cli.chapter-moves.untouched", count=moved.untouched)
    if moved.move:
        yield messages.say("cli.chapter-moves.undo", move=moved.move)


def stale_lines(messages: Messages, stale: Any, most: int = 5) -> Iterator[str]:
    """A chapter's marks with the words that they rest on."""
    for mark in stale[:most]:
        yield "     " + messages.say(f"cli.stale.{mark.kind}", about=mark.about, code=mark.code, expected=mark.expected,
                                     actual=mark.actual, quote=mark.quote)  # fmt: skip
    if len(stale) > most:
        yield "     " + messages.say("cli.stale.more", count=len(stale) - most)


def stale_chapter(messages: Messages, row: Any) -> Iterator[str]:
    """A stale chapter with its marks and the ways to a healthy one."""
    yield "  " + messages.say("cli.chapter-moves.later", position=row.position, title=row.title)
    yield from stale_lines(messages, row.stale)
    yield "     " + messages.say("cli.stale.way", position=row.position)


def _of_chapter(which: str, erratum: str, dry_run: bool, **more: Any) -> Build:
    def build(session: Session) -> Record:
        from inkos.actions.chapters import LockChapter, MoveChapter, OfChapter

        chosen = session.book()
        if "to" in more:
            more["to"] = _at(more["to"], session, chosen)
        kind = MoveChapter if "to" in more else LockChapter if "locked" in more else OfChapter
        told = {"book": chosen, "chapter": _at(which, session, chosen), "erratum": erratum, "dry_run": dry_run, **more}
        return kind.model_validate(told)

    return build


@chapter.command("delete", help=help_for("chapter.delete"))
def delete(
    context: typer.Context, which: Which, erratum: Erratum = "", dry_run: DryRun = False, book: Book = None,
    json: Json = False,
) -> None:  # fmt: skip
    perform(options(context, book, json), "chapter-delete", _of_chapter(which, erratum, dry_run), moved_lines)


@chapter.command("move", help=help_for("chapter.move"))
def move(
    context: typer.Context, which: Which,
    to: Annotated[str, typer.Option("--to", metavar="CHAPTER", help=help_for("option.to"))],
    erratum: Erratum = "", dry_run: DryRun = False, book: Book = None, json: Json = False,
) -> None:  # fmt: skip
    perform(options(context, book, json), "chapter-move", _of_chapter(which, erratum, dry_run, to=to), moved_lines)


@chapter.command("lock", help=help_for("chapter.lock"))
def lock(context: typer.Context, which: Which, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "chapter-lock", _of_chapter(which, "", False, locked=True), moved_lines)


@chapter.command("unlock", help=help_for("chapter.unlock"))
def unlock(context: typer.Context, which: Which, book: Book = None, json: Json = False) -> None:
    perform(options(context, book, json), "chapter-lock", _of_chapter(which, "", False, locked=False), moved_lines)


@chapter.command("keep", help=help_for("chapter.keep"))
def keep(
    context: typer.Context, which: Which, dry_run: DryRun = False, book: Book = None, json: Json = False
) -> None:
    perform(options(context, book, json), "chapter-keep", _of_chapter(which, "", dry_run), moved_lines)


@chapter.command("undo", help=help_for("chapter.undo"))
def undo(
    context: typer.Context,
    move: Annotated[str, typer.Argument(metavar="MOVE", help=help_for("argument.move"))] = "",
    erratum: Erratum = "",
    dry_run: DryRun = False,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.chapters import Undo

        return Undo(book=session.book(), move=move, erratum=erratum, dry_run=dry_run)

    perform(options(context, book, json), "chapter-undo", build, moved_lines)


@chapter.command("bin", help=help_for("chapter.bin"))
def show_bin(context: typer.Context, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.chapters import OfBin

        return OfBin(book=session.book())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        if not result.moves:
            yield messages.say("cli.chapter-moves.bin-empty")
        for move in result.moves:
            said = messages.say(f"cli.chapter-moves.what.{move.what}", position=move.position, title=move.title)
            yield messages.say(f"cli.chapter-moves.{'bin-undone' if move.undone else 'bin-row'}", move=move.id,
                               at=move.at, what=said)  # fmt: skip

    perform(options(context, book, json), "chapter-bin", build, lines)


# ── comparing ────────────────────────────────────────────────────────────────────────────────────────────────────────


@chapter.command("diff", help=help_for("chapter.diff"))
def diff(
    context: typer.Context,
    which: Which,
    version: Annotated[tuple[str, str] | None, typer.Option("--version", metavar="A B", help=help_for("option.pair"))]
    = None,
    book: Book = None,
    json: Json = False,
) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.compare import Diff

        chosen = session.book()
        return Diff(book=chosen, chapter=_at(which, session, chosen), versions=version or ())

    def lines(messages: Messages, result: Any) -> Iterator[str]:
        scores = ["–" if score is None else f"{score:.0f}" for score in result.scores]
        yield messages.say("cli.diff.head", earlier=result.earlier, later=result.later, first=scores[0],
                           second=scores[1], labels=", ".join(result.labels))  # fmt: skip
        for line in result.lines:
            yield f"{line.mark} {line.text}"
        for name in ("resolved", "remaining", "new"):
            for finding in getattr(result, name):
                yield messages.say(f"cli.diff.{name}", finding=finding_line(messages, finding))

    perform(options(context, book, json), "chapter-diff", build, lines)


@chapter.command("ripple", help=help_for("chapter.ripple"))
def ripple(context: typer.Context, which: Which, book: Book = None, json: Json = False) -> None:
    def build(session: Session) -> Record:
        from inkos.actions.compare import Ripple

        chosen = session.book()
        return Ripple(book=chosen, chapter=_at(which, session, chosen))

    perform(options(context, book, json), "chapter-ripple", build, ripple_lines)


def ripple_lines(messages: Messages, result: Any) -> Iterator[str]:
    said = {"chapter": result.chapter, "title": result.title}
    if result.edited:
        yield messages.say("cli.ripple.edited", **said)
    for lost in result.lost:
        yield "  " + messages.say("cli.ripple.lost", quote=lost.quote)
    for marked in result.marked:
        yield messages.say("cli.ripple.marked", position=marked.position, title=marked.title)
        yield from stale_lines(messages, marked.stale)
    yield messages.say("cli.ripple.rests" if result.rests else "cli.ripple.none", **said)
    for rest in result.rests:
        yield "  " + messages.say(f"cli.ripple.{rest.kind}", position=rest.position, about=rest.about,
                                  words=rest.sentence or rest.quote)  # fmt: skip


# ── editing by hand ──────────────────────────────────────────────────────────────────────────────────────────────────


@chapter.command("edit", help=help_for("chapter.edit"))
def edit(
    context: typer.Context,
    which: Which,
    settle: Annotated[bool, typer.Option("--settle", help=help_for("option.settle"))] = False,
    erratum: Erratum = "",
    book: Book = None,
    json: Json = False,
) -> None:
    chosen = options(context, book, json)
    try:
        session = open_session(chosen)
        name = session.book()
        at = _at(which, session, name)
        changed = _edited(session, name, at, erratum)
    except BaseException as trouble:
        fail(chosen, trouble)
    if not changed:
        say(session.messages.say("cli.edit.same"), error=True)
        raise typer.Exit(0)
    asks = sys.stdin.isatty() and sys.stdout.isatty()
    if settle or (asks and typer.confirm(session.messages.say("cli.edit.ask"))):

        def build(session: Session) -> Record:
            from inkos.actions.production import Step

            return Step(book=name, step="settle", chapter=at, erratum=erratum)

        perform(chosen, "step", build, outcome_lines, lambda result: 3 if result.status == "needs-review" else 0)
    say(session.messages.say("cli.edit.later", chapter=at, book=name), error=True)

    def look(session: Session) -> Record:
        from inkos.actions.compare import Ripple

        return Ripple(book=name, chapter=at)

    perform(chosen, "chapter-ripple", look, ripple_lines)


def _edited(session: Session, book: str, at: int, erratum: str) -> bool:
    """Open the chapter's file in the author's editor; whether it is another afterwards."""
    from inkos.actions.redo import check_lock
    from inkos.errors import InkosError, UsageFault

    store = session.workspace.store(book)
    rows = store.index().chapters
    if at > len(rows):
        raise UsageFault("position-unknown", where=book, chapter=at, last=len(rows))
    check_lock(rows[at - 1], at, erratum)
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageFault("editor-unset", where=rows[at - 1].file)
    path = Path(session.workspace.book_folder(book)) / rows[at - 1].file
    before = path.read_bytes()
    try:
        done = subprocess.run([*shlex.split(editor), str(path)], check=False)
    except OSError as error:
        raise UsageFault("editor-failed", where=editor, detail=error.strerror or "") from error
    if done.returncode:
        raise InkosError("editor-failed", where=editor, detail=str(done.returncode))
    return bool(path.read_bytes() != before)
