"""The seven shared layers, each within its budget: what is taken, what is left out and why; does not know any role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inkos.kernel.book import Book
from inkos.kernel.papers import OutlineEntry, Volume
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, SummaryRow
from inkos.kernel.views import facts_of
from inkos.prompts.bible import Extract, Touched, Wanted, public_lines, told_left, touched
from inkos.prompts.budget import Kept, first_fitting, halved, last_fitting, size
from inkos.prompts.facts import (
    clock_line,
    fitting,
    handle_lines,
    promise_line,
    promises,
    question_line,
    ranked,
    told_in_order,
    visible,
)
from inkos.prompts.kit import Kit
from inkos.prompts.rarity import rarity_of
from inkos.prompts.relevance import entry_text, last_active, mentioned_in, viewpoint

# First budgets in characters (design/prompts.md §3), a starting point for rows 5 and 6 of design/bars.md.
BUDGETS: dict[str, dict[str, int]] = {
    "rules_and_style": {"zh": 900, "en": 2900},
    "bible": {"zh": 1700, "en": 5500},
    "arc_summaries": {"zh": 600, "en": 2000},
    "chapter_summaries": {"zh": 900, "en": 2900},
    "open_facts": {"zh": 1300, "en": 4200},
    # More than the design began with: every open promise that nobody shows is planted a second time by whoever settles.
    "due_promises": {"zh": 700, "en": 2200},
    "last_pages": {"zh": 500, "en": 1600},
    # More than the design began with: what a founded bible leaves out of its layer is looked up here, and what earlier
    # chapters said.
    "looked_up_facts": {"zh": 1200, "en": 3800},
    "plan": {"zh": 550, "en": 1800},
}
LAYERS = tuple(BUDGETS)[:7]
# Share of the open facts' budget that the list of handles may take.
HANDLES = 0.35
ARC, ARCS = 10, 3  # chapters that one row of the arcs stands for, and rows: a book of fifty chapters has them all
# Share of what is left of it after the handles that lines of the bible may take from the facts, and that facts of the
# book's own predicates may.
BIBLE, OWN = 0.35, 0.35


class Piece(NamedTuple):
    """One layer before it becomes part of the prefix: its text, rows taken and left out, and why."""

    text: str
    taken: int = 0
    dropped: int = 0
    reason: str = ""


def _piece(kit: Kit, kept: Kept) -> Piece:
    text = "\n".join(kept.rows).strip()
    return Piece(text or kit.none, len(kept.rows), kept.dropped, kept.reason)


def budget_of(name: str, kit: Kit) -> int:
    return BUDGETS[name][kit.language]


def rules_and_style(kit: Kit, book: Book) -> Piece:
    """How the book is told, in its own language; the author's bans in full, whatever they take."""
    style = book.config.style
    pov = viewpoint(book.state, style.pov)
    told = [kit.say(f"style.person.{style.person}")]
    if style.tense:
        told.append(kit.say(f"style.tense.{style.tense}"))
    stop = kit.say("stop")
    head = kit.say("join").join(told)
    if style.pov:
        head += stop + kit.say("style.pov", name=pov.name if pov else style.pov)
    head += stop + kit.say("style.marks")
    # A house rule gives way to what the author says about numbers, and to genres that are told in figures.
    said = " ".join(style.wants).casefold()
    if not any(word in said for word in kit.say("style.numbers_if_not").split("|")) and not _in_figures(book):
        head += stop + kit.say("style.numbers")
    head += kit.say("style.count_all" if book.config.length.count_punctuation else "style.count")
    lines = [(head + stop).strip()]
    if style.wants:
        lines.append(kit.say("style.wants", text=kit.sentences(style.wants)))
    for label, words in (("bans", style.bans), ("patterns", style.ban_patterns), ("titles", style.title_bans)):
        if words:
            lines.append(kit.say(f"style.{label}", words=kit.say("join").join(word.strip("。. ") for word in words)))
    samples = _samples(kit, style.samples, budget_of("rules_and_style", kit) - size(lines))
    return Piece("\n".join([*lines, *samples.rows]), len(lines) + len(samples.rows), samples.dropped, samples.reason)


def _in_figures(book: Book) -> bool:
    return bool({"litrpg", "scifi"} & set(re.split(r"[\s,/+]+", book.config.genre.casefold())))


def _samples(kit: Kit, samples: Sequence[str], budget: int) -> Kept:
    """Up to two passages; a first line `kind:` or `# kind` is the kind of scene."""
    shown = []
    for sample in samples:
        first, _, rest = sample.strip().partition("\n")
        kind = re.match(r"^#+\s*(.+)$|^([^。.!?！？“”\"]{1,24})[:：]$", first.strip())
        headed = kind is not None and bool(rest.strip())
        label = kit.say("style.sample", kind=kind[1] or kind[2]) if kind and headed else kit.say("style.sample_plain")
        text = rest if headed else sample
        shown.append(f"## {label}\n{text.strip()}")
    kept = first_fitting(shown[:2], budget)
    # One sample is worth its room even where the author's own rules fill the layer.
    if shown and not kept.rows:
        kept = Kept((shown[0],), len(shown) - 1, f"samples over the budget of {budget}")
    return kept if len(shown) <= 2 else Kept(kept.rows, len(shown) - len(kept.rows), "two samples at most")


