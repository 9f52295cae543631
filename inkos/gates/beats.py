"""Which paragraphs of a draft belong to which beat of its plan, by shared rare words; understands neither.

Each paragraph goes to one beat, beats stand in the order of the plan, and the cut is where most words are shared. A
beat that shares nothing with any paragraph makes the answer a guess, so then there is none.
"""

from __future__ import annotations

from typing import NamedTuple

from inkos.gates.overlap import Speaker
from inkos.kernel.papers import Beat, Plan
from inkos.messages import Language
from inkos.text.count import count
from inkos.text.segment import paragraphs

OFF = 0.25  # a beat farther than this from its budget is told (design/prompts.md §5.7)


class BeatLength(NamedTuple):
    handle: str
    asked: int
    got: int

    @property
    def off(self) -> bool:
        return abs(self.got - self.asked) > OFF * self.asked


def beat_lengths(text: str, plan: Plan, language: Language, names: tuple[str, ...] = ()) -> tuple[BeatLength, ...]:
    """Asked and got of each beat in counting units; empty where the text does not show which beat is where."""
    spans = paragraphs(text)
    if len(spans) < len(plan.beats) or len(plan.beats) < 2:
        return ()
    speaker = Speaker(language, names)
    wanted = [speaker.rare(_words(beat)) | speaker.named(_words(beat)) for beat in plan.beats]
    told = [speaker.rare(span.text) | speaker.named(span.text) for span in spans]
    shared = [[len(have & want) for have in told] for want in wanted]
    if any(not any(row) for row in shared):
        return ()
    starts = _cut(shared)
    lengths = [count(span.text, language) for span in spans]
    ends = [*starts[1:], len(spans)]
    return tuple(
        BeatLength(beat.handle, beat.words, sum(lengths[start:end]))
        for beat, start, end in zip(plan.beats, starts, ends, strict=True)
    )


def _words(beat: Beat) -> str:
    return " ".join((beat.wants, beat.against, beat.cost, beat.thing))


def _cut(shared: list[list[int]]) -> list[int]:
    """Where each beat begins, so that the most is shared; every beat has a paragraph of its own at least. Best of all
    cuts, found beat by beat: `best[n]` is the most that the beats so far share with the first n paragraphs."""
    size = len(shared[0])
    best: list[float] = [0.0] + [float("-inf")] * size
    came: list[list[int]] = []
    for row in shared:
        sums = [0]
        for value in row:
            sums.append(sums[-1] + value)
        fresh, origin = [float("-inf")] * (size + 1), [0] * (size + 1)
        lead, at = float("-inf"), 0
        for end in range(1, size + 1):
            if best[end - 1] - sums[end - 1] > lead:
                lead, at = best[end - 1] - sums[end - 1], end - 1
            fresh[end], origin[end] = lead + sums[end], at
        best = fresh
        came.append(origin)
    starts, end = [], size
    for origin in reversed(came):
        end = origin[end]
        starts.append(end)
    return starts[::-1]
