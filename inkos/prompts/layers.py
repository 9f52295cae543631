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
from inkos.prompts.budget import Kept, fair_shares, first_fitting, halved, last_fitting, size
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
from inkos.prompts.relevance import entry_text, last_active, mentioned, viewpoint

# First budgets in characters (design/prompts.md §3), a starting point for rows 5 and 6 of design/bars.md.
BUDGETS: dict[str, dict[str, int]] = {
    "rules_and_style": {"zh": 900, "en": 2900},
    "bible": {"zh": 1700, "en": 5500},
    "arc_summaries": {"zh": 600, "en": 2000},
    "chapter_summaries": {"zh": 900, "en": 2900},
    "open_facts": {"zh": 1100, "en": 3600},
    # More than the design began with: every open promise that nobody shows is planted a second time by whoever settles.
    "due_promises": {"zh": 700, "en": 2200},
    "last_pages": {"zh": 500, "en": 1600},
    # More than the design began with: what a founded bible leaves out of its layer is looked up here, person by person.
    "looked_up_facts": {"zh": 450, "en": 1500},
    "plan": {"zh": 550, "en": 1800},
}
LAYERS = tuple(BUDGETS)[:7]
# Share of the open facts' budget that the list of handles may take.
HANDLES = 0.35
# Files and sections of the bible that only the author reads: voices go to the draft, truths to plan and audit.
_PRIVATE = r"voices?|secrets?|truths?|beliefs?|promises|声口|秘密|真相|错信|误以为|伏笔"
_PRIVATE_FILE = re.compile(rf"(?:^|[/_-])(?:{_PRIVATE}|author|作者)(?:\.\w+)?$", re.IGNORECASE)
_PRIVATE_HEADING = re.compile(rf"^(?:(?:for the author|作者才看).*|(?:{_PRIVATE})\W*)$", re.IGNORECASE)
_HEADING = re.compile(r"^(#{1,6})\s+(.*)$")
# Other names stand beside the handles, once.
_ALIASES = re.compile(r"^\s*[-*+]\s*\**(?:别名|又名|外号|aliases|also called|also known as)\**\s*[:：]", re.IGNORECASE)


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


def public_bible(book: Book) -> list[tuple[str, list[str]]]:
    """The bible's files without what only the author reads, each as its lines that say something."""
    files = []
    for path, text in book.bible:
        if not _PRIVATE_FILE.search(path):
            files.append((path, _public_lines(text)))
    return files


def _public_lines(text: str) -> list[str]:
    lines: list[str] = []
    private = 0  # the level of the private heading that we are under
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            level = len(heading[1])
            if private and level > private:
                continue
            private = level if _PRIVATE_HEADING.match(heading[2].strip()) else 0
            if private:
                continue
            line = f"{'#' * min(level + 1, 4)} {heading[2].strip()}"
        if not private and line.strip() and not _ALIASES.match(line):
            lines.append(line.rstrip())
    return lines


class Section(NamedTuple):
    """A heading of the bible with the lines below it; `heading` empty: lines before the first heading of a file."""

    heading: str
    lines: tuple[str, ...]

    @property
    def level(self) -> int:
        return len(self.heading) - len(self.heading.lstrip("#"))

    @property
    def name(self) -> str:
        return self.heading.lstrip("# ")


def bible_parts(kit: Kit, book: Book, focus: Sequence[Entity] = ()) -> tuple[list[str], list[str]]:
    """Lines of the bible that fit, and those that do not, each with its heading. Each file has a fair share of the room
    and keeps the first lines of all its sections alike, those of `focus` before the others; a heading stays only with a
    line of its own. The cut depends on the bible and on whom the chapter names: a chapter's calls share it."""
    files = [_sections(lines) for _, lines in public_bible(book) if lines]
    wanted = [sum(len(part.heading) + 1 + size(part.lines) + 1 for part in sections) for sections in files]
    taken: list[str] = []
    left: list[str] = []
    for sections, share in zip(files, fair_shares(wanted, budget_of("bible", kit)), strict=True):
        kept = _kept_lines(sections, share, focus)
        for number, section in enumerate(sections):
            if _stands(sections, kept, number):
                taken += [row for row in (section.heading, *section.lines[: kept[number]]) if row]
            cut = [line.lstrip("-* ") for line in section.lines[kept[number] :]]
            left += [f"{section.name} — {line}" if section.heading else line for line in cut]
    return taken, left


def _sections(lines: Sequence[str]) -> list[Section]:
    """A heading with the lines below it, in order."""
    sections: list[Section] = []
    for line in lines:
        if line.startswith("#"):
            sections.append(Section(line, ()))
        else:
            last = sections.pop() if sections else Section("", ())
            sections.append(Section(last.heading, (*last.lines, line)))
    return sections


def _below(sections: Sequence[Section], number: int) -> list[int]:
    """Numbers of the sections under a heading that has headings below it."""
    found = []
    for other in range(number + 1, len(sections)):
        if sections[other].level <= sections[number].level:
            break
        found.append(other)
    return found


def _stands(sections: Sequence[Section], kept: Sequence[int], number: int) -> bool:
    """Whether a section is shown: a line of it is, or something under its heading; a bare name stands for itself."""
    below = _below(sections, number)
    return bool(kept[number] or any(kept[n] for n in below) or not (below or sections[number].lines))


