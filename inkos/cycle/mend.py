"""How a text is changed: patches for findings, a correction of length, a person's decision; chooses no step."""

from __future__ import annotations

from collections.abc import Callable

from inkos.cycle.assess import length_of, measured
from inkos.cycle.chapter import ChapterState, Decided, Desk
from inkos.gates import verdict
from inkos.gates.numbering import number
from inkos.kernel.papers import NumberedFinding, PatchSet, Version
from inkos.text.patch import Edit, apply
from inkos.text.style import clean_prose


def off_by(state: ChapterState, desk: Desk, text: str) -> float:
    """How far a text is from the chapter's target, as a share of the target (0.25: a quarter too long or short)."""
    return abs(length_of(desk, text) - state.target) / state.target


def worth_correcting(state: ChapterState, desk: Desk, text: str) -> bool:
    """Out of the soft range, but not so far that patches could not bring it back; and not tried before. Waiting for the
    hard range saves a tenth of a call a chapter and leaves every second chapter off (tests/bench/length.py)."""
    tried = any(version.origin == "length" for version in state.versions)
    return not tried and desk.book.config.length.soft < off_by(state, desk, text) < 1.0


# Of the distance to the target, asked of a correction: revisers change less than they are asked to, and patches beyond
# the target are left out again.
ASKED_OF_CORRECTION = 1.2


def amount_to_ask(state: ChapterState, desk: Desk, text: str) -> int:
    """What the correction of length is asked to add (positive) or cut, in the book's counting unit."""
    return round(ASKED_OF_CORRECTION * (state.target - length_of(desk, text)))


def numbered(state: ChapterState, desk: Desk) -> tuple[NumberedFinding, ...]:
    """What the reviser is handed: the best version's findings, blocking first, in the book's language."""
    best = state.version(state.best)
    assert best.assessment is not None
    return number(best.assessment.findings, desk.messages)


def must_keep(state: ChapterState, desk: Desk) -> tuple[str, ...]:
    """What a patch must not lose: the plan's line and end, and the words that evidence of the delta rests on."""
    assert state.plan is not None
    number_of = state.best or state.current
    assessment = state.version(number_of).assessment
    quotes: list[str] = []
    if assessment is not None and assessment.delta is not None:
        disputed = {q.text for f in assessment.findings for q in f.quotes}
        planted = [op.evidence.quote for op in assessment.delta.hook_ops if op.op in ("upsert", "resolve")]
        done = [beat.evidence.quote for beat in assessment.delta.beats_done[-1:]]
        quotes = [q for q in (*planted, *done) if q and q not in disputed]
    return tuple(dict.fromkeys(q for q in (state.plan.keep, *quotes) if q))


def patched(desk: Desk, text: str, patches: PatchSet) -> str:
    """The text with its patches; what a deleted paragraph leaves is tidied."""
    edited = apply(text, [Edit(patch.old, patch.new) for patch in patches.patches]).text
    return clean_prose(edited, desk.book.config.language)[0] if edited != text else text


def revised(state: ChapterState, desk: Desk, patches: PatchSet) -> Version | str:
    """A new version from a patch set, or why there is none."""
    best = state.version(state.best)
    text = patched(desk, best.text, patches)
    if text == best.text:
        return "no change"
    findings = tuple(n.finding for n in numbered(state, desk))
    if verdict.excess_change(best.text, text, findings):
        return "too large a change for what was asked"
    return Version(number=len(state.versions) + 1, origin="revision", text=text)


def fitting(state: ChapterState, desk: Desk, text: str, patches: PatchSet) -> PatchSet:
    """Without the patches that carry a correction of length beyond its target: left out one by one, each time the one
    without which the text lies nearest, as long as it comes nearer."""
    kept = {n: length_of(desk, patch.new) - length_of(desk, patch.old) for n, patch in enumerate(patches.patches)}
    missing = state.target - length_of(desk, text)
    while kept:
        off = missing - sum(kept.values())
        least = min(kept, key=lambda n: abs(off + kept[n]))
        if abs(off + kept[least]) >= abs(off):
            break
        del kept[least]
    return patches.model_copy(update={"patches": tuple(patches.patches[n] for n in kept)})


def corrected(state: ChapterState, desk: Desk, patches: PatchSet) -> Version:
    """The text after the one correction of length: admitted when nearer and nothing measured got worse."""
    before = state.version(state.current).text
    text = patched(desk, before, fitting(state, desk, before, patches))
    near, nearer = off_by(state, desk, before), off_by(state, desk, text)
    worse = [f for f in verdict.worsened(measured(desk, state, before), measured(desk, state, text))
             if not f.code.startswith("length-") and f.severity != "info"]  # fmt: skip
    why = f"{length_of(desk, before)} → {length_of(desk, text)}"
    if nearer >= near:
        why += ", moved away"
    elif worse:
        why += f", brings {worse[0].code}"
    admitted = nearer < near and not worse
    return Version(number=len(state.versions) + 1, origin="length", text=text, admitted=admitted, why=why)


def decided(
    state: ChapterState, decision: Decided, desk: Desk, conclude: Callable[[ChapterState, Desk], ChapterState]
) -> ChapterState:
    """A person's word on a chapter that waits. Waivers add up; whatever is changed is judged again."""
    best = state.version(state.best)
    state = state.but(current=state.best, status="", exit="", tries=state.tries + 1)
    if decision.choice == "drop":
        return state.but(stage="dropped")
    if decision.choice == "revise":
        return state.but(stage="revise", rounds_allowed=state.rounds_used + 1)
    if decision.choice == "text":
        added = Version(number=len(state.versions) + 1, origin="given", text=decision.text)
        # The author's own text stands alone: no earlier version may come back in its place.
        for version in state.versions:
            state = state.with_version(version.model_copy(update={"admitted": False}))
        fresh = state.with_version(added).but(current=added.number, best=0, rounds_allowed=state.rounds_used)
        return fresh.but(stage="assess", settled=None, audited=None, looks={}, disputed=(), unreadable=())
    assert best.assessment is not None
    judged = state.but(
        waivers=(*state.waivers, *decision.waivers),
        settled=decision.delta or best.assessment.delta,
        audited=best.assessment.audit,
        unreadable=best.assessment.unreadable,
        stage="assess",
        rounds_allowed=state.rounds_used,
        disputed=(),
        looks={},
    )
    if decision.choice == "again":
        return judged.but(settled=None, audited=None, unreadable=())
    return conclude(judged, desk)
