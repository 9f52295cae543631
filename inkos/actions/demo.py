"""The verb that shows the whole job: found, write, export, by the same verbs that a writer uses."""

from __future__ import annotations

from typing import Literal

from inkos.actions.export import Export, Exported, export
from inkos.actions.founding import CreateBook, Created, create
from inkos.actions.production import WriteNext, Written, write_next
from inkos.actions.table import Door, action
from inkos.messages import Language
from inkos.records import Record


class Demo(Record):
    brief: str
    language: Language
    count: int = 3
    length: int = 1000
    genre: str = "general"
    form: Literal["serial", "standalone"] = "serial"
    chapters: int = 100


class Demonstrated(Record):
    created: Created
    written: Written
    exported: Exported


@action("demo", Demo, Demonstrated, "pays")
async def demo(door: Door, command: Demo) -> Demonstrated:
    created = await create(
        door,
        CreateBook(
            name="", brief=command.brief, brief_file="brief.md", language=command.language, length=command.length,
            genre=command.genre, form=command.form, chapters=command.chapters,
        ),
    )  # fmt: skip
    written = await write_next(door, WriteNext(book=created.book, count=command.count))
    exported = await export(door, Export(book=created.book, check=True))
    return Demonstrated(created=created, written=written, exported=exported)
