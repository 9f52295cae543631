"""Merges operations on promises to the reader (hooks); does not know how a promise is worded or when it is due."""

from __future__ import annotations

from inkos.kernel.delta import HookOp
from inkos.kernel.findings import Severity
from inkos.kernel.story import Hook, HookNote, HookStatus
from inkos.kernel.transaction import Transaction
from inkos.kernel.trusted import but, made
from inkos.kernel.values import odd
from inkos.kernel.views import is_open

# resolved > progressing > what it was; abandoned is final (the seed system's order).
FINAL: frozenset[HookStatus] = frozenset({"resolved", "abandoned"})


def _report(tx: Transaction, op: HookOp, path: str, code: str, severity: Severity, expected: str = "") -> None:
    held = tx.hooks.get(op.hook)
    tx.report(
        code,
        severity,
        path,
        about=op.hook,
        expected=expected or (held.status if held else ""),
        actual=op.op,
        subject=op.hook,
        predicate="hook",
        new=op.evidence,
        old=held.evidence if held else None,
    )


def apply_hook(tx: Transaction, op: HookOp, path: str) -> None:
    """One operation at its place in the text; what cannot be done is a finding, never a silent no-op."""
    for other in op.depends_on:
        if other not in tx.hooks and not any(new.hook == other for new in tx.delta.hook_ops):
            _report(tx, op, path, "hook-008", "blocking", expected=other)
            return
    held = tx.hooks.get(op.hook)
    if held is None:
        if op.op == "upsert" and op.hook.startswith(f"{tx.delta.chapter}."):
            _plant(tx, op, path)
        else:
            _report(tx, op, path, "hook-001", "blocking")
        return
    if held.status in FINAL and op.op != "mention":
        _report(tx, op, path, "hook-002", "blocking")
        return
    if op.op == "mention":
        return
    if op.op == "resolve":
        waits = [name for name in held.depends_on if name in tx.hooks and is_open(tx.hooks[name])]
        if waits:
            _report(tx, op, path, "hook-006", "warning", expected=tx.name(waits[0]))
    if op.op == "abandon" and not (op.evidence.quote or op.evidence.reason or op.core.strip()):
        _report(tx, op, path, "hook-007", "blocking")
        return
    tx.put_hook(merged(held, op, tx.position))


def _plant(tx: Transaction, op: HookOp, path: str) -> None:
    if odd(op.core):
        _report(tx, op, path, "kernel-011", "blocking", expected=odd(op.core))
        return
    twin = tx.index.same_promise(op.core)
    if twin is not None:
        _report(tx, op, path, "hook-003", "blocking", expected=tx.hooks[twin].core)
        return
    tx.put_hook(
        made(
        Hook,
        id=op.hook,
            handle=op.handle,
            type=op.type,
            status="open",
            start_chapter=tx.position,
            last_advanced_chapter=tx.position,
            core=op.core.strip(),
            expected_payoff="",
            payoff_timing=op.timing or "mid-arc",
            due_by=op.due_by,
            trigger=op.trigger,
            depends_on=op.depends_on,
            notes="",
            history=(),
            evidence=op.evidence,
        )
    )


def merged(held: Hook, op: HookOp, position: int) -> Hook:
    """Start the smaller, last-advanced the larger; a newer wording with evidence becomes the current one and the older
    stays in the history; of two without evidence the longer stands."""
    status: HookStatus = held.status
    if op.op == "upsert":
        status = "progressing"
    elif op.op in ("resolve", "defer", "abandon"):
        status = {"resolve": "resolved", "defer": "deferred", "abandon": "abandoned"}[op.op]  # type: ignore[assignment]
    core = op.core.strip()
    proven = bool(op.evidence.quote) or (not held.evidence.quote and len(core) > len(held.core))
    newer = bool(core) and core != held.core and op.op == "upsert" and proven
    update: dict[str, object] = {
        "status": status,
        "start_chapter": min(held.start_chapter, position),
        "last_advanced_chapter": held.last_advanced_chapter
        if op.op == "defer"
        else max(held.last_advanced_chapter, position),
    }
    if newer:
        update["core"] = core
    if newer or status != held.status:
        note = made(
        HookNote,
        chapter=position,
            status=held.status,
            core=held.core if newer else core,
            quote=held.evidence.quote if newer else op.evidence.quote,
        )
        update["history"] = (*held.history, note)
    if newer and op.evidence.quote:
        update["evidence"] = op.evidence
    if op.timing:
        update["payoff_timing"] = op.timing
    if op.due_by is not None:
        update["due_by"] = op.due_by
    if op.trigger.strip():
        update["trigger"] = op.trigger
    if op.depends_on:
        update["depends_on"] = tuple(dict.fromkeys((*held.depends_on, *op.depends_on)))
    return but(held, **update)


def check_cap(tx: Transaction) -> None:
    """Too many open promises: ask for closing, and name the ones that have waited longest. None is dropped."""
    waiting = tx.index.open_hooks
    if len(waiting) <= tx.rules.hook_cap or not any(op.op == "upsert" for op in tx.delta.hook_ops):
        return
    oldest = sorted((tx.hooks[name] for name in waiting), key=lambda hook: (hook.last_advanced_chapter, hook.id))[:3]
    tx.report(
        "hook-005",
        "warning",
        "hook_ops",
        about="hooks",
        expected=f"≤ {tx.rules.hook_cap}",
        actual=str(len(waiting)),
        subject="; ".join(f"{hook.handle} {hook.core}".strip() for hook in oldest),
        predicate="hook",
        repairable=False,
    )
