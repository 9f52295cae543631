"""Books whose every reply is on a tape made a moment ago, served over loopback: long ones, without a model; no test."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

from inkos.actions import Door
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, write_next
from inkos.adapters.cassette import Recording
from inkos.adapters.disk import Files
from inkos.adapters.offline import OfflineAuthor
from inkos.hosts import wire
from tests.journeys.cassette_server import CassetteServer
from tests.journeys.example_books import NOON
from tests.runs.fakes import FakeClock


def taped(folder: Path, chapters: int, length: int = 600) -> tuple[Path, Path, Path]:
    """A founded book's workspace, the same with `chapters` written, and the tape of what that took."""
    author = Recording(OfflineAuthor())
    wire.make_workspace(folder / "ws", wire.rehearsal_config("en"))
    door = Door(open_at(folder / "ws", author), lambda event: None, lambda: False)
    command = CreateBook(name="b", brief=wire.demo_brief("en"), language="en", length=length,
                         chapters=max(chapters, 12))  # fmt: skip
    asyncio.run(create(door, command))
    outline = folder / "ws/books/b/outline.md"
    outline.write_text(longer(outline.read_text(encoding="utf-8"), chapters), encoding="utf-8")
    shutil.copytree(folder / "ws", folder / "whole")
    author.lines.clear()
    door = Door(open_at(folder / "whole", author), lambda event: None, lambda: False)
    asyncio.run(write_next(door, WriteNext(book="b", count=chapters)))
    author.save(folder / "tape.jsonl")
    return folder / "ws", folder / "whole", folder / "tape.jsonl"


def open_at(folder: Path, author: Recording) -> wire.Workshop:
    return wire.open_workspace(folder, {}, offline=author, clock=FakeClock(NOON), files=Files(durable=False))


def longer(outline: str, chapters: int) -> str:
    """The outline with entries for as many chapters, its last one said again with another number."""
    from inkos.kernel.outline import parse_outline

    have = len(parse_outline(outline).entries)
    more = [f"\n### Watch {n} {{#watch-{n}}}\n\n- The lamp is trimmed for night {n}.\n- Somebody counts the oil.\n"
            for n in range(have + 1, chapters + 1)]  # fmt: skip
    return outline.rstrip("\n") + "\n" + "".join(more)


def over_http(folder: Path, server: CassetteServer) -> None:
    """The workspace asks this server from now on."""
    (folder / "inkos.yaml").write_text(
        f'schema_version: 1\nlanguage: en\nproviders: {{tape: {{base_url: "{server.url}"}}}}\n'
        "routes: {tape: {provider: tape, model: tape}}\nroles: {default: tape}\n",
        encoding="utf-8",
    )
