"""A history folded anew: what became impossible is suspended and named, all else stays; ids outlive a new telling."""

from __future__ import annotations

from inkos.cycle.acceptance import inserted_file, next_file
from inkos.cycle.carry import carried
from inkos.cycle.refold import Told, refold, suspensions
from inkos.cycle.ripple import difference, resting, unproven
from inkos.kernel.book import ChapterEntry
from inkos.kernel.delta import Delta, EventItem, FactChange, HookOp, Observation
from inkos.kernel.replay import empty
from inkos.kernel.rules import Rules
from inkos.kernel.story import Entity, Evidence, StoryState
from tests.prompts import fixture

RULES: Rules = fixture.rules("en")


def quoted(words: str) -> Evidence:
    return Evidence(quote=words)


def row(number: int) -> ChapterEntry:
    return ChapterEntry(id=f"c{number:04d}", title=f"T{number}", status="accepted", file=f"chapters/{number:04d}.md",
                        text_digest="", words=5)  # fmt: skip


def told(number: int, text: str, **items: object) -> Told:
    delta = Delta.model_validate({"chapter": f"c{number:04d}", "position": number, "title": f"T{number}", **items})
    return Told(row(number), (delta,), text)


FIRST = told(
    1, "Mara met Tom. Mara stood in the Mill.",
    entities=[
        Entity(id="c0001.n1", kind="person", name="Mara", evidence=quoted("Mara")),
        Entity(id="c0001.n2", kind="person", name="Tom", evidence=quoted("Tom")),
        Entity(id="c0001.n3", kind="place", name="the Mill", evidence=quoted("the Mill")),
    ],
    facts=[FactChange(id="c0001.f1", subject="c0001.n1", predicate="location", object="c0001.n3",
                      object_kind="entity", evidence=quoted("Mara stood in the Mill."))],
    hook_ops=[HookOp(op="upsert", hook="c0001.h1", core="Who paid Tom?", evidence=quoted("Mara met Tom."))],
)  # fmt: skip
SECOND = told(
    2, "Tom laughed. Mara was in the Mill. Then Tom died.",
    observations=[
        Observation(mode="narrated", subject="c0001.n2", predicate="acts", evidence=quoted("Tom laughed.")),
        Observation(mode="narrated", subject="c0001.n1", predicate="location", object="c0001.n3",
                    evidence=quoted("Mara was in the Mill.")),
    ],
    events=[EventItem(id="c0002.e1", type="death", subject="c0001.n2", evidence=quoted("Then Tom died."))],
    hook_ops=[HookOp(op="resolve", hook="c0001.h1", evidence=quoted("Tom laughed."))],
    summary="Tom laughs.",
)  # fmt: skip


def start() -> StoryState:
    return empty("b", "en")


def test_what_refers_to_something_that_is_gone_is_suspended_and_the_rest_stands() -> None:
    whole = refold(start(), [FIRST, SECOND], RULES)
    assert not any(each.suspended for each in whole)
    alone = refold(start(), [SECOND], RULES)[0]
    assert alone.suspended and alone.state.last_applied_chapter == 1
    assert [summary.text for summary in alone.state.summaries] == ["Tom laughs."]
    paths = {finding.path for finding in alone.suspended}
    assert "events[0]" in paths and "hook_ops[0]" in paths
    marks = suspensions(alone.suspended, "c0001", "m0001")
    assert all(mark.kind == "suspended" and mark.code and mark.chapter == "c0001" for mark in marks)


def test_folding_what_was_left_gives_the_same_state_without_a_word() -> None:
    first = refold(start(), [SECOND], RULES)[0]
    kept = first.applied[0]
    assert kept is not None
    again = refold(start(), [Told(SECOND.entry, (kept,), SECOND.text)], RULES)[0]
    assert again.state == first.state and not again.suspended


def test_what_rests_on_a_chapter_is_read_off_the_quotes_of_later_ones() -> None:
    before, after = start(), refold(start(), [FIRST], RULES)[0].state
    found = resting(difference(before, after), [SECOND], 2, after, RULES, "en")
    assert {rest.kind for rest in found} == {"sentence", "fact", "promise"}
    assert {rest.quote for rest in found} == {"Tom laughed.", "Mara was in the Mill.", "Then Tom died."}
    assert not resting(difference(after, after), [SECOND], 2, after, RULES, "en")


def test_what_is_set_anew_no_longer_rests_on_the_old_value() -> None:
    after = refold(start(), [FIRST], RULES)[0].state
    moved = told(2, "Mara stood in the Mill.", facts=[
        FactChange(id="c0002.f1", subject="c0001.n1", predicate="location", object="c0001.n3", object_kind="entity",
                   evidence=quoted("Mara stood in the Mill."))])  # fmt: skip
    elsewhere = after.model_copy(update={"facts": {}})
    assert not resting(difference(after, elsewhere), [moved], 2, after, RULES, "en")
    later = SECOND._replace(entry=row(3))
    assert not resting(difference(after, elsewhere), [moved, later], 2, after, RULES, "en")
    assert resting(difference(after, elsewhere), [later], 2, after, RULES, "en")


def test_words_that_an_edit_took_away_are_found() -> None:
    cut = FIRST._replace(text="Mara met Tom.")
    assert [quote for _, quote in unproven(cut)] == ["the Mill", "Mara stood in the Mill."]
    assert unproven(FIRST) == []


def test_who_is_told_of_again_keeps_the_id_and_who_is_new_never_takes_an_old_one() -> None:
    old = FIRST.deltas[0]
    new = Delta(
        chapter="c0001", position=1,
        entities=(
            Entity(id="c0001.n1", kind="person", name="Jory", evidence=quoted("Jory")),
            Entity(id="c0001.n2", kind="person", name="Mara", evidence=quoted("Mara")),
        ),
        facts=(FactChange(id="c0001.f1", subject="c0001.n2", predicate="knows", object="c0001.n1"),),
        hook_ops=(HookOp(op="upsert", hook="c0001.h1", core="Who paid Jory?"),),
    )  # fmt: skip
    made = carried(new, old, "r7")
    assert [entity.id for entity in made.entities] == ["c0001.r7n1", "c0001.n1"]
    assert (made.facts[0].id, made.facts[0].subject, made.facts[0].object) == ("c0001.r7f1", "c0001.n1", "c0001.r7n1")
    assert made.hook_ops[0].hook == "c0001.r7h1"
    assert carried(old, old, "r8") == old


def test_files_are_named_after_the_one_before_them_and_sort_between() -> None:
    assert next_file([], ()) == "chapters/0001.md"
    assert next_file(["chapters/0001.md", "chapters/0012a.md"], ["chapters/0013.md"]) == "chapters/0014.md"
    assert inserted_file("chapters/0012.md", "chapters/0013.md", ()) == "chapters/0012a.md"
    taken = ["chapters/0012a.md"]
    assert inserted_file("chapters/0012a.md", "chapters/0013.md", taken) == "chapters/0012b.md"
    taken.append("chapters/0012b.md")
    between = inserted_file("chapters/0012a.md", "chapters/0012b.md", taken)
    assert "chapters/0012a.md" < between < "chapters/0012b.md"
    assert inserted_file("", "chapters/0001.md", ()) == "chapters/0000a.md"
    assert inserted_file("prologue.md", "", ()) == "chapters/0000a.md"


def test_very_many_insertions_at_one_place_still_find_a_name() -> None:
    taken: set[str] = set()
    for _ in range(100):
        taken.add(inserted_file("chapters/0001.md", "chapters/0002.md", taken))
    assert len(taken) == 100
