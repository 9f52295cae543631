"""A short run of the fuzz of all readers (`make fuzz` runs the long one), and that its laws can fail."""

from __future__ import annotations

import json

import pytest

from tests.prompts.fuzz import check, invented, lost, run, seeds


def test_mutated_replies_crash_no_reader_and_no_reading_invents_or_loses_in_silence() -> None:
    assert run(400) > 40


@pytest.mark.parametrize("name", sorted({name for name, _, _ in seeds()}))
def test_every_seed_is_read_without_a_fault(name: str) -> None:
    for own, text, reader in seeds():
        if own == name:
            check(own, text, reader, True)
            assert reader(text, True).fault is None, own


def test_the_laws_can_fail() -> None:
    text = json.dumps({"summary": "the lamp went out", "words": 12})
    assert invented(text, {"summary": "the lamp burned"}) == ["the lamp burned"]
    assert invented(text, {"words": 13}) == ["13"] and not invented(text, {"words": 12})
    assert lost(text, {"summary": "the lamp went"}) == ["out", "words", "12"]
