"""A plan against outline and state, both ways: what must be asked again, and what must not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.config import StyleConfig
from inkos.gates.plan import check_plan, fit_plan
from inkos.kernel.book import Book
from inkos.kernel.papers import Beat, CastMember, OutlineEntry, Plan
from inkos.kernel.story import AuthorTruth
from tests.gates.stories import beat, book, entry, place, plan, status

ZH_PEOPLE = {
    "qin": ("person", "程满仓"), "zhao": ("person", "赵把头"), "shu": ("person", "书办"),
    "gate": ("place", "通惠闸"), "town": ("place", "临清"),
}  # fmt: skip
EN_PEOPLE = {
    "qin": ("person", "Nell"), "zhao": ("person", "Duffy"), "shu": ("person", "Brandt"),
    "gate": ("place", "the bakery"), "town": ("place", "Leeds"),
}  # fmt: skip
ZH_ENTRY = entry("三", "程满仓过闸前验斗，第七斗少三升", "粮收了，书办记住了他的手")
ZH_NEXT = entry("四", "程满仓在丁家渡被扣下船，赵把头出面作保", "书办连夜烧掉旧账本")
EN_ENTRY = entry("3", "Nell gets into the cellar of the burnt bakery", "Nell reads the meter: 40,118")
EN_NEXT = entry("4", "The office takes Nell off the case", "Duffy burns his log behind the depot at night")
ZH_TRUTH = AuthorTruth(
    id="s1", question="第七斗是谁送的？", truth="书办受知府之命换了铁底官斗，每斗吞没三升漕粮。",
    surface="斗上的漆是新的", clues=("新漆",),
    reader_knows_from=20,
)  # fmt: skip
EN_TRUTH = AuthorTruth(
    id="s1", question="Who paid the premium?",
    truth="Duffy forged the insurance signature and paid the arrears from the union fund.",
    surface="a paid-up policy", clues=("a fresh receipt",), reader_knows_from=20,
)  # fmt: skip
ZH = book("zh", ZH_PEOPLE, truths=(ZH_TRUTH,))
EN = book("en", EN_PEOPLE, truths=(EN_TRUTH,))
ZH_GOOD = (
    beat("程满仓要排前", against="赵把头压号", cost="赔四十文酒", thing="葫芦"),
    beat("等着看斗，只见新漆", against="书办不许", thing="官斗", cost="误了时辰"),
    beat("第七斗少三升，要复量", "三#1", against="书办说斗是官的", cost="押半年工钱", thing="第七斗"),
    beat("粮收了，书办问哪只手量的", "三#2", thing="名册"),
)
EN_GOOD = (
    beat("Nell wants in before noon", against="Duffy wants a form", cost="in, but logged", thing="the log"),
    beat("so the cellar, by the coal chute", "3#1", against="no stairs", cost="camera cracked", thing="chute"),
    beat("Brandt wants his money", against="a truth that sounds false", thing="bread"),
    beat("reads 40,118", "3#2", cost="the old bill's figure", thing="meter"),
)


def codes(p: Plan, b: Book, this: OutlineEntry, following: OutlineEntry | None) -> list[str]:
    return [fault.code for fault in check_plan(p, b, this, following)]


def test_a_plan_that_keeps_to_its_entry_has_no_fault() -> None:
    zh = plan(
        *ZH_GOOD,
        asks=("谁送的斗？",),
        avoid=("不让书办承认斗有毛病",),
        end="名旁画了红圈",
        change="粮过了关，手被人记住",
    )
    en = plan(
        *EN_GOOD, asks=("Who paid the premium?",), avoid=("Duffy does not explain the log",), end="the office rings"
    )
    assert codes(zh, ZH, ZH_ENTRY, ZH_NEXT) == []
    assert codes(en, EN, EN_ENTRY, EN_NEXT) == []


@pytest.mark.parametrize(
    ("b", "this", "following", "good", "stolen"),
    [
        (ZH, ZH_ENTRY, ZH_NEXT, ZH_GOOD, "书办连夜把旧账本烧掉"),
        (ZH, ZH_ENTRY, ZH_NEXT, ZH_GOOD, "程满仓被扣在丁家渡的船上，赵把头出面替他作保"),
        (EN, EN_ENTRY, EN_NEXT, EN_GOOD, "Duffy goes behind the depot and burns the log that night"),
    ],
)
def test_an_event_of_the_next_entry_is_found_where_it_stands(
    b: Book, this: OutlineEntry, following: OutlineEntry, good: tuple[Beat, ...], stolen: str
) -> None:
    (fault,) = check_plan(plan(*good, beat(stolen)), b, this, following)
    assert (fault.code, fault.where, fault.keys) == ("early", ("beats[4]",), ("beats",))


@pytest.mark.parametrize(
    ("b", "this", "following", "good", "near"),
    [
        (ZH, ZH_ENTRY, ZH_NEXT, ZH_GOOD, "书办翻旧账本，找程满仓去年的名字"),
        (ZH, ZH_ENTRY, ZH_NEXT, ZH_GOOD, "赵把头出面把程满仓的船排到第九"),
        (EN, EN_ENTRY, EN_NEXT, EN_GOOD, "Duffy writes her name into his log again"),
        (EN, EN_ENTRY, EN_NEXT, EN_GOOD, "Nell leaves her case at the office door"),
    ],
)
def test_touching_the_same_people_and_things_is_not_early(
    b: Book, this: OutlineEntry, following: OutlineEntry, good: tuple[Beat, ...], near: str
) -> None:
    assert codes(plan(*good, beat(near)), b, this, following) == []


def test_a_truth_that_is_not_due_is_found_in_any_field() -> None:
    zh = plan(*ZH_GOOD, avoid=("不让人看出书办受知府之命换了铁底官斗、吞没漕粮",))
    en = plan(*EN_GOOD, asks=("Did Duffy forge the insurance signature and pay the arrears from the union fund?",))
    assert [(f.code, f.where) for f in check_plan(zh, ZH, ZH_ENTRY, ZH_NEXT)] == [("truth", ("avoid[0]",))]
    assert [(f.code, f.where) for f in check_plan(en, EN, EN_ENTRY, EN_NEXT)] == [("truth", ("asks[0]",))]


def test_conduct_clues_and_questions_are_no_truth_and_a_due_one_may_be_told() -> None:
    zh = plan(*ZH_GOOD, asks=("第七斗是谁送的？",), knows=("书办管官斗", "斗上的漆是新的"), change="书办绕开官斗走")
    en = plan(*EN_GOOD, asks=("Who paid the premium, and from which fund?",), knows=("Duffy keeps a paid-up policy",))
    assert codes(zh, ZH, ZH_ENTRY, ZH_NEXT) == []
    assert codes(en, EN, EN_ENTRY, EN_NEXT) == []
    due = book("en", EN_PEOPLE, truths=(EN_TRUTH.model_copy(update={"reader_knows_from": 1}),))
    open_ = plan(*EN_GOOD, change="Duffy forged the insurance signature and paid the arrears from the union fund")
    assert codes(open_, due, EN_ENTRY, EN_NEXT) == []


def test_a_handle_stands_for_its_name() -> None:
    (fault,) = check_plan(plan(*ZH_GOOD, beat("p3连夜把旧账本烧掉")), ZH, ZH_ENTRY, ZH_NEXT)
    assert fault.code == "early"


def test_an_outline_beat_that_no_beat_takes_is_named() -> None:
    faults = check_plan(plan(*ZH_GOOD[:3]), ZH, ZH_ENTRY, None)
    assert [(f.code, f.values) for f in faults] == [("outline", {"o": "o2"})]


@pytest.mark.parametrize(("number", "wrong"), [(2, True), (3, False), (9, False), (10, True)])
def test_the_number_of_beats(number: int, wrong: bool) -> None:
    beats = [beat("Nell waits", "3#1", "3#2") for _ in range(number)]
    assert ("beats" in codes(plan(*beats), EN, EN_ENTRY, None)) == wrong


def cast(who: str, wants: str = "money") -> tuple[CastMember, ...]:
    return (CastMember(who=who, wants=wants),)


def test_the_dead_may_lie_there_and_may_want_nothing() -> None:
    dead = book("en", EN_PEOPLE, facts=(status("shu", "dead"),))
    (fault,) = check_plan(plan(*EN_GOOD, cast=cast("shu")), dead, EN_ENTRY, None)
    assert (fault.code, fault.values["who"]) == ("place", "Brandt")
    assert codes(plan(*EN_GOOD, cast=cast("shu", "")), dead, EN_ENTRY, None) == []


def test_somebody_elsewhere_needs_a_beat_that_brings_them() -> None:
    away = book("en", EN_PEOPLE, facts=(place("zhao", "town"), place("shu", "town"), place("qin", "town")))
    here: dict[str, Any] = {"places": ("gate",)}
    unmentioned = (beat("Nell waits", "3#1", "3#2"), beat("Nell waits"), beat("Nell waits"))
    (fault,) = check_plan(plan(*unmentioned, cast=cast("zhao"), **here), away, EN_ENTRY, None)
    assert (fault.code, fault.values) == ("place", {"who": "Duffy", "where": "Leeds"})
    brought = (beat("Duffy drives over", "3#1", "3#2"), *unmentioned[1:])
    assert codes(plan(*brought, cast=cast("zhao"), **here), away, EN_ENTRY, None) == []
    assert codes(plan(*unmentioned, cast=cast("zhao"), places=("town",)), away, EN_ENTRY, None) == []
    assert codes(plan(*unmentioned, cast=cast("zhao"), places=("gate", "a new place")), away, EN_ENTRY, None) == []
    later: dict[str, Any] = {"ends": {"day": 5}, **here}
    assert codes(plan(*unmentioned, cast=cast("zhao"), **later), away, EN_ENTRY, None) == []


def test_only_the_title_is_asked_again_when_the_author_bans_its_form() -> None:
    banned = book("zh", ZH_PEOPLE, style=StyleConfig(title_bans=("^.{1,4}与.{1,4}$",)))
    (fault,) = check_plan(plan(*ZH_GOOD, title="灯塔与旧潮"), banned, ZH_ENTRY, ZH_NEXT)
    assert (fault.code, fault.keys) == ("title", ("title",))
    assert codes(plan(*ZH_GOOD, title="第七斗"), banned, ZH_ENTRY, ZH_NEXT) == []


WORDS = st.lists(st.integers(0, 2000), min_size=1, max_size=12)


@given(WORDS, st.integers(100, 6000))
def test_a_fitted_plan_adds_up_to_its_target_and_loses_no_outline_beat(words: list[int], target: int) -> None:
    beats = [beat(f"w{n}", f"3#{n}", words=count) for n, count in enumerate(words)]
    fitted = fit_plan(plan(*beats), target)
    assert sum(b.words for b in fitted.beats) == target == fitted.target
    assert [key for b in fitted.beats for key in b.outline] == [f"3#{n}" for n in range(len(words))]
    assert all(b.words >= 0.08 * target for b in fitted.beats) or len(fitted.beats) <= 3
    assert [b.handle for b in fitted.beats] == [f"b{n + 1}" for n in range(len(fitted.beats))]
    assert fit_plan(fitted, target) == fitted


def test_a_small_beat_joins_the_next_and_comes_out_as_it() -> None:
    beats = [
        beat("甲要", words=500),
        beat("乙要", words=50, cost="一"),
        beat("丙要", words=500),
        beat("丁要", words=450),
    ]
    fitted = fit_plan(plan(*beats), 1500)
    assert [b.wants for b in fitted.beats] == ["甲要", "乙要；丙要", "丁要"]
    assert [b.words for b in fitted.beats] == [500, 550, 450]