def bible(kit: Kit, found: Extract) -> Piece:
    budget = budget_of("bible", kit)
    taken, left = found.taken, found.left
    reason = f"{len(left)} lines over the budget of {budget}; looked up where they are needed" if left else ""
    return _piece(kit, Kept(tuple(taken), len(left), reason))


def arc_summaries(kit: Kit, book: Book) -> Piece:
    """A paragraph a closed volume, made of the outline's goal and loss and the volume's last summary; a row for each
    of the last tens of chapters since, once they have left the layer of chapters; a line for the open volume. A volume
    is open while an entry of it has not been used. All of it is taken from the papers and worded by nobody, so nothing
    is ever told anew."""
    rows = []
    done = [entry.outline_key for entry in book.index.chapters]
    used = set(done)
    volume_of = {entry.key: entry.volume for entry in book.outline.entries}
    last: dict[str, SummaryRow] = {}
    for row in book.state.summaries:
        key = done[row.chapter - 1] if 0 < row.chapter <= len(done) else ""
        if volume_of.get(key):
            last[volume_of[key]] = row
    left = {entry.volume for entry in book.outline.entries if entry.key not in used}
    closed = 0
    for volume in book.outline.volumes:
        if volume.title in last and volume.title not in left:
            rows.append(_closed(kit, volume, last[volume.title]))
            closed = max(closed, last[volume.title].chapter)
    rows += _arcs(kit, book, closed)
    for volume in book.outline.volumes:
        if volume.title in left:
            goal = volume.goal or volume.title
            rows.append(kit.say("arc.open", title=volume.title, goal=kit.say("arc.goal", text=goal.rstrip("。."))))
            break
    return _piece(kit, halved(rows, budget_of("arc_summaries", kit)))


def _arcs(kit: Kit, book: Book, since: int) -> list[str]:
    """One row for each of the last tens of chapters behind position `since` that the layer of chapters does not show
    any more: the summary of the last one in which a promise was paid, else of the last."""
    gone = chapter_summaries(kit, book).dropped
    paid = {hook.last_advanced_chapter for hook in book.state.hooks.values() if hook.status == "resolved"}
    told = [row for row in book.state.summaries if row.text or row.title]
    arc = [row for row in told[:gone] if row.chapter > since]
    rows = []
    for at in range(0, len(arc) - ARC + 1, ARC):
        ten = arc[at : at + ARC]
        chosen = next((row for row in reversed(ten) if row.chapter in paid), ten[-1])
        rows.append(kit.say("arc.ten", first=ten[0].title, last=ten[-1].title, text=chosen.text))
    return rows[-ARCS:]


def _closed(kit: Kit, volume: Volume, last: SummaryRow) -> str:
    return kit.say(
        "arc.closed",
        title=volume.title,
        goal=kit.say("arc.goal", text=volume.goal.strip("。.")) if volume.goal else "",
        loss=kit.say("arc.loss", text=volume.loss.strip("。.")) if volume.loss else "",
        last=kit.say("arc.last", text=last.text) if last.text else "",
    )


def chapter_summaries(kit: Kit, book: Book) -> Piece:
    """One row a chapter by title and day, without a number, the newest last."""
    rows = [
        kit.say("row" if row.day else "row_untimed", title=row.title, day=row.day, text=row.text)
        for row in book.state.summaries
        if row.text or row.title
    ]
    return _piece(kit, halved(rows, budget_of("chapter_summaries", kit)))


def in_focus(book: Book, entry: OutlineEntry | None) -> list[Entity]:
    """Whom the outline entry names, and the viewpoint; if it names no person, the most recently active as well."""
    state = book.state
    found = {known.id: known for known in mentioned_in(state, entry_text(entry))}
    pov = viewpoint(state, book.config.style.pov)
    if pov is not None:
        found.setdefault(pov.id, pov)
    if not any(known.kind == "person" and known is not pov for known in found.values()):
        seen = last_active(state)
        people = [known for known in state.entities.values() if known.kind == "person"]
        for known in sorted(people, key=lambda e: (-seen[e.id], e.id))[:3]:
            found.setdefault(known.id, known)
    return list(found.values())


