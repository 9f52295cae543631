"""Any OpenAI-compatible service as a model port, over pydantic-ai's direct interface; knows no roles, never retries."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from inkos.adapters.models import estimate, faults
from inkos.adapters.models.answer import Gathered, page_words, read_completion, read_events
from inkos.config import Provider, Route
from inkos.errors import ModelFault
from inkos.ports import OnText, Reply, Usage
from inkos.prompts.request import Message, Request

if TYPE_CHECKING:  # importing pydantic-ai takes over a second: only a call may do it
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.settings import ModelSettings

NO_KEY = "none"  # sent where a service needs no key; the client library insists on one


class Foreign(Exception):
    """A 200 whose body is not of the kind that was asked for; the body is kept in `Answered`."""


class Answered:
    """The last HTTP answer of one call as it was before the client library read it."""

    def __init__(self, streaming: bool) -> None:
        self.streaming = streaming
        self.headers: dict[str, str] = {}
        self.kind = ""
        self.body: str | None = None

    async def look(self, response: Any) -> None:
        """A hook of the HTTP client: keeps headers, and takes aside a 200 that the library would misread (a web page,
        a stream that nobody asked for, plain JSON in place of a stream)."""
        self.headers = dict(response.headers)
        self.kind = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        plain = self.kind in ("text/html", "application/xhtml+xml")
        other = self.kind == ("application/json" if self.streaming else "text/event-stream")
        if response.status_code == 200 and (plain or other):
            await response.aread()
            self.body = response.content.decode("utf-8", errors="replace")
            raise Foreign(self.kind)


class OpenAIModel:
    """ModelPort over HTTP. Three clocks bound a call (`Route.timeouts`); a reply longer than the request's
    `hard_characters` is cut and comes back with finish `length`. The key appears in no message, repr or log."""

    def __init__(self, route: Route, provider: Provider, key: str | None) -> None:
        self.route = route
        self.provider = provider
        self._key = key

    def __repr__(self) -> str:
        return f"OpenAIModel({self.where}, key {'given' if self._key else 'absent'})"

    @property
    def where(self) -> str:
        return f"{self.route.provider}/{self.route.model}"

    async def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """One call. Raises ModelFault (kinds in errors.py); cancellation closes the connection and passes through."""
        began = time.monotonic()
        gathered = Gathered(request.hard_characters, on_text)
        fault = await self._run(request, gathered)
        if fault is not None:  # raised here, outside any except block, so that no request with its headers hangs on it
            raise fault
        return self._reply(request, gathered, time.monotonic() - began)

    async def _run(self, request: Request, gathered: Gathered) -> ModelFault | None:
        from openai import APIError
        from pydantic_ai.exceptions import ModelAPIError, UnexpectedModelBehavior

        answered = Answered(self.route.stream)
        clocks = self.route.timeouts
        try:
            async with asyncio.timeout(clocks.total):
                await self._call(request, gathered, answered)
        except TimeoutError as stopped:
            if gathered.raw_finish:  # it was all there; only the connection was left hanging
                return None
            told = str(stopped) or f"total {clocks.total:g} s"
            return ModelFault("timeout", where=self.where, detail=told, partial=gathered.text)
        except (ModelAPIError, UnexpectedModelBehavior, APIError, Foreign) as error:
            if answered.body is not None:
                return self._foreign(answered, gathered)
            return self._fault(error, answered.headers, gathered)
        return None

    async def _call(self, request: Request, gathered: Gathered, answered: Answered) -> None:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient
        from pydantic_ai.direct import model_request

        http = DefaultAsyncHttpxClient(timeout=None, event_hooks={"response": [answered.look]})
        # one client a call: a client is bound to its event loop, and a call lasts far longer than making one
        client = AsyncOpenAI(
            api_key=self._key or NO_KEY, base_url=self.provider.base_url or None, max_retries=0, http_client=http
        )
        async with client:
            model = _chat_model(self.route, self.provider, client)
            history, settings = _history(request.messages), self._settings(request)
            if self.route.stream:
                await self._stream(model, history, settings, gathered)
            else:
                gathered.take_response(await model_request(model, history, model_settings=settings))

    async def _stream(
        self, model: OpenAIChatModel, history: list[ModelMessage], settings: ModelSettings, gathered: Gathered
    ) -> None:
        from pydantic_ai.direct import model_request_stream

        clocks, loop = self.route.timeouts, asyncio.get_running_loop()
        started = False
        try:
            async with (
                asyncio.timeout(clocks.first_event) as clock,
                model_request_stream(model, history, model_settings=settings) as stream,
            ):
                try:
                    async for event in stream:
                        started = True
                        clock.reschedule(loop.time() + clocks.silence)
                        gathered.take_event(event)
                        if gathered.cut:
                            await stream.close_stream()
                            break
                finally:  # also when a clock stops it: an ending that had come makes the reply whole
                    gathered.take_end(stream.get())
        except TimeoutError:
            if not clock.expired():
                raise
            told = f"silence {clocks.silence:g} s" if started else f"first_event {clocks.first_event:g} s"
            raise TimeoutError(told) from None

    def _settings(self, request: Request) -> ModelSettings:
        settings: ModelSettings = {}
        caps = [cap for cap in (request.cap, self.route.max_output) if cap]
        if caps:
            settings["max_tokens"] = min(caps)
        if self.route.temperature is not None:
            settings["temperature"] = self.route.temperature
        return settings

    def _foreign(self, answered: Answered, gathered: Gathered) -> ModelFault | None:
        """A 200 of another kind than asked for: understood where it holds a reply, else a fault in clear words."""
        body = answered.body or ""
        if answered.kind == "text/event-stream":
            data: object = read_events(body)
        else:
            data = read_completion(body)
        if isinstance(data, Mapping) and "choices" in data:
            gathered.take_completion(data)
            return None
        if isinstance(data, Mapping) and "error" in data:
            return faults.refusal(None, data, answered.headers, where=self.where, key=self._key)
        told = faults.scrub(f"HTTP 200, {answered.kind}: {page_words(body)}", self._key)
        return ModelFault("request", where=self.where, detail=told)

    def _fault(self, error: Exception, headers: Mapping[str, str], gathered: Gathered) -> ModelFault:
        from pydantic_ai.exceptions import ContentFilterError, ModelAPIError, ModelConnectionError, ModelHTTPError

        detail = faults.scrub(str(error), self._key)[: faults.DETAIL_CHARACTERS]
        if isinstance(error, ModelConnectionError):
            kind = "incomplete" if gathered.text else "unreachable"
            cause = faults.scrub(str(error.__cause__ or error), self._key)[: faults.DETAIL_CHARACTERS]
            return ModelFault(kind, where=self.where, detail=cause, partial=gathered.text)  # type: ignore[arg-type]
        if isinstance(error, ContentFilterError):
            return ModelFault("filtered", where=self.where, detail=detail, partial=gathered.text)
        if isinstance(error, ModelAPIError):
            status = error.status_code if isinstance(error, ModelHTTPError) else None
            body = error.body if error.body is not None else str(error)
            return faults.refusal(status, body, headers, where=self.where, key=self._key, partial=gathered.text)
        # what is left: a stream that held nothing, or that broke inside a chunk
        kind = "incomplete" if gathered.text else "empty"
        return ModelFault(kind, where=self.where, detail=detail, partial=gathered.text)  # type: ignore[arg-type]

    def _reply(self, request: Request, gathered: Gathered, seconds: float) -> Reply:
        text, finish = gathered.text, gathered.finish
        if finish == "refused" or finish == "filtered":
            detail = faults.scrub(gathered.refusal, self._key)[: faults.DETAIL_CHARACTERS]
            raise ModelFault(finish, where=self.where, detail=detail, partial=text)
        if finish == "error":
            raise ModelFault("server", where=self.where, detail=f"finish_reason {gathered.raw_finish}", partial=text)
        if not text.strip() and finish != "length":
            raise ModelFault("empty", where=self.where, detail="reasoning only" if gathered.reasoning else "")
        if finish == "incomplete":
            raise ModelFault("incomplete", where=self.where, detail="no finish_reason", partial=text)
        usage = gathered.usage or self._estimate(request, gathered)
        return Reply(
            text=text, reasoning=gathered.reasoning, finish="length" if finish == "length" else "stop",
            usage=usage, model=gathered.model or self.route.model, seconds=seconds,
        )  # fmt: skip

    @staticmethod
    def _estimate(request: Request, gathered: Gathered) -> Usage:
        prompt = "\n".join(message.text for message in request.messages)
        return estimate.usage(prompt, gathered.text, gathered.reasoning)


def _chat_model(route: Route, provider: Provider, client: Any) -> OpenAIChatModel:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    # OpenAI itself refuses `max_tokens` for its newer models; most other services know only that name.
    own = (urlsplit(provider.base_url).hostname or "").endswith("openai.com") or not provider.base_url
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=own)
    service = OpenAICompatibleProvider(route.provider, openai_client=client, profile=profile)
    return OpenAIChatModel(route.model, provider=service)


def _history(messages: Sequence[Message]) -> list[ModelMessage]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    history: list[ModelMessage] = []
    for message in messages:
        if message.role == "assistant":
            history.append(ModelResponse(parts=[TextPart(content=message.text)]))
            continue
        part = SystemPromptPart(message.text) if message.role == "system" else UserPromptPart(message.text)
        if history and isinstance(history[-1], ModelRequest):
            history[-1] = ModelRequest(parts=[*history[-1].parts, part])
        else:
            history.append(ModelRequest(parts=[part]))
    return history
