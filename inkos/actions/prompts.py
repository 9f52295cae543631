"""The verbs of role prompts: list, show, copy out, compare; does not know what a prompt says.

A role prompt is the rules of one task. The house's own come with the program; a file `prompts/<task>.md` in the book,
or `prompts/<language>/<task>.md` in the workspace for all its books, takes their place. The reply contract is appended
by code and stands in no file. A copied-out file begins with the digest of the house's rules that it was copied from, so
that after an upgrade one can be told that those have changed.
"""

from __future__ import annotations

import difflib
import re
from typing import Literal

from inkos.actions.table import Door, action
from inkos.config import BookConfig
from inkos.errors import InkosError, UsageFault
from inkos.ports import FileSet
from inkos.prompts.kit import TASKS, Kit, marked
from inkos.records import Record

Source = Literal["house", "workspace", "book"]
_COPIED = re.compile(r"<!-- house ([0-9a-f]{12}) -->")


class PromptRow(Record):
    """`digest` of the rules in force; `outdated`: the house's rules are not those that the file was copied from."""

    task: str
    source: Source
    digest: str
    outdated: bool = False


class OfPrompts(Record):
    book: str


class Prompts(Record):
    book: str
    rows: tuple[PromptRow, ...]


class OfPrompt(Record):
    book: str
    task: str


class PromptShown(Record):
    """`contract` is appended by code."""

    book: str
    row: PromptRow
    rules: str
    contract: str


class PromptDiff(Record):
    """`lines` of a unified diff from the house's rules to those in force."""

    book: str
    row: PromptRow
    lines: tuple[str, ...]


class Eject(OfPrompt):
    """`everywhere`: for all books of the workspace that are written in the book's language."""

    everywhere: bool = False


class Ejected(Record):
    book: str
    file: str


@action("prompt-list", OfPrompts, Prompts, "reads")
async def list_prompts(door: Door, command: OfPrompts) -> Prompts:
    return Prompts(book=command.book, rows=tuple(_row(door, command.book, task) for task in TASKS))


@action("prompt-show", OfPrompt, PromptShown, "reads")
async def show_prompt(door: Door, command: OfPrompt) -> PromptShown:
    parts = _kits(door, command.book, _known(command.task))[1].parts(command.task)
    return PromptShown(book=command.book, row=_row(door, command.book, command.task), rules=parts.rules,
                       contract=parts.contract)  # fmt: skip


@action("prompt-diff", OfPrompt, PromptDiff, "reads")
async def diff_prompt(door: Door, command: OfPrompt) -> PromptDiff:
    """What an own prompt changes in the house's, as that is in this version of the program."""
    house, own = _kits(door, command.book, _known(command.task))
    old, new = (kit.parts(command.task).rules.splitlines() for kit in (house, own))
    lines = difflib.unified_diff(old, new, "house", command.task, lineterm="", n=1)
    return PromptDiff(book=command.book, row=_row(door, command.book, command.task), lines=tuple(lines))


@action("prompt-eject", Eject, Ejected, "writes", undo="remove the file")
async def eject_prompt(door: Door, command: Eject) -> Ejected:
    """Write the house's rules of a task into a file, to be changed there. InkosError where the file exists."""
    house, _ = _kits(door, command.book, _known(command.task))
    body = marked(house.parts(command.task).rules, house.digests()[command.task]).encode()
    config = _config(door, command.book)
    if command.everywhere:
        path = f"prompts/{config.language}/{command.task}.md"
        if path in door.workspace.own_prompts():
            raise InkosError("prompt-there", where=path, task=command.task)
        door.workspace.write_file(f"{door.workspace.root}/{path}", body)
        return Ejected(book=command.book, file=path)
    store, path = door.workspace.store(command.book), f"prompts/{command.task}.md"
    with store.hold("prompt eject"):
        if store.file(path) is not None:
            raise InkosError("prompt-there", where=f"{command.book}/{path}", task=command.task)
        store.commit(FileSet(files={path: body}, expect={path: ""}))
    return Ejected(book=command.book, file=f"{command.book}/{path}")


def _known(task: str) -> str:
    if task not in TASKS:
        raise UsageFault("choice", where="TASK", given=task, allowed=", ".join(TASKS))
    return task


def _config(door: Door, book: str) -> BookConfig:
    return door.workspace.store(book).config()


def _kits(door: Door, book: str, task: str) -> tuple[Kit, Kit]:
    """The house's prompts, and those in force with this task's own file only: a fault in another is that one's."""
    language = _config(door, book).language
    own = {name: text for name, (_, text) in _files(door, book).items() if name == task}
    return door.workspace.house_kit(language), door.workspace.kit(language, {f"{n}.md": t for n, t in own.items()})


def _files(door: Door, book: str) -> dict[str, tuple[Source, str]]:
    """Own prompts by task, the book's before the workspace's."""
    store, language = door.workspace.store(book), _config(door, book).language
    found: dict[str, tuple[Source, str]] = {}
    for path, text in door.workspace.own_prompts().items():
        folder, _, name = path.removeprefix("prompts/").rpartition("/")
        if folder == language:
            found[name.split(".", 1)[0]] = ("workspace", text)
    for path in store.names("prompts"):
        content = store.file(path)
        if content is not None:
            found[path.rpartition("/")[2].split(".", 1)[0]] = ("book", content.decode(errors="replace"))
    return found


def _row(door: Door, book: str, task: str) -> PromptRow:
    house, own = _kits(door, book, task)
    source, text = _files(door, book).get(task, ("house", ""))
    copied = _COPIED.match(text.lstrip("\ufeff"))
    outdated = copied is not None and copied[1] != house.digests()[task]
    return PromptRow(task=task, source=source, digest=own.digests()[task], outdated=outdated)
