"""What is peculiar about services: the table, what a refusal teaches, what is remembered, who stands in for whom."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from inkos.adapters.models import RouteDesk, ServiceModel
from inkos.adapters.models.adapt import adapted
from inkos.adapters.models.memory import FILE, Memory
from inkos.adapters.models.presets import presets, quirks_for, resolve
from inkos.config import Provider, Quirks, Route, WorkspaceConfig
from inkos.errors import FaultKind, InkosError, ModelFault, UsageFault
from inkos.ports import Reply
from inkos.prompts.request import Message, Papers, Request
from tests.adapters.model_server import Answer, ModelServer, refusal, serving, stream, whole
from tests.data import ROOT

KEY = "key-of-these-tests"


def request(text: str = "写一段。", reply: str = "prose") -> Request:
    messages = (Message(role="system", text="只做任务。"), Message(role="user", text=text))
    return Request.model_validate(
        {"task": "draft", "messages": messages, "papers": Papers(language="zh"), "reply": reply, "cap": 4000}
    )


def model(
    server: ModelServer, memory: Memory | None = None, quirks: Quirks | None = None, **route: object
) -> ServiceModel:
    settings = Route.model_validate({"provider": "p", "model": "m-1", **route})
    return ServiceModel(settings, Provider(base_url=server.base_url, quirks=quirks or Quirks()), KEY, memory)


def ask(port: ServiceModel, asked: Request | None = None) -> Reply:
    return asyncio.run(port.complete(asked or request()))


def said(status: int, message: str) -> Answer:
    return refusal(status, {"error": {"message": message, "type": "invalid_request_error"}})


# ── the table ──


def test_every_preset_is_whole_and_no_code_names_a_provider() -> None:
    assert {"deepseek", "kimi", "qwen", "glm", "openai", "anthropic", "google", "openrouter", "ollama", "vllm",
            "llamacpp", "plain"} <= set(presets())  # fmt: skip
    for name, preset in presets().items():
        assert preset.label["en"] and preset.label["zh"], name
        assert name == "plain" or preset.base_url.startswith("http"), name
        assert preset.api_key_env or name == "plain" or "127.0.0.1" in preset.base_url, name
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "inkos/adapters/models").glob("*.py"))
    for name in ("deepseek", "kimi", "moonshot", "dashscope", "zhipu", "openrouter", "ollama", "vllm"):
        assert name not in code.lower(), name


def test_a_provider_takes_from_its_preset_what_it_does_not_say_itself() -> None:
    given = resolve(Provider(preset="anthropic", api_key_env="MY_KEY"))
    assert (given.protocol, given.api_key_env) == ("anthropic", "MY_KEY") and given.base_url.startswith("https://")
    own = resolve(Provider(preset="kimi", base_url="http://127.0.0.1:9/v1"))
    assert own.base_url == "http://127.0.0.1:9/v1" and own.protocol == "openai"
    with pytest.raises(UsageFault) as caught:
        resolve(Provider(preset="deepsek"), "d")
    assert caught.value.values["given"] == "deepsek" and "deepseek" in str(caught.value.values["allowed"])


def test_learned_beats_the_author_beats_the_models_row_beats_the_services() -> None:
    kimi = Provider(preset="kimi")
    assert quirks_for(kimi, "moonshot-v1-8k", Quirks()).temperature == (0, 1)
    assert quirks_for(kimi, "kimi-k2.5", Quirks()).temperature == "unsent"
    own = Provider(preset="kimi", quirks=Quirks(temperature=(0.6, 0.6)))
    assert quirks_for(own, "kimi-k2.5", Quirks()).temperature == (0.6, 0.6)
    assert quirks_for(own, "kimi-k2.5", Quirks(temperature="unsent")).temperature == "unsent"
    assert quirks_for(Provider(preset="openai"), "gpt-4o", Quirks()).token_limit == "max_completion_tokens"


# ── what is sent ──


def test_quirks_decide_the_name_of_the_limit_the_temperature_the_system_message_and_the_stream() -> None:
    def sent(quirks: Quirks, **route: object) -> dict[str, object]:
        answer = whole({"content": "好。"}) if quirks.stream is False else stream("好。")
        with serving(answer) as server:
            ask(model(server, quirks=quirks, **route))
        return dict(server.seen[0].body)

    body = sent(Quirks(token_limit="max_completion_tokens", temperature=(0, 0.5)), temperature=0.9)
    assert body["max_completion_tokens"] == 4000 and "max_tokens" not in body and body["temperature"] == 0.5
    body = sent(Quirks(token_limit="unsent", temperature="unsent"), temperature=0.9)
    assert not {"max_tokens", "max_completion_tokens", "temperature"} & set(body)
    body = sent(Quirks(system="user", stream_usage=False))
    assert [m["role"] for m in body["messages"]] == ["user"]  # type: ignore[index, union-attr]
    assert body["messages"][0]["content"] == "只做任务。\n\n写一段。" and "stream_options" not in body  # type: ignore[index]
    assert sent(Quirks(stream=False))["stream"] is False and sent(Quirks(stream=True), stream=False)["stream"] is True
    assert sent(Quirks(max_output=700))["max_tokens"] == 700


def test_json_mode_is_asked_for_only_where_trying_has_shown_that_it_works() -> None:
    with serving(stream("{}")) as server:
        memory = Memory()
        ask(model(server, memory, Quirks(json_mode=True)), request(reply="json"))
        memory.learn(server.base_url, "m-1", Quirks(json_mode=True))
        ask(model(server, memory), request(reply="json"))
        ask(model(server, memory), request(reply="prose"))
    formats = [seen.body.get("response_format") for seen in server.seen]
    assert formats == [None, {"type": "json_object"}, None]


def test_a_prompt_beyond_a_known_window_is_not_sent_and_a_reply_gets_what_is_left() -> None:
    with serving(stream("好。")) as server:
        with pytest.raises(ModelFault) as caught:
            ask(model(server, context=3000), request("写" * 4000))
        assert caught.value.kind == "context" and "3000" in caught.value.detail and not server.seen
        ask(model(server, context=3000), request("写" * 1000))
    assert 1500 < server.seen[0].body["max_tokens"] < 2000


# ── B10: what a refusal teaches ──


def test_b10_a_refused_temperature_is_left_out_once_remembered_and_told_once(tmp_path: Path) -> None:
    with serving(said(400, "invalid temperature: only 1 is allowed for this model"), stream("好。")) as server:
        reply = ask(model(server, Memory(tmp_path), temperature=0.7))
        assert reply.text == "好。" and [n.values["what"] for n in reply.notices] == ["temperature unsent"]
        again = ask(model(server, Memory(tmp_path), temperature=0.7))  # another process
        assert again.notices == ()
    assert [seen.body.get("temperature") for seen in server.seen] == [0.7, None, None]
    assert (tmp_path / FILE).read_text() != "k" and server.base_url in (tmp_path / FILE).read_text()


def test_b10_max_tokens_becomes_max_completion_tokens_and_two_refusals_are_two_adaptations() -> None:
    told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    only = "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) is supported."
    with serving(said(400, told), said(400, only), stream("好。")) as server:
        reply = ask(model(server, temperature=0.7))
    assert len(reply.notices) == 2 and len(server.seen) == 3
    assert "max_tokens" not in server.seen[2].body and server.seen[2].body["max_completion_tokens"] == 4000


def test_b10_a_service_that_refuses_for_ever_is_asked_once_more_for_each_parameter_and_not_again() -> None:
    with serving(said(400, "temperature must be between 0 and 2")) as server, pytest.raises(ModelFault) as caught:
        ask(model(server, temperature=0.7))
    assert caught.value.kind == "request" and len(server.seen) == 2


@pytest.mark.parametrize(
    ("told", "change"),
    [
        ("temperature must be in the range (0.0, 1.0]", Quirks(temperature=(0, 1))),
        ("参数 temperature 无效", Quirks(temperature="unsent")),
        ("max_tokens must be less than or equal to 8192", Quirks(max_output=8192)),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", Quirks(max_output=8192)),
        ("max_tokens 不能超过 4096", Quirks(max_output=4096)),
        ("Range of max_tokens should be [1, 16384]", Quirks(max_output=16384)),
        ("Extra inputs are not permitted: max_tokens", Quirks(token_limit="unsent")),
        ("max_tokens is too large: 30000. This model supports at most 16384 completion tokens", None),
        ("Unrecognized request argument supplied: stream_options", Quirks(stream_usage=False)),
        ("This model only supports streaming mode", Quirks(stream=True)),
        ("streaming is not supported for this model", Quirks(stream=False)),
        ("System role not supported", Quirks(system="user")),
        ("Developer instruction is not enabled: system instruction is not supported", Quirks(system="user")),
        ("response_format json_object is not supported", Quirks(json_mode=False)),
        ("no such model", None),
        ("messages must alternate", None),
    ],
)  # fmt: skip
def test_the_words_of_a_refusal(told: str, change: Quirks | None) -> None:
    found = adapted(told, token_limit="max_tokens", cap=30000, temperature=1.5, json_mode=True)
    assert found == change or (change is None and found is not None and found.max_output == 16384)


def test_a_parameter_that_was_not_sent_is_not_blamed() -> None:
    assert adapted("temperature is bad", token_limit="unsent", cap=0, temperature=None, json_mode=False) is None
    assert adapted("max_tokens is bad", token_limit="unsent", cap=100, temperature=None, json_mode=False) is None


# ── memory ──


def test_two_memories_of_one_folder_keep_each_others_lessons_and_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    one, two = Memory(tmp_path), Memory(tmp_path)
    one.of("u", "a"), two.of("u", "b")
    one.learn("u", "a", Quirks(stream=False))
    two.learn("u", "b", Quirks(system="user"))
    two.learn("u", "b", Quirks(max_output=5))
    fresh = Memory(tmp_path)
    assert fresh.of("u/", "a").quirks.stream is False
    assert fresh.of("u", "b").quirks == Quirks(system="user", max_output=5)
    (tmp_path / FILE).write_text("{", encoding="utf-8")
    assert Memory(tmp_path).of("u", "a").quirks == Quirks()


# ── who stands in for whom ──


def space(**values: object) -> WorkspaceConfig:
    return WorkspaceConfig.model_validate(
        {
            "providers": {
                "near": {"base_url": "http://127.0.0.1:1/v1"},
                "also": {"base_url": "http://127.0.0.1:2/v1"},
                "far": {"preset": "deepseek"},
                "none": {"protocol": "offline"},
            },
            "routes": {
                "main": {"provider": "near", "model": "big"},
                "twin": {"provider": "near", "model": "small"},
                "second": {"provider": "also", "model": "other"},
                "keyless": {"provider": "far", "model": "deepseek-v4-pro"},
                "rehearsal": {"provider": "none", "model": "offline"},
            },
            "roles": {"default": "main"},
            **values,
        }
    )


def desk(config: WorkspaceConfig, book: dict[str, str] | None = None) -> RouteDesk:
    return RouteDesk(config, book, {}, keyring=lambda name: None)


def fallbacks(config: WorkspaceConfig, role: str, kind: FaultKind) -> list[str]:
    return desk(config).fallbacks(role, ModelFault(kind))


def test_another_model_audits_than_writes_unless_somebody_says_otherwise() -> None:
    assert desk(space()).route_name("auditor") == "twin" and desk(space()).route_name("settler") == "main"
    assert desk(space(roles={"default": "main", "auditor": "main"})).route_name("auditor") == "main"
    assert desk(space(), {"auditor": "main"}).route_name("auditor") == "main"
    assert desk(space(roles={"default": "rehearsal"})).route_name("auditor") == "rehearsal"
    alone = space(routes={"main": {"provider": "near", "model": "big"}, "k": {"provider": "far", "model": "x"}})
    assert desk(alone).route_name("auditor") == "main", "a route without a key is no second model"


def test_auditor_and_settler_have_every_usable_route_and_the_writer_none() -> None:
    assert fallbacks(space(), "settler", "server") == ["twin", "second"]
    assert fallbacks(space(), "auditor", "filtered") == ["second", "main"], "who writes audits last"
    assert fallbacks(space(), "auditor", "balance") == ["second"], "another route to the same account is of no use"
    for role in ("writer", "reviser", "planner", "founder"):
        assert fallbacks(space(), role, "server") == []


def test_the_writer_has_others_only_where_the_author_said_so() -> None:
    assert fallbacks(space(allow_writer_fallback=True), "writer", "server") == ["twin", "second"]
    named = {"fallbacks": {"writer": ["second"], "planner": ["twin"], "auditor": []}}
    assert fallbacks(space(allow_writer_fallback=True, **named), "writer", "server") == ["second"]
    assert fallbacks(space(**named), "planner", "server") == ["twin"]
    assert fallbacks(space(**named), "auditor", "server") == []
    with pytest.raises(UsageFault) as caught:
        fallbacks(space(**named), "writer", "server")
    assert caught.value.code == "fallback-writer"


def test_a_protocol_whose_library_is_missing_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inkos.adapters.models.protocols.EXTRAS", {"anthropic": "no_such_library"})
    config = space(providers={"near": {"preset": "anthropic"}})
    with pytest.raises(InkosError) as caught:
        RouteDesk(config, {}, {"ANTHROPIC_API_KEY": "k"}).model("writer")
    assert caught.value.code == "extra-missing" and caught.value.values["extra"] == "anthropic"
