"""The OpenAI-compatible model port against a real loopback server that plays services at the level of bytes."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from inkos.adapters.models import ServiceModel, reach
from inkos.adapters.models.reach import MARK
from inkos.config import Provider, Route, Timeouts
from inkos.errors import ModelFault
from inkos.ports import Reply
from inkos.prompts.request import Message, Papers, Request
from tests.adapters.model_server import (
    DONE,
    EVENTS,
    JSON,
    Answer,
    ModelServer,
    chunk,
    refusal,
    serving,
    stream,
    whole,
)
from tests.data import ROOT

KEY = "sk-test-0000-abcdef"
QUICK = Timeouts(first_event=20, silence=20, total=60)


def request(*, cap: int = 4000, hard: int = 0, text: str = "写一段。") -> Request:
    messages = (Message(role="system", text="只做任务。"), Message(role="user", text=text))
    return Request(
        task="draft", messages=messages, papers=Papers(language="zh"), reply="prose", cap=cap, hard_characters=hard
    )


def model(server: ModelServer, *, streaming: bool = True, timeouts: Timeouts = QUICK, **route: object) -> ServiceModel:
    settings = {"provider": "p", "model": "m-1", "stream": streaming, "timeouts": timeouts, **route}
    return ServiceModel(Route.model_validate(settings), Provider(base_url=server.base_url), KEY)


def ask(port: ServiceModel, asked: Request | None = None, pieces: list[str] | None = None) -> Reply:
    return asyncio.run(port.complete(asked or request(), pieces.append if pieces is not None else None))


def fault(*answers: Answer, streaming: bool = True, timeouts: Timeouts = QUICK) -> ModelFault:
    with serving(*answers) as server, pytest.raises(ModelFault) as caught:
        ask(model(server, streaming=streaming, timeouts=timeouts))
    return caught.value


def test_a_streamed_reply_comes_whole_with_usage_and_in_pieces() -> None:
    pieces: list[str] = []
    with serving(stream("北风从渡口吹过来，他把灯芯拨短了。")) as server:
        reply = ask(model(server, temperature=0.7, max_output=1000), pieces=pieces)
    assert reply.text == "北风从渡口吹过来，他把灯芯拨短了。" == "".join(pieces)
    assert len(pieces) > 1 and reply.finish == "stop" and reply.model == "m-1"
    assert (reply.usage.input, reply.usage.output, reply.usage.cached, reply.usage.reasoning) == (900, 40, 600, 7)
    assert not reply.usage.estimated
    body = server.seen[0].body
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    assert body["stream"] is True and body["temperature"] == 0.7 and body["max_tokens"] == 1000
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"


def test_assistant_turns_of_a_reask_are_sent_in_order() -> None:
    messages = (
        Message(role="system", text="s"), Message(role="user", text="u"),
        Message(role="assistant", text="a"), Message(role="user", text="again"),
    )  # fmt: skip
    with serving(stream("好。")) as server:
        ask(model(server), request().model_copy(update={"messages": messages}))
    sent = [(m["role"], m["content"]) for m in server.seen[0].body["messages"]]
    assert sent == [("system", "s"), ("user", "u"), ("assistant", "a"), ("user", "again")]


def test_b01_a_character_split_over_two_chunks_arrives_whole() -> None:
    raw = chunk({"content": "北风"})
    at = raw.index("北".encode()) + 1
    with serving(Answer([raw[:at], 0.05, raw[at:], chunk({}, "stop"), DONE])) as server:
        assert ask(model(server)).text == "北风"


def test_b03a_headers_and_then_nothing_is_a_timeout_of_the_first_event() -> None:
    found = fault(Answer([], hang=True), timeouts=Timeouts(first_event=0.2, silence=20, total=60))
    assert found.kind == "timeout" and "first_event" in found.detail and found.partial == "" and found.transient


def test_b03b_silence_after_some_text_keeps_the_text_aside() -> None:
    half = "字" * 500
    clocks = Timeouts(first_event=20, silence=0.2, total=60)
    found = fault(Answer([chunk({"content": half})], hang=True), timeouts=clocks)
    assert found.kind == "timeout" and "silence" in found.detail and found.partial == half


def test_a_stream_that_trickles_for_ever_ends_at_the_total_limit() -> None:
    drip: list[bytes | float] = []
    for _ in range(200):
        drip += [chunk({"content": "滴"}), 0.02]
    found = fault(Answer(drip, hang=True), timeouts=Timeouts(first_event=20, silence=20, total=0.5))
    assert found.kind == "timeout" and "total" in found.detail and found.partial.startswith("滴")


def test_a_connection_left_hanging_after_the_ending_does_not_lose_the_reply() -> None:
    answer = Answer([chunk({"content": "完了。"}), chunk({}, "stop")], hang=True)
    with serving(answer) as server:
        reply = ask(model(server, timeouts=Timeouts(first_event=20, silence=0.2, total=60)))
    assert reply.text == "完了。" and reply.finish == "stop"


def test_b04_a_stream_without_an_ending_is_incomplete() -> None:
    found = fault(Answer([chunk({"content": "他推开门，" * 160})]))
    assert found.kind == "incomplete" and found.transient and found.partial == "他推开门，" * 160


def test_b06_an_empty_stream_is_empty_each_time() -> None:
    with serving(Answer([DONE]), Answer([DONE]), Answer([DONE]), stream("有了。")) as server:
        port = model(server)
        for _ in range(3):
            with pytest.raises(ModelFault) as caught:
                ask(port)
            assert caught.value.kind == "empty" and caught.value.transient
        assert ask(port).text == "有了。"
    assert len(server.seen) == 4


def test_b07_an_error_as_the_first_line_of_a_stream_is_no_text() -> None:
    raw = b'data: {"error":{"code":400,"message":"context too long"}}\n\n'
    found = fault(Answer([raw]))
    assert found.kind == "context" and not found.transient and "context too long" in found.detail


def test_an_error_in_the_middle_of_a_stream_keeps_what_came() -> None:
    raw = b'data: {"error":{"message":"worker died","type":"server_error"}}\n\n'
    found = fault(Answer([chunk({"content": "开头"}), raw]))
    assert found.kind == "server" and found.partial == "开头"


def test_b08_a_429_carries_its_seconds() -> None:
    found = fault(refusal(429, {"error": {"message": "slow down"}}, Retry_After="3"))
    assert found.kind == "rate" and found.retry_after == 3 and found.transient


def test_b09_retry_after_as_a_date_in_the_past_far_ahead_in_the_body_and_unreadable() -> None:
    now = datetime.now(UTC)
    body = {"error": {"message": "slow down"}}

    def wait(ahead: timedelta) -> float | None:
        return fault(refusal(429, body, Retry_After=format_datetime(now + ahead, usegmt=True))).retry_after

    soon = wait(timedelta(seconds=50))
    assert soon is not None and 0 < soon <= 50
    assert wait(timedelta(days=-3)) == 0
    assert wait(timedelta(days=365)) == 3600
    hinted = {"error": {"code": 429, "message": "x", "details": [{"@type": "RetryInfo", "retryDelay": "4s"}]}}
    assert fault(refusal(429, hinted)).retry_after == 4
    assert fault(refusal(429, body, Retry_After="soon")).retry_after is None


def test_b12_a_finish_reason_of_error_is_the_providers_error() -> None:
    raw = chunk({}, "error").replace(b'"created": 1', b'"created": null')
    found = fault(Answer([chunk({"content": "半句"}), raw, DONE]))
    assert found.kind == "server" and found.partial == "半句"


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (401, "invalid api key", "key"), (403, "model not allowed", "key"), (402, "insufficient balance", "balance"),
        (429, "You exceeded your current quota", "balance"), (500, "oops", "server"), (503, "overloaded", "server"),
        (400, "input too long", "context"), (400, "only temperature 1 is allowed", "request"),
        (404, "no such model", "request"), (413, "payload", "context"), (400, "content filter", "filtered"),
        (400, "输入内容含有敏感词", "filtered"),
    ],
)  # fmt: skip
def test_a_status_and_the_services_own_words_give_the_kind(status: int, message: str, kind: str) -> None:
    found = fault(refusal(status, {"error": {"message": message}}))
    assert found.kind == kind and message in found.detail


def test_b15_the_services_own_message_is_shown_whatever_the_shape_of_the_body() -> None:
    for body in ({"message": "input too long"}, {"error": "input too long"}, "input too long"):
        assert "input too long" in fault(refusal(400, body)).detail


def test_b17_a_stream_that_nobody_asked_for_is_understood() -> None:
    answer = Answer([chunk({"content": "走到"}), chunk({"content": "渡口。"}), chunk({}, "stop"), DONE], kind=EVENTS)
    with serving(answer) as server:
        reply = ask(model(server, streaming=False))
    assert reply.text == "走到渡口。" and reply.finish == "stop"
    assert server.seen[0].body["stream"] is False


def test_plain_json_in_place_of_a_stream_is_understood() -> None:
    with serving(whole({"content": "走到渡口。"})) as server:
        reply = ask(model(server))
    assert reply.text == "走到渡口。" and reply.usage.cached == 600


def test_b18_the_content_filter_is_its_own_fault_by_finish_and_by_status() -> None:
    found = fault(stream("只到这里", finish="content_filter"))
    assert found.kind == "filtered" and found.partial == "只到这里" and not found.transient


def test_a_refusal_is_not_prose() -> None:
    answer = Answer([chunk({"refusal": "I cannot "}), chunk({"refusal": "do that."}), chunk({}, "stop"), DONE])
    found = fault(answer)
    assert found.kind == "refused" and "I cannot do that." in found.detail


@pytest.mark.parametrize("streaming", [True, False])
def test_a_reply_cut_at_the_cap_says_so(streaming: bool) -> None:
    answer = stream("没说完", finish="length") if streaming else whole({"content": "没说完"}, "length")
    with serving(answer) as server:
        reply = ask(model(server, streaming=streaming))
    assert reply.finish == "length" and reply.text == "没说完"


def test_a20_content_as_a_list_of_parts_is_joined_and_reasoning_alone_is_empty() -> None:
    parts = [{"type": "text", "text": "前半，"}, {"type": "text", "text": "后半。"}]
    with serving(whole({"content": parts})) as server:
        assert ask(model(server, streaming=False)).text == "前半，后半。"
    for streaming, answer in (
        (False, whole({"content": None, "reasoning_content": "想了很久"})),
        (True, Answer([chunk({"reasoning_content": "想了很久"}), chunk({}, "stop"), DONE])),
    ):
        found = fault(answer, streaming=streaming)
        assert found.kind == "empty" and found.detail == "reasoning only"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_never_becomes_text(field: str) -> None:
    pieces: list[str] = []
    answer = Answer([chunk({field: "先想"}), chunk({"content": "正文。"}), chunk({}, "stop"), DONE])
    with serving(answer) as server:
        reply = ask(model(server), pieces=pieces)
    assert reply.text == "正文。" == "".join(pieces) and reply.reasoning == "先想"


def test_e01_a_stream_beyond_the_hard_limit_is_cut_by_us_and_the_cap_is_sent() -> None:
    flood: list[bytes | float] = []
    for _ in range(3000):
        flood += [chunk({"content": "水" * 20})]
    pieces: list[str] = []
    with serving(Answer(flood, hang=True)) as server:
        reply = ask(model(server), request(cap=4800, hard=6000), pieces)
    assert reply.finish == "length" and len(reply.text) == 6000 == len("".join(pieces))
    assert server.seen[0].body["max_tokens"] == 4800


def test_a_web_page_with_status_200_is_named_as_one() -> None:
    page = b"<html><head><title>Welcome to the portal</title></head><body>log in</body></html>"
    for streaming in (True, False):
        found = fault(Answer([page], kind="text/html"), streaming=streaming)
        assert found.kind == "request" and "Welcome to the portal" in found.detail and "text/html" in found.detail


def test_usage_that_is_not_reported_is_estimated() -> None:
    with serving(stream("他把灯芯拨短了。", usage=None)) as server:
        reply = ask(model(server), request(text="写" * 100))
    assert reply.usage.estimated and 100 <= reply.usage.input <= 125 and 7 <= reply.usage.output <= 10


def test_keep_alive_comments_are_no_text() -> None:
    kept_open = Answer([b": waiting\n\n", chunk({"content": "来了。"}), b": x\n\n", chunk({}, "stop"), DONE])
    with serving(kept_open) as server:
        assert ask(model(server)).text == "来了。"


def test_nobody_listening_is_unreachable() -> None:
    with serving(Answer()) as server:
        port = model(server)
    with pytest.raises(ModelFault) as caught:
        ask(port)
    assert caught.value.kind == "unreachable" and caught.value.transient


def test_a_broken_chunk_is_no_crash() -> None:
    found = fault(Answer([chunk({"content": "前"}), b"data: {broken\n\n", DONE]))
    assert found.kind in ("incomplete", "server") and found.partial == "前"


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("body", [{"choices": "x"}, {"choices": [3]}, {"choices": [{"delta": 7, "message": "x"}]}])
def test_a_body_of_another_form_than_the_protocols_is_a_fault_of_the_service(body: object, streaming: bool) -> None:
    sent = json.dumps(body).encode()
    answers = [Answer([b"data: " + sent + b"\n\n", DONE])] if streaming else [Answer([sent], kind=JSON)]
    found = fault(*answers, streaming=streaming)
    assert found.kind in ("server", "incomplete", "empty"), found
    assert fault(Answer([sent], kind=JSON)).kind in ("server", "request", "empty", "incomplete")


def test_usage_below_nothing_is_estimated() -> None:
    end = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m-1", "choices": [],
           "usage": {"prompt_tokens": -5, "completion_tokens": 4, "total_tokens": -1}}  # fmt: skip
    with serving(Answer([chunk({"content": "北风。"}), chunk({}, "stop"),
                         b"data: " + json.dumps(end).encode() + b"\n\n", DONE])) as server:  # fmt: skip
        usage = ask(model(server)).usage
    assert usage.estimated and usage.input > 0


def test_half_a_surrogate_pair_comes_as_a_character_that_can_be_written_down() -> None:
    halves = [chunk({"content": half}).replace(b"?", name)
              for half, name in (("北风?。", b"\\ud83d"), ("?", b"\\ud83d"), ("?", b"\\ude00"))]  # fmt: skip
    with serving(Answer([*halves, chunk({}, "stop"), DONE])) as server:
        reply = ask(model(server))
    assert reply.text == "北风\ufffd。\U0001f600"
    reply.text.encode()


def test_cancelling_closes_the_connection_and_passes_through() -> None:
    async def cancelled(port: ServiceModel) -> None:
        got = asyncio.Event()
        task = asyncio.create_task(port.complete(request(), lambda _: got.set()))
        await got.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    drip: list[bytes | float] = []
    for _ in range(500):
        drip += [chunk({"content": "滴" * 200}), 0.02]
    with serving(Answer(drip)) as server:
        asyncio.run(cancelled(model(server)))
        assert server.gone.wait(10)


def test_j06_the_key_stands_nowhere_even_when_the_service_echoes_it(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"error": {"message": f"bad header: Authorization: Bearer {KEY}", "key": KEY}}
    for answer in (refusal(400, echo), refusal(401, echo), Answer([f"data: {json.dumps(echo)}\n\n".encode()])):
        found = fault(answer)
        chain: BaseException | None = found
        while chain is not None:
            assert KEY not in repr(chain) and KEY not in str(chain)
            chain = chain.__cause__ or chain.__context__
    with serving(Answer()) as server:
        assert KEY not in repr(model(server)) and KEY not in str(model(server))
    assert caplog.records and KEY not in caplog.text


def test_reach_tries_a_prompt_of_realistic_size() -> None:
    with serving(stream(MARK)) as server:
        reached = asyncio.run(reach(model(server)))
    assert reached.words == MARK and reached.model == "m-1"
    assert len(server.seen[0].body["messages"][-1]["content"]) > 20_000


def test_the_models_are_imported_without_their_client_libraries() -> None:
    heavy = "('pydantic_ai', 'openai', 'genai_prices', 'keyring')"
    code = f"import sys, inkos.adapters.models; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_shared_desk_answers_through_the_same_port(tmp_path: Path) -> None:
    desk = ROOT.parent / "shared" / "tools" / "model_desk.py"
    if not desk.exists():
        pytest.skip("the shared model desk is absent")
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"match": "写一段", "reply": "灯亮了。" * 30}], ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, "-u", str(desk), "serve", "--dir", str(tmp_path / "desk"), "--port", "0",
               "--canned", str(rules)]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().split()[2].rstrip(",")
            for streaming in (True, False):
                route = Route(provider="desk", model="any", stream=streaming, timeouts=QUICK)
                reply = ask(ServiceModel(route, Provider(base_url=base_url), None))
                assert reply.text == "灯亮了。" * 30 and reply.usage.output == 98
        finally:
            process.terminate()


def test_json_of_an_error_with_status_200_is_a_fault() -> None:
    body = json.dumps({"error": {"message": "worker died"}}).encode()
    assert fault(Answer([body], kind=JSON)).kind == "server"
