"""Checks of a chapter's length against its target; does not know how a length is corrected."""

from __future__ import annotations

from inkos.gates.check import CheckContext
from inkos.kernel.findings import Finding, Severity
from inkos.text.count import count

# Off by more than this share of its target, a text is not the chapter that was asked for (design/chapter.md).
LOST = 0.5


def measured(text: str, context: CheckContext) -> int:
    """The length of `text` in the book's counting unit."""
    return count(text, context.language, punctuation=context.length.count_punctuation)


def _off(length: int, target: int) -> float:
    return abs(length - target) / target


def _finding(code: str, severity: Severity, length: int, context: CheckContext, share: float) -> tuple[Finding, ...]:
    least, most = round(context.target * (1 - share)), round(context.target * (1 + share))
    values = {"target": str(context.target), "off": f"{(length - context.target) / context.target:+.0%}"}
    return (
        Finding(
            code=code,
            severity=severity,
            metric="length",
            expected=f"{least}–{most}",
            actual=str(length),
            values=values,
            repairable=False,
        ),
    )


def soft(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """The chapter is outside the soft range of its target (±10 % unless the book says otherwise)."""
    length = measured(text, context)
    if context.length.soft < _off(length, context.target) <= context.length.hard:
        return _finding("length-001", "info", length, context, context.length.soft)
    return ()


def hard(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """The chapter is outside the hard range of its target (±25 % unless the book says otherwise)."""
    length = measured(text, context)
    if context.length.hard < _off(length, context.target) <= max(LOST, context.length.hard):
        return _finding("length-002", "warning", length, context, context.length.hard)
    return ()


def lost(text: str, context: CheckContext) -> tuple[Finding, ...]:
    """The chapter is empty, or off its target by more than half."""
    length = measured(text, context)
    if length == 0 or _off(length, context.target) > max(LOST, context.length.hard):
        return _finding("length-003", "blocking", length, context, context.length.hard)
    return ()
