"""Any model service as a model port, over pydantic-ai's direct interface; never tries again unchanged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from inkos.adapters.models import adapt, estimate, faults
from inkos.adapters.models.answer import Gathered, page_words
from inkos.adapters.models.answered import Answered, Foreign, Spoiled
from inkos.adapters.models.bodies import completion_of, read_events, read_json
from inkos.adapters.models.memory import Memory
from inkos.adapters.models.presets import quirks_for
from inkos.adapters.models.protocols import open_model
from inkos.config import Provider, Quirks, Route
from inkos.errors import FaultKind, ModelFault
from inkos.ports import Notice, OnText, Reply, Usage
from inkos.prompts.request import Message, Request

if TYPE_CHECKING:  # importing pydantic-ai takes over a second: only a call may do it
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

# What a client library stumbles over where a body is JSON, but of another form than the protocol says.
MALFORMED = (AttributeError, LookupError, TypeError, ValueError, AssertionError)
LEAST_CAP = 256  # tokens that must be left for a reply inside a known window


class ServiceModel:
    """ModelPort over HTTP. Three clocks bound a call (`Route.timeouts`); a reply longer than the request's
    `hard_characters` is cut and comes back with finish `length`. The key appears in no message, repr or log.

    A parameter that the service refuses is left out or renamed and the call made again, once for each parameter; what
    was learnt is kept in `memory` and told in the reply's notices."""

    def __init__(self, route: Route, provider: Provider, key: str | None, memory: Memory | None = None) -> None:
        self.route = route
        self.provider = provider
        self.key = key
        self.memory = memory or Memory()

    def __repr__(self) -> str:
        return f"ServiceModel({self.where}, key {'given' if self.key else 'absent'})"

    @property
    def where(self) -> str:
        return f"{self.route.provider}/{self.route.model}"

    @property
    def quirks(self) -> Quirks:
        learned = self.memory.of(self.provider.base_url, self.route.model).quirks
        return quirks_for(self.provider, self.route.model, learned, self.route.provider)

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """One call. Raises ModelFault (kinds in errors.py); cancellation closes the connection and passes through."""
        began = time.monotonic()
        notices: list[Notice] = []
        while True:
            call = Call(self, request, self.quirks, on_text)
            fault = await call.run()
            change = call.change(fault) if fault is not None else None
            learned = _named(change) if change is not None else ""
            if fault is None or change is None or any(learned == known.values["what"] for known in notices):
                break
            self.memory.learn(self.provider.base_url, self.route.model, change)
            notices.append(Notice(code="adapted", values={"where": self.where, "what": learned}))
        if fault is not None:  # raised here, outside any except block, so that no request with its headers hangs on it
            raise fault
        return call.reply(time.monotonic() - began, tuple(notices))


def _named(change: Quirks) -> str:
    """What an adaptation changed, as data: `temperature unsent`."""
    return ", ".join(f"{name} {value}" for name, value in change.model_dump(exclude_none=True, mode="json").items())


