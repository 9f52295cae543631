"""A plan against outline and state, and the plan made to fit its target; does not know how a plan is asked for.

A false fault costs a call and confuses the planner, so `early` and `truth` need both a name and most of the rare words
of one sentence: what merely touches the same people or things is no fault.
"""

from __future__ import annotations

from inkos.kernel.book import Book
from inkos.kernel.papers import OutlineEntry, Plan, ReplyFault


def check_plan(plan: Plan, book: Book, entry: OutlineEntry, next_entry: OutlineEntry | None) -> tuple[ReplyFault, ...]:
    """What does not fit: beats, outline, early, truth, place, title, in this order; each with up to five places."""
    return ()


def fit_plan(plan: Plan, target: int) -> Plan:
    """The plan with its words scaled to `target`; a beat below 8 % of it is merged with the next."""
    return plan
