"""The verbs about the tool itself: what is configured, who answers, whether the surroundings are well, the schemas."""

from __future__ import annotations

import platform
from typing import Literal

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
    rows = _rows("", workspace.config.model_dump(mode="json"), dict(workspace.origins), "default")
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


class RouteRow(Record):
    """`key`: `set`, `missing`, or `none` where the provider needs none."""

    role: str
    route: str
    provider: str
    model: str
    key: Literal["set", "missing", "none"]


class Routes(Record):
    routes: tuple[RouteRow, ...]


@action("model-list", About, Routes, "reads")
async def list_routes(door: Door, command: About) -> Routes:
    workspace = door.workspace
    roles = workspace.store(command.book).config().roles if command.book else {}
    models = workspace.models(roles)
    rows = []
    for role in ROLES:
        route = models.route(role)
        provider = workspace.config.providers[route.provider]
        needs = bool(provider.api_key_env)
        key: Literal["set", "missing", "none"] = "none"
        if needs:
            key = "set" if workspace.has_key(provider) else "missing"
        rows.append(RouteRow(role=role, route=models.route_name(role), provider=route.provider, model=route.model,
                             key=key))  # fmt: skip
    return Routes(routes=tuple(rows))


class HealthCheck(Record):
    name: Literal["python", "workspace", "route", "epubcheck", "book"]
    state: Literal["good", "bad", "unknown"]
    detail: str


class Health(Record):
    checks: tuple[HealthCheck, ...]

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
    checks += await _routes(door, command.book)
    found = workspace.epubcheck_version()
    checks.append(HealthCheck(name="epubcheck", state="good" if found else "unknown", detail=found or "–"))
    if command.book:
        problems = workspace.store(command.book).problems()
        told = ", ".join(f"{p.kind}: {p.path}" for p in problems) or command.book
        checks.append(HealthCheck(name="book", state="bad" if problems else "good", detail=told))
    return Health(checks=tuple(checks))


async def _routes(door: Door, book: str) -> list[HealthCheck]:
    """Each route that a role uses is called once."""
    workspace = door.workspace
    roles = workspace.store(book).config().roles if book else {}
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
