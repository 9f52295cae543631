"""The words of the command line in the user's language; does not know the commands."""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files

import yaml

from inkos.messages import Language, Messages


@cache
def interface_language() -> Language:
    """INKOS_LANG, else the locale: a Chinese one gives Chinese, everything else English."""
    told = os.environ.get("INKOS_LANG") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "zh" if told.lower().startswith("zh") else "en"


@cache
def help_texts(language: Language) -> Messages:
    """Only the help texts: `--help` must not wait for the rest of the catalogues."""
    text = files("inkos").joinpath("words", language, "help.yaml").read_text("utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Messages(language, yaml.load(text, Loader=loader))  # noqa: S506 - both loaders are the safe ones


def help_for(code: str) -> str:
    return help_texts(interface_language()).raw(code)
