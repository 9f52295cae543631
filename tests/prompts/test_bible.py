"""What is looked up of the bible: what a text touches by names, places, routes and rare words, and nothing else."""

from __future__ import annotations

import pytest

from inkos.kernel.book import Book
from inkos.kernel.papers import OutlineEntry
from inkos.kernel.story import Entity, EntityKind, Fact, Hook
from inkos.prompts.bible import AWAY, FAR, Wanted, extract, has_route, touched
from inkos.prompts.context import compose, looked_up
from inkos.prompts.facts import promises
from inkos.prompts.rarity import rarity_of
from inkos.prompts.relevance import mentioned
from tests.prompts import fixture

CAST = """# Cast
## Ada Crane
- Use: keeps the boathouse
- Collides with: Ada collides with Joss
- Fears: the water by night
## Joss
- Use: rows
- Collides with: Joss collides with Tib
"""
RULES = """# Rules
- Can: a payer may read the invoices; cannot: leave the reading book unsigned
- Can: a diver may go down twice a week; cannot: go alone
- A crossing burns twelve pounds of fuel
"""
WORLD = """# Map
- The East Landing: wide and wet
- the boathouse: under the cliff, with an iron stove
- Marl Quay: far off
- The East Landing to the boathouse: on foot, a quarter of an hour
- The East Landing to Marl Quay: with a load, two hours
"""


def book_of(*, bible: tuple[str, ...] = (CAST, RULES, WORLD), **state: object) -> Book:
    """The English fixture with this bible, of which nothing but what holds for any chapter fits."""
    book = fixture.book("en")
    files = tuple((f"bible/{n}.md", text) for n, text in enumerate(bible))
    return book.model_copy(update={"bible": files, "state": book.state.model_copy(update=state)})


def found(text: str, book: Book | None = None, start: str = "genesis.l1") -> tuple[str, dict[str, int]]:
    book = book or book_of()
    things = mentioned(book.state.entities.values(), text)
    got = touched(book, extract(book, 0), Wanted(text, things, start), "")
    return "\n".join(got.lines), dict(got.left)


def test_a_rule_comes_by_rare_words_that_it_shares_and_no_other_rule_does() -> None:
    text, _ = found("She wants the invoices and must sign the reading book")
    assert "a payer may read" in text and "a diver" not in text


def test_notes_and_routes_are_those_of_the_places_and_of_where_the_chapter_starts() -> None:
    text, left = found("Hester goes to the boathouse")
    assert "under the cliff" in text and "wide and wet" in text and "a quarter of an hour" in text
    assert "Marl Quay" not in text and left[FAR] == 1
    assert text.index("under the cliff") < text.index("quarter of an hour")


def test_a_place_is_known_by_what_its_note_says_of_it() -> None:
    text, _ = found("She warms her hands at the iron stove under the cliff")
    assert "the boathouse: under the cliff" in text and "to the boathouse" in text


def test_lines_that_concern_only_people_who_are_away_are_counted_and_left() -> None:
    text, left = found("Ada Crane sits down")
    assert "the water by night" in text and "collides" not in text
    assert left[AWAY] == 3  # Joss's two, and whom Ada collides with
    assert "Ada collides with Joss" in found("Ada Crane and Joss sit down")[0]


def test_what_is_looked_up_or_dropped_is_recorded_with_its_reason() -> None:
    plan = fixture.plan("en")
    book = book_of(bible=(CAST, RULES, WORLD, "# More\n" + "".join(f"- {n}{'y' * 90}\n" for n in range(99))))
    made = compose(fixture.kit("en"), book, fixture.entry("en")[0], fixture.rules("en"))
    got = looked_up(fixture.kit("en"), book, plan, made, fixture.rules("en"))
    assert got.name == "looked_up_facts" and len(got.text) <= got.budget
    assert any("of the bible" in layer.reason for layer in (*made.layers, got))


def test_what_holds_for_any_chapter_stays_before_what_is_somebodys_own() -> None:
    taken, left, _ = extract(book_of(), len(RULES) + 80)
    shown = "\n".join(taken)
    assert all(line in shown for line in RULES.splitlines()[1:]) and "Marl Quay" not in shown
    assert "Marl Quay: far off" in [line.text for line in left]


def test_whether_the_bible_has_a_route_between_places() -> None:
    book = book_of()
    assert has_route(book, frozenset({"genesis.l1", "genesis.l2"}))
    assert not has_route(book, frozenset({"genesis.l2", "genesis.l3"}))


# ── promises ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def named(text: str, core: str, *, kind: EntityKind = "person") -> bool:
    hook = Hook(id="g.h1", handle="h1", start_chapter=0, last_advanced_chapter=0, payoff_timing="endgame", core=core)
    book = book_of(hooks={hook.id: hook})
    state, book_lines = book.state, ["the deck shook", "on deck", "a deck", "the deck", "deck five", "deck six"]
    wanted = rarity_of(book, book_lines, "").reader(text)
    return promises(state, wanted, 7, 60)[0][1] == "named"


def test_the_viewpoint_and_frequent_words_do_not_make_an_entry_speak_of_a_promise() -> None:
    core = "How does the deck know in the morning where Hester went?"
    assert not named("On the morning of day 1 Hester goes on deck", core)
    assert not named("Hester Vane and the deck", core)


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("by post comes her licence, the nine days underlined", "What is a shop worth that has nine days left?"),
        ("Ada Crane hides the lantern", "Whom does Ada Crane signal with the lantern?"),
        ("the lantern at the gallows", "Who hung a lantern on the gallows?"),
    ],
)
def test_a_rare_pair_an_entity_with_a_rare_word_or_two_rare_words_do(text: str, core: str) -> None:
    assert named(text, core)
    assert not named("Ada Crane rows", core)


def test_facts_of_the_books_own_predicates_stand_in_the_facts_whomever_the_entry_names() -> None:
    fact = Fact(id="x.f", handle="f98", subject="genesis.g1", predicate="toll", object=4, object_kind="number",
                valid_from_chapter=0, source_chapter=0)  # fmt: skip
    book = book_of()
    book = book_of(facts={**book.state.facts, fact.id: fact})
    own = {"toll": {"subject": "group", "value": "number", "rule": "none"}}
    config = book.config.model_copy(update={"predicates": own})
    entry = OutlineEntry(key="x", title="…", function="Ada Crane sits down")

    def facts(book: Book) -> str:
        made = compose(fixture.kit("en"), book, entry, fixture.rules("en"))
        return next(layer.text for layer in made.layers if layer.name == "open_facts")

    assert "f98 " in facts(book.model_copy(update={"config": config})) and "f98 " not in facts(book)


def test_a_name_stands_for_all_who_bear_it_and_for_itself_at_the_start_of_a_sentence() -> None:
    place, person = Entity(id="a", kind="place", name="the mill"), Entity(id="b", kind="person", name="Ode")
    two = (place, person.model_copy(update={"aliases": ("the mill",)}))
    assert [known.id for known in mentioned(two, "The mill is shut.")] == ["a", "b"]