def open_facts(kit: Kit, book: Book, entry: OutlineEntry | None, rules: Rules, found: Extract) -> Piece:
    """Handles with names and aliases, facts of the book's own predicates, the facts of those in focus, what the entry
    touches of the bible's lines that did not fit, the story time."""
    state, budget = book.state, budget_of("open_facts", kit)
    focus = in_focus(book, entry)
    ids = frozenset(known.id for known in focus)
    pov = viewpoint(state, book.config.style.pov)
    facts = visible(facts_of(state, ids), state, pov.id if pov else "")
    own = visible((fact for fact in state.facts.values() if fact.predicate in book.config.predicates), state, "")
    tail = [clock_line(kit, state.clock)]
    questions = question_line(kit, state)
    handles = _handles(kit, [*focus, *_others(book, facts, ids)], int(budget * HANDLES))
    room = budget - size([*handles.rows, *questions, *tail]) - 1
    wanted = entry_text(entry)
    bible = touched(book, found, Wanted(wanted, focus, start_of(book)), entry.key if entry else "")
    rows = [kit.say("bible_left", text=line) for line in bible.lines]
    first = first_fitting(rows, int(room * BIBLE)).rows
    chosen, _ = fitting(kit, ranked(own, state, wanted, ids), state, rules, int(room * OWN))
    order = [fact for fact in ranked(facts, state, wanted, ids) if fact.id not in chosen]
    others, dropped = fitting(kit, order, state, rules, room - size([*first, *chosen.values()]) - 2)
    chosen |= others
    # Told by person and age, whatever order they were chosen in.
    every = {fact.id: fact for fact in (*facts, *own)}
    told = told_in_order((fact for fact in every.values() if fact.id in chosen), [known.id for known in focus])
    lines = [chosen[fact.id] for fact in told]
    about = first_fitting(rows, room - size(lines) - 1)
    over = f"{dropped} facts over the budget of {budget}" if dropped else ""
    reason = "; ".join(part for part in (handles.reason, over, left_out(bible, about)) if part)
    listed = (*handles.rows, *questions, *lines, *about.rows, *tail)
    return Piece("\n".join(listed), len(listed), handles.dropped + dropped + about.dropped, reason)


def left_out(bible: Touched, kept: Kept) -> str:
    """How many lines of the bible are in no layer, by reason."""
    over = f"{kept.dropped} lines over the room" if kept.dropped else ""
    told = "; ".join(part for part in (told_left(bible.left), over) if part)
    return f"of the bible {told}" if told else ""


def start_of(book: Book) -> str:
    """Where the viewpoint was left, an entity's id; empty: unknown."""
    pov = viewpoint(book.state, book.config.style.pov)
    held = [fact for fact in facts_of(book.state, [pov.id]) if fact.predicate == "location"] if pov else []
    return next((str(fact.object) for fact in held if pov and fact.subject == pov.id), "")


def _others(book: Book, facts: Iterable[object], focus: frozenset[str]) -> list[Entity]:
    """Everything else that may need a handle: first what the shown facts point to, then the most recently active."""
    state = book.state
    near: dict[str, Entity] = {}
    for fact in facts:
        for ref in (getattr(fact, "subject", ""), getattr(fact, "object", "")):
            if isinstance(ref, str) and ref in state.entities and ref not in focus:
                near.setdefault(ref, state.entities[ref])
    seen = last_active(state)
    rest = [known for known in state.entities.values() if known.id not in focus and known.id not in near]
    return [*near.values(), *sorted(rest, key=lambda e: (-seen[e.id], e.introduced_at, e.id))]


def _handles(kit: Kit, things: Sequence[Entity], budget: int) -> Kept:
    """As many as fit, in the order given: who is in focus is never left out before somebody else."""
    chosen: list[Entity] = []
    held = 0
    for known in things:
        cost = len(known.name) + len(known.handle) + sum(len(alias) + 1 for alias in known.aliases) + 3
        if held + cost > budget:
            break
        held += cost
        chosen.append(known)
    dropped = len(things) - len(chosen)
    reason = f"{dropped} handles over the budget of {budget}" if dropped else ""
    return Kept(tuple(handle_lines(kit, chosen)), dropped, reason)


def open_promises(kit: Kit, book: Book, entry: OutlineEntry | None) -> Piece:
    """What is due and what the entry names, then every other open promise, the soonest first, while there is room."""
    position = book.state.last_applied_chapter + 1
    rarity = rarity_of(book, public_lines(book), entry.key if entry else "")
    found = promises(book.state, rarity.reader(entry_text(entry)), position, book.config.chapters)
    return _piece(kit, first_fitting([promise_line(kit, *pair) for pair in found], budget_of("due_promises", kit)))


def last_pages(kit: Kit, book: Book) -> Piece:
    """The end of the last accepted chapter, whole paragraphs."""
    if not book.recent:
        return Piece(kit.none)
    paragraphs = [line.strip() for line in book.recent[-1].splitlines() if line.strip()]
    kept = last_fitting(paragraphs, budget_of("last_pages", kit))
    return Piece("\n\n".join(kept.rows) or kit.none, len(kept.rows), kept.dropped)
