"""inkos.yaml and book.yaml: reading, checking, where each value came from, writing; knows no model and no state."""

from __future__ import annotations

import difflib
import json
import re
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from inkos.adapters.disk import Files, make_folders, put_file, read_bytes
from inkos.adapters.yaml_files import Lines, parse_yaml, write_yaml
from inkos.config import ROLES, BookConfig, WorkspaceConfig
from inkos.errors import InkosError, UsageFault
from inkos.gates.bans import compile_ban
from inkos.records import Record

R = TypeVar("R", bound=Record)

WORKSPACE_FILE = "inkos.yaml"
BOOK_FILE = "book.yaml"
SCHEMA_LINE = "# yaml-language-server: $schema=.inkos/schema.json\n"
SCHEMA_VERSION = 1
ENV_PREFIX = "INKOS_"

# What stands in inkos.yaml only: a book folder may come from a stranger.
_WORKSPACE_ONLY = ("providers", "routes", "prices", "currency", "hooks")
_SECRET_NAMES = {"api_key", "apikey", "key", "token", "secret", "password", "authorization"}
_ENV_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
# Prefixes of the keys of common services; an environment variable's name never looks like this.
_KEY_LIKE = re.compile(r"^(sk|pk|rk|xai|gsk|AIza|ghp|hf)[-_][A-Za-z0-9_-]{8,}")


# What a new workspace says about models: any OpenAI-compatible service, or none.
EXAMPLE = """
# Who answers. `inkos setup` asks and writes it; or take the marks away and put in your service. The key itself stays in
# the keyring or in the environment variable.
# providers:
#   deepseek: {preset: deepseek}          # or base_url and api_key_env of any OpenAI-compatible service
#   here: {preset: ollama, limits: {concurrent: 1}}   # also requests_per_minute, tokens_per_minute
#   offline: {protocol: offline}          # rehearsal prose, no service needed
# routes:
#   main: {provider: deepseek, model: deepseek-v4-pro, timeouts: {first_event: 120, silence: 60, total: 900}}
#   second: {provider: here, model: "qwen3:32b"}
# roles:                                   # founder, planner, writer, settler, auditor, reviser; or default
#   default: main
#   auditor: second                        # another model judges than writes
"""


def load_workspace(folder: Path | None, env: Mapping[str, str]) -> tuple[WorkspaceConfig, dict[str, str]]:
    """inkos.yaml of a workspace (or none), with `INKOS_…` variables over it, and where each value came from:
    dotted key → `default`, the file's path, or the variable's name. `INKOS_LIMITS__TOKENS=9000` sets `limits.tokens`.
    Raises UsageFault (`yaml-…`, `config-…`) and `file-unreadable`."""
    data: dict[str, Any] = {}
    lines = Lines()
    file = ""
    if folder is not None and (folder / WORKSPACE_FILE).exists():
        file = str(folder / WORKSPACE_FILE)
        data = _read(folder / WORKSPACE_FILE, lines)
        _refuse_secrets(data, file, lines)
    given = set(_leaves(data))
    from_env = _overlay(WorkspaceConfig, data, env)
    config = validated(WorkspaceConfig, data, file or ENV_PREFIX + "…", lines, from_env)
    _check(config, file, lines, from_env)
    origins = {}
    for path in _leaves(config.model_dump(mode="json")):
        origins[path] = from_env.get(path) or (file if _under(path, given) else "default")
    return config, origins


def check_workspace(content: bytes, where: str) -> WorkspaceConfig:
    """inkos.yaml from its bytes alone. UsageFault as `load_workspace`."""
    lines = Lines()
    data = _parse(content, where, lines)
    _refuse_secrets(data, where, lines)
    config = validated(WorkspaceConfig, data, where, lines, {})
    _check(config, where, lines, {})
    return config


def load_book(folder: Path) -> BookConfig:
    """book.yaml of a book folder. Raises UsageFault (`yaml-…`, `config-…`), `file-missing`, `file-unreadable`."""
    return parse_book(read_bytes(folder / BOOK_FILE), str(folder / BOOK_FILE))


def parse_book(content: bytes, where: str) -> BookConfig:
    """book.yaml from its bytes; `where` is what messages call it."""
    lines = Lines()
    data = _parse(content, where, lines)
    misplaced = next((key for key in _WORKSPACE_ONLY if key in data), None)
    if misplaced is not None:
        line = lines.of.get(misplaced, 1)
        raise UsageFault("config-not-here", where=where, line=line, key=misplaced, file=WORKSPACE_FILE)
    config = validated(BookConfig, data, where, lines, {})
    _known_roles("roles", config.roles, where, lines, {})
    for pattern in (*config.style.ban_patterns, *config.style.title_bans):
        compile_ban(pattern, where)
    return config


