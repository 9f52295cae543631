"""Known things and facts as lines of a prompt: handles, facts, clock, promises; does not know their layer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Fact, Hook, StoryClock, StoryState
from inkos.kernel.views import fact_line, hooks_due, is_open, value_text, window
from inkos.prompts.kit import Kit
from inkos.prompts.rarity import Reader
from inkos.prompts.relevance import features, overlap

PLAIN = frozenset({"status", "item_state", "place_state", "rank", "role"})  # the value says it all
QUESTIONS = 12  # truths that are named in the layers at most
# The words of the evidence are shown where a value is free text and they are short, in characters.
SHORT_QUOTE = {"zh": 40, "en": 120}


def named(kit: Kit, state: StoryState, ref: str) -> str:
    """`p1 程满仓`; a plain name where nothing known bears it."""
    known = state.entities.get(ref)
    if known is None:
        return ref
    return kit.say("named", handle=known.handle, name=known.name) if known.handle else known.name


def names(kit: Kit, state: StoryState, refs: Iterable[str]) -> str:
    return kit.say("join").join(named(kit, state, ref) for ref in refs)


def with_aliases(kit: Kit, known: Entity) -> str:
    name = kit.say("named", handle=known.handle, name=known.name) if known.handle else known.name
    return kit.say("aliased", name=name, aliases=kit.say("join").join(known.aliases)) if known.aliases else name


def handle_lines(kit: Kit, things: Sequence[Entity]) -> list[str]:
    """One line a kind, in the kinds' fixed order; things keep the order given."""
    lines = []
    for kind in ("person", "place", "item", "group", "concept", "secret"):
        listed = [with_aliases(kit, known) for known in things if known.kind == kind]
        if listed:
            lines.append(kit.say("kind_line", kind=kit.say(f"kinds.{kind}"), names=kit.say("join").join(listed)))
    return lines


def question_line(kit: Kit, state: StoryState) -> list[str]:
    """The truths that are not out yet, by their questions, which give nothing away."""
    position = state.last_applied_chapter + 1
    hidden = [truth for truth in state.truths.values() if truth.out_by is None or truth.out_by >= position]
    asked = [kit.say("named", handle=truth.handle, name=truth.question) for truth in hidden[:QUESTIONS]]
    return [kit.say("kind_line", kind=kit.say("kinds.truth"), names=" ".join(asked))] if asked else []


def is_secret_knowledge(fact: Fact, state: StoryState) -> bool:
    """That somebody knows one of the author's truths, or something filed as a secret."""
    if not isinstance(fact.object, str):
        return False
    known = state.entities.get(fact.object)
    return fact.object in state.truths or (known is not None and known.kind == "secret")


def shown_fact(kit: Kit, fact: Fact, state: StoryState, rules: Rules) -> str:
    """The fact's line, with the predicate's unit, and the evidence's own words where the wording may matter."""
    line = fact_line(fact, state)
    predicate = rules.predicates.get(fact.predicate)
    if predicate is not None and predicate.unit and fact.object_kind == "number":
        unit = f"units.{predicate.unit}"
        line += f" {kit.say(unit) if unit in kit.labels else predicate.unit}"
    quote, value = fact.evidence.quote, str(fact.object)
    wording = fact.object_kind == "text" and fact.evidence.source == "text" and fact.predicate not in PLAIN
    said = value in quote or quote.strip("。.”“ ") in value
    if wording and quote and not said and len(quote) <= SHORT_QUOTE[kit.language]:
        line += kit.say("clock_label", label=kit.say("quote", text=quote))
    return line


def visible(facts: Iterable[Fact], state: StoryState, pov: str) -> list[Fact]:
    """Facts that may stand where the drafter reads: who knows a secret is nobody's business but the viewpoint's."""
    return [fact for fact in facts if fact.subject == pov or not is_secret_knowledge(fact, state)]


