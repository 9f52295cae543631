"""What people configure: the records of inkos.yaml and book.yaml; does not read files or the environment.

inkos.yaml (workspace): providers, routes, prices. book.yaml (book): routes by name only, length, gate, rules;
never endpoints, keys or programs, because a book folder may come from a stranger.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from inkos.messages import Language
from inkos.records import Record

Role = Literal["founder", "planner", "writer", "settler", "auditor", "reviser"]
ROLES: tuple[Role, ...] = ("founder", "planner", "writer", "settler", "auditor", "reviser")


class Timeouts(Record):
    """Three clocks of one model call, in seconds: until the first event, between two events, and in all."""

    first_event: float = Field(default=120, gt=0)
    silence: float = Field(default=60, gt=0)
    total: float = Field(default=900, gt=0)


class Quirks(Record):
    """What is peculiar about a service or one of its models; null: nothing is known, the common way holds.

    `token_limit`: the name of the parameter that caps a reply. `temperature`: the allowed range, or `unsent`.
    `system`: `user` where a system message is refused and its text goes before the first user message. `reasoning`:
    whether a model's thinking comes in a field of its own, in tags inside the text, or not at all. `stream_usage`:
    whether a stream may be asked for its usage. `context`, `max_output`: tokens. `cache`: `auto` by itself, `marked`
    where the end of a stable prefix is named. `json_mode`: whether a reply may be asked to be a JSON object.
    """

    token_limit: Literal["max_tokens", "max_completion_tokens", "unsent"] | None = None
    temperature: tuple[float, float] | Literal["unsent"] | None = None
    system: Literal["system", "user"] | None = None
    reasoning: Literal["none", "field", "tags"] | None = None
    stream: bool | None = None
    stream_usage: bool | None = None
    context: int | None = Field(default=None, gt=0)
    max_output: int | None = Field(default=None, gt=0)
    cache: Literal["auto", "marked", "none"] | None = None
    json_mode: bool | None = None
    tools: bool | None = None

    def over(self, lower: Quirks) -> Quirks:
        """These, and where they say nothing the `lower` ones."""
        return lower.model_copy(update=self.model_dump(exclude_none=True))


class CallLimits(Record):
    """What an endpoint allows; null: no limit is known. `concurrent`: calls that run at once."""

    requests_per_minute: int | None = Field(default=None, gt=0)
    tokens_per_minute: int | None = Field(default=None, gt=0)
    concurrent: int | None = Field(default=None, gt=0)


class Provider(Record):
    """An endpoint. The key stands in the environment variable `api_key_env` or in the keyring, never here.

    `preset` names a known service: what is not given here is taken from it. `base_url` of the protocol `cassette` is
    the path of a recording, from the workspace's folder. `limits` hold for all that is written at the same time."""

    preset: str = ""
    protocol: Literal["openai", "anthropic", "google", "offline", "cassette"] = "openai"
    base_url: str = ""
    api_key_env: str = ""
    quirks: Quirks = Quirks()
    limits: CallLimits = CallLimits()


class Route(Record):
    """One way to a model. `max_output` caps a reply in tokens where the model has a limit of its own; `context` is its
    window in tokens, where it is smaller than a prompt may grow."""

    provider: str
    model: str
    temperature: float | None = Field(default=None, ge=0, le=2)
    timeouts: Timeouts = Timeouts()
    stream: bool = True
    max_output: int | None = Field(default=None, gt=0)
    context: int | None = Field(default=None, gt=0)


class Price(Record):
    """Money per million tokens, in the workspace's currency. `flat`: paid by the month, a call adds nothing."""

    input: float = Field(default=0, ge=0)
    output: float = Field(default=0, ge=0)
    cached: float | None = Field(default=None, ge=0)
    flat: bool = False

    @model_validator(mode="after")
    def _says_something(self) -> Price:
        if not self.flat and not self.model_fields_set & {"input", "output"}:
            raise ValueError("input and output, or flat: true")
        return self


class RunLimits(Record):
    """Of one production run; null: no limit. `attempts` bounds tries of one call, `seconds` is wall clock, `repeats`
    how often the same question may come to nothing in the same way before a person is asked."""

    tokens: int | None = Field(default=None, gt=0)
    money: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)
    attempts: int = Field(default=3, ge=1)
    repeats: int = Field(default=3, ge=1)


class BookLimits(Record):
    """Of everything that is ever spent on one book; null: no limit. `seconds` is the working time of its runs."""

    tokens: int | None = Field(default=None, gt=0)
    money: float | None = Field(default=None, gt=0)
    seconds: float | None = Field(default=None, gt=0)


class Notify(Record):
    """Who is told what a batch has done: an address that gets a signed POST, whose secret stands in the environment
    variable `secret_env` or in the keyring; a program that gets the same JSON on standard input."""

    webhook: str = ""
    secret_env: str = ""
    command: tuple[str, ...] = ()


class WorkspaceConfig(Record):
    """inkos.yaml. `roles` maps a role, or `default`, to the name of a route. `fallbacks` maps a role to the routes that
    answer when its own fails; auditor and settler have all others unless said otherwise, the voices of the book
    (writer, reviser) have none without `allow_writer_fallback`. `cny_per_usd` turns public prices, which are in USD,
    into yuan; without it they are unknown where the currency is CNY."""

    schema_version: int = 1
    language: Language = "en"
    currency: Literal["CNY", "USD"] = "USD"
    cny_per_usd: float | None = Field(default=None, gt=0)
    providers: dict[str, Provider] = Field(default_factory=dict)
    routes: dict[str, Route] = Field(default_factory=dict)
    roles: dict[str, str] = Field(default_factory=dict)
    fallbacks: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    allow_writer_fallback: bool = False
    prices: dict[str, Price] = Field(default_factory=dict)
    limits: RunLimits = RunLimits()
    notify: Notify = Notify()


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


class SiteConfig(Record):
    """Where the book appears. `per_day`: chapters a day, fractions allowed; null: as it was in the last weeks."""

    per_day: float | None = Field(default=None, gt=0, le=100)


class BookConfig(Record):
    """book.yaml. `sites`: by the name that `chapter publish --on` is given. `predicates` and `events` extend or
    override the genre pack (kernel/rules/*.yaml)."""

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
    budget: BookLimits | None = None
    sites: dict[str, SiteConfig] = Field(default_factory=dict)
    predicates: dict[str, dict[str, object]] = Field(default_factory=dict)
    events: dict[str, dict[str, object]] = Field(default_factory=dict)
