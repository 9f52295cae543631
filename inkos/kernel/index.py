"""Look-up tables over one state, so that judging a chapter never walks the whole book; not part of the truth."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from inkos.kernel.story import Entity, Fact, Hook, StoryState

_KEY = "_index"  # beside the fields in the state's __dict__: pydantic compares and dumps fields only
_MERGE = 256  # entries of an overlay before it is folded into its base: keeps a copy small and folding rare

V = TypeVar("V")


class Layered(Generic[V]):
    """A table whose copies cost the changes since the last folding, not the whole: a shared base and a small overlay."""

    __slots__ = ("_base", "_over")

    def __init__(self, base: dict[str, V], over: dict[str, V]) -> None:
        self._base = base
        self._over = over

    def get(self, key: str) -> V | None:
        found = self._over.get(key)
        return found if found is not None else self._base.get(key)

    def set(self, key: str, value: V) -> None:
        self._over[key] = value

    def copy(self) -> Layered[V]:
        if len(self._over) > _MERGE:
            return Layered({**self._base, **self._over}, {})
        return Layered(self._base, self._over.copy())


def plain(text: str) -> str:
    """A name or a promise without what may differ and still be the same: width, case, blanks, punctuation."""
    if text.isascii():
        return "".join(c for c in text.casefold() if c.isalnum())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if c.isalnum())


Ids = tuple[str, ...]


class Index:
    """Open facts by subject and by object, entities by handle and name, hooks by what they promise."""

    __slots__ = ("_names", "_objects", "_promises", "_subjects", "entities", "facts", "hooks")

    def __init__(self) -> None:
        self._subjects: Layered[Ids] = Layered({}, {})
        self._objects: Layered[Ids] = Layered({}, {})
        self._names: Layered[Ids] = Layered({}, {})
        self._promises: Layered[Ids] = Layered({}, {})
        # The very tables this index was built from: another table means that the index is stale.
        self.facts: dict[str, Fact] = {}
        self.entities: dict[str, Entity] = {}
        self.hooks: dict[str, Hook] = {}

    def copy(self) -> Index:
        other = Index()
        other._subjects = self._subjects.copy()
        other._objects = self._objects.copy()
        other._names = self._names.copy()
        other._promises = self._promises.copy()
        other.facts, other.entities, other.hooks = self.facts, self.entities, self.hooks
        return other

    def about(self, subject: str) -> Ids:
        return self._subjects.get(subject) or ()

    def pointing(self, value: str) -> Ids:
        return self._objects.get(value) or ()

    def bearers(self, name: str) -> Ids:
        """Ids of the entities that bear this handle, name or alias."""
        return self._names.get(plain(name)) or ()

    def promisers(self, core: str) -> Ids:
        """Ids of the hooks that promise the same about the same: the wording with every known name put back to its
        bearer must be equal. Wordings that merely share characters are different promises."""
        return self._promises.get(self.promise_key(core)) or ()

    def promise_key(self, core: str) -> str:
        words = plain(core)
        out: list[str] = []
        at = 0
        while at < len(words):
            for size in range(min(24, len(words) - at), 1, -1):
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
        _add(self._subjects, fact.subject, fact.id)
        if isinstance(fact.object, str):
            _add(self._objects, fact.object, fact.id)

    def drop_fact(self, fact: Fact) -> None:
        _drop(self._subjects, fact.subject, fact.id)
        if isinstance(fact.object, str):
            _drop(self._objects, fact.object, fact.id)

    def add_entity(self, entity: Entity) -> None:
        for name in _names(entity):
            _add(self._names, plain(name), entity.id)

    def add_hook(self, hook: Hook) -> None:
        _add(self._promises, self.promise_key(hook.core), hook.id)


def _names(entity: Entity) -> Iterator[str]:
    yield from (name for name in (entity.handle, entity.name, *entity.aliases) if plain(name))


def _add(table: Layered[Ids], key: str, item: str) -> None:
    held = table.get(key) or ()
    if item not in held:
        table.set(key, (*held, item))


def _drop(table: Layered[Ids], key: str, item: str) -> None:
    table.set(key, tuple(each for each in table.get(key) or () if each != item))


def _build(facts: Iterable[Fact], entities: Iterable[Entity], hooks: Iterable[Hook]) -> Index:
    index = Index()
    for entity in entities:
        index.add_entity(entity)
    for fact in facts:
        index.add_fact(fact)
    for hook in hooks:
        index.add_hook(hook)
    # What was gathered one by one becomes the shared base.
    for name in ("_subjects", "_objects", "_names", "_promises"):
        table: Layered[Ids] = getattr(index, name)
        setattr(index, name, Layered({**table._base, **table._over}, {}))
    return index


def index_of(state: StoryState) -> Index:
    """The state's index: carried along by the reducer, else built once from the whole state."""
    held = state.__dict__.get(_KEY)
    if isinstance(held, Index) and (
        held.facts is state.facts and held.entities is state.entities and held.hooks is state.hooks
    ):
        return held
    index = _build(state.facts.values(), state.entities.values(), state.hooks.values())
    attach(state, index)
    return index


def attach(state: StoryState, index: Index) -> None:
    """Make `index` the one of `state`. It is a cache: two states with the same fields stay equal."""
    index.facts, index.entities, index.hooks = state.facts, state.entities, state.hooks
    state.__dict__[_KEY] = index
