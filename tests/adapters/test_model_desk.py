"""The desk of routes, prices and the tables of words about failed calls; no network."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import get_args

import pytest
import yaml

from inkos.adapters.models import RouteDesk, ServiceModel, faults, money
from inkos.adapters.models.desk import listens_here
from inkos.adapters.offline import OfflineAuthor
from inkos.config import Price, WorkspaceConfig
from inkos.errors import FaultKind, InkosError, UsageFault
from inkos.ports import Usage
from tests.adapters.model_server import serving
from tests.data import ROOT

SPACE = WorkspaceConfig.model_validate(
    {
        "providers": {
            "far": {"base_url": "https://models.example/v1", "api_key_env": "FAR_KEY"},
            "near": {"base_url": "http://127.0.0.1:8080/v1"},
            "none": {"protocol": "offline"},
        },
        "routes": {
            "big": {"provider": "far", "model": "big-1"},
            "small": {"provider": "near", "model": "small-1"},
            "rehearsal": {"provider": "none", "model": "offline"},
            "lost": {"provider": "gone", "model": "x"},
        },
        "roles": {"default": "big", "auditor": "small", "planner": "rehearsal", "reviser": "lost"},
    }
)


def no_keyring(_: str) -> str | None:
    return None


def desk(book: dict[str, str] | None = None, environment: dict[str, str] | None = None) -> RouteDesk:
    return RouteDesk(SPACE, book, environment or {}, keyring=no_keyring)


def test_a_role_takes_its_own_route_else_the_default_and_the_book_goes_before_the_workspace() -> None:
    assert desk().route_name("auditor") == "small" and desk().route_name("writer") == "big"
    assert desk({"writer": "small"}).route_name("writer") == "small"
    assert desk({"default": "rehearsal"}).route_name("auditor") == "rehearsal"
    assert desk().route("auditor").model == "small-1"


def test_without_any_route_the_error_says_so() -> None:
    with pytest.raises(InkosError) as caught:
        RouteDesk(WorkspaceConfig()).model("writer")
    assert caught.value.code == "route-none" and caught.value.values["role"] == "writer"


def test_a_route_or_a_provider_that_does_not_exist_is_named_with_the_ones_that_do() -> None:
    with pytest.raises(UsageFault) as caught:
        desk({"writer": "bigg"}).model("writer")
    assert caught.value.code == "route-unknown" and caught.value.where == "book.yaml"
    assert "big" in str(caught.value.values["known"])
    with pytest.raises(UsageFault) as caught:
        desk().model("reviser")
    assert caught.value.code == "provider-unknown" and caught.value.values["name"] == "gone"


def test_a_key_comes_from_the_environment_else_from_the_keyring_and_a_missing_one_is_named() -> None:
    port = desk(environment={"FAR_KEY": "sk-secret-123456"}).model("writer")
    assert isinstance(port, ServiceModel) and "sk-secret" not in repr(port) and "given" in repr(port)
    asked: list[str] = []

    def keyring(name: str) -> str:
        asked.append(name)
        return "k"

    port = RouteDesk(SPACE, keyring=keyring).model("writer")
    assert asked == ["FAR_KEY"] and "given" in repr(port)
    with pytest.raises(InkosError) as caught:
        desk().model("writer")
    assert caught.value.code == "key-missing" and caught.value.values["variable"] == "FAR_KEY"


def test_a_server_on_this_machine_needs_no_key_and_a_port_is_made_once() -> None:
    tables = desk()
    assert "absent" in repr(tables.model("auditor")) and tables.model("auditor") is tables.model("auditor")


def test_the_offline_protocol_gives_the_offline_author() -> None:
    assert isinstance(desk().model("planner"), OfflineAuthor)
    own = OfflineAuthor(seed=3)
    assert RouteDesk(SPACE, offline=own).model("planner") is own


def test_the_own_price_table_goes_first_and_cached_tokens_have_their_own_price() -> None:
    used = Usage(input=1_000_000, output=500_000, cached=400_000)
    assert money(used, "big-1", {"big-1": Price(input=2, output=8, cached=0.5)}) == pytest.approx(1.2 + 0.2 + 4)
    assert money(used, "big-1", {"big-1": Price(input=2, output=8)}) == pytest.approx(2 + 4)
    assert money(used, "big-1", {"big-1": Price(input=0, output=0)}) == 0


def test_a_known_model_has_a_public_price_and_an_unknown_one_none() -> None:
    used = Usage(input=1000, output=1000)
    public = money(used, "gpt-4o", {})
    assert public is not None and public > 0
    assert money(used, "nobody-knows-this-model", {}) is None


def test_public_prices_are_dollars_and_become_yuan_only_by_the_authors_own_rate() -> None:
    used = Usage(input=1000, output=1000)
    dollars = money(used, "gpt-4o", {}, "USD")
    assert dollars is not None and money(used, "gpt-4o", {}, "CNY") is None
    assert money(used, "gpt-4o", {}, "CNY", 7.0) == pytest.approx(dollars * 7)
    assert money(used, "gpt-4o", {"gpt-4o": Price(input=2, output=8)}, "CNY") == pytest.approx(0.01)


def test_a_plan_by_the_month_adds_nothing_and_an_empty_price_is_refused() -> None:
    assert money(Usage(input=1000), "m", {"m": Price(flat=True)}) == 0
    with pytest.raises(ValueError, match="flat"):
        Price()


def test_retry_after_in_every_form() -> None:
    now = datetime(2026, 11, 2, 8, 0, tzinfo=UTC)
    cases = {
        "3": 3, "1.5": 1.5, "-4": 0, "Mon, 02 Nov 2026 08:00:05 GMT": 5, "Mon, 02 Nov 2026 07:00:00 GMT": 0,
        "Tue, 02 Nov 2027 08:00:00 GMT": faults.RETRY_AFTER_CAP, "soon": None, "": None,
    }  # fmt: skip
    for raw, seconds in cases.items():
        assert faults.retry_after({"Retry-After": raw}, "", now) == seconds, raw
    assert faults.retry_after({"retry-after-ms": "2500", "retry-after": "9"}, "", now) == 2.5
    assert faults.retry_after({}, '{"details":[{"retryDelay": "4s"}]}', now) == 4
    assert faults.retry_after({}, "Rate limit reached. Please try again in 350ms.", now) == 0.35


def test_scrubbing_takes_keys_and_leaves_words() -> None:
    told = faults.scrub('Authorization: Bearer abc.def-1 was "api_key": "zzz999", also sk-live-123456 and xyz', "xyz")
    assert "abc.def" not in told and "zzz999" not in told and "sk-live" not in told and "xyz" not in told
    assert told.startswith("Authorization: Bearer [key]") and " and " in told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_of_fault_has_words_with_what_was_kept_and_what_to_do_next(language: str) -> None:
    path = ROOT / "inkos" / "words" / language / "errors.yaml"
    table = yaml.safe_load(path.read_text(encoding="utf-8"))
    codes = [f"model-{kind}" for kind in get_args(FaultKind)]
    for code in [*codes, "route-none", "route-unknown", "provider-unknown", "key-missing"]:
        assert set(table[code]) == {"what", "kept", "next"}, code


def test_a_reply_of_the_desks_offline_model_needs_no_network() -> None:
    from tests.adapters.offline_papers import plan_request

    reply = asyncio.run(desk().model("planner").complete(plan_request("en")))
    assert reply.text.startswith("{") and reply.finish == "stop"


def test_a_server_of_this_machine_is_found_when_it_runs_and_no_other_machine_is_asked() -> None:
    with serving() as server:
        assert listens_here(server.base_url)
    assert not listens_here(server.base_url) and not listens_here("https://models.example:443/v1")
