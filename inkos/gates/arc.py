"""The chapter in the run of the book: promises, payoffs, functions, opening and end; from plan, delta and state alone.

All of it is advice: a writer may have reasons for each. What the prose means is the audit's to say.
"""

from __future__ import annotations

from inkos.gates.check import CheckContext, quote_of
from inkos.gates.overlap import Speaker
from inkos.kernel.findings import Finding
from inkos.messages import Language
from inkos.text.count import units
from inkos.text.segment import paragraphs

SAME_FUNCTION = 3  # chapters in a row with the same function
PAYOFF: dict[Language, int] = {"zh": 3, "en": 5}  # chapters without one (design/craft.md §1)
OPENING: dict[Language, int] = {"zh": 300, "en": 200}  # characters, words: by then the lead is there, with a want
FIRST_PAYOFF = 3
STILL = 5  # chapters in a row that leave the volume's goal alone
LAST = 2  # paragraphs in which the planned end should be seen


def shared_scene(text: str, context: CheckContext) -> list[Finding]:
    """A beat of this outline entry and one of the next tell the same scene: it would be told twice."""
    if context.entry is None or context.next_entry is None:
        return []
    speaker = Speaker(context.language, context.names)
    found = []
    for beat in context.entry.beats:
        other = next((o for o in context.next_entry.beats if speaker.gives_away(beat.text, o.text)), None)
        if other is not None:
            found.append(
                Finding(
                    code="structure-004", severity="info", path="outline", metric="shared scene",
                    values={"about": beat.key, "beat": beat.text, "other": other.text}, repairable=False,
                )
            )  # fmt: skip
    return found


def same_function(text: str, context: CheckContext) -> list[Finding]:
    """Three chapters in a row do the same for the book."""
    run = context.story.functions[-(SAME_FUNCTION - 1) :] if context.story else ()
    own = context.entry.function.strip() if context.entry else ""
    if not own or len(run) < SAME_FUNCTION - 1 or any(f.strip() != own for f in run):
        return []
    return [
        Finding(code="structure-005", severity="info", path="outline", metric="same function",
                actual=str(SAME_FUNCTION), values={"about": own, "function": own}, repairable=False)
    ]  # fmt: skip


def promises(text: str, context: CheckContext) -> list[Finding]:
    """A promise is due, and the chapter neither moves nor pays it, nor does the plan mean to."""
    story = context.story
    if story is None or story.moved is None:
        return []
    planned = {promise.hook for promise in context.plan.promises} if context.plan else set()
    return [
        Finding(code="structure-006", severity="info", path="hook_ops", metric="promise due",
                values={"about": hook, "core": core}, repairable=False)
        for hook, core in story.due
        if hook not in story.moved and hook not in planned
    ]  # fmt: skip


def end(text: str, context: CheckContext) -> list[Finding]:
    """Nothing of the planned end stands in the last paragraphs."""
    if context.plan is None or not context.plan.end.strip():
        return []
    speaker = Speaker(context.language, context.names)
    wanted = speaker.rare(context.plan.end) | speaker.named(context.plan.end)
    last = paragraphs(text)[-LAST:]
    if not last or len(wanted) < 2:
        return []
    words = " ".join(span.text for span in paragraphs(text)[-(LAST + 2) :])
    if wanted & (speaker.rare(words) | speaker.named(words)):
        return []
    return [
        Finding(code="structure-007", severity="info", metric="planned end", expected=context.plan.end,
                quotes=(quote_of(text, last[-1].start, last[-1].end),), repairable=False)
    ]  # fmt: skip


def payoff(text: str, context: CheckContext) -> list[Finding]:
    """Too many chapters have passed since something promised was paid."""
    story = context.story
    if story is None or story.since_payoff is None or story.moved is None or story.resolved:
        return []
    if story.since_payoff + 1 < PAYOFF[context.language] or story.position <= FIRST_PAYOFF:
        return []
    return [
        Finding(code="structure-008", severity="info", path="hook_ops", metric="chapters since a payoff",
                expected=str(PAYOFF[context.language]), actual=str(story.since_payoff + 1), repairable=False)
    ]  # fmt: skip


def lead_early(text: str, context: CheckContext) -> list[Finding]:
    """The first page of the first chapter does not show whose story it is."""
    story = context.story
    if story is None or story.position != 1 or not story.pov or _met(text, context, story.pov):
        return []
    return [Finding(code="structure-009", severity="info", metric="opening", expected=str(OPENING[context.language]),
                    values={"about": story.pov[0]}, repairable=False)]  # fmt: skip


def first_payoff(text: str, context: CheckContext) -> list[Finding]:
    """By the end of the third chapter nothing that was promised has been paid, be it small."""
    story = context.story
    if story is None or story.moved is None or story.position != FIRST_PAYOFF:
        return []
    if story.resolved or story.since_payoff is not None:
        return []
    return [Finding(code="structure-010", severity="info", path="hook_ops", metric="opening",
                    expected=str(FIRST_PAYOFF), repairable=False)]  # fmt: skip


def _met(text: str, context: CheckContext, names: tuple[str, ...]) -> bool:
    """Is the lead named, or does the narrator say `I`, on the first page?"""
    first = units(text)[: OPENING[context.language]]
    page = "".join(first) if context.language == "zh" else " ".join(first)
    narrator = "我" if context.language == "zh" else "I"
    said = narrator in (page if context.language == "zh" else first)
    return (context.style.person == "first" and said) or any(name in page for name in names)


def goal(text: str, context: CheckContext) -> list[Finding]:
    """Nothing that the last chapters came to touches what this volume is about."""
    story = context.story
    if story is None or not story.goal or story.told is None or len(story.told) < STILL:
        return []
    speaker = Speaker(context.language, context.names)
    # The lead is in every chapter: being named moves nothing.
    wanted = (speaker.rare(story.goal) | speaker.named(story.goal)) - set(story.pov)
    if not wanted or any(wanted & (speaker.rare(line) | speaker.named(line)) for line in story.told[-STILL:]):
        return []
    return [
        Finding(code="structure-011", severity="info", path="outline", metric="volume goal", actual=str(STILL),
                values={"about": story.goal, "goal": story.goal}, repairable=False)
    ]  # fmt: skip


def given_viewpoint(text: str, context: CheckContext) -> list[Finding]:
    """The outline gives the chapter to somebody, and it was planned and told from somebody else."""
    story = context.story
    if story is None or not story.given_pov:
        return []
    return [Finding(code="person-003", severity="warning", path="outline", metric="viewpoint",
                    expected=story.given_pov, actual=story.pov[0] if story.pov else "–",
                    values={"about": story.given_pov}, structural=True)]  # fmt: skip


def viewpoint(text: str, context: CheckContext) -> list[Finding]:
    """The person whose viewpoint the plan gives is never named in a chapter told in the third person."""
    story = context.story
    if story is None or not story.pov or context.style.person != "third" or any(name in text for name in story.pov):
        return []
    return [Finding(code="person-002", severity="warning", metric="viewpoint", expected=story.pov[0],
                    values={"about": story.pov[0]})]  # fmt: skip
