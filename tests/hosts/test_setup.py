"""First steps as a person takes them: answers typed into setup, a real service on loopback, nothing secret on disk."""

from __future__ import annotations

import io
from pathlib import Path

import keyring
import pytest
import yaml
from keyring.backends import fail, null

from inkos.hosts import wire
from inkos.hosts.cli.session import Options
from inkos.hosts.cli.setup import Dialogue
from tests.adapters.model_server import serving
from tests.adapters.playing_model import Playing
from tests.hosts.cli import BRIEF, files_of, inkos, workspace

KEY = "sk-test-0123456789abcdef"


def typed(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def config(folder: Path) -> dict[str, object]:
    return dict(yaml.safe_load((folder / "inkos.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize(("lang", "asks"), [("en", "Which service?"), ("zh", "用哪家服务？")])
def test_setup_asks_in_the_users_language_writes_the_route_and_tests_it(tmp_path: Path, lang: str, asks: str) -> None:
    with serving(by=Playing(key=KEY)) as server:
        far = server.base_url.replace("127.0.0.1", "127.0.0.2")
        answers = typed("plain", far, "2", "MY_KEY", "m-1", "n", "")
        ran = inkos(tmp_path, "setup", stdin=answers, env={"INKOS_LANG": lang, "MY_KEY": KEY})
        assert ran.code == 0, ran.err
        assert asks in ran.err and KEY not in ran.out + ran.err
        written = config(tmp_path)
        assert written["roles"] == {"default": "main"}
        assert written["routes"] == {"main": {"provider": "plain", "model": "m-1"}}
        assert written["providers"]["plain"]["api_key_env"] == "MY_KEY"  # type: ignore[index]
        if lang == "zh":  # the commands after it are the same
            return
        inkos(tmp_path, "config", "set", "providers.plain.base_url", server.base_url)
        tested = inkos(tmp_path, "--json", "model", "test", env={"MY_KEY": KEY})
        assert tested.code == 0 and tested.json["well"] is True
        shown = inkos(tmp_path, "model", "route", "main", env={"MY_KEY": KEY, "INKOS_LANG": lang})
        assert "8000" in shown.out
    assert all(KEY.encode() not in content for content in files_of(tmp_path).values())


def test_setup_with_a_server_of_ones_own_needs_no_key(tmp_path: Path) -> None:
    with serving(by=Playing()) as server:
        ran = inkos(tmp_path, "setup", stdin=typed("llamacpp", server.base_url, "m-1", "y", ""))
    assert ran.code == 0, ran.err
    assert "works" in ran.err and "context window" in ran.out
    assert config(tmp_path)["providers"] == {"llamacpp": {"preset": "llamacpp", "base_url": server.base_url}}


def test_setup_keeps_a_key_in_the_keyring_and_says_so_where_there_is_none(tmp_path: Path) -> None:
    answers = typed("deepseek", "1", KEY, "", "n", "")
    keyring.set_keyring(null.Keyring())  # takes everything and keeps nothing
    stored = inkos(tmp_path, "setup", stdin=answers)
    keyring.set_keyring(fail.Keyring())
    assert stored.code == 0 and "inkos / DEEPSEEK_API_KEY" in stored.err and KEY not in stored.err + stored.out
    before = (tmp_path / "inkos.yaml").read_bytes()
    assert inkos(tmp_path, "setup", stdin="").code == 0, "what works is not set anew unasked"
    assert (tmp_path / "inkos.yaml").read_bytes() == before
    refused = inkos(tmp_path, "setup", stdin=f"y\n{answers}")
    assert refused.code == 1 and "DEEPSEEK_API_KEY" in refused.err and KEY not in refused.err
    assert all(KEY.encode() not in content for content in files_of(tmp_path).values())


def test_setup_takes_a_key_that_is_already_in_the_environment_and_a_failing_test_ends_with_one(tmp_path: Path) -> None:
    with serving(by=Playing(key=KEY)) as server:
        answers = typed("llamacpp", server.base_url, "m-1", "", "")
        ran = inkos(tmp_path, "setup", stdin=answers)
    assert ran.code == 1 and "401" in ran.out and (tmp_path / "inkos.yaml").exists()


def test_setup_founds_the_first_book_from_the_brief_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = workspace(tmp_path / "w")  # on the offline author: what setup asks for the book is the same
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed(str(BRIEF / "en.md"))))
    Dialogue(wire.messages("en")).book(Options(quiet=True))
    (made,) = (folder / "books").iterdir()
    assert (made / "outline.md").exists() and str(made) in capsys.readouterr().out


def test_config_set_changes_one_value_and_config_show_says_where_it_stands(tmp_path: Path) -> None:
    folder = workspace(tmp_path / "w")
    assert inkos(folder, "config", "set", "limits.tokens", "9000").code == 0
    shown = inkos(folder, "config", "show").out
    assert "limits.tokens = 9000" in shown
    wrong = inkos(folder, "config", "set", "limits.tokns", "1")
    assert wrong.code == 2 and "tokens" in wrong.err


def test_config_show_says_that_another_model_audits_and_what_a_preset_filled_in(tmp_path: Path) -> None:
    folder = workspace(
        tmp_path / "w",
        "providers: {here: {base_url: 'http://127.0.0.1:9/v1'}, kimi: {preset: kimi}}\n"
        "routes: {a: {provider: here, model: big}, b: {provider: here, model: small}}\nroles: {default: a}\n",
    )
    shown = inkos(folder, "config", "show").out
    assert "roles.auditor = b    (chosen by inkos: another model audits than writes)" in shown
    assert "providers.kimi.base_url = https://api.moonshot.cn/v1    (preset kimi)" in shown
    listed = inkos(folder, "--json", "model", "list").json["routes"]
    assert {row["role"]: row["chosen"] for row in listed}["auditor"] == "second"
    assert {row["role"]: row["fallbacks"] for row in listed}["writer"] == []
    assert {row["role"]: row["fallbacks"] for row in listed}["settler"] == ["b"]


def test_model_canary_ends_with_one_when_a_measure_fell(tmp_path: Path) -> None:
    playing = Playing()
    with serving(by=playing) as server:
        folder = workspace(
            tmp_path / "w",
            f"providers: {{here: {{base_url: '{server.base_url}'}}}}\nroutes: {{a: {{provider: here, model: m}}}}\n"
            "roles: {default: a}\n",
        )
        assert inkos(folder, "model", "canary").code == 0
        playing.dull = True
        bad = inkos(folder, "model", "canary", "a")
    assert bad.code == 1 and "worse than last time" in bad.out
