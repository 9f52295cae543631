"""What an acceptance makes true: the entry in the index, the state after the chapter, the papers; writes nothing."""

from __future__ import annotations

from dataclasses import dataclass

from inkos.cycle.assess import length_of
from inkos.cycle.chapter import ChapterState, Desk
from inkos.kernel.book import ChapterEntry, Index
from inkos.kernel.delta import Delta
from inkos.kernel.ids import mint
from inkos.kernel.papers import Version
from inkos.kernel.reduce import apply
from inkos.kernel.story import History, StoryState
from inkos.prompts.context import Context
from inkos.records import digest, dump


@dataclass(frozen=True)
class Acceptance:
    """Everything of one accepted chapter. `text` is the prose; `papers` go beside the delta (name → bytes). The store
    sets the digest of the chapter's file."""

    entry: ChapterEntry
    text: str
    delta: Delta
    state: StoryState
    history: History
    index: Index
    papers: dict[str, bytes]


def chapter_file(number: int) -> str:
    return f"chapters/{number:04d}.md"


def accept(state: ChapterState, desk: Desk, run: str, at: str, file: str = "") -> Acceptance:
    """The best version becomes canon. Its delta was judged dry; applied for good it must hold, else it is a bug.

    `at`: ISO 8601 time in UTC; `file`: where the chapter's text stands already, if it does.
    """
    best = state.version(state.best)
    assert best.assessment is not None and best.assessment.delta is not None and state.plan is not None
    judged = best.assessment.delta.model_copy(
        update={
            "outline_key": state.entry.key,
            "title": state.plan.title,
            "waivers": state.waivers,
            "text_digest": digest(best.text),
            "rules_digest": desk.rules.digest,
        }
    )
    index = desk.book.index
    delta, minted = mint(judged, index.minted)
    minted = {**minted, "chapter": max(minted.get("chapter", 0), int(state.chapter[1:]))}
    reduced = apply(desk.book.state, delta, best.text, desk.rules)
    assert reduced.state is not None and reduced.history is not None, [f.code for f in reduced.findings]
    entry = ChapterEntry(
        id=state.chapter,
        title=state.plan.title,
        status="flagged" if state.status == "flagged" else "accepted",
        file=file or chapter_file(state.position),
        text_digest="",
        words=length_of(desk, best.text),
        score=best.assessment.score,
        outline_key=state.entry.key,
        run=run,
        accepted_at=at,
    )
    after = index.model_copy(update={"chapters": (*index.chapters, entry), "minted": minted})
    return Acceptance(entry, best.text, delta, reduced.state, reduced.history, after, papers_of(state, desk))


def papers_of(state: ChapterState, desk: Desk) -> dict[str, bytes]:
    """The papers kept for good: plan, what the context held, every version with its assessment, waivers inside."""
    kept = {
        "plan.json": dump(state.plan) if state.plan else b"",
        "context.json": dump(trace(desk.context)),
        "assessment.json": dump(
            {
                "best": state.best,
                "status": state.status,
                "exit": state.exit,
                "reasons": list(state.reasons),
                "notes": list(state.notes),
                "versions": [_version_row(v) for v in state.versions],
            }
        ),
    }
    for version in state.versions:
        if version.number != state.best:
            kept[f"version-{version.number}.md"] = version.text.encode()
    return {name: content for name, content in kept.items() if content}


def trace(context: Context) -> dict[str, object]:
    """What the context held: each layer's size, budget, digest, what was left out and why; not its text."""
    layers = [
        {**layer.model_dump(mode="json", exclude={"text"}), "size": len(layer.text), "digest": layer.digest}
        for layer in context.layers
    ]
    return {"digest": context.digest, "characters": len(context.prefix), "layers": layers}


def _version_row(version: Version) -> dict[str, object]:
    row = version.model_dump(mode="json", exclude={"text"})
    row["text_digest"] = digest(version.text)
    return row
