"""The reviser's reply: the contract in both languages, and every row of its table (design/prompts.md §5.6, §5.7)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkos.kernel.papers import PatchSet
from inkos.prompts.readers import Read, read_length, read_revise
from inkos.text.patch import Edit, apply
from tests.prompts.reading import PROSE, finding, text_of

KETTLE = {"zh": "她把壶挪了挪", "en": "she moved the kettle an inch"}
MOVED = {"zh": "她把壶转了半圈", "en": "she turned the kettle about"}


def patch(old: str, new: str, name: str = "F1", *also: str) -> dict[str, Any]:
    return {"finding": name, "also": list(also), "old": old, "new": new}


def read(
    *patches: dict[str, Any],
    left: Any = (),
    language: Any = "en",
    findings: int = 1,
    keep: tuple[str, ...] = (),
    known: Any = (),
    prose: str = "",
) -> Read[PatchSet]:
    return read_revise(
        text_of({"patches": list(patches), "not_by_patch": list(left)}),
        findings=[finding(language, n) for n in range(1, findings + 1)],
        prose=prose or PROSE[language],
        must_keep=keep,
        known=known,
    )


def taken(*patches: dict[str, Any], **more: Any) -> list[tuple[str, str]]:
    got = read(*patches, left=more.pop("left", [{"finding": "F1", "why": "x"}]), **more)
    assert got.value is not None, got.fault
    return [(p.old, p.new) for p in got.value.patches]


def refused(*patches: dict[str, Any], **more: Any) -> str:
    got = read(*patches, left=[{"finding": "F1", "why": "x"}], **more)
    assert got.value is not None and got.value.patches == (), got
    return "; ".join(got.notes)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_reply_as_the_contract_has_it_becomes_patches(language: Any) -> None:
    got = read(patch(KETTLE[language], MOVED[language]), language=language)
    assert got.value is not None and got.fault is None
    assert [(p.finding, p.old, p.new) for p in got.value.patches] == [("F1", KETTLE[language], MOVED[language])]


@pytest.mark.parametrize("old", ["the kettle sang", "nodded", ""])
def test_an_old_that_is_not_there_or_stands_twice_is_asked_for(old: str) -> None:
    got = read(patch(old, "x y"))
    assert got.fault is not None
    assert (got.fault.code, got.fault.where, got.fault.keys) == ("old", ("patches[0]",), ("patches",))


def test_one_good_patch_of_a_finding_is_enough() -> None:
    assert taken(patch("nodded", "x"), patch(KETTLE["en"], MOVED["en"]), left=[]) == [(KETTLE["en"], MOVED["en"])]


def test_old_differs_only_in_setting() -> None:  # case F07 c
    assert (
        taken(patch("说:“叶三更欠二百两。”", "说：“三更还欠二百两。”"), language="zh")[0][0] == "说：“叶三更欠二百两。”"
    )


def test_a_long_old_is_shrunk_to_what_differs() -> None:
    paragraph = PROSE["en"].split("\n\n")[3]
    new = paragraph.replace("took off her wet shoes", "pulled off her wet shoes")
    assert taken(patch(paragraph, new)) == [
        (
            "Nell walked to the Office and took off her wet shoes.",
            "Nell walked to the Office and pulled off her wet shoes.",
        )
    ]


def test_of_overlapping_patches_the_first_is_taken() -> None:
    assert taken(patch("moved the kettle an inch", "turned the kettle"), patch(KETTLE["en"], "she sat")) == [
        ("moved the kettle an inch", "turned the kettle")
    ]


def test_a_deletion_within_a_paragraph_or_of_whole_ones_is_taken() -> None:
    first = PROSE["en"].split("\n\n")[0]
    assert taken(patch("Pym nodded. ", "")) == [("Pym nodded.", "")]
    assert taken(patch(f"{first}\n\n“Where is the slip?” she asked.", ""))
    assert "paragraph break" in refused(patch("the window.\n\n“Where is the slip?”", ""))


def test_a_replacement_may_be_half_as_long_again_and_twice_is_refused() -> None:
    got = read(patch("Pym turned a page", "Pym wet his thumb and turned a page"))
    assert got.value is not None and len(got.value.patches) == 1
    assert any("characters for" in note for note in got.notes)
    assert "characters for" in refused(
        patch("Pym turned a page", "Pym turned a page and looked at it for as long as he could bear")
    )


@pytest.mark.parametrize("name", ["", "F9", "Z"])
def test_a_patch_for_what_is_not_listed_is_refused(name: str) -> None:
    assert "not listed" in refused(patch(KETTLE["en"], MOVED["en"], name))


def test_ids_may_come_in_other_form() -> None:
    for name in ("f1", "1", "F1 "):
        assert taken(patch(KETTLE["en"], MOVED["en"], name), left=[])


def test_an_empty_not_by_patch_is_dropped() -> None:
    got = read(patch(KETTLE["en"], MOVED["en"]), left=[{"finding": "", "why": "said in passing"}])
    assert got.value is not None and got.value.not_by_patch == ()


@pytest.mark.parametrize(
    ("new", "language"),
    [
        ("she moved the kettle to Mirabel", "en"),
        ("she moved 47 kettles", "en"),
        ("she moved the kettle ninety inches", "en"),
        ("她把壶挪了四十七寸", "zh"),
        ("她把8只壶挪了挪", "zh"),
    ],
)
def test_a_name_or_figure_that_nobody_has_is_refused(new: str, language: Any) -> None:
    assert "brings in" in refused(patch(KETTLE[language], new), language=language)


def test_what_the_papers_have_may_come_in() -> None:
    assert taken(patch(KETTLE["en"], "she moved it to Mirabel"), known={"Mirabel"})
    assert taken(patch(KETTLE["en"], "she moved it two hundred steps"))


def test_what_must_stay_may_not_be_taken_away() -> None:
    unmarked = ("Pym to nobody: Nell owes two hundred",)
    assert "must stay" in refused(patch("“Nell owes two hundred,” he said", "“She owes,” he said"), keep=unmarked)
    keep = ("Pym to nobody: “Nell owes two hundred”",)
    assert "must stay" in refused(patch("“Nell owes two hundred,” he said", "“She owes,” he said"), keep=keep)
    assert taken(patch("“Nell owes two hundred,” he said", "“Nell owes two hundred,” said Pym"), keep=keep)


def test_of_a_whole_chapter_sent_back_only_what_is_near_a_finding_is_taken() -> None:
    changed = PROSE["en"].replace("moved the kettle", "turned the kettle").replace("Pym nodded", "Pym shrugged")
    got = read(patch("Nell", changed))
    assert got.value is not None
    (only,) = got.value.patches
    assert "turned the kettle" in only.new and "shrugged" not in only.new
    assert apply(PROSE["en"], [Edit(only.old, only.new)]).text.count("kettle") == 1


def test_a_finding_in_neither_list_is_asked_for() -> None:
    got = read(patch(KETTLE["en"], MOVED["en"]), findings=2)
    assert got.fault is not None
    assert (got.fault.code, got.fault.where, got.fault.keys) == ("unanswered", ("F2",), ("patches", "not_by_patch"))
    assert read(patch(KETTLE["en"], MOVED["en"], "F1", "F2"), findings=2).fault is None


def test_a_patch_that_changes_nothing_is_refused() -> None:  # case F06 a
    assert "new is old" in refused(patch(KETTLE["en"], KETTLE["en"]))


def test_nothing_at_all_is_asked_for() -> None:
    assert read().fault is not None


# ── length ────────────────────────────────────────────────────────────────────────────────────────────────────────


def lengthened(*patches: dict[str, Any], **more: Any) -> Read[PatchSet]:
    return read_length(text_of({"patches": list(patches), "not_by_patch": []}), prose=PROSE["en"], **more)


def test_a_correction_of_length_may_add_much_or_take_all() -> None:
    got = lengthened(patch("Pym turned a page.", "Pym turned a page. " * 5, "L1"), patch("Pym nodded. ", "", "L1"))
    assert got.value is not None and len(got.value.patches) == 2
    assert {p.finding for p in got.value.patches} == {"L1"}


def test_a_correction_of_length_keeps_what_must_stay_and_brings_in_nobody() -> None:
    got = lengthened(
        patch("Pym nodded", "", "L1"),
        patch(KETTLE["en"], "she called for Mirabel, who came", "L1"),
        must_keep=("Pym nodded",),
    )
    assert got.value is not None and got.value.patches == ()


def test_a_correction_of_length_without_one_usable_old_is_asked_for() -> None:
    got = lengthened(patch("nowhere at all", "", "L1"))
    assert got.fault is not None and got.fault.code == "old"
    assert lengthened().value == PatchSet()


@given(
    st.lists(
        st.tuples(
            st.integers(0, len(PROSE["en"])),
            st.integers(1, 80),
            st.text(max_size=60),
            st.sampled_from(["F1", "F2", ""]),
        ),
        max_size=6,
    )
)
def test_whatever_is_taken_can_be_applied_and_stands_once(cuts: list[tuple[int, int, str, str]]) -> None:
    prose = PROSE["en"]
    got = read(*(patch(prose[at : at + size], new, name) for at, size, new, name in cuts), findings=2)
    if got.value is not None:
        done = apply(prose, [Edit(p.old, p.new) for p in got.value.patches])
        assert done.refused == []
