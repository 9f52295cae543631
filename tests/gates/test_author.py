"""An author's hand: at most one of twenty of their own chapters is warned of, and models still are."""

from __future__ import annotations

import pytest

from inkos.gates.author import KINDS, applied, distance, learn
from inkos.gates.check import CheckContext, HouseLists
from inkos.gates.density import measure, phrases, score
from inkos.gates.rhythm import pruned, telegraph
from inkos.messages import Language
from inkos.text.count import count
from tests.bench import corpora
from tests.bench.fit import house
from tests.data import shared

pytestmark = pytest.mark.reads_data
WORKS: list[tuple[Language, str]] = [
    ("en", "burroughs_princess-of-mars"), ("en", "wodehouse_love-among-the-chickens"), ("zh", "hulanhezhuan"),
    ("zh", "luxun_nahan"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "work"), WORKS)
def test_of_the_authors_other_chapters_hardly_one_is_warned_of(language: Language, work: str) -> None:
    shared(f"pd-novels-{language}")
    texts = corpora.novels(language)[work]
    lists = house(language)
    mine = applied(lists, learn(texts[::2], language, lists))
    context = CheckContext(language=language, target=1, lists=mine)
    learnt, other = (sum(bool(phrases(text, context)) for text in texts[half::2]) for half in (0, 1))
    assert learnt <= 0.05 * len(texts[::2])
    assert other <= 0.10 * len(texts[1::2]) + 1, "the other half was not looked at; fourteen chapters are few"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_model_is_farther_from_the_hand_than_the_authors_other_chapters(language: Language) -> None:
    shared(f"pd-novels-{language}")
    work = {"en": "wodehouse_love-among-the-chickens", "zh": "luxun_nahan"}[language]
    texts, lists = corpora.novels(language)[work], house(language)
    learned = learn(texts[::2], language, lists)
    own = sorted(distance(text, learned, lists).value for text in texts[1::2])
    other = sorted(
        distance(text, learned, lists).value for many in corpora.models(language).values() for text in many[:2]
    )
    assert own[len(own) // 2] < other[len(other) // 2]
    assert set(distance(texts[0], learned, lists).parts) == set(learned.parts)


def test_samples_are_the_authors_own_words_and_fit_the_prefix() -> None:
    shared("pd-novels-en")
    texts = corpora.novels("en")["wodehouse_love-among-the-chickens"][:6]
    lists = house("en")
    learned = learn(texts, "en", lists)
    assert set(learned.samples) <= set(KINDS) and len(learned.samples) >= 2
    for passage in learned.samples.values():
        assert all(any(line in text for text in texts) for line in passage.splitlines())
        assert 100 <= count(passage, "en") <= 220


def test_an_authors_habit_raises_its_threshold_and_only_that() -> None:
    lists = house("en")
    plain = " ".join(f"He sold {n} sacks at Hale because the road was out." for n in range(60))
    nodding = " ".join(f"He nodded and sold {n} sacks. She nodded." for n in range(60))
    mine = applied(lists, learn([plain, nodding, nodding], "en", lists))
    raised = {g.name for g, old in zip(mine.worn, lists.worn, strict=True) if g.allowed > old.allowed}
    assert raised == {"nods and shrugs"}
    assert score(measure(nodding, mine, "en"), mine) < score(measure(nodding, lists, "en"), lists)


def test_an_author_of_short_sentences_and_few_reasons_is_not_warned_of_their_own_rhythm() -> None:
    lists = house("en")
    lines = ["He ran.", "The door held.", "Rain fell.", "Nobody came to the mill.", "She swore.", "Dust.", "Day."]
    texts = ["\n\n".join(f"{lines[(n + at) % 7]} {lines[(n * at) % 7]}" for n in range(130)) for at in range(1, 11)]
    mine = applied(lists, learn(texts, "en", lists))

    def warned(used: HouseLists) -> int:
        context = CheckContext(language="en", target=1, lists=used)
        known = [(text, context.model_copy(update={"recent": tuple(texts[:at])})) for at, text in enumerate(texts)]
        return sum(bool(telegraph(*each) or pruned(*each)) for each in known)

    assert warned(lists) == len(texts) and warned(mine) == 0
