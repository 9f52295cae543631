"""What the next draft is told about the last ones."""

from __future__ import annotations

from inkos.adapters.package_data import gate_tables
from inkos.gates.check import HouseLists
from inkos.gates.worn import lately

EN = HouseLists.build(gate_tables()["en"])


def test_a_phrase_used_twice_comes_with_what_to_do_instead() -> None:
    texts = ["His jaw tightened. Her jaw tightened.", "She put the cup down."]
    assert lately(texts, EN, "en") == ("jaw tightened: let the feeling go into what hands do.",)


def test_one_use_is_no_habit_and_no_texts_have_none() -> None:
    assert lately(["His jaw tightened."], EN, "en") == ()
    assert lately([], EN, "en") == ()
