"""What people configure: the records of inkos.yaml and book.yaml; does not read files or the environment.

inkos.yaml (workspace): providers, routes, prices. book.yaml (book): routes by name only, length, gate, rules;
never endpoints, keys or programs, because a book folder may come from a stranger.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from inkos.messages import Language
from inkos.records import Record

Role = Literal["founder", "planner", "writer", "settler", "auditor", "reviser"]
ROLES: tuple[Role, ...] = ("founder", "planner", "writer", "settler", "auditor", "reviser")


class Timeouts(Record):
    """Three clocks of one model call, in seconds: until the first event, between two events, and in all."""

    first_event: float = Field(default=120, gt=0)
    silence: float = Field(default=60, gt=0)
    total: float = Field(default=900, gt=0)


class Provider(Record):
    """An endpoint. The key stands in the environment variable `api_key_env` or in the keyring, never here."""

    protocol: Literal["openai", "offline"] = "openai"
    base_url: str = ""
    api_key_env: str = ""


class Route(Record):
    """One way to a model. `max_output` caps a reply in tokens where the model has a limit of its own."""

    provider: str
    model: str
    temperature: float | None = Field(default=None, ge=0, le=2)
    timeouts: Timeouts = Timeouts()
    stream: bool = True
    max_output: int | None = Field(default=None, gt=0)


class Price(Record):
    """Money per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)


class RunLimits(Record):
    """Of one production run; null: no limit. `attempts` bounds tries of one call, `seconds` is wall clock."""

    tokens: int | None = Field(default=None, gt=0)
    money: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)
    attempts: int = Field(default=3, ge=1)


class WorkspaceConfig(Record):
    """inkos.yaml. `roles` maps a role, or `default`, to the name of a route."""

    schema_version: int = 1
    language: Language = "en"
    currency: Literal["CNY", "USD"] = "USD"
    providers: dict[str, Provider] = Field(default_factory=dict)
    routes: dict[str, Route] = Field(default_factory=dict)
    roles: dict[str, str] = Field(default_factory=dict)
    prices: dict[str, Price] = Field(default_factory=dict)
    limits: RunLimits = RunLimits()


class LengthConfig(Record):
    """Target of a chapter in the book's counting unit; `soft`, `hard`: shares of the target (design: ±10 %, ±25 %)."""

    target: int = Field(default=2500, ge=100, le=50_000)
    soft: float = Field(default=0.10, gt=0, lt=1)
    hard: float = Field(default=0.25, gt=0, lt=1)
    count_punctuation: bool = False


class GateConfig(Record):
    """Policy of the loop (design/chapter.md): score to pass, least gain for a revision to count, revision rounds."""

    pass_score: float = Field(default=85, ge=0, le=100)
    margin: float = Field(default=3, ge=0)
    rounds: int = Field(default=1, ge=0, le=10)
    on_low_score: Literal["flag", "hold"] = "flag"


class StyleConfig(Record):
    """How the book is told. `bans` are words or phrases, `ban_patterns` regular expressions that must not stand in the
    prose, `title_bans` patterns for titles; all three are the author's own and enforced exactly."""

    person: Literal["first", "third"] = "third"
    tense: Literal["past", "present"] | None = None
    pov: str = ""
    wants: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    ban_patterns: tuple[str, ...] = ()
    title_bans: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()


class SeriesConfig(Record):
    name: str
    position: float = 1


class BookConfig(Record):
    """book.yaml. `predicates` and `events` extend or override the genre pack (kernel/rules/*.yaml)."""

    schema_version: int = 1
    id: str
    title: str
    author: str = ""
    language: Language
    genre: str = "general"
    form: Literal["serial", "standalone"] = "serial"
    chapters: int = Field(default=100, ge=1, le=100_000)
    series: SeriesConfig | None = None
    cover: str = ""
    rehearsal: bool = False
    length: LengthConfig = LengthConfig()
    gate: GateConfig = GateConfig()
    style: StyleConfig = StyleConfig()
    roles: dict[str, str] = Field(default_factory=dict)
    limits: RunLimits | None = None
    predicates: dict[str, dict[str, object]] = Field(default_factory=dict)
    events: dict[str, dict[str, object]] = Field(default_factory=dict)
