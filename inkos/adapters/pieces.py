"""Total snapshots made of immutable pieces named by hash, and the packs that hold the pieces; knows no folder.

A snapshot is total: it names every piece of its state, and nothing is applied to anything to load it. What makes 2,000
of them small is that chapters leave most of the state alone:

    story/snapshots/c0151.json     names one node per group of chapters
      node (piece)                 names, for each chapter of its group, the two pieces below
        open piece of c0007        rows born in chapter c0007 and still open: entities, facts, hooks, its summary
        history piece of c0007     facts that chapter c0007 closed, events it recorded

An acceptance writes its own rows, the open pieces of those chapters whose rows it closed or changed, and the nodes
above them, into one pack, `story/pieces/c0151.pack`. Pieces are cut by the chapter in which a row was born and name
chapters by id, so an insertion early in a book leaves the pieces of later chapters as they are.

A reference is `<first 32 hex digits of the SHA-256>@<pack>`. A pack is a JSON line (hash → [offset, length]) and the
pieces behind it, each compressed by itself with a preset dictionary, because most are shorter than a page.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from pydantic import Field

from inkos.adapters.migrations import upgraded_piece
from inkos.adapters.state_files import (
    TABLES,
    Order,
    Row,
    Rows,
    beliefs_json,
    fields_json,
    load_record,
    object_json,
    table_json,
)
from inkos.errors import InkosError
from inkos.kernel.story import SCHEMA_VERSION, Belief, Entity, Fact, Hook, StoryClock, StoryState, SummaryRow
from inkos.kernel.story import AuthorTruth as Truth
from inkos.messages import Language
from inkos.records import GENESIS, Record, digest

PIECES = "story/pieces"
SNAPSHOTS = "story/snapshots"
HASH_DIGITS = 32
# A node of 32 references is about 1 KB packed. Smaller groups make the snapshot file longer, larger ones the nodes.
GROUP = 32
PACKS_KEPT_OPEN = 512

# What rows have in common. Part of the format: packs say `"codec": 1`, and another dictionary is another codec.
_CODEC = 1
_DICTIONARY = (
    b'{"evidence":{"quote":"","chapter":"genesis","start":,"end":},"truths":{},"beliefs":[]"summaries":{"history":"'
    b'"status":"progressing","status":"resolved","depends_on":[],"payoff_timing":"slow-burn","trigger":"",'
    b'"last_advanced_chapter":"c0","start_chapter":"c0","core":"","hooks":{\n"c0.h1":{"id":"c0.h1","handle":"h1",'
    b'"type":"running","entities":{\n"c0.p1":{"id":"c0.p1","handle":"p1","kind":"person","name":"","aliases":[""],'
    b'"introduced_at":"c0","note":"","chapter":"c0","title":"","day":1,"text":"","facts":{\n"c0.f1":{"id":"c0.f1",'
    b'"handle":"f1","subject":"c0.p1","predicate":"location","object":"c0.l1","object_kind":"entity",'
    b'"valid_from_chapter":"c0","valid_until_chapter":"c0","source_chapter":"c0","evidence":{"quote":"","chapter":"c0",'
    b'"start":1,"end":2}}'
)


def hash_of(content: bytes) -> str:
    return digest(content)[:HASH_DIGITS]


def pack_path(pack: str) -> str:
    return f"{PIECES}/{pack}.pack"


class PackWriter:
    """The pieces that one acceptance adds. `known` finds the reference of a piece that is stored already."""

    def __init__(self, name: str, known: Callable[[str], str | None] = lambda _: None) -> None:
        self.name = name
        self._known = known
        self._pieces: dict[str, bytes] = {}

    def add(self, content: bytes) -> str:
        name = hash_of(content)
        stored = self._known(name)
        if stored is not None:
            return stored
        self._pieces.setdefault(name, content)
        return f"{name}@{self.name}"

    def finish(self) -> bytes | None:
        """The pack's content, or null when nothing new was added."""
        if not self._pieces:
            return None
        places: dict[str, tuple[int, int]] = {}
        body = bytearray()
        for name, content in self._pieces.items():
            squeezer = zlib.compressobj(9, zlib.DEFLATED, -15, 9, zlib.Z_DEFAULT_STRATEGY, _DICTIONARY)
            packed = squeezer.compress(content) + squeezer.flush()
            places[name] = (len(body), len(packed))
            body += packed
        head = json.dumps({"schema_version": SCHEMA_VERSION, "codec": _CODEC, "pieces": places}, separators=(",", ":"))
        return head.encode() + b"\n" + bytes(body)


