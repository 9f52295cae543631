"""What a reply means by a handle or a name: ids of known things; does not know what the reply wants with them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from inkos.kernel.story import StoryState
from inkos.kernel.views import handles
from inkos.prompts.relevance import kept

HANDLE = re.compile(r"[a-zA-Z]{1,2}\d{1,6}")


@lru_cache(maxsize=16_384)
def plain_name(name: str) -> str:
    """A name as it is compared: width folded, blanks squeezed, marks around it off."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip(" \"'“”‘’「」『』《》").casefold()


def _bearers(state: StoryState) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for entity in state.entities.values():
        for name in (entity.name, *entity.aliases):
            found.setdefault(plain_name(name), set()).add(entity.id)
    return found


class Names:
    """Finds ids in one state by id, handle, name or alias. `new`: a reply's own handles (n1 …) and the ids they get."""

    def __init__(self, state: StoryState, new: Mapping[str, str] | None = None) -> None:
        self.state = state
        self.new = dict(new or {})
        self.hooks: dict[str, str] = {}  # handles of the reply's own promises
        self._handles = kept(state, "_handles", lambda: handles(state))
        self._names = dict(kept(state, "_bearers", lambda: _bearers(state)))

    def name(self, name: str, entity_id: str) -> None:
        """Let a new thing be found by its name too."""
        key = plain_name(name)
        self._names[key] = {*self._names.get(key, ()), entity_id}  # the sets are shared: never changed in place

    def thing(self, ref: str) -> str | None:
        """The id of an entity or truth; null when nothing, or more than one thing, is meant. A handle may come with the
        name beside it (`p1 程满仓`)."""
        bare = ref.strip().strip("[](){}（）【】`*")
        for key in (bare, bare.lower()):
            if key in self.new:
                return self.new[key]
            if key in self._handles:
                found = self._handles[key]
                return found if found in self.state.entities or found in self.state.truths else None
        if bare in self.state.entities or bare in self.state.truths:
            return bare
        named = self._names.get(plain_name(bare), set())
        if named:
            return next(iter(named)) if len(named) == 1 else None
        head = re.match(r"([a-zA-Z]\d{1,6})[\s·:：,，(（]", bare)
        return self.thing(head.group(1)) if head else None

    def ambiguous(self, name: str) -> bool:
        return len(self._names.get(plain_name(name), ())) > 1

    def bearers(self, name: str) -> tuple[str, ...]:
        """Ids of those who bear a name or alias."""
        return tuple(sorted(self._names.get(plain_name(name), ())))

    def hook(self, ref: str) -> str | None:
        bare = ref.strip()
        for key in (bare, bare.lower()):
            if key in self.hooks:
                return self.hooks[key]
            found = self._handles.get(key, key)
            if found in self.state.hooks:
                return found
        same = [hook.id for hook in self.state.hooks.values() if plain_name(hook.core) == plain_name(bare)]
        if len(same) == 1:
            return same[0]
        head = re.match(r"(h\d{1,6})[\s·:：,，(（]", bare)
        return self.hook(head.group(1)) if head else None

    def fact(self, ref: str) -> str | None:
        bare = ref.strip()
        found = self._handles.get(bare, self._handles.get(bare.lower(), bare))
        return found if found in self.state.facts else None


def is_handle(ref: str) -> bool:
    """Whether a reference looks like a handle, so that it must stand for something."""
    return HANDLE.fullmatch(ref.strip()) is not None