def _kept_lines(sections: Sequence[Section], room: int, focus: Sequence[Entity]) -> list[int]:
    """How many lines each section keeps: the first of each, then the second of each …, while there is room; the first
    one brings its heading."""
    kept = [0] * len(sections)
    named = [bool(mentioned(focus, section.name)) for section in sections]
    order = sorted(range(len(sections)), key=lambda number: not named[number])
    room -= sum(len(part.heading) + 1 for part in sections if not part.lines)
    for depth in range(max(len(section.lines) for section in sections)):
        for number in order:
            section = sections[number]
            if kept[number] != depth or depth >= len(section.lines):
                continue
            cost = len(section.lines[depth]) + (len(section.heading) + 1 if depth == 0 else 0)
            if cost < room:
                kept[number] = depth + 1
                room -= cost + 1
    return kept


def bible_about(kit: Kit, left: Sequence[str], things: Sequence[Entity]) -> list[str]:
    """Of the lines that the bible's layer left out those that are about these, first those under their own headings."""
    about = [line for line in left if mentioned(things, line)]
    about.sort(key=lambda line: not mentioned(things, line.partition(" — ")[0]))
    return [kit.say("bible_left", text=line) for line in about]


def bible_left(kit: Kit, book: Book, shown: str) -> list[str]:
    """The bible's lines that a layer made of it does not show, each with its heading."""
    there = set(shown.splitlines())
    return [
        f"{section.name} — {line.lstrip('-* ')}" if section.heading else line.lstrip("-* ")
        for _, lines in public_bible(book)
        for section in _sections(lines)
        for line in section.lines
        if line not in there
    ]


def bible(kit: Kit, book: Book, entry: OutlineEntry | None) -> Piece:
    taken, left = bible_parts(kit, book, in_focus(book, entry))
    reason = f"{len(left)} lines over the budget of {budget_of('bible', kit)}; looked up by name" if left else ""
    return _piece(kit, Kept(tuple(taken), len(left), reason))


def arc_summaries(kit: Kit, book: Book) -> Piece:
    """A paragraph a closed volume, made of the outline's goal and loss and the volume's last summary; a line for the
    open one. A volume is open while an entry of it has not been used."""
    rows = []
    done = [entry.outline_key for entry in book.index.chapters]
    volume_of = {entry.key: entry.volume for entry in book.outline.entries}
    last: dict[str, SummaryRow] = {}
    for row in book.state.summaries:
        key = done[row.chapter - 1] if 0 < row.chapter <= len(done) else ""
        if volume_of.get(key):
            last[volume_of[key]] = row
    left = {entry.volume for entry in book.outline.entries if entry.key not in set(done)}
    for volume in book.outline.volumes:
        if volume.title in last and volume.title not in left:
            rows.append(_closed(kit, volume, last[volume.title]))
        elif volume.title in left:
            goal = volume.goal or volume.title
            rows.append(kit.say("arc.open", title=volume.title, goal=kit.say("arc.goal", text=goal.rstrip("。."))))
            break
    return _piece(kit, halved(rows, budget_of("arc_summaries", kit)))


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
    found = {known.id: known for known in mentioned(state.entities.values(), entry_text(entry))}
    pov = viewpoint(state, book.config.style.pov)
    if pov is not None:
        found.setdefault(pov.id, pov)
    if not any(known.kind == "person" and known is not pov for known in found.values()):
        seen = last_active(state)
        people = [known for known in state.entities.values() if known.kind == "person"]
        for known in sorted(people, key=lambda e: (-seen[e.id], e.id))[:3]:
            found.setdefault(known.id, known)
    return list(found.values())


def open_facts(kit: Kit, book: Book, entry: OutlineEntry | None, rules: Rules) -> Piece:
    """Handles with names and aliases, the facts of those in focus, what the bible's layer left out about them where
    there is room, the story time."""
    state, budget = book.state, budget_of("open_facts", kit)
    focus = in_focus(book, entry)
    ids = frozenset(known.id for known in focus)
    pov = viewpoint(state, book.config.style.pov)
    facts = visible(facts_of(state, ids), state, pov.id if pov else "")
    order = ranked(facts, state, entry_text(entry), ids)
    tail = [clock_line(kit, state.clock)]
    questions = question_line(kit, state)
    handles = _handles(kit, [*focus, *_others(book, facts, ids)], int(budget * HANDLES))
    room = budget - size([*handles.rows, *questions, *tail]) - 1
    chosen, dropped = fitting(kit, order, state, rules, room)
    # Told by person and age, whatever order they were chosen in.
    told = told_in_order((fact for fact in facts if fact.id in chosen), [known.id for known in focus])
    lines = [chosen[fact.id] for fact in told]
    about = bible_about(kit, bible_parts(kit, book, focus)[1], focus)
    more = first_fitting(about, room - size(lines) - 1).rows
    over = f"{dropped} facts over the budget of {budget}" if dropped else ""
    reason = "; ".join(part for part in (handles.reason, over) if part)
    rows = (*handles.rows, *questions, *lines, *more, *tail)
    return Piece("\n".join(rows), len(rows), handles.dropped + dropped, reason)


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
    found = promises(book.state, entry_text(entry), position, book.config.chapters)
    return _piece(kit, first_fitting([promise_line(kit, *pair) for pair in found], budget_of("due_promises", kit)))


def last_pages(kit: Kit, book: Book) -> Piece:
    """The end of the last accepted chapter, whole paragraphs."""
    if not book.recent:
        return Piece(kit.none)
    paragraphs = [line.strip() for line in book.recent[-1].splitlines() if line.strip()]
    kept = last_fitting(paragraphs, budget_of("last_pages", kit))
    return Piece("\n\n".join(kept.rows) or kit.none, len(kept.rows), kept.dropped)
