"""PLAN.yaml of a batch and the briefs that it names; decides nothing about either."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inkos.adapters.config_files import checked
from inkos.adapters.disk import read_bytes
from inkos.adapters.outside import read_text
from inkos.adapters.yaml_files import Lines
from inkos.cycle.batch_plan import BatchPlan


def load_plan(path: Path, most_bytes: int) -> tuple[BatchPlan, Mapping[str, str]]:
    """The plan, and its briefs' texts by book. A brief is looked for from the plan's folder. UsageFault (`yaml-…`,
    `config-…`, `text-…`), `file-unreadable`."""
    lines = Lines()
    plan = checked(BatchPlan, read_bytes(path), str(path), lines)
    briefs = {book.book: read_text(path.parent / book.brief, most_bytes) for book in plan.books if book.brief}
    return plan, briefs
