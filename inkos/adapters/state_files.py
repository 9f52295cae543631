"""StoryState as files with one record a line, and back; knows neither folders nor who changes the state.

Rows are written by field order, tables in the order of the state's own dictionaries, so that a state loaded from disk
is the state that was in memory, order included. A row's line depends on its record alone (it names chapters by id), so
lines of unchanged records are kept and only changed ones are written anew: see `Rows`.

Fields that hold their default are left out of a row. A changed default is therefore a changed format (schema_version).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, Field, ValidationError

from inkos.adapters.disk import parse_json
from inkos.adapters.migrations import upgraded
from inkos.errors import InkosError
from inkos.kernel.story import (
    SCHEMA_VERSION,
    AuthorTruth,
    Belief,
    Entity,
    Fact,
    Hook,
    StoryClock,
    StoryState,
    SummaryRow,
)
from inkos.messages import Language
from inkos.records import GENESIS, ChapterAt, Record

R = TypeVar("R", bound=BaseModel)

MANIFEST = "story/state/manifest.json"
CURRENT = "story/state/current_state.json"
HOOKS = "story/state/hooks.json"
SUMMARIES = "story/state/chapter_summaries.json"
STATE_FILES = (MANIFEST, CURRENT, HOOKS, SUMMARIES)

TABLES = ("entities", "facts", "truths", "hooks", "summaries")


class Order(Sequence[str]):
    """Chapter ids in the index's order. `index` is a look-up: a list's would make loading a state of 2,000 chapters
    five times slower."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._ids = tuple(ids)
        self._at = {chapter: number for number, chapter in enumerate(self._ids)}

    def __getitem__(self, key: Any) -> Any:
        return self._ids[key]

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        try:
            return self._at[value]
        except KeyError:
            raise ValueError(value) from None

    def id_at(self, position: int) -> str:
        return GENESIS if position == 0 else self._ids[position - 1]

    @property
    def context(self) -> dict[str, Any]:
        return {"chapters": self}


class ManifestFile(Record):
    """story/state/manifest.json"""

    schema_version: int
    book_id: str
    language: Language
    last_applied_chapter: ChapterAt
    clock: StoryClock = StoryClock()


class CurrentFile(Record):
    """story/state/current_state.json. `history` names the immutable piece of each chapter's closed facts and events."""

    schema_version: int
    chapter: ChapterAt
    beliefs: tuple[Belief, ...] = ()
    entities: dict[str, Entity] = Field(default_factory=dict)
    facts: dict[str, Fact] = Field(default_factory=dict)
    truths: dict[str, AuthorTruth] = Field(default_factory=dict)
    history: dict[str, str] = Field(default_factory=dict)


class HooksFile(Record):
    """story/state/hooks.json"""

    schema_version: int
    chapter: ChapterAt
    hooks: dict[str, Hook] = Field(default_factory=dict)


class SummariesFile(Record):
    """story/state/chapter_summaries.json, by chapter id"""

    schema_version: int
    chapter: ChapterAt
    summaries: dict[str, SummaryRow] = Field(default_factory=dict)


class Row(NamedTuple):
    """`line` is `"<key>":{…}` in UTF-8; `birth` the id of the chapter that the row came into being with."""

    record: Record
    line: bytes
    birth: str


class Rows(NamedTuple):
    """All rows of a state by table and key, under one order of chapters."""

    order: Order
    tables: dict[str, dict[str, Row]]


def _birth(table: str, record: Any) -> int:
    if table == "entities":
        return int(record.introduced_at)
    if table == "facts":
        return int(record.valid_from_chapter)
    if table == "hooks":
        return int(record.start_chapter)
    return int(record.chapter) if table == "summaries" else 0


def _tables_of(state: StoryState, order: Order) -> dict[str, Mapping[str, Record]]:
    summaries = {order.id_at(row.chapter): row for row in state.summaries}
    return {
        "entities": state.entities,
        "facts": state.facts,
        "truths": state.truths,
        "hooks": state.hooks,
        "summaries": summaries,
    }


def rows_of(state: StoryState, order: Order, before: Rows | None = None) -> Rows:
    """The state's rows. Those of `before` whose record is the same object are kept as they are."""
    # A record in memory holds positions: after an insertion the same object would mean another chapter.
    usable = before is not None and list(order)[: len(before.order)] == list(before.order)
    context = order.context
    made: dict[str, dict[str, Row]] = {}
    for table, records in _tables_of(state, order).items():
        old = before.tables[table] if usable and before is not None else {}
        rows: dict[str, Row] = {}
        for key, record in records.items():
            row = old.get(key)
            if row is None or row.record is not record:
                body = record.model_dump_json(context=context, exclude_defaults=True)
                line = f"{json.dumps(key, ensure_ascii=False)}:{body}".encode()
                row = Row(record, line, order.id_at(_birth(table, record)))
            rows[key] = row
        made[table] = rows
    return Rows(order, made)


def beliefs_json(state: StoryState) -> bytes:
    return json.dumps([belief.model_dump(mode="json") for belief in state.beliefs], ensure_ascii=False).encode()


def table_json(name: str, lines: Iterable[bytes]) -> bytes:
    """`"<name>":{…}` with one line a row."""
    body = b",\n".join(lines)
    return b'"%b":{\n%b\n}' % (name.encode(), body) if body else b'"%b":{}' % name.encode()


def fields_json(fields: Mapping[str, Any]) -> list[bytes]:
    """`"<key>":<value>` of each field."""
    return [f"{json.dumps(key)}:{json.dumps(value, ensure_ascii=False)}".encode() for key, value in fields.items()]


