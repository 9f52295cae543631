"""The shared context of one chapter: system message and seven layers; does not know roles or tasks."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from inkos.kernel.book import Book
from inkos.kernel.papers import OutlineEntry, Plan
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity
from inkos.kernel.views import fact_line, facts_of, last_seen
from inkos.prompts import layers
from inkos.prompts.bible import Wanted, extract, touched
from inkos.prompts.budget import first_fitting, size
from inkos.prompts.facts import fitting, handle_lines, ranked, visible
from inkos.prompts.kit import Kit
from inkos.prompts.recall import Ask, Said, distinct, recalled
from inkos.prompts.relevance import plan_text, planned
from inkos.records import Record, digest

SAID = 0.35  # share of the looked-up rows' room for what earlier chapters said
MOST_SAID = 20  # rows of earlier chapters that are ranked for it
LEFT, SHOWN = 6, 90  # rows of a kind that a trace names, and characters of each


class Layer(Record):
    """`budget` in characters; `taken` and `dropped` count rows; `reason` says why something was left out, `left` shows
    the first of those rows, the most needed first."""

    name: str
    text: str
    budget: int
    taken: int = 0
    dropped: int = 0
    reason: str = ""
    left: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        return digest(self.text)


class Context(Record):
    """What every call of a chapter begins with, byte for byte: `system` is a message, `prefix` opens the next one.
    `ask` finds what the book said long ago (prompts/recall.py); null where no index of it is at hand."""

    system: str
    prefix: str
    layers: tuple[Layer, ...]
    ask: Ask | None = Field(default=None, exclude=True, repr=False)

    @property
    def digest(self) -> str:
        return digest(f"{self.system}\0{self.prefix}")


def system_message(kit: Kit, title: str) -> str:
    return kit.render("system", title=title, language=kit.say("language"))


def compose(
    kit: Kit, book: Book, entry: OutlineEntry | None, rules: Rules, ask: Ask | None = None
) -> Context:
    """The layers for the next chapter, from stable to changing. `entry` null: the outline does not reach it."""
    found = extract(book, layers.budget_of("bible", kit))
    pieces = {
        "rules_and_style": layers.rules_and_style(kit, book),
        "bible": layers.bible(kit, found),
        "arc_summaries": layers.arc_summaries(kit, book),
        "chapter_summaries": layers.chapter_summaries(kit, book),
        "open_facts": layers.open_facts(kit, book, entry, rules, found),
        "due_promises": layers.open_promises(kit, book, entry),
        "last_pages": layers.last_pages(kit, book),
    }
    made = tuple(Layer(name=name, budget=layers.budget_of(name, kit), **p._asdict()) for name, p in pieces.items())
    return Context(
        system=system_message(kit, book.config.title),
        prefix=kit.render("layers", **{layer.name: layer.text for layer in made}),
        layers=made,
        ask=ask,
    )


def look_up(kit: Kit, book: Book, plan: Plan, context: Context, rules: Rules) -> str:
    return looked_up(kit, book, plan, context, rules).text


def looked_up(kit: Kit, book: Book, plan: Plan, context: Context, rules: Rules) -> Layer:
    """What the plan needs and the layers do not have: facts of cast and places that it added, when each returning
    person was last seen, lines of the bible that did not fit and that it touches."""
    state = book.state
    things = planned(state, plan)
    shown = "\n".join(layer.text for layer in context.layers if layer.name == "open_facts")
    ids = frozenset(known.id for known in things)
    text = plan_text(plan)
    order = ranked(visible(facts_of(state, ids), state, plan.pov), state, text, ids)
    budget = layers.budget_of("looked_up_facts", kit)
    first = first_fitting([*_unseen(kit, things, shown), *_last_seen(kit, book, things)], budget).rows
    room = budget - size(first) - 1
    wanted = Wanted(text, things, layers.start_of(book), settled=bool(plan.places))
    held = extract(book, layers.budget_of("bible", kit))
    held = held._replace(left=[line for line in held.left if line.shown not in shown])
    bible = touched(book, held, wanted, plan.outline_key)
    rows = [kit.say("bible_left", text=line) for line in bible.lines]
    found = distinct(recalled(state, plan, context.ask), context.prefix, MOST_SAID) if context.ask else []
    said = [said_line(kit, book, row.said) for row in found]
    past = first_fitting(said, int(room * SAID))
    room -= size(past.rows) + 1
    # Half for facts and half for the bible's lines, and all of it where the other has nothing.
    told, _ = fitting(kit, order, state, rules, room // 2, shown)
    lines = first_fitting(rows, room - size(list(told.values())) - 1)
    seen = "\n".join([shown, *told.values(), *past.rows])
    more, dropped = fitting(kit, order, state, rules, room - size([*told.values(), *lines.rows]) - 2, seen)
    listed = [*first, *told.values(), *more.values(), *lines.rows, *past.rows]
    over = f"{dropped} facts over the budget of {budget}" if dropped else ""
    unsaid = f"{n} rows of earlier chapters over their share" if (n := len(said) - len(past.rows)) else ""
    reason = "; ".join(part for part in (over, unsaid, layers.left_out(bible, lines)) if part)
    chosen = {*told, *more}
    missed = [fact_line(fact, state) for fact in order if fact.id not in chosen]
    left = ranks(missed) + ranks([row for row in said if row not in past.rows]) + ranks(
        [row for row in rows if row not in lines.rows])  # fmt: skip
    return Layer(name="looked_up_facts", text="\n".join(listed) or kit.none, budget=budget, taken=len(listed),
                 dropped=dropped + lines.dropped + len(said) - len(past.rows), reason=reason, left=left)  # fmt: skip


def ranks(rows: Sequence[str]) -> tuple[str, ...]:
    """The first rows that did not fit, each with its rank among them."""
    return tuple(f"{rank}. {row[:SHOWN]}" for rank, row in enumerate(rows[:LEFT], 1))


def said_line(kit: Kit, book: Book, row: Said) -> str:
    chapters = book.index.chapters
    title = chapters[row.chapter - 1].title if row.chapter <= len(chapters) else ""
    return kit.say("said_summary" if row.kind == "summary" else "said", title=title, text=row.text.strip())


def _unseen(kit: Kit, things: list[Entity], shown: str) -> list[str]:
    """Handles of planned things that the layers do not name."""
    missing = [known for known in things if known.handle and f"{known.handle} {known.name}" not in shown]
    return [line for known in missing for line in handle_lines(kit, [known])]


def _last_seen(kit: Kit, book: Book, things: list[Entity]) -> list[str]:
    """Where a person who comes back after more than ten chapters was when last seen: that chapter's summary."""
    state = book.state
    rows = []
    for known in things:
        seen = last_seen(state, known.id)
        if known.kind != "person" or not seen or state.last_applied_chapter - seen < 10:
            continue
        for row in state.summaries:
            if row.chapter == seen:
                rows.append(kit.say("seen", name=known.name, title=row.title, text=row.text))
    return rows