def checked(model: type[R], content: bytes, where: str, lines: Lines) -> R:
    """Any other file that a person writes in YAML, from its bytes. UsageFault `yaml-…`, `config-…`."""
    return validated(model, _parse(content, where, lines), where, lines, {})


def book_origins(folder: Path) -> dict[str, str]:
    """Where each value of a book's configuration came from: `default`, or the path of book.yaml."""
    path = folder / BOOK_FILE
    given = set(_leaves(_read(path, Lines())))
    config = load_book(folder)
    return {key: str(path) if _under(key, given) else "default" for key in _leaves(config.model_dump(mode="json"))}


def book_yaml(config: BookConfig) -> str:
    """book.yaml for a new book: the schema line, then what is not a default, and always id, title and language."""
    data = config.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    return write_yaml({"schema_version": config.schema_version, **data}, head=SCHEMA_LINE)


def workspace_yaml(config: WorkspaceConfig) -> str:
    data = config.model_dump(mode="json", exclude_defaults=True, exclude_none=True)
    text = write_yaml({"schema_version": config.schema_version, "language": config.language, **data}, head=SCHEMA_LINE)
    return text if config.providers else text + EXAMPLE


def save_book(folder: Path, config: BookConfig, files: Files | None = None) -> None:
    """Write book.yaml in one step. Comment lines at the head of an older one are kept; comments between keys are not,
    so a command that changes one value of an author's file asks first."""
    path = folder / BOOK_FILE
    body = book_yaml(config).removeprefix(SCHEMA_LINE)
    head = SCHEMA_LINE
    if path.exists():
        old = read_bytes(path).decode("utf-8", errors="replace").splitlines(keepends=True)
        comments = []
        for line in old:
            if not line.startswith("#") and line.strip():
                break
            comments.append(line)
        kept = "".join(comments)
        head = kept if "$schema=" in kept else SCHEMA_LINE + kept
    doer = files or Files()
    make_folders(doer, folder)
    put_file(doer, path, (head + body).encode(), folder / ".book.yaml.new")


