"""A plan made without a model: from the outline as it stands, or read off a text that is there already."""

from __future__ import annotations

from inkos.cycle.chapter import ChapterState, Desk
from inkos.kernel.book import Book
from inkos.kernel.papers import Beat, CastMember, EndKind, Plan, PlanTime
from inkos.kernel.views import entity


def plan_from_outline(state: ChapterState, desk: Desk) -> Plan:
    """One beat for each beat of the entry, the words shared evenly; cast and places are those the entry names."""
    book, entry = desk.book, state.entry
    texts = [beat.text for beat in entry.beats] or [entry.title]
    said = " ".join([entry.title, *texts])
    known = [e for e in book.state.entities.values() if any(name and name in said for name in (e.name, *e.aliases))]
    people = [e.id for e in known if e.kind == "person"]
    pov = entity(book.state, entry.pov or book.config.style.pov)
    pov_id = pov.id if pov else (people[0] if people else "")
    share = state.to_ask // len(texts)
    beats = tuple(
        Beat(
            handle=f"b{n}",
            outline=(entry.beats[n - 1].key,) if entry.beats else (),
            link=None if n == 1 else "so",
            wants=text,
            words=share if n < len(texts) else state.to_ask - share * (len(texts) - 1),
        )
        for n, text in enumerate(texts, 1)
    )
    clock = book.state.clock
    kinds: tuple[EndKind, ...] = ("danger", "half_reveal", "choice", "arrival", "countermove", "countdown", "result")
    return Plan(
        title=entry.title,
        outline_key=entry.key,
        pov=pov_id,
        cast=tuple(CastMember(who=who) for who in dict.fromkeys([pov_id, *people]) if who),
        places=tuple(e.id for e in known if e.kind == "place"),
        starts=PlanTime(day=clock.day, label=clock.label),
        ends=PlanTime(day=clock.day),
        change=entry.function,
        beats=beats,
        promises=(),
        end=texts[-1],
        end_kind=next((kind for kind in kinds if kind == entry.end_kind), "result"),
        target=state.to_ask,
        goal=state.target,
    )


def plan_from_text(book: Book, title: str, text: str, target: int) -> Plan:
    """The plan of a chapter that nobody planned: who and what of the book its text names, in the order of the names."""
    found = [(min(at), e) for e in book.state.entities.values() if (at := [
        text.find(name) for name in (e.name, *e.aliases) if name and name in text])]  # fmt: skip
    known = [e for _, e in sorted(found, key=lambda row: (row[0], row[1].id))]
    people = [e.id for e in known if e.kind == "person"]
    everybody = [e.id for e in book.state.entities.values() if e.kind == "person"]
    pov = entity(book.state, book.config.style.pov)
    pov_id = pov.id if pov else next(iter((*people, *everybody)), "")
    clock = book.state.clock
    return Plan(
        title=title,
        pov=pov_id,
        cast=tuple(CastMember(who=who) for who in dict.fromkeys([pov_id, *people]) if who),
        places=tuple(e.id for e in known if e.kind == "place"),
        starts=PlanTime(day=clock.day, label=clock.label),
        ends=PlanTime(day=clock.day),
        beats=(Beat(handle="b1", wants=title, words=target),),
        end=title,
        target=target,
    )
