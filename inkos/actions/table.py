"""The table of verbs: a typed command, its typed result, its risk; does not know what any verb does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from inkos.ports import Workspace
from inkos.records import Record
from inkos.runs.events import Emit

Risk = Literal["reads", "pays", "writes", "destroys"]
C = TypeVar("C", bound=Record)
R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Door:
    """What every verb is handed: the workspace, who listens to progress, and how to be asked to stop."""

    workspace: Workspace
    emit: Emit
    stopped: Callable[[], bool]


@dataclass(frozen=True)
class Action(Generic[C, R]):
    """`undo` names the command that takes it back, empty where nothing can or need be taken back."""

    name: str
    command: type[C]
    result: type[R]
    risk: Risk
    run: Callable[[Door, C], Awaitable[R]]
    undo: str = ""


ACTIONS: dict[str, Action[Record, Record]] = {}


def action(
    name: str, command: type[C], result: type[R], risk: Risk, undo: str = ""
) -> Callable[[Callable[[Door, C], Awaitable[R]]], Callable[[Door, C], Awaitable[R]]]:
    """Enter a verb into the table."""

    def enter(run: Callable[[Door, C], Awaitable[R]]) -> Callable[[Door, C], Awaitable[R]]:
        assert name not in ACTIONS, name
        ACTIONS[name] = Action(name, command, result, risk, run, undo)  # type: ignore[arg-type]
        return run

    return enter
