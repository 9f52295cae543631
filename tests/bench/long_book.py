"""A book on disk with a seeded story of any length in it, and its next chapters written by the offline author."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

from inkos.actions import ACTIONS, Door
from inkos.adapters.disk import Files
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.offline import OfflineAuthor
from inkos.adapters.workspace import WorkspaceFolder
from inkos.hosts import wire
from inkos.kernel.book import ChapterEntry, Index
from inkos.kernel.delta import Delta
from inkos.kernel.ids import mint
from inkos.kernel.reduce import apply
from inkos.kernel.replay import empty
from inkos.ports import Accepted, ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.bench.long_story import Chapter, LongStory, bible, config, genesis, rules
from tests.data import ROOT

BOOK = "long"
PAPERS = ROOT / "books/lantern-street/story/chapters/c0002"  # what production keeps beside a delta


def outline(chapters: int) -> str:
    rows = [
        f"### Letter {n} {{#e{n}}}\n\n- Ada Pell looks for letter {n} on the quay.\n"
        f"- Bram Askew keeps letter {n} from her.\n"
        f"- At the end letter {n} is not where it was.\n"
        for n in range(1, chapters + 1)
    ]
    return "# Outline\n\n## One\n\n" + "\n".join(rows)


class LongBook:
    """Grows by `grow`; kept in a workspace of its own. `folder` must not exist."""

    def __init__(self, folder: Path, chapters: int) -> None:
        wire.make_workspace(folder, wire.rehearsal_config("en"))
        self.folder = folder / "books" / BOOK
        self.rules = rules()
        self.story = LongStory()
        self.minted: Mapping[str, int]
        delta, self.minted = mint(genesis(), {})
        done = apply(empty(BOOK, "en"), delta, "", self.rules, sources=bible())
        assert done.state is not None and done.history is not None
        files = {**bible(), "outline.md": outline(chapters + 10), "intent.md": "Letters.\n", "focus.md": "The quay.\n"}
        unsynced = Files(durable=False)
        WorkspaceFolder(folder, unsynced).create_book(
            BOOK, config(chapters + 10), files, delta, done.state, done.history, self.minted
        )
        self.store = FolderStore(self.folder, files=unsynced)
        self.state = done.state
        self.index = self.store.index()
        self.papers = {path.name: path.read_bytes() for path in PAPERS.iterdir() if path.name != "delta.json"}
        self.papers.pop("entry.json", None)

    def grow(self, until: int) -> None:
        """Accept chapters up to this position, as production does but for the model."""
        with self.store.hold("bench"):
            for position in range(len(self.index.chapters) + 1, until + 1):
                self._accept(self.story.chapter(position))

    def _accept(self, chapter: Chapter) -> None:
        delta: Delta = chapter.delta
        done = apply(self.state, delta, chapter.text, self.rules)
        assert done.state is not None and done.history is not None, done.findings
        entry = ChapterEntry(
            id=delta.chapter, title=chapter.title, status="accepted", file=f"chapters/{delta.position:04d}.md",
            text_digest="", words=1_700, score=80, outline_key=delta.outline_key, accepted_at="2026-01-01T12:00:00Z",
        )  # fmt: skip
        minted = {**self.story.minted, "chapter": delta.position}
        index = Index(book_id=BOOK, chapters=(*self.index.chapters, entry), minted=minted)
        papers = {f"story/chapters/{delta.chapter}/{name}": content for name, content in self.papers.items()}
        self.store.accept(Accepted.model_construct(
            entry=entry, text=chapter.text, delta=delta, state=done.state, history=done.history, index=index,
            papers=papers, run=None))  # fmt: skip
        self.state, self.index = done.state, self.store.index()


class Clocked:
    """A model whose own time is counted apart."""

    def __init__(self, model: ModelPort) -> None:
        self.model = model
        self.seconds = 0.0
        self.calls = 0

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        begun = time.perf_counter()
        try:
            return await self.model.complete(request, on_text)
        finally:
            self.seconds += time.perf_counter() - begun
            self.calls += 1


def write(workspace: Path, chapters: int) -> tuple[float, int]:
    """Write the next chapters by one command; milliseconds of local work (everything but the model), and calls."""
    author = Clocked(OfflineAuthor())
    opened = wire.open_workspace(workspace, {}, offline=author)
    verb = ACTIONS["write-next"]
    begun = time.perf_counter()
    asyncio.run(verb.run(Door(opened, lambda event: None, lambda: False), verb.command(book=BOOK, count=chapters)))
    return (time.perf_counter() - begun - author.seconds) * 1_000, author.calls


def size(folder: Path) -> int:
    """Sum of the sizes of all files, in bytes."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
