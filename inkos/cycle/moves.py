"""The transitions of the chapter machine: what each answer does to the state; asks nobody and keeps nothing.

`advance` folds outcomes into the state, `wants` reads off the state what is to be done. CALLS has one entry for each
question of the chapter: how it is asked, how its reply is read, what its value does, and what giving it up does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from inkos.config import GateConfig
from inkos.cycle import mend, requests
from inkos.cycle.ask import Asked, hear, want
from inkos.cycle.assess import assessed, known_names, length_of, second_looked
from inkos.cycle.chapter import GATE_SCORE, ChapterState, Decided, Desk, blocking_rules, open_calls, standing
from inkos.cycle.outline_plan import plan_from_outline
from inkos.cycle.wants import Committed, CommitWant, Failed, Outcome, Replied, Want
from inkos.gates import verdict
from inkos.gates.plan import check_plan, fit_plan
from inkos.kernel.papers import Plan, Version
from inkos.prompts import readers
from inkos.prompts.readers import Read
from inkos.prompts.request import Request
from inkos.text.continuation import join


class Call(NamedTuple):
    """One question. `whole`: its re-ask is answered with the whole again (prose)."""

    request: Callable[[ChapterState, Desk, str], Request]
    read: Callable[[ChapterState, Desk, str, str], Read[Any]]
    take: Callable[[ChapterState, Desk, str, Any], ChapterState]
    give_up: Callable[[ChapterState, Desk, str, str], ChapterState]
    whole: bool = False


def advance(
    state: ChapterState, outcomes: Iterable[Outcome | Decided], desk: Desk
) -> tuple[ChapterState, tuple[Want, ...]]:
    """Fold the outcomes in, in order, and say what is wanted next."""
    for outcome in outcomes:
        state = absorb(state, outcome, desk)
    return state, wants(state, desk)


def wants(state: ChapterState, desk: Desk) -> tuple[Want, ...]:
    if state.stage in ("commit", "hold"):
        return (CommitWant(id=state.stage),)
    return tuple(
        want(desk.kit, base, state.calls.get(base, Asked()), CALLS[task(base)].request(state, desk, base))
        for base in open_calls(state)
    )


def task(base: str) -> str:
    return base.split(".", 1)[0]


def absorb(state: ChapterState, outcome: Outcome | Decided, desk: Desk) -> ChapterState:
    """One outcome. What the present stage does not ask for changes nothing."""
    if isinstance(outcome, Decided):
        return mend.decided(state, outcome, desk, conclude) if state.stage == "review" else state
    if isinstance(outcome, Committed):
        ends = {"commit": "accepted", "hold": "review"}
        return state.but(stage=ends[state.stage]) if outcome.want == state.stage else state
    found = standing(state, outcome.want)
    if found is None:
        return state
    base, asked = found
    return answer(state, desk, base, asked, outcome)


def answer(state: ChapterState, desk: Desk, base: str, asked: Asked, outcome: Replied | Failed) -> ChapterState:
    call = CALLS[task(base)]

    def read(text: str) -> Read[Any]:
        return call.read(state, desk, base, text)

    heard = hear(outcome, asked, read, whole=call.whole)
    if isinstance(heard, Asked):
        return state.but(calls={**state.calls, base: heard})
    ended = state.finished(base).noted(*(f"{base}: {note}" for note in heard.notes))
    if heard.value is None:
        return call.give_up(ended, desk, base, heard.given_up)
    if base.startswith("draft.") and isinstance(outcome, Replied) and not outcome.complete:
        return ended.but(partial=heard.value)
    return call.take(ended, desk, base, heard.value)


MOST_LOOKS = 3  # second looks at one version: more contradictions than that are the text's, not the settler's


def stuck(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    """Without this answer the chapter cannot go on by itself: a person sends it on, or drops it."""
    return state.but(stuck=why)


# ── plan ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def begin(state: ChapterState, desk: Desk) -> ChapterState:
    """A plan that needs no model: the outline as it stands."""
    if state.stage == "plan" and state.plan_from == "outline":
        return take_plan(state, desk, "plan.1", plan_from_outline(state, desk))
    return state


def read_plan(state: ChapterState, desk: Desk, base: str, text: str) -> Read[Plan]:
    """Readable and fitting the outline and the state; a plan that still does not fit after the re-ask goes on with a
    note, since draft, settle and audit look at the same things in the text itself."""
    got = readers.read_plan(text, book=desk.book, entry=state.entry, target=state.to_ask)
    if got.value is None:
        return got
    plan = fit_plan(got.value, state.to_ask).model_copy(update={"goal": state.target})
    faults = check_plan(plan, desk.book, state.entry, state.next_entry)
    asked = state.calls.get(base)
    if not faults or (asked is not None and asked.fault is not None):
        return Read(plan, (*got.notes, *(f"plan: {fault.code}" for fault in faults)), None)
    return Read(None, got.notes, faults[0])


def take_plan(state: ChapterState, desk: Desk, base: str, plan: Plan) -> ChapterState:
    return state.but(plan=plan, stage="draft")


# ── draft ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_draft(state: ChapterState, desk: Desk, base: str, text: str) -> Read[str]:
    return readers.read_draft(text, language=desk.book.config.language, plan=requests.the_plan(state))


def take_draft(state: ChapterState, desk: Desk, base: str, text: str) -> ChapterState:
    """A draft that stops before half its length, or was cut at its cap, is continued once (the question `more`)."""
    if length_of(desk, text) < state.target / 2:
        return state.but(partial=text)
    return drafted(state, desk, text)


def take_more(state: ChapterState, desk: Desk, base: str, text: str) -> ChapterState:
    return drafted(state, desk, join(state.partial, text))


def give_up_more(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    return drafted(state.noted(f"{base}: {why}"), desk, state.partial)


def drafted(state: ChapterState, desk: Desk, text: str) -> ChapterState:
    """A new version; one out of range is corrected before it is paid to be judged
    (docs/decisions/0001-length-before-assessment.md)."""
    number = len(state.versions) + 1
    worth = mend.worth_correcting(state, desk, text)
    version = Version(number=number, origin="rewrite" if number > 1 else "draft", text=text)
    state = to_assess(state.with_version(version).but(current=number, partial=""))
    return state.but(stage="length") if worth else state


def take_length(state: ChapterState, desk: Desk, base: str, patches: Any) -> ChapterState:
    """One correction of length, judged by code alone: kept when it comes nearer and worsens nothing measured."""
    made = mend.corrected(state, desk, patches)
    state = state.with_version(made).noted(f"length: {made.why}")
    return to_assess(state.but(current=made.number) if made.admitted else state)


def give_up_length(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    return to_assess(state.noted(f"{base}: {why}"))


def to_assess(state: ChapterState) -> ChapterState:
    """Judge the current version with fresh instruments."""
    return state.but(stage="assess", settled=None, audited=None, looks={}, disputed=(), unreadable=())


# ── assess ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_settle(state: ChapterState, desk: Desk, base: str, text: str) -> Read[Any]:
    return readers.read_settle(
        text, book=desk.book, entry=state.entry, next_entry=state.next_entry, plan=state.plan, rules=desk.rules,
        prose=requests.current_text(state), chapter_id=state.chapter, position=state.position,
    )  # fmt: skip


def read_audit(state: ChapterState, desk: Desk, base: str, text: str) -> Read[Any]:
    return readers.read_audit(
        text, questions=requests.questions(state, desk), prose=requests.current_text(state),
        papers=requests.papers_text(state, desk),
    )  # fmt: skip


def read_look(state: ChapterState, desk: Desk, base: str, text: str) -> Read[Any]:
    assert state.settled is not None
    return readers.read_again(
        text, book=desk.book, entry=state.entry, next_entry=state.next_entry, plan=state.plan, rules=desk.rules,
        prose=requests.current_text(state), delta=state.settled, number=requests.dispute_number(base),
    )  # fmt: skip


def read_patches(state: ChapterState, desk: Desk, base: str, text: str) -> Read[Any]:
    """Patches of a revision or of the correction of length."""
    names = known_names(desk.book.state.entities)
    keep, papers = mend.must_keep(state, desk), requests.papers_text(state, desk)
    if task(base) == "length":
        prose = requests.current_text(state)
        return readers.read_length(text, prose=prose, must_keep=keep, known=names, papers=papers)
    prose = state.version(state.best).text
    return readers.read_revise(
        text, findings=mend.numbered(state, desk), prose=prose, must_keep=keep, known=names, papers=papers
    )


def take_part(name: str) -> Callable[[ChapterState, Desk, str, Any], ChapterState]:
    def take(state: ChapterState, desk: Desk, base: str, value: Any) -> ChapterState:
        return maybe_conclude(state.but(**{name: value}), desk)

    return take


def give_up_part(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    """Could not judge: neither pass nor fail, and the prose is not touched on such a word."""
    return maybe_conclude(state.but(unreadable=(*state.unreadable, task(base))).noted(f"{base}: {why}"), desk)


def maybe_conclude(state: ChapterState, desk: Desk) -> ChapterState:
    return state if open_calls(state) else conclude(state, desk)


def conclude(state: ChapterState, desk: Desk) -> ChapterState:
    """Both instruments have answered: put the assessment together; ask the settler once more about contradictions."""
    state = in_order(state)
    version = state.version(state.current)
    if state.stage == "again":
        state = state.but(settled=second_looked(desk, state, version.text))
    assessment = assessed(desk, state, version)
    state = state.with_version(version.model_copy(update={"assessment": assessment}))
    disputed = blocking_rules(assessment.findings)[:MOST_LOOKS]
    looked = any(base.startswith(f"again.{state.current}-") for base in state.done)
    if disputed and not looked:
        return state.but(stage="again", disputed=disputed)
    return gate(state, desk)


def in_order(state: ChapterState) -> ChapterState:
    """What came side by side, in an order that does not depend on which came first: the same story, the same bytes."""
    n = state.current
    mine = (f"settle.{n}", f"audit.{n}", f"again.{n}-")
    late = sorted(note for note in state.notes if note.startswith(mine))
    notes = (*(note for note in state.notes if not note.startswith(mine)), *late)
    return state.but(notes=notes, unreadable=tuple(sorted(state.unreadable)), looks=dict(sorted(state.looks.items())))


def take_look(state: ChapterState, desk: Desk, base: str, value: Any) -> ChapterState:
    return maybe_conclude(state.but(looks={**state.looks, base: value}), desk)


def give_up_look(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    return maybe_conclude(state.noted(f"{base}: {why}"), desk)


# ── gate ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def gate(state: ChapterState, desk: Desk) -> ChapterState:
    """Admit the current version, judge the best admitted one, and go where the verdict says."""
    config = desk.book.config
    current = state.version(state.current)
    if state.purpose == "judge":
        return state.but(stage="judged", best=state.current)
    if state.best and state.best != state.current:
        admitted, why = verdict.admit(state.version(state.best), current)
        current = current.model_copy(update={"admitted": admitted, "why": why})
        state = state.with_version(current).noted(f"version {current.number}: {why}")
    else:
        state = state.but(best=state.current)
    ruling = verdict.judge(
        tuple(v for v in state.versions if v.assessment is not None), policy(state, desk), config.length,
        state.rounds_allowed - state.rounds_used, target=state.target,
    )  # fmt: skip
    state = state.but(best=ruling.best, reasons=ruling.reasons)
    if ruling.next == "revise":
        return state.but(stage="revise")
    if ruling.next == "rewrite":
        return state.but(stage="draft", rounds_used=state.rounds_used + 1)
    return finish(state, ruling.status, ruling.exit or "")


def policy(state: ChapterState, desk: Desk) -> GateConfig:
    """The book's gate; a score that a person allowed flags the chapter and holds it no more."""
    allowed = any(waiver.code == GATE_SCORE for waiver in state.waivers)
    config = gate_of(desk)
    return config.model_copy(update={"on_low_score": "flag"}) if allowed else config


