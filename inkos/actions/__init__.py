"""The verbs of inkos, one table for all doors."""

from inkos.actions import care, demo, export, founding, production, reports, review, truth
from inkos.actions.table import ACTIONS, Action, Door

__all__ = ["ACTIONS", "Action", "Door", "care", "demo", "export", "founding", "production", "reports", "review", "truth"]
