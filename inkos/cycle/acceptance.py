"""What an acceptance makes true: the entry in the index, the state after the chapter, the papers; writes nothing."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from inkos.cycle.assess import length_of
from inkos.cycle.carry import carried
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


_FILE = re.compile(r"chapters/(\d+)([a-z]*)\.md")


def next_file(known: Collection[str], taken: Collection[str]) -> str:
    """The file of a chapter at the end: one behind the highest number that `known` files of the index bear. `taken`:
    every path that exists already."""
    numbers = [int(found[1]) for path in known if (found := _FILE.fullmatch(path))]
    number = max(numbers, default=0) + 1
    while f"chapters/{number:04d}.md" in taken:
        number += 1
    return f"chapters/{number:04d}.md"


def inserted_file(after: str, before: str, taken: Collection[str]) -> str:
    """The file of a chapter between two others: 0012a after 0012, 0012b after 0012a, 0012aa where both are taken; it
    sorts between them where a name is left. `after`: "" at the beginning."""
    found = _FILE.fullmatch(after)
    number, letters = (found[1], found[2]) if found else ("0000", "")
    nearer = [letters[:-1] + chr(ord(letters[-1]) + 1)] if letters and letters[-1] < "z" else []
    tails = [*nearer, *(letters + chr(mark) for mark in range(ord("a"), ord("z") + 1))]
    names = [name for tail in tails if (name := f"chapters/{number}{tail}.md") not in taken]
    between = [name for name in names if not before or name < before]
    if between or names:
        return (between or names)[0]
    return inserted_file(f"chapters/{number}{letters}z.md", before, taken)


def accept(
    state: ChapterState, desk: Desk, run: str, at: str, file: str = "", old: Delta | None = None
) -> Acceptance:
    """The best version becomes canon. Its delta was judged dry; applied for good it must hold, else it is a bug.

    `at`: ISO 8601 time in UTC; `file`: where the chapter's text is to stand; `old`: the delta that this one replaces.
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
    if old is not None:
        judged = carried(judged, old, f"r{int(run.split('-', 1)[0])}")
    first = state.versions[0]
    drafted = length_of(desk, first.text) if first.origin == "draft" else 0
    index = desk.book.index
    delta, minted = mint(judged, index.minted)
    minted = {**minted, "chapter": max(minted.get("chapter", 0), int(state.chapter[1:]))}
    reduced = apply(desk.book.state, delta, best.text, desk.rules)
    assert reduced.state is not None and reduced.history is not None, [f.code for f in reduced.findings]
    entry = ChapterEntry(
        id=state.chapter,
        title=state.plan.title,
        status="flagged" if state.status == "flagged" else "accepted",
        file=file or next_file([row.file for row in index.chapters], ()),
        text_digest="",
        words=length_of(desk, best.text),
        score=best.assessment.score,
        outline_key=state.entry.key,
        run=run,
        accepted_at=at,
        asked=state.plan.target if drafted else 0,
        drafted=drafted,
    )
    after = index.model_copy(update={"chapters": (*index.chapters, entry), "minted": minted})
    return Acceptance(entry, best.text, delta, reduced.state, reduced.history, after, papers_of(state, desk))


def papers_of(state: ChapterState, desk: Desk) -> dict[str, bytes]:
    """The papers kept for good: plan, what the context held, every version with its assessment, waivers inside."""
    kept = {
        "plan.json": dump(state.plan) if state.plan else b"",
        "context.json": dump({**trace(desk.context), "prompts": desk.kit.digests()}),
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
