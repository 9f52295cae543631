"""The founder's two replies: contracts in both languages, and the rows of their table (design/prompts.md §5.1)."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.prompts.contracts import FoundReply, OutlineReply
from inkos.prompts.readers import read_found, read_outline
from inkos.prompts.readers.brief import absent_figures, absent_names, altered_figures, windows, wished
from inkos.prompts.readers.figures import figures
from inkos.prompts.readers.found import count_faults
from inkos.prompts.readers.truths import leaks, only_in_truths
from inkos.prompts.readers.words import number_of
from tests.cycle.founding_replies import BRIEF, ENDS, found, outline, reply
from tests.prompts.reading import rules

LANGUAGES = ("zh", "en")


def founded(language: Any, **changes: Any) -> FoundReply:
    got = read_found(reply(found(language) | changes))
    assert got.value is not None, got.fault
    return got.value


def outlined(language: Any, **changes: Any) -> OutlineReply:
    got = read_outline(reply(outline(language) | changes), chapters=40, rules=rules())
    assert got.value is not None, got.fault
    return got.value


@pytest.mark.parametrize("language", LANGUAGES)
def test_replies_as_the_contracts_have_them_are_read(language: Any) -> None:
    people = founded(language)
    assert [p.h for p in people.cast] == ["p1", "p2", "p3"] and people.routes[0].from_ == "l1"
    book = outlined(language)
    assert len(book.chapters) == 10 and book.volumes[0].from_ == 1
    assert FoundReply.model_validate_json(people.model_dump_json()) == people
    assert not count_faults(book, 40)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cast": []}, "count"),
        ({"engine": None}, "reply-key"),
        ({"engine": {"want": "x"}}, "reply-key"),
        ({"style": {"person": "second"}}, "reply-value"),
    ],
)
def test_what_does_not_fit_is_a_fault(changes: dict[str, Any], code: str) -> None:
    got = read_found(reply(found("zh") | changes))
    assert got.fault is not None and got.fault.code == code


def test_two_people_under_one_handle_are_a_fault() -> None:
    cast = found("zh")["cast"]
    cast[1]["h"] = "p1"
    got = read_found(reply(found("zh") | {"cast": cast}))
    assert got.fault is not None and (got.fault.code, got.fault.where) == ("reply-handle", ("cast[1]",))


def test_long_strings_are_taken_and_counted() -> None:
    got = read_found(reply(found("zh") | {"ceiling": "一句。两句。三句。"}))
    assert got.value is not None and any("longer than asked" in note for note in got.notes)


# ── counts ────────────────────────────────────────────────────────────────────────────────────────────────────────


def chapters(count: int, **changes: Any) -> list[dict[str, Any]]:
    base = outline("zh")["chapters"][0]
    return [base | {"title": f"t{n}", "end_kind": ENDS[n % 7]} | changes for n in range(count)]


def test_other_than_ten_chapters_is_off() -> None:
    assert count_faults(outlined("zh", chapters=chapters(8)), 40).first() is not None
    assert count_faults(outlined("zh", chapters=chapters(11)), 40).first() is not None


def test_a_book_of_six_chapters_has_six() -> None:
    book = outlined("zh", chapters=chapters(6), volumes=[{"title": "v", "from": 1, "to": 6, "goal": "", "loss": ""}])
    assert not count_faults(book, 6)


@pytest.mark.parametrize("beats", [2, 7])
def test_beats_outside_three_to_six_are_off(beats: int) -> None:
    made = chapters(10)
    made[3]["beats"] = [f"beat {n}" for n in range(beats)]
    fault = count_faults(outlined("zh", chapters=made), 40).first()
    assert fault is not None and (fault.code, fault.where, fault.keys) == (
        "count",
        ("chapters[3].beats",),
        ("chapters",),
    )


def test_three_ends_of_one_kind_running_are_off() -> None:
    made = chapters(10)
    for n in (4, 5, 6):
        made[n]["end_kind"] = "danger"
    fault = count_faults(outlined("zh", chapters=made), 40).first()
    assert fault is not None and "chapters[6].end_kind" in fault.where


@pytest.mark.parametrize("spans", [[(1, 15), (17, 40)], [(1, 15), (15, 40)], [(1, 15), (16, 39)], [(2, 40)], []])
def test_volumes_with_holes_are_off(spans: list[tuple[int, int]]) -> None:
    volumes = [{"title": f"v{a}", "from": a, "to": b, "goal": "g", "loss": "l"} for a, b in spans]
    fault = count_faults(outlined("zh", volumes=volumes), 40).first()
    assert fault is not None and fault.keys == ("volumes",)


def test_the_last_volume_may_leave_its_end_open() -> None:
    volumes = [{"title": "v", "from": 1, "to": 0, "goal": "g", "loss": "l"}]
    assert outlined("zh", volumes=volumes).volumes[0].to == 40


def test_a_line_that_stands_for_chapters_is_no_chapter() -> None:  # case A21
    made = [
        *chapters(6),
        {"title": "……（其余各章照此推进）……", "function": "", "beats": [], "required": "", "end_kind": "result"},
    ]
    got = read_outline(reply(outline("zh") | {"chapters": made}), chapters=40, rules=rules())
    assert got.value is not None and len(got.value.chapters) == 6
    assert any("not written out" in note for note in got.notes)
    assert count_faults(got.value, 40).first() is not None  # the gap is asked for


def test_a_predicate_that_only_renames_one_of_the_table_is_that_one() -> None:
    own = outline("en")["predicates"][0]
    state = {
        "facts": [{"subject": "p1", "predicate": "whereabouts", "object": "l1", "quote": "x"}],
        "clock": {"day": 1},
    }
    book = outlined("en", predicates=[own | {"name": "whereabouts"}, own], state=state)
    assert [p.name for p in book.predicates] == ["lamp_oil"]
    assert book.state.facts[0].predicate == "location"


def test_events_of_a_predicate_that_nobody_knows_are_dropped() -> None:
    own = outline("en")["predicates"][0] | {"rule": "licensed", "licensed_by": ["yawning"]}
    (made,) = outlined("en", predicates=[own]).predicates
    assert (made.licensed_by, made.rule) == ((), "none")


# ── truths ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_founding_that_keeps_its_truths_leaks_nothing(language: Any) -> None:
    assert leaks(founded(language), language) == []
    assert leaks(founded(language), language, outlined(language)) == []


LEAKS = {
    "zh": "阿瑶夜里掐灭了灯芯，好放私船过河",
    "en": "Ada Quill pinched out the wick so a smuggler's boat could cross",
}
NEAR = {"zh": "阿瑶夜里守着船", "en": "Ada waits for a boat at night"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_truth_in_another_field_is_named_with_its_place(language: Any) -> None:
    cast = found(language)["cast"]
    cast[1]["tie"] = LEAKS[language]
    assert leaks(founded(language, cast=cast), language) == ["cast[1].tie"]
    book = outline(language)["chapters"]
    book[2]["beats"][1] = LEAKS[language]
    assert leaks(founded(language), language, outlined(language, chapters=book)) == ["chapters[2].beats[1]"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_conduct_and_beliefs_are_no_leak(language: Any) -> None:
    cast = found(language)["cast"]
    cast[1]["tie"] = NEAR[language]
    cast[0]["believes"] = LEAKS[language]
    assert leaks(founded(language, cast=cast), language) == []


def test_somebody_whom_only_a_truth_names_is_found() -> None:
    secrets = found("zh")["secrets"]
    secrets[0]["truth"] = "死去的老船工罗七掐灭了灯芯。"
    cast = found("zh")["cast"]
    cast.append(cast[2] | {"h": "p4", "name": "罗七", "aliases": []})
    assert [p.name for p in only_in_truths(founded("zh", secrets=secrets, cast=cast), BRIEF["zh"])] == ["罗七"]


# ── the brief ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "language", "names"),
    [
        ("Nell Harrow came to Coldstone Ferry.", "en", []),
        ("Somebody came.", "en", ["Nell Harrow", "Coldstone Ferry"]),
        ("叶三更守灯", "zh", []),
        ("有人守灯", "zh", ["叶三更"]),
    ],
)
def test_names_of_the_brief_that_are_missing_are_found(text: str, language: Any, names: list[str]) -> None:
    assert absent_names(BRIEF[language], text, language) == names


def test_figures_of_the_brief_are_found_in_any_form() -> None:
    assert absent_figures("欠一百二十两，限四十天", "欠120两，四十天为限", "zh") == []
    assert absent_figures("欠一百二十两，限四十天", "欠120两", "zh") == ["四十"]
    assert absent_figures("owes 120 crowns", "owes a hundred and twenty crowns", "en") == []
    assert absent_figures("第12章之前不说。全书四十章，每章两千字。", "", "zh") == []
    assert absent_figures("40 chapters of 2,000 words; not before chapter 20", "", "en") == []


def test_a_figure_under_the_same_words_with_another_value_is_altered() -> None:
    assert [a.stated for a in altered_figures("他欠船行一百二十两。", ["他欠船行二百两"], "zh")] == ["一百二十"]
    assert altered_figures("他欠船行一百二十两。", ["他欠船行二百两", "共一百二十两"], "zh") == []
    assert altered_figures("他欠船行一百二十两。", ["又借了二百两"], "zh") == []
    assert [a.found for a in altered_figures("She owes 120 crowns.", ["Nell owes 200 crowns now"], "en")] == ["200"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_brief_keeps_back_until_a_chapter_is_found(language: Any) -> None:
    assert [chapter for _, chapter in windows(BRIEF[language], language)] == [20]
    assert windows("没有这样的话。Nothing of the kind.", language) == []


def test_only_wishes_that_the_brief_has_are_rules() -> None:
    assert wished("短句", BRIEF["zh"]) and wished("突然", BRIEF["zh"]) and wished("short sentences", BRIEF["en"])
    assert not wished("仿佛", BRIEF["zh"]) and not wished("no adverbs at all", BRIEF["en"])


# ── figures ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("四十", 40),
        ("十二", 12),
        ("一百零八", 108),
        ("一百二", 120),
        ("三千五", 3500),
        ("两万三千", 23000),
        ("一亿", 10**8),
        ("二〇二六", 2026),
        ("廿一", 21),
        ("壹佰零捌", 108),
        ("1,220", 1220),
        ("１２", 12),
        ("3.5", 3.5),
        ("-4", -4),
        ("forty", 40),
        ("forty-two", 42),
        ("a hundred and twenty", 120),
        ("two thousand five hundred", 2500),
        ("seven", 7),
        ("半", None),
        ("about forty", None),
        ("四十两", None),
        ("", None),
        ("and", None),
        ("a", None),
        ("1,22", None),
    ],
)
def test_a_figure_in_words_is_read_when_it_is_one_and_nothing_else(text: str, value: float | None) -> None:
    assert number_of(text) == value


def han(number: int) -> str:
    """A whole number below a hundred million in Chinese numerals."""
    digits = "零一二三四五六七八九"
    if number >= 10_000:
        head, rest = divmod(number, 10_000)
        return han(head) + "万" + ("" if not rest else ("零" if rest < 1000 else "") + han(rest))
    out, zero = "", False
    for unit, mark in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, number = divmod(number, unit)
        if digit:
            out += ("零" if zero and out else "") + digits[digit] + mark
            zero = False
        else:
            zero = True
    return out or "零"


@given(st.integers(0, 99_999_999))
def test_every_numeral_is_read_as_its_number(number: int) -> None:
    assert number_of(han(number)) == number
    assert number_of(str(number)) == number
    assert number_of(f"{number:,}") == number


def test_figures_of_a_text_leave_idle_words_alone() -> None:
    assert set(figures("他十分着急，万一三百两没了。", "zh")) == {300.0}


@given(st.sampled_from(LANGUAGES), st.randoms(use_true_random=False))
def test_replies_with_parts_missing_are_read_without_an_exception(language: Any, chance: Any) -> None:
    for value, read in ((found(language), read_found), (outline(language), None)):
        broken = mutilated(copy.deepcopy(value), chance)
        got: Any = read(reply(broken)) if read else read_outline(reply(broken), chapters=40, rules=rules())
        assert (got.value is None) == (got.fault is not None)


def mutilated(value: Any, chance: Any) -> Any:
    """The same reply with things dropped, nulled and turned into one another."""
    if chance.random() < 0.03:
        return chance.choice([None, "", 0, [], {}, "x", True, -1.5])
    if isinstance(value, dict):
        return {k: mutilated(v, chance) for k, v in value.items() if chance.random() > 0.02}
    if isinstance(value, list):
        return [mutilated(v, chance) for v in value]
    return value
