"""Gives the short handles that prompts and people use (p7, h4, f120); ids are not made here."""

from __future__ import annotations

from collections.abc import Mapping

from inkos.kernel.delta import Delta
from inkos.kernel.story import HANDLE_LETTERS

# Handles of a chapter's reply (n1, n2 …) never stay: they are valid in that reply only.
LOCAL = "n"


class Counter:
    """Gives handles; `minted` is how many of each letter were ever given."""

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
    counts ever given by letter (`Index.minted`). Lasting handles stay, so minting twice gives the same. An entity of
    the delta is new when the reply's handle, or none, stands in it; a hook when it is an upsert of this chapter's."""
    count = Counter(minted)
    given = [entity.handle for entity in delta.entities] + [truth.handle for truth in delta.truths]
    given += [fact.handle for fact in delta.facts] + [event.handle for event in delta.events]
    given += [op.handle for op in delta.hook_ops]
    for held in given:
        letter, number = held[:1], held[1:]
        if letter != LOCAL and number.isdecimal():
            count.minted[letter] = max(count.minted.get(letter, 0), int(number))
    entities = tuple(item.model_copy(update={"handle": count.give(item.kind, item.handle)}) for item in delta.entities)
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
