"""What is different from chapter to chapter: whose eyes, which person, how far the volume's goal is."""

from __future__ import annotations

import pytest

from inkos.cycle.assess import check_context, measured, told_in
from inkos.cycle.outline_plan import plan_from_outline
from inkos.gates.plan import check_plan
from inkos.kernel.delta import Delta
from inkos.kernel.papers import OutlineEntry, Volume
from inkos.kernel.story import SummaryRow
from inkos.messages import Language
from inkos.prompts.papers import outline_entry, shown_plan
from tests.cycle.script import desk, planned, prose

LANGUAGES: tuple[Language, ...] = ("en", "zh")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_chapter_that_the_outline_gives_to_somebody_is_planned_and_told_from_them(language: Language) -> None:
    the_desk = desk(language)
    state = planned(language, the_desk)
    assert state.plan is not None
    people = [e for e in the_desk.book.state.entities.values() if e.kind == "person"]
    other = next(e for e in people if e.id != state.plan.pov)
    own = next(e for e in people if e.id == state.plan.pov)
    turn = state.entry.model_copy(update={"pov": other.name})
    assert [f.code for f in check_plan(state.plan, the_desk.book, turn, None) if f.code == "pov"] == ["pov"]
    assert not [f for f in check_plan(state.plan, the_desk.book, state.entry.model_copy(update={"pov": own.name}), None)
                if f.code == "pov"]  # fmt: skip
    told = state.but(entry=turn)
    assert "person-003" in {f.code for f in measured(the_desk, told, prose(language))}
    assert "person-003" not in {f.code for f in measured(the_desk, state, prose(language))}
    assert other.name in outline_entry(the_desk.kit, the_desk.book, turn, "")
    assert plan_from_outline(told, the_desk).pov == other.id


@pytest.mark.parametrize(("said", "person"), [("", "third"), ("First", "first"), ("第一人称", "first")])
def test_the_person_of_one_chapter_is_the_outlines(said: str, person: str) -> None:
    the_desk = desk("en")
    assert told_in(the_desk.book.config.style, OutlineEntry(key="k", title="t", person=said)).person == person


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_writer_is_told_the_person_of_the_chapter(language: Language) -> None:
    the_desk = desk(language)
    state = planned(language, the_desk)
    assert state.plan is not None
    said = {"en": "the first person", "zh": "第一人称"}[language]
    entry = state.entry.model_copy(update={"person": said})
    outline = the_desk.book.outline.model_copy(update={"entries": (entry,)})
    book = the_desk.book.model_copy(update={"outline": outline})
    assert said in shown_plan(the_desk.kit, book, state.plan.model_copy(update={"outline_key": entry.key}))
    assert said not in shown_plan(the_desk.kit, the_desk.book, state.plan)


def test_five_chapters_beside_the_volumes_goal_are_told() -> None:
    the_desk = desk("en")
    state = planned("en", the_desk)
    book = the_desk.book
    first = OutlineEntry(key="first", title="first", volume="One")
    goal = Volume(title="One", goal="Recover the quicksilver charter from Gravesend")
    entry = state.entry.model_copy(update={"volume": "One"})
    rows = tuple(
        row.model_copy(update={"outline_key": "first"}) for row in book.index.chapters
    )
    assert len(rows) >= 4
    outline = book.outline.model_copy(update={"volumes": (goal,), "entries": (first, entry)})
    summaries = tuple(SummaryRow(chapter=n, text="Somebody mends a boat.") for n in range(1, len(rows) + 1))
    story = book.state.model_copy(update={"summaries": summaries})
    index = book.index.model_copy(update={"chapters": rows})
    still = the_desk._replace(book=book.model_copy(update={"outline": outline, "state": story, "index": index}))
    state = state.but(entry=entry)

    def codes(summary: str) -> set[str]:
        delta = Delta(chapter="c0007", position=state.position, summary=summary)
        return {f.code for f in measured(still, state, prose("en"), delta)}

    assert "structure-011" in codes("The boat is sold.")
    assert "structure-011" not in codes("The charter turns up in a drawer.")
    assert check_context(still, state, prose("en")).story is not None
