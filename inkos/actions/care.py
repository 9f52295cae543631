"""The verbs about the tool itself: what is configured, who answers, whether the surroundings are well, the schemas."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Literal

from inkos.actions.repair import Damage, damages
from inkos.actions.schemas import SCHEMAS, document
from inkos.actions.table import Door, action
from inkos.config import ROLES
from inkos.errors import InkosError, ModelFault, UsageFault
from inkos.records import Record


class About(Record):
    """`book` empty: the workspace alone."""

    book: str = ""


class ConfigRow(Record):
    key: str
    value: str
    origin: str


class ConfigShown(Record):
    values: tuple[ConfigRow, ...]


SECOND = "second"  # origin of an auditor's route that nobody named: another model audits than writes


def second_auditor(door: Door, book_roles: Mapping[str, str]) -> str:
    """The route that audits because a second model is there; empty where somebody named one, or nobody any."""
    workspace = door.workspace
    named = [roles.get("auditor") or roles.get("default") for roles in (book_roles, workspace.config.roles)]
    told = next((name for name in named if name), None)
    if told is None:
        return ""
    chosen = workspace.models(book_roles).route_name("auditor")
    return chosen if chosen != told else ""


def _rows(prefix: str, value: object, origins: dict[str, str], origin: str) -> list[ConfigRow]:
    if isinstance(value, dict):
        rows: list[ConfigRow] = []
        for key, below in value.items():
            rows += _rows(f"{prefix}.{key}" if prefix else str(key), below, origins, origin)
        return rows
    nearest = next((origins[p] for p in _parents(prefix) if p in origins), origin)
    return [ConfigRow(key=prefix, value=str(value), origin=nearest)]


def _parents(key: str) -> list[str]:
    parts = key.split(".")
    return [".".join(parts[:n]) for n in range(len(parts), 0, -1)]


@action("config-show", About, ConfigShown, "reads")
async def show_config(door: Door, command: About) -> ConfigShown:
    """Every value and where it came from. Keys of services never stand in these files, so none can be shown."""
    workspace = door.workspace
    data, origins = workspace.config.model_dump(mode="json"), dict(workspace.origins)
    for name, provider in workspace.config.providers.items():
        whole = workspace.preset(provider)
        for key in ("protocol", "base_url", "api_key_env"):
            if getattr(whole, key) != getattr(provider, key):
                data["providers"][name][key] = getattr(whole, key)
                origins[f"providers.{name}.{key}"] = f"preset {provider.preset}"
    roles = workspace.store(command.book).config().roles if command.book else {}
    if workspace.config.routes and (second := second_auditor(door, roles)):
        data["roles"]["auditor"], origins["roles.auditor"] = second, SECOND
    rows = _rows("", data, origins, "default")
    if command.book:
        config = workspace.store(command.book).config()
        told = config.model_dump(mode="json", exclude_unset=True)
        origins = {f"book.{key}": f"{command.book}/book.yaml" for key in told}
        rows += _rows("book", config.model_dump(mode="json"), origins, "default")
    return ConfigShown(values=tuple(rows))


class ConfigPaths(Record):
    paths: tuple[str, ...]


@action("config-path", About, ConfigPaths, "reads")
async def config_paths(door: Door, command: About) -> ConfigPaths:
    paths = [f"{door.workspace.root}/inkos.yaml"]
    if command.book:
        paths.append(f"{door.workspace.root}/books/{command.book}/book.yaml")
    return ConfigPaths(paths=tuple(paths))


class SetConfig(Record):
    """`book` empty: inkos.yaml. `value` is YAML: a word, a number, or a list or mapping in one line."""

    key: str
    value: str
    book: str = ""


class ConfigSet(Record):
    key: str
    file: str


@action("config-set", SetConfig, ConfigSet, "writes")
async def set_config(door: Door, command: SetConfig) -> ConfigSet:
    """Set one value; the rest of the file stays as the author wrote it."""
    return ConfigSet(key=command.key, file=door.workspace.set_config(command.key, command.value, command.book))


class HealthCheck(Record):
    name: Literal["python", "workspace", "route", "epubcheck", "book"]
    state: Literal["good", "bad", "unknown"]
    detail: str


class Health(Record):
    """`damages`: everything amiss in the book's files, each with its way out."""

    checks: tuple[HealthCheck, ...]
    book: str = ""
    damages: tuple[Damage, ...] = ()

    @property
    def well(self) -> bool:
        return all(check.state != "bad" for check in self.checks)


@action("doctor", About, Health, "pays")
async def doctor(door: Door, command: About) -> Health:
    """Python, workspace, each route with one small real call, epubcheck, and the book's files."""
    workspace = door.workspace
    checks = [
        HealthCheck(name="python", state="good", detail=platform.python_version()),
        HealthCheck(name="workspace", state="good", detail=workspace.root),
    ]
    if refused := workspace.unwritable():
        checks[-1] = HealthCheck(name="workspace", state="bad", detail=f"{workspace.root}: {refused}")
    checks += await _routes(door, command.book)
    found = workspace.epubcheck_version()
    checks.append(HealthCheck(name="epubcheck", state="good" if found else "unknown", detail=found or "–"))
    found_amiss: tuple[Damage, ...] = ()
    if command.book:
        found_amiss = damages(door, command.book)
        state: Literal["good", "bad"] = "bad" if any(d.way != "none" for d in found_amiss) else "good"
        checks.append(HealthCheck(name="book", state=state, detail=command.book))
    return Health(checks=tuple(checks), book=command.book, damages=found_amiss)


async def _routes(door: Door, book: str) -> list[HealthCheck]:
    """Each route that a role uses is called once."""
    workspace = door.workspace
    try:
        roles = workspace.store(book).config().roles if book else {}
    except InkosError:  # the settings are named among the damages
        roles = {}
    models = workspace.models(roles)
    checks: list[HealthCheck] = []
    tried: set[str] = set()
    for role in ROLES:
        try:
            name = models.route_name(role)
            if name in tried:
                continue
            tried.add(name)
            said = await workspace.reach(models.model(role))
            checks.append(HealthCheck(name="route", state="good", detail=f"{name}: {models.route(role).model}, {said}"))
        except ModelFault as fault:
            checks.append(HealthCheck(name="route", state="bad", detail=f"{name}: {fault.kind} {fault.detail}"))
        except InkosError as error:
            checks.append(HealthCheck(name="route", state="bad", detail=f"{role}: {error.code} {error.where}"))
            break
    return checks


class AskSchema(Record):
    name: str = ""


class SchemaShown(Record):
    names: tuple[str, ...]
    document: dict[str, object] | None = None


@action("schema", AskSchema, SchemaShown, "reads")
async def show_schema(door: Door, command: AskSchema) -> SchemaShown:
    names = tuple(sorted(SCHEMAS))
    if not command.name:
        return SchemaShown(names=names)
    if command.name not in SCHEMAS:
        raise UsageFault("choice", where="NAME", given=command.name, allowed=", ".join(names))
    return SchemaShown(names=names, document=document(command.name))
