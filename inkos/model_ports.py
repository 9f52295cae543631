"""What the shell asks of models, as protocols and records: a call, its reply, who answers, what trying shows.

`inkos.ports` hands all of it on; import it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol

from inkos.config import CallLimits, Provider, Route
from inkos.errors import ModelFault
from inkos.gates.calibration import Calibration
from inkos.messages import Language
from inkos.prompts.request import Request
from inkos.records import Record


class Usage(Record):
    """Tokens of one call as the service reports them; `estimated` when it reports none."""

    input: int = 0
    output: int = 0
    cached: int = 0
    reasoning: int = 0
    estimated: bool = False


class Notice(Record):
    """Something a person should hear once about a call that went well: a code of `cli.told.…`, what fills it in."""

    code: str
    values: dict[str, str] = {}


class Reply(Record):
    """What came, unjudged. `text` is the content only, never reasoning. `finish` is as the service named it, mapped to
    these four; a stream without an ending is a ModelFault (`incomplete`), not a reply."""

    text: str
    reasoning: str = ""
    finish: Literal["stop", "length", "filtered", "error"] = "stop"
    usage: Usage = Usage()
    model: str = ""
    seconds: float = 0.0
    notices: tuple[Notice, ...] = ()


OnText = Callable[[str], None]


class ModelPort(Protocol):
    """One route to a model. Raises ModelFault, or lets cancellation through; never retries by itself."""

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply: ...


class ModelDesk(Protocol):
    """Who answers for a role: the route's name, its settings, and the port; and who does when that fails."""

    def route_name(self, role: str) -> str: ...
    def route(self, role: str) -> Route: ...
    def model(self, role: str) -> ModelPort: ...
    def route_of(self, name: str) -> Route: ...
    def model_of(self, name: str) -> ModelPort: ...
    def limits_of(self, name: str) -> CallLimits:
        """What the endpoint of a route allows. The endpoint's name is `route_of(name).provider`."""
        ...

    def fallbacks(self, role: str, fault: ModelFault) -> Sequence[str]:
        """Names of the routes that may answer after the role's own failed with this fault, best first."""
        ...


class Permit(Record):
    """Leave to make one call of an endpoint now. `tokens`: what it was counted as, prompt and reply; `share`: the
    seconds of the endpoint's minutes that these take. Times are seconds since the epoch."""

    id: str
    endpoint: str
    started: float
    tokens: int = 0
    share: float = 0.0


class Limiter(Protocol):
    """Who may call an endpoint, and when: one for everything that shares the endpoint's limits. Knows no run, and
    never fails a call: it only makes it wait. The arithmetic is in `inkos.runs.rates`.

    Every permit is given back once, by `leave` or by `refused`, also when its call is cancelled; one that is not (its
    process is gone) counts as running for `longest` seconds."""

    async def enter(
        self, endpoint: str, limits: CallLimits, tokens: int, *, longest: float, patience: float
    ) -> Permit | float:
        """A permit, waited for up to `patience` seconds; else about how many seconds it will still take: come again
        then, or sooner. Nothing is kept for who has not come again, so that who waits may go away."""
        ...

    async def leave(self, permit: Permit, used: int | None) -> None:
        """The call has ended. `used`: tokens that it took as the service says; null: as it was counted."""
        ...

    async def refused(self, permit: Permit, seconds: float | None) -> None:
        """The service answered that there were too many calls: nobody begins one for the `seconds` that it named (null:
        for a pace that grows with each refusal), and afterwards they begin one by one."""
        ...


class Purse(Protocol):
    """Hard caps over many runs together: asked before each call, told after it. `attempt` names the call for ever."""

    async def reserve(self, attempt: str, tokens: int, money: float | None) -> None:
        """Keep room for a call that may cost so much; waits while calls in flight keep it. Raises BudgetSpent when it
        would not fit whatever they turn out to cost."""
        ...

    def settle(self, attempt: str, tokens: int, money: float | None) -> None:
        """What it has cost. One that is never settled stays booked at what was kept for it."""
        ...


class KnownService(Record):
    """A service of which the way to it is known, as `inkos setup` offers it. `model` is a suggestion. `running`: it is
    one of this machine's own, and something listens there now."""

    name: str
    label: str
    base_url: str
    model: str
    api_key_env: str
    running: bool = False


class ProbeCheck(Record):
    """One thing that was tried on a model; `unknown` where its lack is no fault. `detail` is data, not prose."""

    name: Literal["reachable", "key", "window", "stream", "json", "tools", "reasoning", "parameters"]
    state: Literal["good", "bad", "unknown"]
    detail: str


class Probed(Record):
    """What trying has shown of one route's model, and what it took."""

    route: str
    provider: str
    model: str
    checks: tuple[ProbeCheck, ...]
    calls: int
    usage: Usage


class CanaryMeasure(Record):
    """One measure of one fixed question, with that of the last time; null: there was none."""

    question: str
    measure: str
    now: float
    before: float | None
    worse: bool


class ModelWork(Protocol):
    """What actions need of models and configuration: a part of the Workspace port. `purse`: where a batch pays."""

    @property
    def purse(self) -> Purse | None: ...

    def models(self, roles: Mapping[str, str]) -> ModelDesk: ...
    def price(self, usage: Usage, model: str) -> float | None: ...
    def has_key(self, provider: Provider) -> bool: ...
    def preset(self, provider: Provider) -> Provider:
        """The provider with what it leaves out taken from its preset."""
        ...

    def known_services(self, language: Language) -> Sequence[KnownService]: ...
    def store_key(self, name: str, key: str) -> None:
        """Into the system's keyring. InkosError `keyring-none` where there is none."""
        ...

    def set_config(self, key: str, value: str, book: str) -> str:
        """Set one dotted key of inkos.yaml, or of a book's book.yaml; the file's path. All else in the file stays as it
        is, comments too; nothing is written unless the file is valid afterwards."""
        ...

    def known_of(self, route: Route) -> Mapping[str, str]:
        """What trying has shown of a route's model, by name of the check; empty where it was never tried."""
        ...

    def calibration(self, roles: Mapping[str, str]) -> Calibration | None:
        """What `eval judge` found of the auditor's model; null where it was never asked, or nobody audits."""
        ...

    def keep_calibration(self, route: Route, found: Calibration) -> None: ...

    async def probe(self, route: str, models: ModelDesk, largest: int | None) -> Probed:
        """Try what a route's model can do and keep it. UsageFault when no service stands behind the route."""
        ...

    async def canary(self, route: str, models: ModelDesk) -> Sequence[CanaryMeasure]: ...
    async def reach(self, model: ModelPort) -> str:
        """One small real call; what came of it, in a few words. Raises the ModelFault of the call."""
        ...
