"""Findings as the reviser gets them: numbered, worded, the worst first; does not know how they are rendered."""

from __future__ import annotations

from collections.abc import Sequence

from inkos.kernel.findings import SEVERITY_ORDER, Finding
from inkos.kernel.papers import NumberedFinding
from inkos.messages import Messages

MOST = 8  # findings handed over at once (design/prompts.md §5.6)


def to_hand_over(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What a revision can be asked for: repairable, and at least a warning. Length has a call of its own."""
    return tuple(f for f in findings if f.repairable and f.severity != "info" and not f.code.startswith("length-"))


def number(findings: Sequence[Finding], messages: Messages, *, every: bool = False) -> tuple[NumberedFinding, ...]:
    """F1 … F8, blocking first, otherwise in the order given, in the language of `messages`.

    `every`: all findings, as a person who decides needs them, not only those that a reviser can be asked for."""
    chosen = findings if every else to_hand_over(findings)
    ranked = sorted(chosen, key=lambda f: -SEVERITY_ORDER[f.severity])
    return tuple(
        NumberedFinding(id=f"F{n}", wrong=wrong(f, messages), settle=settle(f, messages), finding=f)
        for n, f in enumerate(ranked if every else ranked[:MOST], 1)
    )


def wrong(finding: Finding, messages: Messages) -> str:
    """What is wrong, in one sentence."""
    return _said(finding, "wrong", messages)


def settle(finding: Finding, messages: Messages) -> str:
    """What would settle it; never how to word it."""
    return _said(finding, "settle", messages)


def _said(finding: Finding, part: str, messages: Messages) -> str:
    fields = {
        **finding.values,
        "expected": finding.expected,
        "actual": finding.actual,
        "note": finding.note,
        "metric": finding.metric,
    }
    return messages.say(f"findings.{finding.code}.{part}", **fields).strip()