def gate_of(desk: Desk) -> GateConfig:
    """The book's gate, with the margin that was measured on its judge, unless the author set one."""
    config = desk.book.config.gate
    if desk.judge is None or "margin" in config.model_fields_set:
        return config
    return config.model_copy(update={"margin": desk.judge.margin})


def finish(state: ChapterState, status: str, why: str) -> ChapterState:
    stage = "hold" if status == "needs-review" else "commit"
    return state.but(stage=stage, status=status, exit=why)


def accept_best(state: ChapterState, desk: Desk) -> ChapterState | None:
    """A person takes the best judged version as it stands, without further calls; what is blocking in it still waits
    for review. Null when no version has been judged yet: without a settlement nothing can be canon."""
    judged = [v for v in state.versions if v.assessment is not None and v.assessment.delta is not None]
    if not judged:
        return None
    ended = no_gain(state.but(stuck="", calls={}, settled=None, audited=None), desk)
    return ended.but(exit="accepted-best").noted("accepted as it stands")


def take_patches(state: ChapterState, desk: Desk, base: str, patches: Any) -> ChapterState:
    """A revision: a new version to be judged, or word that nothing changed."""
    state = state.but(rounds_used=state.rounds_used + 1)
    made = mend.revised(state, desk, patches)
    if isinstance(made, str):
        return no_gain(state.noted(made), desk)
    return to_assess(state.with_version(made).but(current=made.number))


