"""The demo: the real pipeline on the offline author, whose drafts carry planned faults; no step is special."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from inkos.hosts.cli.books import created_lines
from inkos.hosts.cli.production import outcome_lines
from inkos.hosts.cli.reports import exported_lines
from inkos.hosts.cli.session import Options, Session, fail, tell

if TYPE_CHECKING:
    from inkos.messages import Language, Messages
    from inkos.records import Record

CHAPTERS = 3
LENGTHS = {"en": 900, "zh": 1500}  # short enough to read, long enough to show what each step does
GENRES = {"en": ("detective", "standalone", 12), "zh": ("historical", "serial", 30)}


def run(chosen: Options, folder: Path, language: str, brief: Path | None) -> None:
    """Found a book, write three chapters, export it. Ends with the exit code of design/cli.md."""
    try:
        session, result = asyncio.run(_demo(chosen, folder, language, brief))
        tell(session, result, _lines)
    except BaseException as trouble:
        fail(chosen, trouble)
    raise typer.Exit(0)


async def _demo(chosen: Options, folder: Path, language: str, brief: Path | None) -> tuple[Session, Record]:
    from inkos.actions import Door, demo
    from inkos.errors import UsageFault
    from inkos.hosts import wire
    from inkos.hosts.cli.progress import Progress

    if language not in ("", "en", "zh"):
        raise UsageFault("choice", where="--language", given=language, allowed="en, zh")
    tongue: Language = "zh" if (language or wire.interface_language()) == "zh" else "en"
    workspace = wire.demo_workspace(folder, tongue)
    session = Session(chosen, workspace, workspace.messages(wire.interface_language()))
    progress = Progress(session.messages, quiet=chosen.quiet or chosen.json)
    genre, form, chapters = GENRES[tongue] if brief is None else ("general", "serial", 100)
    command = demo.Demo.model_validate(
        {"brief": workspace.read_text(str(brief)) if brief else wire.demo_brief(tongue), "language": tongue,
         "length": LENGTHS[tongue], "count": CHAPTERS, "genre": genre, "form": form, "chapters": chapters}
    )  # fmt: skip
    try:
        return session, await demo.demo(Door(workspace, progress.hear, lambda: False), command)
    finally:
        progress.close()


def _lines(messages: Messages, result: Any) -> Iterator[str]:
    yield from created_lines(messages, result.created)
    yield ""
    for chapter in result.written.chapters:
        yield from outcome_lines(messages, chapter)
    yield ""
    yield from exported_lines(messages, result.exported)
    if result.exported.epubcheck is None:
        yield messages.say("cli.demo.epubcheck-missing")
    yield messages.say("cli.demo.lies", folder=result.created.folder)
