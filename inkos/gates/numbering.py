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


def number(findings: Sequence[Finding], messages: Messages) -> tuple[NumberedFinding, ...]:
    """F1 … F8, blocking first, otherwise in the order given, in the language of `messages`."""
    chosen = sorted(to_hand_over(findings), key=lambda f: -SEVERITY_ORDER[f.severity])[:MOST]
    return tuple(
        NumberedFinding(id=f"F{n}", wrong=said(f, "wrong", messages), settle=said(f, "settle", messages), finding=f)
        for n, f in enumerate(chosen, 1)
    )


def said(finding: Finding, part: str, messages: Messages) -> str:
    """One of a finding's texts (`wrong`, `settle`) with its values filled in."""
    fields = {
        **finding.values,
        "expected": finding.expected,
        "actual": finding.actual,
        "note": finding.note,
        "metric": finding.metric,
    }
    return messages.say(f"findings.{finding.code}.{part}", **fields)
