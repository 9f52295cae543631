"""Fakes of the ports that runs use; they keep the contract of the real ones and nothing on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from inkos.config import CallLimits, Route
from inkos.cycle.wants import Committed, CommitWant, ModelWant, Outcome, Want
from inkos.errors import ModelFault
from inkos.ports import FileProblem, OnText, Reply, Usage
from inkos.prompts.request import Message, Papers, Request
from inkos.runs.record import RunStatus


class Stopped(BaseException):
    """The process died here."""


@dataclass
class MemoryRuns:
    """RunStore in memory. `die_at` counts writes: the one with that number does not happen, the process is gone."""

    records: dict[str, bytes] = field(default_factory=dict)
    artefacts: dict[str, bytes] = field(default_factory=dict)
    lines: list[Mapping[str, object]] = field(default_factory=list)
    writes: int = 0
    die_at: int | None = None

    def _write(self) -> None:
        self.writes += 1
        if self.die_at is not None and self.writes >= self.die_at:
            raise Stopped

    def save(self, run_id: str, record: bytes) -> None:
        self._write()
        self.records[run_id] = record

    def load(self, run_id: str) -> bytes:
        return self.records[run_id]

    def list(self) -> Sequence[str]:
        return sorted(self.records)

    def put(self, run_id: str, name: str, content: bytes) -> None:
        self._write()
        self.artefacts[f"{run_id}/{name}"] = content

    def get(self, run_id: str, name: str) -> bytes | None:
        return self.artefacts.get(f"{run_id}/{name}")

    def append_ledger(self, line: Mapping[str, object]) -> None:
        self._write()
        self.lines.append(line)

    def ledger(self) -> Iterator[Mapping[str, object]]:
        return iter(self.lines)

    def ledger_problems(self) -> Sequence[FileProblem]:
        return ()


@dataclass
class FakeClock:
    """Time passes only when somebody sleeps."""

    time: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@dataclass
class ScriptedModel:
    """Answers each request by a script: a reply, or an exception that is raised. Counts what was paid."""

    script: Callable[[Request, int], Reply]
    paid: list[str] = field(default_factory=list)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        self.paid.append(request.messages[-1].text)
        reply = self.script(request, len(self.paid))
        if on_text:
            on_text(reply.text)
        return reply


@dataclass
class OneModel:
    """ModelDesk with one model for every role; `others` stand in for it when it fails."""

    port: ScriptedModel
    name: str = "fake"
    others: dict[str, ScriptedModel] = field(default_factory=dict)
    limits: CallLimits = field(default_factory=CallLimits)

    def route_name(self, role: str) -> str:
        return self.name

    def route(self, role: str) -> Route:
        return Route(provider="fake", model=self.name)

    def model(self, role: str) -> ScriptedModel:
        return self.port

    def route_of(self, name: str) -> Route:
        return Route(provider="fake", model=name)

    def model_of(self, name: str) -> ScriptedModel:
        return self.others.get(name, self.port)

    def limits_of(self, name: str) -> CallLimits:
        return self.limits

    def fallbacks(self, role: str, fault: ModelFault) -> list[str]:
        return list(self.others)


def request(text: str, cap: int = 100) -> Request:
    return Request(task="plan", messages=(Message(role="user", text=text),), papers=Papers(language="en"), reply="json",
                   cap=cap)  # fmt: skip


@dataclass(frozen=True)
class ThreeSteps:
    """A machine of a row of steps; each step is one or more questions that are asked side by side; then a commit."""

    steps: tuple[tuple[str, ...], ...]
    at: int = 0
    heard: tuple[str, ...] = ()
    committed: bool = False

    @property
    def stage(self) -> str:
        return "done" if self.committed else f"step-{self.at}"

    @property
    def status(self) -> RunStatus:
        return "completed" if self.committed else "running"

    def wants(self) -> tuple[Want, ...]:
        if self.at < len(self.steps):
            known = {h.split("=")[0] for h in self.heard}
            return tuple(ModelWant(id=q, request=request(q)) for q in self.steps[self.at] if q not in known)
        return () if self.committed else (CommitWant(id="commit"),)

    def advance(self, outcome: Outcome) -> ThreeSteps:
        if isinstance(outcome, Committed):
            return replace(self, committed=True)
        said = outcome.text if outcome.kind == "replied" else outcome.fault
        after = replace(self, heard=(*self.heard, f"{outcome.want}={said}"))
        known = {h.split("=")[0] for h in after.heard}
        return replace(after, at=after.at + 1) if set(after.steps[after.at]) <= known else after

    def dump(self) -> dict[str, object]:
        return {"at": self.at, "heard": list(self.heard), "committed": self.committed}

    @classmethod
    def load(cls, steps: tuple[tuple[str, ...], ...], data: Mapping[str, object]) -> ThreeSteps:
        return cls(steps, data["at"], tuple(data["heard"]), data["committed"])  # type: ignore[arg-type]


def reply(text: str, **values: object) -> Reply:
    return Reply.model_validate({"text": text, "usage": Usage(input=10, output=5), "model": "fake", **values})
