"""What happens after a judgement: admit, which version is best, go on or stop; does not know who revises or who pays.

    candidate ──▶ admit: worsens nothing that code measures, changes something, changes not far more than was asked
                    │
    admitted ───▶ better: fewer blocking, then length in range, then score by more than the margin, else the earlier
                    │
    best ───────▶ judge: passed │ no net improvement │ unreadable │ rounds, or what to do next

Scores of one call cannot rank two versions of one chapter (design/bars.md), so nothing is admitted on a score alone,
and a score counts only beyond the margin. Reasons are codes; their words stand in the catalogues (gate.reason.*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from inkos.config import GateConfig, LengthConfig
from inkos.gates.numbering import MOST, to_hand_over
from inkos.kernel.findings import SEVERITY_ORDER, Finding
from inkos.kernel.papers import Assessment, Version
from inkos.records import Record
from inkos.text.lang import language_of
from inkos.text.segment import sentences

Exit = Literal["passed", "no-net-improvement", "unreadable", "rounds"]
Next = Literal["revise", "length", "rewrite", "settle-again", "end"]
Status = Literal["accepted", "flagged", "needs-review"]

# How far a revision may reach: this many sentences for each place that a finding points at, and this share of the text
# for joins between them. A patch that settles one place moves one to three sentences (design/prompts.md §5.6).
SENTENCES_A_PLACE = 3
SENTENCES_BESIDE = 0.05


class Verdict(Record):
    """`exit` null: go on with `next`. `best` is the number of the best admitted version; `status` what becomes of it if
    the loop ends here. `reasons` are codes, the weightiest first."""

    exit: Exit | None
    best: int
    next: Next
    status: Status
    reasons: tuple[str, ...] = ()


# ── admission ────────────────────────────────────────────────────────────────────────────────────────────────────────


def admit(best: Version, candidate: Version) -> tuple[bool, str]:
    """May `candidate` stand beside `best`? The reason is a code, with that of the finding that speaks against it."""
    if candidate.text == best.text:
        return False, "unchanged"
    if candidate.assessment is None or best.assessment is None or candidate.assessment.unreadable:
        return False, "unreadable"
    asked = to_hand_over(best.assessment.findings)[:MOST]
    if candidate.origin == "revision" and excess_change(best.text, candidate.text, asked):
        return False, "excess"
    worse = worsened(best.assessment.findings, candidate.assessment.findings)
    if any(f.blocking for f in worse):
        return False, f"worse:{next(f.code for f in worse if f.blocking)}"
    if worse and not relieved(best, candidate):
        return False, f"worse:{worse[0].code}"
    return True, "admitted"


def same(finding: Finding) -> tuple[str, str]:
    """What makes findings of two versions the same one. The three length codes are one measure; a contradiction of the
    state is known by the words it collides with, since its place in the delta shifts with every settlement."""
    if finding.code.startswith("length-"):
        return ("length", "text")
    if finding.by == "rules" and "about" not in finding.values and finding.quotes:
        return (finding.code, finding.quotes[-1].text)
    return finding.place


def measured(finding: Finding) -> bool:
    """Is it code's word? An audit answers anew each time; a mere note on what a settlement claims is as unsteady."""
    return finding.by != "audit" and (finding.severity != "info" or finding.path == "text")


def worsened(before: Sequence[Finding], after: Sequence[Finding]) -> tuple[Finding, ...]:
    """Measured findings of `after` that stand in a new place, more often in a known one, or more severely."""
    known = Counter(same(f) for f in before)
    severity = {same(f): 0 for f in before}
    for f in before:
        severity[same(f)] = max(severity[same(f)], SEVERITY_ORDER[f.severity])
    seen: Counter[tuple[str, str]] = Counter()
    worse = []
    for f in filter(measured, after):
        place = same(f)
        seen[place] += 1
        if seen[place] > known[place] or SEVERITY_ORDER[f.severity] > severity[place]:
            worse.append(f)
    return tuple(worse)


def relieved(best: Version, candidate: Version) -> bool:
    """Has a blocking finding gone? That outweighs warnings."""
    gone = {same(f) for f in blocking(best)} - {same(f) for f in blocking(candidate, best)}
    return bool(gone)


def excess_change(old: str, new: str, findings: Sequence[Finding]) -> bool:
    """Does `new` change far more sentences than `findings` (those handed over) ask for? Structure may ask for all."""
    if any(f.structural for f in findings):
        return False
    before, after = Counter(_sentences(old)), Counter(_sentences(new))
    changed = max((before - after).total(), (after - before).total())
    places = sum(max(1, sum(q.source == "text" for q in f.quotes)) for f in findings)
    return changed > SENTENCES_A_PLACE * max(1, places) + SENTENCES_BESIDE * before.total()


def _sentences(text: str) -> list[str]:
    return [span.text for span in sentences(text, "zh" if language_of(text) == "zh" else "en")]


# ── the best version ─────────────────────────────────────────────────────────────────────────────────────────────────


def blocking(version: Version, earlier: Version | None = None) -> tuple[Finding, ...]:
    """The blocking findings of a version. Where its audit could not judge, what the audit of `earlier` held against
    words that still stand is held against it too: silence settles nothing."""
    assert version.assessment is not None
    own = version.assessment.blocking
    if earlier is None or earlier.assessment is None or judged(version.assessment):
        return own
    held = [f for f in earlier.assessment.blocking if f.by == "audit" and f.quotes]
    return own + tuple(f for f in held if all(q.text in version.text for q in f.quotes if q.source == "text"))


def judged(assessment: Assessment) -> bool:
    """Did an audit answer that counts?"""
    return assessment.audit is not None and not assessment.audit.void


