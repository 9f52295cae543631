"""Audit questions: fitted to the plan, polarity mixed, two that code has answered, one about somebody absent."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.kernel.book import Book
from inkos.kernel.papers import Plan, Question
from inkos.kernel.story import Fact
from inkos.messages import Language
from inkos.prompts.questions import choose
from tests.prompts import fixture

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def asked(language: Language, text: str = "", plan: Plan | None = None) -> tuple[Question, ...]:
    book = fixture.book(language)
    return choose(fixture.kit(language), book, plan or fixture.plan(language), text or fixture.prose(language))


def words_of(question: Question) -> str:
    return question.text.split("“", 1)[1].split("”", 1)[0]


texts = st.sampled_from(LANGUAGES).flatmap(
    lambda language: st.tuples(
        st.just(language),
        st.permutations(fixture.PROSE[language].splitlines()).map("\n".join),
    )
)


@given(texts)
def test_there_are_8_to_14_with_numbers_in_order(case: tuple[Language, str]) -> None:
    questions = asked(*case)
    assert 8 <= len(questions) <= 14
    assert [q.id for q in questions] == [f"q{n}" for n in range(1, len(questions) + 1)]
    assert len({q.text for q in questions}) == len(questions)
    assert not any("{" in q.text for q in questions)


@given(texts)
def test_two_controls_stand_near_the_ends_and_code_knows_their_answers(case: tuple[Language, str]) -> None:
    language, text = case
    questions = asked(language, text)
    controls = [n for n, q in enumerate(questions) if q.control is not None]
    assert controls == [1, len(questions) - 2]
    first, second = (questions[n] for n in controls)
    assert (words_of(first) in text) == (first.control == "yes")
    assert (words_of(second) in text.splitlines()[-1]) == (second.control == "yes")
    assert first.trouble_if is None and second.trouble_if is None


@given(texts)
def test_one_asks_about_a_known_person_who_is_not_in_the_chapter(case: tuple[Language, str]) -> None:
    language, text = case
    away = [names for handle, names in fixture.ENTITIES[language].items() if handle in ("p3", "p5", "p6")]
    about = [q for q in asked(language, text) if q.control is None and q.trouble_if is None]
    assert len(about) == 1
    assert any(names[0] in about[0].text and names[0] not in text for names in away)


@given(texts)
def test_polarity_is_mixed_and_contradictions_are_asked_for(case: tuple[Language, str]) -> None:
    questions = asked(*case)
    assert sum(q.trouble_if == "no" for q in questions) >= 3
    assert sum(q.trouble_if == "yes" for q in questions) >= 3
    assert any(q.contradiction and q.trouble_if == "yes" for q in questions)


def test_both_answers_of_both_controls_occur() -> None:
    texts = [(language, fixture.prose(language) + "。" * k) for language in LANGUAGES for k in range(40)]
    controls = [[q.control for q in asked(*case) if q.control] for case in texts]
    seen = {(n, control) for pair in controls for n, control in enumerate(pair)}
    assert seen == {(0, "yes"), (0, "no"), (1, "yes"), (1, "no")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_text_is_asked_the_same_and_another_text_in_another_order(language: Language) -> None:
    assert asked(language) == asked(language)
    orders = {tuple(q.dimension for q in asked(language, f"{fixture.prose(language)}\n{k}")) for k in range(8)}
    assert len(orders) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_follow_the_plan(language: Language) -> None:
    plan = fixture.plan(language)
    bare = plan.model_copy(update={"asks": (), "promises": (), "places": ()})
    full, less = ({q.text for q in asked(language, plan=p)} for p in (plan, bare))
    wanted = fixture.PLAN[language]["asks"][0]
    core = fixture.HOOKS[language][0][0].rstrip("？?")
    assert any(wanted in text for text in full) and not any(wanted in text for text in less)
    assert any(core in text for text in full) and not any(core in text for text in less)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_of_one_word_still_has_its_controls(language: Language) -> None:
    questions = asked(language, "X")
    assert sum(q.control is not None for q in questions) == 2 and len(questions) >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_genre_question_is_asked_of_its_genre_only(language: Language) -> None:
    book = fixture.book(language)
    bank = fixture.kit(language).bank["questions"]
    assert isinstance(bank, dict)
    name = {"zh": "system-shown", "en": "promise-love"}[language]
    genre = bank[name]["genre"][-1]
    start = bank[name]["text"].split("{")[0].split("，")[0]
    bare = fixture.plan(language).model_copy(update={"asks": (), "promises": (), "places": ()})
    own = book.model_copy(update={"config": book.config.model_copy(update={"genre": genre, "form": "standalone"})})
    general = book.config.model_copy(update={"genre": "general", "form": "standalone"})
    other = book.model_copy(update={"config": general})
    texts = [f"{fixture.prose(language)}\n{k}" for k in range(12)]
    kit = fixture.kit(language)
    assert any(start in q.text for text in texts for q in choose(kit, own, bare, text))
    assert not any(start in q.text for text in texts for q in choose(kit, other, bare, text))


def test_both_banks_have_questions_of_every_dimension_with_both_polarities() -> None:
    for language in LANGUAGES:
        bank = fixture.kit(language).bank["questions"]
        assert isinstance(bank, dict)
        assert {entry["trouble"] for entry in bank.values()} == {"yes", "no"}
        assert len({entry["dimension"] for entry in bank.values()}) >= 8
        assert sum(not entry.get("needs") and not entry.get("genre") for entry in bank.values()) >= 8


@pytest.mark.parametrize("language", LANGUAGES)
def test_ranks_are_asked_about_only_where_something_in_the_book_has_one(language: Language) -> None:
    words = {"zh": "等级", "en": "rank"}[language]
    book, kit = fixture.book(language), fixture.kit(language)
    entry = kit.bank["questions"]["system-figure"]["text"]  # type: ignore[index]
    assert words not in entry and "{figures}" in entry
    seen = {}
    for predicate in ("money", "rank"):
        fact = Fact(id="x.f", handle="f97", subject=fixture.plan(language).pov, predicate=predicate, object=3,
                    object_kind="number", valid_from_chapter=0, source_chapter=0)  # fmt: skip
        own = book.model_copy(update={"state": book.state.model_copy(update={"facts": {fact.id: fact}})})
        texts = [f"{n}\n" + fixture.prose(language) for n in range(6)]
        seen[predicate] = [q.text for text in texts for q in choose(kit, own, fixture.plan(language), text)]
    assert any(words in text for text in seen["rank"])
    assert not any(words in text for text in seen["money"])


def test_no_victory_is_asked_about_where_no_beat_of_the_plan_gains_anything() -> None:
    plan = fixture.plan("zh")
    texts = [f"{n}\n" + fixture.prose("zh") for n in range(30)]

    def about(outcome: str) -> list[str]:
        beats = tuple(beat.model_copy(update={"outcome": outcome}) for beat in plan.beats)
        lost = plan.model_copy(update={"beats": beats, "cast": (), "places": (), "promises": (), "asks": ()})
        return [q.text for text in texts for q in choose(fixture.kit("zh"), fixture.book("zh"), lost, text)]

    assert any("胜利" in text or "取胜" in text for text in about("yes_but"))
    assert not any("胜利" in text or "取胜" in text for text in about("no_and"))


def test_no_english_question_calls_one_person_they() -> None:
    bank = fixture.kit("en").bank["questions"]
    assert not any(re.search(r"\b(?:they|their|them)\b", str(entry["text"])) for entry in bank.values())  # type: ignore


def bare(**state: object) -> Book:
    """The English book with nothing on record about anybody."""
    book = fixture.book("en")
    return book.model_copy(update={"state": book.state.model_copy(update=state), "bible": ()})


@pytest.mark.parametrize(
    "words", ["clashes with the bible's routes", "the holder or the looks of", "known fact about", "nature or limit"]
)
def test_a_question_is_asked_only_where_the_papers_hold_something_to_compare(words: str) -> None:
    plan, kit, there = fixture.plan("en"), fixture.kit("en"), fixture.book("en")
    plan = plan.model_copy(update={"promises": (), "asks": ()})
    texts = [fixture.prose("en") + " " * n for n in range(6)]
    assert any(words in q.text for text in texts for q in choose(kit, there, plan, text))
    assert not any(words in q.text for text in texts for q in choose(kit, bare(facts={}), plan, text))


def test_the_first_chapter_is_not_asked_for_what_was_gained_earlier() -> None:
    plan, kit = fixture.plan("en"), fixture.kit("en")
    texts = [fixture.prose("en") + " " * n for n in range(6)]
    first, later = bare(facts={}, last_applied_chapter=0), bare(facts={})
    assert any("gained earlier" in q.text for text in texts for q in choose(kit, later, plan, text))
    assert not any("gained earlier" in q.text for text in texts for q in choose(kit, first, plan, text))
