"""Look-up tables over one state, so that judging a chapter never walks the whole book; not part of the truth."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

from inkos.kernel.story import Entity, Fact, Hook, StoryState
from inkos.kernel.values import keyed, number, plain

_KEY = "_index"  # beside the fields in the state's __dict__: pydantic compares and dumps fields only
# An overlay is folded into its base when it is larger than this, and large against the base: its copying costs each
# chapter its size, the folding costs now and then that of the base.
_MERGE, _WORTH = 256, 16

_NAME = 24  # characters of the longest name that is looked for in the wording of a promise
CLOSED = ("resolved", "abandoned")  # hook statuses that nothing leaves
WORLD_RULE = "rule"  # the predicate of a rule of the story's world
YEAR = "year"  # the predicate of the year that it is

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
        size = len(self._over)
        if size > _MERGE and size * size > _WORTH * len(self._base):
            return self.folded()
        return Layered(self._base, self._over.copy())

    def folded(self) -> Layered[V]:
        return Layered({**self._base, **self._over}, {})


Ids = tuple[str, ...]
_TABLES = ("_keys", "_names", "_objects", "_predicates", "_said", "_slots", "_starts")


class Index:
    """Open facts by subject and by object, entities by handle and name, and the hooks that are open."""

    __slots__ = (*_TABLES, "_cores", "_spoken", "entities", "facts", "hooks", "promised", "rules", "years")

    def __init__(self) -> None:
        self._predicates: Layered[Ids] = Layered({}, {})  # subject → predicates that it has facts of
        self._slots: Layered[Ids] = Layered({}, {})  # (subject, predicate) → facts
        self._said: Layered[Ids] = Layered({}, {})  # (subject, predicate, value) → facts
        self._keys: Layered[Ids] = Layered({}, {})  # (subject, predicate, key of a `key: value`) → facts
        self._objects: Layered[Ids] = Layered({}, {})  # value → facts
        self._names: Layered[Ids] = Layered({}, {})  # name → entities
        self._starts: Layered[int] = Layered({}, {})  # first two letters of names → the longest of them
        self.promised: dict[str, str] = {}  # open hooks → their wording with bearers for names
        self._cores: str | None = None  # the wordings of all open hooks, one a line; null when one has changed
        self._spoken: dict[str, str] = {}  # wordings with bearers for names, as long as no name is added
        self.rules: Ids = ()  # facts that lay down a rule of the story's world
        self.years: Ids = ()  # facts that say which year it is
        # The very tables this index was built from: another table means that the index is stale.
        self.facts: dict[str, Fact] = {}
        self.entities: dict[str, Entity] = {}
        self.hooks: dict[str, Hook] = {}

    def copy(self) -> Index:
        other = Index()
        for name in _TABLES:
            setattr(other, name, getattr(self, name).copy())
        other._cores = self._cores
        other.promised, other.rules, other.years = self.promised, self.rules, self.years
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

    def predicates(self, subject: str) -> Ids:
        """What there have been facts of about a subject."""
        return self._predicates.get(subject) or ()

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
        words = self._by_bearers(plain(core))
        return next((name for name, other in self.promised.items() if other == words), None)

    def _by_bearers(self, words: str) -> str:
        known = self._spoken.get(words)
        if known is not None:
            return known
        out: list[str] = []
        at, end = 0, len(words)
        while at < end:
            longest = self._starts.get(words[at : at + 2])
            for size in range(min(longest, end - at), 1, -1) if longest else ():
                ids = self._names.get(words[at : at + size])
                if ids and len(ids) == 1:
                    out.append(f"<{ids[0]}>")
                    at += size
                    break
            else:
                out.append(words[at])
                at += 1
        self._spoken[words] = "".join(out)
        return self._spoken[words]

    def add_fact(self, fact: Fact) -> None:
        for table, key in self._places(fact):
            table.set(key, (*(table.get(key) or ()), fact.id))
        _add(self._predicates, fact.subject, fact.predicate)
        if fact.predicate == WORLD_RULE:
            self.rules = (*self.rules, fact.id)
        elif fact.predicate == YEAR:
            self.years = (*self.years, fact.id)

    def drop_fact(self, fact: Fact) -> None:
        for table, key in self._places(fact):
            _drop(table, key, fact.id)
        if fact.predicate == WORLD_RULE:
            self.rules = tuple(each for each in self.rules if each != fact.id)
        elif fact.predicate == YEAR:
            self.years = tuple(each for each in self.years if each != fact.id)

    def _places(self, fact: Fact) -> Iterator[tuple[Layered[Ids], Hashable]]:
        subject, predicate, value = fact.subject, fact.predicate, fact.object
        yield self._slots, (subject, predicate)
        yield self._said, (subject, predicate, _plain_value(value))
        if isinstance(value, str):
            yield self._objects, value
            pair = keyed(value)
            if pair:
                yield self._keys, (subject, predicate, plain(pair[0]))

    @property
    def open_hooks(self) -> Ids:
        return tuple(self.promised)

    def add_entity(self, entity: Entity) -> None:
        self._spoken = {}
        if self._cores is None:
            self._cores = "\n".join(plain(self.hooks[each].core) for each in self.promised)
        for name in map(plain, _names(entity)):
            _add(self._names, name, entity.id)
            if len(name) > (self._starts.get(name[:2]) or 1):
                self._starts.set(name[:2], min(len(name), _NAME))
            if name in self._cores:
                spoken = [each for each in self.promised if name in plain(self.hooks[each].core)]
                self.promised = self.promised | {each: self._wording(each) for each in spoken}

    def add_hook(self, hook: Hook) -> None:
        self._cores = None
        if hook.status not in CLOSED:
            self.promised = {**self.promised, hook.id: self._wording(hook.id)}

    def change_hook(self, hook: Hook) -> None:
        if hook.id not in self.promised:
            return
        self._cores = None
        if hook.status in CLOSED:
            self.promised = {each: words for each, words in self.promised.items() if each != hook.id}
        else:
            self.promised = self.promised | {hook.id: self._wording(hook.id)}

    def _wording(self, hook_id: str) -> str:
        return self._by_bearers(plain(self.hooks[hook_id].core))


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
