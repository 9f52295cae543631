"""Look-up tables over one state, so that judging a chapter never walks the whole book; not part of the truth."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from inkos.kernel.story import Entity, Fact, Hook, StoryState
from inkos.kernel.values import keyed, number, plain

_KEY = "_index"  # beside the fields in the state's __dict__: pydantic compares and dumps fields only
_MERGE = 256  # entries of an overlay before it is folded into its base: keeps a copy small and folding rare

_NAME = 24  # characters of the longest name that is looked for in the wording of a promise
CLOSED = ("resolved", "abandoned")  # hook statuses that nothing leaves
WORLD_RULE = "rule"  # the predicate of a rule of the story's world

V = TypeVar("V")


class Layered(Generic[V]):
    """A table whose copies cost what changed since the last folding: a shared base and a small overlay."""

    __slots__ = ("_base", "_over")

    def __init__(self, base: dict[Hashable, V], over: dict[Hashable, V]) -> None:
        self._base = base
        self._over = over

    def get(self, key: Hashable) -> V | None:
        found = self._over.get(key)
        return found if found is not None else self._base.get(key)

    def set(self, key: Hashable, value: V) -> None:
        self._over[key] = value

    def copy(self) -> Layered[V]:
        if len(self._over) > _MERGE:
            return self.folded()
        return Layered(self._base, self._over.copy())

    def folded(self) -> Layered[V]:
        return Layered({**self._base, **self._over}, {})


Ids = tuple[str, ...]
_TABLES = ("_keys", "_names", "_objects", "_predicates", "_said", "_slots", "_starts")


class Index:
    """Open facts by subject and by object, entities by handle and name, and the hooks that are open."""

    __slots__ = (*_TABLES, "entities", "facts", "hooks", "open_hooks", "rules")

    def __init__(self) -> None:
        self._predicates: Layered[Ids] = Layered({}, {})  # subject → predicates that it has facts of
        self._slots: Layered[Ids] = Layered({}, {})  # (subject, predicate) → facts
        self._said: Layered[Ids] = Layered({}, {})  # (subject, predicate, value) → facts
        self._keys: Layered[Ids] = Layered({}, {})  # (subject, predicate, key of a `key: value`) → facts
        self._objects: Layered[Ids] = Layered({}, {})  # value → facts
        self._names: Layered[Ids] = Layered({}, {})  # name → entities
        self._starts: Layered[int] = Layered({}, {})  # first two letters of names → the longest of them
        self.open_hooks: Ids = ()
        self.rules: Ids = ()  # facts that lay down a rule of the story's world
        # The very tables this index was built from: another table means that the index is stale.
        self.facts: dict[str, Fact] = {}
        self.entities: dict[str, Entity] = {}
        self.hooks: dict[str, Hook] = {}

    def copy(self) -> Index:
        other = Index()
        for name in _TABLES:
            setattr(other, name, getattr(self, name).copy())
        other.open_hooks, other.rules = self.open_hooks, self.rules
        other.facts, other.entities, other.hooks = self.facts, self.entities, self.hooks
        return other

    def folded(self) -> Index:
        """Itself, with what was gathered one by one as the shared base."""
        for name in _TABLES:
            setattr(self, name, getattr(self, name).folded())
        return self

    def about(self, subject: str) -> Ids:
        """Facts about a subject."""
        return tuple(each for name in self._predicates.get(subject) or () for each in self.slot(subject, name))

    def slot(self, subject: str, predicate: str) -> Ids:
        return self._slots.get((subject, predicate)) or ()

    def saying(self, subject: str, predicate: str, value: object) -> Ids:
        """Facts of this subject and predicate whose value reads the same."""
        return self._said.get((subject, predicate, _plain_value(value))) or ()

    def under(self, subject: str, predicate: str, key: str) -> Ids:
        """Facts of this subject and predicate whose `key: value` has this key."""
        return self._keys.get((subject, predicate, plain(key))) or ()

    def pointing(self, value: str) -> Ids:
        return self._objects.get(value) or ()

    def bearers(self, name: str) -> Ids:
        """Ids of the entities that bear this handle, name or alias."""
        return self._names.get(plain(name)) or ()

    def same_promise(self, core: str) -> str | None:
        """The open hook that promises the same about the same: once every known name is put back to its bearer, the
        wordings are equal. Wordings that merely share characters are different promises."""
        words = plain(core)
        by_bearers = ""
        for hook_id in self.open_hooks:
            other = plain(self.hooks[hook_id].core)
            if other == words:
                return hook_id
            if _differing(words, other) > 2 * _NAME:
                continue
            by_bearers = by_bearers or self._by_bearers(words)
            if by_bearers != words and by_bearers == self._by_bearers(other):
                return hook_id
        return None

    def _by_bearers(self, words: str) -> str:
        out: list[str] = []
        at = 0
        while at < len(words):
            longest = min(self._starts.get(words[at : at + 2]) or 0, len(words) - at)
            for size in range(longest, 1, -1):
                ids = self._names.get(words[at : at + size])
                if ids and len(ids) == 1:
                    out.append(f"<{ids[0]}>")
                    at += size
                    break
            else:
                out.append(words[at])
                at += 1
        return "".join(out)

    def add_fact(self, fact: Fact) -> None:
        for table, key in self._places(fact):
            table.set(key, (*(table.get(key) or ()), fact.id))
        _add(self._predicates, fact.subject, fact.predicate)
        if fact.predicate == WORLD_RULE:
            self.rules = (*self.rules, fact.id)

    def drop_fact(self, fact: Fact) -> None:
        for table, key in self._places(fact):
            _drop(table, key, fact.id)
        if fact.predicate == WORLD_RULE:
            self.rules = tuple(each for each in self.rules if each != fact.id)

    def _places(self, fact: Fact) -> Iterator[tuple[Layered[Ids], Hashable]]:
        subject, predicate, value = fact.subject, fact.predicate, fact.object
        yield self._slots, (subject, predicate)
        yield self._said, (subject, predicate, _plain_value(value))
        if isinstance(value, str):
            yield self._objects, value
            pair = keyed(value)
            if pair:
                yield self._keys, (subject, predicate, plain(pair[0]))

    def add_entity(self, entity: Entity) -> None:
        for name in map(plain, _names(entity)):
            _add(self._names, name, entity.id)
            if len(name) > (self._starts.get(name[:2]) or 1):
                self._starts.set(name[:2], min(len(name), _NAME))

    def add_hook(self, hook: Hook) -> None:
        if hook.status not in CLOSED:
            self.open_hooks = (*self.open_hooks, hook.id)

    def change_hook(self, hook: Hook) -> None:
        if hook.status in CLOSED and hook.id in self.open_hooks:
            self.open_hooks = tuple(each for each in self.open_hooks if each != hook.id)


def _differing(one: str, other: str) -> int:
    """How many characters are left of the longer text without what both begin and end with."""
    head = _common(one, other, min(len(one), len(other)), from_end=False)
    tail = _common(one, other, min(len(one), len(other)) - head, from_end=True)
    return max(len(one), len(other)) - head - tail


def _common(one: str, other: str, most: int, *, from_end: bool) -> int:
    """How many characters, up to `most`, both have in common at one end; halving, because it is asked of every hook."""
    low, high = 0, most
    while low < high:
        size = (low + high + 1) // 2
        same = one.endswith(other[len(other) - size :]) if from_end else one.startswith(other[:size])
        low, high = (size, high) if same else (low, size - 1)
    return low


def _names(entity: Entity) -> Iterator[str]:
    yield from (name for name in (entity.handle, entity.name, *entity.aliases) if plain(name))


def _plain_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value)
    found = number(value)
    return f"{found:g}" if found is not None else plain(str(value))


def _add(table: Layered[Ids], key: Hashable, item: str) -> None:
    held = table.get(key) or ()
    if item not in held:
        table.set(key, (*held, item))


def _drop(table: Layered[Ids], key: Hashable, item: str) -> None:
    table.set(key, tuple(each for each in table.get(key) or () if each != item))


def build(facts: dict[str, Fact], entities: dict[str, Entity], hooks: dict[str, Hook]) -> Index:
    """The index of these tables, from the ground up."""
    index = Index()
    index.facts, index.entities, index.hooks = facts, entities, hooks
    for entity in entities.values():
        index.add_entity(entity)
    for fact in facts.values():
        index.add_fact(fact)
    for hook in hooks.values():
        index.add_hook(hook)
    return index.folded()


def index_of(state: StoryState) -> Index:
    """The state's index: carried along by the reducer, else built once from the whole state."""
    held = state.__dict__.get(_KEY)
    if isinstance(held, Index) and (
        held.facts is state.facts and held.entities is state.entities and held.hooks is state.hooks
    ):
        return held
    index = build(state.facts, state.entities, state.hooks)
    attach(state, index)
    return index


def attach(state: StoryState, index: Index) -> None:
    """Make `index` the one of `state`. It is a cache: two states with the same fields stay equal."""
    index.facts, index.entities, index.hooks = state.facts, state.entities, state.hooks
    state.__dict__[_KEY] = index
