"""Small stories of any length for tests of the store: states, histories and deltas without a reducer."""

from __future__ import annotations

from inkos.config import BookConfig
from inkos.kernel.book import ChapterEntry, Index
from inkos.kernel.delta import Delta, FactChange
from inkos.kernel.story import (
    AuthorTruth,
    Belief,
    Entity,
    Event,
    Evidence,
    Fact,
    History,
    Hook,
    StoryClock,
    StoryState,
    SummaryRow,
)
from inkos.ports import Accepted

BOOK = "salt"
FILES = {
    "intent.md": "Where it goes.\n",
    "focus.md": "The next three.\n",
    "outline.md": "# Outline\n\n## One\n\n### The quay {#quay}\n\n- she arrives\n- she stays\n",
    "bible/cast.md": "# Cast\n\nMara keeps the light.\n",
    "bible/voices.md": "# Voices\n\n## Mara\n\n- “Not tonight.”\n- “Count it again.”\n",
    "prompts/draft.md": "Short sentences.\n",
}


def config(**changes: object) -> BookConfig:
    return BookConfig.model_validate({"id": BOOK, "title": "Salt", "language": "en", **changes})


def chapter_id(position: int) -> str:
    return f"c{position:04d}"


def genesis() -> tuple[StoryState, Delta, History]:
    mara = Entity(id="genesis.p1", handle="p1", kind="person", name="Mara", evidence=quote("Mara keeps the light."))
    truth = AuthorTruth(id="genesis.s1", handle="s1", question="Who lit it?", truth="Her father did.")
    state = StoryState(
        book_id=BOOK,
        language="en",
        entities={mara.id: mara},
        truths={truth.id: truth},
        beliefs=(Belief(holder="genesis.p1", text="the keeper drowned"),),
        clock=StoryClock(day=1, label="first evening"),
    )
    return state, Delta(kind="genesis", chapter="genesis", position=0, entities=(mara,)), History(chapter=0)


def quote(text: str) -> Evidence:
    return Evidence(quote=text, source="bible/cast.md", start=0, end=len(text))


def prose(position: int) -> str:
    return f"Mara counted the {position} boats.\n\n“Not tonight,” she said, and closed gate {position}."


def following(state: StoryState, *, new: int = 3) -> tuple[StoryState, Delta, History]:
    """The next chapter: it moves Mara, opens `new` facts that stay, meets somebody, advances one promise."""
    at = state.last_applied_chapter + 1
    name = chapter_id(at)
    evidence = Evidence(quote=f"Mara counted the {at} boats.", chapter=at, start=0, end=20)
    place = Fact(
        id=f"{name}.f1",
        handle=f"f{at}",
        subject="genesis.p1",
        predicate="location",
        object=f"gate {at}",
        valid_from_chapter=at,
        source_chapter=at,
        evidence=evidence,
    )
    stay = {
        f"{name}.f{number}": place.model_copy(update={"id": f"{name}.f{number}", "predicate": f"knows-{number}"})
        for number in range(2, 2 + new)
    }
    moved = next((fact for fact in state.facts.values() if fact.predicate == "location"), None)
    facts = {key: fact for key, fact in state.facts.items() if fact is not moved} | {place.id: place} | stay
    closed = (moved.model_copy(update={"valid_until_chapter": at}),) if moved else ()
    person = Entity(id=f"{name}.p1", handle=f"p{at + 1}", kind="person", name=f"Keeper {at}", introduced_at=at)
    hook = Hook(id=f"{name}.h1", start_chapter=at, last_advanced_chapter=at, core=f"promise {at}")
    hooks = dict(state.hooks) | {hook.id: hook}
    advanced = next(iter(state.hooks), None)
    if advanced is not None:
        hooks[advanced] = hooks[advanced].model_copy(update={"last_advanced_chapter": at, "status": "progressing"})
    after = state.model_copy(
        update={
            "last_applied_chapter": at,
            "clock": StoryClock(day=at),
            "entities": {**state.entities, person.id: person},
            "facts": facts,
            "hooks": hooks,
            "summaries": (*state.summaries, SummaryRow(chapter=at, title=f"Gate {at}", day=at, text="She counts.")),
        }
    )
    event = Event(id=f"{name}.e1", type="travel", subject="genesis.p1", object=f"gate {at}", chapter=at)
    delta = Delta(
        chapter=name,
        position=at,
        title=f"Gate {at}",
        facts=(FactChange(id=place.id, subject="genesis.p1", predicate="location", object=f"gate {at}"),),
        summary="She counts.",
    )
    return after, delta, History(chapter=at, closed=closed, events=(event,))


def accepted(index: Index, state: StoryState, **changes: object) -> Accepted:
    """What accepting the chapter after `state` hands to the store."""
    after, delta, history = following(state)
    at = after.last_applied_chapter
    entry = ChapterEntry(
        id=chapter_id(at),
        title=f"Gate {at}",
        status="accepted",
        file=f"chapters/{at:04d}.md",
        text_digest="",
        words=12,
    )
    grown = index.model_copy(update={"chapters": (*index.chapters, entry), "minted": {**index.minted, "chapter": at}})
    values: dict[str, object] = {
        "entry": entry,
        "text": prose(at),
        "delta": delta,
        "state": after,
        "history": history,
        "index": grown,
        "papers": {f"story/chapters/{entry.id}/plan.json": b'{"plan": true}\n'},
        "run": (f"run-{at:04d}", b'{"status": "completed"}\n'),
    }
    return Accepted.model_validate({**values, **changes})
