"""The verb that shows what a chapter's prompts hold, why, and what it costs; no model is asked."""

from __future__ import annotations

import difflib

from inkos.actions.chapter_run import Bench, before, open_bench, open_run
from inkos.actions.forecast import AskForecast, foresee
from inkos.actions.table import Door, action
from inkos.cycle.chapter import ChapterState, start
from inkos.cycle.outline_plan import plan_from_outline
from inkos.errors import UsageFault
from inkos.kernel.papers import Plan
from inkos.ports import BookStore
from inkos.prompts.context import Context, Layer, looked_up
from inkos.records import Record
from inkos.runs.costs import Forecast

CALLS = 4  # of a clean chapter; all but the plan's read the looked-up rows too


class Compose(Record):
    """`chapter`: a position, null: the next. `explain`: what its plan looked up, too, what it shares with the chapter
    before it, and what the next one is likely to cost. `against`: another position to compare its layers with."""

    book: str
    chapter: int | None = None
    explain: bool = False
    against: int | None = None


class LayerDiff(Record):
    """Lines that the other chapter's layer has not, and those that it alone has."""

    name: str
    added: tuple[str, ...]
    removed: tuple[str, ...]


class Composed(Record):
    """`characters` of the layers together; `shared` of them as the chapter before it had them, null where not asked or
    there is none; `prompts`: characters of a clean chapter's calls without their tasks and texts."""

    book: str
    position: int
    layers: tuple[Layer, ...]
    characters: int
    shared: int | None = None
    prompts: int | None = None
    forecast: Forecast | None = None
    currency: str = ""
    diff: tuple[LayerDiff, ...] = ()


@action("compose", Compose, Composed, "reads")
async def compose_chapter(door: Door, command: Compose) -> Composed:
    """The context of a chapter, layer by layer, as its calls begin with it."""
    store = door.workspace.store(command.book)
    last = len(store.index().chapters) + 1
    position = command.chapter or last
    bench = _bench(door, command.book, store, position, last)
    context = bench.desk.context
    made = Composed(book=command.book, position=position, layers=context.layers, characters=len(context.prefix))
    if command.explain:
        made = await _explained(door, store, bench, made, last)
    if command.against is not None:
        other = _bench(door, command.book, store, command.against, last).desk.context
        made = made.model_copy(update={"diff": tuple(_compared(context, other))})
    return made


def _bench(door: Door, name: str, store: BookStore, position: int, last: int) -> Bench:
    if not 1 <= position <= last:
        raise UsageFault("position-unknown", where=name, chapter=position, last=last)
    book = store.read()
    return open_bench(door, name, store, book if position == last else before(door, store, book, position))


async def _explained(door: Door, store: BookStore, bench: Bench, made: Composed, last: int) -> Composed:
    context, book = bench.desk.context, bench.desk.book
    layers, prompts = made.layers, CALLS * (len(context.system) + made.characters)
    plan = _plan(store, bench, made.position, last)
    if plan is not None:
        found = looked_up(bench.desk.kit, book, plan, context, bench.desk.rules)
        layers, prompts = (*layers, found), prompts + (CALLS - 1) * len(found.text)
    shared = None
    if made.position > 1:
        earlier = _bench(door, made.book, store, made.position - 1, last).desk.context.prefix
        shared = next((n for n, (a, b) in enumerate(zip(earlier, context.prefix, strict=False)) if a != b),
                      min(len(earlier), len(context.prefix)))  # fmt: skip
    told = await foresee(door, AskForecast(book=made.book))
    return made.model_copy(
        update={"layers": layers, "shared": shared, "prompts": prompts, "forecast": told.forecast,
                "currency": told.currency}
    )  # fmt: skip


def _plan(store: BookStore, bench: Bench, position: int, last: int) -> Plan | None:
    """The plan that the chapter was written by; of the next one that of its run, else the outline as it stands."""
    if position < last:
        paper = store.chapter_file(store.index().chapters[position - 1].id, "plan.json")
        return Plan.model_validate_json(paper) if paper else None
    run = open_run(bench.runs)
    state = ChapterState.model_validate(run.machine) if run is not None else None
    if state is not None and state.plan is not None and state.position == position:
        return state.plan
    if bench.entry is None:
        return None
    return plan_from_outline(start(bench.desk, "next", bench.entry, bench.following), bench.desk)


def _compared(context: Context, other: Context) -> list[LayerDiff]:
    rows = []
    for mine, theirs in zip(context.layers, other.layers, strict=True):
        lines = list(difflib.ndiff(theirs.text.splitlines(), mine.text.splitlines()))
        added = tuple(line[2:] for line in lines if line.startswith("+ "))
        removed = tuple(line[2:] for line in lines if line.startswith("- "))
        rows.append(LayerDiff(name=mine.name, added=added, removed=removed))
    return rows
