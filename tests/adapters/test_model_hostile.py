"""Servers that are broken or mean: each protocol ends in a reply or a fault in clear words, in bounded time and memory,
and neither key nor prompt goes where nobody sent it."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import zlib
from collections.abc import Callable

import pytest

from inkos.adapters.models import RouteDesk, ServiceModel, answered
from inkos.config import Provider, Route, Timeouts, WorkspaceConfig
from inkos.errors import ModelFault, UsageFault
from inkos.ports import Reply
from inkos.prompts.request import Message, Papers, Request
from tests.adapters.model_server import EVENTS, JSON, Answer, serving
from tests.adapters.protocol_bytes import Wire
from tests.adapters.test_model_protocols import each
from tests.chance import drawn_seed

KEY = "sk-hostile-0123456789"
PROMPT = "The ferry left at noon, said Mara."
TEXT = "她推门出去，河风灌进来。"
QUICK = Timeouts(first_event=5, silence=5, total=20)


def ask(wire: Wire, url: str, *, stream: bool = True, timeouts: Timeouts = QUICK) -> Reply:
    route = Route(provider="p", model="m-1", stream=stream, timeouts=timeouts)
    model = ServiceModel(route, Provider(protocol=wire.name, base_url=url), KEY)  # type: ignore[arg-type]
    request = Request(task="draft", messages=(Message(role="user", text=PROMPT),), papers=Papers(language="en"),
                      reply="prose", cap=4000)  # fmt: skip
    return asyncio.run(model.complete(request))


def fault(wire: Wire, answer: Answer, *, stream: bool = True, timeouts: Timeouts = QUICK) -> ModelFault:
    with serving(answer) as server, pytest.raises(ModelFault) as caught:
        ask(wire, server.base_url, stream=stream, timeouts=timeouts)
    assert KEY not in f"{caught.value} {caught.value.detail} {caught.value.values!r}"
    return caught.value


@each
@pytest.mark.parametrize("status", [302, 308])
def test_a_redirect_is_told_and_never_followed(wire: Wire, status: int) -> None:
    with serving(wire.stream(TEXT)) as thief:
        told = fault(wire, Answer([b"moved"], status=status, kind="text/plain", headers={"Location": thief.base_url}))
        assert thief.seen == []
    assert told.kind == "request" and thief.base_url in told.detail and str(status) in told.detail


@each
@pytest.mark.parametrize("stream", [True, False])
def test_a_body_without_end_is_cut_off(wire: Wire, stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answered, "MOST_BYTES", 1_000_000)
    endless = [b": keep-alive\n\n" * 5_000 if stream else b'"' + b"x" * 65_536] * 1_000
    told = fault(wire, Answer(endless, kind=EVENTS if stream else JSON), stream=stream)
    assert told.kind == "server" and "MB" in told.detail


@each
def test_a_line_without_end_is_cut_off(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answered, "MOST_LINE", 1_000_000)
    told = fault(wire, Answer([wire.start(), b"data: ", *[b"x" * 65_536] * 200]))
    assert told.kind == "server" and "a line" in told.detail


@each
@pytest.mark.parametrize(("kind", "status"), [("text/html", 200), (JSON, 500), (EVENTS, 200)])
def test_few_bytes_that_unpack_to_gigabytes_are_cut_off(
    wire: Wire, kind: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answered, "MOST_BYTES", 1_000_000)
    bomb = gzip.compress(b" " * 100_000_000, 1)
    told = fault(wire, Answer([bomb], status=status, kind=kind, headers={"Content-Encoding": "gzip"}))
    assert told.kind == "server" and "MB" in told.detail


@each
@pytest.mark.parametrize("packing", [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_an_ordinary_packed_reply_is_read_although_none_was_asked_for(
    wire: Wire, packing: tuple[str, Callable[[bytes], bytes]]
) -> None:
    name, pack = packing
    raw = b"".join(piece for piece in wire.stream(TEXT).pieces if isinstance(piece, bytes))
    packed = pack(raw)
    with serving(Answer([packed[:50], packed[50:]], headers={"Content-Encoding": name})) as server:
        assert ask(wire, server.base_url).text == TEXT
        assert server.seen[0].headers["accept-encoding"] == "identity"


@each
@pytest.mark.parametrize("stream", [True, False])
def test_what_says_that_it_is_packed_and_is_not_is_a_fault_of_the_service(wire: Wire, stream: bool) -> None:
    whole = wire.stream(TEXT) if stream else wire.whole(TEXT, wire.stop)
    told = fault(wire, Answer(whole.pieces, kind=whole.kind, headers={"Content-Encoding": "gzip"}), stream=stream)
    assert told.kind == "server"


@each
def test_bytes_that_are_no_characters_give_no_invented_text(wire: Wire) -> None:
    pieces = [wire.start(), wire.text("好"), wire.text("坏").replace("坏".encode(), b"\xff\xfe"), wire.end(wire.stop)]
    with serving(Answer(pieces)) as server:
        try:
            text = ask(wire, server.base_url).text
        except ModelFault as told:
            assert told.kind in ("incomplete", "server") and told.partial in ("", "好")
        else:
            assert text.replace("\ufffd", "") == "好" and "\ufffd" in text


@each
@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("length", [20, 10**9])
def test_a_wrong_content_length_is_no_whole_reply(wire: Wire, length: int, stream: bool) -> None:
    whole = wire.stream(TEXT) if stream else wire.whole(TEXT, wire.stop)
    pieces = [b"".join(p for p in whole.pieces if isinstance(p, bytes))[:-40]]
    told = fault(wire, Answer(pieces, kind=whole.kind, headers={"Content-Length": str(length)}), stream=stream)
    assert told.kind in ("incomplete", "empty", "server", "unreachable")


@each
@pytest.mark.parametrize("stream", [True, False])
def test_a_byte_now_and_then_ends_by_the_clocks(wire: Wire, stream: bool) -> None:
    trickle: list[bytes | float] = []
    for _ in range(200):
        trickle += [b" ", 0.02]
    told = fault(wire, Answer(trickle, kind=EVENTS if stream else JSON), stream=stream,
                 timeouts=Timeouts(first_event=0.3, silence=0.3, total=0.6))  # fmt: skip
    assert told.kind == "timeout"


@each
@pytest.mark.parametrize("stream", [True, False])
def test_comments_are_no_text_and_put_off_the_clocks_of_silence(wire: Wire, stream: bool) -> None:
    comments: list[bytes | float] = []
    for _ in range(30):
        comments += [b": working", 0.02, b"\n\n"]
    pieces = [*comments, wire.start(), *comments, wire.text(TEXT), b": done\n", wire.end(wire.stop)]
    clocks = Timeouts(first_event=0.3, silence=0.3, total=20)
    with serving(Answer(pieces) if stream else wire.whole(TEXT, wire.stop)) as server:
        assert ask(wire, server.base_url, stream=stream, timeouts=clocks).text == TEXT


@each
def test_a_page_of_nothing_but_opened_tags_is_read_in_no_time(wire: Wire) -> None:
    page = b"<style " * 400_000
    assert fault(wire, Answer([page], kind="text/html")).kind == "request"
    assert fault(wire, Answer([page], status=500, kind="text/html")).kind == "server"


JUNK = (
    b"\x00", b"\xff\xfe", b"\r", b"\n\n", b"data: ", b"data: null\n\n", b"data: []\n\n", b'data: "x"\n\n', b"null",
    b"event: error\n", b'{"error": null}', b"[1e999]", b'data: {"choices": null}\n\n', b'data: {"candidates": 3}\n\n',
    b'"\\ud800"', b"id: \x00\n",
)  # fmt: skip
SWAPS = ((b"null", b"{}"), (b'"stop"', b"[]"), (b'"text"', b'"tool_use"'), (b"[{", b"{"), (b"900", b"-9"))


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """A few bytes lost, doubled, swapped or put in, or the end cut off."""
    for _ in range(chance.randint(1, 5)):
        at, kind = chance.randint(0, len(raw)), chance.randrange(5)
        if kind == 0:
            raw = raw[:at] + raw[at + chance.randint(1, 40) :]
        elif kind == 1:
            raw = raw[:at] + chance.choice(JUNK) + raw[at:]
        elif kind == 2:
            raw = raw[:at] + raw[at : at + chance.randint(0, 300)] + raw[at:]
        elif kind == 3:
            raw = raw.replace(*chance.choice(SWAPS), 1)
        else:
            raw = raw[:at]
    return raw


@each
def test_mutated_answers_end_in_a_reply_of_their_own_text_or_in_a_fault(wire: Wire) -> None:
    """`FUZZ=1000 SEED=7` for the long form."""
    seed = drawn_seed()
    chance = random.Random(f"{seed} {wire.name}")
    sent: list[Answer] = []
    with serving(by=lambda seen: sent[-1]) as server:
        for number in range(int(os.environ.get("FUZZ", 12))):
            stream = chance.random() < 0.6
            sound = wire.stream(TEXT * 3) if stream else wire.whole(TEXT, wire.stop)
            raw = mutated(b"".join(piece for piece in sound.pieces if isinstance(piece, bytes)), chance)
            at = chance.randint(0, len(raw))
            kind = chance.choice([sound.kind] * 4 + ["text/plain", JSON, "text/html"])
            sent.append(Answer([raw[:at], raw[at:]], status=chance.choice([200] * 4 + [400, 429, 500]), kind=kind))
            try:
                text = ask(wire, server.base_url, stream=stream != (chance.random() < 0.2)).text
            except ModelFault:
                continue
            except Exception as error:
                raise AssertionError((seed, number, kind, raw)) from error
            told = raw.decode("utf-8", errors="replace")
            assert all(piece in told for piece in text.split("\ufffd")[0][:3]), (seed, number, text, raw)


def test_a_provider_without_an_address_is_no_reason_to_send_the_key_to_somebody_elses() -> None:
    routes = {"r": Route(provider="p", model="m")}
    workspace = WorkspaceConfig(providers={"p": Provider(api_key_env="K")}, routes=routes, roles={"default": "r"})
    with pytest.raises(UsageFault, match="address-missing"):
        RouteDesk(workspace, environment={"K": KEY}).model("writer")
