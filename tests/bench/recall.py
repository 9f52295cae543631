"""Row 7 of design/bars.md: is a fact planted long ago in the context of the chapter that needs it?

    python -m tests.bench.recall

Each chapter of a seeded book plants six details; a plan of the next chapter needs one of them through a name, an alias,
an item, a place, a promise or a paraphrase that names nobody. Counted is whether the line with the detail stands in
what the draft is given: the layers or the looked-up rows.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from inkos.actions.recall import asking
from inkos.adapters.folder_store import FolderStore
from inkos.adapters.recall_index import RecallIndex
from inkos.hosts import wire
from inkos.kernel.outline import next_entry
from inkos.kernel.papers import Beat, CastMember, OutlineEntry, Plan, PlannedPromise
from inkos.messages import Language
from inkos.prompts.context import compose, looked_up
from tests.bench.long_book import BOOK
from tests.bench.long_story import LongStory, Planted, rules
from tests.bench.seeded import LANGUAGES, seeded

DISTANCES = (10, 100, 1_000)  # chapters back
EACH = 20  # chapters around each distance, each with six details


class Recall(NamedTuple):
    found: int
    asked: int
    by_way: Counter[str]


def plan(entry: OutlineEntry, needed: Planted) -> Plan:
    """The entry's beats, and one more that needs the detail."""
    wants = [*(beat.text for beat in entry.beats), needed.wants]
    beats = tuple(Beat(handle=f"b{n}", wants=text, words=400) for n, text in enumerate(wants, 1))
    promises = tuple(PlannedPromise(hook=hook, do="advance") for hook in needed.promises)
    cast = tuple(CastMember(who=who) for who in needed.cast)
    return Plan(title=entry.title, pov="genesis.p1", target=1_600, beats=beats, cast=cast,
                places=("genesis.l1", *needed.places), promises=promises, outline_key=entry.key)  # fmt: skip


def measured(language: Language, chapters: int, distances: tuple[int, ...] = DISTANCES) -> dict[int, Recall]:
    """By distance; the missed ones by way are in `by_way`."""
    folder = seeded(language, chapters) / "books" / BOOK
    store, book = FolderStore(folder), FolderStore(folder).read()
    kit, use = wire.open_workspace(folder).kit(language, {}), rules(language)
    planted = {c.delta.position: c.planted for c in LongStory(language).chapters(chapters)}
    entry, _ = next_entry(book.outline, [row.outline_key for row in book.index.chapters])
    assert entry is not None
    context = compose(kit, book, entry, use, asking(RecallIndex(folder / ".inkos"), store, chapters + 1))
    found = {}
    for distance in distances:
        missed: Counter[str] = Counter()
        asked = 0
        for position in range(chapters + 1 - distance, max(0, chapters + 1 - distance - EACH), -1):
            for detail in planted.get(position, ()):
                asked += 1
                layer = looked_up(kit, book, plan(entry, detail), context, use)
                missed[detail.way] += detail.needed not in f"{context.prefix}\n{layer.text}"
        found[distance] = Recall(asked - missed.total(), asked, +missed)
    return found


def main() -> None:
    for language in LANGUAGES:
        for distance, got in measured(language, 2_000).items():
            print(f"{language} {distance:>5} chapters back: {got.found}/{got.asked}; missed {dict(got.by_way)}")


if __name__ == "__main__":
    main()
