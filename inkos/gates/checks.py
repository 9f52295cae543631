"""The catalogue of deterministic checks, and running them; does not know what becomes of their findings."""

from __future__ import annotations

from inkos.gates import bans, claims, density, habits, length, marks, person, structure, worn
from inkos.gates.check import Check, CheckContext, HouseLists
from inkos.kernel.findings import Finding

__all__ = ["CATALOGUE", "Check", "CheckContext", "HouseLists", "run"]

# The catalogue is the registry: what is not in it does not run. A code is permanent, also when its check is dropped.
# Only what is exact or measured may block: length, language, the author's bans, model talk, a chapter told again.
_CHECKS = (
    Check("length-001", "info", length.soft),
    Check("length-002", "warning", length.hard),
    Check("length-003", "blocking", length.lost),
    Check("lang-001", "blocking", marks.language),
    Check("prose-001", "blocking", bans.words),
    Check("prose-002", "blocking", bans.patterns),
    Check("prose-003", "blocking", bans.title),
    Check("prose-004", "warning", density.phrases),
    Check("prose-005", "warning", worn.paragraph),
    Check("prose-006", "blocking", worn.reuse),
    Check("prose-007", "blocking", marks.model_talk),
    Check("prose-008", "warning", marks.chapter_number),
    Check("prose-009", "warning", marks.document_marks),
    Check("prose-010", "warning", claims.counted),
    Check("prose-011", "warning", worn.stock),
    Check("prose-012", "warning", density.window),
    Check("prose-013", "info", habits.again),
    Check("person-001", "warning", person.person),
    Check("structure-001", "warning", structure.keep),
    Check("structure-002", "warning", structure.early),
    Check("structure-003", "warning", structure.missing),
)
CATALOGUE: dict[str, Check] = {check.code: check for check in _CHECKS}


def run(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """Every check of the catalogue, in its order."""
    return tuple(finding for check in CATALOGUE.values() for finding in check.run(text, context))
