"""The checks on published novels and on model prose: what stops a chapter of a human novel is a fault of the check.

A sample; every chapter, by thresholds that do not know its book, is printed by `python -m tests.bench.prose`.
"""

from __future__ import annotations

import pytest

from inkos.gates.density import measure, score, together
from inkos.messages import Language
from tests.bench import corpora
from tests.bench.fit import house
from tests.bench.prose import AI_PROSE, judged
from tests.data import shared

pytestmark = pytest.mark.reads_data
LANGUAGES: tuple[Language, ...] = ("en", "zh")
EACH = 5  # chapters of a work


@pytest.mark.parametrize("language", LANGUAGES)
def test_published_novels_are_let_through(language: Language) -> None:
    shared(f"pd-novels-{language}")
    lists, total, blocked, warned = house(language), 0, 0, 0
    for name, texts in corpora.novels(language).items():
        for found in judged(texts[1 : 2 * EACH : 2], language, lists, name):
            total += 1
            blocked += any(f.blocking for f in found)
            warned += any(f.code in AI_PROSE and f.severity != "info" for f in found)
    assert total >= 15
    assert blocked == 0
    assert warned <= max(1, 0.05 * total)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ten_chapters_of_a_model_lie_beyond_every_ten_of_a_novel(language: Language) -> None:
    shared(f"pd-novels-{language}")
    lists = house(language)

    def over_ten(texts: list[str]) -> float:
        return score(together([measure(text, lists, language) for text in texts[:10]]), lists)

    human = [over_ten(texts) for texts in corpora.novels(language).values()]
    model = [over_ten(texts) for texts in corpora.models(language).values()]
    assert max(human) < lists.window_limit
    assert sum(value > lists.window_limit for value in model) >= 0.9 * len(model)
