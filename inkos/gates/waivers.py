"""What the author allows: findings set aside by code and place; does not know where waivers are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inkos.kernel.findings import Finding, Waiver


class Waived(NamedTuple):
    """`findings` without those that a waiver names; `unused`: waivers that named nothing, each worth a finding."""

    findings: tuple[Finding, ...]
    unused: tuple[Waiver, ...]


def _covers(waiver: Waiver, finding: Finding) -> bool:
    return waiver.code == finding.code and waiver.place in ("*", finding.place[1])


def waive(findings: Sequence[Finding], waivers: Sequence[Waiver]) -> Waived:
    """Set aside what the author allowed. A waiver holds for one code, at one place or (`*`) anywhere."""
    kept = tuple(f for f in findings if not any(_covers(w, f) for w in waivers))
    unused = tuple(w for w in waivers if not any(_covers(w, f) for f in findings))
    return Waived(kept, unused)


def unused_findings(unused: Sequence[Waiver]) -> tuple[Finding, ...]:
    """A waiver that no longer fires is a finding of its own: the author may take it out."""
    return tuple(
        Finding(
            code="waiver-001",
            severity="info",
            path="waivers",
            values={"about": f"{w.code}@{w.place}", "waived": w.code, "place": w.place, "reason": w.reason},
            repairable=False,
        )
        for w in unused
    )
