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
from inkos.messages import Language
from inkos.ports import Accepted, ModelPort, OnText, Reply
from inkos.prompts.request import Request
from tests.bench.long_story import Chapter, LongStory, bible, config, genesis, rules
from tests.bench.tongues import TONGUES, stranger
from tests.data import ROOT

BOOK = "long"
ROOM = 60  # outline entries beyond the seeded chapters, for those that are written on top
PAPERS = ROOT / "books/lantern-street/story/chapters/c0002"  # what production keeps beside a delta


VOLUME = 50  # chapters
BEATS: dict[Language, tuple[str, ...]] = {
    "en": ("{0} looks for the letter of {2} on the {3}.", "{1} keeps the letter of {2} from {0}.",
           "At the end the letter of {2} is not where it was."),
    "zh": ("{0}到{3}去找{2}的信。", "{1}不肯把{2}的信交给{0}。", "末了{2}的信不在原来的地方了。"),
}  # fmt: skip
GOALS: dict[Language, str] = {"en": "## Volume {}\n\n- Goal: the letters of {} come together\n",
                              "zh": "## 第{}卷\n\n- 目标：{}一路的信凑到一处\n"}  # fmt: skip


def outline(chapters: int, language: Language) -> str:
    """One entry a chapter, a volume every fifty; an entry names two of the cast, a place and somebody of old."""
    tongue, rows = TONGUES[language], ["# Outline\n"]
    for n in range(1, chapters + 1):
        if n % VOLUME == 1:
            rows.append(GOALS[language].format(n // VOLUME + 1, tongue.places[n // VOLUME % 16]))
        new = stranger(tongue, n)
        beats = "".join(f"- {beat.format(tongue.cast[n % 12], tongue.cast[(n + 5) % 12], new, tongue.places[n % 16])}\n"
                        for beat in BEATS[language])  # fmt: skip
        rows.append(f"### {tongue.says['title'].format(new=new)} {{#e{n}}}\n\n{beats}")
    return "\n".join(rows)


class LongBook:
    """Grows by `grow`; kept in a workspace of its own. `folder` must not exist."""

    def __init__(self, folder: Path, chapters: int, language: Language = "en") -> None:
        wire.make_workspace(folder, wire.rehearsal_config(language))
        self.folder = folder / "books" / BOOK
        self.rules = rules(language)
        self.story = LongStory(language)
        self.minted: Mapping[str, int]
        delta, self.minted = mint(genesis(language), {})
        papers = bible(language)
        done = apply(empty(BOOK, language), delta, "", self.rules, sources=papers)
        assert done.state is not None and done.history is not None, done.findings
        files = {**papers, "outline.md": outline(chapters + ROOM, language), "intent.md": "Letters.\n",
                 "focus.md": "The quay.\n"}  # fmt: skip
        unsynced = Files(durable=False)
        WorkspaceFolder(folder, unsynced).create_book(
            BOOK, config(chapters + ROOM, language), files, delta, done.state, done.history, self.minted
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
