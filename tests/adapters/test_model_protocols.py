"""Each protocol against a loopback server at the level of bytes: the same faults, the same answers."""

from __future__ import annotations

import asyncio
import logging
import warnings
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib.util import find_spec
from typing import Any

import pytest

from inkos.adapters.models import ServiceModel
from inkos.adapters.models.protocols import EXTRAS
from inkos.config import Provider, Route, Timeouts
from inkos.errors import ModelFault
from inkos.ports import Reply
from inkos.prompts.request import Message, Papers, Request
from tests.adapters.model_server import EVENTS, JSON, Answer, ModelServer, refusal, serving
from tests.adapters.protocol_bytes import ANTHROPIC, GOOGLE, OPENAI, WIRES, Wire

KEY = "sk-test-0000-abcdef"
QUICK = Timeouts(first_event=20, silence=20, total=60)


def missing(name: str) -> bool:
    try:
        return name in EXTRAS and find_spec(EXTRAS[name]) is None
    except ModuleNotFoundError:
        return True


def present(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(missing(name), reason=f"the extra {name} is not installed")


each = pytest.mark.parametrize("wire", [pytest.param(w, id=w.name, marks=present(w.name)) for w in WIRES])


def request(**values: object) -> Request:
    material = Message(role="user", text="材料材料任务", cache_points=(2, 4))
    messages = (Message(role="system", text="只做任务。"), material)
    papers = Papers(language="zh")
    return Request.model_validate(
        {"task": "draft", "messages": messages, "papers": papers, "reply": "prose", "cap": 4000, **values}
    )


def model(wire: Wire, server: ModelServer, **route: object) -> ServiceModel:
    base = server.base_url.removesuffix("/v1") if wire is not OPENAI else server.base_url
    provider = Provider.model_validate({"protocol": wire.name, "base_url": base,
                                        **({"preset": wire.name} if wire is not OPENAI else {})})  # fmt: skip
    return ServiceModel(
        Route.model_validate({"provider": "p", "model": "m-1", "timeouts": QUICK, **route}), provider, KEY
    )


def ask(wire: Wire, *answers: Answer, asked: Request | None = None, **route: object) -> tuple[Reply, ModelServer]:
    with serving(*answers) as server:
        return asyncio.run(model(wire, server, **route).complete(asked or request())), server


def fault(wire: Wire, *answers: Answer, **route: object) -> ModelFault:
    with serving(*answers) as server, pytest.raises(ModelFault) as caught:
        asyncio.run(model(wire, server, **route).complete(request()))
    return caught.value


@each
def test_a_streamed_reply_comes_whole_with_usage_and_the_key_goes_where_it_belongs(wire: Wire) -> None:
    reply, server = ask(wire, wire.stream("北风从渡口吹过来，他把灯芯拨短了。"), temperature=0.7)
    assert reply.text == "北风从渡口吹过来，他把灯芯拨短了。" and reply.finish == "stop"
    assert (reply.usage.input, reply.usage.output) == wire.usage and not reply.usage.estimated
    body: dict[str, Any] = server.seen[0].body
    assert wire.cap(body) == 4000 and wire.temperature(body) == 0.7 and wire.system(body) == "只做任务。"
    assert any(KEY in value for value in server.seen[0].headers.values())


@each
def test_a_whole_reply_is_read_and_asked_for_as_one(wire: Wire) -> None:
    reply, _ = ask(wire, wire.whole("走到渡口。", wire.stop), stream=False)
    assert reply.text == "走到渡口。" and reply.finish == "stop" and reply.usage.input == 900


@each
def test_b01_a_character_split_over_two_chunks_arrives_whole(wire: Wire) -> None:
    raw = wire.text("北风")
    at = raw.index("北".encode()) + 1
    reply, _ = ask(wire, Answer([wire.start(), raw[:at], 0.05, raw[at:], wire.end(wire.stop)]))
    assert reply.text == "北风"


@each
def test_b03_silence_at_the_start_and_in_the_middle(wire: Wire) -> None:
    found = fault(wire, Answer([], hang=True), timeouts=Timeouts(first_event=0.3, silence=20, total=60))
    assert found.kind == "timeout" and "first_event" in found.detail and found.partial == ""
    half = Answer([wire.start(), wire.text("半句")], hang=True)
    found = fault(wire, half, timeouts=Timeouts(first_event=20, silence=0.5, total=60))
    assert found.kind == "timeout" and "silence" in found.detail and found.partial == "半句"


@each
def test_b04_a_stream_without_an_ending_is_incomplete(wire: Wire) -> None:
    found = fault(wire, Answer([wire.start(), wire.text("他推开门，" * 160)]))
    assert found.kind == "incomplete" and found.transient and found.partial == "他推开门，" * 160


@each
def test_b06_an_empty_stream_is_empty(wire: Wire) -> None:
    assert fault(wire, Answer([])).kind in ("empty", "incomplete")
    assert fault(wire, Answer([wire.start(), wire.end(wire.stop)])).kind == "empty"


@each
def test_b07_an_error_inside_a_stream_is_no_text(wire: Wire) -> None:
    found = fault(wire, Answer([wire.start(), wire.text("开头"), wire.error("overloaded_error", "worker died")]))
    assert found.kind in ("server", "incomplete") and found.partial == "开头"
    found = fault(wire, Answer([wire.error("overloaded_error", "worker died")]))
    assert found.kind == "server" and "worker died" in found.detail


@each
@pytest.mark.parametrize(
    ("status", "told", "kind"),
    [(401, "invalid x-api-key", "key"), (402, "no credit", "balance"), (429, "slow down", "rate"),
     (500, "oops", "server"), (529, "overloaded", "server"), (400, "prompt is too long: 9 tokens", "context"),
     (404, "no such model", "request")],
)  # fmt: skip
def test_a_status_gives_the_kind_and_the_services_words_and_retry_after(
    wire: Wire, status: int, told: str, kind: str
) -> None:
    body = {"type": "error", "error": {"type": "x", "code": status, "message": told, "status": "X"}}
    found = fault(wire, refusal(status, body, Retry_After="3"))
    assert found.kind == kind and told in found.detail
    assert found.retry_after == (3 if kind in ("rate", "server") else None)


@each
def test_b08_b09_retry_after_in_the_header_as_a_date_and_in_the_body(wire: Wire) -> None:
    def wait(body: object = None, **headers: str) -> float | None:
        told = {"type": "error", "error": {"type": "x", "code": 429, "message": "slow down", "status": "X"}}
        found = fault(wire, refusal(429, body or told, **headers))
        assert found.kind == "rate" and found.transient
        return found.retry_after

    def at(**ahead: float) -> str:
        return format_datetime(datetime.now(UTC) + timedelta(**ahead), usegmt=True)

    assert wait(Retry_After="12") == 12 and wait(retry_after_ms="1500") == 1.5
    soon = wait(Retry_After=at(seconds=50))
    assert soon is not None and 0 < soon <= 50
    assert wait(Retry_After=at(days=-3)) == 0 and wait(Retry_After=at(days=365)) == 3600
    assert wait(Retry_After="soon") is None
    hinted = {"error": {"code": 429, "message": "x", "details": [{"@type": "RetryInfo", "retryDelay": "4s"}]}}
    assert wait(hinted) == 4


@each
def test_b10_a_refused_temperature_is_left_out_once_and_the_call_made_again(wire: Wire) -> None:
    told = {"type": "error", "error": {"type": "invalid_request_error", "code": 400, "status": "INVALID_ARGUMENT",
                                       "message": "temperature is not supported with this model"}}  # fmt: skip
    reply, server = ask(wire, refusal(400, told), wire.stream("好。"), temperature=0.7)
    assert reply.text == "好。" and [notice.code for notice in reply.notices] == ["adapted"]
    assert [wire.temperature(seen.body) for seen in server.seen] == [0.7, None]


@each
def test_b12_an_ending_that_is_an_error_or_has_a_name_nobody_knows(wire: Wire) -> None:
    if wire.name != "anthropic":  # whose protocol has no such ending
        found = fault(wire, wire.stream("半句", "error" if wire.name == "openai" else "OTHER"))
        assert found.kind == "server" and found.partial == "半句"
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        reply, _ = ask(wire, wire.stream("写完了。", "eos_reached"))
    assert reply.text == "写完了。" and reply.finish == "stop"
    assert not [warning for warning in told if "eos_reached" in str(warning.message)], "nothing of it in our output"


@each
def test_b15_the_services_own_words_are_shown_whatever_the_shape_of_the_body(wire: Wire) -> None:
    told = "input too long"
    for body in ({"message": told}, {"error": told}, {"detail": told}, told):
        found = fault(wire, refusal(400, body))
        assert found.kind == "context" and told in found.detail


@each
def test_b17_a_stream_that_nobody_asked_for_and_plain_json_in_place_of_a_stream_are_understood(wire: Wire) -> None:
    streamed = wire.stream("走到渡口。")
    reply, _ = ask(wire, Answer(streamed.pieces, kind=EVENTS), stream=False)
    assert reply.text == "走到渡口。" and reply.finish == "stop"
    reply, _ = ask(wire, wire.whole("走到渡口。", wire.stop))
    assert reply.text == "走到渡口。" and reply.usage.input == 900


@each
def test_b18_a_filter_and_the_cap_are_endings_of_their_own(wire: Wire) -> None:
    found = fault(wire, wire.stream("只到这里", wire.filtered))
    assert found.kind in ("filtered", "refused") and not found.transient
    reply, _ = ask(wire, wire.stream("没说完", wire.length))
    assert reply.finish == "length" and reply.text == "没说完"


@each
def test_a20_reasoning_never_becomes_text_and_reasoning_alone_is_empty(wire: Wire) -> None:
    reply, _ = ask(wire, Answer([wire.start(), wire.thought("先想"), wire.text("正文。"), wire.end(wire.stop)]))
    assert reply.text == "正文。" and reply.reasoning == "先想"
    found = fault(wire, Answer([wire.start(), wire.thought("想了很久"), wire.end(wire.stop)]))
    assert found.kind == "empty" and found.detail == "reasoning only"


@each
@pytest.mark.parametrize("streaming", [True, False])
def test_a14_tags_that_belong_to_the_story_stay_in_the_text(wire: Wire, streaming: bool) -> None:
    shown = "屏幕上亮着 <think>waiting</think> 几个字。"
    if streaming:
        parts = ["屏幕上亮着 ", "<think>", "waiting", "</think>", " 几个字。"]
        answer = Answer([wire.start(), *[wire.text(part) for part in parts], wire.end(wire.stop)])
    else:
        answer = wire.whole(shown, wire.stop)
    reply, _ = ask(wire, answer, stream=streaming)
    assert reply.text == shown and reply.reasoning == ""


@each
def test_a_web_page_and_an_error_with_status_200_are_named(wire: Wire) -> None:
    page = b"<html><head><title>Welcome to the portal</title></head><body>log in</body></html>"
    found = fault(wire, Answer([page], kind="text/html"))
    assert found.kind == "request" and "Welcome to the portal" in found.detail
    found = fault(wire, Answer([b'{"error": {"message": "worker died"}}'], kind=JSON))
    assert found.kind == "server" and "worker died" in found.detail


@each
def test_j06_the_key_stands_nowhere_even_when_the_service_echoes_it(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    found = fault(wire, refusal(400, {"error": {"message": f"bad header {KEY}", "key": KEY}}))
    chain: BaseException | None = found
    while chain is not None:
        assert KEY not in repr(chain) and KEY not in str(chain)
        chain = chain.__cause__ or chain.__context__
    assert KEY not in caplog.text


@present("anthropic")
def test_a_service_that_is_told_what_to_keep_gets_its_marks_and_the_same_text() -> None:
    _, server = ask(ANTHROPIC, ANTHROPIC.stream("好。"))
    (message,) = server.seen[0].body["messages"]
    assert "".join(part["text"] for part in message["content"]) == "材料材料任务"
    assert [bool(part.get("cache_control")) for part in message["content"]] == [True, True, False]


@present("google")
def test_google_answers_a_prompt_that_it_blocks_without_any_candidate() -> None:
    blocked = b'data: {"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "m-1"}\n\n'
    assert fault(GOOGLE, Answer([blocked])).kind in ("filtered", "empty")