def give_up_revise(state: ChapterState, desk: Desk, base: str, why: str) -> ChapterState:
    return no_gain(state.but(rounds_used=state.rounds_used + 1).noted(f"{base}: {why}"), desk)


def no_gain(state: ChapterState, desk: Desk) -> ChapterState:
    """The revision changed nothing that could be judged: the best version stands as it is."""
    config = desk.book.config
    ruling = verdict.judge(
        tuple(v for v in state.versions if v.assessment is not None), policy(state, desk), config.length, 0,
        target=state.target,
    )  # fmt: skip
    return finish(state.but(best=ruling.best, current=ruling.best, reasons=ruling.reasons), ruling.status,
                  "no-net-improvement")  # fmt: skip


CALLS: dict[str, Call] = {
    "plan": Call(requests.plan, read_plan, take_plan, stuck),
    "draft": Call(requests.draft, read_draft, take_draft, stuck, whole=True),
    "more": Call(requests.more, read_draft, take_more, give_up_more, whole=True),
    "length": Call(requests.length, read_patches, take_length, give_up_length),
    "settle": Call(requests.settle, read_settle, take_part("settled"), give_up_part),
    "audit": Call(requests.audit, read_audit, take_part("audited"), give_up_part),
    "again": Call(requests.again, read_look, take_look, give_up_look),
    "revise": Call(requests.revise, read_patches, take_patches, give_up_revise),
}