class Call:
    """One HTTP call of a model with the quirks that hold now."""

    def __init__(self, model: ServiceModel, request: Request, quirks: Quirks, on_text: OnText | None) -> None:
        self.request, self.quirks = request, quirks
        self.route, self.provider, self.key, self.where = model.route, model.provider, model.key, model.where
        self.gathered = Gathered(request.hard_characters, on_text)
        self.streaming = self.route.stream if quirks.stream is None else quirks.stream
        self.answered = Answered(self.streaming)
        self.prompt = "\n".join(message.text for message in request.messages)
        self.cap = self._cap()
        self.temperature = _allowed(self.route.temperature, quirks)
        self.json_mode = bool(request.reply == "json" and quirks.json_mode and model_json(model))

    def _cap(self) -> int:
        """Tokens that the reply may have, inside every limit that is known. 0: no limit is sent."""
        caps = [cap for cap in (self.request.cap, self.route.max_output, self.quirks.max_output) if cap]
        window = self.window
        if window is not None and caps:
            caps.append(max(window - estimate.tokens(self.prompt), LEAST_CAP))
        return min(caps, default=0)

    @property
    def window(self) -> int | None:
        """The context window in tokens, where the author named it or trying found it."""
        return self.route.context or self.quirks.context

    def change(self, fault: ModelFault) -> Quirks | None:
        """What a refusal teaches, where it is about a parameter that was sent."""
        if fault.kind not in ("request", "context") or fault.partial:
            return None
        return adapt.adapted(
            fault.detail, token_limit=self.quirks.token_limit or "max_tokens", cap=self.cap,
            temperature=self.temperature, json_mode=self.json_mode,
        )  # fmt: skip

    async def run(self) -> ModelFault | None:
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        if self.window is not None and (size := estimate.tokens(self.prompt)) + LEAST_CAP > self.window:
            detail = f"{size} + {LEAST_CAP} > {self.window} tokens"  # not sent: nothing is paid for a cut prompt
            return ModelFault("context", where=self.where, detail=detail)
        clocks = self.route.timeouts
        try:
            async with asyncio.timeout(clocks.total):
                await self._call()
        except TimeoutError as stopped:
            if self.gathered.raw_finish:  # it was all there; only the connection was left hanging
                return None
            told = str(stopped) or f"total {clocks.total:g} s"
            return ModelFault("timeout", where=self.where, detail=told, partial=self.gathered.text)
        except (ModelAPIError, UnexpectedModelBehavior, Foreign, Spoiled, *client_errors()) as error:  # type: ignore[misc]
            if self.answered.spoiled:
                return ModelFault("server", where=self.where, detail=self.answered.spoiled, partial=self.gathered.text)
            return self._foreign() if self.answered.body is not None or self.answered.moved else self._fault(error)
        except MALFORMED as error:
            return self._malformed(error)
        return None

    async def _call(self) -> None:
        from pydantic_ai.direct import model_request

        async with open_model(self.route, self.provider, self.key, self.quirks, self.answered.look) as model:
            history, settings = _history(self.request.messages, self.quirks), self._settings()
            if self.streaming:
                await self._stream(model, history, settings)
            else:
                self.gathered.take_response(await model_request(model, history, model_settings=settings))

    async def _stream(self, model: Model[Any], history: list[ModelMessage], settings: ModelSettings) -> None:
        from pydantic_ai.direct import model_request_stream

        clocks, loop = self.route.timeouts, asyncio.get_running_loop()
        started = False
        try:
            async with (
                asyncio.timeout(clocks.first_event) as clock,
                _kept_alive(self.answered, clock, clocks.silence),
                model_request_stream(model, history, model_settings=settings) as stream,
            ):
                try:
                    async for event in stream:
                        started = True
                        clock.reschedule(loop.time() + clocks.silence)
                        self.gathered.take_event(event)
                        if self.gathered.cut:
                            await stream.close_stream()
                            break
                finally:  # also when a clock stops it: an ending that had come makes the reply whole
                    self.gathered.take_end(stream.get())
        except TimeoutError:
            if not clock.expired():
                raise
            told = f"silence {clocks.silence:g} s" if started else f"first_event {clocks.first_event:g} s"
            raise TimeoutError(told) from None

    def _settings(self) -> ModelSettings:
        settings: ModelSettings = {}
        if self.cap and self.quirks.token_limit != "unsent":
            settings["max_tokens"] = self.cap
        if self.temperature is not None:
            settings["temperature"] = self.temperature
        extra: dict[str, object] = {}
        if self.json_mode:
            extra["response_format"] = {"type": "json_object"}
        if self.streaming and self.quirks.stream_usage is False:
            from openai import Omit

            extra["stream_options"] = Omit()
        if extra:
            settings["extra_body"] = extra
        return settings

    def _foreign(self) -> ModelFault | None:
        """A 200 of another kind than asked for: understood where it holds a reply, else a fault in clear words."""
        if self.answered.moved:
            return ModelFault("request", where=self.where, detail=faults.scrub(self.answered.moved, self.key))
        body, kind = self.answered.body or "", self.answered.kind
        data = read_events(body) if kind == "text/event-stream" else [read_json(body)]
        rows = [row for row in data if isinstance(row, Mapping)]
        try:
            if completion := completion_of(self.provider.protocol, rows):
                self.gathered.take_completion(completion)
                return None
        except MALFORMED as broken:
            return self._malformed(broken)
        error = next((row for row in rows if row.get("error")), None)
        if error is not None:
            return faults.refusal(None, error, self.answered.headers, where=self.where, key=self.key)
        told = faults.scrub(f"HTTP 200, {kind}: {page_words(body)}", self.key)
        return ModelFault("request", where=self.where, detail=told)

    def _malformed(self, error: Exception) -> ModelFault:
        """A reply that is not of the form that its protocol says."""
        partial = self.gathered.text
        told = faults.scrub(f"{type(error).__name__}: {error}", self.key)[: faults.DETAIL_CHARACTERS]
        return ModelFault("incomplete" if partial else "server", where=self.where, detail=told, partial=partial)

    def _fault(self, error: Exception) -> ModelFault:
        from pydantic_ai.exceptions import ContentFilterError, ModelAPIError, ModelConnectionError, ModelHTTPError

        partial = self.gathered.text
        detail = faults.scrub(str(error), self.key)[: faults.DETAIL_CHARACTERS]
        if isinstance(error, ContentFilterError):
            return ModelFault("filtered", where=self.where, detail=detail, partial=partial)
        if isinstance(error, ModelConnectionError) or _broken_line(error):
            cause = faults.scrub(str(error.__cause__ or error), self.key)[: faults.DETAIL_CHARACTERS]
            kind: FaultKind = "incomplete" if partial else "unreachable"
            return ModelFault(kind, where=self.where, detail=cause, partial=partial)
        status = getattr(error, "status_code", None) or getattr(error, "code", None)
        body = getattr(error, "body", None) or getattr(error, "details", None)
        if isinstance(error, ModelAPIError) or body is not None or isinstance(status, int):
            number = status if isinstance(error, ModelHTTPError) or isinstance(status, int) else None
            return faults.refusal(number, body if body is not None else str(error), self.answered.headers,
                                  where=self.where, key=self.key, partial=partial)  # fmt: skip
        # what is left: a stream that held nothing, or that broke inside a chunk
        return ModelFault("incomplete" if partial else "empty", where=self.where, detail=detail, partial=partial)

    def reply(self, seconds: float, notices: tuple[Notice, ...]) -> Reply:
        """The reply that came, or the ModelFault that its ending means."""
        gathered = self.gathered
        text, finish = gathered.text, gathered.finish
        if finish == "refused" or finish == "filtered":
            detail = faults.scrub(gathered.refusal, self.key)[: faults.DETAIL_CHARACTERS]
            raise ModelFault(finish, where=self.where, detail=detail, partial=text)
        if finish == "error":
            raise ModelFault("server", where=self.where, detail=f"finish_reason {gathered.raw_finish}", partial=text)
        if not text.strip() and finish != "length":
            raise ModelFault("empty", where=self.where, detail="reasoning only" if gathered.reasoning else "")
        if finish == "incomplete":
            raise ModelFault("incomplete", where=self.where, detail="no finish_reason", partial=text)
        usage = gathered.usage or self._estimate()
        return Reply(
            text=text, reasoning=gathered.reasoning, finish="length" if finish == "length" else "stop", usage=usage,
            model=gathered.model or self.route.model, seconds=seconds, notices=notices,
        )  # fmt: skip

    def _estimate(self) -> Usage:
        return estimate.usage(self.prompt, self.gathered.text, self.gathered.reasoning)