def schema_json(model: type[Record]) -> bytes:
    """The JSON Schema that the schema line points to."""
    return (json.dumps(model.model_json_schema(), ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


# --- reading


def _read(path: Path, lines: Lines) -> dict[str, Any]:
    return _parse(read_bytes(path), str(path), lines)


def _parse(content: bytes, where: str, lines: Lines) -> dict[str, Any]:
    if not content.strip():
        raise InkosError("file-empty", where=where)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InkosError("file-damaged", where=where, detail=f"not UTF-8 at byte {error.start}") from error
    return parse_yaml(text, where=where, lines=lines)


def _refuse_secrets(data: Mapping[str, Any], where: str, lines: Lines) -> None:
    """A key in clear is refused without being repeated: messages end up in logs and reports."""
    providers = data.get("providers")
    for name, provider in providers.items() if isinstance(providers, dict) else ():
        if not isinstance(provider, dict):
            continue
        for key, value in provider.items():
            path = f"providers.{name}.{key}"
            named = key.lower().replace("-", "_") in _SECRET_NAMES
            text = value if isinstance(value, str) else ""
            in_env_name = key == "api_key_env" and text and (not _ENV_NAME.fullmatch(text) or _KEY_LIKE.match(text))
            in_address = key == "base_url" and "@" in text.partition("://")[2].partition("/")[0]
            if named or in_env_name or in_address:
                raise UsageFault("config-key-in-clear", where=where, line=lines.of.get(path, 1), key=path)


def _overlay(model: type[Record], data: dict[str, Any], env: Mapping[str, str]) -> dict[str, str]:
    """Puts `INKOS_A__B=…` variables into `data`; dotted key → variable. A name that is nearly a key is an error, one
    that is nothing of ours (INKOS_DEBUG) is not."""
    used: dict[str, str] = {}
    tops = {name.upper(): name for name in model.model_fields}
    for variable in sorted(env):
        if not variable.startswith(ENV_PREFIX):
            continue
        parts = variable.removeprefix(ENV_PREFIX).split("__")
        top = tops.get(parts[0].upper())
        if top is None:
            near = difflib.get_close_matches(parts[0].upper(), tops, n=1, cutoff=0.8)
            if near:
                nearest = ENV_PREFIX + near[0]
                raise UsageFault("config-unknown-key", where=variable, line=0, key=variable, nearest=nearest)
            continue
        path = [top, *(part.lower() for part in parts[1:])]
        here = data
        for part in path[:-1]:
            inner = here.get(part)
            here[part] = dict(inner) if isinstance(inner, dict) else {}
            here = here[part]
        here[path[-1]] = env[variable]
        used[".".join(path)] = variable
    return used


# --- checking


def _check(config: WorkspaceConfig, where: str, lines: Lines, from_env: Mapping[str, str]) -> None:
    """UsageFault where a role does not exist, or an address cannot be called at all."""
    _known_roles("roles", config.roles, where, lines, from_env)
    _known_roles("fallbacks", config.fallbacks, where, lines, from_env)
    for name, provider in config.providers.items():
        wrong = "" if provider.protocol in ("offline", "cassette") else _no_address(provider.base_url)
        if wrong:
            key = f"providers.{name}.base_url"
            place, line = from_env.get(key, where), lines.of.get(key, 1)
            raise UsageFault("config-value", where=place, line=line, key=key, detail=wrong)


def _known_roles(
    table: str, given: Mapping[str, object], where: str, lines: Lines, from_env: Mapping[str, str]
) -> None:
    known = (*ROLES, "default")
    for role in given:
        if role not in known:
            key, nearest = f"{table}.{role}", difflib.get_close_matches(role, known, n=1, cutoff=0.0)[0]
            raise UsageFault("config-unknown-key", where=from_env.get(key, where), line=lines.of.get(key, 1), key=key,
                             nearest=nearest)  # fmt: skip


def _no_address(base_url: str) -> str:
    """Why an address cannot be that of a service; empty where it can, or where a preset gives one."""
    try:
        parts = urlsplit(base_url)
        port = parts.port
    except ValueError as error:
        return str(error)
    if base_url and (parts.scheme not in ("http", "https") or not parts.hostname or port == 0):
        return "http://HOST or https://HOST"
    return ""


def validated(
    model: type[R], data: Mapping[str, Any], where: str, lines: Lines, from_env: Mapping[str, str]
) -> R:
    """Data as a record. UsageFault `config-…` with file, line and the nearest key that there is."""
    version = data.get("schema_version", SCHEMA_VERSION)
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise InkosError("schema-newer", where=where, found=version, known=SCHEMA_VERSION)
    if isinstance(version, int) and version < 1:
        line = lines.of.get("schema_version", 1)
        raise UsageFault("config-value", where=where, line=line, key="schema_version", detail=str(SCHEMA_VERSION))
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise _fault(model, error.errors(include_input=True)[0], where, lines, from_env) from error


def _fault(
    model: type[Record], error: ErrorDetails, where: str, lines: Lines, from_env: Mapping[str, str]
) -> UsageFault:
    path = ".".join(str(part) for part in error["loc"] if part != "[key]")
    place = from_env.get(path, where)
    line = lines.of.get(path) or lines.of.get(path.rpartition(".")[0]) or 1
    key = str(error["loc"][-1])
    if error["type"] == "extra_forbidden":
        known = _known_at(model, error["loc"][:-1])
        nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.0)
        return UsageFault(
            "config-unknown-key", where=place, line=line, key=path, nearest=nearest[0] if nearest else ", ".join(known)
        )
    if error["type"] == "missing":
        return UsageFault("config-missing-key", where=place, line=line, key=path)
    if error["type"] == "string_type" and isinstance(error["input"], (int, float, bool)):
        return UsageFault("config-quote", where=place, line=line, key=path, value=str(error["input"]))
    return UsageFault("config-value", where=place, line=line, key=path, detail=error["msg"])


def _known_at(model: type[Record], loc: tuple[int | str, ...]) -> list[str]:
    """The keys that a mapping at this place may have."""
    kind: Any = model
    for part in loc:
        kind = _step(kind, part)
    kind = _record_in(kind)
    return sorted(kind.model_fields) if kind is not None else []


def _step(kind: Any, part: int | str) -> Any:
    record = _record_in(kind)
    if record is not None and part in record.model_fields:
        return record.model_fields[str(part)].annotation
    arguments = get_args(kind)
    return arguments[-1] if get_origin(kind) in (dict, tuple, list) and arguments else kind


def _record_in(kind: Any) -> type[Record] | None:
    if isinstance(kind, type) and issubclass(kind, Record):
        return kind
    if get_origin(kind) in (Union, types.UnionType):
        return next((found for found in map(_record_in, get_args(kind)) if found is not None), None)
    return None


def _leaves(data: Mapping[str, Any], prefix: str = "") -> list[str]:
    """Dotted keys of all values that are no mappings; an empty mapping is a value."""
    found: list[str] = []
    for key, value in data.items():
        path = f"{prefix}{key}"
        if isinstance(value, Mapping) and value:
            found += _leaves(value, f"{path}.")
        else:
            found.append(path)
    return found


def _under(path: str, given: set[str]) -> bool:
    return path in given or any(path.startswith(f"{other}.") or other.startswith(f"{path}.") for other in given)
