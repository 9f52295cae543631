"""The data files that come with the program, as parsed mappings and texts; does not know what they mean.

Everything is read through importlib.resources when it is asked for, so a command that shows no text reads none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from inkos.adapters.yaml_files import parse_yaml
from inkos.messages import Language, Messages


def _walk(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.is_dir():
            yield from _walk(item, f"{prefix}{item.name}/")
        else:
            yield f"{prefix}{item.name}", item


def _files(package: str, folder: str, ending: str) -> dict[str, str]:
    """Path below the folder → text, for every file with that ending; an absent folder has none."""
    start = files(package).joinpath(folder)
    if not start.is_dir():
        return {}
    return {name: item.read_text(encoding="utf-8") for name, item in _walk(start) if name.endswith(ending)}


def tables(package: str, folder: str) -> dict[str, Mapping[str, object]]:
    """Every YAML file of a package's folder: path without its ending (`general`, `zh/words`) → its mapping."""
    found: dict[str, Mapping[str, object]] = {}
    for name, text in _files(package, folder, ".yaml").items():
        value = parse_yaml(text, where=f"{package}/{folder}/{name}", trusted=True)
        found[name.removesuffix(".yaml")] = value
    return found


@cache
def templates() -> dict[str, str]:
    """Prompt templates: `zh/plan.j2` → text."""
    return _files("inkos.prompts", "templates", ".j2")


@cache
def questions() -> dict[str, Mapping[str, object]]:
    """The audit's question bank: file name without its ending → its mapping."""
    return tables("inkos.prompts", "questions")


@cache
def prompt_tables() -> dict[str, Mapping[str, object]]:
    """YAML that lies beside the templates (labels per language): `zh/labels` → its mapping."""
    return tables("inkos.prompts", "templates")


@cache
def rule_packs() -> dict[str, Mapping[str, object]]:
    """Predicate registry: pack name (`general`, a genre) → its mapping."""
    return tables("inkos.kernel", "rules")


@cache
def gate_tables() -> dict[str, Mapping[str, object]]:
    """Thresholds and word lists of the checks: file name without its ending → its mapping."""
    return tables("inkos.gates", "data")


@cache
def messages(language: Language) -> Messages:
    """What people read in one language; a file's name is the first part of its codes (`errors.book-missing`)."""
    return Messages(language, tables("inkos.words", language))


@cache
def help_texts(language: Language) -> Messages:
    """The help texts alone: the command line needs them before it knows what it is asked."""
    text = (files("inkos") / "words" / language / "help.yaml").read_text(encoding="utf-8")
    return Messages(language, parse_yaml(text, where=f"inkos.words/{language}/help.yaml", trusted=True))


def demo_brief(language: Language) -> str:
    """The brief that the demo founds its book from."""
    return (files("inkos") / "hosts" / "briefs" / f"{language}.md").read_text(encoding="utf-8")
