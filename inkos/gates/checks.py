"""The catalogue of deterministic checks, and running them; does not know what becomes of their findings."""

from __future__ import annotations

from inkos.gates import length
from inkos.gates.check import Check, CheckContext, HouseLists
from inkos.kernel.findings import Finding

__all__ = ["CATALOGUE", "Check", "CheckContext", "HouseLists", "run"]

# The catalogue is the registry: what is not in it does not run. A code is permanent, also when its check is dropped.
_CHECKS = (
    Check("length-001", "info", length.soft),
    Check("length-002", "warning", length.hard),
    Check("length-003", "blocking", length.lost),
)
CATALOGUE: dict[str, Check] = {check.code: check for check in _CHECKS}


def run(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """Every check of the catalogue, in its order."""
    return tuple(finding for check in CATALOGUE.values() for finding in check.run(text, context))
