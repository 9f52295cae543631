"""Where a chapter stands in its book, for the checks that ask: promises, functions, viewpoint, figures; judges none."""

from __future__ import annotations

from collections.abc import Iterable

from inkos.cycle.chapter import ChapterState, Desk
from inkos.gates.check import Figure, StoryView
from inkos.gates.plan import told_from
from inkos.kernel.book import Book
from inkos.kernel.delta import Delta
from inkos.kernel.story import StoryState
from inkos.kernel.views import hooks_due
from inkos.text.blocks import entries

MOVES = frozenset({"upsert", "resolve", "defer", "abandon"})  # a mention moves nothing


def story_view(
    desk: Desk, state: ChapterState, text: str, delta: Delta | None, after: StoryState | None
) -> StoryView:
    """`after`: the state with the delta applied dry, where it could be. Figures serve panels only."""
    book = desk.book
    functions = {entry.key: entry.function for entry in book.outline.entries}
    ops = delta.hook_ops if delta else ()
    return StoryView(
        position=state.position,
        pov=_pov(desk, state),
        functions=tuple(functions.get(chapter.outline_key, "") for chapter in book.index.chapters[-5:]),
        due=tuple((hook.id, hook.core) for hook in hooks_due(book.state, state.position, book.config.chapters)),
        moved=tuple(op.hook for op in ops if op.op in MOVES) if delta else None,
        resolved=tuple(op.hook for op in ops if op.op == "resolve"),
        since_payoff=_since_payoff(book.state, state.position),
        given_pov="" if state.plan is None or told_from(state.plan.pov, state.entry, book.state) else state.entry.pov,
        goal=next((v.goal for v in book.outline.volumes if v.title == state.entry.volume), ""),
        told=_told(book, state, delta.summary) if delta else None,
        figures=figures(desk, state, [book.state, *([after] if after else [])]) if entries(text) else (),
    )


def _pov(desk: Desk, state: ChapterState) -> tuple[str, ...]:
    """The names of the viewpoint; of somebody new, as the plan has it."""
    wanted = state.plan.pov if state.plan else ""
    known = desk.book.state.entities.get(wanted)
    return (known.name, *known.aliases) if known else ()


def _told(book: Book, state: ChapterState, summary: str) -> tuple[str, ...]:
    """What the chapters of this volume came to, newest last."""
    volume = {entry.key for entry in book.outline.entries if entry.volume == state.entry.volume}
    own = {n for n, chapter in enumerate(book.index.chapters, 1) if chapter.outline_key in volume}
    return (*(row.text for row in book.state.summaries if row.chapter in own), summary)


def _since_payoff(state: StoryState, position: int) -> int | None:
    paid = [hook.last_advanced_chapter for hook in state.hooks.values() if hook.status == "resolved"]
    return position - 1 - max(paid) if paid else None


def figures(desk: Desk, state: ChapterState, states: Iterable[StoryState]) -> tuple[Figure, ...]:
    """The numbers of the viewpoint's open facts under all names of their predicates; of everybody's, where the
    viewpoint is unknown. A panel is most often the lead's own."""
    pov = state.plan.pov if state.plan else ""
    values: dict[str, set[float]] = {}
    for one in states:
        for fact in one.facts.values():
            if fact.valid_until_chapter is not None or (pov in one.entities and fact.subject != pov):
                continue
            if isinstance(fact.object, int | float) and not isinstance(fact.object, bool):
                values.setdefault(fact.predicate, set()).add(float(fact.object))
    found = []
    for name, held in values.items():
        predicate = desk.rules.predicates.get(name)
        words = [word for words in predicate.aliases.values() for word in words] if predicate else []
        found.append(Figure(labels=(name, *words), values=tuple(sorted(held))))
    return tuple(found)
