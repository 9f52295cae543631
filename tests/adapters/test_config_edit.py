"""One value set in a file that a person wrote: the rest stays, and nothing invalid is ever written."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from inkos.adapters.config_edit import set_book_value, set_workspace_value, with_value
from inkos.adapters.config_files import load_workspace
from inkos.errors import UsageFault

WRITTEN = """# my workspace
schema_version: 1
language: zh   # the interface
providers:
  deepseek: {preset: deepseek}  # paid by me
  here:
    base_url: http://127.0.0.1:1/v1

# routes
routes:
  main: {provider: deepseek, model: deepseek-chat, temperature: 0.7}
  second:
    provider: here
    model: "qwen3:32b"  # slow
roles:
  default: main
"""
NAMES = st.sampled_from(["a", "b", "c", "名"])
VALUES = st.recursive(
    st.one_of(st.integers(-99, 99), st.booleans(), st.text("ab: #{}'\"-名,[]", max_size=8), st.none()),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(NAMES, inner, max_size=2)), max_leaves=4,
)  # fmt: skip
TREES = st.dictionaries(NAMES, st.one_of(VALUES, st.dictionaries(NAMES, VALUES, max_size=3)), max_size=3)


@example({}, ["a"], ":[", None)  # what only brackets around it make worth quoting
@given(TREES, st.lists(NAMES, min_size=1, max_size=3), VALUES, st.sampled_from([None, True, False]))
def test_the_value_is_there_afterwards_and_everything_else_means_what_it_meant(
    tree: dict[str, object], path: list[str], value: object, flow: bool | None
) -> None:
    text = yaml.safe_dump(tree, allow_unicode=True, default_flow_style=flow, width=10**6)
    wanted = tree
    at = wanted
    for part in path[:-1]:
        if not isinstance(at.get(part), dict):
            at[part] = {}
        at = at[part]  # type: ignore[assignment]
    at[path[-1]] = value
    assert yaml.safe_load(with_value(text, path, value)) == wanted


@pytest.mark.parametrize(
    ("key", "value"),
    [("routes.main.temperature", 0.9), ("routes.second.model", "kimi-k3"), ("providers.here.api_key_env", "K"),
     ("limits.tokens", 9000), ("routes.third", {"provider": "here", "model": "m"}), ("roles.auditor", "second"),
     ("language", "en")],
)  # fmt: skip
def test_only_the_lines_of_the_value_change_and_every_comment_stays(key: str, value: object) -> None:
    after = with_value(WRITTEN, key.split("."), value)
    before_lines, after_lines = WRITTEN.splitlines(), after.splitlines()
    assert sum(line not in after_lines for line in before_lines) <= 1
    assert sum(line not in before_lines for line in after_lines) == 1
    assert [line[line.index("#") :] for line in after_lines if "#" in line] == [
        line[line.index("#") :] for line in before_lines if "#" in line
    ]


def test_a_workspace_of_comments_alone_gets_its_first_key(tmp_path: Path) -> None:
    (tmp_path / "inkos.yaml").write_text("# nothing yet\n# providers: {}\n", encoding="utf-8")
    set_workspace_value(tmp_path, "providers.deepseek", "{preset: deepseek}")
    config, _ = load_workspace(tmp_path, {})
    assert config.providers["deepseek"].preset == "deepseek"
    assert (tmp_path / "inkos.yaml").read_text(encoding="utf-8").startswith("# nothing yet\n# providers: {}\n")


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [("limits.tokns", "5", "config-unknown-key"), ("limits.tokens", "-5", "config-value"),
     ("providers.x.api_key", "sk-123456789", "config-key-in-clear"), ("routes..x", "5", "config-missing-key")],
)  # fmt: skip
def test_what_would_not_be_valid_is_not_written(tmp_path: Path, key: str, value: str, code: str) -> None:
    path = tmp_path / "inkos.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    with pytest.raises(UsageFault) as caught:
        set_workspace_value(tmp_path, key, value)
    assert caught.value.code == code and path.read_text(encoding="utf-8") == WRITTEN
    assert "sk-123456789" not in str(caught.value)


def test_a_number_that_is_meant_as_a_word_is_one(tmp_path: Path) -> None:
    (tmp_path / "book.yaml").write_text("schema_version: 1\nid: b\ntitle: T\nlanguage: en\n", encoding="utf-8")
    set_book_value(tmp_path, "title", "1984")
    set_book_value(tmp_path, "length.target", "3000")
    assert yaml.safe_load((tmp_path / "book.yaml").read_text(encoding="utf-8")) == {
        "schema_version": 1, "id": "b", "title": "1984", "language": "en", "length": {"target": 3000}
    }  # fmt: skip
