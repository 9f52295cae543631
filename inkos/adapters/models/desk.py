"""Who answers for a role: from the workspace's and the book's configuration to a model port; knows no task."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from inkos.adapters.cassette import Replaying
from inkos.adapters.models.memory import Memory
from inkos.adapters.models.presets import resolve
from inkos.adapters.models.protocols import require
from inkos.adapters.models.service import ServiceModel
from inkos.config import CallLimits, Provider, Route, WorkspaceConfig
from inkos.errors import InkosError, ModelFault, UsageFault
from inkos.ports import ModelPort

KEYRING_SERVICE = "inkos"
HERE_SECONDS = 0.3  # a server on this machine answers a knock at once, or is not there


# Whose place another model may take without being told to: what they write is data, checked by code.
FREE: frozenset[str] = frozenset({"auditor", "settler"})
# Whose words stand in the book: a voice must not change overnight.
VOICES: frozenset[str] = frozenset({"writer", "reviser"})


class RouteDesk:
    """ModelDesk. A role's route is named by the book (`book_roles`), else by the workspace, each with `default` as the
    last word. Where nobody names the auditor's and there is a second model, another audits than writes.

    `environment` holds the keys by variable name; where it has none, `keyring` is asked (name → key or null).
    `offline` answers for providers of the protocol `offline`; null makes one with its defaults. `memory` holds what
    trying has taught; `folder` is where the paths of recordings begin.
    """

    def __init__(
        self,
        workspace: WorkspaceConfig,
        book_roles: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        offline: ModelPort | None = None,
        keyring: Callable[[str], str | None] | None = None,
        memory: Memory | None = None,
        folder: Path | None = None,
    ) -> None:
        self._workspace, self._book_roles = workspace, book_roles or {}
        self._environment = environment or {}
        self._offline, self._keyring = offline, keyring or from_keyring
        self._memory, self._folder = memory or Memory(), folder or Path()
        self._models: dict[str, ModelPort] = {}

    def route_name(self, role: str) -> str:
        """The name of the role's route. InkosError `route-none` when nobody named one."""
        for roles, where in self._roles():
            name = roles.get(role) or roles.get("default")
            if name:
                if name not in self._workspace.routes:
                    known = ", ".join(sorted(self._workspace.routes)) or "–"
                    raise UsageFault("route-unknown", where=where, role=role, name=name, known=known)
                return name if roles.get(role) or role != "auditor" else self._other(name)
        raise InkosError("route-none", where="inkos.yaml", role=role)

    def _other(self, name: str) -> str:
        """The first route to another model than the writer's that can be used, else `name`."""
        writer = self.route_name("writer")
        if self._protocol(writer) == "offline":
            return name
        others = (other for other in self._workspace.routes if self._usable(other) and self._differ(other, writer))
        return next(others, name)

    def _differ(self, one: str, other: str) -> bool:
        first, second = self._workspace.routes[one], self._workspace.routes[other]
        return (first.provider, first.model) != (second.provider, second.model)

    def _protocol(self, name: str) -> str:
        provider = self._workspace.providers.get(self._workspace.routes[name].provider)
        return resolve(provider).protocol if provider else ""

    def _usable(self, name: str) -> bool:
        """A real service whose key is at hand. The offline author takes nobody's place."""
        if self._protocol(name) not in ("openai", "anthropic", "google"):
            return False
        try:
            provider = self._provider(name)
            require(provider.protocol, name)
            self._key(self._workspace.routes[name].provider, provider)
        except InkosError:
            return False
        return True

    def fallbacks(self, role: str, fault: ModelFault) -> list[str]:
        """The routes that may answer after the role's own has failed with `fault`, best first.

        Auditor and settler have every other route unless `fallbacks` says otherwise; the auditor's first choice is
        one that does not write. Writer and reviser have those named for them, if `allow_writer_fallback`. After a fault
        of the account or the line, other routes to the same endpoint are of no use."""
        own = self.route_name(role)
        named = self._workspace.fallbacks.get(role)
        if role in VOICES and not self._workspace.allow_writer_fallback:
            if named:
                raise UsageFault("fallback-writer", where="inkos.yaml", role=role)
            return []
        if named is None:
            free = role in FREE or (role in VOICES and self._workspace.allow_writer_fallback)
            named = tuple(self._workspace.routes) if free else ()
        for name in named:
            if name not in self._workspace.routes:
                known = ", ".join(sorted(self._workspace.routes))
                raise UsageFault("route-unknown", where="inkos.yaml", role=role, name=name, known=known)
        same_line = fault.kind in ("key", "balance", "unreachable")
        endpoint = self._workspace.routes[own].provider
        found = [
            name
            for name in named
            if name != own
            and self._usable(name)
            and not (same_line and self._workspace.routes[name].provider == endpoint)
        ]
        writer = self.route_name("writer")
        return sorted(found, key=lambda name: role == "auditor" and name == writer)

    def _roles(self) -> list[tuple[Mapping[str, str], str]]:
        return [(self._book_roles, "book.yaml"), (self._workspace.roles, "inkos.yaml")]

    def route(self, role: str) -> Route:
        return self._workspace.routes[self.route_name(role)]

    def model(self, role: str) -> ModelPort:
        """The port of the role's route, made once a route. InkosError when its provider or key is missing."""
        return self.model_of(self.route_name(role))

    def route_of(self, name: str) -> Route:
        """A route by its name. UsageFault `choice` when there is none."""
        if name not in self._workspace.routes:
            known = ", ".join(sorted(self._workspace.routes)) or "–"
            raise UsageFault("choice", where="ROUTE", given=name, allowed=known)
        return self._workspace.routes[name]

    def model_of(self, name: str) -> ModelPort:
        if name not in self._models:
            self._models[name] = self._make(name, self.route_of(name))
        return self._models[name]

    def limits_of(self, name: str) -> CallLimits:
        return self._provider(name).limits

    def _provider(self, route: str) -> Provider:
        named = self._workspace.routes[route].provider
        provider = self._workspace.providers.get(named)
        if provider is None:
            known = ", ".join(sorted(self._workspace.providers)) or "–"
            raise UsageFault("provider-unknown", where="inkos.yaml", name=named, route=route, known=known)
        return resolve(provider, named)

    def _make(self, name: str, route: Route) -> ModelPort:
        provider = self._provider(name)
        if provider.protocol == "offline":
            return self._offline or self._offline_author()
        if provider.protocol == "cassette":
            return Replaying(self._folder / provider.base_url)
        if not provider.base_url:  # the libraries have addresses of their own, and the key may be another service's
            raise UsageFault("address-missing", where="inkos.yaml", provider=route.provider)
        require(provider.protocol, route.provider)
        return ServiceModel(route, provider, self._key(route.provider, provider), self._memory)

    def _offline_author(self) -> ModelPort:
        from inkos.adapters.offline import OfflineAuthor

        self._offline = OfflineAuthor()
        return self._offline

    def _key(self, name: str, provider: Provider) -> str | None:
        if provider.api_key_env and self._environment.get(provider.api_key_env):
            return self._environment[provider.api_key_env].strip()
        if not provider.api_key_env and _on_this_machine(provider.base_url):
            return None  # a server of one's own needs no key
        key = self._keyring(provider.api_key_env or name)
        if key is None and provider.api_key_env:
            raise InkosError("key-missing", where=name, variable=provider.api_key_env)
        return key


def _on_this_machine(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listens_here(base_url: str) -> bool:
    """Whether a server of one's own is there now. Other machines are not asked."""
    address = urlsplit(base_url)
    if not _on_this_machine(base_url) or address.port is None:
        return False
    try:
        with socket.create_connection((address.hostname or "", address.port), timeout=HERE_SECONDS):
            return True
    except OSError:
        return False


def from_keyring(name: str) -> str | None:
    """The key stored under `name` in the system's keyring, or null: also where the machine has no keyring."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(KEYRING_SERVICE, name)
    except KeyringError:
        return None


def to_keyring(name: str, key: str) -> None:
    """Store a key under `name`. InkosError `keyring-none` on a machine without a keyring; the key is in no message."""
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(KEYRING_SERVICE, name, key)
    except KeyringError as error:
        raise InkosError("keyring-none", where=name, detail=type(error).__name__) from None
