"""The papers of a chapter as text for a prompt: plan, outline entry, truths, voices, findings; knows no task."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from inkos.kernel.book import Book
from inkos.kernel.delta import Delta
from inkos.kernel.findings import Finding
from inkos.kernel.papers import Beat, NumberedFinding, Outline, OutlineEntry, Plan, PlannedPromise, Question
from inkos.kernel.rules import Rules
from inkos.kernel.story import AuthorTruth, Fact, StoryState
from inkos.kernel.views import entity, fact_line, facts_of, name_of, who_knows
from inkos.prompts.budget import last_fitting
from inkos.prompts.facts import named, names
from inkos.prompts.kit import Kit
from inkos.prompts.relevance import mentioned
from inkos.records import Record

# What of intent.md, focus.md and the author's word for one chapter goes to the planner, in characters.
INTENT, FOCUS, STEER = {"zh": 300, "en": 1200}, {"zh": 300, "en": 1200}, 2000
# A quoted sentence within a sentence that brings its own full stop: `“走了。”。`
_MARKED = re.compile(r"([。！？.!?][”’」])[。.]")


def _person_of(book: Book, plan: Plan) -> list[str]:
    """The person of the chapter, where its outline entry gives it one of its own."""
    return [entry.person for entry in book.outline.entries if entry.key == plan.outline_key and entry.person]


def shown_plan(kit: Kit, book: Book, plan: Plan) -> str:
    """The accepted plan as everybody after the planner reads it (design/craft.md §6). Never cut."""
    state = book.state
    rows = [
        kit.say("plan.title", title=plan.title, words=plan.target),
        kit.say("plan.pov", name=named(kit, state, plan.pov)),
        *(kit.say("entry.person", text=person) for person in _person_of(book, plan)),
        _time(kit, plan),
    ]
    if plan.places:
        rows.append(kit.say("plan.places", names=names(kit, state, plan.places)))
    if plan.cast:
        rows.append(kit.say("plan.cast", text=_cast(kit, state, plan)))
    rows += _told(kit, "change", (plan.change,) if plan.change else ())
    for name in ("knows", "believes", "asks"):
        rows += _told(kit, name, getattr(plan, name))
    rows += beat_lines(kit, plan)
    rows += [_promise(kit, state, promise) for promise in plan.promises]
    rows += _told(kit, "avoid", plan.avoid)
    for name in ("keep", "end"):
        rows += [kit.say(f"plan.{name}", text=getattr(plan, name))] if getattr(plan, name) else []
    return "\n".join(rows)


def _told(kit: Kit, name: str, parts: Sequence[str]) -> list[str]:
    text = kit.sentences(parts)
    return [kit.say(f"plan.{name}", text=text)] if text else []


def _time(kit: Kit, plan: Plan) -> str:
    def label(text: str) -> str:
        return kit.say("plan.label", text=text) if text else ""

    start, end = plan.starts, plan.ends
    if end.day == start.day or not end.day:
        until = kit.say("plan.until", text=end.label) if end.label not in ("", start.label) else ""
        return kit.say("plan.time", day=start.day, label=label(start.label) + until)
    first, last = label(start.label), label(end.label)
    return kit.say("plan.time_span", day=start.day, label=first, end_day=end.day, end_label=last)


def _cast(kit: Kit, state: StoryState, plan: Plan) -> str:
    rows = []
    for member in plan.cast:
        name = named(kit, state, member.who)
        parts = [kit.say("plan.member_wants", wants=member.wants)] if member.wants else []
        parts += [kit.say("plan.member_unsaid", unsaid=member.unsaid)] if member.unsaid else []
        told = kit.say("plan.member_join").join(part.rstrip("。.") for part in parts)
        rows.append(kit.say("plan.member", name=name, parts=told) if parts else name)
    return kit.say("join").join(rows)


def beat_line(kit: Kit, beat: Beat, *, handle: bool = True) -> str:
    """`b1（600，o1）要什么 → 被什么挡 → 结果：代价（物）`; `handle` false: what happens only."""
    keys = [f"o{key.rsplit('#', 1)[-1]}" for key in beat.outline]
    form = "beat" if beat.against else "beat_bare" if beat.outcome and beat.cost else "beat_only"
    line = kit.say(
        f"plan.{form}",
        handle=beat.handle,
        words=beat.words,
        outline=kit.say("plan.outline", names=kit.say("join").join(keys)) if keys else "",
        link=kit.say(f"plan.link.{beat.link}") if beat.link else "",
        wants=beat.wants,
        against=beat.against,
        outcome=kit.say(f"plan.outcome.{beat.outcome}"),
        cost=kit.say("plan.cost", text=beat.cost) if beat.cost else "",
        thing=kit.say("plan.thing", text=beat.thing) if beat.thing else "",
    ).strip()
    return line if handle else re.sub(r"^\S+?\s*[(（][^)）]*[)）]\s*", "", line, count=1)


def beat_lines(kit: Kit, plan: Plan) -> list[str]:
    return [beat_line(kit, beat) for beat in plan.beats]


def _promise(kit: Kit, state: StoryState, promise: PlannedPromise) -> str:
    hook = state.hooks.get(promise.hook)
    do = kit.say(f"plan.do.{promise.do}")
    how = kit.say("plan.how", text=promise.how) if promise.how else ""
    if hook is None:
        return kit.say("plan.promise_new", name=promise.hook, do=do, how=how)
    return kit.say("plan.promise", name=hook.handle or hook.core, do=do, how=how)


def outline_entry(kit: Kit, book: Book, entry: OutlineEntry | None, steer: str) -> str:
    """This chapter's entry with handles, the author's word for it, and the author's horizon (intent, focus)."""
    rows = [kit.say("entry.free")] if entry is None else _entry(kit, entry)
    horizon = ((book.focus, "focus", FOCUS[kit.language]), (book.intent, "intent", INTENT[kit.language]))
    for text, name, limit in ((steer, "steer", STEER), *horizon):
        told = _beginning(text, limit)
        rows += [kit.say(f"entry.{name}", text=told)] if told else []
    return "\n".join(rows)


