"""What the next draft is told about the last ones."""

from __future__ import annotations

from inkos.adapters.package_data import gate_tables
from inkos.gates.check import HouseLists
from inkos.gates.density import lately

EN = HouseLists.build(gate_tables()["en"])


def test_a_habit_denser_than_usual_comes_with_what_to_do_instead() -> None:
    texts = ["His jaw clenched. Her jaw clenched.", "She put the cup down."]
    assert lately(texts, EN, "en") == ("jaw clenched: let the feeling go into what hands do.",)


def test_a_habit_that_is_no_denser_than_usual_is_not_told() -> None:
    assert lately(["His jaw clenched. " + "She put the cup down. " * 1000] * 2, EN, "en") == ()


def test_advice_about_the_first_sentence_is_given_where_the_habit_stands_there() -> None:
    inside = ["Tom sat down. It smelled of tar.", "Tom got up. It smelled of tar."]
    opening = ["It smelled of tar. Tom sat down.", "It smelled of tar. Tom got up."]
    assert lately(inside, EN, "en") == ()
    assert lately(opening, EN, "en") == ("smelled of: start with somebody doing something.",)


def test_one_use_is_no_habit_and_no_texts_have_none() -> None:
    assert lately(["His jaw clenched."], EN, "en") == ()
    assert lately([], EN, "en") == ()


def test_a_phrase_of_the_authors_own_papers_is_no_habit() -> None:
    texts = ["His jaw tightened. Her jaw tightened."]
    assert lately(texts, EN, "en")
    assert lately(texts, EN, "en", own="The clan of the Jaw Tightened.") == ()
