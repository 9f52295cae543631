"""The three ways of speaking to a service, each opened as a model of pydantic-ai; knows no task and no reply."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from inkos.config import Provider, Quirks, Route
from inkos.errors import InkosError

if TYPE_CHECKING:  # importing pydantic-ai takes over a second: only a call may do it
    import ssl

    from httpx2 import AsyncClient
    from pydantic_ai.models import Model

NO_KEY = "none"  # sent where a service needs no key; the client libraries insist on one
# Never written by a model: what stands between tags in a reply is the readers' business (a story may show such tags).
NO_TAGS = ("\x00no tag\x00", "\x00no tag\x00")
LIBRARIES = (r"openai\b", r"anthropic\b", r"google\.genai\b", r"pydantic_ai\b")
EXTRAS = {"anthropic": "anthropic", "google": "google.genai"}  # protocol (and extra) → the package it needs

Look = Callable[[Any], Awaitable[None]]
Opened = AbstractAsyncContextManager["Model[Any]"]


@cache
def _certificates() -> ssl.SSLContext:
    """Read once in a process: reading them takes as long as everything else that a client does for a call."""
    from httpx2 import create_ssl_context

    return create_ssl_context()


def _http(look: Look, limit: float | None = None) -> AsyncClient:
    """The HTTP client of one call: no redirects (a key in a header of its own would go along to another host), nothing
    packed, and no clock but ours unless a library insists on one (`limit`, in seconds)."""
    from httpx2 import AsyncClient

    return AsyncClient(
        timeout=limit, verify=_certificates(), follow_redirects=False, headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [look]},
    )  # fmt: skip


def require(protocol: str, where: str) -> None:
    """InkosError `extra-missing` when the client library of a protocol is not installed."""
    package = EXTRAS.get(protocol)
    try:
        found = package is None or find_spec(package) is not None
    except ModuleNotFoundError:  # of a parent package
        found = False
    if not found:
        raise InkosError("extra-missing", where=where, extra=protocol, protocol=protocol)


def open_model(route: Route, provider: Provider, key: str | None, quirks: Quirks, look: Look) -> Opened:
    """The model of a route for one call; `look` sees each HTTP answer first. A client is bound to its event loop and a
    call lasts far longer than making one, so each call has its own."""
    for library in LIBRARIES:  # their warnings about what a service answered would stand in the middle of the output
        warnings.filterwarnings("ignore", module=library)
    return _PROTOCOLS[provider.protocol](route, provider, key or NO_KEY, quirks, look)


@asynccontextmanager
async def _openai(route: Route, provider: Provider, key: str, quirks: Quirks, look: Look) -> AsyncIterator[Model[Any]]:
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    http = _http(look)
    client = AsyncOpenAI(api_key=key, base_url=provider.base_url or None, max_retries=0, http_client=http)
    profile = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=quirks.token_limit == "max_completion_tokens", thinking_tags=NO_TAGS
    )
    async with client:
        service = OpenAICompatibleProvider(route.provider, openai_client=client, profile=profile)
        yield OpenAIChatModel(route.model, provider=service)


@asynccontextmanager
async def _anthropic(
    route: Route, provider: Provider, key: str, quirks: Quirks, look: Look
) -> AsyncIterator[Model[Any]]:
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    http = _http(look)
    base_url = provider.base_url.removesuffix("/").removesuffix("/v1") or None  # the library adds /v1 itself
    async with AsyncAnthropic(api_key=key, base_url=base_url, max_retries=0, http_client=http) as client:
        yield AnthropicModel(route.model, provider=AnthropicProvider(anthropic_client=client))


@asynccontextmanager
async def _google(route: Route, provider: Provider, key: str, quirks: Quirks, look: Look) -> AsyncIterator[Model[Any]]:
    from google.genai.types import HttpRetryOptions
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    # The library insists on a limit of its own; ours (`Route.timeouts`) runs out first.
    base_url = provider.base_url.removesuffix("/").removesuffix("/v1beta").removesuffix("/v1") or None
    async with _http(look, route.timeouts.total + 60) as http:
        service = GoogleProvider(
            api_key=key, http_client=http, base_url=base_url, retry_options=HttpRetryOptions(attempts=1)
        )
        yield GoogleModel(route.model, provider=service)


_PROTOCOLS: dict[str, Callable[[Route, Provider, str, Quirks, Look], Opened]] = {
    "openai": _openai, "anthropic": _anthropic, "google": _google,
}  # fmt: skip


def prepare(protocols: Collection[str]) -> None:
    """Import what these protocols need, where several threads will call at once: the libraries' modules import each
    other in circles, and threads that begin at the same moment see half of one. What is not installed is left out: the
    call that needs it says so."""
    named = {
        "openai": ("openai", "pydantic_ai.models.openai", "pydantic_ai.providers.openai_compatible"),
        "anthropic": ("pydantic_ai.models.anthropic", "pydantic_ai.providers.anthropic"),
        "google": ("pydantic_ai.models.google", "pydantic_ai.providers.google"),
    }
    for protocol in named.keys() & set(protocols):
        for module in ("pydantic_ai.direct", "pydantic_ai.usage", "httpx2", *named[protocol]):
            with contextlib.suppress(ImportError):
                import_module(module)
