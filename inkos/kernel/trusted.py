"""Records made of values that were checked already; judges nothing, so only code that checked may use it.

Pydantic's own ways without validation (`model_construct`, `model_copy`) take several times as long, and a delta makes
some thirty records.
"""

from __future__ import annotations

from typing import Any, TypeVar

from inkos.records import Record

R = TypeVar("R", bound=Record)
_EMPTY: dict[type[Record], dict[str, Any]] = {}  # every field in its order, with its default
_set = object.__setattr__


def _empty(kind: type[Record]) -> dict[str, Any]:
    fields = {
        name: None if field.is_required() else field.get_default(call_default_factory=True)
        for name, field in kind.model_fields.items()
    }
    _EMPTY[kind] = fields
    return fields


def made(kind: type[R], **values: Any) -> R:
    """A record of these values; what is not given has its default. A default that is a mapping is shared: give it."""
    fields = (_EMPTY.get(kind) or _empty(kind)).copy()
    fields.update(values)
    return _record(kind, fields, set(values))


def but(record: R, **values: Any) -> R:
    """The record with other values in these fields."""
    fields = record.__dict__.copy()
    fields.update(values)
    return _record(type(record), fields, record.__pydantic_fields_set__ | values.keys())


def _record(kind: type[R], fields: dict[str, Any], given: set[str]) -> R:
    record = kind.__new__(kind)
    _set(record, "__dict__", fields)
    _set(record, "__pydantic_fields_set__", given)
    _set(record, "__pydantic_extra__", None)
    _set(record, "__pydantic_private__", None)
    return record
