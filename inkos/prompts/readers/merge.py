"""Puts the re-asked keys of a second reply in place of those of the first; does not know what was wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence

from inkos.prompts.contracts import ALL_KEYS
from inkos.prompts.readers.ladder import read_list, read_object
from inkos.prompts.readers.words import key_of


def merge(first: str, second: str, keys: Sequence[str]) -> str:
    """One reply out of two, as text: the first with `keys` taken from the second. No keys: the second stands for all.

    What cannot be merged is the second reply as it is; reading it will say what is wrong with it.
    """
    if not keys:
        return second
    old = read_object(first, ALL_KEYS).object
    if old is None:
        return second
    new = read_object(second, frozenset(keys)).object
    if new is None:
        bare = read_list(second) if len(keys) == 1 else None
        if bare is None:
            return second
        new = {keys[0]: bare}
    known = frozenset(keys)
    named = {key_of(key, known): value for key, value in new.items()}
    kept = {key: value for key, value in old.items() if key_of(key, known) is None or key_of(key, known) not in named}
    return json.dumps({**kept, **{key: value for key, value in named.items() if key}}, ensure_ascii=False)
