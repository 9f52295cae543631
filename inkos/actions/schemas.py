"""The JSON Schema of every file that people or programs write, made from the records; writes no file."""

from __future__ import annotations

from pydantic import BaseModel

from inkos.config import BookConfig, WorkspaceConfig
from inkos.cycle.batch_plan import BatchPlan
from inkos.export.profile import Profile
from inkos.kernel.book import Index
from inkos.kernel.delta import Delta
from inkos.kernel.papers import Plan
from inkos.kernel.story import History, StoryState
from inkos.ports import Reply
from inkos.runs.record import RunRecord

SCHEMAS: dict[str, type[BaseModel]] = {
    "inkos.yaml": WorkspaceConfig,
    "book.yaml": BookConfig,
    "batch-plan": BatchPlan,
    "profile": Profile,
    "index": Index,
    "state": StoryState,
    "delta": Delta,
    "history": History,
    "plan": Plan,
    "run": RunRecord,
    "reply": Reply,
}


def document(name: str) -> dict[str, object]:
    """One schema, with its name as title. KeyError for an unknown name."""
    made = SCHEMAS[name].model_json_schema(mode="validation")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": f"inkos {name}"}
