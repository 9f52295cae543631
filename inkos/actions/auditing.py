"""The verbs that judge many chapters at once by deterministic checks alone: any text, a whole book; asks no model."""

from __future__ import annotations

from pathlib import PurePath

from inkos.actions.style import lists_of
from inkos.actions.table import Door, action
from inkos.gates.across import Shared, Volume, shared_between
from inkos.gates.calibration import percentile_of
from inkos.gates.survey import Chapter, Survey, chapters_of, language_of_all, survey
from inkos.kernel.papers import Plan
from inkos.messages import Language
from inkos.ports import BookStore
from inkos.records import Record


class AuditText(Record):
    """`files`: paths as given, `-` for standard input; read in this order as one text. `language` null: seen from the
    text."""

    files: tuple[str, ...]
    language: Language | None = None


class AuditBook(Record):
    book: str


class Audited(Record):
    """`name` is what was judged; `book` empty for a text that belongs to none."""

    name: str
    book: str = ""
    survey: Survey


@action("audit-text", AuditText, Audited, "reads")
async def audit_text(door: Door, command: AuditText) -> Audited:
    """Deterministic checks on any text, parted at its chapter headings. No book and no model is needed."""
    named = [(PurePath(path).stem if path != "-" else "-", door.workspace.read_text(path)) for path in command.files]
    chapters = chapters_of(named)
    language = command.language or language_of_all(chapters)
    found = survey(chapters, language, door.workspace.house_lists(language))
    return Audited(name=", ".join(name for name, _ in named), survey=found)


@action("audit-book", AuditBook, Audited, "reads")
async def audit_book(door: Door, command: AuditBook) -> Audited:
    """Deterministic checks on every accepted chapter of a book, with its own lengths, bans and person."""
    store = door.workspace.store(command.book)
    config = store.config()
    judge = door.workspace.calibration(config.roles)
    rows = door.workspace.runs(command.book).ledger()
    judges = {str(row.get("run", "")): row.get("model") for row in rows if row.get("task") == "audit"}
    chapters = [
        Chapter(entry.title, store.text(entry.id), _target(store, entry.id) or config.length.target, entry.score,
                percentile_of(judge if judge and judges.get(entry.run) in judge.answered else None, entry.score))
        for entry in store.index().chapters
    ]
    lists = lists_of(door.workspace, command.book, config.language)
    found = survey(chapters, config.language, lists, config.style, config.length)
    return Audited(name=config.title, book=command.book, survey=found)


def _target(store: BookStore, chapter_id: str) -> int | None:
    paper = store.chapter_file(chapter_id, "plan.json")
    plan = Plan.model_validate_json(paper) if paper else None
    return (plan.goal or plan.target) if plan else None


class AuditAcross(Record):
    pass


class Across(Record):
    """`books` that were compared, `shared`: what stands in more than one of them."""

    books: tuple[str, ...]
    shared: tuple[Shared, ...]


@action("audit-across", AuditAcross, Across, "reads")
async def audit_across(door: Door, command: AuditAcross) -> Across:
    """Names, titles, openings and passages that books of this workspace share."""
    volumes = []
    for name in door.workspace.books():
        store = door.workspace.store(name)
        book = store.read(recent=0)
        people = tuple(e.name for e in book.state.entities.values() if e.kind == "person")
        chapters = tuple((entry.title, store.text(entry.id)) for entry in book.index.chapters)
        series = book.config.series.name if book.config.series else ""
        volumes.append(Volume(name, book.config.language, people, chapters, series))
    return Across(books=tuple(v.name for v in volumes), shared=tuple(shared_between(volumes)))