def object_json(parts: Iterable[bytes]) -> bytes:
    return b"{\n%b\n}\n" % b",\n".join(parts)


def state_files(state: StoryState, rows: Rows, history: Mapping[str, str]) -> dict[str, bytes]:
    """The four files of `story/state/`."""
    chapter = rows.order.id_at(state.last_applied_chapter)
    head = fields_json({"schema_version": SCHEMA_VERSION, "chapter": chapter})
    tables = {name: table_json(name, (row.line for row in rows.tables[name].values())) for name in TABLES}
    # Ids and references are plain ASCII without quotation marks (names.check_artefact).
    references = table_json("history", (f'"{key}":"{value}"'.encode() for key, value in history.items()))
    manifest = ManifestFile(
        schema_version=SCHEMA_VERSION,
        book_id=state.book_id,
        language=state.language,
        last_applied_chapter=state.last_applied_chapter,
        clock=state.clock,
    )
    fields = manifest.model_dump(mode="json", context=rows.order.context)
    current = [b'"beliefs":' + beliefs_json(state), tables["entities"], tables["facts"], tables["truths"], references]
    return {
        MANIFEST: object_json(fields_json(fields)),
        CURRENT: object_json(head + current),
        HOOKS: object_json([*head, tables["hooks"]]),
        SUMMARIES: object_json([*head, tables["summaries"]]),
    }


class LoadedState:
    """A state with the names of its history pieces, and its rows, which are only made when something is written."""

    def __init__(self, state: StoryState, history: dict[str, str], rows: Callable[[], Rows]) -> None:
        self.state = state
        self.history = history
        self._make = rows

    @cached_property
    def rows(self) -> Rows:
        return self._make()


def load_state(contents: Mapping[str, bytes], order: Order, where: Callable[[str], str]) -> LoadedState:
    """The state from the four files' contents. Raises `file-empty`, `file-damaged`, `schema-newer`, and
    `state-mismatch` when the files do not speak of the same chapter or not of the index's last one."""

    def parse(model: type[R], path: str) -> R:
        return load_record(model, contents[path], where(path), order.context)

    manifest = parse(ManifestFile, MANIFEST)
    current = parse(CurrentFile, CURRENT)
    hooks = parse(HooksFile, HOOKS)
    summaries = parse(SummariesFile, SUMMARIES)
    stands = {
        MANIFEST: manifest.last_applied_chapter,
        CURRENT: current.chapter,
        HOOKS: hooks.chapter,
        SUMMARIES: summaries.chapter,
    }
    for path, position in stands.items():
        if position != len(order):
            raise InkosError("state-mismatch", where=where(path), expected=len(order), actual=position)
    state = StoryState(
        schema_version=manifest.schema_version,
        book_id=manifest.book_id,
        language=manifest.language,
        last_applied_chapter=manifest.last_applied_chapter,
        clock=manifest.clock,
        entities=current.entities,
        facts=current.facts,
        truths=current.truths,
        beliefs=current.beliefs,
        hooks=hooks.hooks,
        summaries=tuple(summaries.summaries.values()),
    )
    return LoadedState(state, current.history, lambda: _rows_from(contents, state, order))


def _rows_from(contents: Mapping[str, bytes], state: StoryState, order: Order) -> Rows:
    """The lines as they stand in the files; a table in another layout (an editor's) is written anew when needed."""
    home = {"entities": CURRENT, "facts": CURRENT, "truths": CURRENT, "hooks": HOOKS, "summaries": SUMMARIES}
    tables: dict[str, dict[str, Row]] = {}
    for table, records in _tables_of(state, order).items():
        content = contents[home[table]]
        start = content.find(b'\n"%b":{\n' % table.encode())
        first = start + len(table) + 6
        lines = content[first : content.find(b"\n}", first)].split(b",\n") if start >= 0 else []
        rows: dict[str, Row] = {}
        if len(lines) == len(records):
            for (key, record), line in zip(records.items(), lines, strict=True):
                if line.startswith(b'"%b":{' % key.encode()):
                    rows[key] = Row(record, line, order.id_at(_birth(table, record)))
        tables[table] = rows
    return Rows(order, tables)


def load_record(model: type[R], content: bytes, where: str, context: Mapping[str, Any] | None = None) -> R:
    """A record from JSON, of an older format too. Raises `file-empty`, `file-damaged` (naming the place),
    `schema-newer`."""
    try:
        record = model.model_validate_json(content, context=dict(context or {}))
        version = getattr(record, "schema_version", SCHEMA_VERSION)
        if version < SCHEMA_VERSION:
            return _load_older(model, parse_json(content, where), where, context)
    except ValidationError as error:
        data = parse_json(content, where)
        version = data.get("schema_version") if isinstance(data, dict) else None
        _check_version(version, where)
        if isinstance(version, int) and version < SCHEMA_VERSION:
            return _load_older(model, data, where, context)
        first = error.errors(include_url=False, include_context=False)[0]
        place = ".".join(map(str, first["loc"])) or "file"
        raise InkosError("file-damaged", where=where, detail=f"{place}: {first['msg']}") from error
    _check_version(getattr(record, "schema_version", None), where)
    return record


def _load_older(model: type[R], data: dict[str, Any], where: str, context: Mapping[str, Any] | None) -> R:
    current = upgraded(data, data["schema_version"], where)
    return load_record(model, json.dumps(current, ensure_ascii=False).encode(), where, context)


def _check_version(version: object, where: str) -> None:
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InkosError("schema-newer", where=where, found=version, known=SCHEMA_VERSION)
