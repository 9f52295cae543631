"""The demo: the real pipeline on the offline author, whose drafts carry planned faults; no step is special."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import count
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


def run(chosen: Options, folder: Path | None, language: str, brief: Path | None) -> None:
    """Found a book, write three chapters, export it. Ends with the exit code of design/cli.md."""
    try:
        session, result = asyncio.run(_demo(chosen, folder, language, brief))
        tell(session, result, _lines)
    except BaseException as trouble:
        fail(chosen, trouble)
    raise typer.Exit(0)


async def _demo(chosen: Options, folder: Path | None, language: str, brief: Path | None) -> tuple[Session, Record]:
    from inkos.actions import Door, demo
    from inkos.errors import UsageFault
    from inkos.hosts import wire
    from inkos.hosts.cli.progress import Progress
    from inkos.text.lang import language_of

    if language not in ("", "en", "zh"):
        raise UsageFault("choice", where="--language", given=language, allowed="en, zh")
    text = wire.read_brief(brief) if brief else ""
    told = language or (language_of(text) if text else wire.interface_language())
    tongue: Language = "zh" if told == "zh" else "en"
    workspace = wire.demo_workspace(folder or _free(Path("inkos-demo")), tongue)
    session = Session(chosen, workspace, workspace.messages(wire.interface_language()))
    progress = Progress(session.messages, quiet=chosen.quiet or chosen.json)
    genre, form, chapters = GENRES[tongue] if brief is None else ("general", "serial", 100)
    command = demo.Demo.model_validate(
        {"brief": text or wire.demo_brief(tongue), "language": tongue,
         "length": LENGTHS[tongue], "count": CHAPTERS, "genre": genre, "form": form, "chapters": chapters}
    )  # fmt: skip
    try:
        return session, await demo.demo(Door(workspace, progress.hear, lambda: False), command)
    finally:
        progress.close()


def _free(folder: Path) -> Path:
    """The folder, or the first of its name and a number that is not there: a demo can be seen again."""
    named = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    return folder if not folder.exists() else next(path for path in named if not path.exists())


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
