"""The files of a book as bytes and back: manuscript, index, delta, voices; knows no folder and no revision."""

from __future__ import annotations

import json

from pydantic import Field

from inkos.adapters.names import check_artefact
from inkos.adapters.state_files import Order
from inkos.errors import InkosError
from inkos.kernel.book import ChapterEntry, Index
from inkos.kernel.delta import Delta
from inkos.kernel.story import SCHEMA_VERSION
from inkos.records import Record, dump
from inkos.text.headings import parse_heading

INDEX = "story/index.json"
VOICES = "bible/voices.md"


def chapter_bytes(title: str, text: str) -> bytes:
    """A manuscript file: one heading and the prose, nothing else."""
    heading = " ".join(title.split())
    return f"# {heading}\n\n{text.strip(chr(10))}\n".encode()


def prose_of(content: bytes, where: str) -> str:
    """The prose of a manuscript file, without its heading and the line breaks around it."""
    text = author_text(content, where)
    first, _, rest = text.strip("\n").partition("\n")
    return (rest if first.startswith("# ") or _is_heading(first) else text).strip("\n")


def _is_heading(line: str) -> bool:
    """A chapter that was adopted as it was may have a heading without a mark (`第三章 旧友`, `Chapter 3`)."""
    if len(line) > 60 or not line.strip():
        return False
    found = parse_heading(line)
    return found is not None and found.kind == "chapter"


def author_text(content: bytes, where: str) -> str:
    """A text file as people save it: with or without a byte order mark, any line ends."""
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise InkosError("file-damaged", where=where, detail=f"not UTF-8 at byte {error.start}") from error


def index_bytes(index: Index) -> bytes:
    """story/index.json: one chapter a line."""
    rows = ",\n".join(entry.model_dump_json() for entry in index.chapters)
    head = f'"schema_version":{index.schema_version},\n"book_id":{json.dumps(index.book_id, ensure_ascii=False)},\n'
    minted = json.dumps(index.minted, sort_keys=True)
    return f'{{\n{head}"minted":{minted},\n"chapters":[\n{rows}\n]\n}}\n'.encode()


class EntryFile(Record):
    """story/chapters/<id>/entry.json: the chapter's row as it was accepted, so that a lost index can be made again."""

    schema_version: int
    position: int
    entry: ChapterEntry | None = None
    minted: dict[str, int] = Field(default_factory=dict)


def entry_bytes(index: Index, chapter: str) -> bytes:
    entry = next((row for row in index.chapters if row.id == chapter), None)
    position = index.position(chapter) if entry else 0
    return dump(EntryFile(schema_version=SCHEMA_VERSION, position=position, entry=entry, minted=index.minted))


def delta_path(chapter: str) -> str:
    return f"story/chapters/{check_artefact(chapter)}/delta.json"


def delta_bytes(delta: Delta, order: Order) -> bytes:
    """delta.json: fields that hold their default are left out, chapters are named by id, one item a line."""
    fields = delta.model_dump(mode="json", context=order.context, exclude_defaults=True)
    parts = []
    for key, value in {"schema_version": delta.schema_version, **fields}.items():
        if isinstance(value, list) and value:
            items = ",\n".join(json.dumps(item, ensure_ascii=False) for item in value)
            parts.append(f"{json.dumps(key)}:[\n{items}\n]")
        else:
            parts.append(f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def parse_voices(text: str) -> dict[str, tuple[str, ...]]:
    """bible/voices.md: a `## name` heading for each speaker, their lines as bullets below it."""
    voices: dict[str, list[str]] = {}
    speaker: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("## "):
            speaker = voices.setdefault(line[3:].strip(), [])
        elif speaker is not None and line.lstrip().startswith(("- ", "* ")):
            speaker.append(line.lstrip()[2:].strip())
    return {name: tuple(lines) for name, lines in voices.items() if lines}