def in_range(version: Version, target: int, hard: float) -> bool:
    """Within the hard range of the target."""
    assert version.assessment is not None
    return abs(version.assessment.length - target) <= hard * target


def better(a: Version, b: Version, margin: float, *, target: int = 0, hard: float = 0.0) -> Version:
    """The better of an earlier version `a` and a later one `b`. Without a target, length does not count."""
    assert a.assessment is not None and b.assessment is not None
    if bool(a.assessment.unreadable) != bool(b.assessment.unreadable):
        return b if a.assessment.unreadable else a
    blocks_a, blocks_b = len(blocking(a)), len(blocking(b, a))
    if blocks_a != blocks_b:
        return b if blocks_b < blocks_a else a
    if target and in_range(a, target, hard) != in_range(b, target, hard):
        return b if in_range(b, target, hard) else a
    score_a, score_b = a.assessment.score, b.assessment.score
    gains = score_a is not None and score_b is not None and score_b > score_a + margin
    return b if gains else a


def best_of(versions: Sequence[Version], margin: float, *, target: int, hard: float) -> Version:
    """The best admitted version. What a person gave (`given`) outranks whatever was there before it."""
    rivals = [v for v in versions if v.admitted and v.assessment is not None]
    assert rivals, "no admitted version has been assessed"
    start = max((n for n, v in enumerate(rivals) if v.origin == "given"), default=0)
    best = rivals[start]
    for rival in rivals[start + 1 :]:
        best = better(best, rival, margin, target=target, hard=hard)
    return best


# ── the verdict ──────────────────────────────────────────────────────────────────────────────────────────────────────


def judge(
    versions: Sequence[Version],
    gate: GateConfig,
    length: LengthConfig,
    rounds_left: int,
    *,
    target: int | None = None,
    looked_again: bool = True,
    length_tried: bool = True,
) -> Verdict:
    """The verdict over all versions so far, oldest first; the last is the one just judged.

    `target`: of this chapter, else the book's. `looked_again`, `length_tried`: false lets the verdict ask for a second
    look of the settler, or for the one correction of length; a machine with its own place for them leaves them true.
    """
    goal = target or length.target
    last = versions[-1]
    assert last.assessment is not None
    if not looked_again and any(f.blocking and f.by == "rules" for f in last.assessment.findings):
        return Verdict(exit=None, best=last.number, next="settle-again", status="needs-review", reasons=("disputed",))
    best = best_of(versions, gate.margin, target=goal, hard=length.hard)
    status, reasons = standing(best, gate, goal, length.hard)
    end = _exit(versions, best, status, reasons)
    if end is not None:
        return Verdict(exit=end, best=best.number, next="end", status=status, reasons=reasons)
    if not length_tried and not in_range(best, goal, length.hard) and best.text.strip():
        return Verdict(exit=None, best=best.number, next="length", status=status, reasons=reasons)
    step = next_step(best)
    if step == "end":
        ended: Exit = "unreadable" if "unscored" in reasons else "no-net-improvement"
        return Verdict(exit=ended, best=best.number, next="end", status=status, reasons=(*reasons, "nothing-to-repair"))
    if rounds_left <= 0:
        return Verdict(exit="rounds", best=best.number, next="end", status=status, reasons=reasons)
    return Verdict(exit=None, best=best.number, next=step, status=status, reasons=reasons)


def _exit(versions: Sequence[Version], best: Version, status: Status, reasons: tuple[str, ...]) -> Exit | None:
    """The exits that need no look at what is left of the budget."""
    last = versions[-1]
    assert best.assessment is not None and last.assessment is not None
    if last.assessment.unreadable:
        return "unreadable"
    if status == "accepted":
        return "passed"
    revised = last.origin in ("revision", "rewrite")
    return "no-net-improvement" if revised and best.number != last.number else None


def standing(version: Version, gate: GateConfig, target: int, hard: float) -> tuple[Status, tuple[str, ...]]:
    """What becomes of a version as it stands, and why."""
    assessment = version.assessment
    assert assessment is not None
    stops = tuple(f"unreadable:{role}" for role in assessment.unreadable)
    stops += tuple(dict.fromkeys(f"blocking:{f.code}" for f in assessment.blocking))
    flags: tuple[str, ...] = ()
    if not in_range(version, target, hard):
        flags += ("length",)
    low = _low(assessment, gate)
    if low:
        flags += (low,)
    if stops or (low and gate.on_low_score == "hold"):
        return "needs-review", (*stops, *flags)
    return ("flagged", flags) if flags else ("accepted", ("passed",))


def _low(assessment: Assessment, gate: GateConfig) -> str:
    """Why the score does not pass, or nothing. Where no audit was asked for, no score is missing."""
    if assessment.audit is None:
        return ""
    if assessment.score is None:
        return "unscored"
    return "low-score" if assessment.score < gate.pass_score else ""


def next_step(best: Version) -> Next:
    """What could make the best version better: patches, a whole rewrite for structural trouble, or nothing.

    With blocking findings, all of them must be open to repair, else the money is lost: the chapter goes to a person
    anyhow. Without one, a text that could not be scored is left alone: nothing would show that a change was a gain."""
    assert best.assessment is not None
    blocked = best.assessment.blocking
    open_to_repair = to_hand_over(best.assessment.findings)
    if blocked:
        if any(f not in open_to_repair for f in blocked):
            return "end"
        return "rewrite" if any(f.structural for f in blocked) else "revise"
    if best.assessment.score is None or not open_to_repair:
        return "end"
    return "rewrite" if all(f.structural for f in open_to_repair) else "revise"


# ── length ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def moved_away(before: int, after: int, target: int) -> bool:
    """Did a correction of length not come nearer to the target? Lengths in the book's counting unit."""
    return abs(after - target) >= abs(before - target)
