"""The chapter against plan and outline, from the plan and what the settlement claims; reads no meaning from prose."""

from __future__ import annotations

from inkos.gates.check import CheckContext
from inkos.kernel.findings import Finding, Severity
from inkos.text.quotes import find
from inkos.text.speech import spoken


def keep(text: str, context: CheckContext) -> list[Finding]:
    """The line that the plan keeps does not stand in the text, word for word."""
    line = spoken(context.plan.keep) if context.plan else ""
    if not line or find(line, text) or find(line.rstrip("。.，,！!？?"), text):
        return []
    return [
        Finding(
            code="structure-001", severity="warning", metric="kept line", expected=line, values={"about": line[:60]}
        )
    ]


def early(text: str, context: CheckContext) -> list[Finding]:
    """A beat of another outline entry, most often the next, is done in this chapter."""
    if context.beats_done is None or context.entry is None:
        return []
    texts = {beat.key: beat.text for beat in (context.next_entry.beats if context.next_entry else ())}
    own = {beat.key for beat in context.entry.beats}
    foreign = [key for key in dict.fromkeys(context.beats_done) if key not in own and key in texts]
    return [
        Finding(
            code="structure-002",
            severity="warning",
            path="beats_done",
            metric="early beats",
            expected="0",
            actual="1",
            values={"about": key, "beat": texts[key]},
            structural=True,
        )
        for key in foreign
    ]


def missing(text: str, context: CheckContext) -> list[Finding]:
    """Outline beats that the plan set down have no words in the text that show them done."""
    if context.beats_done is None or context.plan is None or context.entry is None:
        return []
    texts = {beat.key: beat.text for beat in context.entry.beats}
    planned = [key for key in dict.fromkeys(k for beat in context.plan.beats for k in beat.outline) if key in texts]
    lacking = [key for key in planned if key not in context.beats_done]
    if not lacking:
        return []
    severity: Severity = "warning" if 2 * len(lacking) >= len(planned) else "info"
    joined = "；" if context.language == "zh" else "; "
    return [
        Finding(
            code="structure-003",
            severity=severity,
            path="beats_done",
            metric="beats without evidence",
            expected=str(len(planned)),
            actual=str(len(lacking)),
            values={"beats": joined.join(texts[key] for key in lacking)},
            structural=True,
        )
    ]
