"""The verbs about models: who answers for which role, what a route can do, whether it is having a bad day."""

from __future__ import annotations

from typing import Literal

from inkos.actions.care import second_auditor
from inkos.actions.table import Door, action
from inkos.config import ROLES
from inkos.errors import InkosError, ModelFault, UsageFault
from inkos.ports import CanaryMeasure, ModelDesk, Probed
from inkos.records import Record

Chosen = Literal["book", "workspace", "second"]


class AboutRoutes(Record):
    """`book` empty: the workspace alone. `route` empty: every route that a role uses. `largest`: tokens up to which the
    context window is tried."""

    book: str = ""
    route: str = ""
    largest: int | None = None


class RouteRow(Record):
    """`key`: `set`, `missing`, or `none` where the provider needs none. `chosen`: who named the route, `book` or
    `workspace`, or `second`: it audits because another model writes. `fallbacks`: who answers when it fails.
    `known`: what `model test` found, by name of the check."""

    role: str
    route: str
    provider: str
    model: str
    key: Literal["set", "missing", "none"]
    chosen: Chosen = "workspace"
    fallbacks: tuple[str, ...] = ()
    known: dict[str, str] = {}


class Routes(Record):
    routes: tuple[RouteRow, ...]


@action("model-list", AboutRoutes, Routes, "reads")
async def list_routes(door: Door, command: AboutRoutes) -> Routes:
    """Which model answers for each role, and who stands in for it."""
    models, named = _models(door, command)
    rows = [_row(door, models, named, role) for role in ROLES]
    return Routes(routes=tuple(row for row in rows if command.route in ("", row.route)))


def _row(door: Door, models: ModelDesk, book_roles: dict[str, str], role: str) -> RouteRow:
    workspace = door.workspace
    name, route = models.route_name(role), models.route(role)
    configured = workspace.config.providers.get(route.provider)
    if configured is None:
        known = ", ".join(sorted(workspace.config.providers)) or "–"
        raise UsageFault("provider-unknown", where="inkos.yaml", name=route.provider, route=name, known=known)
    provider = workspace.preset(configured)
    key: Literal["set", "missing", "none"] = "none"
    if provider.api_key_env:
        key = "set" if workspace.has_key(provider) else "missing"
    return RouteRow(
        role=role, route=name, provider=route.provider, model=route.model, key=key,
        chosen="second" if role == "auditor" and second_auditor(door, book_roles)
        else "book" if book_roles.get(role) or book_roles.get("default") else "workspace",
        fallbacks=tuple(models.fallbacks(role, ModelFault("server"))), known=dict(workspace.known_of(route)),
    )  # fmt: skip


class Tested(Record):
    """`well`: no check of any route is bad. `skipped`: routes that no service stands behind."""

    routes: tuple[Probed, ...]
    skipped: tuple[str, ...] = ()
    well: bool


@action("model-test", AboutRoutes, Tested, "pays")
async def test_models(door: Door, command: AboutRoutes) -> Tested:
    """Find out by trying what each route's model can do; what was found is kept and used from then on."""
    models, _ = _models(door, command)
    found: list[Probed] = []
    skipped: list[str] = []
    for name in _asked_about(command, models):
        try:
            found.append(await door.workspace.probe(name, models, command.largest))
        except UsageFault as fault:
            if fault.code != "route-no-service" or command.route:
                raise
            skipped.append(name)
    bad = any(check.state == "bad" for probed in found for check in probed.checks)
    return Tested(routes=tuple(found), skipped=tuple(skipped), well=not bad)


class Sung(Record):
    route: str
    measures: tuple[CanaryMeasure, ...]


class CanaryReport(Record):
    """`worse`: some measure of some route has fallen since the last time."""

    routes: tuple[Sung, ...]
    worse: bool


@action("model-canary", AboutRoutes, CanaryReport, "pays")
async def canary(door: Door, command: AboutRoutes) -> CanaryReport:
    """Ask a few fixed questions and compare the answers' measures with the last time."""
    models, _ = _models(door, command)
    rows: list[Sung] = []
    for name in _asked_about(command, models):
        try:
            rows.append(Sung(route=name, measures=tuple(await door.workspace.canary(name, models))))
        except UsageFault as fault:
            if fault.code != "route-no-service" or command.route:
                raise
    return CanaryReport(routes=tuple(rows), worse=any(m.worse for row in rows for m in row.measures))


def _asked_about(command: AboutRoutes, models: ModelDesk) -> list[str]:
    """The route asked about, or each that a role uses, once."""
    if command.route:
        models.route_of(command.route)
        return [command.route]
    return list(dict.fromkeys(models.route_name(role) for role in ROLES))


def _models(door: Door, command: AboutRoutes) -> tuple[ModelDesk, dict[str, str]]:
    roles = dict(door.workspace.store(command.book).config().roles) if command.book else {}
    if not door.workspace.config.routes:
        raise InkosError("route-none", where="inkos.yaml", role="writer")
    return door.workspace.models(roles), roles