class _Pack(NamedTuple):
    version: int
    places: dict[str, list[int]]
    body: bytes


def parse_pack(content: bytes, where: str) -> _Pack:
    """Raises `file-empty`, `file-damaged`, `schema-newer`."""
    if not content:
        raise InkosError("file-empty", where=where)
    head, _, body = content.partition(b"\n")
    try:
        data = json.loads(head)
        version, codec, places = data["schema_version"], data["codec"], data["pieces"]
    except (ValueError, KeyError, TypeError) as error:
        raise InkosError("file-damaged", where=where, detail="header") from error
    if version > SCHEMA_VERSION or codec > _CODEC:
        raise InkosError("schema-newer", where=where, found=version, known=SCHEMA_VERSION)
    return _Pack(version, places, body)


class Packs:
    """Reads pieces by reference. Packs never change, so what was read stays right."""

    def __init__(self, read: Callable[[str], bytes]) -> None:
        self._read = read
        self._open: dict[str, _Pack] = {}

    def get(self, reference: str) -> bytes:
        """Raises `file-missing`, `file-damaged` (also when the content is not what its name says)."""
        name, _, pack = reference.partition("@")
        where = pack_path(pack)
        opened = self._open.get(pack)
        if opened is None:
            if len(self._open) >= PACKS_KEPT_OPEN:
                self._open.clear()
            opened = self._open[pack] = parse_pack(self._read(where), where)
        try:
            offset, length = opened.places[name]
            squeezed = zlib.decompressobj(-15, _DICTIONARY)
            content = squeezed.decompress(opened.body[offset : offset + length]) + squeezed.flush()
        except (KeyError, ValueError, zlib.error) as error:
            raise InkosError("file-damaged", where=where, detail=f"piece {name}") from error
        if hash_of(content) != name:
            raise InkosError("file-damaged", where=where, detail=f"piece {name}")
        return upgraded_piece(content, opened.version, where)


class SnapshotFile(Record):
    """story/snapshots/<chapter id>.json"""

    schema_version: int
    book_id: str
    language: Language
    chapter: str
    clock: StoryClock = StoryClock()
    groups: dict[str, str] = Field(default_factory=dict)


class Shelf(NamedTuple):
    """Where the pieces of one snapshot are: chapter id → open piece, history piece ("" = none); group → node."""

    chapter: str
    open: dict[str, str]
    history: dict[str, str]
    nodes: dict[str, str]


EMPTY_SHELF = Shelf("", {}, {}, {})


def group_of(chapter: str) -> str:
    """Chapters are grouped by the number in their id, so that the grouping does not move with the order."""
    number = re.search(r"(\d+)$", chapter)
    return f"g{int(number.group(1)) // GROUP:04d}" if number else "g"


def _touched(rows: Rows, before: Rows | None) -> set[str] | None:
    """Birth chapters of the rows that are not as they were; null: unknown, all may be."""
    if before is None:
        return None
    touched: set[str] = set()
    for table in TABLES:
        old, new = before.tables[table], rows.tables[table]
        for key, row in new.items():
            was = old.get(key)
            if was is not row:
                touched.add(row.birth)
                if was is not None:
                    touched.add(was.birth)
        touched.update(row.birth for key, row in old.items() if key not in new)
    return touched


def _open_pieces(rows: Rows, births: set[str] | None, beliefs: bytes) -> dict[str, bytes]:
    """The open piece of each asked-for chapter; b"" where nothing of it is open any more."""
    sorted_rows: dict[str, dict[str, list[Row]]] = {birth: {} for birth in sorted(births or ())}
    for table in TABLES:
        for row in rows.tables[table].values():
            if births is None or row.birth in births:
                sorted_rows.setdefault(row.birth, {}).setdefault(table, []).append(row)
    pieces: dict[str, bytes] = {}
    for birth, tables in sorted_rows.items():
        parts = [table_json(table, (row.line for row in found)) for table, found in tables.items()]
        if birth == GENESIS and beliefs != b"[]":
            parts.append(b'"beliefs":' + beliefs)
        pieces[birth] = object_json(parts) if parts else b""
    return pieces


