"""Gives the short handles that prompts and people use (p7, h4, f120); does not make ids, which follow from the chapter."""

from __future__ import annotations

from collections.abc import Mapping

from inkos.kernel.delta import Delta
from inkos.kernel.story import HANDLE_LETTERS

# Handles of a chapter's reply (n1, n2 …) never stay: they are valid in that reply only.
LOCAL = "n"


class _Counter:
    def __init__(self, minted: Mapping[str, int]) -> None:
        self.minted = dict(minted)

    def give(self, kind: str, held: str) -> str:
        """The handle as it is when it is a lasting one, else the next of its kind."""
        letter = HANDLE_LETTERS[kind]
        if held[:1] == letter and held[1:].isdecimal():
            self.minted[letter] = max(self.minted.get(letter, 0), int(held[1:]))
            return held
        self.minted[letter] = self.minted.get(letter, 0) + 1
        return f"{letter}{self.minted[letter]}"


def mint(delta: Delta, minted: Mapping[str, int]) -> tuple[Delta, dict[str, int]]:
    """The delta with a handle for each new entity, hook, fact, truth, and for the fact that each event sets, and the
    counts ever given by letter (`Index.minted`). Handles that are already lasting stay, so minting twice gives the same.
    An entity of the delta is new when the reply's handle, or none, stands in it; a hook when it is an upsert."""
    count = _Counter(minted)
    for item in (*delta.entities, *delta.facts, *delta.events, *delta.truths, *delta.hook_ops):
        letter, number = item.handle[:1], item.handle[1:]
        if letter != LOCAL and number.isdecimal():
            count.minted[letter] = max(count.minted.get(letter, 0), int(number))
    entities = tuple(
        item.model_copy(update={"handle": count.give(item.kind, item.handle)}) for item in delta.entities
    )
    facts = tuple(
        item if item.object is None else item.model_copy(update={"handle": count.give("fact", item.handle)})
        for item in delta.facts
    )
    events = tuple(item.model_copy(update={"handle": count.give("fact", item.handle)}) for item in delta.events)
    truths = tuple(item.model_copy(update={"handle": count.give("secret", item.handle)}) for item in delta.truths)
    new = f"{delta.chapter}."
    hooks: dict[str, str] = {}
    operations = []
    for op in delta.hook_ops:
        if op.op == "upsert" and (op.hook.startswith(new) or not op.hook):
            hooks.setdefault(op.hook, count.give("hook", op.handle))
            op = op.model_copy(update={"handle": hooks[op.hook]})
        operations.append(op)
    update = {
        "entities": entities,
        "facts": facts,
        "events": events,
        "truths": truths,
        "hook_ops": tuple(operations),
    }
    return delta.model_copy(update=update), count.minted
