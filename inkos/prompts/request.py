"""What one model call carries: messages, and beside them the papers they were rendered from; knows no service."""

from __future__ import annotations

from typing import Literal

from inkos.config import Role
from inkos.kernel.papers import NumberedFinding, Outline, OutlineEntry, Plan, Question
from inkos.kernel.story import StoryState
from inkos.messages import Language
from inkos.records import Record

Task = Literal["found", "outline", "plan", "draft", "settle", "audit", "revise", "again", "length", "extend", "duel"]

TASK_ROLES: dict[str, Role] = {
    "found": "founder", "outline": "founder", "plan": "planner", "draft": "writer", "settle": "settler",
    "audit": "auditor", "revise": "reviser", "again": "settler", "length": "reviser",
    "extend": "planner", "duel": "auditor",
}  # fmt: skip


class Message(Record):
    """`cache_points`: offsets in characters after which a provider may be told to cache the prefix."""

    role: Literal["system", "user", "assistant"]
    text: str
    cache_points: tuple[int, ...] = ()


class Papers(Record):
    """The papers a request was rendered from. Real adapters ignore them, doubles may read them; they are not part of
    the request's digest. Which fields are set depends on the task; `position` is the chapter's (0: founding), `take`
    the number of the attempt where several are drawn of one plan (0: only one)."""

    language: Language
    title: str = ""
    position: int = 0
    brief: str = ""
    chapters: int = 0
    length: int = 0
    found: dict[str, object] | None = None
    state: StoryState | None = None
    entry: OutlineEntry | None = None
    next_entry: OutlineEntry | None = None
    outline: Outline | None = None
    target: int = 0
    plan: Plan | None = None
    text: str = ""
    questions: tuple[Question, ...] = ()
    findings: tuple[NumberedFinding, ...] = ()
    must_keep: tuple[str, ...] = ()
    amount: int = 0
    version: int = 1
    take: int = 0


class Request(Record):
    """`cap` bounds the reply in tokens. `reply` says which reader takes it."""

    task: Task
    messages: tuple[Message, ...]
    papers: Papers
    reply: Literal["json", "prose"]
    cap: int
    hard_characters: int = 0

    @property
    def role(self) -> Role:
        return TASK_ROLES[self.task]
