"""Fits a JSON object to a contract's record: other keys, other words, figures as text; does not know what it is for.

Walks the record's fields, so a contract is written once (inkos/prompts/contracts.py). What cannot be fitted is a fault
with its place; nothing is guessed. A list may come as its one item, a string as a figure or a flag: both ways are
lossless."""

from __future__ import annotations

import types
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from inkos.prompts.readers.read import Faults
from inkos.prompts.readers.words import FALSE, TRUE, is_nothing, key_of, number_of, plain, value_of
from inkos.records import Record

R = TypeVar("R", bound=Record)

# The handles in the examples of the contracts (design/prompts.md): an item with nothing else is an echo of them.
ECHOED = frozenset({"p1", "p2", "p3", "l1", "l2", "i1", "g1", "s1", "h1", "n1", "o1", "b1", "q1", "F1", "L1"})

_BAD = object()  # could not be fitted; a fault has been added


class Shape:
    """One walk. `notes` count what was dropped or mapped; `faults` collect what does not fit."""

    def __init__(self, notes: list[str], faults: Faults) -> None:
        self.notes = notes
        self.faults = faults

    def fit(self, contract: type[R], value: dict[str, object], where: str = "") -> R | None:
        """The record, or null when a fault was added."""
        fields = {field.alias or name: field for name, field in contract.model_fields.items()}
        given = self._renamed(value, frozenset(fields), where)
        fitted: dict[str, Any] = {}
        sound = True
        for key, field in fields.items():
            place = f"{where}.{key}" if where else key
            if key not in given or (given[key] is None and field.is_required()):
                if field.is_required():
                    self.faults.add("reply-key", place)
                    sound = False
                continue
            got = self._value(field.annotation, given[key], place, field)
            if got is _BAD:
                sound = False
            elif got is not _DEFAULT:
                fitted[key] = got
        return contract.model_validate(fitted) if sound else None

    def _renamed(self, value: dict[str, object], known: frozenset[str], where: str) -> dict[str, object]:
        given: dict[str, object] = {}
        for key, item in value.items():
            name = key_of(key, known)
            if name is None:
                self.notes.append(f"unknown key dropped: {where + '.' if where else ''}{key[:40]}")
            elif name in given and key != name:
                self.notes.append(f"second key for {name} dropped")
            else:
                if key != name:
                    self.notes.append(f"key {key[:40]} read as {name}")
                given[name] = item
        return given

    def _value(self, kind: Any, value: object, place: str, field: FieldInfo | None = None) -> Any:
        origin, args = get_origin(kind), get_args(kind)
        if kind is object:
            return value
        if origin in (Union, types.UnionType):
            return self._union(args, value, place, field)
        if origin is Literal:
            return self._literal(args, value, place, field)
        if origin is tuple:
            return self._list(args[0], value, place)
        if isinstance(kind, type) and issubclass(kind, Record):
            return self._record(kind, value, place)
        if kind is str:
            return self._string(value, place)
        if kind is int:
            return self._figure(value, place, field)
        if kind is bool:
            return self._flag(value, place)
        raise AssertionError(f"no reading for {kind}")

    def _union(self, args: tuple[Any, ...], value: object, place: str, field: FieldInfo | None) -> Any:
        others = [arg for arg in args if arg is not type(None)]
        if len(others) < len(args) and is_nothing(value):
            return None
        if len(others) > 1:  # a scalar of any kind
            if isinstance(value, bool | int | float | str):
                return value
            self.faults.add("reply-value", place, allowed="text | number | true | false")
            return _BAD
        return self._value(others[0], value, place, field)

    def _literal(self, allowed: tuple[str, ...], value: object, place: str, field: FieldInfo | None) -> Any:
        if isinstance(value, bool):
            value = "yes" if value else "no"
        if isinstance(value, str):
            if value in allowed:
                return value
            got = value_of(value, allowed)
            if got is not None:
                self.notes.append(f"{place}: {value[:40]} read as {got}")
                return got
            if not value.strip() and field is not None and not field.is_required():
                return _DEFAULT
        self.faults.add("reply-value", place, allowed=" | ".join(allowed))
        return _BAD

    def _list(self, kind: Any, value: object, place: str) -> Any:
        if is_nothing(value):
            return ()
        if isinstance(value, dict) and not (isinstance(kind, type) and issubclass(kind, Record)):
            self.faults.add("reply-value", place, allowed="[…]")
            return _BAD
        if not isinstance(value, list):
            self.notes.append(f"{place}: one item read as a list")
            value = [value]
        items: list[Any] = []
        sound = True
        for number, item in enumerate(value):
            if is_nothing(item) or _is_echo(item):
                self.notes.append(f"{place}[{number}]: empty item dropped")
                continue
            got = self._value(kind, item, f"{place}[{number}]")
            if got is _BAD:
                sound = False
            else:
                items.append(got)
        return tuple(items) if sound else _BAD

    def _record(self, kind: type[Record], value: object, place: str) -> Any:
        if isinstance(value, list) and len(value) == 1:
            self.notes.append(f"{place}: list of one read as its item")
            value = value[0]
        if not isinstance(value, dict):
            self.faults.add("reply-value", place, allowed="{…}")
            return _BAD
        got = self.fit(kind, value, place)
        return _BAD if got is None else got

    def _string(self, value: object, place: str) -> Any:
        if isinstance(value, str):
            return value.strip()
        if value is None:
            return ""
        if isinstance(value, bool | int | float):
            self.notes.append(f"{place}: a figure read as text")
            return str(value)
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            self.notes.append(f"{place}: list of one read as its item")
            return value[0].strip()
        self.faults.add("reply-value", place, allowed="“…”")
        return _BAD

    def _figure(self, value: object, place: str, field: FieldInfo | None) -> Any:
        if isinstance(value, str):
            if not value.strip() and field is not None and not field.is_required():
                return _DEFAULT
            value = number_of(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if value is None and field is not None and not field.is_required():
            self.notes.append(f"{place}: not a figure, left out")
            return _DEFAULT
        self.faults.add("reply-value", place, allowed="0–9")
        return _BAD

    def _flag(self, value: object, place: str) -> Any:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and plain(value) in TRUE:
            return True
        if is_nothing(value) or (isinstance(value, str) and plain(value) in FALSE):
            return False
        self.faults.add("reply-value", place, allowed="true | false")
        return _BAD


_DEFAULT = object()  # the field's default stands


def _is_echo(item: object) -> bool:
    """Whether an item holds nothing but blanks and the contract's own example handles."""
    if not isinstance(item, dict) or not item:
        return item == {}
    return all(_holds_nothing(value) for value in item.values())


def _holds_nothing(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip() or value in ECHOED or ("|" in value and " " not in value)
    if isinstance(value, list):
        return all(_holds_nothing(item) for item in value)
    if isinstance(value, dict):
        return all(_holds_nothing(item) for item in value.values())
    return value is None or value is False or value == 0
