"""The verbs of inkos, one table for all doors."""

from inkos.actions import auditing, care, demo, export, founding, library, production, reports, review, runs, truth
from inkos.actions.table import ACTIONS, Action, Door

__all__ = [
    "ACTIONS", "Action", "Door", "auditing", "care", "demo", "export", "founding", "library", "production",
    "reports", "review", "runs", "truth",
]  # fmt: skip