@asynccontextmanager
async def _kept_alive(answered: Answered, clock: asyncio.Timeout, silence: float) -> AsyncIterator[None]:
    """A comment in a stream is a sign of life: it puts off the clock, and the call's total limit still holds."""
    loop = asyncio.get_running_loop()

    def alive() -> None:
        if not clock.expired():
            clock.reschedule(max(clock.when() or 0.0, loop.time() + silence))

    answered.alive = alive
    try:
        yield
    finally:
        answered.alive = lambda: None


def _allowed(temperature: float | None, quirks: Quirks) -> float | None:
    """The temperature as it may be sent: inside the allowed range, or not at all."""
    if temperature is None or quirks.temperature == "unsent":
        return None
    if quirks.temperature is None:
        return temperature
    low, high = quirks.temperature
    return min(max(temperature, low), high)


def model_json(model: ServiceModel) -> bool:
    """Whether trying has shown that this model keeps to JSON mode: no preset is trusted with that."""
    return model.memory.of(model.provider.base_url, model.route.model).quirks.json_mode is True


def client_errors() -> tuple[type[Exception], ...]:
    """What the client libraries raise by themselves in the middle of a stream, past pydantic-ai's own names."""
    import sys

    from httpx2 import HTTPError

    names = (("openai", "APIError"), ("anthropic", "APIError"), ("google.genai.errors", "APIError"))
    loaded = [getattr(sys.modules[module], name) for module, name in names if module in sys.modules]
    return (HTTPError, *loaded)


def _broken_line(error: Exception) -> bool:
    from httpx2 import TransportError

    return isinstance(error, TransportError)


def _history(messages: Sequence[Message], quirks: Quirks) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    history: list[ModelMessage] = []
    before = ""  # a system message that goes before the next user message
    for message in messages:
        if message.role == "assistant":
            history.append(ModelResponse(parts=[TextPart(content=message.text)]))
            continue
        if message.role == "system" and quirks.system == "user":
            before = f"{message.text}\n\n"
            continue
        system = message.role == "system"
        part = SystemPromptPart(message.text) if system else UserPromptPart(_marked(before, message, quirks))
        before = "" if not system else before
        if history and isinstance(history[-1], ModelRequest):
            history[-1] = ModelRequest(parts=[*history[-1].parts, part])
        else:
            history.append(ModelRequest(parts=[part]))
    return history


def _marked(before: str, message: Message, quirks: Quirks) -> Any:
    """A user message, cut where a service is to be told that the prefix may be kept (`cache: marked`)."""
    from pydantic_ai.messages import CachePoint

    if quirks.cache != "marked" or not message.cache_points:
        return before + message.text
    edges = [0, *message.cache_points, len(message.text)]
    pieces: list[Any] = [before] if before else []
    for start, end in pairwise(edges):
        if end > start:
            pieces += [message.text[start:end], CachePoint()]
    return pieces[:-1]
