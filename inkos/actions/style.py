"""The verbs of an author's own hand: learn it from their chapters, measure a text against it; asks no model."""

from __future__ import annotations

import re

from inkos.actions.table import Door, action
from inkos.errors import InkosError, UsageFault
from inkos.gates.author import Distance, Learned, applied, distance, learn
from inkos.gates.check import HouseLists
from inkos.gates.survey import chapters_of
from inkos.messages import Language
from inkos.ports import FileSet, Workspace
from inkos.records import Record, dump

LEARNED = "style/learned.json"
BOOK_FILE = "book.yaml"
FEWEST = 3  # chapters: fewer say nothing of a hand


class LearnStyle(Record):
    """`files`: the author's own chapters, in order. `samples`: put passages of them into book.yaml too."""

    book: str
    files: tuple[str, ...]
    samples: bool = False


class StyleLearned(Record):
    """`warned_before`, `warned`: how many of the chapters the house's thresholds, and now the author's, warn of."""

    book: str
    file: str
    learned: Learned
    warned_before: int
    warned: int
    samples: str = ""  # how book.yaml stands to the samples: "", written, present


@action("style-learn", LearnStyle, StyleLearned, "writes", undo="")
async def learn_style(door: Door, command: LearnStyle) -> StyleLearned:
    """Fit thresholds and profile to the author's own chapters."""
    store = door.workspace.store(command.book)
    config = store.config()
    chapters = chapters_of([(path, door.workspace.read_text(path)) for path in command.files])
    texts = [chapter.text for chapter in chapters]
    if len(texts) < FEWEST:
        raise UsageFault("style-too-little", where=", ".join(command.files), chapters=len(texts), least=FEWEST)
    house = door.workspace.house_lists(config.language)
    learned = learn(texts, config.language, house)
    files: dict[str, bytes | None] = {LEARNED: dump(learned)}
    state = ""
    if command.samples and learned.samples:
        old = door.workspace.read_book_file(command.book, BOOK_FILE).decode("utf-8")
        state = "present" if re.search(r"^\s+samples:", old, re.MULTILINE) else "written"
        if state == "written":
            files[BOOK_FILE] = with_samples(old, learned.samples, door, config.language).encode()
    with store.hold("style learn"):
        store.commit(FileSet(files=files))
    return StyleLearned(book=command.book, file=LEARNED, learned=learned, samples=state,
                        warned_before=_warned(texts, config.language, house),
                        warned=_warned(texts, config.language, applied(house, learned)))  # fmt: skip


def _warned(texts: list[str], language: Language, lists: HouseLists) -> int:
    from inkos.config import StyleConfig
    from inkos.gates.survey import Chapter, survey

    ours = ("prose-004", "prose-011", "prose-012", "prose-014", "prose-015")
    rows = survey([Chapter("", text) for text in texts], language, lists, StyleConfig()).chapters
    return sum(any(f.code in ours for f in row.findings) for row in rows)


def with_samples(yaml: str, samples: dict[str, str], door: Door, language: Language) -> str:
    """book.yaml with two passages put under `style`, every other byte as it was."""
    words = door.workspace.messages(language)
    lines = ["  samples:"]
    for kind, passage in list(samples.items())[:2]:
        lines += ["    - |", f"      # {words.say(f'survey.kind.{kind}')}"]
        lines += [f"      {line}".rstrip() for line in passage.splitlines()]
    block = "\n".join(lines) + "\n"
    found = re.search(r"^style:[ \t]*\n", yaml, re.MULTILINE)
    if found:
        return yaml[: found.end()] + block + yaml[found.end() :]
    return yaml.rstrip("\n") + "\nstyle:\n" + block


def learned_of(workspace: Workspace, book: str) -> Learned | None:
    """What was learnt for a book, if anything."""
    try:
        content = workspace.read_book_file(book, LEARNED)
    except InkosError as fault:
        if fault.code == "file-missing":
            return None
        raise
    try:
        return Learned.model_validate_json(content)
    except ValueError as fault:
        raise UsageFault("style-damaged", where=f"{book}/{LEARNED}", detail=str(fault)[:200]) from fault


def lists_of(workspace: Workspace, book: str, language: Language) -> HouseLists:
    """The house's lists as they hold for a book: with the author's thresholds where they were learnt."""
    house, learned = workspace.house_lists(language), learned_of(workspace, book)
    return applied(house, learned) if learned and learned.language == language else house


class StyleDistance(Record):
    book: str
    files: tuple[str, ...]


class Row(Record):
    title: str
    distance: Distance


class Distances(Record):
    book: str
    rows: tuple[Row, ...]


@action("style-distance", StyleDistance, Distances, "reads")
async def measure_distance(door: Door, command: StyleDistance) -> Distances:
    """How far texts lie from the hand that was learnt, and in what."""
    learned = learned_of(door.workspace, command.book)
    if learned is None:
        raise UsageFault("style-not-learned", where=f"{command.book}/{LEARNED}", book=command.book)
    lists = door.workspace.house_lists(learned.language)
    chapters = chapters_of([(path, door.workspace.read_text(path)) for path in command.files])
    rows = tuple(Row(title=c.title, distance=distance(c.text, learned, lists)) for c in chapters)
    return Distances(book=command.book, rows=rows)
