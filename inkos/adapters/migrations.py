"""Older formats of a book's own files made current: a table by version, the rewriting, the backup; judges nothing.

    version   what its files lacked, and where it comes from now
    0         facts had no `source_chapter`: it is the chapter from which they hold

Reading never writes: a file of an older version is made current in memory each time it is read. Whoever holds the book
to write has it rewritten first (upgrade.py), with a backup of what changes. Packs of pieces are immutable and
stay as they are; their header says their version. One book of each version stays in books/old/.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from inkos.errors import InkosError
from inkos.kernel.story import SCHEMA_VERSION

Data = dict[str, Any]
_VERSION = re.compile(rb'"schema_version"\s*:\s*(-?\d+)')


def _from_0(data: Data) -> Data:
    """Facts stand in the state's table, in pieces' tables, and as the closed ones of a history."""
    tables = [data.get("facts"), data.get("closed")]
    for table in tables:
        rows = table.values() if isinstance(table, dict) else table if isinstance(table, list) else ()
        for row in rows:
            if isinstance(row, dict) and "valid_from_chapter" in row:
                row.setdefault("source_chapter", row["valid_from_chapter"])
    return data


MIGRATIONS: Mapping[int, Callable[[Data], Data]] = {0: _from_0}


def version_of(content: bytes) -> int:
    """The version that a JSON file of the program's names first; the current one where it names none."""
    found = _VERSION.search(content)
    return int(found[1]) if found else SCHEMA_VERSION


def upgraded(data: Data, version: int, where: str) -> Data:
    """The data of a file of an older version as the current one has it. Raises `file-damaged` for no version at all."""
    for step in range(version, SCHEMA_VERSION):
        if step not in MIGRATIONS:
            raise InkosError("file-damaged", where=where, detail=f"schema_version {version}")
        data = MIGRATIONS[step](data)
    if "schema_version" in data:
        data["schema_version"] = SCHEMA_VERSION
    return data


def upgraded_piece(content: bytes, version: int, where: str) -> bytes:
    """A piece of an older pack; pieces bear no version of their own."""
    if version >= SCHEMA_VERSION:
        return content
    return json.dumps(upgraded(json.loads(content), version, where), ensure_ascii=False).encode()


def rewritten(content: bytes, where: str) -> bytes | None:
    """An older file made current, one record a line; null where it is current already."""
    version = version_of(content)
    if version >= SCHEMA_VERSION:
        return None
    try:
        data = json.loads(content)
    except ValueError as error:
        raise InkosError("file-damaged", where=where, detail=str(error)[:120]) from error
    if not isinstance(data, dict):
        raise InkosError("file-damaged", where=where, detail="object")
    parts = [f"{json.dumps(key)}:{_rows(value)}" for key, value in upgraded(data, version, where).items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _rows(value: Any) -> str:
    """A table or list of records with one a line, anything else as it comes."""
    if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
        rows = [f"{_json(key)}:{_json(row)}" for key, row in value.items()]
        return "{\n" + ",\n".join(rows) + "\n}"
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return "[\n" + ",\n".join(map(_json, value)) + "\n]"
    return _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def backup(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip of these files. It bears no times, so the same files give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            archive.writestr(zipfile.ZipInfo(path), content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
