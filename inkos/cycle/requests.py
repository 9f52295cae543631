"""How each question of a chapter is asked: from the state's papers to a request; reads no reply."""

from __future__ import annotations

from inkos.cycle import mend
from inkos.cycle.assess import known_names, length_of
from inkos.cycle.chapter import ChapterState, Desk
from inkos.gates.beats import beat_lengths
from inkos.gates.density import lately
from inkos.gates.habits import habits
from inkos.kernel.papers import Beat, Plan, Question
from inkos.prompts import papers, render
from inkos.prompts.questions import choose
from inkos.prompts.request import Request

TOLD = 3  # habits that the plan is told of
LATELY = 5  # chapters whose worn phrases the next draft is told of


def the_plan(state: ChapterState) -> Plan:
    assert state.plan is not None
    return state.plan


def current_text(state: ChapterState) -> str:
    return state.version(state.current).text


def plan(state: ChapterState, desk: Desk, base: str) -> Request:
    return render.plan_request(
        desk.kit, desk.book, desk.context, state.entry, state.next_entry, state.to_ask, steer=state.steer,
        habits=worn_out(desk),
    )  # fmt: skip


def worn_out(desk: Desk) -> tuple[str, ...]:
    """What the last chapters do again and again, in the book's language: the next plan should do something else."""
    book = desk.book
    found = habits(book.recent, book.config.language, desk.lists.common, known_names(book.state.entities), TOLD)
    return tuple(
        desk.messages.say(f"gate.habit.{h.kind}", words=h.words, chapters=h.chapters, of=h.of) for h in found
    )


def draft(state: ChapterState, desk: Desk, base: str) -> Request:
    """The first draft; with a version there already, the whole again, told what its build got wrong."""
    number = len(state.versions) + 1
    own = "\n".join(text for _, text in desk.book.bible)
    bans = lately(desk.book.recent[-LATELY:], desk.lists, desk.book.config.language, own=own)
    if not state.versions:
        return render.draft_request(desk.kit, desk.book, desk.context, the_plan(state), desk.rules, bans=bans,
                                    take=state.take)  # fmt: skip
    structural = tuple(n for n in mend.numbered(state, desk) if n.finding.structural) or mend.numbered(state, desk)
    text = state.version(state.best).text
    return render.draft_request(
        desk.kit, desk.book, desk.context, the_plan(state), desk.rules, bans=bans, text=text, findings=structural,
        version=number, take=state.take,
    )  # fmt: skip


def more(state: ChapterState, desk: Desk, base: str) -> Request:
    """The draft goes on from where it stopped."""
    left = beats_left(the_plan(state), length_of(desk, state.partial))
    lines = [papers.beat_line(desk.kit, beat) for beat in left]
    return render.continue_request(desk.kit, draft(state, desk, base), state.partial, lines, the_plan(state).end)


def beats_left(plan: Plan, words: int) -> tuple[Beat, ...]:
    """The beats that a draft of this length has not reached, by the plan's own budgets; at least the last."""
    spent = 0
    for number, beat in enumerate(plan.beats):
        spent += beat.words
        if spent > words:
            return plan.beats[number:]
    return plan.beats[-1:]


def length(state: ChapterState, desk: Desk, base: str) -> Request:
    text = current_text(state)
    amount = mend.amount_to_ask(state, desk, text)
    return render.length_request(
        desk.kit, desk.book, desk.context, the_plan(state), text, mend.must_keep(state, desk), amount,
        beats_off(state, desk, text), desk.rules,
    )  # fmt: skip


def beats_off(state: ChapterState, desk: Desk, text: str) -> tuple[str, ...]:
    """The beats that run more than a quarter over or under their budget, with asked and got."""
    book = desk.book
    found = beat_lengths(text, the_plan(state), book.config.language, known_names(book.state.entities))
    return tuple(desk.messages.say("gate.beat", beat=b.handle, asked=b.asked, got=b.got) for b in found if b.off)


def settle(state: ChapterState, desk: Desk, base: str) -> Request:
    return render.settle_request(
        desk.kit, desk.book, desk.context, the_plan(state), current_text(state), state.entry, state.next_entry,
        desk.rules,
    )  # fmt: skip


def questions(state: ChapterState, desk: Desk) -> tuple[Question, ...]:
    return choose(desk.kit, desk.book, the_plan(state), current_text(state))


def audit(state: ChapterState, desk: Desk, base: str) -> Request:
    return render.audit_request(
        desk.kit, desk.book, desk.context, the_plan(state), current_text(state), questions(state, desk), desk.rules
    )


def again(state: ChapterState, desk: Desk, base: str) -> Request:
    assert state.settled is not None
    finding = state.disputed[dispute_number(base) - 1]
    return render.again_request(
        desk.kit, desk.book, desk.context, the_plan(state), current_text(state), state.settled, finding, desk.rules
    )


def dispute_number(base: str) -> int:
    """`again.2-3` asks about the third disputed entry of version 2."""
    return int(base.rsplit("-", 1)[1])


def revise(state: ChapterState, desk: Desk, base: str) -> Request:
    best = state.version(state.best)
    return render.revise_request(
        desk.kit, desk.book, desk.context, the_plan(state), best.text, mend.numbered(state, desk),
        mend.must_keep(state, desk), desk.rules, version=len(state.versions) + 1,
    )  # fmt: skip


def papers_text(state: ChapterState, desk: Desk) -> str:
    """Everything beside the text that a reply may quote or take names from."""
    return render.papers_text(desk.kit, desk.book, desk.context, the_plan(state), desk.rules)
