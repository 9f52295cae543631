"""The catalogue of deterministic checks, and running them; does not know what becomes of their findings."""

from __future__ import annotations

from inkos.gates import arc, bans, claims, density, figures, habits, length, marks, person, rhythm, structure, worn
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
    Check("prose-014", "warning", rhythm.telegraph),
    Check("prose-015", "info", rhythm.pruned),
    Check("prose-016", "info", rhythm.balance),
    Check("figures-001", "warning", figures.panel),
    Check("person-001", "warning", person.person),
    Check("person-002", "warning", arc.viewpoint),
    Check("person-003", "warning", arc.given_viewpoint),
    Check("structure-001", "warning", structure.keep),
    Check("structure-002", "warning", structure.early),
    Check("structure-003", "warning", structure.missing),
    Check("structure-004", "info", arc.shared_scene),
    Check("structure-005", "info", arc.same_function),
    Check("structure-006", "info", arc.promises),
    Check("structure-007", "info", arc.end),
    Check("structure-008", "info", arc.payoff),
    Check("structure-009", "info", arc.lead_early),
    Check("structure-010", "info", arc.first_payoff),
    Check("structure-011", "info", arc.goal),
)
CATALOGUE: dict[str, Check] = {check.code: check for check in _CHECKS}


def run(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """Every check of the catalogue, in its order."""
    return tuple(finding for check in CATALOGUE.values() for finding in check.run(text, context))
