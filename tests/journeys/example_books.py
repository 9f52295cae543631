"""Makes the example books of books/, each with its cassette: `make books`; knows no test.

The clock stands still, so the same program makes the same bytes. To be run when prompts or the offline author change.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from pathlib import Path

from inkos.actions import Door
from inkos.actions.founding import CreateBook, create
from inkos.actions.production import WriteNext, write_next
from inkos.adapters.cassette import Recording
from inkos.adapters.offline import OfflineAuthor
from inkos.hosts import wire
from inkos.messages import Language
from inkos.ports import ModelPort
from tests.data import ROOT
from tests.runs.fakes import FakeClock

BOOKS = ROOT / "books"
EXAMPLES: dict[str, tuple[Language, str, str, int, int]] = {
    "lantern-street": ("en", "detective", "standalone", 12, 900),
    "qingdeng": ("zh", "historical", "serial", 30, 1500),
}
CHAPTERS = 3
NOON = 1_767_268_800.0  # 2026-01-01 12:00 UTC
LEFT_OUT = shutil.ignore_patterns(".inkos", "runs", "exports", "cassette.jsonl", "brief.md")


def make(name: str, folder: Path, model: ModelPort) -> Path:
    """Found one example book in a new workspace, write its chapters, and return its folder."""
    language, genre, form, chapters, length = EXAMPLES[name]
    wire.make_workspace(folder, wire.rehearsal_config(language))
    workspace = wire.open_workspace(folder, {}, offline=model, clock=FakeClock(NOON))
    door = Door(workspace, lambda event: None, lambda: False)
    brief = wire.demo_brief(language)
    command = CreateBook.model_validate(
        {"name": name, "brief": brief, "language": language, "genre": genre, "form": form, "chapters": chapters,
         "length": length}
    )  # fmt: skip
    asyncio.run(create(door, command))
    asyncio.run(write_next(door, WriteNext(book=name, count=CHAPTERS)))
    return folder / "books" / name


def main() -> None:
    for name, (language, *_) in EXAMPLES.items():
        with tempfile.TemporaryDirectory() as folder:
            tape = Recording(OfflineAuthor())
            made = make(name, Path(folder) / "workspace", tape)
            target = BOOKS / name
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(made, target, ignore=LEFT_OUT)
            (target / "brief.md").write_text(wire.demo_brief(language), encoding="utf-8")
            tape.save(target / "cassette.jsonl")
            print(f"{target.relative_to(ROOT)}: {len(tape.lines)} replies")


if __name__ == "__main__":
    main()
