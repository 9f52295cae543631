"""The part of the wiring that is about models and configuration; knows adapters as wire.py does, and no book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inkos.adapters.models import ServiceModel
    from inkos.adapters.models.memory import Memory
    from inkos.adapters.workspace import WorkspaceFolder
    from inkos.config import Provider, Route, WorkspaceConfig
    from inkos.gates.calibration import Calibration
    from inkos.messages import Language
    from inkos.ports import CanaryMeasure, Clock, KnownService, ModelDesk, ModelPort, Probed, Usage


class ModelBench:
    """Methods of the Workspace port; `Workshop` (wire.py) brings what they stand on."""

    clock: Clock
    config: WorkspaceConfig
    origins: Mapping[str, str]
    _folder: WorkspaceFolder
    _environment: Mapping[str, str]
    _offline: ModelPort | None

    def models(self, roles: Mapping[str, str]) -> ModelDesk:
        from inkos.adapters.models import RouteDesk

        return RouteDesk(self.config, roles, self._environment, offline=self._offline, memory=self.memory(),
                         folder=self._folder.root)  # fmt: skip

    def memory(self) -> Memory:
        """What trying has taught about models; kept in the workspace, where there is one."""
        from inkos.adapters.models.memory import Memory

        return Memory(self._folder.root / ".inkos" if self._folder.exists() else None)

    def price(self, usage: Usage, model: str) -> float | None:
        from inkos.adapters.models import money

        return money(usage, model, self.config.prices, self.config.currency, self.config.cny_per_usd)

    def has_key(self, provider: Provider) -> bool:
        from inkos.adapters.models.desk import from_keyring

        name = provider.api_key_env
        return bool(self._environment.get(name)) or from_keyring(name) is not None

    def preset(self, provider: Provider) -> Provider:
        from inkos.adapters.models.presets import resolve

        return resolve(provider)

    def known_services(self, language: Language) -> Sequence[KnownService]:
        from inkos.adapters.models.desk import listens_here
        from inkos.adapters.models.presets import presets
        from inkos.ports import KnownService

        return [
            KnownService(name=name, label=preset.label[language], base_url=preset.base_url, model=preset.model,
                         api_key_env=preset.api_key_env, running=listens_here(preset.base_url))
            for name, preset in presets().items()
        ]  # fmt: skip

    def known_of(self, route: Route) -> Mapping[str, str]:
        provider = self.config.providers.get(route.provider)
        return self.memory().of(self.preset(provider).base_url, route.model).probe if provider else {}

    def calibration(self, roles: Mapping[str, str]) -> Calibration | None:
        from inkos.errors import InkosError

        try:
            route = self.models(roles).route("auditor")
        except InkosError:
            return None  # nobody audits: told where a call is made
        return self.memory().of(self._address(route), route.model).judge

    def keep_calibration(self, route: Route, found: Calibration) -> None:
        memory, address = self.memory(), self._address(route)
        memory.keep(address, route.model, memory.of(address, route.model).model_copy(update={"judge": found}))

    def _address(self, route: Route) -> str:
        provider = self.config.providers.get(route.provider)
        return self.preset(provider).base_url if provider else ""

    async def probe(self, route: str, models: ModelDesk, largest: int | None) -> Probed:
        from inkos.adapters.models.probe import probe
        from inkos.adapters.models.reach import REALISTIC

        return await probe(_service(models, route), route, largest=largest or REALISTIC, at=self.clock.now())

    async def canary(self, route: str, models: ModelDesk) -> Sequence[CanaryMeasure]:
        from inkos.adapters.models.canary import canary

        return await canary(_service(models, route), self.clock.now())

    async def reach(self, model: ModelPort) -> str:
        from inkos.adapters.models import ServiceModel, reach

        if not isinstance(model, ServiceModel):
            return "–"  # the offline author or a recording: there is no line to try
        answer = await reach(model)
        return f"{answer.seconds:.1f} s, {answer.usage.input}+{answer.usage.output} tokens"

    def store_key(self, name: str, key: str) -> None:
        from inkos.adapters.models.desk import to_keyring

        to_keyring(name, key)

    def set_config(self, key: str, value: str, book: str) -> str:
        from inkos.adapters.config_edit import set_book_value, set_workspace_value

        if book:
            return set_book_value(self._folder.path(book), key, value)
        return set_workspace_value(self._folder.root, key, value)


def _service(models: ModelDesk, route: str) -> ServiceModel:
    """The service behind a route; the offline author and recordings have nothing to find out."""
    from inkos.adapters.models import ServiceModel
    from inkos.errors import UsageFault

    model = models.model_of(route)
    if not isinstance(model, ServiceModel):
        raise UsageFault("route-no-service", where=route)
    return model
