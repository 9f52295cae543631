"""Who answers for a role: from the workspace's and the book's configuration to a model port; knows no task."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from inkos.adapters.models.openai import OpenAIModel
from inkos.config import Provider, Route, WorkspaceConfig
from inkos.errors import InkosError, UsageFault
from inkos.ports import ModelPort

KEYRING_SERVICE = "inkos"


class RouteDesk:
    """ModelDesk. A role's route is named by the book (`book_roles`), else by the workspace, each with `default` as the
    last word.

    `environment` holds the keys by variable name; where it has none, `keyring` is asked (name → key or null).
    `offline` answers for providers of the protocol `offline`; null makes one with its defaults.
    """

    def __init__(
        self,
        workspace: WorkspaceConfig,
        book_roles: Mapping[str, str] | None = None,
        environment: Mapping[str, str] | None = None,
        *,
        offline: ModelPort | None = None,
        keyring: Callable[[str], str | None] | None = None,
    ) -> None:
        self._workspace, self._book_roles = workspace, book_roles or {}
        self._environment = environment or {}
        self._offline, self._keyring = offline, keyring or from_keyring
        self._models: dict[str, ModelPort] = {}

    def route_name(self, role: str) -> str:
        """The name of the role's route. InkosError `route-none` when nobody named one."""
        for roles, where in self._roles():
            name = roles.get(role) or roles.get("default")
            if name:
                if name not in self._workspace.routes:
                    known = ", ".join(sorted(self._workspace.routes)) or "–"
                    raise UsageFault("route-unknown", where=where, role=role, name=name, known=known)
                return name
        raise InkosError("route-none", where="inkos.yaml", role=role)

    def _roles(self) -> list[tuple[Mapping[str, str], str]]:
        return [(self._book_roles, "book.yaml"), (self._workspace.roles, "inkos.yaml")]

    def route(self, role: str) -> Route:
        return self._workspace.routes[self.route_name(role)]

    def model(self, role: str) -> ModelPort:
        """The port of the role's route, made once a route. InkosError when its provider or key is missing."""
        name = self.route_name(role)
        if name not in self._models:
            self._models[name] = self._make(name, self._workspace.routes[name])
        return self._models[name]

    def _make(self, name: str, route: Route) -> ModelPort:
        provider = self._workspace.providers.get(route.provider)
        if provider is None:
            known = ", ".join(sorted(self._workspace.providers)) or "–"
            raise UsageFault("provider-unknown", where="inkos.yaml", name=route.provider, route=name, known=known)
        if provider.protocol == "offline":
            return self._offline or self._offline_author()
        return OpenAIModel(route, provider, self._key(route.provider, provider))

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


def from_keyring(name: str) -> str | None:
    """The key stored under `name` in the system's keyring, or null: also where the machine has no keyring."""
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(KEYRING_SERVICE, name)
    except KeyringError:
        return None