def _entry(kit: Kit, entry: OutlineEntry) -> list[str]:
    form = "entry.volume" if entry.volume else "entry.title"
    rows = [kit.say(form, title=entry.title, volume=entry.volume)]
    rows += [kit.say("named", handle=beat.handle, name=beat.text) for beat in entry.beats]
    for name in ("function", "required", "pov", "person", "end_kind"):
        value = getattr(entry, name)
        rows += [kit.say(f"entry.{name}", text=value)] if value else []
    return rows


def outline_lines(kit: Kit, outline: Outline) -> str:
    """Volumes with goal, loss and how many of their chapters are outlined, and the last image."""
    counts = Counter(entry.volume for entry in outline.entries)
    rows = [kit.say("extend.volume", title=v.title, goal=v.goal, loss=v.loss, count=counts[v.title])
            for v in outline.volumes]  # fmt: skip
    rows += [kit.say("extend.last-image", text=outline.last_image)] if outline.last_image else []
    return "\n".join(rows) or kit.none


def last_entries(kit: Kit, entries: Sequence[OutlineEntry]) -> str:
    return "\n".join("\n".join(_entry(kit, entry)) for entry in entries) or kit.none


def _beginning(text: str, limit: int) -> str:
    """Whole paragraphs from the start, without headings; at least the first, cut at the limit."""
    lines = [line.strip().lstrip("-* ") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    kept = last_fitting(lines[::-1], limit).rows[::-1]
    return " ".join(kept)[: max(limit, 1)]


def next_beats(kit: Kit, entry: OutlineEntry | None) -> str:
    """The next entry's beats without handles: they cannot be claimed."""
    if entry is None or not entry.beats:
        return kit.none
    return "\n".join(f"- {beat.text}" for beat in entry.beats)


def settled_beats(kit: Kit, entry: OutlineEntry | None, following: OutlineEntry | None) -> str:
    """The entry's beats, and the first of the next under the next number, marked as such: a chapter may run ahead."""
    rows = [kit.say("named", handle=beat.handle, name=beat.text) for beat in entry.beats] if entry else []
    if entry and following and following.beats:
        name = kit.say("named", handle=f"o{len(entry.beats) + 1}", name=following.beats[0].text)
        rows.append(kit.say("settle.next", name=name))
    return "\n".join(rows) or kit.none


def settled_registry(kit: Kit, lines: Sequence[str], setting: Sequence[str]) -> str:
    """The table of predicates and events, and below it how a needed event and a place are to be read, and which events
    make their fact by themselves."""
    events = kit.say("settle.sets", names=kit.say("join").join(setting))
    return "\n".join([*lines, kit.say("settle.needs"), events, kit.say("settle.location")])


def setting_events(rules: Rules) -> list[str]:
    """Names of the events whose object becomes a fact."""
    return [event.name for event in rules.events.values()
            if event.asked and any(each.to == "object" and not each.ends for each in event.sets)]  # fmt: skip


def truths(kit: Kit, state: StoryState, people: Iterable[str], text: str, position: int) -> str:
    """Truths that touch the people and places of a chapter, who knows them, and whether they may come out; then what
    those people wrongly believe. `people` are ids, `text` what the chapter is about."""
    present = set(people)
    rows = []
    for truth in state.truths.values():
        spent = truth.out_by is not None and position > truth.out_by
        if not spent and _touches(truth, state, present, text):
            rows.append(_truth(kit, state, truth, position))
    for belief in state.beliefs:
        if belief.holder in present:
            rows.append(kit.say("truth.belief", name=named(kit, state, belief.holder), text=belief.text))
    return "\n".join(rows) or kit.none


def _touches(truth: AuthorTruth, state: StoryState, present: set[str], text: str) -> bool:
    if present & set(who_knows(state, truth.id)) or (truth.handle and truth.handle in text.split()):
        return True
    said = "\n".join([truth.question, truth.truth, truth.surface, *truth.clues])
    things = [state.entities[who] for who in sorted(present) if who in state.entities]
    return bool(mentioned(things, said))


def _truth(kit: Kit, state: StoryState, truth: AuthorTruth, position: int) -> str:
    knowing = [name_of(state, who) for who in who_knows(state, truth.id)]
    opened = truth.reader_knows_from is not None and position >= truth.reader_knows_from
    return kit.say(
        "truth.line",
        handle=truth.handle,
        question=truth.question,
        truth=truth.truth.rstrip("。. "),
        known=kit.say("truth.known", names=kit.say("join").join(knowing)) if knowing else kit.say("truth.unknown"),
        window=kit.say("truth.opened" if opened else "truth.closed"),
    )


def voices(kit: Kit, book: Book, plan: Plan) -> str:
    """Two lines of each speaker in the plan."""
    by_id: dict[str, tuple[str, ...]] = {}
    for key, lines in book.voices.items():
        known = entity(book.state, key)
        by_id[known.id if known else key] = lines
    rows = []
    for who in dict.fromkeys([plan.pov, *(member.who for member in plan.cast)]):
        said = " ".join(kit.say("quote", text=line.strip("“”\"「」 ")) for line in by_id.get(who, ())[:2])
        rows += [kit.say("voice", name=name_of(book.state, who), lines=said)] if said else []
    return "\n".join(rows) or kit.none


def listed(kit: Kit, rows: Iterable[str]) -> str:
    return "\n".join(f"- {row}" for row in rows) or kit.none


def asked(questions: Iterable[Question]) -> str:
    return "\n".join(f"{question.id} {question.text}" for question in questions)


def shown_findings(kit: Kit, findings: Sequence[NumberedFinding]) -> str:
    """What is wrong, the text's words, the paper's words where there are any, what would settle it."""
    rows: list[str] = []
    for item in findings:
        rows.append(kit.say("finding.line", id=item.id, wrong=item.wrong))
        for quote in item.finding.quotes:
            rows.append(kit.say("finding.text" if quote.source == "text" else "finding.papers", quote=quote.text))
        if item.finding.note and item.finding.note not in item.wrong:
            rows.append(kit.say("finding.note", note=item.finding.note))
        rows.append(kit.say("finding.settle", settle=item.settle))
    return _MARKED.sub(r"\1", "\n".join(rows)) or kit.none


def disputed_entry(state: StoryState, delta: Delta, finding: Finding) -> str:
    """The entry of the delta that a finding is about, as JSON under the settlement's keys, with handles for ids."""
    match = re.fullmatch(r"(\w+)(?:\[(\d+)\])?", finding.path)
    found = getattr(delta, match[1], None) if match else None
    if match and match[2] and isinstance(found, tuple):
        found = found[int(match[2])] if int(match[2]) < len(found) else None
    if match is None or not isinstance(found, Record):
        return finding.actual or finding.path
    handles = {thing.id: thing.handle for table in (state.entities, state.facts, state.hooks, state.truths)
               for thing in table.values() if thing.handle}  # fmt: skip
    shown: dict[str, object] = {}
    for key, value in found.model_dump(mode="json").items():
        if key == "evidence":
            shown["quote"] = value["quote"]
        elif key == "object" or (key not in ("id", "handle", "object_kind") and value not in ("", None, [])):
            shown[key] = handles.get(value, value) if isinstance(value, str) else value
    return json.dumps({match[1]: [shown] if match[2] else shown}, ensure_ascii=False)


def disputed_fact(state: StoryState, finding: Finding) -> str:
    """The known fact that the entry collides with, as the layers show it. `about` of a rule's finding is the subject's
    id and the predicate; the fact is the one whose words the finding quotes."""
    subject, _, predicate = finding.values.get("about", "").rpartition(".")
    fact = _disputed(state, subject, predicate, finding)
    if fact is not None:
        return fact_line(fact, state)
    return " · ".join(part for part in (finding.values.get("subject", ""), finding.expected) if part)


def disputed_words(state: StoryState, finding: Finding) -> str:
    """The words that the known fact rests on: the finding's own, else the fact's evidence; empty where it has none."""
    quoted = [quote.text for quote in finding.quotes if quote.source != "text"]
    subject, _, predicate = finding.values.get("about", "").rpartition(".")
    fact = None if quoted else _disputed(state, subject, predicate, finding)
    return quoted[0] if quoted else fact.evidence.quote if fact is not None else ""


def _disputed(state: StoryState, subject: str, predicate: str, finding: Finding) -> Fact | None:
    held = [fact for fact in facts_of(state, [subject]) if fact.subject == subject and fact.predicate == predicate]
    old = {quote.text for quote in finding.quotes if quote.source != "text"}
    held.sort(key=lambda fact: fact.evidence.quote not in old)
    return held[0] if held else None
