"""The promises of a settler's reply as hook operations; does not know what a promise may become (the reducer does)."""

from __future__ import annotations

from inkos.kernel.delta import HookOp
from inkos.kernel.papers import Plan
from inkos.kernel.story import HookType
from inkos.prompts.contracts import HookOpReply, SettleReply
from inkos.prompts.readers.handles import HANDLE, Names, plain_name
from inkos.prompts.readers.quoting import Quoting

ALIKE = 0.75  # share of common letter pairs from which two promises have the same entity and act


class Hooks:
    """One reading. `prefix` begins the ids of new promises (`c0151.`)."""

    def __init__(self, prefix: str, names: Names, quoting: Quoting, plan: Plan | None) -> None:
        self.prefix = prefix
        self.names = names
        self.quoting = quoting
        self.faults = quoting.faults
        self.notes = quoting.notes
        self.advanced = {p.hook for p in plan.promises if p.do == "advance"} if plan else set()

    def operations(self, reply: SettleReply) -> tuple[HookOp, ...]:
        made = []
        for n, item in enumerate(reply.hook_ops):
            evidence = self.quoting.evidence(item.quote, f"hook_ops[{n}].quote")
            hook, handle, core = self._hook(item, n)
            if hook is None:
                continue
            op = item.op
            if op == "resolve" and hook in self.advanced:
                self.notes.append(f"hook_ops[{n}]: the plan only advances {item.hook}: kept as upsert")
                op = "upsert"
            made.append(
                HookOp(
                    op=op, hook=hook, handle=handle, type=self._type(hook), core=core, timing=item.timing,
                    trigger=item.trigger, evidence=evidence,
                )
            )  # fmt: skip
        return tuple(made)

    def _hook(self, item: HookOpReply, n: int) -> tuple[str | None, str, str]:
        """Id, handle and wording of the promise an operation is about; a null id after a fault."""
        place = f"hook_ops[{n}]"
        ref = item.hook.strip()
        known = self.names.hook(ref)
        if known is not None:
            return known, "", item.core
        if item.op != "upsert" or not (ref.lower().startswith("n") or not ref or not HANDLE.fullmatch(ref)):
            self.faults.add("reply-handle", f"{place}.hook")
            return None, "", ""
        core = item.core or ("" if HANDLE.fullmatch(ref) else ref)
        if not core:
            self.faults.add("reply-key", f"{place}.core")
            return None, "", ""
        twin = self._twin(core)
        if twin is not None:
            self.notes.append(f"{place}: an open promise in other words: upsert of it")
            self.names.hooks[ref] = twin
            return twin, "", core
        handle = ref.lower() if HANDLE.fullmatch(ref) else f"n{n + 1}00"
        hook_id = self.prefix + handle
        if hook_id in self.names.new.values():  # one handle for an entity and a promise
            hook_id += "h"
        self.names.hooks[handle] = self.names.hooks[ref] = hook_id
        return hook_id, handle, core

    def _twin(self, core: str) -> str | None:
        pairs = _pairs(core)
        alike = [
            (len(pairs & other) / max(1, len(pairs | other)), hook.id)
            for hook in self.names.state.hooks.values()
            if hook.status not in ("resolved", "abandoned") and (other := _pairs(hook.core))
        ]
        best = max(alike, default=(0.0, ""))
        return best[1] if best[0] >= ALIKE else None

    def _type(self, hook: str) -> HookType:
        known = self.names.state.hooks.get(hook)
        return known.type if known else "running"


def _pairs(text: str) -> set[str]:
    flat = "".join(char for char in plain_name(text) if char.isalnum())
    return {flat[n : n + 2] for n in range(len(flat) - 1)}
