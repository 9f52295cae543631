"""inkos.yaml and book.yaml: every mistake is named with its line; every value knows where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkos.adapters.config_files import (
    SCHEMA_LINE,
    book_origins,
    book_yaml,
    load_book,
    load_workspace,
    parse_book,
    save_book,
    workspace_yaml,
)
from inkos.adapters.package_data import messages
from inkos.config import BookConfig, Provider, Route, WorkspaceConfig
from inkos.errors import InkosError, UsageFault
from tests.adapters import stories

WORKSPACE = """\
# yaml-language-server: $schema=.inkos/schema.json
language: zh
currency: CNY
providers:
  deepseek:
    base_url: https://api.example.com/v1
    api_key_env: DEEPSEEK_API_KEY
routes:
  main: {provider: deepseek, model: deepseek-chat, temperature: 0.7}
roles:
  default: main
limits:
  tokens: 500000
"""
BOOK = "id: salt\ntitle: Salt\nlanguage: en\n"


def a_workspace(folder: Path, text: str = WORKSPACE) -> Path:
    (folder / "inkos.yaml").write_text(text, encoding="utf-8")
    return folder


def fault_in_book(text: str | bytes) -> InkosError:
    with pytest.raises(InkosError) as raised:
        parse_book(text if isinstance(text, bytes) else text.encode(), "book.yaml")
    assert said(raised.value)
    return raised.value


def fault_in_workspace(folder: Path, text: str, env: dict[str, str] | None = None) -> InkosError:
    with pytest.raises(InkosError) as raised:
        load_workspace(a_workspace(folder, text), env or {})
    assert said(raised.value)
    return raised.value


def said(error: InkosError) -> str:
    """The whole message in both languages; a missing text or field is a KeyError here."""
    fields = {"where": error.where, **error.values}
    return "\n".join(
        messages(language).say(f"errors.{error.code}.{part}", **fields)
        for language in ("en", "zh")
        for part in ("what", "kept", "next")
    )


def test_a_workspace_is_read_and_every_value_knows_where_it_came_from(tmp_path: Path) -> None:
    env = {"INKOS_CURRENCY": "USD", "INKOS_LIMITS__MONEY": "2.5", "INKOS_ROLES__WRITER": "main", "HOME": "/x"}
    config, origins = load_workspace(a_workspace(tmp_path), env)
    assert config.language == "zh" and config.currency == "USD"
    assert config.limits.tokens == 500_000 and config.limits.money == 2.5
    assert config.roles == {"default": "main", "writer": "main"}
    file = str(tmp_path / "inkos.yaml")
    assert origins["language"] == file
    assert origins["currency"] == "INKOS_CURRENCY"
    assert origins["limits.money"] == "INKOS_LIMITS__MONEY"
    assert origins["limits.tokens"] == file
    assert origins["limits.attempts"] == "default"
    assert origins["routes.main.model"] == file
    assert origins["routes.main.timeouts.total"] == "default"
    assert origins["prices"] == "default"


def test_without_a_file_there_are_defaults_and_the_environment(tmp_path: Path) -> None:
    config, origins = load_workspace(tmp_path, {"INKOS_LANGUAGE": "zh"})
    assert config == WorkspaceConfig(language="zh")
    assert origins["language"] == "INKOS_LANGUAGE" and origins["currency"] == "default"
    assert load_workspace(None, {})[0] == WorkspaceConfig()


def test_a_variable_that_is_nearly_a_setting_is_named_and_others_are_left_alone(tmp_path: Path) -> None:
    with pytest.raises(UsageFault) as raised:
        load_workspace(tmp_path, {"INKOS_LANGAUGE": "zh"})
    assert raised.value.where == "INKOS_LANGAUGE" and raised.value.values["nearest"] == "INKOS_LANGUAGE"
    with pytest.raises(UsageFault) as raised:
        load_workspace(tmp_path, {"INKOS_LIMITS__TOKEN": "5"})
    assert raised.value.where == "INKOS_LIMITS__TOKEN" and raised.value.values["nearest"] == "tokens"
    with pytest.raises(UsageFault) as raised:
        load_workspace(tmp_path, {"INKOS_LIMITS__TOKENS": "many"})
    assert raised.value.where == "INKOS_LIMITS__TOKENS" and raised.value.code == "config-value"
    load_workspace(tmp_path, {"INKOS_DEBUG": "1"})


def test_an_unknown_key_is_named_with_its_line_and_the_nearest_known_one(tmp_path: Path) -> None:
    error = fault_in_book(BOOK + "lenght:\n  target: 3000\n")
    assert (error.code, error.values["key"], error.values["nearest"]) == ("config-unknown-key", "lenght", "length")
    assert error.values["line"] == 4
    error = fault_in_book(BOOK + "length:\n  traget: 3000\n")
    assert (error.values["key"], error.values["nearest"], error.values["line"]) == ("length.traget", "target", 5)
    error = fault_in_workspace(tmp_path, "routes:\n  main: {provider: p, model: m, tempereture: 1}\n")
    assert (error.values["key"], error.values["nearest"]) == ("routes.main.tempereture", "temperature")


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (BOOK + "title: Again\n", "yaml-duplicate-key", 4),
        (BOOK + "length: {target: 2000, target: 3000}\n", "yaml-duplicate-key", 4),
        (BOOK + "length:\n\ttarget: 3000\n", "yaml-broken", 5),
        (BOOK + "author: 'open\n", "yaml-broken", 5),
        (BOOK + "author: a: b\n", "yaml-broken", 4),
        (BOOK + "author: !!python/object/apply:os.system [ls]\n", "config-value", 4),
        (BOOK + "author: !secret x\n", "yaml-broken", 4),
        ("just a text\n", "yaml-not-a-mapping", None),
        ("- a\n- b\n", "yaml-not-a-mapping", None),
        ("id: salt\ntitle: Salt\n", "config-missing-key", 1),
        ("id: salt\ntitle: Salt\nlanguage: fr\n", "config-value", 3),
        ("id: salt\ntitle: 1984\nlanguage: en\n", "config-quote", 2),
        (BOOK + "length: {target: -5}\n", "config-value", 4),
        (BOOK + "providers:\n  x: {base_url: http://evil}\n", "config-not-here", 4),
    ],
)
def test_each_mistake_has_its_own_name_and_line(text: str, code: str, line: int | None) -> None:
    error = fault_in_book(text)
    assert error.code == code
    assert line is None or error.values["line"] == line
    assert isinstance(error, UsageFault)


def test_empty_missing_binary_and_newer_files_are_told_apart(tmp_path: Path) -> None:
    assert fault_in_book("").code == "file-empty"
    assert fault_in_book(b"\xff\xfe\x00").code == "file-damaged"
    assert fault_in_book(BOOK + "schema_version: 99\n").code == "schema-newer"
    with pytest.raises(InkosError) as raised:
        load_book(tmp_path)
    assert raised.value.code == "file-missing" and raised.value.where == str(tmp_path / "book.yaml")


def test_a_text_that_looks_like_something_else_stays_a_text() -> None:
    config = parse_book(b"id: salt\ntitle: 2024-01-01\nlanguage: en\nstyle:\n  pov: 'no'\n", "book.yaml")
    assert config.title == "2024-01-01" and config.style.pov == "no"


def test_bombs_are_refused() -> None:
    lines = ["a0: &a0 [x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert fault_in_book("\n".join(lines)).code == "yaml-too-large"
    assert fault_in_book(BOOK + "style: " + "[" * 5000 + "]" * 5000).code in ("yaml-too-large", "yaml-broken")
    assert fault_in_book(BOOK + "author: " + "x" * 600_000).code == "yaml-too-large"
    assert fault_in_book("a: &a\n  b: *a\n").code == "yaml-too-large", "a mapping that holds itself"


@pytest.mark.parametrize(
    "line",
    [
        "api_key: sk-test-000000000000",
        "key: abc",
        "api_key_env: sk-test-000000000000",
        "api_key_env: not a name",
        "base_url: https://user:sk-test-000@api.example.com/v1",
    ],
)
def test_a_key_in_clear_is_refused_and_never_repeated(tmp_path: Path, line: str) -> None:
    error = fault_in_workspace(tmp_path, f"providers:\n  p:\n    {line}\n")
    assert error.code == "config-key-in-clear" and error.values["line"] == 3
    assert "sk-test" not in said(error) and "sk-test" not in str(error) and "api_key_env" in said(error)


def test_what_is_written_begins_with_the_schema_line_and_is_read_back(tmp_path: Path) -> None:
    book = BookConfig.model_validate(
        {"id": "salt", "title": "1984: \"no\" # x", "language": "zh", "length": {"target": 3000},
         "style": {"bans": ["不禁", "yes"]}, "predicates": {"rank": {"value": "number"}}}
    )  # fmt: skip
    save_book(tmp_path, book)
    text = (tmp_path / "book.yaml").read_text(encoding="utf-8")
    assert text.startswith(SCHEMA_LINE) and "不禁" in text
    assert load_book(tmp_path) == book
    assert "gate" not in text, "defaults are not written out"
    workspace = WorkspaceConfig(
        language="zh", providers={"p": Provider(api_key_env="P_KEY")}, routes={"r": Route(provider="p", model="m")}
    )
    assert load_workspace(a_workspace(tmp_path, workspace_yaml(workspace)), {})[0] == workspace
    assert workspace_yaml(workspace).startswith(SCHEMA_LINE)


def test_comments_at_the_head_of_a_book_s_file_are_kept_when_it_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / "book.yaml").write_text(SCHEMA_LINE + "# Mine.\n\n" + BOOK)
    save_book(tmp_path, stories.config(title="Brine"))
    text = (tmp_path / "book.yaml").read_text()
    assert text.startswith(SCHEMA_LINE + "# Mine.\n\n") and text.count("$schema=") == 1
    assert load_book(tmp_path).title == "Brine"
    assert [item.name for item in tmp_path.iterdir()] == ["book.yaml"]


def test_a_book_s_values_know_where_they_came_from(tmp_path: Path) -> None:
    (tmp_path / "book.yaml").write_text(BOOK + "length:\n  target: 3000\n")
    origins = book_origins(tmp_path)
    assert origins["length.target"] == str(tmp_path / "book.yaml") == origins["title"]
    assert origins["length.soft"] == "default" == origins["gate.margin"]


def test_a_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    text = "\ufeff" + BOOK.replace("\n", "\r\n")
    assert parse_book(text.encode(), "book.yaml") == parse_book(book_yaml(stories.config()).encode(), "book.yaml")
