"""The verb that looks things up: words in the prose, a name with all its aliases, what the state says of it."""

from __future__ import annotations

from typing import Literal

from inkos.actions.table import Door, action
from inkos.kernel.story import Fact, StoryState
from inkos.kernel.views import entity, fact_line, facts_of
from inkos.records import Record
from inkos.text.quotes import Haystack

AROUND = 40  # characters shown on either side of a hit


class Find(Record):
    """`text`: words, or a name, alias, handle or id of somebody known: then all their names are looked for."""

    book: str
    text: str
    most: int = 200


class Hit(Record):
    """One place in the prose: `start` is the offset in the chapter's prose, `before` and `after` what stands around."""

    position: int
    title: str
    start: int
    before: str
    words: str
    after: str


class Known(Record):
    """One thing that the state says. `since` and `until` are positions; `until` null: it holds now."""

    kind: Literal["entity", "fact", "past", "promise", "summary"]
    line: str
    since: int
    until: int | None = None


class Found(Record):
    """`count`: hits in the prose in all, of which at most `most` are listed. `unread`: chapters whose file cannot be
    read."""

    book: str
    names: tuple[str, ...]
    hits: tuple[Hit, ...]
    count: int
    known: tuple[Known, ...]
    unread: tuple[int, ...] = ()


@action("find", Find, Found, "reads")
async def find(door: Door, command: Find) -> Found:
    store = door.workspace.store(command.book)
    book = store.read(recent=0)
    who = entity(book.state, command.text)
    names = tuple(dict.fromkeys((who.name, *who.aliases))) if who else (command.text,)
    gone = {problem.path for problem in store.problems() if problem.kind in ("missing", "empty", "unreadable")}
    hits: list[Hit] = []
    unread: list[int] = []
    for position, row in enumerate(book.index.chapters, 1):
        if row.file in gone:
            unread.append(position)
            continue
        hits += _hits(store.text(row.id), names, position, row.title)
    past = tuple(fact for history in store.histories() for fact in history.closed)
    known = _known(book.state, past, who.id if who else None, names)
    return Found(book=command.book, names=names, hits=tuple(hits[: command.most]), count=len(hits), known=known,
                 unread=tuple(unread))  # fmt: skip


def _hits(text: str, names: tuple[str, ...], position: int, title: str) -> list[Hit]:
    haystack = Haystack(text)
    spans = sorted({span for name in names for span in haystack.find(name)})
    # An alias inside a longer name is the same place.
    outer = [s for s in spans if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in spans)]
    return [
        Hit(position=position, title=title, start=start, before=text[max(0, start - AROUND) : start],
            words=text[start:end], after=text[end : end + AROUND])
        for start, end in outer
    ]  # fmt: skip


def _known(
    state: StoryState, past: tuple[Fact, ...], who: str | None, names: tuple[str, ...]
) -> tuple[Known, ...]:
    def speaks(line: str) -> bool:
        return any(name.casefold() in line.casefold() for name in names)

    def about(fact: Fact) -> bool:
        return who in (fact.subject, fact.object) if who else speaks(fact_line(fact, state))

    found = [
        Known(kind="entity", line=f"{e.handle} {' / '.join((e.name, *e.aliases))} ({e.kind}) {e.note}".strip(),
              since=e.introduced_at)
        for e in state.entities.values() if e.id == who or (who is None and speaks(" ".join((e.name, *e.aliases))))
    ]  # fmt: skip
    open_facts = facts_of(state, [who]) if who else [fact for fact in state.facts.values() if about(fact)]
    found += [Known(kind="fact", line=fact_line(f, state), since=f.valid_from_chapter) for f in open_facts]
    found += [Known(kind="past", line=fact_line(f, state), since=f.valid_from_chapter, until=f.valid_until_chapter)
              for f in past if about(f)]  # fmt: skip
    found += [Known(kind="promise", line=f"{h.handle} ({h.status}) {h.core}", since=h.start_chapter)
              for h in state.hooks.values() if speaks(h.core)]  # fmt: skip
    found += [Known(kind="summary", line=row.text, since=row.chapter) for row in state.summaries if speaks(row.text)]
    return tuple(found)
