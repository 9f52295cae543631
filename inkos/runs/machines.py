"""The machines as runs drive them: a state together with what it reads; decides nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from inkos.cycle import extension, foundation, judging, moves
from inkos.cycle.chapter import ChapterState, Decided, Desk
from inkos.cycle.foundation import FoundationState, FoundingDesk
from inkos.cycle.wants import Outcome, Want
from inkos.runs.record import RunStatus


@dataclass(frozen=True)
class ChapterMachine:
    """One chapter in production."""

    state: ChapterState
    desk: Desk

    @property
    def stage(self) -> str:
        return self.state.stage

    @property
    def status(self) -> RunStatus:
        ends: dict[str, RunStatus] = {
            "accepted": "completed", "judged": "completed", "dropped": "cancelled", "review": "needs-review",
        }  # fmt: skip
        return ends.get(self.state.stage, "waiting" if self.state.stuck else "running")

    def wants(self) -> tuple[Want, ...]:
        return moves.wants(self.state, self.desk)

    def advance(self, outcome: Outcome | Decided) -> ChapterMachine:
        return ChapterMachine(moves.absorb(self.state, outcome, self.desk), self.desk)

    def dump(self) -> dict[str, object]:
        return self.state.model_dump(mode="json")


Asked = TypeVar("Asked", FoundationState, extension.ExtensionState)
With = TypeVar("With", FoundingDesk, extension.ExtensionDesk)


@dataclass(frozen=True)
class _AuthorsFiles(Generic[Asked, With]):
    """What ends as files of the author's: made visible by whoever drives it, once the run has ended."""

    state: Asked
    desk: With

    @property
    def stage(self) -> str:
        return self.state.stage

    @property
    def status(self) -> RunStatus:
        ends: dict[str, RunStatus] = {"done": "completed", "failed": "failed"}
        return ends.get(self.state.stage, "running")

    def dump(self) -> dict[str, object]:
        return self.state.model_dump(mode="json")


class FoundationMachine(_AuthorsFiles[FoundationState, FoundingDesk]):
    """One book being founded."""

    def wants(self) -> tuple[Want, ...]:
        return foundation.wants(self.state, self.desk)

    def advance(self, outcome: Outcome) -> FoundationMachine:
        return FoundationMachine(foundation.absorb(self.state, outcome, self.desk), self.desk)


class ExtensionMachine(_AuthorsFiles[extension.ExtensionState, extension.ExtensionDesk]):
    """More entries for an outline."""

    def wants(self) -> tuple[Want, ...]:
        return extension.wants(self.state, self.desk)

    def advance(self, outcome: Outcome) -> ExtensionMachine:
        return ExtensionMachine(extension.absorb(self.state, outcome, self.desk), self.desk)


@dataclass(frozen=True)
class JudgingMachine:
    """A judge that is asked about the same texts again and again; commits nothing."""

    state: judging.JudgingState
    benches: tuple[judging.Bench, ...]

    @property
    def stage(self) -> str:
        return f"{len(self.state.scores)}/{len(judging.questions_of(self.state))}"

    @property
    def status(self) -> RunStatus:
        return "running" if self.wants() else "completed"

    def wants(self) -> tuple[Want, ...]:
        return judging.wants(self.state, self.benches)

    def advance(self, outcome: Outcome) -> JudgingMachine:
        return JudgingMachine(judging.absorb(self.state, outcome, self.benches), self.benches)

    def dump(self) -> dict[str, object]:
        return self.state.model_dump(mode="json")
