"""State files that somebody edited: noticed by digest, held to the rules, adopted as author's deltas; knows no verbs.

An author's delta lies beside the delta of the chapter after which it was adopted, `author-1.json`, `author-2.json` …,
and is replayed there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from inkos.adapters.file_set import View
from inkos.adapters.names import check_artefact
from inkos.adapters.package_data import rule_packs
from inkos.adapters.state_files import STATE_FILES, Order, load_record
from inkos.config import BookConfig
from inkos.errors import InkosError
from inkos.kernel.adoption import faults
from inkos.kernel.delta import Delta
from inkos.kernel.reduce import apply
from inkos.kernel.rules import Rules
from inkos.kernel.story import History, StoryState
from inkos.records import digest


def author_path(chapter: str, number: int) -> str:
    return f"story/chapters/{check_artefact(chapter)}/author-{number}.json"


def author_deltas(view: View, chapter: str, order: Order, where: Callable[[str], str]) -> tuple[Delta, ...]:
    """What the author adopted after a chapter, in the order of adoption."""
    found: list[Delta] = []
    while True:
        path = author_path(chapter, len(found) + 1)
        content = view.read_if_there(path)
        if content is None:
            return tuple(found)
        found.append(load_record(Delta, content, where(path), order.context))


def edited_file(view: View) -> str:
    """The first file of the state that is not as the program left it, or ""."""
    digests = view.revision.digests
    return next((path for path in STATE_FILES if digests.get(path) not in (None, digest(view.read(path)))), "")


def rules_of(config: BookConfig) -> Rules:
    packs = rule_packs()
    chosen = [packs["general"], *([packs[config.genre]] if config.genre in packs and config.genre != "general" else [])]
    return Rules.build(chosen, config)


def look(view: View, state: StoryState, last: Callable[[], StoryState]) -> tuple[str, StoryState | None]:
    """The file of the state that was edited ("" when none, or when only its layout is another), and the state as the
    program left it (null where its snapshot cannot be read)."""
    path = edited_file(view)
    if not path:
        return "", None
    try:
        known: StoryState | None = last()
    except InkosError:
        known = None
    return "" if known == state else path, known


def refuse_faults(known: StoryState | None, state: StoryState, config: BookConfig, where: str) -> None:
    """InkosError `state-refused` naming the first thing that cannot stand in the edited state."""
    found = faults(known, state, rules_of(config))
    if found:
        first = found[0]
        told = {"expected": first.expected, "actual": first.actual}
        raise InkosError("state-refused", where=where, place=first.path, finding=first.code, **told)


def again(
    state: StoryState, history: History, deltas: Iterable[Delta], config: BookConfig
) -> tuple[StoryState, History]:
    """The author's deltas laid over a chapter that was settled again. One that no longer holds is suspended: it stays
    where it lies, and `state check` says so."""
    for delta in deltas:
        done = apply(state, delta.model_copy(update={"position": state.last_applied_chapter}), "", rules_of(config))
        if done.state is not None and done.history is not None:
            state, history = done.state, joined(history, done.history)
    return state, history


def joined(told: History | None, more: History) -> History:
    """One chapter's history with what was laid to rest after it."""
    if told is None:
        return more
    return told.model_copy(update={"closed": (*told.closed, *more.closed), "events": (*told.events, *more.events)})
