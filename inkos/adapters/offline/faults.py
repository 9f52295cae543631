"""Faults that the offline author is told to make, so that a rehearsal shows what the pipeline does about them."""

from __future__ import annotations

from typing import Literal

from inkos.records import Record


class PlannedFault(Record):
    """In the first draft of the chapter at `position`: `contradict` tells of a thing in the wrong hands, `overlong`
    runs about 40 % over, `worn` has a worn phrase. `phrases` are whole sentences for `worn` (the first is drafted;
    slots as in data/*.yaml, which also has the ones used when none are given); with `stubborn` the reviser only swaps
    it for the second."""

    position: int
    kind: Literal["contradict", "overlong", "worn"]
    stubborn: bool = False
    phrases: tuple[str, ...] = ()
