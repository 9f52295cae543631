"""Known services as data (providers.yaml): what a configured provider means in full; makes no call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

from inkos.adapters.yaml_files import parse_yaml
from inkos.config import Provider, Quirks
from inkos.errors import UsageFault
from inkos.messages import Language
from inkos.records import Record

TABLE = "providers.yaml"


class Preset(Record):
    """One known service. `models`: a pattern, matched from the start of a model's name → what differs for it."""

    label: dict[Language, str]
    protocol: Literal["openai", "anthropic", "google"]
    base_url: str
    api_key_env: str = ""
    model: str = ""
    quirks: Quirks
    models: dict[str, Quirks] = {}

    def quirks_of(self, model: str) -> Quirks:
        found = next((own for pattern, own in self.models.items() if re.match(pattern, model, re.I)), Quirks())
        return found.over(self.quirks)


@cache
def presets() -> Mapping[str, Preset]:
    text = (files("inkos.adapters.models") / TABLE).read_text(encoding="utf-8")
    rows = parse_yaml(text, where=f"inkos.adapters.models/{TABLE}", trusted=True)
    return {name: Preset.model_validate(row) for name, row in rows.items()}


def preset_of(provider: Provider, name: str) -> Preset:
    """The preset that a provider names, else `plain`. UsageFault where no preset bears the name."""
    chosen = provider.preset or "plain"
    if chosen not in presets():
        known = ", ".join(presets())
        raise UsageFault("choice", where=f"providers.{name}.preset", given=chosen, allowed=known)
    return presets()[chosen]


def resolve(provider: Provider, name: str = "") -> Provider:
    """The provider with what it leaves out taken from its preset."""
    if not provider.preset:
        return provider
    preset = preset_of(provider, name)
    given = provider.model_fields_set
    taken = {key: getattr(preset, key) for key in ("protocol", "base_url", "api_key_env") if key not in given}
    return provider.model_copy(update=taken)


def quirks_for(provider: Provider, model: str, learned: Quirks, name: str = "") -> Quirks:
    """What holds for one model: learned by trying, else the author's word, else the preset's."""
    return learned.over(provider.quirks.over(preset_of(provider, name).quirks_of(model)))
