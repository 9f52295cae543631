"""Length before it is corrected: what is asked of a writer whose measure is known, and which beats ran over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkos.gates.beats import BeatLength, beat_lengths
from inkos.gates.bias import bias, to_ask
from inkos.kernel.papers import Beat, Plan

pairs = st.lists(st.tuples(st.integers(100, 9000), st.integers(0, 20000)), max_size=20)


@given(st.integers(100, 50_000), pairs)
def test_asking_never_leaves_half_and_double_of_the_target(target: int, lately: list[tuple[int, int]]) -> None:
    assert 0.5 * target - 1 <= to_ask(target, lately) <= 2 * target + 1


@given(st.integers(500, 5000), st.floats(0.6, 1.8), st.integers(6, 20))
def test_a_steady_writer_comes_out_near_the_target(target: int, ratio: float, chapters: int) -> None:
    lately: list[tuple[int, int]] = []
    for _ in range(chapters):
        asked = to_ask(target, lately)
        lately.append((asked, round(asked * ratio)))
    assert abs(lately[-1][1] - target) <= 0.12 * target


def test_nothing_is_corrected_on_one_chapter_or_on_none_of_a_model() -> None:
    assert to_ask(2000, []) == to_ask(2000, [(2000, 3000)]) == to_ask(2000, [(0, 0)] * 5) == 2000
    assert bias([(2000, 3000)] * 8) > 1.3


PLAN = Plan(
    title="",
    pov="",
    target=60,
    beats=(
        Beat(handle="b1", wants="Tom asks the miller for eleven shillings", words=20),
        Beat(handle="b2", wants="the carrier brings the ledger through the ford", words=20),
    ),
)
TEXT = (
    "Tom stood by the sacks and asked the miller about his eleven shillings.\n\n"
    "The miller laughed.\n\n"
    "The carrier came late. His wheels had been through the ford, and the ledger under his seat was wet through, page "
    "after page of it, so that they had to hang it over the stove like washing and wait."
)


def test_the_beat_that_ran_over_is_named_with_asked_and_got() -> None:
    first, second = beat_lengths(TEXT, PLAN, "en")
    assert (first.handle, first.got) == ("b1", 16)
    assert second.off and second.got > 30


@given(st.lists(st.sampled_from(["Tom asked the miller.", "The ford was high.", "Rain.", "A ledger."]), max_size=8))
def test_beats_share_out_the_whole_text_or_nothing_is_said(lines: list[str]) -> None:
    found = beat_lengths("\n\n".join(lines), PLAN, "en")
    total = sum(len(line.rstrip(".").split()) for line in lines)
    assert found == () or sum(beat.got for beat in found) == total
    assert all(isinstance(beat, BeatLength) for beat in found)
