"""Ids that outlive a new telling: what a chapter introduces again keeps its id, what is new never takes an old one.

A chapter's delta names its new things `<chapter id>.<local handle>`. When the chapter is written or settled again, the
same handle may mean somebody else; later chapters that speak of `c0003.n2` must not suddenly speak of another person.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from inkos.kernel.delta import Delta, EventItem, FactChange, HookOp
from inkos.kernel.story import Entity
from inkos.prompts.readers.handles import plain_name


def carried(new: Delta, old: Delta, mark: str) -> Delta:
    """`new` with the ids and handles of `old` for what both introduce, and ids `<chapter id>.<mark><local>` for the
    rest. `mark` must not have been used for this chapter before."""
    ids: dict[str, str] = {}
    handles: dict[str, str] = {}
    for was, now in _entities(old, new):
        ids[now.id], handles[now.id] = was.id, was.handle
    for op_was, op_now in _hooks(old, new):
        ids[op_now.hook], handles[op_now.hook] = op_was.hook, op_was.handle
    for was_fact, now_fact in _statements(old.facts, new.facts, ids):
        ids[now_fact.id], handles[now_fact.id] = was_fact.id, was_fact.handle
    for was_event, now_event in _statements(old.events, new.events, ids):
        ids[now_event.id], handles[now_event.id] = was_event.id, was_event.handle
    home = f"{new.chapter}."
    for own in _own_ids(new):
        if own not in ids:
            ids[own] = home + mark + own.removeprefix(home)
    renamed = Delta.model_validate_json(json.dumps(_mapped(new.model_dump(mode="json"), ids)))
    return _with_handles(renamed, {ids[key]: handle for key, handle in handles.items() if handle})


def _own_ids(delta: Delta) -> list[str]:
    home = f"{delta.chapter}."
    known = [e.id for e in delta.entities] + [f.id for f in delta.facts] + [e.id for e in delta.events]
    known += [op.hook for op in delta.hook_ops]
    return [each for each in dict.fromkeys(known) if each.startswith(home)]


def _entities(old: Delta, new: Delta) -> list[tuple[Entity, Entity]]:
    """Entities that both introduce: of one kind, with a name in common."""
    home, pairs = f"{new.chapter}.", []
    left = [entity for entity in old.entities if entity.id.startswith(home)]
    for entity in new.entities:
        if not entity.id.startswith(home):
            continue
        names = {plain_name(name) for name in (entity.name, *entity.aliases)}
        twin = next(
            (e for e in left if e.kind == entity.kind and names & {plain_name(n) for n in (e.name, *e.aliases)}), None
        )
        if twin is not None:
            left.remove(twin)
            pairs.append((twin, entity))
    return pairs


def _hooks(old: Delta, new: Delta) -> list[tuple[HookOp, HookOp]]:
    """Promises that both plant: in the same words, or with the same quote."""
    home, pairs = f"{new.chapter}.", []
    left = [op for op in old.hook_ops if op.op == "upsert" and op.hook.startswith(home)]
    for op in new.hook_ops:
        if op.op != "upsert" or not op.hook.startswith(home):
            continue
        twin = next((o for o in left if plain_name(o.core) == plain_name(op.core)), None)
        twin = twin or next((o for o in left if o.evidence.quote and o.evidence.quote == op.evidence.quote), None)
        if twin is not None:
            left.remove(twin)
            pairs.append((twin, op))
    return pairs


def _statements(old: Any, new: Any, ids: Mapping[str, str]) -> list[tuple[Any, Any]]:
    """Facts or events that say the same of the same."""
    left, pairs = list(old), []
    for item in new:
        said = _said(item, ids)
        twin = next((other for other in left if _said(other, {}) == said), None)
        if twin is not None:
            left.remove(twin)
            pairs.append((twin, item))
    return pairs


def _said(item: FactChange | EventItem, ids: Mapping[str, str]) -> tuple[object, ...]:
    what = item.predicate if isinstance(item, FactChange) else item.type
    closes = item.closes if isinstance(item, FactChange) else None
    value = ids.get(item.object, item.object) if isinstance(item.object, str) else item.object
    return (ids.get(item.subject, item.subject), what, type(value), value, closes)


def _mapped(value: Any, ids: Mapping[str, str]) -> Any:
    """JSON with ids in the place of ids. An id is no text that a quote or a summary could consist of."""
    if isinstance(value, str):
        return ids.get(value, value)
    if isinstance(value, list):
        return [_mapped(item, ids) for item in value]
    if isinstance(value, dict):
        return {key: _mapped(item, ids) for key, item in value.items()}
    return value


def _with_handles(delta: Delta, handles: Mapping[str, str]) -> Delta:
    def held(items: Any, key: str = "id") -> Any:
        return tuple(
            item.model_copy(update={"handle": handles[getattr(item, key)]}) if getattr(item, key) in handles else item
            for item in items
        )

    return delta.model_copy(
        update={
            "entities": held(delta.entities),
            "facts": held(delta.facts),
            "events": held(delta.events),
            "hook_ops": held(delta.hook_ops, "hook"),
        }
    )