def ranked(facts: Sequence[Fact], state: StoryState, wanted: str, focus: frozenset[str]) -> list[Fact]:
    """Most needed first: what the wanted text speaks of, what joins two of those in focus, then the newest. Those in
    focus take turns, so that nobody's hundred facts leave no room for another's one; what is only about somebody else
    (a hundred people live in a town) comes last."""
    present = features(wanted)

    def need(fact: Fact) -> tuple[float, int, str]:
        said = value_text(fact.object)
        if isinstance(fact.object, str) and fact.object in state.entities:
            said = state.entities[fact.object].name
        both = fact.subject in focus and isinstance(fact.object, str) and fact.object in focus
        score = 2 * overlap(f"{said} {fact.evidence.quote}", present) + both + (fact.predicate in CORE)
        return (-score, -fact.valid_from_chapter, fact.id)

    turns: Counter[str] = Counter()
    order: list[tuple[bool, int, int, Fact]] = []
    for fact in sorted(facts, key=need):
        order.append((fact.subject not in focus, turns[fact.subject], len(order), fact))
        turns[fact.subject] += 1
    return [fact for *_, fact in sorted(order, key=lambda row: row[:3])]


def told_in_order(facts: Iterable[Fact], focus: Sequence[str]) -> list[Fact]:
    """Facts by whom they are about, in the order of `focus`, and by age."""
    place = {who: n for n, who in enumerate(focus)}

    def key(fact: Fact) -> tuple[int, int, int, str]:
        number = int(digits) if (digits := fact.handle[1:]).isdigit() else 0
        return place.get(fact.subject, len(place)), fact.valid_from_chapter, number, fact.id

    return sorted(facts, key=key)


def fitting(
    kit: Kit, facts: Sequence[Fact], state: StoryState, rules: Rules, room: int, shown: str = ""
) -> tuple[dict[str, str], int]:
    """Lines of the facts that fit into `room` characters, by fact id, the most needed first as given, and how many are
    left out. What `shown` has already is no row of its own. No line is made once the room seems used up."""
    lines: dict[str, str] = {}
    there = missed = 0
    for fact in facts:
        if missed == MISSES:
            break
        line = shown_fact(kit, fact, state, rules)
        if shown and line in shown:
            there += 1
        elif len(line) <= room and line not in lines.values():
            lines[fact.id] = line
            room -= len(line) + 1
            missed = 0
        else:
            missed += 1
    return lines, len(facts) - there - len(lines)


MISSES = 12  # facts in a row that did not fit: the room is used up
# Where somebody is, whether they live, what they have: asked about in every scene (names of kernel/rules/general.yaml).
CORE = frozenset({"status", "location", "holder", "injury", "item_state", "money", "stock"})


def clock_line(kit: Kit, clock: StoryClock) -> str:
    minute = ""
    if clock.minute is not None:
        minute = kit.say("clock_minute", time=f"{clock.minute // 60:02d}:{clock.minute % 60:02d}")
    label = kit.say("clock_label", label=clock.label) if clock.label else ""
    return kit.say("clock", day=clock.day, minute=minute, label=label)


def promises(state: StoryState, wanted: Reader, position: int, chapters: int) -> list[tuple[Hook, str]]:
    """Every open promise, with why it matters now: those that the text touches or names by handle first, then overdue,
    then due, then the others (`""`), the soonest payoff first."""
    due = hooks_due(state, position, chapters)
    late = {hook.id for hook in due if position > window(hook, chapters)[1]}
    spoken = {hook.id for hook in state.hooks.values() if is_open(hook) and _touched(hook, wanted)}
    now = {hook.id for hook in due}
    waiting = [hook for hook in state.hooks.values() if is_open(hook) and hook.id not in now]
    waiting.sort(key=lambda hook: (window(hook, chapters)[::-1], hook.start_chapter, hook.id))
    found = [(hook, "overdue" if hook.id in late else "due") for hook in due]
    found += [(hook, "named" if hook.id in spoken else "") for hook in waiting]
    return sorted(found, key=lambda pair: pair[0].id not in spoken)


def _touched(hook: Hook, wanted: Reader) -> bool:
    """By its wording, or by the event that makes it due."""
    if hook.handle and hook.handle in wanted.text.split():
        return True
    return any(wanted.evidence(text).enough for text in (hook.core, hook.trigger))


def promise_line(kit: Kit, hook: Hook, why: str) -> str:
    """`h2 (moving; due): core`. One that no chapter has touched since founding is not yet planted."""
    status = "unplanted" if hook.status == "open" and not hook.last_advanced_chapter else hook.status
    due = kit.say("hook.why", why=kit.say(f"hook.{why}")) if why else ""
    line = kit.say("hook.line", handle=hook.handle, status=kit.say(f"hook.status.{status}"), due=due, core=hook.core)
    return line + (kit.say("hook.trigger", trigger=hook.trigger.strip("。. ")) if hook.trigger else "")
