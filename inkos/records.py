"""The one kind of record that rooms hand to each other; knows nothing of what the records hold."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer, SerializationInfo, ValidationInfo
from pydantic_core import to_json


class Record(BaseModel):
    """Frozen, closed (unknown keys are errors), compared by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


GENESIS = "genesis"  # the id of position 0, the state before the first chapter


def _id_to_position(value: Any, info: ValidationInfo) -> Any:
    order: Sequence[str] | None = (info.context or {}).get("chapters") if info.context else None
    if isinstance(value, str) and order is not None:
        if value == GENESIS:
            return 0
        try:
            return order.index(value) + 1
        except ValueError:
            raise ValueError(f"chapter {value!r} is not in the index") from None
    return value


def _position_to_id(value: int, info: SerializationInfo) -> Any:
    order: Sequence[str] | None = (info.context or {}).get("chapters") if info.context else None
    if order is None:
        return value
    return GENESIS if value == 0 else order[value - 1]


# A chapter's position in memory (0 = genesis, 1, 2, 3 …), its stable id on disk: files never hold positions, so that
# an insertion early in a book changes no file of a later chapter. The store passes {"chapters": [ids in order]}.
ChapterAt = Annotated[
    int,
    BeforeValidator(_id_to_position, json_schema_input_type=str | int),
    PlainSerializer(_position_to_id, return_type=str | int),
]


def digest(content: str | bytes) -> str:
    """SHA-256 as 64 hex digits, of UTF-8 bytes."""
    return hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()


def dump(record: BaseModel | Mapping[str, Any], context: Mapping[str, Any] | None = None) -> bytes:
    """Readable, stable JSON: sorted keys, one value a line, UTF-8, a newline at the end."""
    data = record.model_dump(mode="json", context=dict(context or {})) if isinstance(record, BaseModel) else record
    return to_json(_sorted(data), indent=1) + b"\n"  # json.dumps with an indent takes twice as long


def _sorted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list | tuple) else value