def build_snapshot(
    state: StoryState, rows: Rows, history: bytes | None, *, shelf: Shelf, before: Rows | None, pack: PackWriter
) -> tuple[bytes, Shelf]:
    """The snapshot file after a chapter, and its shelf; new pieces go into `pack`. `shelf` and `before` are those of
    the snapshot that the chapter was applied on. `history` is null where the chapter laid nothing to rest."""
    chapter = rows.order.id_at(state.last_applied_chapter)
    touched = _touched(rows, before)
    if touched is not None:
        touched.add(GENESIS)  # holds the beliefs, which have no row
    opens, histories, nodes = dict(shelf.open), dict(shelf.history), dict(shelf.nodes)
    groups: set[str] = set()
    pieces = _open_pieces(rows, touched, beliefs_json(state))
    if touched is None:
        for gone in sorted(set(opens) - set(pieces)):
            pieces[gone] = b""
    for birth, content in pieces.items():
        old = opens.get(birth, "")
        if content and old.partition("@")[0] == hash_of(content):
            continue
        new = pack.add(content) if content else ""
        if new != old:
            opens[birth] = new
            groups.add(group_of(birth))
    if history is None and histories.pop(chapter, ""):  # the chapter was settled again
        groups.add(group_of(chapter))
    if history is not None and histories.get(chapter, "").partition("@")[0] != hash_of(history):
        histories[chapter] = pack.add(history)
        groups.add(group_of(chapter))
    members: dict[str, list[str]] = {}
    for known in dict.fromkeys([*opens, *histories]):
        members.setdefault(group_of(known), []).append(known)
    groups |= {group for group in members if group not in nodes}
    for group in sorted(groups):
        node = {known: [opens.get(known, ""), histories.get(known, "")] for known in sorted(members.get(group, ()))}
        nodes[group] = pack.add(_node_json(node))
    made = Shelf(chapter, opens, histories, nodes)
    return _snapshot_json(state, chapter, made), made


def _node_json(node: Mapping[str, list[str]]) -> bytes:
    return object_json(fields_json({key: value for key, value in node.items() if any(value)}))


def _snapshot_json(state: StoryState, chapter: str, shelf: Shelf) -> bytes:
    record = SnapshotFile(
        schema_version=SCHEMA_VERSION,
        book_id=state.book_id,
        language=state.language,
        chapter=chapter,
        clock=state.clock,
        groups=dict(sorted(shelf.nodes.items())),
    )
    fields = record.model_dump(mode="json", exclude={"groups"})
    return object_json([*fields_json(fields), table_json("groups", fields_json(record.groups))])


def load_shelf(snapshot: SnapshotFile, packs: Packs) -> Shelf:
    opens: dict[str, str] = {}
    histories: dict[str, str] = {}
    for reference in snapshot.groups.values():
        node: dict[str, list[str]] = json.loads(packs.get(reference))
        for chapter, (open_piece, history) in node.items():
            if open_piece:
                opens[chapter] = open_piece
            if history:
                histories[chapter] = history
    return Shelf(snapshot.chapter, opens, histories, dict(snapshot.groups))


class _OpenRows(Record):
    entities: dict[str, Entity] = Field(default_factory=dict)
    facts: dict[str, Fact] = Field(default_factory=dict)
    truths: dict[str, Truth] = Field(default_factory=dict)
    hooks: dict[str, Hook] = Field(default_factory=dict)
    summaries: dict[str, SummaryRow] = Field(default_factory=dict)
    beliefs: tuple[Belief, ...] = ()


def load_snapshot(snapshot: SnapshotFile, packs: Packs, order: Order, where: str) -> StoryState:
    """The state that a snapshot names, rows in the order of their birth. Raises like `load_record` and `Packs.get`."""
    shelf = load_shelf(snapshot, packs)
    merged: dict[str, Any] = {name: {} for name in TABLES}
    beliefs: tuple[Belief, ...] = ()
    for chapter in _in_order(shelf.open, order):
        rows = load_record(_OpenRows, packs.get(shelf.open[chapter]), where, order.context)
        for table in TABLES:
            merged[table].update(getattr(rows, table))
        beliefs = beliefs or rows.beliefs
    summaries = tuple(merged.pop("summaries").values())
    return StoryState(
        schema_version=snapshot.schema_version,
        book_id=snapshot.book_id,
        language=snapshot.language,
        last_applied_chapter=0 if snapshot.chapter == GENESIS else order.index(snapshot.chapter) + 1,
        clock=snapshot.clock,
        beliefs=beliefs,
        summaries=summaries,
        **merged,
    )


def _in_order(chapters: Iterable[str], order: Order) -> list[str]:
    known = set(chapters)
    return [chapter for chapter in (GENESIS, *order) if chapter in known]
